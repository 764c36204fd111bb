"""`felt deal-check`: deals many rounds as a table does and tests the cards statistically at 99 %."""

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from feltworks.cli.options import json_option, read_pairs, set_option
from feltworks.cli.output import PLAY_MONEY, Page, Table, print_json
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.analysis.progress import Progress
    from feltworks.dealing.statistics import Deal, DealtRound, Finding, Findings
    from feltworks.rules.terms import Terms

FAILED = 1
_SIMPLEST = "fu-bacc"  # one deck, shuffled every round


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
        _show(terms, findings, every_test=every_test)
    if not findings.passed:
        raise Exit(FAILED)


def _check(terms: "Terms", rounds: int, cards: int, seed: int | None) -> "Findings":
    from feltworks.cli.progress import progress_bar
    from feltworks.dealing.shoes import source_for
    from feltworks.dealing.statistics import check_deal, rounds_from

    if not 2 <= cards <= terms.shoe.total:
        raise BadOption("--cards", cards, f"a whole number from 2 to {terms.shoe.total}")
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


def _show(terms: "Terms", findings: "Findings", *, every_test: bool) -> None:
    mode = "test mode, from an announced seed" if findings.seeded else "live, from secret seeds"
    dealt = f"{findings.rounds:,} rounds of {findings.cards} cards from {findings.shoes:,} shuffles"
    page = Page()
    page.print(f"{terms.rulebook.title}: {dealt} of {terms.shoe.total} cards ({mode})")
    page.print(_summary(findings))
    tests = [test for test in findings.tests if every_test or not test.passed]
    if tests:
        page.print(_tests(tests))
    page.print(_verdict(findings), style="green" if findings.passed else "bold red")


def _verdict(findings: "Findings") -> str:
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
