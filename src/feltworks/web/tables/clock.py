"""A table's clock: how long it waits for players, and what the table does when the time is up."""

import asyncio
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from feltworks.rules.steps import Decide, Offer, trade_choice
from feltworks.web.tables.messages import CountdownView

if TYPE_CHECKING:
    from feltworks.web.tables.room import Room

Purpose = Literal["wagers", "decisions"]


class Times(Struct, frozen=True):
    """How long a table waits, in seconds."""

    wagers: float = 20.0  # from the first wager to "No more bets", where several play
    decisions: float = 25.0
    away: float = 180.0  # how long a seat is kept for a player without an open page
    shown: float = 10.0  # how long a player who leaves after the hand is shown the result
    unused: float = 60 * 60.0  # how long a guest's public table stays open without visitors
    unused_private: float = 24 * 60 * 60.0
    return_: float = 30.0  # the least time to come back after a restart

    def since(self, began: float | None, now: float, limit: float) -> float:
        """The time from which to count an absence after a restart, so that at least `return_` seconds are left."""
        return now if began is None else max(began, now - limit + min(limit, self.return_))


class Countdown:
    """A countdown, started and stopped by its table; players of a practice table may pause it."""

    def __init__(self) -> None:
        self.purpose: Purpose | None = None
        self.paused = False
        self._seconds = 0.0
        self._ends = 0.0
        self._left = 0.0
        self._act: Callable[[], object] = bool
        self._handle: asyncio.TimerHandle | None = None

    def start(self, purpose: Purpose, seconds: float, act: Callable[[], object]) -> None:
        """Start to count down, and call `act` at the end."""
        self.stop()
        self.purpose, self._seconds, self._act = purpose, seconds, act
        if self.paused:
            self._left = seconds
        else:
            self._run(seconds)

    def stop(self) -> None:
        """Stop, without calling `act`."""
        if self._handle:
            self._handle.cancel()
        self._handle, self.purpose = None, None

    def pause(self) -> None:
        """Pause, or continue with the seconds left."""
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
        """The countdown as clients see it."""
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


class Turns:
    """Runs a room's clock, and acts for players when the time is up."""

    def __init__(self, room: "Room") -> None:
        self._room = room

    @property
    def bettors(self) -> set[str]:
        """The players with wagers down."""
        seating = self._room.table.seating
        return {seating.at[spot].name for spot in seating.down}

    @property
    def is_result_watched(self) -> bool:
        """Whether a player of the last round is present and has not wagered again; the clock limits this wait."""
        room = self._room
        if room.countdown.purpose != "wagers" or room.countdown.paused:
            return False
        staying = room.table.seating.players.keys() - self.bettors - room.leaving - room.newcomers
        return any(seat.player in staying and not room.is_away(seat.player) for seat in room.table.seats)

    def watch(self) -> None:
        """Start the clock for decisions if one is needed and none runs, or stop it."""
        countdown = self._room.countdown
        if not self._room.table.is_running:
            return
        is_due = self._is_shared or self._is_blocked
        if countdown.purpose is None and is_due:
            self._start_decisions()
        elif not is_due:
            countdown.stop()

    def watch_decisions(self) -> None:
        """Restart the clock for the next decision if several play."""
        if self._is_shared:
            self._start_decisions()

    def watch_wagers(self) -> None:
        """Start the clock at the first wager if several sit; stop it when the last wager is withdrawn."""
        room = self._room
        if room.table.is_running:
            return
        if not self.bettors:
            room.countdown.stop()
        elif room.countdown.purpose is None and len(room.members) > 1:
            room.countdown.start("wagers", room.times.wagers, self._no_more_bets)

    def _start_decisions(self) -> None:
        self._room.countdown.start("decisions", self._room.times.decisions, self._time_is_up)

    def _no_more_bets(self) -> None:
        if self.bettors and not self._room.table.is_running:
            self._room.deal()
            self._room.save()
        self._room.notify()

    def _time_is_up(self) -> None:
        self.answer_open_decisions()
        self._room.save()
        self._room.notify()

    @property
    def _is_shared(self) -> bool:
        return len({seat.player for seat in self._room.table.seats}) > 1

    @property
    def _is_blocked(self) -> bool:
        """Whether this is a public table whose players are all away."""
        room = self._room
        return not room.new.private and all(room.is_away(seat.player) for seat in room.table.seats)

    # Decisions of players who are away.

    def answer_open_decisions(self) -> None:
        """Make the gentlest choice for every open decision, and for later decisions of players who are away."""
        room = self._room
        for step in tuple(room.table.decisions):
            if any((step.seat, step.about) == (still.seat, still.about) for still in room.table.decisions):
                self._choose_gentlest(step)
        self._answer_for({seat.player for seat in room.table.seats if room.is_away(seat.player)})
        room.go_on()

    def _answer_for(self, players: Collection[str]) -> None:
        table = self._room.table
        while steps := [step for step in table.decisions if table.seats[step.seat].player in players]:
            self._choose_gentlest(steps[0])

    def _choose_gentlest(self, step: Decide) -> None:
        seat = self._room.table.seats[step.seat]
        self._room.table.choose(seat.player, seat.spot, gentlest(step).name, None, step.about or None)
        self._room.by_clock.add(seat.spot)

    # Releasing seats.

    def release_seats(self) -> bool:
        """Free the seats of players who leave or are away too long; returns whether anything changed."""
        room = self._room
        away = [name for name in room.table.seating.players if self._is_away_too_long(name)]
        has_answered = room.table.is_running and self._finish_for(away)
        if room.table.is_running:
            return has_answered
        due = {*away, *(name for name in room.leaving if self._has_seen_result(name))}
        for name in due:
            room.get_up(name)
        return has_answered or bool(due)

    def _finish_for(self, players: Collection[str]) -> bool:
        """Answer the open decisions of these players; returns whether there were any."""
        before = self._room.table.decisions
        self._answer_for(players)
        if self._room.table.decisions == before:
            return False
        self._room.go_on()
        return True

    def _is_away_too_long(self, player: str) -> bool:
        room = self._room
        if room.new.private and len(room.members) == 1:
            return False  # nobody else needs the seat
        since = room.away_since.get(player)
        return since is not None and room.clock() - since >= room.times.away

    def _has_seen_result(self, player: str) -> bool:
        room = self._room
        return room.is_away(player) or room.clock() - room.ended_at >= room.times.shown


def gentlest(step: Decide) -> Offer:
    """The choice for an absent player: one that costs nothing and, if possible, forfeits nothing."""
    free = [offer for offer in step.offers if not offer.most and not offer.least] or list(step.offers)
    return next((offer for offer in free if not trade_choice(offer.name).gives_up), free[0])
