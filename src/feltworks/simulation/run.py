"""Runs a simulation: workers count batches in any order, and their tallies are added up in the order of batches.

Snapshots during the run show how the house edge of every wager converges. A run can be saved to a file with its
plan, its seed and the counts so far; the file is replaced atomically, so that an interruption never leaves half.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from math import ceil
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from feltworks import __version__
from feltworks.errors import BadOption, FeltError, LogError
from feltworks.machine.streams import Stream
from feltworks.simulation.plan import Plan, check_number, check_seed, plan_fingerprint
from feltworks.simulation.rounds.kernel import BATCH, BLOCK, count_batch, kernel_of
from feltworks.simulation.tally import Cell, Layout, Tally, sampled_figures, standard_errors
from feltworks.simulation.workers import OrderedWork, WorkerPool


class Checkpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """The first batches of a run, all whole, so that a resumed run gives the tally of one that never stopped."""

    plan: Plan
    seed: int
    batches: int
    counted: int  # rounds
    cells: tuple[tuple[Cell, int], ...]
    sums: tuple[int, ...]
    products: tuple[int, ...]
    rounds: int | None  # requested
    until: float | None
    version: str
    fingerprint: str

    @property
    def tally(self) -> Tally:
        """The tally of the batches counted."""
        return Tally(self.counted, dict(self.cells), self.sums, self.products)


def save_checkpoint(
    path: Path,
    plan: Plan,
    seed: int,
    *,
    batches: int,
    tally: Tally,
    rounds: int | None,
    until: float | None,
) -> None:
    """Writes the file, whole or not at all."""
    counts = tally.rounds, tuple(tally.cells.items()), tally.sums, tally.products
    signature = __version__, plan_fingerprint(plan)
    checkpoint = Checkpoint(plan, seed, batches, *counts, rounds, until, *signature)
    replace_file(path, msgspec.json.encode(checkpoint))


def load_checkpoint(path: Path) -> Checkpoint:
    """Reads a run to resume; refuses one that was begun with other code or other rules."""
    try:
        checkpoint = msgspec.json.decode(path.read_bytes(), type=Checkpoint)
    except msgspec.MsgspecError as trouble:
        raise LogError(f"{path} is no checkpoint of a simulation: {str(trouble).lower()}") from None
    if checkpoint.fingerprint != plan_fingerprint(checkpoint.plan):
        raise FeltError(
            f"{path} was begun by feltworks {checkpoint.version} with other sources or rules;"
            " resume it with those, or start the run again"
        )
    if checkpoint.batches < 0 or checkpoint.counted != checkpoint.batches * BATCH:
        raise LogError(f"{path} is no checkpoint of a simulation: it has other rounds than its batches")
    return checkpoint


def replace_file(path: Path, written: bytes) -> None:
    """Writes a temporary file beside the path and moves it there once all of it is on the disk."""
    if _is_device(path):
        path.write_bytes(written)
        return
    try:
        with _part_file(path).open("wb") as file:
            file.write(written)
            file.flush()
            os.fsync(file.fileno())
        _part_file(path).replace(path.resolve())
    except OSError as trouble:
        with suppress(OSError):
            _part_file(path).unlink()
        raise _error_about(path, trouble) from None


def check_writable(path: Path) -> None:
    """Refuses a file that cannot be written, before the work whose result goes there."""
    if _is_device(path):
        return
    try:
        _part_file(path).touch()
        _part_file(path).unlink()
    except OSError as trouble:
        raise _error_about(path, trouble) from None


def _is_device(path: Path) -> bool:
    """Whether the path is a terminal, a pipe or /dev/null, which are written to and never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _part_file(path: Path) -> Path:
    whole = path.resolve()
    return whole.with_name(whole.name + ".part")


def _error_about(path: Path, trouble: OSError) -> OSError:
    return OSError(trouble.errno, trouble.strerror, str(path))


_SAVE_EVERY = 10.0  # seconds
_MOST_ROUNDS = 10**15  # years of work, and far below the limit of 64-bit counts
_LEAST_ERROR = 1e-7  # the smallest standard error that the most rounds can reach
_WARMING = 64  # rounds that make a kernel compile or load from the cache
RunProgress = Callable[["Run"], None]
SPACING: Final = 1.15  # ratio of the rounds of a snapshot to those of the one before
_FIRST: Final = 1_000


class RunResult(Struct, frozen=True):
    """The tally of a run and how long it took."""

    tally: Tally
    seconds: float  # of counting alone
    compile_seconds: float
    interrupted: bool = False


