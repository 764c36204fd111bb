"""Who counts for a command: threads, processes or a cluster, as its options say."""

import typer

from feltworks.errors import BadOption
from feltworks.simulation.workers import Cluster, Processes, Threads, WorkerPool, machine_workers

_MOST_WORKERS = 1024


def check_crew(workers: int | None, *, processes: bool = False, cluster: str | None = None) -> None:
    """Refuse options that name no crew; nobody is called yet."""
    if workers is not None and not 1 <= workers <= _MOST_WORKERS:
        raise BadOption("--workers", workers, f"a whole number from 1 to {_MOST_WORKERS}")
    if cluster is not None and (workers is not None or processes):
        raise BadOption("--cluster", cluster, "neither --workers nor --processes: it has its own")


def crew_of(workers: int | None, *, processes: bool = False, cluster: str | None = None) -> WorkerPool:
    """The crew, ready for work; a cluster is asked whether it is."""
    if cluster is not None:
        return Cluster(cluster, lambda words: typer.echo(f"felt: {words}", err=True))
    size = workers or machine_workers()
    return Processes(size) if processes else Threads(size)
