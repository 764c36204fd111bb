"""An open table in the browser: who sits and watches, when it is dealt, and what is kept of it on disk."""

import datetime
import time
from collections.abc import Callable, Collection
from functools import cached_property
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from feltworks.dealing.shoes import CardSource, Commitment, source_for
from feltworks.errors import NotNow
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide, Offer, Say
from feltworks.rules.terms import Terms
from feltworks.table.events import Event, RoundOpened
from feltworks.table.limits import PostedLimits, WagerLimit
from feltworks.table.live import Dealer
from feltworks.table.log import Log, decode_line
from feltworks.table.seating import House
from feltworks.table.table import Table
from feltworks.table.wording import Explanation, explain_offers
from feltworks.web.countdown import Countdown, Times
from feltworks.web.fair_deal import FairDeal
from feltworks.web.gestures import Gestures
from feltworks.web.keeping import RoomKeeping
from feltworks.web.looking import Looked
from feltworks.web.notices import LOG, sentence_of
from feltworks.web.order import NewTable, checked, game_of, limits_of
from feltworks.web.restoring import restored
from feltworks.web.session import Session

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
        times: Times = Times(),  # noqa: B008 (it is never written to)
        clock: Callable[[], float] = time.time,
        is_standing: bool = False,
    ) -> None:
        self.id: Final = id_
        self.new: Final = new
        found = checked(new, datetime.date.today())
        self.game: Final[Game[Any]] = game_of(found)
        self.limits: Final = limits_of(found)
        self.name: Final = new.name or self.game.terms.rulebook.title
        self.times: Final = times
        self.clock: Final = clock
        self.is_standing: Final = is_standing  # the house's own: it stays though nobody uses it
        self.countdown = Countdown()
        self.ready: set[str] = set()
        self.sessions: dict[str, Session] = {}
        self.members: dict[str, str] = {}  # by session: the name played under here
        self.present: dict[str, int] = {}  # how many tabs each player has open
        self.newcomers: set[str] = set()  # who sat down after the last deal
        self.leaving: set[str] = set()  # who gets up after this hand
        self.away_since: dict[str, float] = {}  # players without a tab here
        self.unused_since: float | None = clock()  # when the last tab closed; None while one is open
        self._ended_at = 0.0  # when the last round was over
        self.says: str | None = None
        self.fair_deal = FairDeal()
        self.fresh: list[Event] = []  # what happened since clients were told last
        self.gestures = Gestures()
        self.looked: dict[str | None, Looked] = {}  # the round as each player sees it, until it goes on
        self.edges: Edges = {}
        self._tell = tell
        self.source: Final = source
        self._explained: dict[tuple[int, str, int], list[Explanation]] = {}  # of the round in progress
        self._keeping = RoomKeeping(folder) if folder else None  # None also while a new table is made
        self.table = self._opened()

    def _opened(self) -> Table:
        """The table with nobody at it, or as it was kept."""
        if self._keeping and (kept := self._keeping.kept()):
            return restored(self, self._keeping, kept)
        house = House(meters=dict.fromkeys(self.meters, self.new.jackpot))
        return self.set_up(house, Log(self.note))

    def set_up(self, house: House, log: Log) -> Table:
        """The table with nobody at it."""
        dealer = Dealer(self.source(self.game.terms), vault=self._vault)
        return Table(self.game, dealer, limits=self.posted, house=house, log=log)

    def keep_in(self, folder: Path) -> None:
        """Keep a new table in its folder from now on."""
        self._keeping = RoomKeeping(folder)
        self._keeping.keep(self)

    def _vault(self, commitment: Commitment, secret: str) -> None:
        if self._keeping:
            self._keeping.vault(commitment, secret)

    def close(self) -> None:
        """The house closes: everything is on disk, and the clock stops."""
        self.countdown.stop()
        if self._keeping:
            self._keeping.close()

    def keep(self) -> None:
        """Put down what would have to be known after a power cut; rounds are kept by their log."""
        if not self._keeping or self.table.is_running:
            return
        try:
            self._keeping.keep(self)
        except OSError as trouble:  # what was done stays done; the next act writes all of it
            LOG.warning("table %s: its seats cannot be written now: %s", self.id, sentence_of(trouble))

    @cached_property
    def meters(self) -> list[str]:
        """The jackpots that this table's wagers are paid from."""
        offered = [self.game.pays[name] for name in self.game.terms.offers]
        return sorted({meter for pays in offered for meter in meters_of(pays.values())})

    @cached_property
    def posted(self) -> PostedLimits:
        fixed = {n for n, entry in self.game.terms.rulebook.wager.items() if entry.fixed}
        signs = {n: WagerLimit(least, most) for n, (least, most) in self.limits.items() if n not in fixed}
        return PostedLimits(self.game.terms, signs)

    def note(self, line: bytes) -> None:
        """Take down an event as the table logs it."""
        if self._keeping:
            self._keeping.write(line)
        event = decode_line(line, 0).event
        self.looked.clear()
        if isinstance(event, RoundOpened):
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

    def count_tabs(self, player: str, tabs: int) -> None:
        """Take down how many tabs a player has open; with the last one closed the absence begins."""
        self.present[player] = tabs
        if tabs:
            self.away_since.pop(player, None)
        else:
            self.away_since.setdefault(player, self.clock())
        self.watch()

    @property
    def is_clear(self) -> bool:
        """Whether the felt is empty: no round is in progress, and nobody of the last one still sits."""
        staying = self.table.seating.players.keys() - self.newcomers
        return not self.table.is_running and staying.isdisjoint(seat.player for seat in self.table.seats)

    # What players do. Each changes everything at once or, refused, nothing.

    def sit(self, guest: Guest, spot: int, stack: Cents) -> None:
        """Take a spot; a second guest of the same name gets a number."""
        if guest.session in self.members:
            raise NotNow("you sit at this table already; leave first to take another spot")
        name = self._free_name(guest.name)
        self.table.sit(name, spot, stack=stack)
        self.members[guest.session] = name
        self.sessions[name] = Session()
        self.newcomers.add(name)
        self.away_since[name] = self.clock()  # until the tab is counted that the action came from
        self.looked.clear()

    def _free_name(self, wanted: str) -> str:
        """The name itself, or with the first number from 2 on under which nobody sits here."""
        names = chain([wanted], (f"{wanted} {number}" for number in count(2)))
        return next(name for name in names if name not in self.table.seating.players)

    def leave(self, guest: Guest, *, after_hand: bool = False) -> None:
        """Get up now, or once the round in progress is over and was looked at."""
        player = self._seated(guest)
        if after_hand and self.table.is_running:
            self.leaving.add(player)
        else:
            self._get_up(player)

    def stay(self, guest: Guest) -> None:
        """Keep the seat after this hand after all."""
        self.leaving.discard(self._seated(guest))

    def _get_up(self, player: str) -> None:
        self.table.leave(player)
        self.members = {session: name for session, name in self.members.items() if name != player}
        for names in (self.ready, self.newcomers, self.leaving):
            names.discard(player)
        for noted in (self.sessions, self.present, self.away_since):
            noted.pop(player, None)
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
        self.leaving.discard(player)
        self._watch_wagers()

    def withdraw(self, guest: Guest, spot: int) -> None:
        self.table.withdraw(self._seated(guest), spot)
        self._watch_wagers()

    def say_ready(self, guest: Guest) -> None:
        """Deal as soon as everybody with a wager says so, and nobody still looks at the last round."""
        player = self._seated(guest)
        if self.table.is_running:
            raise NotNow("the round in progress has to end before the next one is dealt")
        if not self._wagering or player not in self._wagering:
            raise NotNow("put down a wager first; then the round is dealt")
        self.ready.add(player)
        if self._wagering <= self.ready and not self._is_looked_at:
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
        for player in tuple(self.leaving):
            self._get_up(player)
        self.countdown.stop()
        self.ready.clear()
        self.newcomers.clear()
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

    def explained(self, r: Round, step: Decide) -> list[Explanation]:
        """The choices of a decision in words, worked out once."""
        asked = step.seat, step.about, len(r.seats[step.seat].choices)
        if asked not in self._explained:
            self._explained[asked] = explain_offers(self.game, r, step)
        return self._explained[asked]

    # The clock.

    @property
    def _wagering(self) -> set[str]:
        return {self.table.seating.at[spot].name for spot in self.table.seating.down}

    @property
    def _is_looked_at(self) -> bool:
        """Whether somebody of the last round is there and has not gone on; the clock bounds it."""
        if self.countdown.purpose != "wagers" or self.countdown.paused:
            return False
        staying = self.table.seating.players.keys() - self._wagering - self.leaving - self.newcomers
        return any(seat.player in staying and not self.is_away(seat.player) for seat in self.table.seats)

    def _seated(self, guest: Guest) -> str:
        player = self.player_of(guest)
        if player is None:
            raise NotNow("you do not sit at this table; take a free spot first")
        return player

    def watch(self) -> None:
        """Start or stop the clock as is due: after a restart it waits for the first who comes back."""
        if not self.table.is_running:
            return
        is_due = self._is_shared or self._is_blocked
        if self.countdown.purpose is None and is_due:
            self.countdown.start("decisions", self.times.decisions, self._time_is_up)
        elif not is_due:
            self.countdown.stop()

    def _watch_decisions(self) -> None:
        if self._is_shared:
            self.countdown.start("decisions", self.times.decisions, self._time_is_up)

    def _watch_wagers(self) -> None:
        """The first wager at a table of several starts the clock; with the last one taken back it stops."""
        if self.table.is_running:
            return
        if not self._wagering:
            self.countdown.stop()
        elif self.countdown.purpose is None and len(self.members) > 1:
            self.countdown.start("wagers", self.times.wagers, self._no_more_bets)

    def _no_more_bets(self) -> None:
        if self._wagering and not self.table.is_running:
            self.deal()
            self.keep()
        self._tell(self)

    def _go_on(self) -> None:
        if not self.table.is_running:
            self.countdown.stop()
            self._ended_at = self.clock()
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

    @property
    def _is_blocked(self) -> bool:
        """Whether a public table waits for players of whom nobody is there."""
        return not self.new.private and all(self.is_away(seat.player) for seat in self.table.seats)

    def _time_is_up(self) -> None:
        self.answer_open_decisions()
        self.keep()
        self._tell(self)

    def answer_open_decisions(self) -> None:
        """Give every open decision the gentlest choice, and those that follow where nobody is there."""
        for step in tuple(self.table.decisions):
            if any(step.seat == each.seat and step.about == each.about for each in self.table.decisions):
                self._choose_gentlest(step)
        self._answer_for({seat.player for seat in self.table.seats if self.is_away(seat.player)})
        self._go_on()

    def _answer_for(self, players: Collection[str]) -> None:
        while open_ := [d for d in self.table.decisions if self.table.seats[d.seat].player in players]:
            self._choose_gentlest(open_[0])

    def _choose_gentlest(self, step: Decide) -> None:
        seat = self.table.seats[step.seat]
        self.table.choose(seat.player, seat.spot, gentlest(step).name, None, step.about or None)

    # Seats that come free.

    def release_seats(self) -> bool:
        """Free the seats of players who are away for too long or leave; whether anything changed."""
        away = [name for name in self.table.seating.players if self._is_away_too_long(name)]
        is_answered = self.table.is_running and self._finish_for(away)
        if self.table.is_running:
            return is_answered
        due = {*away, *(name for name in self.leaving if self._has_seen_the_end(name))}
        for name in due:
            self._get_up(name)
        return is_answered or bool(due)

    def _finish_for(self, players: Collection[str]) -> bool:
        """Answer what stands open for these players; whether anything did."""
        before = self.table.decisions
        self._answer_for(players)
        if self.table.decisions == before:
            return False
        self._go_on()
        return True

    def _is_away_too_long(self, player: str) -> bool:
        if self.new.private and len(self.members) == 1:
            return False  # nobody waits for the seat: it is kept as long as the table
        since = self.away_since.get(player)
        return since is not None and self.clock() - since >= self.times.away

    def _has_seen_the_end(self, player: str) -> bool:
        return self.is_away(player) or self.clock() - self._ended_at >= self.times.shown


def gentlest(step: Decide) -> Offer:
    """For somebody who is not there: no more money, and a hand is given up only if it must be."""
    free = [offer for offer in step.offers if not offer.most and not offer.least] or list(step.offers)
    return next((offer for offer in free if offer.name not in _GIVING_UP), free[0])
