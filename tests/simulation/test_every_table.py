"""Rounds of every game are the live table's: some tables here, with `make replay` all, 20,000 rounds a game."""

import pytest

from feltworks import catalog
from tests.simulation.tables import IS_WHOLE, ROUNDS, tables, values_of, wager_sets
from tests.simulation.twin import check_twin

CLAUSES = {
    "acey-deucey-21": "AD.4 AD.5 AD.7 AD.8 AD.9 AD.10 AD.11 AD.12 AD.15 BJ.1 BJ.2 BJ.4 BJ.5",
    "fu-bacc": "FB.4 FB.5 FB.6 FB.7 FB.8 FB.9 FB.10 FB.11 FB.12 FB.13",
    "lucky-break": "BJ.1 BJ.4 BJ.5 LB.2 LB.3 LB.4 LB.5 LB.6 LB.7 LB.9 LB.12 LB.13",
    "lucky-lucky": "BJ.1 BJ.2 BJ.4 BJ.5 LL.2 LL.3 LL.5 LB.2 LB.4 LB.5 LB.7",
    "spanish-poker": "SP.6 SP.8 SP.9 SP.10 SP.11 SP.12 SP.13 SP.21 SP.22 SP.23",
}


PARTS = 4  # of a game's tables, so that several processes share them
SAMPLE = 8  # of so many tables one is dealt here


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.clause(*said.split())) for game, said in CLAUSES.items()]
)
def test_rounds_are_those_of_the_live_table(game: str, part: int) -> None:
    plans = tables(game)
    numbers = range(len(plans)) if IS_WHOLE else range(len(game) % SAMPLE, len(plans), SAMPLE)
    for number in numbers[part::PARTS]:
        check_twin(plans[number], rounds=-(-ROUNDS // len(plans)), seed=number)


@pytest.mark.parametrize("game", catalog.games())
def test_every_option_pay_table_and_set_of_wagers_is_among_the_tables(game: str) -> None:
    plans, book = tables(game), catalog.rulebook(game)
    for name in book.option:
        tried = [plan.options.get(name) for plan in plans if plan.seats]
        assert all(value in tried for value in values_of(book, name)), name
    for wager, listed in book.pay_table.items():
        assert {plan.table.terms.pay_tables[wager] for plan in plans} == set(listed), wager
    assert {frozenset(seat) for plan in plans for seat in plan.seats} == set(map(frozenset, wager_sets(book)))
