"""`felt simulate`: sampled rounds of a game, each wager's edge with its error, held against the exact one."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.simulation.crews import Crew
    from feltworks.simulation.runner import Run, Simulated

INTERRUPTED = 130  # as shells report it
_ROUNDS = 10_000_000
_SEED_BITS = 48


def simulate(
    game: Annotated[str, typer.Argument(help="The game, as felt games lists it.")] = "",
    rounds: Annotated[int | None, typer.Option(help="How many rounds; ten million unless said.")] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same result.")] = None,
    wager: Annotated[
        list[str] | None, typer.Option(help="A wager of every seat, as tie or tie=500 in cents.")
    ] = None,
    strategy: Annotated[
        str, typer.Option(help="How it is played: optimal, joint, always-hit, practical-3, ..., or a file.")
    ] = "",
    pay_table: Annotated[list[str] | None, typer.Option(help="A pay table, as 2 or tie=2.")] = None,
    decks: Annotated[int | None, typer.Option(help="How many decks the shoe holds.")] = None,
    chosen: Annotated[list[str] | None, typer.Option("--set", help="An option, as soft17=hit.")] = None,
    seats: Annotated[int | None, typer.Option(help="How many seats play, all alike.")] = None,
    jackpot: Annotated[int | None, typer.Option(help="The posted jackpot in cents.")] = None,
    penetration: Annotated[int | None, typer.Option(help="Percent of the shoe before its cut card.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Shuffle the whole shoe for every round.")] = False,
    until: Annotated[str, typer.Option(help="Stop at this standard error of every edge, as 0.01%.")] = "",
    workers: Annotated[int | None, typer.Option(help="How many work at once; one a core.")] = None,
    processes: Annotated[bool, typer.Option("--processes", help="Work in processes, not threads.")] = False,
    cluster: Annotated[str | None, typer.Option(help="Work on the Dask cluster at this address.")] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="Keep the run in this file as it goes on.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Take up the run kept in this file.")] = None,
    output: Annotated[Path | None, typer.Option(help="Write the result to this file too.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Deal many rounds at machine speed and show each wager's edge beside the exact one."""
    from feltworks.cli.simulate_result import described, show, write

    described_plan = {
        "wagers": wager,
        "strategy": strategy,
        "pay_tables": pay_table,
        "decks": decks,
        "chosen": chosen,
        "seats": seats,
        "jackpot": jackpot,
        "penetration": penetration,
        "fresh": fresh,
    }
    _check_output(output)
    reached = _error(until)
    if resume is not None:
        run = _resumed(resume, checkpoint, rounds, reached, {"game": game, "seed": seed, **described_plan})
    else:
        run = _begun(game, seed, rounds, reached, checkpoint, described_plan)
    with _crew(workers, processes, cluster) as crew:
        run.save()  # a checkpoint that cannot be written is found before any work
        simulated = _watched(run, crew)
    told = described(run, simulated, workers=crew.size, command=shlex.join(["felt", *sys.argv[1:]]))
    if output is not None:
        write(output, told)
    show(told, as_json=as_json)
    if simulated.interrupted:
        raise typer.Exit(INTERRUPTED)


def _begun(
    game: str,
    seed: int | None,
    rounds: int | None,
    until: float | None,
    checkpoint: Path | None,
    said: dict[str, Any],
) -> "Run":
    import secrets

    from feltworks.cli.simulate_plan import planned
    from feltworks.simulation.runner import Run

    if not game:
        raise BadOption("GAME", game, "the name of a game, or --resume with a checkpoint")
    seed = secrets.randbits(_SEED_BITS) if seed is None else seed
    limit = _ROUNDS if rounds is None and until is None else rounds
    return Run(planned(game, **said), seed, rounds=limit, until=until, checkpoint=checkpoint)


def _resumed(
    path: Path, checkpoint: Path | None, rounds: int | None, until: float | None, said: dict[str, Any]
) -> "Run":
    """What is simulated stands in the file; how long and by whom may be said anew."""
    from feltworks.simulation.checkpoints import load_checkpoint
    from feltworks.simulation.runner import Run

    begun = load_checkpoint(path)
    if said.pop("game") not in ("", begun.plan.game):
        raise BadOption("--resume", str(path), f"a run of that game; this one is of {begun.plan.game}")
    if extra := [name for name, value in said.items() if value not in (None, "", False)]:
        wanted = f"no other {extra[0].replace('_', ' ')}: the run in the file has its own"
        raise BadOption("--resume", str(path), wanted)
    if rounds is None and until is None:
        rounds, until = begun.rounds, begun.until
    return Run(begun.plan, begun.seed, rounds=rounds, until=until, checkpoint=checkpoint or path, begun=begun)


def _crew(workers: int | None, processes: bool, cluster: str | None) -> "Crew":
    from feltworks.simulation.crews import Cluster, Processes, Threads, machine_workers

    if workers is not None and not 1 <= workers <= 1024:
        raise BadOption("--workers", workers, "a whole number from 1 to 1024")
    if cluster is not None:
        if workers is not None or processes:
            raise BadOption("--cluster", cluster, "neither --workers nor --processes: it has its own")
        return Cluster(cluster)
    size = workers or machine_workers()
    return Processes(size) if processes else Threads(size)


def _watched(run: "Run", crew: "Crew") -> "Simulated":
    from feltworks.cli.simulate_bar import rounds_bar

    with rounds_bar() as told:
        return run.simulate(crew, told)


def _error(said: str) -> float | None:
    """A standard error as people write it: 0.01% or 0.0001."""
    try:
        number = float(said.rstrip("% ")) / (100 if said.endswith("%") else 1) if said else None
    except ValueError:
        number = -1.0
    if number is not None and not 0 < number < 1:
        raise BadOption("--until", said, "a standard error above 0 and below 100%, such as 0.01%")
    return number


def _check_output(path: Path | None) -> None:
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise BadOption("--output", str(path), "a file in a folder that is there")
