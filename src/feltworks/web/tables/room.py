"""An open table: who sits and watches, when it is dealt and when it is saved."""

import datetime
import time
from collections.abc import Callable
from functools import cached_property
from itertools import chain, count
from pathlib import Path
from typing import Final

from msgspec import Struct

from feltworks.dealing.shoes import CardSource, Commitment, source_for
from feltworks.errors import NotNow
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide, Say
from feltworks.rules.terms import Terms
from feltworks.table.events import Event, RoundOpened
from feltworks.table.limits import PostedLimits, WagerLimit
from feltworks.table.live import Dealer
from feltworks.table.log import Log, decode_line
from feltworks.table.seating import House
from feltworks.table.table import Table
from feltworks.table.wording import Explanation, explain_offers
from feltworks.web.data_folder import LOG, sentence_of
from feltworks.web.tables.clock import Countdown, Times, Turns
from feltworks.web.tables.figures import Edges, FairDeal, PlayerResults
from feltworks.web.tables.order import NewTable, check_order, game_of, limits_of
from feltworks.web.tables.storage import TableStore, reload_round, restore_table
from feltworks.web.tables.table_view import Gestures, RoundSight

Sources = Callable[[Terms], CardSource]  # makes the shoe of a table with these terms


class Guest(Struct, frozen=True):
    """A visitor: one browser session, with any number of tabs."""

    session: str
    name: str


