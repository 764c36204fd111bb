"""`felt deal-check`: deals many rounds the way a table does and tests the cards statistically at 99 %."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import to_builtins

from feltworks.cli.output import PLAY_MONEY, console, new_table, print_json
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    from feltworks.dealing.statistics import Deal, DealtRound, Finding, Findings
    from feltworks.rules.terms import Terms

FAILED = 1
_PLAINEST = "fu-bacc"  # one deck, shuffled for every round


def deal_check(
    game: Annotated[str, typer.Argument(help="The game whose cards are dealt.")] = _PLAINEST,
    rounds: Annotated[int, typer.Option(help="How many rounds to deal.")] = 20_000,
    cards: Annotated[int, typer.Option(help="How many cards to deal in each.")] = 12,
    seed: Annotated[int | None, typer.Option(help="Deal in test mode from this number.")] = None,
    chosen: Annotated[list[str] | None, typer.Option("--set", help="An option, as decks=8.")] = None,
    every_test: Annotated[bool, typer.Option("--every-test", help="List all tests one by one.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check statistically, at 99 %, that the cards are dealt as chance would deal them."""
    from feltworks import catalog

    terms = catalog.game(game, options=_options(chosen or ())).terms
    findings = _checked(terms, rounds, cards, seed)
    if as_json:
        print_json(_described(game, seed, findings))
    else:
        _print_findings(console(), terms, findings, every_test=every_test)
    if not findings.passed:
        raise typer.Exit(FAILED)


def _options(chosen: Sequence[str]) -> dict[str, object]:
    for said in chosen:
        if "=" not in said:
            raise BadOption("--set", said, "option=value, such as decks=8")
    return {name: value for name, _, value in (said.partition("=") for said in chosen)}


def _checked(terms: "Terms", rounds: int, cards: int, seed: int | None) -> "Findings":
    from rich.console import Console
    from rich.progress import Progress

    from feltworks.dealing.shoes import source_for
    from feltworks.dealing.statistics import check_deal, rounds_from

    if not 2 <= cards <= terms.shoe.total:
        raise BadOption("cards", cards, f"a whole number from 2 to {terms.shoe.total}")
    deal = rounds_from(source_for(terms, seed=seed), cards=cards)
    screen = Console(stderr=True)  # the bar stays out of what is piped on
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
        return check_deal(_watched(deal, progress, rounds), terms.shoe, rounds=rounds)


def _watched(deal: "Deal", progress: "Progress", rounds: int) -> "Deal":
    task = progress.add_task("dealing", total=rounds)

    def watched() -> "DealtRound":
        progress.advance(task)
        return deal()

    return watched


def _described(game: str, seed: int | None, findings: "Findings") -> dict[str, Any]:
    from feltworks.dealing.statistics import LEVEL

    tests = [{**to_builtins(test), "passed": test.passed} for test in findings.tests]
    counted = {"rounds": findings.rounds, "cards": findings.cards, "shoes": findings.shoes}
    verdict = {"seeded": findings.seeded, "seed": seed, "level": LEVEL, "passed": findings.passed}
    return {"game": game, **counted, **verdict, "tests": tests, "notice": PLAY_MONEY}


def _print_findings(screen: "Console", terms: "Terms", findings: "Findings", *, every_test: bool) -> None:
    mode = "test mode, from an announced seed" if findings.seeded else "live, from secret seeds"
    dealt = f"{findings.rounds:,} rounds of {findings.cards} cards from {findings.shoes:,} shuffles"
    screen.print(f"{terms.rulebook.title}: {dealt} of {terms.shoe.total} cards ({mode})")
    screen.print(_summary(findings))
    listed = [test for test in findings.tests if every_test or not test.passed]
    if listed:
        screen.print(_each(listed))
    screen.print(_verdict(findings), style="green" if findings.passed else "bold red")


def _verdict(findings: "Findings") -> str:
    if findings.passed:
        return (
            f"Passed at 99 %: {len(findings.tests)} tests taken together find nothing chance would not deal."
        )
    failed = (
        f"FAILED at 99 %: {sum(not test.passed for test in findings.tests)} of {len(findings.tests)} tests."
    )
    return f"{failed} An honest shuffle fails one run in a hundred; failing twice is no accident."


def _summary(findings: "Findings") -> "Table":
    table = new_table("Tests", "Number", "Smallest p-value", "Adjusted for all", "Verdict")
    for kind in dict.fromkeys(test.kind for test in findings.tests):
        tests = [test for test in findings.tests if test.kind == kind]
        oddest = min(tests, key=lambda test: test.p_value)
        table.add_row(kind, str(len(tests)), *_chances(oddest))
    return table


def _each(tests: Sequence["Finding"]) -> "Table":
    table = new_table("Test", "Of", "Statistic", "df", "p-value", "Adjusted", "Verdict")
    for test in tests:
        degrees = "" if test.degrees is None else str(test.degrees)
        table.add_row(test.kind, test.where, f"{test.statistic:.3f}", degrees, *_chances(test))
    return table


def _chances(test: "Finding") -> tuple[str, str, str]:
    return f"{test.p_value:.2g}", f"{test.adjusted:.2g}", "passed" if test.passed else "FAILED"
