"""`felt verify`: a game's exact edges against simulated ones, line by line, with one verdict on all."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.simulation.verify import Line

DISAGREES = 1
_ROUNDS, _QUICK = 5_000_000, 500_000
_LEAST = 10_000  # fewer say nothing
_COLUMNS = "{:<%d} {:<%d} {:>9} {:>9} {:>6}  {}"  # as wide as the longest title and wager
_NAMED = ("title", "wager")


def verify(
    game: Annotated[str, typer.Argument(help="The game, as felt games lists it.")],
    rounds: Annotated[
        int | None, typer.Option(help="Rounds for every table; five million unless said.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Half a million rounds for every table.")] = False,
    seed: Annotated[int, typer.Option(help="The same seed gives the same lines.")] = 1,
    workers: Annotated[int | None, typer.Option(help="How many work at once; one a core.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Hold every wager, pay table and option of a game, as simulated, against the exact analysis."""
    from feltworks import catalog
    from feltworks.cli.simulate_bar import pieces_bar
    from feltworks.cli.simulate_crew import check_crew, crew_of
    from feltworks.simulation.plan import check_seed
    from feltworks.simulation.verify import verify_game

    catalog.check_game(game)
    number = _rounds(rounds, quick)
    check_seed(seed)
    check_crew(workers)
    with crew_of(workers) as crew, pieces_bar("Verifying") as told:
        lines = verify_game(game, crew, rounds=number, seed=seed, progress=told)
    document = _document(game, number, seed, lines)
    _show(document, as_json=as_json)
    if not document["agrees"]:
        raise typer.Exit(DISAGREES)


def _rounds(said: int | None, quick: bool) -> int:
    if said is not None and quick:
        raise BadOption("--rounds", said, "nothing beside --quick")
    if said is not None and said < _LEAST:
        raise BadOption("--rounds", said, f"a whole number from {_LEAST:,} on")
    return said or (_QUICK if quick else _ROUNDS)


def _document(game: str, rounds: int, seed: int, lines: "list[Line]") -> dict[str, Any]:
    from msgspec.structs import asdict

    from feltworks import __version__
    from feltworks.cli.output import PLAY_MONEY
    from feltworks.simulation.plan import code_fingerprint
    from feltworks.simulation.verify import LEVEL

    compared = [line for line in lines if line.exact is not None]
    return {
        "game": game,
        "rounds": rounds,
        "seed": seed,
        "agrees": bool(compared) and all(line.agrees for line in compared),
        "level": LEVEL,
        "method": "Holm over all lines compared",
        "compared": len(compared),
        "lines": [{**asdict(line), "agrees": line.agrees} for line in lines],
        "made": {"version": __version__, "fingerprint": code_fingerprint()},
        "notice": PLAY_MONEY,
    }


def _show(document: dict[str, Any], *, as_json: bool) -> None:
    from feltworks.cli.output import console, print_json

    if as_json:
        print_json(document)
        return
    screen = console()
    heading = f"{document['game']}: {document['rounds']:,} rounds for every table, seed {document['seed']}"
    screen.print(heading, style="bold")
    columns = _COLUMNS % tuple(max(len(line[name]) for line in document["lines"]) for name in _NAMED)
    screen.print(columns.format("table", "wager", "exact", "simulated", "z", ""), style="dim", soft_wrap=True)
    for line in document["lines"]:
        style = "bold red" if line["agrees"] is False else None
        screen.print(columns.format(*_row(line)), style=style, soft_wrap=True)
    for why in dict.fromkeys(line["why"] for line in document["lines"] if line["why"]):
        screen.print(f"No exact edge: {why}.", soft_wrap=True)
    screen.print(_verdict(document))
    screen.print(document["notice"], style="dim")


def _verdict(document: dict[str, Any]) -> str:
    if not document["compared"]:
        return "Nothing was compared: no line has an exact edge."
    wrong = sum(line["agrees"] is False for line in document["lines"])
    verdict = f"{wrong} of {document['compared']} lines disagree" if wrong else "All lines agree"
    chance = f"a right program would fail here less than once in {1 / document['level']:,.0f} times"
    return f"{verdict}, judged together (Holm over {document['compared']} lines: {chance})."


def _row(line: dict[str, Any]) -> list[str]:
    named = [line[name] for name in _NAMED]
    if line["exact"] is None:
        return [*named, "", f"{line['simulated']:.4%}", "", "no exact edge"]
    verdict = "agrees" if line["agrees"] else f"DISAGREES, p {line['adjusted_p']:.1g}"
    return [*named, f"{line['exact']:.4%}", f"{line['simulated']:.4%}", f"{line['z']:+.2f}", verdict]
