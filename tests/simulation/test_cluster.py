"""A Dask cluster on this machine: it counts what threads count, loses workers, and may go away altogether."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.errors import BadOption, FeltError
from feltworks.simulation import workers
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.kernel import BATCH
from feltworks.simulation.run import Run, load_checkpoint
from feltworks.simulation.tally import Tally
from feltworks.simulation.workers import Cluster, Threads

PLAN = Plan("fu-bacc", ({"ante": 10_000, "tie": 10_000},))
SEED = 7
PATIENCE = 60.0
_SCHEDULER, _WORKER = "distributed.cli.dask_scheduler", "distributed.cli.dask_worker"


class LocalCluster:
    """A scheduler and its two workers, as processes that can be killed one by one."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "scheduler.json"
        named = ["--scheduler-file", str(self._file)]
        self.scheduler = _started(_SCHEDULER, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *named)
        self.address = self._address()
        self._folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []

    def start_workers(self) -> None:
        alone = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder)]
        self.workers = [_started(_WORKER, self.address, "--host", "127.0.0.1", *alone) for _ in range(2)]

    def _address(self) -> str:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self._file.exists() and (text := self._file.read_text()):
                return str(json.loads(text)["address"])
            time.sleep(0.1)
        raise AssertionError("the scheduler did not start")

    def joined(self) -> Cluster:
        """The cluster as a crew, once both workers are there."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            crew = Cluster(self.address)
            if crew.size == 2:
                return crew
            crew.close()
        raise AssertionError("the workers did not start")

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def _started(module: str, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    started = LocalCluster(tmp_path)
    yield started
    started.close()


def on_threads(rounds: int) -> Tally:
    with Threads(2) as crew:
        return Run(PLAN, SEED, rounds=rounds).simulate(crew).tally


def test_workers_are_waited_for_one_may_be_killed_and_a_vanished_cluster_leaves_a_checkpoint(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(workers, "_JOIN_SECONDS", 0.2)
    with pytest.raises(BadOption, match="a scheduler that has workers"):
        Cluster(cluster.address, told.append)
    assert told == [f"no worker of the cluster at {cluster.address} is there yet: waiting up to 0.2 seconds"]
    monkeypatch.setattr(workers, "_JOIN_SECONDS", PATIENCE)
    cluster.start_workers()
    rounds, path = 60 * BATCH + 5, tmp_path / "kept.json"

    def kill_a_worker(run: Run) -> None:
        if run.tally.rounds >= 4 * BATCH:
            cluster.workers[0].kill()

    with cluster.joined() as crew:
        found = Run(PLAN, SEED, rounds=rounds).simulate(crew, kill_a_worker).tally
    assert cluster.workers[0].wait(PATIENCE)
    assert found == on_threads(rounds)

    def kill_the_scheduler(run: Run) -> None:
        if run.tally.rounds >= 4 * BATCH:
            cluster.scheduler.kill()

    with Cluster(cluster.address) as crew, pytest.raises(FeltError, match=r"gone away; .* --resume"):
        Run(PLAN, SEED, rounds=10**12, checkpoint=path).simulate(crew, kill_the_scheduler)
    begun = load_checkpoint(path)
    assert begun.batches >= 4
    longer = (begun.batches + 2) * BATCH
    with Threads(2) as threads:
        taken_up = Run(begun.plan, begun.seed, rounds=longer, begun=begun).simulate(threads).tally
    assert taken_up == on_threads(longer)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense", "", "gopher://x"])
def test_a_cluster_that_is_not_there_is_refused_at_once(address: str) -> None:
    begun = time.monotonic()
    with pytest.raises(BadOption, match="address of a running Dask scheduler"):
        Cluster(address)
    assert time.monotonic() - begun < 30
