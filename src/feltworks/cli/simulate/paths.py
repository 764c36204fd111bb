"""Sessions of a player and days of a house: simulated, described and drawn."""

from typing import TypeVar

from feltworks.cli.output import PLAY_MONEY
from feltworks.cli.progress import SHOWS_RESULT, counting_is_over, pieces_bar
from feltworks.cli.simulate.options import SimulateOptions
from feltworks.cli.simulate.run import Document, Draw, make_plan, read_share, seed_or_new
from feltworks.errors import BadOption
from feltworks.simulation.paths.days import DayStatistics, HouseDays
from feltworks.simulation.paths.document import check_safety, house_document, session_document
from feltworks.simulation.paths.sessions import Sessions
from feltworks.simulation.paths.statistics import PathStatistics
from feltworks.simulation.plan import Plan
from feltworks.simulation.result import provenance
from feltworks.simulation.workers import Addable, WorkerPool, WorkResult

_SESSIONS = 10_000
_ROUNDS_PER_DAY = 500
_HORIZON = 365
Result = TypeVar("Result", bound=Addable)


class SessionsJob:
    """`--session ROUNDS` with its options."""

    def __init__(self, options: SimulateOptions) -> None:
        assert options.session is not None
        self.safety = read_share("--safety", options.safety, "99%")
        count = _SESSIONS if options.sessions is None else options.sessions
        plan, seed = make_plan(options), seed_or_new(options.seed)
        self.sessions = Sessions(plan, seed, options.session, count, options.bankroll)
        self.sessions.check()
        check_safety(self.safety, count, "--sessions")

    def simulate(self, crew: WorkerPool, command: str) -> tuple[Document, Draw]:
        """Play the sessions with a bar at a terminal."""
        sessions = self.sessions
        with pieces_bar("Playing sessions", SHOWS_RESULT) as update:
            walked = sessions.play(crew, update)
            counting_is_over()
        walks = _result(walked)
        document = session_document(sessions, walks, self.safety)
        rounds = walks.paths * sessions.rounds
        return _with_run(document, walked, rounds, sessions.plan, crew, command), lambda: self._draw(walks)

    def _draw(self, walks: PathStatistics) -> str:
        from feltworks.simulation.paths.plot import sessions_svg

        sessions = self.sessions
        title = f"{sessions.plan.game}: sessions of {sessions.rounds:,} rounds, seed {sessions.seed}"
        return sessions_svg(title, walks, sessions.rounds, sessions.needed, sessions.bankroll)


class DaysJob:
    """`--days N` with its options."""

    def __init__(self, options: SimulateOptions) -> None:
        assert options.days is not None
        self.safety, self.more_than = read_share("--safety", options.safety, "99%"), options.loses_more_than
        if self.more_than is not None and self.more_than < 0:
            raise BadOption("--loses-more-than", self.more_than, "a whole number of cents from 0 on")
        days = options.days
        rounds = _ROUNDS_PER_DAY if options.rounds_per_day is None else options.rounds_per_day
        horizon = min(_HORIZON, max(days, 1)) if options.horizon is None else options.horizon
        plan, seed = make_plan(options), seed_or_new(options.seed)
        self.house = HouseDays(plan, seed, days, rounds, horizon, options.bankroll)
        self.house.check()
        check_safety(self.safety, days, "--days")

    def simulate(self, crew: WorkerPool, command: str) -> tuple[Document, Draw]:
        """Deal the days with a bar at a terminal."""
        house = self.house
        with pieces_bar("Dealing days", SHOWS_RESULT) as update:
            walked = house.deal(crew, update)
            counting_is_over()
        days = _result(walked)
        document = house_document(house, days, self.more_than, self.safety)
        rounds = days.wins.count * house.rounds_per_day
        return _with_run(document, walked, rounds, house.plan, crew, command), lambda: self._draw(days)

    def _draw(self, days: DayStatistics) -> str:
        from feltworks.simulation.paths.plot import house_svg

        house, stretches = self.house, days.stretches
        assert stretches is not None  # the first piece is a whole stretch
        seats = f"{len(house.plan.seats)} seats" if len(house.plan.seats) > 1 else "one seat"
        title = f"{house.plan.game}: the house's days of {house.rounds_per_day:,} rounds, {seats}"
        return house_svg(title, days.wins, stretches, house.horizon, self.more_than, house.bankroll)


def _result(work: WorkResult[Result]) -> Result:
    if work.total is None:
        raise KeyboardInterrupt  # interrupted before the first result
    return work.total


def _with_run(
    document: Document, walked: WorkResult[Result], rounds: int, plan: Plan, crew: WorkerPool, command: str
) -> Document:
    """The document with how it was made, and how fast."""
    return {
        **document,
        "rounds": rounds,
        "rounds_per_second": round(rounds / walked.seconds) if walked.seconds else 0,
        "seconds": round(walked.seconds, 3),
        "compile_seconds": round(walked.compile_seconds, 3),
        "workers": crew.size,
        "interrupted": walked.interrupted,
        "made": provenance(plan, command),
        "notice": PLAY_MONEY,
    }
