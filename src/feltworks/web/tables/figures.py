"""Exact figures at a table, computed by worker processes: the coach's advice and the wagers' house edges."""

import asyncio
import datetime
import logging
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Final

import msgspec

from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import Question
from feltworks.analysis.strategy.advice import advice
from feltworks.errors import FeltError, NotNow
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide
from feltworks.web.tables.messages import Advice, ChoiceWorth
from feltworks.web.tables.order import NewTable, check_order, game_of
from feltworks.web.tables.results import Edges
from feltworks.web.tables.room import Guest, Room
from feltworks.web.workers import Channel, Job, WorkerFault, Workers

COACH_SECONDS: Final = 1.8  # with the transport the answer comes within two
COACHES: Final = 2  # worker processes
STAYS_SECONDS: Final = 3600.0
LEAST_URGENT: Final = 19
MOST_KNOWN: Final = 128  # kinds of table whose edges are cached
FAULT: Final = "No advice: internal server error."
TOO_LONG: Final = "No advice: this decision takes more than two seconds to work out."
_LOG: Final = logging.getLogger(__name__)


class Coach:
    """Answers what the choices of a decision are worth, for all tables."""

    def __init__(self, seconds: float = COACH_SECONDS) -> None:
        self.seconds = seconds
        self._workers = Workers(COACHES, niceness=0, modules=(__name__,), idle_seconds=STAYS_SECONDS)
        self._warming: asyncio.Task[None] | None = None

    async def answer(self, job: Job) -> Advice:
        """The advice of a job, or a hint why there is none."""
        try:
            async with asyncio.timeout(self.seconds):
                await asyncio.shield(self._warm())  # a slow start is shared by all questions
                answer: Advice = await self._workers.do(job)
                return answer
        except TimeoutError:
            self._warm()  # in place of the process that was just killed
            return _no_advice(TOO_LONG)
        except WorkerFault:
            _LOG.exception("the coach could not answer")
            return _no_advice(FAULT)
        except FeltError as error:
            sentence = str(error)
            return _no_advice(f"{sentence[:1].upper()}{sentence[1:]}.")

    async def prepare(self) -> None:
        """Begin to start a process, so that the first question does not wait for it."""
        self._warm()

    async def warm_up(self) -> None:
        """Wait until a process runs."""
        await self._warm()

    def _warm(self) -> "asyncio.Task[None]":
        if self._warming is None or self._warming.done():
            self._warming = asyncio.create_task(self._workers.warm_up())
        return self._warming

    async def close(self) -> None:
        """Stop the worker processes."""
        if self._warming:
            self._warming.cancel()
        await self._workers.close()


def coach_question(room: Room, guest: Guest, spot: int) -> Job:
    """The job that weighs the open decision of a spot."""
    player = room.player_of(guest)
    view = room.table.view(player) if player else None
    steps = view.decisions if view else ()
    step = next((s for s in steps if room.table.seats[s.seat].spot == spot), None)
    if view is None or view.round is None or step is None:
        raise NotNow("that spot has no open decision")
    return partial(weigh, msgspec.json.encode(room.new), view.round, step)


def weigh(order: bytes, r: Round, step: Decide, _: Channel) -> Advice:
    """The best choice and the worth of each, from what the seat sees."""
    weighed = advice(_game(order), r, step)
    ranking = sorted(weighed.worth.items(), key=lambda item: -item[1])
    return Advice(
        weighed.best, [ChoiceWorth(name, float(worth), _fraction(worth)) for name, worth in ranking]
    )


def _fraction(worth: Fraction | float) -> str | None:
    return f"{worth.numerator}/{worth.denominator}" if isinstance(worth, Fraction) else None


@lru_cache(maxsize=64)
def _game(order: bytes) -> Game[Any]:
    """The game of a table; one object for all questions, since it carries caches."""
    return game_of(check_order(msgspec.json.decode(order, type=NewTable), datetime.date.today()))


def _no_advice(hint: str) -> Advice:
    return Advice(None, [], hint)


class EdgeFinder:
    """Computes the house edges of tables, once for all tables on the same terms."""

    def __init__(self) -> None:
        self._tasks: dict[bytes, asyncio.Task[Edges]] = {}  # running and done, the oldest first
        self._workers = Workers(1, niceness=LEAST_URGENT, modules=(__name__,))

    async def find(self, room: Room) -> None:
        """Find house edge and deviation of every wager of the room, each alone and best played."""
        terms = room.game.terms
        key = msgspec.json.encode(
            [terms.rulebook.name, terms.options, terms.pay_tables, sorted(terms.offers)]
        )
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._compute(room.new))
            if len(self._tasks) > MOST_KNOWN:
                del self._tasks[next(iter(self._tasks))]
        room.set_edges(await asyncio.shield(self._tasks[key]))  # other tables may wait for the same answer

    async def _compute(self, new: NewTable) -> Edges:
        try:
            edges: Edges = await self._workers.do(partial(edges_of, new))
            return edges
        except (FeltError, WorkerFault):  # the server stops, or the figures fail: a table needs none
            _LOG.warning("the edges of a table of %s are not known", new.game, exc_info=True)
            return {}

    async def close(self) -> None:
        """Stop the worker process."""
        await self._workers.close()


def edges_of(new: NewTable, _: Channel) -> Edges:
    """House edge and standard deviation of every wager with an exact figure."""
    game = game_of(check_order(new, datetime.date.today()))
    edges: dict[str, tuple[float, float]] = {}
    for wager in game.terms.offers:
        with suppress(FeltError):  # a wager without an exact figure is left out
            figures = analyze(Question(game, wager)).figures
            edges[wager] = (float(figures.house_edge), figures.standard_deviation)
    return edges
