"""A run comes to the same tally whoever counts it, however often it is broken off and taken up again."""

import multiprocessing
import time
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.errors import FeltError
from feltworks.machine.streams import Stream
from feltworks.simulation import run as run_module
from feltworks.simulation.plan import Plan, Strategy, make_plan
from feltworks.simulation.rounds.kernel import BATCH, BLOCK, count_batch, kernel_for, kernel_of
from feltworks.simulation.run import Run, RunResult, load_checkpoint
from feltworks.simulation.tally import Tally, standard_errors
from feltworks.simulation.workers import OrderedWork, Processes, Threads, WorkerPool

PLAN = Plan("fu-bacc", ({"ante": 10_000, "lucky-monkey": 10_000, "tie": 10_000},))
ROUNDS = 3 * BATCH + 12_345
SEED = 20_210_525


def counted(crew: WorkerPool, rounds: int = ROUNDS) -> Tally:
    with crew:
        return Run(PLAN, SEED, rounds=rounds).simulate(crew).tally


@pytest.fixture(scope="module")
def expected() -> Tally:
    """The tally block by block, without any runner."""
    kernel = kernel_for(PLAN)
    tally = Tally.empty(kernel.layout)
    for block, begin in enumerate(range(0, ROUNDS, BLOCK)):
        tally += kernel.tally(Stream(SEED, block), min(BLOCK, ROUNDS - begin))
    return tally


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_threads_change_nothing(expected: Tally, workers: int) -> None:
    assert counted(Threads(workers)) == expected
    assert expected.rounds == ROUNDS
    assert sum(expected.cells.values()) == ROUNDS * len(kernel_for(PLAN).layout.wagers)


def test_a_killed_process_changes_nothing() -> None:
    rounds = 12 * BATCH
    killed = []

    def kill(run: Run) -> None:
        if run.tally.rounds and not killed:
            killed.append(multiprocessing.active_children()[0])
            killed[0].kill()

    with Processes(2) as crew:
        found = Run(PLAN, SEED, rounds=rounds).simulate(crew, kill).tally
    assert killed
    assert found == counted(Threads(2), rounds)


def test_another_seed_gives_another_tally(expected: Tally) -> None:
    with Threads(1) as crew:
        assert Run(PLAN, SEED + 1, rounds=ROUNDS).simulate(crew).tally != expected


class _Interrupting(Threads):
    """Ctrl-C comes after so many looks at a run."""

    def __init__(self, looks: int) -> None:
        super().__init__(2)
        self.looks = looks

    def look(self, run: Run) -> None:
        self.looks -= bool(run.tally.rounds)
        if not self.looks:
            raise KeyboardInterrupt


def interrupted(path: Path, *, rounds: int = ROUNDS, looks: int = 1) -> RunResult:
    with _Interrupting(looks) as crew:
        return Run(PLAN, SEED, rounds=rounds, checkpoint=path).simulate(crew, crew.look)


def test_an_interrupt_gives_the_result_so_far(tmp_path: Path) -> None:
    found = interrupted(tmp_path / "kept.json", rounds=50 * BATCH)
    assert found.interrupted
    assert 0 < found.tally.rounds < 50 * BATCH
    assert found.tally.rounds % BATCH == 0
    assert found.tally == counted(Threads(1), found.tally.rounds)


def test_an_interrupted_run_is_taken_up_where_it_was(tmp_path: Path, expected: Tally) -> None:
    path = tmp_path / "kept.json"
    interrupted(path)
    begun = load_checkpoint(path)
    assert 0 < begun.batches <= 3
    assert (begun.seed, begun.rounds) == (SEED, ROUNDS)
    with Threads(2) as crew:
        run = Run(begun.plan, begun.seed, rounds=begun.rounds, begun=begun)
        assert run.simulate(crew).tally == expected


def test_a_finished_run_can_be_made_longer(tmp_path: Path) -> None:
    path, short = tmp_path / "kept.json", BATCH + 77
    with Threads(1) as crew:
        Run(PLAN, SEED, rounds=short, checkpoint=path).simulate(crew)
        longer = Run(PLAN, SEED, rounds=ROUNDS, begun=load_checkpoint(path)).simulate(crew)
    assert longer.tally == counted(Threads(1))


def test_a_checkpoint_of_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    interrupted(path)
    path.write_text(path.read_text().replace('"tie":10000', '"tie":20000'))
    with pytest.raises(FeltError, match="other sources or rules"):
        load_checkpoint(path)


def test_a_checkpoint_whose_counts_are_not_its_batches_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    interrupted(path)
    batches = load_checkpoint(path).batches
    path.write_text(path.read_text().replace(f'"batches":{batches}', f'"batches":{batches + 1}'))
    with pytest.raises(FeltError, match="other rounds than its batches"):
        load_checkpoint(path)


class _InterruptedWhileSaving(Run):
    """Ctrl-C comes when all is counted and the checkpoint is being written."""

    saved = 0

    def save(self) -> None:
        self.saved += 1
        if self.saved == 1:
            raise KeyboardInterrupt
        super().save()