class Room:
    """One table with its players and its clock. No method blocks or awaits anything."""

    def __init__(
        self,
        id_: str,
        new: NewTable,
        *,
        store: TableStore | None = None,
        notify: Callable[["Room"], object] = bool,
        source: Sources = source_for,
        times: Times = Times(),  # noqa: B008 (it is never written to)
        clock: Callable[[], float] = time.time,
        is_standing: bool = False,
    ) -> None:
        self.id: Final = id_
        self.new: Final = new
        check = check_order(new, datetime.date.today())
        self.game: Final[Game] = game_of(check)
        self.limits: Final = limits_of(check)
        self.name: Final = new.name or self.game.terms.rulebook.title
        self.times: Final = times
        self.clock: Final = clock
        self.is_standing: Final = is_standing  # the house's own table, open without visitors
        self.countdown: Final = Countdown()
        self.turns: Final = Turns(self)
        self.ready: set[str] = set()
        self.results: dict[str, PlayerResults] = {}
        self.members: dict[str, str] = {}  # by session: the player's name at this table
        self.present: dict[str, int] = {}  # how many tabs each player has open
        self.newcomers: set[str] = set()  # players who sat down after the last deal
        self.leaving: set[str] = set()  # players who will get up after this hand
        self.away_since: dict[str, float] = {}  # players without an open tab
        self.unused_since: float | None = clock()  # when the last tab closed; None while one is open
        self.by_clock: set[int] = set()  # spots whose last choice was made when the time was up
        self.ended_at = 0.0  # when the last round ended
        self.rounds_dealt = 0  # since the server started
        self.says: str | None = None
        self.trouble = ""  # what was lost in a restoration
        self.fair_deal: Final = FairDeal()
        self.fresh: list[Event] = []  # events not sent to clients yet
        self.gestures: Final = Gestures()
        self.sights: dict[str | None, RoundSight] = {}  # the round as each viewer sees it
        self.edges: Edges = {}
        self._notify = notify
        self.source: Final = source
        self._choices: dict[tuple[int, str, int], list[Explanation]] = {}  # in the running round
        self._store = store  # also None while a new table is made
        self.table = self._open()

    def _open(self) -> Table:
        """Make an empty table, or restore the saved one."""
        if self._store and (saved := self._store.load()):
            return restore_table(self, self._store, saved)
        return self.set_up(House.for_game(self.game, self.new.jackpot), Log(self.record))

    def set_up(self, house: House, log: Log) -> Table:
        """Make an empty table."""
        dealer = Dealer(self.source(self.game.terms), vault=self._save_seed)
        return Table(self.game, dealer, limits=self.posted_limits, house=house, log=log)

    def save_in(self, store: TableStore) -> None:
        """Save a new table in this store, now and after every change."""
        self._store = store
        self._store.save(self)

    def _save_seed(self, commitment: Commitment, secret: str) -> None:
        if self._store:
            self._store.save_seed(commitment, secret)

    def close(self) -> None:
        """Stop the clock and close the files; the table can be restored."""
        self.countdown.stop()
        if self._store:
            self._store.close()

    def take_unsynced(self) -> list[Path]:
        """Return the table's files written since the last call, which still have to be synced."""
        return self._store.take_unsynced() if self._store else []

    @property
    def is_stalled(self) -> bool:
        """Whether a round stopped in the middle because its log could not be written."""
        return self.table.is_running and not self.table.decisions

    def recover(self) -> None:
        """Continue a stalled round from its log; raises if the log still cannot be written."""
        if self._store is None:
            self.table.void("the round could not be recorded")
        else:
            self.table = reload_round(self, self._store)
        self.sights.clear()
        self.go_on()
        self.save()

    def save(self) -> None:
        """Save the seats and stacks; during a round the log is enough."""
        if not self._store or self.table.is_running:
            return
        try:
            self._store.save(self)
        except OSError as error:  # the action still counts; the next one saves everything
            LOG.warning("table %s: its seats cannot be written now: %s", self.id, sentence_of(error))

    def notify(self) -> None:
        """Send all clients the new state."""
        self._notify(self)

    @cached_property
    def posted_limits(self) -> PostedLimits:
        fixed = {n for n, entry in self.game.terms.rulebook.wager.items() if entry.fixed}
        signs = {n: WagerLimit(least, most) for n, (least, most) in self.limits.items() if n not in fixed}
        return PostedLimits(self.game.terms, signs)

    def record(self, line: bytes) -> None:
        """Save an event that the table logs, and remember it for the clients."""
        if self._store:
            self._store.write(line)
        event = decode_line(line).event
        self.sights.clear()
        if isinstance(event, RoundOpened):
            self.fresh.clear()  # the seat numbers may now mean other players
        self.fresh.append(event)
        self.take_in(event)

    def take_in(self, event: Event) -> None:
        """Remember what stays visible until the next round."""
        self.gestures.add(event)
        self.fair_deal.add(event)
        if isinstance(event, Say):
            self.says = event.words

    def player_of(self, guest: Guest) -> str | None:
        """The name of a guest who sits here."""
        return self.members.get(guest.session)

    def is_away(self, player: str) -> bool:
        """Whether a seated player has no open tab."""
        return not self.present.get(player)

    def count_tabs(self, player: str, tabs: int) -> None:
        """Set the number of a player's open tabs; an absence begins when the last one closes."""
        self.present[player] = tabs
        if tabs:
            self.away_since.pop(player, None)
        else:
            self.away_since.setdefault(player, self.clock())
        self.turns.watch()

    @property
    def is_clear(self) -> bool:
        """Whether no round is running and no player of the last one still sits."""
        staying = self.table.seating.players.keys() - self.newcomers
        return not self.table.is_running and staying.isdisjoint(seat.player for seat in self.table.seats)

    # Actions of players. Each is carried out completely, or refused and changes nothing.

    def sit(self, guest: Guest, spot: int, stack: Cents) -> None:
        """Take a spot; a second guest with the same name gets a number."""
        if guest.session in self.members:
            raise NotNow("you already sit at this table; leave first to take another spot")
        name = self._free_name(guest.name)
        self.table.sit(name, spot, stack=stack)
        self.members[guest.session] = name
        self.results[name] = PlayerResults()
        self.newcomers.add(name)
        self.away_since[name] = self.clock()  # until this tab is counted
        self.sights.clear()

    def _free_name(self, wanted: str) -> str:
        """The name, with the first free number from 2 on if it is taken."""
        names = chain([wanted], (f"{wanted} {number}" for number in count(2)))
        return next(name for name in names if name not in self.table.seating.players)

    def leave(self, guest: Guest, *, after_hand: bool = False) -> None:
        """Get up now, or once the running round is over and its result was shown."""
        player = self._require_seat(guest)
        if after_hand and self.table.is_running:
            self.leaving.add(player)
        else:
            self.get_up(player)

    def stay(self, guest: Guest) -> None:
        """Keep the seat after this hand after all."""
        self.leaving.discard(self._require_seat(guest))

    def get_up(self, player: str) -> None:
        """Free the seat of a player."""
        self.table.leave(player)
        self.members = {session: name for session, name in self.members.items() if name != player}
        for names in (self.ready, self.newcomers, self.leaving):
            names.discard(player)
        for notes in (self.results, self.present, self.away_since):
            notes.pop(player, None)
        self.sights.clear()
        self.turns.watch_wagers()

    def buy(self, guest: Guest, cents: Cents) -> None:
        self.table.buy_in(self._require_seat(guest), cents)

    def wager(self, guest: Guest, spot: int, wagers: dict[str, Cents], tokes: dict[str, Cents], cut: str = "") -> None:
        """Put down all wagers of a spot; amounts of 0 are left out. A cut enters the next shuffle."""
        player = self._require_seat(guest)
        amounts = {name: cents for name, cents in wagers.items() if cents}
        if amounts:
            self.table.wager(player, spot, amounts, {name: cents for name, cents in tokes.items() if cents})
        else:
            self.table.withdraw(player, spot)
        if cut:
            self.table.cut(player, cut)
        self.ready.discard(player)
        self.leaving.discard(player)
        self.turns.watch_wagers()

    def withdraw(self, guest: Guest, spot: int) -> None:
        self.table.withdraw(self._require_seat(guest), spot)
        self.turns.watch_wagers()

    def say_ready(self, guest: Guest) -> None:
        """Agree to deal; deals once all players with wagers agree and nobody is still watching the last result."""
        player = self._require_seat(guest)
        if self.table.is_running:
            raise NotNow("the round in progress has to end before the next one is dealt")
        bettors = self.turns.bettors
        if player not in bettors:
            raise NotNow("put down a wager first; then the round is dealt")
        self.ready.add(player)
        if bettors <= self.ready and not self.turns.is_result_watched:
            self.deal()

    def choose(self, guest: Guest, spot: int, round_: int, name: str, cents: Cents | None, about: str) -> None:
        """Answer a decision; one of an earlier round is refused."""
        player = self._require_seat(guest)
        if not self.table.is_running or round_ != self.table.rounds:
            raise NotNow("that round is over; choices are made in the round in progress")
        self.table.choose(player, spot, name, cents, about or None)
        self.by_clock.discard(spot)
        self.go_on()

    def deal(self) -> None:
        """Close the wagering and deal."""
        for player in tuple(self.leaving):
            self.get_up(player)
        self.countdown.stop()
        self.ready.clear()
        self.newcomers.clear()
        self.by_clock.clear()
        self.fair_deal.begin()
        self._choices.clear()
        for player in self.turns.bettors:
            self.results.setdefault(player, PlayerResults())
        self.rounds_dealt += 1
        self.table.deal()
        self.go_on()

    def pause(self) -> None:
        """Pause the countdown, or let it go on."""
        if not self.new.practice:
            raise NotNow("the countdown can be paused at practice tables only")
        self.countdown.pause()

    def set_edges(self, edges: Edges) -> None:
        """Set the house edges of this table's wagers."""
        self.edges = edges
        self.sights.clear()

    def explain(self, r: Round, step: Decide) -> list[Explanation]:
        """The choices of a decision in words, cached during the round."""
        key = step.seat, step.about, len(r.seats[step.seat].choices)
        if key not in self._choices:
            self._choices[key] = explain_offers(self.game, r, step)
        return self._choices[key]

    def _require_seat(self, guest: Guest) -> str:
        player = self.player_of(guest)
        if player is None:
            raise NotNow("you do not sit at this table; take a free spot first")
        return player

    def go_on(self) -> None:
        """Restart the clock after a choice, or count the round if it has ended."""
        if self.table.is_running:
            self.turns.watch_decisions()
            return
        self.countdown.stop()
        self.ended_at = self.clock()
        for player, results in self.results.items():
            results.count(self.table, player)
        self.table.house.accrue()