class Run:
    """A simulation in progress: its plan, its tally so far and its goal.

    The same plan and seed give the same tally on any pool. `until` stops the run after the first batch at which
    every wager's standard error is at most this.
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
        # Batches and their tally change in one assignment, so that an interrupt leaves them consistent
        self._added = 0, Tally.empty(self.kernel.layout)
        if begun is not None:
            begun.tally.check(self.kernel.layout)
            self._added = begun.batches, begun.tally
        self.tally = self._added[1]
        self.rounds_before = self.tally.rounds
        self.begun = time.perf_counter()
        self.snapshots: list[Snapshot] = []

    @property
    def wanted(self) -> int | None:
        """The expected total number of rounds; None while it is not known yet."""
        if self.until is None or self.tally.rounds < BATCH:
            return self.rounds
        error = max(standard_errors(self.kernel.layout, self.tally).values())
        estimate = ceil(self.tally.rounds * (error / self.until) ** 2 / BATCH) * BATCH
        return estimate if self.rounds is None else min(estimate, self.rounds)

    @property
    def seconds(self) -> float:
        """The seconds since counting began."""
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
        """Compiles the kernel before the clock of the run starts; returns the seconds that took."""
        begun = time.perf_counter()
        self.kernel.tally(Stream(0, 0), _WARMING)
        return time.perf_counter() - begun

    def simulate(self, pool: WorkerPool, progress: RunProgress | None = None) -> RunResult:
        """Counts until the run is done or Ctrl-C; saves a checkpoint if the pool is lost."""
        compiling = self.warm()
        self.begun, interrupted = time.perf_counter(), False
        try:
            self._count(pool, progress)
            self.save()
        except KeyboardInterrupt:
            interrupted = not self.is_done
            self.save()
        except FeltError as trouble:
            raise self._give_up(trouble) from None
        return RunResult(self.tally, self.seconds, compiling, interrupted)

    def _count(self, pool: WorkerPool, progress: RunProgress | None) -> None:
        saved_at = 0.0
        work = partial(count_batch, self._json, self.seed, self.rounds)
        with closing(iter(OrderedWork(pool, work, self._batches, self._added[0]))) as arrivals:
            while not self.is_done:
                for batch in next(arrivals):
                    self._add(batch)
                if progress is not None:
                    progress(self)
                if self.checkpoint and self._added[0] and time.monotonic() - saved_at > _SAVE_EVERY:
                    self.save()
                    saved_at = time.monotonic()

    @property
    def _batches(self) -> range | None:
        return None if self.rounds is None else range(ceil(self.rounds / BATCH))

    def _add(self, batch: Tally) -> None:
        if self.is_done:
            return
        batches, whole = self._added
        self.tally = whole + batch
        if batch.rounds == BATCH:  # a shorter batch ends the run; a resumed longer run counts it again
            self._added = batches + 1, self.tally
            if not self.snapshots or self.tally.rounds >= SPACING * self.snapshots[-1].rounds:
                self.snapshots.append(snapshot(self.kernel.layout, self.tally))

    def save(self) -> None:
        """Saves the tally if there is a checkpoint file."""
        if self.checkpoint is not None:
            batches, tally = self._added
            save_checkpoint(
                self.checkpoint,
                self.plan,
                self.seed,
                batches=batches,
                tally=tally,
                rounds=self.rounds,
                until=self.until,
            )

    def _give_up(self, trouble: FeltError) -> FeltError:
        if self.checkpoint is None:
            self.checkpoint = Path(f"{self.plan.game}-{self.seed}.checkpoint.json")
        self.save()
        rounds = f"{self._added[1].rounds:,} rounds are saved"
        return FeltError(f"{trouble}; {rounds}, resume the run with --resume {self.checkpoint}")


def _check(seed: int, rounds: int | None, until: float | None) -> None:
    check_seed(seed)
    if rounds is not None:
        check_number("--rounds", rounds, _MOST_ROUNDS)
    if until is not None and not _LEAST_ERROR <= until < 1:
        wanted = f"a standard error from {_LEAST_ERROR:.5%} to below 100%, such as 0.01%"
        raise BadOption("--until", f"{until:.9g}", wanted)
    if rounds is None and until is None:
        raise BadOption("--rounds", "nothing", "a number of rounds, or --until a standard error")


class Snapshot(Struct, frozen=True):
    """The house edge and standard error of every wager after a number of rounds."""

    rounds: int
    edges: dict[str, tuple[float, float]]


def snapshot(layout: Layout, tally: Tally) -> Snapshot:
    """Computes the edges from a tally."""
    sampled = sampled_figures(layout, tally)
    edges = {name: (figures.house_edge, figures.standard_error) for name, figures in sampled.items()}
    return Snapshot(tally.rounds, edges)


def snapshots(run: "Run") -> list[Snapshot]:
    """Lists snapshots from a thousand rounds to all; those within the first batch count it again."""
    layout, counted = run.kernel.layout, run.tally.rounds
    first = [snapshot(layout, tally) for tally in _first_tallies(run) if tally.rounds < counted]
    later = [whole for whole in run.snapshots if whole.rounds < counted]
    return [*first, *later, snapshot(layout, run.tally)]


def _first_tallies(run: "Run") -> Iterator[Tally]:
    """Yields tallies of growing parts of the first batch: within its first block, then block by block."""
    rounds: float = _FIRST
    while rounds < min(BLOCK, run.tally.rounds):
        yield run.kernel.tally(Stream(run.seed, 0), int(rounds))
        rounds *= SPACING
    tally, rounds = Tally.empty(run.kernel.layout), BLOCK
    for block in range(min(BATCH, run.tally.rounds) // BLOCK):
        tally += run.kernel.tally(Stream(run.seed, block), BLOCK)
        if tally.rounds >= rounds:
            yield tally
            rounds = tally.rounds * SPACING