def test_an_interrupt_after_the_last_batch_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    run = _InterruptedWhileSaving(PLAN, SEED, rounds=BATCH, checkpoint=path)
    with Threads(1) as crew:
        found = run.simulate(crew)
    assert (found.interrupted, found.tally.rounds) == (False, BATCH)
    assert load_checkpoint(path).batches == 1


@pytest.mark.parametrize("text", ["", "{}", "[1, 2]", '{"plan": 3}'])
def test_what_is_no_checkpoint_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kept.json"
    path.write_text(text)
    with pytest.raises(FeltError, match="no checkpoint"):
        load_checkpoint(path)


@pytest.mark.parametrize("workers", [1, 3])
def test_until_stops_at_the_first_whole_batch_that_is_sure_enough(workers: int) -> None:
    wanted = 0.002
    with Threads(workers) as crew:
        run = Run(PLAN, SEED, until=wanted)
        tally = run.simulate(crew).tally
    errors = standard_errors(run.kernel.layout, tally)
    assert max(errors.values()) <= wanted
    assert tally.rounds % BATCH == 0
    before = counted(Threads(1), tally.rounds - BATCH)
    assert max(standard_errors(run.kernel.layout, before).values()) > wanted
    assert tally == counted(Threads(1), tally.rounds)


# Wagers of each game whose tables are compiled in a moment: how a run stops does not go by its tables
QUICK = {
    "acey-deucey-21": ("acey-deucey", "war"),
    "fu-bacc": None,
    "lucky-break": ("lucky-break",),
    "lucky-lucky": ("lucky-lucky",),
    "spanish-poker": ("dos-pares", "joker-in-hand"),
}


@pytest.mark.parametrize("game", catalog.games())
def test_until_is_reached_in_every_game(game: str) -> None:
    plan = make_plan(game, wagers=QUICK[game], alone=True)
    with Threads(2) as crew:
        first = Run(plan, SEED, rounds=BATCH)
        error = max(standard_errors(first.kernel.layout, first.simulate(crew).tally).values())
        run = Run(plan, SEED, until=0.9 * error)
        tally = run.simulate(crew).tally
    assert tally.rounds == 2 * BATCH
    assert max(standard_errors(run.kernel.layout, tally).values()) <= 0.9 * error


def test_until_runs_no_longer_than_its_rounds() -> None:
    with Threads(1) as crew:
        assert Run(PLAN, SEED, rounds=ROUNDS, until=1e-6).simulate(crew).tally.rounds == ROUNDS


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"rounds": -1}, "from 1 to"),
        ({"rounds": 0}, "from 1 to"),
        ({"rounds": 5, "until": 0.0}, "0.01%"),
        ({"until": -0.1}, "0.01%"),
        ({}, "--until"),
    ],
)
def test_nonsense_is_refused(said: dict[str, float], words: str) -> None:
    with pytest.raises(FeltError, match=words):
        Run(PLAN, SEED, **said)  # type: ignore[arg-type]


def test_what_waits_to_be_taken_stays_small_however_much_there_is_to_do() -> None:
    carried_out: set[int] = set()

    def slow_at_first(piece: int) -> int:
        while not piece and len(carried_out) < 5:
            time.sleep(0.001)
        carried_out.add(piece)
        return piece

    with Threads(2) as crew, closing(iter(OrderedWork(crew, slow_at_first, range(10**12)))) as looks:
        assert next(looks) == []
        taken = [piece for _ in range(20) for piece in next(looks)]
    assert taken == list(range(len(taken)))
    assert max(carried_out) < len(taken) + 2 * crew.size + 2


def test_a_thousand_times_the_rounds_take_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a batch takes is fixed by its size; here it is counted once, and a run adds it up many times."""
    batch = count_batch(PLAN.to_json(), SEED, None, 0)
    monkeypatch.setattr(run_module, "count_batch", lambda *_: batch)
    most = []
    for rounds in (10**6, 10**6, 10**9):  # the first fills what is kept between runs
        tracemalloc.start()
        assert counted(Threads(2), rounds).rounds >= rounds
        most.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert most[2] < most[1] + 50_000  # bytes: fifty for every batch would be too many


def test_a_plan_travels_as_json() -> None:
    plan = Plan("fu-bacc", ({"tie": 5},), Strategy("x.json", {"rules": [1]}), {"spots": 3}, {"tie": "1"})
    assert Plan.from_json(plan.to_json()) == plan
    assert Plan.from_json(plan.to_json()).to_json() == plan.to_json()


def test_threads_that_count_rounds_of_one_table_at_the_same_time_count_the_same() -> None:
    plan = Plan("lucky-lucky", ({"blackjack": 1000, "lucky-lucky": 500, "lucky-break": 700},), Strategy("basic"))
    tallies = []
    for workers in (1, 2, 4):
        kernel_of.cache_clear()  # a kernel that has seen no round yet
        with Threads(workers) as crew:
            tallies.append(Run(plan, 7, rounds=8 * BATCH).simulate(crew).tally)
    assert tallies[0] == tallies[1] == tallies[2]
