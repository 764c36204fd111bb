"""A game of no known shape: what a wager needs lies beside it, and is played out only where that matters."""

from fractions import Fraction
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.strategy.report import strategy_report
from feltworks.cards import cards
from feltworks.rules.game import Game
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.result import exact_edge
from tests.designs import CLIMB, COUPLE, HIGH_LOW, write

LEFT = cards("2c 2d 3c 3d 3h 4c 4d 5c 5d")


@pytest.fixture
def war(casino_war: Path) -> Game[object]:
    assert casino_war.is_dir()
    return catalog.game("casino-war")


def test_a_bonus_is_analysed_without_naming_the_ante_it_needs(war: Game[object]) -> None:
    answer = analyze(Question(war, "tie"))
    assert answer.figures.house_edge == 1 - 11 * Fraction(23, 311)  # 23 of the other 311 cards tie
    assert {*answer.choices} == {""}


def test_the_ante_beside_it_changes_nothing(war: Game[object]) -> None:
    exposed = tuple(war.terms.shoe.without(LEFT).all_cards())
    alone = analyze(Question(war, "tie", exposed=exposed)).figures
    beside = analyze(Question(war, "tie", {"ante": None}, exposed=exposed)).figures
    assert alone.house_edge == beside.house_edge
    assert alone.outcomes == beside.outcomes


@pytest.mark.parametrize(
    ("wager", "edge"),
    [("ante", Fraction(-29, 221)), ("blind", Fraction(111, 221)), ("ace", Fraction(1, 13))],
)
def test_what_a_wager_needs_comes_with_what_that_needs(own_games: Path, wager: str, edge: Fraction) -> None:
    write(own_games, COUPLE)
    table = catalog.game("couple", options={"offers": ["ante", "blind", "ace"]})
    assert analyze(Question(table, wager)).figures.house_edge == edge  # the three lowest ranks are folded


def test_the_least_amount_is_best_where_two_choices_of_several_amounts_have_one_law(own_games: Path) -> None:
    write(own_games, HIGH_LOW)
    worth = Fraction(0)
    for rank in range(13):
        higher, lower = (12 - rank) * 24, rank * 24
        for_ante = [
            (Fraction(4, 5) * right - wrong - Fraction(23, 2)) for right, wrong in [(higher, lower), (lower, higher)]
        ]
        raises = [each - Fraction(23, 2) for each in for_ante]  # an equal card takes half the ante and all of a raise
        amounts = Fraction(1, 100_00), 3
        best = [a + amount * more for a, more in zip(for_ante, raises, strict=True) for amount in amounts]
        worth += max(max(best) / 311, Fraction(-1)) / 13
    answer = analyze(Question(catalog.game("high-low"), "ante"))
    assert answer.figures.house_edge == -worth


def test_a_chart_of_cards_goes_by_their_ranks(own_games: Path) -> None:
    write(own_games, HIGH_LOW)
    (grid,) = strategy_report(Question(catalog.game("high-low"), "ante"), 2).grids
    assert list(grid.rows) == [*"23456789", "10", *"JQKA"]
    assert [grid.cells[row, ""].choice for row in grid.rows[5:8]] == ["higher least", "higher least", "lower least"]


def _climb(last: int, rungs: int, left: list[int]) -> Fraction:
    """What the best guess, or stopping, is worth with these ranks left."""
    paid = [Fraction(0), Fraction(2, 5), Fraction(1), Fraction(5, 2)]
    if rungs == 3:
        return paid[3]
    worth = {True: Fraction(0), False: Fraction(0)}
    for rank, count in enumerate(left):
        if count and rank != last:
            after = [n - (other == rank) for other, n in enumerate(left)]
            right = count * _climb(rank, rungs + 1, after)
            for is_higher in worth:
                worth[is_higher] += right if (rank > last) == is_higher else -count
    guesses = [Fraction(total, sum(left)) for total in worth.values()]
    return max(guesses + ([paid[rungs]] if rungs else []))


def test_a_bonus_beside_the_main_wager_leaves_its_play_alone(own_games: Path) -> None:
    write(own_games, CLIMB)
    table = catalog.game("climb")
    best = sum(_climb(rank, 0, [4 - (other == rank) for other in range(13)]) for rank in range(13)) / 13
    assert analyze(Question(table, "ante")).figures.house_edge == -best
    beside = analyze(Question(table, "ante", {"red": None}))
    assert beside.figures.house_edge == -best
    assert exact_edge(Plan("climb", ({"ante": 100, "red": 100},)), "ante") == -best
    assert analyze(Question(table, "red", {"ante": None})).figures.house_edge == Fraction(1, 51)


def _climb_up(last: int, rungs: int, left: list[int]) -> Fraction:
    """What guessing higher three times is worth."""
    if rungs == 3:
        return Fraction(5, 2)
    worth = Fraction(-sum(left[:last]))
    for rank in range(last + 1, 13):
        worth += left[rank] * _climb_up(rank, rungs + 1, [n - (other == rank) for other, n in enumerate(left)])
    return worth / sum(left)


def test_a_strategy_answers_later_decisions_too(own_games: Path) -> None:
    write(own_games, CLIMB)
    always = sum(_climb_up(rank, 0, [4 - (other == rank) for other in range(13)]) for rank in range(13)) / 13
    question = Question(catalog.game("climb"), "ante", strategy="always-higher")
    assert analyze(question).figures.house_edge == -always
    assert exact_edge(Plan("climb", ({"ante": 100},), Strategy("always-higher")), "ante") == -always


def test_rules_to_remember_cost_in_a_simulation_what_the_report_says(own_games: Path) -> None:
    write(own_games, CLIMB)
    table = catalog.game("climb")
    edges = [one.house_edge for one in strategy_report(Question(table, "ante"), 1).ladder.strategies]
    plan = Plan("climb", ({"ante": 100},), Strategy("practical-1"))
    assert analyze(Question(table, "ante", strategy="practical-1")).figures.house_edge == edges[-1]
    assert exact_edge(plan, "ante") == edges[-1]  # the rules speak of the first guess; the others are best
