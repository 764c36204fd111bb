"""The kinds of simulation: edges of wagers, sessions of a player, days of a house, years of a jackpot."""

from itertools import product
from pathlib import Path
from typing import Final, TypeVar

import click
from msgspec.structs import replace

from feltworks import catalog
from feltworks.cli.options import read_part
from feltworks.cli.output import PLAY_MONEY
from feltworks.cli.progress import SHOWS_RESULT, counting_is_over, progress_bar, rounds_bar
from feltworks.cli.simulate import Kind, SimulateOptions
from feltworks.cli.simulate.run import Document, Draw, Job, make_plan, read_share, seed_or_new
from feltworks.errors import BadOption
from feltworks.simulation.jackpot import (
    SEED_BY_HALVES,
    SEED_FIRST,
    JackpotHistory,
    JackpotPolicy,
    check_years,
    jackpot_policies,
    summary,
)
from feltworks.simulation.paths import (
    DayStatistics,
    HouseDays,
    PathStatistics,
    Sessions,
    check_safety,
    house_document,
    session_document,
)
from feltworks.simulation.plan import Plan, check_seed
from feltworks.simulation.result import provenance, result_document, table_document
from feltworks.simulation.rounds.kernel import BATCH, kernel_of
from feltworks.simulation.run import Run, load_checkpoint
from feltworks.simulation.workers import Addable, WorkerPool, WorkResult

_ROUNDS = 10_000_000
_SESSIONS = 10_000
_ROUNDS_PER_DAY = 500
_HORIZON = 365
_IN_THE_CHECKPOINT = (
    "seed",
    "wagers",
    "strategy",
    "pay_tables",
    "decks",
    "chosen",
    "seats",
    "jackpot",
    "penetration",
    "fresh",
)


class EdgesJob:
    """A run of a number of rounds or until its standard errors are small enough, or a resumed run."""

    def __init__(self, options: SimulateOptions) -> None:
        until = read_share("--until", options.until, "0.01%")
        if options.resume is not None:
            self.run = _resume(options.resume, until, options)
            return
        rounds = _ROUNDS if options.rounds is None and until is None else options.rounds
        plan, seed = make_plan(options, alone=True), seed_or_new(options.seed)
        self.run = Run(plan, seed, rounds=rounds, until=until, checkpoint=options.checkpoint)

    def simulate(self, crew: WorkerPool, command: str) -> tuple[Document, Draw]:
        """Deal the rounds, with a progress bar at a terminal."""
        self.run.save()  # fails before any work if the checkpoint cannot be written
        with rounds_bar() as update:
            _warn_of_plain_rounds(self.run.plan, self.run.wanted or BATCH, "--rounds for fewer")
            result = self.run.simulate(crew, update)
            if not result.tally.rounds:
                raise KeyboardInterrupt  # interrupted before the first result
            counting_is_over()
        document = result_document(self.run, result, workers=crew.size, command=command)
        checkpoint = None if self.run.checkpoint is None else str(self.run.checkpoint)
        document = {**document, "checkpoint": checkpoint, "notice": PLAY_MONEY}
        return document, lambda: self._draw(document)

    def _draw(self, document: Document) -> str:
        from feltworks.simulation.plots import convergence_svg
        from feltworks.simulation.run import snapshots

        exact = {name: figures["exact"] for name, figures in document["wagers"].items()}
        title = f"{self.run.plan.game}: {self.run.tally.rounds:,} rounds, seed {self.run.seed}"
        return convergence_svg(title, snapshots(self.run), exact)


def _warn_of_plain_rounds(plan: Plan, rounds: int, fewer: str) -> None:
    """Say before the work how long it takes where the rules themselves deal every round."""
    from feltworks.simulation.rounds.plain import PlainKernel

    kernel = kernel_of(plan.to_json())
    if isinstance(kernel, PlainKernel):
        pace = kernel.pace()
        seconds = rounds / pace
        length = f"{seconds / 60:,.0f} minutes" if seconds > 90 else f"{max(seconds, 1):.0f} s"
        click.echo(
            "felt: this table cannot be compiled, so the rules deal each round:"
            f" about {pace:,.0f} a second on one core, {rounds:,} in about {length}. Use {fewer}.",
            err=True,
        )


def _resume(path: Path, until: float | None, options: SimulateOptions) -> Run:
    """Resume the run of a checkpoint file, with its table; the number of rounds may be changed."""
    begun = load_checkpoint(path)
    if options.game not in ("", begun.plan.game):
        raise BadOption("--resume", str(path), f"a run of that game; this one is of {begun.plan.game}")
    if extra := [name for name in _IN_THE_CHECKPOINT if getattr(options, name) not in (None, "", False, ())]:
        wanted = f"no other {extra[0].replace('_', ' ')}: the run in the file has its own"
        raise BadOption("--resume", str(path), wanted)
    rounds = options.rounds
    if rounds is None and until is None:
        rounds, until = begun.rounds, begun.until
    if rounds is not None and rounds < begun.counted:
        raise BadOption("--rounds", rounds, f"at least the {begun.counted:,} that {path} has counted")
    checkpoint = options.checkpoint or path
    return Run(begun.plan, begun.seed, rounds=rounds, until=until, checkpoint=checkpoint, begun=begun)


