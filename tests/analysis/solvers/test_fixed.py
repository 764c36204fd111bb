"""A bonus wager on the player's and the dealer's cards together: counted once, whatever is chosen beside it."""

from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.machine.facts import Facts
from feltworks.machine.node import Node, TooManyStates
from feltworks.machine.ruling import Ruling
from feltworks.machine.tables import Tables
from tests.designs import six_cards, write

# Hands of six cards by their best five, as tables of poker combinations print them
SIX_CARD_HANDS = {
    "royal flush": 188,
    "straight flush": 1_656,
    "four of a kind": 14_664,
    "full house": 165_984,
    "flush": 205_792,
    "straight": 361_620,
    "three of a kind": 732_160,
    "two pair": 2_532_816,
    "pair": 9_730_740,
    "high card": 6_612_900,
}


def test_the_best_five_of_both_hands_come_as_often_as_six_cards_have_them(own_games: Path) -> None:
    write(own_games, six_cards())
    figures = analyze(Question(catalog.game("six-cards"), "pair-plus")).figures
    dealt = {row.name: row.probability * comb(52, 6) for row in figures.outcomes}
    assert dealt == SIX_CARD_HANDS
    assert figures.house_edge == Fraction(15_306, 149_695)


def test_a_hand_of_both_sides_is_refused_by_the_compiler_after_few_questions(
    own_games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(own_games, six_cards())
    asked, ask = 0, Ruling.ask

    def count(ruling: Ruling, seat: int, house: int, facts: Facts | None = None) -> Node:
        nonlocal asked
        asked += 1
        if asked > 50_000:
            pytest.fail("the compiler explores at length what it will refuse")
        return ask(ruling, seat, house, facts)

    monkeypatch.setattr(Ruling, "ask", count)
    with pytest.raises(TooManyStates, match="more than 5,000,000 states"):
        Tables(catalog.game("six-cards"), {"ante": 100, "pair-plus": 100})
