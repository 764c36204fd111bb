"""Streets on one hand: exact figures against the referee on a few cards, and fractions known from outside."""

from fractions import Fraction

import pytest

from feltworks import catalog
from feltworks.analysis.referee import Referee
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.analysis.solvers.streets.tree import NoStreets
from feltworks.analysis.strategy.advice import advice
from feltworks.cards import Shoe, cards
from feltworks.errors import FeltError
from feltworks.rules.advance import advance
from feltworks.rules.round import FACE_DOWN, Choice
from feltworks.rules.steps import Decide, Draw, Turn

pytestmark = pytest.mark.usefixtures("gallery")


@pytest.mark.parametrize(
    ("name", "few"),
    [
        ("let-it-ride", "Ac Ad Ks Qh 7c 7d 6c"),
        ("let-it-ride", "Ah Kh Qh Jh Th 9h 2c"),
        ("mississippi-stud", "Ah Kh Qh Jh Th 6c"),
        ("mississippi-stud", "6c 6d 5h 4c 3d 2h"),
    ],
)
def test_the_solver_finds_what_the_referee_finds(name: str, few: str) -> None:
    table = catalog.game(name)
    wagers, shoe = dict.fromkeys(table.terms.openings, 100), Shoe(dict.fromkeys(cards(few), 1))
    solved = StreetsSolver(table, wagers, shoe)
    edge = solved.figures_of(frozenset(table.wagers), 100).house_edge
    expected = Referee(table, shoe).expectation(table.open_round([wagers]))
    assert edge == -expected / 100


@pytest.mark.parametrize(
    ("name", "edge"),
    [("let-it-ride", Fraction(37963, 1082900)), ("mississippi-stud", Fraction(53223, 1082900))],
)
def test_whole_decks_give_the_fractions_that_are_known(name: str, edge: Fraction) -> None:
    table = catalog.game(name)
    wagers = dict.fromkeys(table.terms.openings, 100)
    solved = StreetsSolver(table, wagers, table.terms.shoe)
    assert solved.figures_of(frozenset(table.wagers), 100).house_edge == edge
    assert sum(solved.law.values()) == 1


def test_every_street_says_what_each_choice_is_worth() -> None:
    table = catalog.game("let-it-ride")
    wagers = dict.fromkeys(table.terms.openings, 100)
    decisions = list(StreetsSolver(table, wagers, table.terms.shoe).decisions())
    assert {decision.street.about for decision in decisions} == {"first", "second"}
    assert sum(d.hands for d in decisions if d.street.about == "first") == 22_100
    for decision in decisions:
        assert decision.worth[decision.best] == max(decision.worth.values())


def test_a_showdown_is_not_taken_for_one_hand() -> None:
    table = catalog.game("three-card-poker")
    with pytest.raises(NoStreets, match="nothing comes after the one decision"):
        StreetsSolver(table, {"ante": 100}, table.terms.shoe)


def test_the_coach_says_what_each_choice_is_worth_on_its_street() -> None:
    table = catalog.game("mississippi-stud")
    r = table.open_round([{"ante": 100}])
    for cards_ in (cards("Ah Ad"), (FACE_DOWN,) * 3):
        step = table.awaits(r)
        assert isinstance(step, Draw)
        r = advance(r, step, cards_)
    step = table.awaits(r)
    assert isinstance(step, Decide)
    pair = advice(table, r, step)
    assert (pair.best, pair.amounts["raise"]) == ("raise", 300)
    assert pair.worth["fold"] == -100
    r = advance(r, step, Choice("raise", 200))
    turn = table.awaits(r)
    assert isinstance(turn, Turn)
    r = advance(r, turn, cards("2c"))
    step = table.awaits(r)
    assert isinstance(step, Decide)
    with pytest.raises(FeltError, match="smallest and the largest"):
        advice(table, r, step)
