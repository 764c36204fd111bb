"""Figures at a table: actual and expected results, the proof of the deal, house edges and the coach.

Worker processes compute edges and advice, which are exact and take long.
"""

import asyncio
import datetime
import logging
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial
from math import sqrt
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import Question
from feltworks.analysis.strategy.advice import advice
from feltworks.dealing.seed import composition_text, verify
from feltworks.dealing.shoes import Commitment
from feltworks.errors import FeltError, NotNow
from feltworks.machine.walk import WalkTooLong
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide
from feltworks.table.events import Event, RoundClosed, RoundVoided
from feltworks.table.log import decode_line
from feltworks.table.replay import cards_by_position
from feltworks.web.tables.messages import Advice, ChoiceWorth, ResultsView
from feltworks.web.tables.order import NewTable, check_order, game_of
from feltworks.web.workers import Channel, Closing, Job, WorkerFault, Workers

if TYPE_CHECKING:
    from feltworks.table.table import Table
    from feltworks.web.tables.room import Guest, Room

COACH_SECONDS: Final = 1.8  # with the transport, an answer takes less than two
COACHES: Final = 2  # worker processes
STAYS_SECONDS: Final = 3600.0
LATE_SECONDS: Final = 60.0  # of work that goes on after its question was answered without it
LEAST_URGENT: Final = 19
MOST_KNOWN: Final = 128  # terms whose edges are cached
FAULT: Final = "No advice: internal server error."
TOO_LONG: Final = "No advice: this decision takes more than two seconds to work out."
LATE: Final = "No advice yet: this takes more than two seconds to work out. The work goes on for your next decision."
_LOG: Final = logging.getLogger(__name__)
MOST_HISTORY: Final = 400  # rounds
Edges = Mapping[str, tuple[float, float]]  # house edge and standard deviation by wager


# After a round.


class PlayerResults(Struct):
    """A player's results since sitting down; amounts are kept by wager to compute the expected result."""

    rounds: int = 0
    net: Cents = 0
    opened: dict[str, list[Cents]] = {}  # by wager: count, sum, and sum of the squares
    history: list[Cents] = []

    def count(self, table: "Table", player: str) -> None:
        """Count the round that has just ended."""
        own = {number for number, seat in enumerate(table.seats) if seat.player == player}
        lines = [line for line in table.lines if line.seat in own and not line.toke]
        if not lines:
            return
        self.rounds += 1
        self.net += sum(line.net for line in lines)
        self.history.append(self.net)
        del self.history[:-MOST_HISTORY]
        for number in own:
            for wager, cents in table.seats[number].wagers.items():
                row = self.opened.setdefault(wager, [0, 0, 0])
                row[0], row[1], row[2] = row[0] + 1, row[1] + cents, row[2] + cents * cents

    def view(self, edges: Edges) -> ResultsView:
        """The results, with expectation and spread if the edges of all wagers are known."""
        view = ResultsView(self.rounds, self.net, self.history)
        if not self.rounds or not self.opened.keys() <= edges.keys():
            return view
        expected = -sum(row[1] * edges[name][0] for name, row in self.opened.items())
        variance = sum(row[2] * edges[name][1] ** 2 for name, row in self.opened.items())
        return msgspec.structs.replace(view, expected=round(expected), deviation=round(sqrt(variance)))


class UsedShoe(Struct, frozen=True):
    """A shoe from which no more cards are dealt."""

    commitment: Commitment
    seed: str


class DealtCard(Struct, frozen=True):
    """A visible card of the last round, and its position in the shoe, counted from 0."""

    position: int
    card: str


class DealProof(Struct, frozen=True):
    """All that anybody needs to check the last round, and the commitment to the next one.

    `verified` is the server's own check that seed and cards match the commitment; do not rely on it.
    """

    round: int
    commitment: Commitment
    composition: str  # each face of the shoe with its count, as in the commitment
    seed: str | None
    verified: bool | None
    dealt: list[DealtCard]
    next: Commitment | None


class FairDeal:
    """Collects what visitors need to check that the last round was dealt fairly."""

    def __init__(self) -> None:
        self.seed: str | None = None
        self._abandoned: Commitment | None = None

    def begin(self) -> None:
        """Start a round: its seed is secret until the shoe is used up."""
        self.seed = None

    def add(self, event: Event) -> None:
        """Take the seed from the event that reveals it."""
        if isinstance(event, RoundClosed | RoundVoided) and event.reveal is not None:
            self.seed = event.reveal.seed

    def abandon(self, shoe: UsedShoe) -> None:
        """Reveal the shoe in use before a restart, since the next round is dealt from a new one."""
        self.seed, self._abandoned = shoe.seed, shoe.commitment

    def commitment(self, table: "Table") -> Commitment | None:
        """The commitment that the house made before the last round."""
        return table.commitment or self._abandoned

    def proof(self, table: "Table") -> DealProof:
        """The proof: the commitment, the seed if it is revealed, and whether they match."""
        commitment = self.commitment(table)
        if commitment is None:
            raise FeltError("no round has been dealt at this table yet")
        dealt = [] if self.seed is None or table.commitment is None else _dealt_cards(table)
        verified = None if self.seed is None else _matches(commitment, self.seed, table, dealt)
        composition, sealed = composition_text(table.game.terms.shoe), table.next_commitment
        return DealProof(table.rounds, commitment, composition, self.seed, verified, dealt, sealed)


def _dealt_cards(table: "Table") -> list[DealtCard]:
    """The visible cards of the last round, by their position in the shoe."""
    assert table.commitment is not None
    assert table.round is not None
    events = [decode_line(line).event for line in table.log.lines]
    visible = cards_by_position(table.commitment, events, table.round)
    return [DealtCard(card.position, card.face.code) for card in visible]


