"""What was asked last, remembered: a round asks for the same thing seat after seat, step after step."""

from collections.abc import Callable
from typing import Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")


class LastAsked(Generic[Q, A]):
    """Works out an answer anew unless it is asked for the very same object as the last time.

    Dearer memories do not pay here: what thousands of rounds have left in them lies far from the processor.
    """

    __slots__ = ("__wrapped__", "_last")

    def __init__(self, reckon: Callable[[Q], A]) -> None:
        self.__wrapped__ = reckon  # where the standard library's memories keep theirs
        self._last: tuple[Q, A] | None = None

    def __call__(self, asked: Q) -> A:
        last = self._last  # once, as another thread may ask as well
        if last is None or last[0] is not asked:
            last = self._last = asked, self.__wrapped__(asked)
        return last[1]