# Sessions of a player and days of a house.


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
        """Play the sessions, with a progress bar at a terminal."""
        sessions = self.sessions
        _warn_of_plain_rounds(sessions.plan, sessions.count * sessions.rounds, "--sessions for fewer")
        with progress_bar("Playing sessions", SHOWS_RESULT) as update:
            work = sessions.play(crew, update)
            counting_is_over()
        walks = _result(work)
        document = session_document(sessions, walks, self.safety)
        rounds = walks.paths * sessions.rounds
        return _with_run(document, work, rounds, sessions.plan, crew, command), lambda: self._draw(walks)

    def _draw(self, walks: PathStatistics) -> str:
        from feltworks.simulation.plots import sessions_svg

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
        """Deal the days, with a progress bar at a terminal."""
        house = self.house
        rounds_of_all_days = house.days * house.rounds_per_day
        _warn_of_plain_rounds(house.plan, rounds_of_all_days, "--days or --rounds-per-day for fewer")
        with progress_bar("Dealing days", SHOWS_RESULT) as update:
            work = house.deal(crew, update)
            counting_is_over()
        days = _result(work)
        document = house_document(house, days, self.more_than, self.safety)
        rounds = days.wins.count * house.rounds_per_day
        return _with_run(document, work, rounds, house.plan, crew, command), lambda: self._draw(days)

    def _draw(self, days: DayStatistics) -> str:
        from feltworks.simulation.plots import house_svg

        house, stretches = self.house, days.stretches
        assert stretches is not None  # the first piece of work is a whole stretch
        seats = f"{len(house.plan.seats)} seats" if len(house.plan.seats) > 1 else "one seat"
        title = f"{house.plan.game}: the house's days of {house.rounds_per_day:,} rounds, {seats}"
        return house_svg(title, days.wins, stretches, house.horizon, self.more_than, house.bankroll)


def _result(work: WorkResult[Result]) -> Result:
    if work.total is None:
        raise KeyboardInterrupt  # interrupted before the first result
    return work.total


def _with_run(
    document: Document, work: WorkResult[Result], rounds: int, plan: Plan, crew: WorkerPool, command: str
) -> Document:
    """Add to a document how it was made and how fast."""
    return {
        **document,
        "rounds": rounds,
        "rounds_per_second": round(rounds / work.seconds) if work.seconds else 0,
        "seconds": round(work.seconds, 3),
        "compile_seconds": round(work.compile_seconds, 3),
        "workers": crew.size,
        "interrupted": work.interrupted,
        "made": provenance(plan, command),
        "notice": PLAY_MONEY,
    }


# Years of a jackpot.


class YearsJob:
    """`--years N` with its options."""

    def __init__(self, options: SimulateOptions) -> None:
        assert options.years is not None
        catalog.check_game(options.game)
        progressives = catalog.rulebook(options.game).progressives
        self.years, self.seed = options.years, seed_or_new(options.seed)
        self.rounds_per_day = _ROUNDS_PER_DAY if options.rounds_per_day is None else options.rounds_per_day
        self.plan = make_plan(options, wagers=options.wagers or tuple(progressives[:1]))
        self.policies = _policies(options)
        for policy, wager in product(self.policies.values(), progressives):
            policy.check(self.plan.table.terms.rulebook.meter_of(wager))
        check_years(self.plan, self.years, self.rounds_per_day)
        check_seed(self.seed)

    def simulate(self, crew: WorkerPool, command: str) -> tuple[Document, Draw]:
        """Play the years, with a progress bar at a terminal."""
        with progress_bar("Playing years") as update:
            histories = jackpot_policies(
                self.plan,
                self.policies,
                years=self.years,
                rounds_per_day=self.rounds_per_day,
                seed=self.seed,
                executor=crew.executor,
                progress=update,
            )
        document = {
            "game": self.plan.game,
            "seed": self.seed,
            "years": self.years,
            "rounds_per_day": self.rounds_per_day,
            "policies": {name: summary(history) for name, history in histories.items()},
            **table_document(self.plan),
            "workers": crew.size,
            "interrupted": False,
            "made": provenance(self.plan, command),
            "notice": PLAY_MONEY,
        }
        return document, lambda: _draw_jackpots(histories)


def _draw_jackpots(histories: "dict[str, JackpotHistory]") -> str:
    from feltworks.simulation.plots import jackpot_svg

    return jackpot_svg(histories)


def _policies(options: SimulateOptions) -> dict[str, JackpotPolicy]:
    """The given policy for recovering the jackpot's seed, or both policies of SP.17."""
    if options.recovery:
        recovery = read_part("--recovery", options.recovery)
        policies = {f"{recovery} of each addition": JackpotPolicy(recovery=recovery)}
    else:
        policies = {"seed first": SEED_FIRST, "seed by halves": SEED_BY_HALVES}
    return {name: _with_options(policy, options) for name, policy in policies.items()}


def _with_options(policy: JackpotPolicy, options: SimulateOptions) -> JackpotPolicy:
    return replace(
        policy,
        seed=policy.seed if options.seed_money is None else options.seed_money,
        backups=policy.backups if options.backups is None else options.backups,
        fee=read_part("--fee", options.fee) if options.fee else policy.fee,
    )


JOBS: Final[dict[Kind, type[Job]]] = {
    "edges": EdgesJob,
    "session": SessionsJob,
    "days": DaysJob,
    "years": YearsJob,
}
