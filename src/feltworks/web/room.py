"""An open table in the browser: who sits and watches, when it is dealt, and what is kept of it on disk."""

import datetime
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from feltworks.dealing.shoes import CardSource, source_for
from feltworks.errors import NotNow
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide, Offer, Say
from feltworks.rules.terms import Terms
from feltworks.table.dealer import Dealer
from feltworks.table.events import Event, Opened
from feltworks.table.house import House
from feltworks.table.log import Log, decode_line
from feltworks.table.posted import Posted, PostedLimits
from feltworks.table.table import Table
from feltworks.table.wording import Explained, explained
from feltworks.web.countdown import Countdown
from feltworks.web.fair_deal import FairDeal
from feltworks.web.gestures import Gestures
from feltworks.web.keeping import RoomKeeping
from feltworks.web.looking import Looked
from feltworks.web.order import NewTable, checked, game_of, limits_of
from feltworks.web.restoring import restored
from feltworks.web.session import Session

WAGER_SECONDS, DECISION_SECONDS = 20.0, 25.0
_GIVING_UP = ("fold", "surrender")
Sources = Callable[[Terms], CardSource]  # what tables of such terms are dealt from
Edges = dict[str, tuple[float, float]]  # house edge and deviation of each wager, where they are known


class Guest(Struct, frozen=True):
    """Somebody at a browser: one session, whatever the number of tabs."""

    session: str
    name: str


