"""`felt verify`: compares every exact edge of a game with a simulated one and gives one verdict."""

from typing import TYPE_CHECKING

import click
from click.exceptions import Exit
from msgspec import Struct
from msgspec.structs import asdict

from feltworks.cli.options import game_argument, json_option, workers_option
from feltworks.cli.output import PLAY_MONEY, Cell, Page, Table, print_json
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.simulation.verify import Line

DISAGREES = 1
_ROUNDS, _QUICK_ROUNDS = 5_000_000, 500_000
_FEWEST_ROUNDS = 10_000


@click.command()
@game_argument
@click.option("--rounds", type=int, help="Rounds for every table; five million unless given.")
@click.option("--quick", is_flag=True, help="Half a million rounds for every table.")
@click.option("--seed", default=1, help="The same seed gives the same lines.")
@workers_option
@json_option
def verify(game: str, rounds: int | None, quick: bool, seed: int, workers: int | None, as_json: bool) -> None:
    """Compare simulated edges with the exact ones.

    Every wager, pay table and option of the game is simulated.
    """
    from feltworks import catalog
    from feltworks.cli.progress import progress_bar
    from feltworks.cli.simulate import CrewOptions
    from feltworks.cli.simulate.run import start_crew
    from feltworks.simulation.plan import check_seed
    from feltworks.simulation.verify import verify_game

    catalog.check_game(game)
    number = _rounds(rounds, quick)
    check_seed(seed)
    crew_options = CrewOptions(workers)
    crew_options.check()
    with start_crew(crew_options) as crew, progress_bar("Verifying") as update:
        lines = verify_game(game, crew, rounds=number, seed=seed, progress=update)
    verification = Verification(game, number, seed, lines)
    if as_json:
        print_json(verification.document())
    else:
        _show(verification)
    if not verification.agrees:
        raise Exit(DISAGREES)


def _rounds(rounds: int | None, quick: bool) -> int:
    if rounds is not None and quick:
        raise BadOption("--rounds", rounds, "nothing beside --quick")
    if rounds is not None and rounds < _FEWEST_ROUNDS:
        raise BadOption("--rounds", rounds, f"a whole number from {_FEWEST_ROUNDS:,} on")
    return rounds or (_QUICK_ROUNDS if quick else _ROUNDS)


class Verification(Struct, frozen=True):
    """The compared lines and the verdict on all of them."""

    game: str
    rounds: int
    seed: int
    lines: "list[Line]"

    @property
    def comparisons(self) -> "list[Line]":
        return [line for line in self.lines if line.exact is not None]

    @property
    def agrees(self) -> bool:
        """Whether at least one line was compared and none differs."""
        return bool(self.comparisons) and all(line.agrees for line in self.comparisons)

    def document(self) -> dict[str, object]:
        """The JSON document."""
        from feltworks import __version__
        from feltworks.simulation.plan import code_fingerprint
        from feltworks.simulation.verify import LEVEL

        return {
            "game": self.game,
            "rounds": self.rounds,
            "seed": self.seed,
            "agrees": self.agrees,
            "level": LEVEL,
            "method": "Holm over all lines compared",
            "compared": len(self.comparisons),
            "lines": [{**asdict(line), "agrees": line.agrees} for line in self.lines],
            "made": {"version": __version__, "fingerprint": code_fingerprint()},
            "notice": PLAY_MONEY,
        }


def _show(verification: Verification) -> None:
    page = Page()
    rounds = f"{verification.rounds:,} rounds for every table, seed {verification.seed}"
    table = Table("table", "wager", "exact", "simulated", "z", "", title=f"{verification.game}: {rounds}", gap=2)
    for line in verification.lines:
        style = "bold red" if line.agrees is False else ""
        table.add_row(*(Cell(text, style) for text in _row(line)))
    page.print(table)
    for reason in dict.fromkeys(line.why for line in verification.lines if line.why):
        page.print(f"No exact edge: {reason}.")
    page.print(_verdict(verification))
    page.close()


def _verdict(verification: Verification) -> str:
    from feltworks.simulation.verify import LEVEL

    number = len(verification.comparisons)
    if not number:
        return "Nothing was compared: no line has an exact edge."
    wrong = sum(line.agrees is False for line in verification.lines)
    verdict = f"{wrong} of {number} lines disagree" if wrong else "All lines agree"
    chance = f"a correct program fails this test less than once in {1 / LEVEL:,.0f} times"
    return f"{verdict}, judged together (Holm over {number} lines: {chance})."


def _row(line: "Line") -> list[str]:
    if line.exact is None:
        return [line.title, line.wager, "", f"{line.simulated:.4%}", "", "no exact edge"]
    verdict = "agrees" if line.agrees else f"DISAGREES, p {line.adjusted_p:.1g}"
    return [line.title, line.wager, f"{line.exact:.4%}", f"{line.simulated:.4%}", f"{line.z:+.2f}", verdict]
