"""Blackjack totals: soft while an ace counts eleven, every ace low once over 21."""

import pytest

from feltworks.cards import cards
from feltworks.hands.blackjack import ACES, TEN_VALUES, is_blackjack, points, total


@pytest.mark.clause("BJ.4", "LB.5")
@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("Ac 6d", "soft 17"),
        ("Ac Ad", "soft 12"),
        ("Ac Ad 9h", "soft 21"),
        ("Ac Ad Th", "12"),
        ("Ac 6d Th", "17"),
        ("Ac Ad 9h 6s Kc", "27"),
        ("Tc 6d Kh", "26"),
        ("Ac Kd", "soft 21"),
        ("7c 7d 7h", "21"),
        ("Ac Ad Ah As", "soft 14"),
        ("5c 6d Ah", "12"),
        ("4c 6d Ah", "soft 21"),
    ],
)
def test_the_best_total_that_is_not_over_21(hand: str, words: str) -> None:
    assert str(total(cards(hand))) == words


@pytest.mark.clause("BJ.4")
@pytest.mark.parametrize(
    ("hand", "is_one"),
    [
        *(("Ac Td", True), ("Kc Ad", True), ("Jc Ad", True), ("Ac 9d", False), ("Ac Ad", False)),
        *(("Kc Td", False), ("7c 7d 7h", False), ("Ac 5d 5h", False), ("Ac", False)),
    ],
)
def test_a_blackjack_is_an_ace_and_a_ten_value_alone(hand: str, is_one: bool) -> None:
    assert is_blackjack(cards(hand)) is is_one


def test_four_aces_and_sixteen_ten_values() -> None:
    assert (len(ACES), len(TEN_VALUES)) == (4, 16)
    assert {points(face) for face in ACES} == {1}
    assert {points(face) for face in TEN_VALUES} == {10}
