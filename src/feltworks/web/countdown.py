"""A clock at the table: how long there is for what, and what happens when it runs out."""

import asyncio
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

Purpose = Literal["wagers", "decisions"]


class Times(Struct, frozen=True):
    """How long a table waits, in seconds."""

    wagers: float = 20.0  # from the first wager at a table of several to "No more bets"
    decisions: float = 25.0
    away: float = 180.0  # a seat is kept so long for a player who has no page open
    shown: float = 10.0  # a finished hand is shown so long to a player who leaves after it
    unused: float = 60 * 60.0  # a guest's public table stays so long without anybody
    unused_private: float = 24 * 60 * 60.0
    return_: float = 30.0  # a restart leaves everybody at least so long to come back

    def since(self, began: float | None, now: float, limit: float) -> float:
        """When an absence of at most `limit` seconds began, as a server counts it that starts now."""
        return now if began is None else max(began, now - limit + min(limit, self.return_))


class Countdown:
    """One clock, started and stopped by the table it belongs to; it may be paused where people practise."""

    def __init__(self) -> None:
        self.purpose: Purpose | None = None
        self.paused = False
        self._seconds = 0.0
        self._ends = 0.0
        self._left = 0.0
        self._act: Callable[[], object] = bool
        self._handle: asyncio.TimerHandle | None = None

    def start(self, purpose: Purpose, seconds: float, act: Callable[[], object]) -> None:
        """Begin to count down; what was counted before is forgotten."""
        self.stop()
        self.purpose, self._seconds, self._act = purpose, seconds, act
        if self.paused:
            self._left = seconds
        else:
            self._run(seconds)

    def stop(self) -> None:
        """Nothing is waited for any more."""
        if self._handle:
            self._handle.cancel()
        self._handle, self.purpose = None, None

    def pause(self) -> None:
        """Stand still, or go on with what was left."""
        self.paused = not self.paused
        if self.purpose is None:
            return
        if self.paused and self._handle:
            self._left = max(0.0, self._ends - asyncio.get_running_loop().time())
            self._handle.cancel()
            self._handle = None
        elif not self.paused:
            self._run(self._left)

    def shown(self) -> dict[str, Any] | None:
        """What the clock shows."""
        if self.purpose is None:
            return None
        left = self._left if self.paused else max(0.0, self._ends - asyncio.get_running_loop().time())
        return {"for": self.purpose, "ends_in": round(left, 1), "of": self._seconds, "paused": self.paused}

    def _run(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._ends = loop.time() + seconds
        self._handle = loop.call_later(seconds, self._over)

    def _over(self) -> None:
        self.stop()
        self._act()
