"""Paths walked by a crew and added up piece by piece; Ctrl-C gives what has been walked so far."""

import time
from collections.abc import Callable
from contextlib import closing
from typing import Generic, Protocol, Self, TypeVar

from msgspec import Struct

from feltworks.simulation.crews import Crew
from feltworks.simulation.relay import Relay

ToldWalk = Callable[[int, int], None]  # pieces done, of how many


class Adds(Protocol):
    """What can be added up."""

    def __add__(self, other: Self, /) -> Self: ...


W = TypeVar("W", bound=Adds)


class Walked(Struct, Generic[W], frozen=True):
    """What a crew came to; None where it was stopped before anything was done."""

    walks: W | None
    seconds: float
    compile_seconds: float
    interrupted: bool = False


def walk(
    crew: Crew,
    work: Callable[[int], W],
    pieces: range,
    told: ToldWalk | None,
    warm: Callable[[], object],
) -> Walked[W]:
    """All pieces, added up in their order, after what has to be compiled is compiled."""
    compiling = _seconds(warm)
    begun, done, interrupted = time.perf_counter(), 0, False
    total: W | None = None
    try:
        with closing(iter(Relay(crew, work, pieces))) as looks:
            for answers in looks:
                for answer in answers:
                    total = answer if total is None else total + answer
                done += len(answers)
                if told is not None:
                    told(done, len(pieces))
    except KeyboardInterrupt:
        interrupted = True
    return Walked(total, time.perf_counter() - begun, compiling, interrupted)


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
