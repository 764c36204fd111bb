"""`felt simulate`: sampled rounds of a game, for edges, a player's sessions, a house's days, a jackpot."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.cli.simulate_plan import Asked
    from feltworks.simulation.crews import Crew

INTERRUPTED = 130  # as shells report it
_KINDS = ("session", "days", "years")  # what can be asked for instead of edges
_BELONGS = {
    "rounds": (),
    "until": (),
    "checkpoint": (),
    "resume": (),
    "sessions": ("session",),
    "bankroll": ("session", "days"),
    "safety": ("session", "days"),
    "rounds_per_day": ("days", "years"),
    "horizon": ("days",),
    "loses_more_than": ("days",),
    "seed_money": ("years",),
    "recovery": ("years",),
    "fee": ("years",),
    "backups": ("years",),
}


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
    session: Annotated[int | None, typer.Option(help="Sessions of so many rounds instead of edges.")] = None,
    sessions: Annotated[int | None, typer.Option(help="How many sessions; 10,000 unless said.")] = None,
    days: Annotated[int | None, typer.Option(help="So many of the house's days instead of edges.")] = None,
    rounds_per_day: Annotated[int | None, typer.Option(help="Rounds in a day; 500 unless said.")] = None,
    loses_more_than: Annotated[int | None, typer.Option(help="How often does a day lose more cents?")] = None,
    horizon: Annotated[int | None, typer.Option(help="Days that a house's bankroll has to last.")] = None,
    bankroll: Annotated[
        int | None, typer.Option(help="What a session or a house begins with, cents.")
    ] = None,
    safety: Annotated[str, typer.Option(help="The bankroll for this safety, as 99%.")] = "",
    years: Annotated[int | None, typer.Option(help="So many years of a jackpot instead of edges.")] = None,
    seed_money: Annotated[
        int | None, typer.Option(help="What the house starts a jackpot with, cents.")
    ] = None,
    recovery: Annotated[str, typer.Option(help="The part of each addition that recovers it, as 1/2.")] = "",
    fee: Annotated[str, typer.Option(help="The part of each addition kept as a fee, as 1/10.")] = "",
    backups: Annotated[int | None, typer.Option(help="How many backup jackpots are kept.")] = None,
    workers: Annotated[int | None, typer.Option(help="How many work at once; one a core.")] = None,
    processes: Annotated[bool, typer.Option("--processes", help="Work in processes, not threads.")] = False,
    cluster: Annotated[str | None, typer.Option(help="Work on the Dask cluster at this address.")] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="Keep the run in this file as it goes on.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Take up the run kept in this file.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the result: a file .svg, or a folder.")] = None,
    output: Annotated[Path | None, typer.Option(help="Write the result to this file too.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Deal many rounds at machine speed and show each wager's edge beside the exact one."""
    said = {
        "rounds": rounds,
        "until": until,
        "checkpoint": checkpoint,
        "resume": resume,
        "session": session,
        "sessions": sessions,
        "days": days,
        "rounds_per_day": rounds_per_day,
        "loses_more_than": loses_more_than,
        "horizon": horizon,
        "bankroll": bankroll,
        "safety": safety,
        "years": years,
        "seed_money": seed_money,
        "recovery": recovery,
        "fee": fee,
        "backups": backups,
    }
    table = {
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
    kind = _kind(said)
    _check_files(plot, output)
    asked = _asked(kind)(game, seed, table, said)
    with _crew(workers, processes, cluster) as crew:
        told, draw = asked.simulated(crew, shlex.join(["felt", *sys.argv[1:]]))
    if plot is not None:
        _plot(plot, f"{told['game']}-{kind or 'edges'}.svg", draw())
    if output is not None:
        _write(output, told)
    _show(told, kind, as_json=as_json)
    if told["interrupted"]:
        raise typer.Exit(INTERRUPTED)


def _kind(said: dict[str, Any]) -> str:
    """What is asked for; refuses options that belong to something else."""
    asked = [kind for kind in _KINDS if said[kind] is not None]
    if len(asked) > 1:
        raise BadOption(f"--{asked[1]}", said[asked[1]], f"nothing beside --{asked[0]}")
    kind = asked[0] if asked else ""
    for option, kinds in _BELONGS.items():
        if said[option] not in (None, "") and kind not in (kinds or ("",)):
            where = f"without {' or '.join(f'--{each}' for each in kinds)}" if kinds else f"beside --{kind}"
            raise BadOption(f"--{option.replace('_', '-')}", str(said[option]), f"nothing {where}")
    return kind


def _asked(kind: str) -> "type[Asked]":
    if kind in ("session", "days"):
        from feltworks.cli import simulate_walks as walks

        return walks.SessionsAsked if kind == "session" else walks.DaysAsked
    if kind == "years":
        from feltworks.cli.simulate_years import YearsAsked

        return YearsAsked
    from feltworks.cli.simulate_edges import EdgesAsked

    return EdgesAsked


def _crew(workers: int | None, processes: bool, cluster: str | None) -> "Crew":
    from feltworks.simulation.crews import Cluster, Processes, Threads, machine_workers

    if workers is not None and not 1 <= workers <= 1024:
        raise BadOption("--workers", workers, "a whole number from 1 to 1024")
    if cluster is not None:
        if workers is not None or processes:
            raise BadOption("--cluster", cluster, "neither --workers nor --processes: it has its own")
        return Cluster(cluster, lambda words: typer.echo(f"felt: {words}", err=True))
    size = workers or machine_workers()
    return Processes(size) if processes else Threads(size)


def _check_files(plot: Path | None, output: Path | None) -> None:
    """Find out before the work whether its result can be written."""
    if output is not None and (output.is_dir() or not output.parent.is_dir()):
        raise BadOption("--output", str(output), "a file in a folder that is there")
    if plot is not None and not plot.is_dir() and (plot.suffix != ".svg" or not plot.parent.is_dir()):
        raise BadOption(
            "--plot", str(plot), "a folder, or a file that ends in .svg in a folder that is there"
        )


def _write(path: Path, told: dict[str, Any]) -> None:
    from feltworks.cli.simulate_result import write

    write(path, told)


def _plot(path: Path, name: str, picture: str) -> None:
    from feltworks.cli.simulate_result import write_whole

    write_whole(path / name if path.is_dir() else path, picture.encode())


def _show(told: dict[str, Any], kind: str, *, as_json: bool) -> None:
    if as_json:
        from feltworks.cli.output import print_json

        print_json(told)
    elif kind:
        from feltworks.cli import simulate_screen

        getattr(simulate_screen, f"show_{kind}")(told)
    else:
        from feltworks.cli.simulate_result import show

        show(told)
