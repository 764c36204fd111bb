"""A clock at the table: how long there is for wagers or decisions, and what happens when it runs out."""

import asyncio
from collections.abc import Callable
from typing import Any, Literal

Purpose = Literal["wagers", "decisions"]


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
