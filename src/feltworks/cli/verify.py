"""`felt verify` and `felt deal-check`: exact edges compared with simulated ones, and dealt cards tested for chance."""

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit
from msgspec import Struct
from msgspec.structs import asdict

from feltworks.cli.options import game_argument, json_option, read_pairs, set_option, workers_option
from feltworks.cli.output import PLAY_MONEY, Cell, Page, Table, print_json
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.analysis.progress import Progress
    from feltworks.dealing.statistics import Deal, DealtRound, Finding, Findings
    from feltworks.rules.terms import Terms
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
    from feltworks.cli.progress import pieces_bar
    from feltworks.cli.simulate import CrewOptions
    from feltworks.cli.simulate.run import start_crew
    from feltworks.simulation.plan import check_seed
    from feltworks.simulation.verify import verify_game

    catalog.check_game(game)
    number = _rounds(rounds, quick)
    check_seed(seed)
    crew_options = CrewOptions(workers)
    crew_options.check()
    with start_crew(crew_options) as crew, pieces_bar("Verifying") as update:
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
    """The lines compared, and the verdict on all of them."""

    game: str
    rounds: int
    seed: int
    lines: "list[Line]"

    @property
    def comparisons(self) -> "list[Line]":
        return [line for line in self.lines if line.exact is not None]

    @property
    def agrees(self) -> bool:
        """Whether something was compared and nothing differs."""
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
    chance = f"a right program would fail here less than once in {1 / LEVEL:,.0f} times"
    return f"{verdict}, judged together (Holm over {number} lines: {chance})."


def _row(line: "Line") -> list[str]:
    if line.exact is None:
        return [line.title, line.wager, "", f"{line.simulated:.4%}", "", "no exact edge"]
    verdict = "agrees" if line.agrees else f"DISAGREES, p {line.adjusted_p:.1g}"
    return [line.title, line.wager, f"{line.exact:.4%}", f"{line.simulated:.4%}", f"{line.z:+.2f}", verdict]


FAILED = 1
_SIMPLEST = "fu-bacc"  # one deck, shuffled for every round


@click.command()
@click.argument("game", default=_SIMPLEST, help="The game whose cards are dealt.")
@click.option("--rounds", default=20_000, help="How many rounds to deal.")
@click.option("--cards", default=12, help="How many cards to deal in each.")
@click.option("--seed", type=int, help="Deal in test mode from this number.")
@set_option
@click.option("--every-test", is_flag=True, help="List all tests one by one.")
@json_option
def deal_check(
    game: str,
    rounds: int,
    cards: int,
    seed: int | None,
    chosen: tuple[str, ...],
    every_test: bool,
    as_json: bool,
) -> None:
    """Test at 99 % that the cards are dealt at random."""
    from feltworks import catalog

    terms = catalog.game(game, options=dict(read_pairs("--set", chosen, "decks=8"))).terms
    findings = _check(terms, rounds, cards, seed)
    if as_json:
        print_json(_document(game, seed, findings))
    else:
        _show_findings(terms, findings, every_test=every_test)
    if not findings.passed:
        raise Exit(FAILED)


def _check(terms: "Terms", rounds: int, cards: int, seed: int | None) -> "Findings":
    from feltworks.cli.progress import progress_bar
    from feltworks.dealing.shoes import source_for
    from feltworks.dealing.statistics import check_deal, rounds_from

    if not 2 <= cards <= terms.shoe.total:
        raise BadOption("cards", cards, f"a whole number from 2 to {terms.shoe.total}")
    deal = rounds_from(source_for(terms, seed=seed), cards=cards)
    with progress_bar("Dealing") as progress:
        watched = deal if progress is None else _with_progress(deal, progress, rounds)
        return check_deal(watched, terms.shoe, rounds=rounds)


def _with_progress(deal: "Deal", progress: "Progress", rounds: int) -> "Deal":
    numbers = count(1)

    def deal_and_count() -> "DealtRound":
        progress(next(numbers), rounds)
        return deal()

    return deal_and_count


def _document(game: str, seed: int | None, findings: "Findings") -> dict[str, object]:
    from msgspec import to_builtins

    from feltworks.dealing.statistics import LEVEL

    tests = [{**to_builtins(test), "passed": test.passed} for test in findings.tests]
    counts = {"rounds": findings.rounds, "cards": findings.cards, "shoes": findings.shoes}
    verdict = {"seeded": findings.seeded, "seed": seed, "level": LEVEL, "passed": findings.passed}
    return {"game": game, **counts, **verdict, "tests": tests, "notice": PLAY_MONEY}


def _show_findings(terms: "Terms", findings: "Findings", *, every_test: bool) -> None:
    mode = "test mode, from an announced seed" if findings.seeded else "live, from secret seeds"
    dealt = f"{findings.rounds:,} rounds of {findings.cards} cards from {findings.shoes:,} shuffles"
    page = Page()
    page.print(f"{terms.rulebook.title}: {dealt} of {terms.shoe.total} cards ({mode})")
    page.print(_summary(findings))
    tests = [test for test in findings.tests if every_test or not test.passed]
    if tests:
        page.print(_tests(tests))
    page.print(_findings_verdict(findings), style="green" if findings.passed else "bold red")


def _findings_verdict(findings: "Findings") -> str:
    if findings.passed:
        return f"Passed at 99 %: {len(findings.tests)} tests together find no departure from a random deal."
    failed = f"FAILED at 99 %: {sum(not test.passed for test in findings.tests)} of {len(findings.tests)} tests."
    return f"{failed} A random shuffle fails one run in a hundred; two in a row happen once in 10,000."


def _summary(findings: "Findings") -> Table:
    table = Table("Tests", "Number", "Smallest p-value", "Adjusted for all", "Verdict")
    for kind in dict.fromkeys(test.kind for test in findings.tests):
        tests = [test for test in findings.tests if test.kind == kind]
        oddest = min(tests, key=lambda test: test.p_value)
        table.add_row(kind, str(len(tests)), *_chances(oddest))
    return table


def _tests(tests: Sequence["Finding"]) -> Table:
    table = Table("Test", "Of", "Statistic", "df", "p-value", "Adjusted", "Verdict")
    for test in tests:
        degrees = "" if test.degrees is None else str(test.degrees)
        table.add_row(test.kind, test.where, f"{test.statistic:.3f}", degrees, *_chances(test))
    return table


def _chances(test: "Finding") -> tuple[str, str, str]:
    return f"{test.p_value:.2g}", f"{test.adjusted:.2g}", "passed" if test.passed else "FAILED"
