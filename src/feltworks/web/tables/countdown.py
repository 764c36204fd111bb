"""The clock of a table: how long it waits for what, and what happens when the time is up."""

import asyncio
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from feltworks.web.tables.messages import CountdownView

Purpose = Literal["wagers", "decisions"]


class Times(Struct, frozen=True):
    """How long a table waits, in seconds."""

    wagers: float = 20.0  # from the first wager at a table of several to "No more bets"
    decisions: float = 25.0
    away: float = 180.0  # how long a seat is kept for a player without an open page
    shown: float = 10.0  # how long a player who leaves after the hand sees its result
    unused: float = 60 * 60.0  # how long a guest's public table stays open without visitors
    unused_private: float = 24 * 60 * 60.0
    return_: float = 30.0  # after a restart everybody has at least this long to come back

    def since(self, began: float | None, now: float, limit: float) -> float:
        """When an absence of at most `limit` seconds began, counted by a server that starts now."""
        return now if began is None else max(began, now - limit + min(limit, self.return_))


class Countdown:
    """One clock, started and stopped by its table; a practice table may pause it."""

    def __init__(self) -> None:
        self.purpose: Purpose | None = None
        self.paused = False
        self._seconds = 0.0
        self._ends = 0.0
        self._left = 0.0
        self._act: Callable[[], object] = bool
        self._handle: asyncio.TimerHandle | None = None

    def start(self, purpose: Purpose, seconds: float, act: Callable[[], object]) -> None:
        """Count down anew and call `act` at the end."""
        self.stop()
        self.purpose, self._seconds, self._act = purpose, seconds, act
        if self.paused:
            self._left = seconds
        else:
            self._run(seconds)

    def stop(self) -> None:
        """Stop without calling anything."""
        if self._handle:
            self._handle.cancel()
        self._handle, self.purpose = None, None

    def pause(self) -> None:
        """Pause, or go on with the seconds left."""
        self.paused = not self.paused
        if self.purpose is None:
            return
        if self.paused and self._handle:
            self._left = self._seconds_left()
            self._handle.cancel()
            self._handle = None
        elif not self.paused:
            self._run(self._left)

    def view(self) -> CountdownView | None:
        """What the clock shows."""
        if self.purpose is None:
            return None
        left = self._left if self.paused else self._seconds_left()
        return CountdownView(self.purpose, round(left, 1), self._seconds, self.paused)

    def _seconds_left(self) -> float:
        return max(0.0, self._ends - asyncio.get_running_loop().time())

    def _run(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._ends = loop.time() + seconds
        self._handle = loop.call_later(seconds, self._time_is_up)

    def _time_is_up(self) -> None:
        self.stop()
        self._act()