class Room:
    """One table with its clock. Everything is done at once: nothing here waits."""

    def __init__(
        self,
        id_: str,
        new: NewTable,
        *,
        folder: Path | None = None,
        tell: Callable[["Room"], object] = bool,
        source: Sources = source_for,
    ) -> None:
        self.id: Final = id_
        self.new: Final = new
        found = checked(new, datetime.date.today())
        self.game: Final[Game[Any]] = game_of(found)
        self.limits: Final = limits_of(found)
        self.name: Final = new.name or self.game.terms.rulebook.title
        self.countdown = Countdown()
        self.ready: set[str] = set()
        self.sessions: dict[str, Session] = {}
        self.members: dict[str, str] = {}  # by session: the name played under here
        self.present: dict[str, int] = {}  # how many tabs each player has open
        self.says: str | None = None
        self.fair_deal = FairDeal()
        self.fresh: list[Event] = []  # what happened since clients were told last
        self.gestures = Gestures()
        self.looked: dict[str | None, Looked] = {}  # the round as each player sees it, until it goes on
        self.edges: Edges = {}
        self._tell = tell
        self.source: Final = source
        self._explained: dict[tuple[int, str, int], list[Explained]] = {}  # of the round in progress
        self._keeping = RoomKeeping(folder) if folder else None
        self.table = self._opened()

    def _opened(self) -> Table:
        """The table with nobody at it, or as it was kept."""
        if self._keeping and (kept := self._keeping.kept()):
            return restored(self, self._keeping, kept)
        house = House(meters=dict.fromkeys(self.meters, self.new.jackpot))
        return self.set_up(house, Log(self.note))

    def set_up(self, house: House, log: Log) -> Table:
        """The table with nobody at it."""
        vault = self._keeping.vault if self._keeping else None
        dealer = Dealer(self.source(self.game.terms), vault=vault)
        return Table(self.game, dealer, limits=self.posted, house=house, log=log)

    def close(self) -> None:
        """The house closes: everything is on disk, and the clock stops."""
        self.countdown.stop()
        if self._keeping:
            self._keeping.close()

    def keep(self) -> None:
        """Put down what would have to be known after a power cut; rounds are kept by their log."""
        if self._keeping and not self.table.is_running:
            self._keeping.keep(self)

    @cached_property
    def meters(self) -> list[str]:
        """The jackpots that this table's wagers are paid from."""
        offered = [self.game.pays[name] for name in self.game.terms.offers]
        return sorted({meter for pays in offered for meter in meters_of(pays.values())})

    @cached_property
    def posted(self) -> PostedLimits:
        fixed = {n for n, entry in self.game.terms.rulebook.wager.items() if entry.fixed}
        signs = {n: Posted(least, most) for n, (least, most) in self.limits.items() if n not in fixed}
        return PostedLimits(self.game.terms, signs)

    def note(self, line: bytes) -> None:
        """Take down an event as the table logs it."""
        if self._keeping:
            self._keeping.write(line)
        event = decode_line(line, 0).event
        self.looked.clear()
        if isinstance(event, Opened):
            self.fresh.clear()  # the seats of a round that is gone were others': nobody is told of them now
        self.fresh.append(event)
        self.take_in(event)

    def take_in(self, event: Event) -> None:
        """What of an event stays in sight until the next round."""
        self.gestures.take_in(event)
        self.fair_deal.take_in(event)
        if isinstance(event, Say):
            self.says = event.words

    def player_of(self, guest: Guest) -> str | None:
        """The name this guest plays under here, if they sit."""
        return self.members.get(guest.session)

    def is_away(self, player: str) -> bool:
        """Whether nobody is there for a player who sits."""
        return not self.present.get(player)

    # What players do. Each changes everything at once or, refused, nothing.

    def sit(self, guest: Guest, spot: int, stack: Cents) -> None:
        """Take a spot; a second guest of the same name gets a number."""
        if guest.session in self.members:
            raise NotNow("you sit at this table already; leave first to take another spot")
        name = guest.name
        while name in self.table.seating.players:
            name = f"{guest.name} {len(self.members) + 1}"
        self.table.sit(name, spot, stack=stack)
        self.members[guest.session] = name
        self.sessions[name] = Session()
        self.looked.clear()

    def leave(self, guest: Guest) -> None:
        player = self._seated(guest)
        self.table.leave(player)
        del self.members[guest.session]
        self.ready.discard(player)
        self.sessions.pop(player, None)
        self.present.pop(player, None)
        self.looked.clear()
        self._watch_wagers()

    def buy(self, guest: Guest, cents: Cents) -> None:
        self.table.buy_in(self._seated(guest), cents)

    def wager(self, guest: Guest, spot: int, wagers: dict[str, Cents], tokes: dict[str, Cents]) -> None:
        player = self._seated(guest)
        wagered = {name: cents for name, cents in wagers.items() if cents}
        if wagered:
            self.table.wager(player, spot, wagered, {name: cents for name, cents in tokes.items() if cents})
        else:
            self.table.withdraw(player, spot)
        self.ready.discard(player)
        self._watch_wagers()

    def withdraw(self, guest: Guest, spot: int) -> None:
        self.table.withdraw(self._seated(guest), spot)
        self._watch_wagers()

    def say_ready(self, guest: Guest) -> None:
        """Deal as soon as everybody with a wager says so."""
        player = self._seated(guest)
        if self.table.is_running:
            raise NotNow("the round in progress has to end before the next one is dealt")
        if not self._wagering or player not in self._wagering:
            raise NotNow("put down a wager first; then the round is dealt")
        self.ready.add(player)
        if self._wagering <= self.ready:
            self.deal()

    def choose(
        self, guest: Guest, spot: int, round_: int, name: str, cents: Cents | None, about: str
    ) -> None:
        player = self._seated(guest)
        if not self.table.is_running or round_ != self.table.rounds:
            raise NotNow("that round is over; choices are made in the round in progress")
        self.table.choose(player, spot, name, cents, about or None)
        self._go_on()

    def deal(self) -> None:
        """No more bets."""
        self.countdown.stop()
        self.ready.clear()
        self.fair_deal.begin()
        self._explained.clear()
        for player in self._wagering:
            self.sessions.setdefault(player, Session())
        self.table.deal()
        self._go_on()

    def pause(self) -> None:
        if not self.new.practice:
            raise NotNow("the countdown is paused at practice tables only")
        self.countdown.pause()

    def price(self, edges: Edges) -> None:
        """Take in what the wagers of this table cost."""
        self.edges = edges
        self.looked.clear()

    def explained(self, r: Round, step: Decide) -> list[Explained]:
        """The choices of a decision in words, worked out once."""
        asked = step.seat, step.about, len(r.seats[step.seat].choices)
        if asked not in self._explained:
            self._explained[asked] = explained(self.game, r, step)
        return self._explained[asked]

    # The clock.

    @property
    def _wagering(self) -> set[str]:
        return {self.table.seating.at[spot].name for spot in self.table.seating.down}

    def _seated(self, guest: Guest) -> str:
        player = self.player_of(guest)
        if player is None:
            raise NotNow("you do not sit at this table; take a free spot first")
        return player

    def watch(self) -> None:
        """Start the clock that is due: after a restart it waits for the first who comes back."""
        if self.countdown.purpose is None and self.table.is_running:
            self._watch_decisions()

    def _watch_decisions(self) -> None:
        if self._is_shared:
            self.countdown.start("decisions", DECISION_SECONDS, self._choose_for_the_absent)

    def _watch_wagers(self) -> None:
        """The first wager at a table of several starts the clock; with the last one taken back it stops."""
        if self.table.is_running:
            return
        if not self._wagering:
            self.countdown.stop()
        elif self.countdown.purpose is None and len(self.members) > 1:
            self.countdown.start("wagers", WAGER_SECONDS, self._no_more_bets)

    def _no_more_bets(self) -> None:
        if self._wagering and not self.table.is_running:
            self.deal()
            self.keep()
        self._tell(self)

    def _go_on(self) -> None:
        if not self.table.is_running:
            self.countdown.stop()
            for player, session in self.sessions.items():
                session.count(self.table, player)
            self._accrue()
        else:
            self._watch_decisions()

    def _accrue(self) -> None:
        """WAC 230-15-671: a jackpot rises with every losing wager, at once and in sight."""
        house = self.table.house
        for meter, cents in house.boxes.items():
            house.meters[meter] = house.meters.get(meter, 0) + cents
        house.boxes.clear()

    @property
    def _is_shared(self) -> bool:
        return len({seat.player for seat in self.table.seats}) > 1

    def _choose_for_the_absent(self) -> None:
        """When time is up every open decision gets the gentlest choice."""
        open_ = list(self.table.decisions)
        for step in open_:
            seat = self.table.seats[step.seat]
            if any(step.seat == each.seat and step.about == each.about for each in self.table.decisions):
                self.table.choose(seat.player, seat.spot, gentlest(step).name, None, step.about or None)
        self._go_on()
        self.keep()
        self._tell(self)


def gentlest(step: Decide) -> Offer:
    """For somebody who is not there: no more money, and a hand is given up only if it must be."""
    free = [offer for offer in step.offers if not offer.most and not offer.least] or list(step.offers)
    return next((offer for offer in free if offer.name not in _GIVING_UP), free[0])
