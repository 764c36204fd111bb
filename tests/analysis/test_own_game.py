"""A game of no known shape: what a wager needs lies beside it, and is played out only where that matters."""

from fractions import Fraction
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.cards import cards
from feltworks.rules.game import Game

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
