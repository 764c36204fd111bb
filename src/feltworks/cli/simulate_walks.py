"""Sessions of a player and days of a house: asked for, played, told and drawn."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from feltworks.cli.late_interrupts import counting_is_over
from feltworks.cli.output import PLAY_MONEY
from feltworks.cli.simulate_bar import SHOWS_RESULT, pieces_bar
from feltworks.cli.simulate_plan import a_part, a_seed, planned
from feltworks.errors import BadOption
from feltworks.simulation.paths.days import DayStatistics, HouseDays
from feltworks.simulation.paths.document import check_safety, house_document, session_document
from feltworks.simulation.paths.sessions import Sessions
from feltworks.simulation.paths.statistics import PathStatistics
from feltworks.simulation.plan import Plan
from feltworks.simulation.result import provenance
from feltworks.simulation.workers import WorkResult

if TYPE_CHECKING:
    from feltworks.simulation.workers import WorkerPool

_SESSIONS = 10_000
_ROUNDS_PER_DAY = 500
_HORIZON = 365
Told = tuple[dict[str, Any], Callable[[], str]]


class SessionsAsked:
    """`--session ROUNDS` with what belongs to it."""

    def __init__(self, game: str, seed: int | None, table: dict[str, Any], said: dict[str, Any]) -> None:
        self.safety = a_part("--safety", said["safety"], "99%")
        count = _SESSIONS if said["sessions"] is None else said["sessions"]
        plan = planned(game, **table)
        self.sessions = Sessions(plan, a_seed(seed), said["session"], count, said["bankroll"])
        self.sessions.check()
        check_safety(self.safety, count, "--sessions")

    def simulated(self, crew: "WorkerPool", command: str) -> Told:
        """Play them, watched by whoever is there."""
        asked = self.sessions
        with pieces_bar("Playing sessions", SHOWS_RESULT) as told:
            found = asked.play(crew, told)
            counting_is_over()
        walks: PathStatistics = _found(found)
        document = session_document(asked, walks, self.safety)
        document = _made(document, found, walks.paths * asked.rounds, asked.plan, crew, command)
        return document, lambda: self._drawn(walks)

    def _drawn(self, walks: PathStatistics) -> str:
        from feltworks.simulation.paths.plot import sessions_svg

        asked = self.sessions
        title = f"{asked.plan.game}: sessions of {asked.rounds:,} rounds, seed {asked.seed}"
        return sessions_svg(title, walks, asked.rounds, asked.needed, asked.bankroll)


class DaysAsked:
    """`--days N` with what belongs to it."""

    def __init__(self, game: str, seed: int | None, table: dict[str, Any], said: dict[str, Any]) -> None:
        self.safety, self.more_than = a_part("--safety", said["safety"], "99%"), said["loses_more_than"]
        if self.more_than is not None and self.more_than < 0:
            raise BadOption("--loses-more-than", self.more_than, "a whole number of cents from 0 on")
        days = said["days"]
        rounds = _ROUNDS_PER_DAY if said["rounds_per_day"] is None else said["rounds_per_day"]
        horizon = min(_HORIZON, max(days, 1)) if said["horizon"] is None else said["horizon"]
        self.house = HouseDays(planned(game, **table), a_seed(seed), days, rounds, horizon, said["bankroll"])
        self.house.check()
        check_safety(self.safety, days, "--days")

    def simulated(self, crew: "WorkerPool", command: str) -> Told:
        """Deal them, watched by whoever is there."""
        house = self.house
        with pieces_bar("Dealing days", SHOWS_RESULT) as told:
            found = house.deal(crew, told)
            counting_is_over()
        days: DayStatistics = _found(found)
        document = house_document(house, days, self.more_than, self.safety)
        rounds = days.wins.count * house.rounds_per_day
        document = _made(document, found, rounds, house.plan, crew, command)
        return document, lambda: self._drawn(days)

    def _drawn(self, days: DayStatistics) -> str:
        from feltworks.simulation.paths.plot import house_svg

        house, stretches = self.house, days.stretches
        assert stretches is not None  # the first piece is a whole stretch
        seats = f"{len(house.plan.seats)} seats" if len(house.plan.seats) > 1 else "one seat"
        title = f"{house.plan.game}: the house's days of {house.rounds_per_day:,} rounds, {seats}"
        return house_svg(title, days.wins, stretches, house.horizon, self.more_than, house.bankroll)


def _found(found: WorkResult[Any]) -> Any:
    if found.total is None:
        raise KeyboardInterrupt  # nothing was dealt that could be shown
    return found.total


def _made(
    document: dict[str, Any],
    found: WorkResult[Any],
    rounds: int,
    plan: Plan,
    crew: "WorkerPool",
    command: str,
) -> dict[str, Any]:
    return {
        **document,
        "rounds": rounds,
        "rounds_per_second": round(rounds / found.seconds) if found.seconds else 0,
        "seconds": round(found.seconds, 3),
        "compile_seconds": round(found.compile_seconds, 3),
        "workers": crew.size,
        "interrupted": found.interrupted,
        "made": provenance(plan, command),
        "notice": PLAY_MONEY,
    }
