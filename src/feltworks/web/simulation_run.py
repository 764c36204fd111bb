"""One simulation of the laboratory: planned, counted by a worker process, and told of as it goes on."""

import shlex
import time
from typing import TYPE_CHECKING, Any

from feltworks.errors import BadOption
from feltworks.web.simulation_wire import Start
from feltworks.web.worker import Channel

if TYPE_CHECKING:
    from fractions import Fraction

    from feltworks.simulation.plan import Plan
    from feltworks.simulation.run import Run, RunResult
    from feltworks.simulation.tally import Tally

FIRST_LOOKS = (
    1_000,
    3_162,
    10_000,
    31_623,
    100_000,
    316_228,
)  # rounds: the run's own first ones, counted apart
_TELL_EVERY = 0.2  # seconds
_FILES = (".json", ".toml")


class _Stopped(Exception):
    """Nobody wants to know more."""


class Counting:
    """A simulation on its way; `plan` is called on a thread and `count` by a worker, for their imports."""

    def __init__(self, start: Start, seed: int) -> None:
        self.start, self.seed = start, seed
        self._planned: Plan | None = None
        self._told = self._began = 0.0
        self._exact: dict[str, Fraction | float | None] = {}

    def plan(self) -> None:
        """Refuse what cannot be simulated, before any work."""
        from feltworks.simulation.plan import OPTIMAL, Strategy, make_plan

        start = self.start
        if start.strategy.endswith(_FILES):
            raise BadOption("strategy", start.strategy, f"a strategy's name, such as {OPTIMAL}, not a file")
        self._planned = make_plan(
            start.game,
            wagers=start.wagers,
            strategy=Strategy(start.strategy or OPTIMAL),
            pay_tables=start.pay_tables,
            decks=start.decks,
            chosen=start.set,
            seats=start.seats,
            jackpot=start.jackpot,
            penetration=start.penetration,
            fresh=start.fresh,
        )

    def count(self, channel: Channel) -> dict[str, Any]:
        """Count all rounds, or as many as there are when it is stopped; what they came to."""
        from feltworks.simulation.result import exact_edges, result_document
        from feltworks.simulation.run import Run
        from feltworks.simulation.workers import Threads, machine_workers

        self._channel = channel
        self.plan()
        assert self._planned is not None
        run = Run(self._planned, self.seed, rounds=self.start.rounds)
        self._channel(
            {"type": "started", "seed": self.seed, "of": self.start.rounds, "command": self.command}
        )
        self._exact = exact_edges(run.plan)
        workers = max(1, machine_workers() - 1)  # one core is left to the tables
        with Threads(workers) as crew:
            simulated = self._watched(run, crew)
        return result_document(run, simulated, workers=workers, command=self.command, exact=self._exact)

    def _watched(self, run: "Run", crew: Any) -> "RunResult":
        from feltworks.simulation.run import RunResult

        compiling = run.warm()
        self._began = time.perf_counter()
        try:
            self._look_early(run)
            return run.simulate(crew, self._look)
        except _Stopped:
            return RunResult(run.tally, time.perf_counter() - self._began, compiling, interrupted=True)

    def _look_early(self, run: "Run") -> None:
        """The first rounds of the run, so that one sees from where it comes."""
        from feltworks.simulation.rounds.kernel import count_batch

        plan = run.plan.to_json()
        for rounds in (each for each in FIRST_LOOKS if each < self.start.rounds):
            if self._channel.stopped:
                raise _Stopped
            counted = count_batch(plan, self.seed, rounds=rounds, batch=0)
            self._tell_tally(run, counted.unpack(run.kernel.layout))

    def _look(self, run: "Run") -> None:
        if self._channel.stopped:
            raise _Stopped
        if run.tally.rounds and time.perf_counter() - self._told > _TELL_EVERY:
            self._told = time.perf_counter()
            self._tell_tally(run, run.tally)

    def _tell_tally(self, run: "Run", tally: "Tally") -> None:
        from feltworks.simulation.result import wager_documents

        seconds = time.perf_counter() - self._began
        wagers = wager_documents(run, tally, self._exact)
        for told in wagers.values():
            del told["outcomes"]
        pace = {"seconds": round(seconds, 2), "rounds_per_second": round(tally.rounds / max(seconds, 1e-9))}
        self._channel(
            {"type": "tally", "rounds": tally.rounds, "of": self.start.rounds, **pace, "wagers": wagers}
        )

    @property
    def command(self) -> str:
        """The command line that gives the same result."""
        start = self.start
        words = ["felt", "simulate", start.game, "--rounds", str(start.rounds), "--seed", str(self.seed)]
        many = {"--wager": start.wagers, "--pay-table": start.pay_tables, "--set": start.set}
        words += [word for option, said in many.items() for each in said for word in (option, each)]
        for option in ("strategy", "decks", "seats", "jackpot", "penetration"):
            if (said := getattr(start, option)) not in (None, ""):
                words += [f"--{option}", str(said)]
        return shlex.join([*words, "--fresh"] if start.fresh else words)


def count(start: Start, seed: int, channel: Channel) -> dict[str, Any]:
    """Count a simulation: the job of a worker."""
    return Counting(start, seed).count(channel)
