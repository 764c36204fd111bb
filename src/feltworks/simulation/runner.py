"""One run: batches handed to a crew, counted in any order, added up in their own, whoever counts them."""

import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from math import ceil
from pathlib import Path

from msgspec import Struct

from feltworks.errors import BadOption, FeltError
from feltworks.machine.streams import Stream
from feltworks.simulation.blocks import BATCH, count_batch, kernel_of
from feltworks.simulation.checkpoints import Checkpoint
from feltworks.simulation.checks import check_number, check_seed
from feltworks.simulation.convergence import SPACING, Look, look
from feltworks.simulation.crews import Crew
from feltworks.simulation.measured import standard_errors
from feltworks.simulation.plan import Plan
from feltworks.simulation.relay import Relay
from feltworks.simulation.tally import PackedTally, Tally

_SAVE_EVERY = 10.0  # seconds
_MOST_ROUNDS = 10**15  # years of work; counts of 64 bits hold it with room to spare
_LEAST_ERROR = 1e-7  # what as many rounds may reach
_WARMING = 64  # rounds that compile a kernel, or load what was compiled before
Told = Callable[["Run"], None]


class Simulated(Struct, frozen=True):
    """What a run came to."""

    tally: Tally
    seconds: float  # of counting alone
    compile_seconds: float
    interrupted: bool = False


class Run:
    """A plan on its way: what has been counted and what is still to do.

    The same plan and seed give the same tally, whatever the crew. `until` stops at the first whole batch at
    which every wager's standard error is small enough.
    """

    def __init__(
        self,
        plan: Plan,
        seed: int,
        *,
        rounds: int | None = None,
        until: float | None = None,
        checkpoint: Path | None = None,
        begun: Checkpoint | None = None,
    ) -> None:
        _check(seed, rounds, until)
        plan.check()
        self.plan, self.seed, self.rounds, self.until, self.checkpoint = plan, seed, rounds, until, checkpoint
        self._json = plan.to_json()
        self.kernel = kernel_of(self._json)
        # One value, so that an interrupt finds either the old one or the new one
        self._added = 0, Tally.empty(self.kernel.layout)
        if begun is not None:
            self._added = begun.batches, begun.tally.unpacked(self.kernel.layout)
        self.tally = self._added[1]
        self.rounds_before = self.tally.rounds
        self.begun = time.perf_counter()
        self.looks: list[Look] = []

    @property
    def wanted(self) -> int | None:
        """How many rounds it will probably take; None while nobody can say."""
        if self.until is None or self.tally.rounds < BATCH:
            return self.rounds
        error = max(standard_errors(self.kernel.layout, self.tally).values())
        likely = ceil(self.tally.rounds * (error / self.until) ** 2 / BATCH) * BATCH
        return likely if self.rounds is None else min(likely, self.rounds)

    @property
    def seconds(self) -> float:
        """How long it has been counting."""
        return time.perf_counter() - self.begun

    @property
    def is_done(self) -> bool:
        if self.rounds is not None and self.tally.rounds >= self.rounds:
            return True
        if self.until is None or not self.tally.rounds:
            return False
        errors = standard_errors(self.kernel.layout, self.tally)
        return 0 < max(errors.values()) <= self.until

    def warm(self) -> float:
        """Have the kernel compiled before the clock of the run starts; says how many seconds that took."""
        begun = time.perf_counter()
        self.kernel.tally(Stream(0, 0), _WARMING)
        return time.perf_counter() - begun

    def simulate(self, crew: Crew, told: Told | None = None) -> Simulated:
        """Count until all is done or Ctrl-C; a crew that is lost leaves a checkpoint behind."""
        compiling = self.warm()
        self.begun, interrupted = time.perf_counter(), False
        try:
            self._count(crew, told)
            self.save()
        except KeyboardInterrupt:
            interrupted = not self.is_done
            self.save()
        except FeltError as trouble:
            raise self._given_up(trouble) from None
        return Simulated(self.tally, self.seconds, compiling, interrupted)

    def _count(self, crew: Crew, told: Told | None) -> None:
        saved = 0.0
        work = partial(count_batch, self._json, self.seed, self.rounds)
        with closing(iter(Relay(crew, work, self._batches, self._added[0]))) as looks:
            while not self.is_done:
                for packed in next(looks):
                    self._add(packed)
                if told is not None:
                    told(self)
                if self.checkpoint and self._added[0] and time.monotonic() - saved > _SAVE_EVERY:
                    self.save()
                    saved = time.monotonic()

    @property
    def _batches(self) -> range | None:
        return None if self.rounds is None else range(ceil(self.rounds / BATCH))

    def _add(self, packed: PackedTally) -> None:
        if self.is_done:
            return
        batches, whole = self._added
        self.tally = whole + packed.unpacked(self.kernel.layout)
        if packed.rounds == BATCH:  # else the end of a run; a longer one counts this batch again
            self._added = batches + 1, self.tally
            if not self.looks or self.tally.rounds >= SPACING * self.looks[-1].rounds:
                self.looks.append(look(self.kernel.layout, self.tally))

    def save(self) -> None:
        """Keep what has been counted, where a checkpoint is asked for."""
        if self.checkpoint is not None:
            batches, whole = self._added
            kept = Checkpoint(self.plan, self.seed, batches, whole.packed(), self.rounds, self.until)
            kept.save(self.checkpoint)

    def _given_up(self, trouble: FeltError) -> FeltError:
        if self.checkpoint is None:
            self.checkpoint = Path(f"{self.plan.game}-{self.seed}.checkpoint.json")
        self.save()
        kept = f"{self._added[1].rounds:,} rounds are kept"
        return FeltError(f"{trouble}; {kept}, take the run up again with --resume {self.checkpoint}")


def _check(seed: int, rounds: int | None, until: float | None) -> None:
    check_seed(seed)
    if rounds is not None:
        check_number("--rounds", rounds, _MOST_ROUNDS)
    if until is not None and not _LEAST_ERROR <= until < 1:
        wanted = f"a standard error from {_LEAST_ERROR:.5%} to below 100%, such as 0.01%"
        raise BadOption("--until", f"{until:.9g}", wanted)
    if rounds is None and until is None:
        raise BadOption("--rounds", "nothing", "a number of rounds, or --until a standard error")
