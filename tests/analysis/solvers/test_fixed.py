"""A bonus wager on the player's and the dealer's cards together: counted once, whatever is chosen beside it."""

from fractions import Fraction
from math import comb
from pathlib import Path

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
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
