"""Baccarat-style totals: every card's pips, and the last digit of their sum."""

import pytest

from feltworks.cards import DECK, cards
from feltworks.hands.baccarat import MONKEYS, points, total

PIPS = dict(zip("A23456789TJQK", [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0], strict=True))


@pytest.mark.clause("FB.2")
@pytest.mark.parametrize("face", DECK, ids=str)
def test_ace_one_two_to_nine_their_pips_ten_and_faces_nothing(face: object) -> None:
    (card,) = cards([str(face)])
    assert points(card) == PIPS[card.code[0]]


@pytest.mark.clause("FB.2")
@pytest.mark.parametrize(
    ("hand", "expected"),
    [("9c 9d 9h", 7), ("9c Ad", 0), ("Kc Qd Jh", 0), ("4c 4d", 8), ("2c 3d 4h", 9), ("", 0), ("8c 7d", 5)],
)
def test_only_the_last_digit_stands(hand: str, expected: int) -> None:
    assert total(cards(hand)) == expected


@pytest.mark.clause("FB.3")
def test_sixteen_monkeys_ten_to_king() -> None:
    assert sorted(face.code for face in MONKEYS) == sorted(rank + suit for rank in "TJQK" for suit in "cdhs")
