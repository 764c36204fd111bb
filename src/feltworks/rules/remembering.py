"""Small memories for a game: a round asks for the same thing seat after seat and step after step.

Large ones do not pay there: what thousands of rounds have left in them lies far from the processor.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")


class LastAsked(Generic[Q, A]):
    """Works out an answer anew unless it is asked for the very same object as the last time."""

    __slots__ = ("__wrapped__", "_last")

    def __init__(self, reckon: Callable[[Q], A]) -> None:
        self.__wrapped__ = reckon  # where the standard library's memories keep theirs
        self._last: tuple[Q, A] | None = None

    def __call__(self, asked: Q) -> A:
        last = self._last  # once, as another thread may ask as well
        if last is None or last[0] is not asked:
            last = self._last = asked, self.__wrapped__(asked)
        return last[1]


class LatelyAsked(Generic[Q, A]):
    """Knows the answers to the objects asked for lately, each by its identity; they have to be immutable."""

    __slots__ = ("__wrapped__", "_known", "_most")

    def __init__(self, reckon: Callable[[Q], A], most: int) -> None:
        self.__wrapped__ = reckon
        self._most = most
        self._known: dict[int, tuple[Q, A]] = {}  # the object is kept, so that no other takes its identity

    def __call__(self, asked: Q) -> A:
        if known := self._known.get(id(asked)):
            return known[1]
        answer = self.__wrapped__(asked)
        self.keep(asked, answer)
        return answer

    def __contains__(self, asked: Q) -> bool:
        return id(asked) in self._known

    def keep(self, asked: Q, answer: A) -> None:
        """Remember an answer that was found another way."""
        if len(self._known) >= self._most:
            self._known.clear()
        self._known[id(asked)] = asked, answer