def _matches(commitment: Commitment, seed: str, table: "Table", dealt: list[DealtCard]) -> bool:
    try:
        order = verify(commitment, seed, table.game.terms.shoe)
    except FeltError:
        return False
    return all([face.code for face in order[card.position :][:1]] == [card.card] for card in dealt)


# The coach.


class Coach:
    """Computes what the choices of a decision are worth, for all tables.

    The first decision of a game takes longest, as it fills the caches of a process: one job that is late goes on, so
    that later decisions are answered at once. Any other late job is killed.
    """

    def __init__(self, seconds: float = COACH_SECONDS) -> None:
        self.seconds = seconds
        self._workers = Workers(COACHES, niceness=0, modules=(__name__,), idle_seconds=STAYS_SECONDS)
        self._warming: asyncio.Task[None] | None = None
        self._late: asyncio.Task[Advice] | None = None

    async def answer(self, job: Job[Advice]) -> Advice:
        """Run a job and return its advice, or a hint why there is none."""
        work = asyncio.create_task(self._advise(job))
        try:
            await asyncio.wait({work}, timeout=self.seconds)
            return work.result() if work.done() else self._postpone(work)
        finally:
            if work is not self._late:  # also when the page was left
                work.cancel()

    async def _advise(self, job: Job[Advice]) -> Advice:
        try:
            await asyncio.shield(self.prepare())  # all questions wait for the same start
            return await self._workers.do(job)
        except WorkerFault:
            _LOG.exception("the coach could not answer")
            return _no_advice(FAULT)
        except FeltError as error:
            sentence = str(error)
            return _no_advice(f"{sentence[:1].upper()}{sentence[1:]}.")
        except asyncio.CancelledError:
            self.prepare()  # replaces the process that was just killed
            raise

    def _postpone(self, work: "asyncio.Task[Advice]") -> Advice:
        if self._late and not self._late.done():
            return _no_advice(TOO_LONG)
        self._late = work
        asyncio.get_running_loop().call_later(LATE_SECONDS, work.cancel)
        return _no_advice(LATE)

    def prepare(self) -> "asyncio.Task[None]":
        """Start a process if there is none, so that the next question does not wait for it."""
        if self._warming is None or self._warming.done():
            self._warming = asyncio.create_task(self._workers.warm_up())
        return self._warming

    async def close(self) -> None:
        """Stop the worker processes."""
        if self._warming:
            self._warming.cancel()
        await self._workers.close()


def coach_question(room: "Room", guest: "Guest", spot: int) -> Job[Advice]:
    """The job that computes advice on the open decision of a spot."""
    player = room.player_of(guest)
    view = room.table.view(player) if player else None
    steps = view.decisions if view else ()
    step = next((s for s in steps if room.table.seats[s.seat].spot == spot), None)
    if view is None or view.round is None or step is None:
        raise NotNow("that spot has no open decision")
    return partial(weigh, msgspec.json.encode(room.new), view.round, step)


def weigh(order: bytes, r: Round, step: Decide, _: Channel) -> Advice:
    """Compute the best choice and the worth of each choice from what the seat sees."""
    try:
        weighed = advice(_game(order), r, step)
    except WalkTooLong:
        return _no_advice(TOO_LONG)
    ranking = sorted(weighed.worth.items(), key=lambda item: -item[1])
    return Advice(weighed.best, [ChoiceWorth(name, float(worth), _fraction(worth)) for name, worth in ranking])


def _fraction(worth: Fraction | float) -> str | None:
    return f"{worth.numerator}/{worth.denominator}" if isinstance(worth, Fraction) else None


@lru_cache(maxsize=64)
def _game(order: bytes) -> Game:
    """The game of a table; all questions share one object, as it holds caches."""
    return game_of(check_order(msgspec.json.decode(order, type=NewTable), datetime.date.today()))


def _no_advice(hint: str) -> Advice:
    return Advice(None, [], hint)


# House edges.


class EdgeFinder:
    """Computes house edges, once for all tables with the same terms."""

    def __init__(self) -> None:
        self._tasks: dict[bytes, asyncio.Task[Edges]] = {}  # running and finished ones, the oldest first
        self._workers = Workers(1, niceness=LEAST_URGENT, modules=(__name__,))

    async def find(self, room: "Room") -> None:
        """Set the edge and deviation of every wager of the room, each computed alone and with best play."""
        terms = room.game.terms
        key = msgspec.json.encode([terms.rulebook.name, terms.options, terms.pay_tables, sorted(terms.offers)])
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._compute(room.new))
            if len(self._tasks) > MOST_KNOWN:
                del self._tasks[next(iter(self._tasks))]
        room.set_edges(await asyncio.shield(self._tasks[key]))  # other tables may wait for the same task

    async def _compute(self, new: NewTable) -> Edges:
        try:
            return await self._workers.do(partial(edges_of, new))
        except Closing:
            return {}
        except (FeltError, WorkerFault):  # a table works without these figures
            _LOG.warning("the edges of a table of %s are not known", new.game, exc_info=True)
            return {}

    async def close(self) -> None:
        """Stop the worker process."""
        await self._workers.close()


def edges_of(new: NewTable, _: Channel) -> Edges:
    """The house edge and standard deviation of every wager with an exact figure."""
    game = game_of(check_order(new, datetime.date.today()))
    edges: dict[str, tuple[float, float]] = {}
    for wager in game.terms.offers:
        with suppress(FeltError):  # a wager without an exact figure is left out
            figures = analyze(Question(game, wager)).figures
            edges[wager] = (float(figures.house_edge), figures.standard_deviation)
    return edges
