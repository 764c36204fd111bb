"""The coach beside a seat: what each choice is worth, worked out by another process while play goes on."""

import asyncio
import datetime
import logging
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Final

import msgspec

from feltworks.analysis.strategy.advice import advice
from feltworks.errors import FeltError, NotNow
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide
from feltworks.web.order import NewTable, checked, game_of
from feltworks.web.room import Guest, Room
from feltworks.web.worker import Channel, Job
from feltworks.web.workers import WorkerFault, Workers

SECONDS: Final = 1.8  # with the way there and back the answer is given within two
AT_ONCE: Final = 2
STAYS_SECONDS: Final = 3600.0
FAULT: Final = "The coach cannot say: a fault of the server's own."
TOO_LONG: Final = "The coach cannot say: this decision takes more than two seconds to work out."
_log = logging.getLogger(__name__)


class Coach:
    """Weighs choices for all tables; says so where it cannot."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._workers = Workers(AT_ONCE, niceness=0, modules=(__name__,), idle_seconds=STAYS_SECONDS)
        self._warming: asyncio.Task[None] | None = None

    async def answer(self, job: Job) -> dict[str, Any]:
        """What a job comes to, or a hint why the coach cannot say."""
        try:
            async with asyncio.timeout(self.seconds):
                await asyncio.shield(self._warm())  # a slow start is not begun anew by every question
                found: dict[str, Any] = await self._workers.do(job)
                return found
        except TimeoutError:
            self._warm()  # in place of the one just ended
            return _silence(TOO_LONG)
        except WorkerFault:
            _log.exception("the coach could not answer")
            return _silence(FAULT)
        except FeltError as trouble:
            sentence = str(trouble)
            return _silence(f"{sentence[:1].upper()}{sentence[1:]}.")

    async def prepare(self) -> None:
        """Begin to start a process, so that it is there before the first question."""
        self._warm()

    async def warm_up(self) -> None:
        """Wait until a process is there."""
        await self._warm()

    def _warm(self) -> "asyncio.Task[None]":
        if self._warming is None or self._warming.done():
            self._warming = asyncio.create_task(self._workers.warm_up())
        return self._warming

    async def close(self) -> None:
        """Stop the processes."""
        if self._warming:
            self._warming.cancel()
        await self._workers.close()


def question(room: Room, guest: Guest, spot: int) -> Job:
    """What the coach is asked about the open decision of a spot."""
    player = room.player_of(guest)
    view = room.table.view(player) if player else None
    steps = view.decisions if view else ()
    step = next((s for s in steps if room.table.seats[s.seat].spot == spot), None)
    if view is None or view.round is None or step is None:
        raise NotNow("there is nothing to decide on that spot now")
    return partial(weigh, msgspec.json.encode(room.new), view.round, step)


def weigh(order: bytes, r: Round, step: Decide, _: Channel) -> dict[str, Any]:
    """The best choice and the worth of each, as a seat sees them."""
    found = advice(_game(order), r, step)
    values = [
        {
            "name": name,
            "value": float(worth),
            "exact": f"{worth.numerator}/{worth.denominator}" if isinstance(worth, Fraction) else None,
        }
        for name, worth in sorted(found.worth.items(), key=lambda item: -item[1])
    ]
    return {"best": found.best, "values": values}


@lru_cache(maxsize=64)
def _game(order: bytes) -> Game[Any]:
    """The game of a table; the same one for every question, since what is worked out is kept with it."""
    return game_of(checked(msgspec.json.decode(order, type=NewTable), datetime.date.today()))


def _silence(hint: str) -> dict[str, Any]:
    return {"best": None, "values": [], "hint": hint}
