"""What hands are called at the table: by the words of the game's own hands."""

import pytest

from feltworks import catalog
from feltworks.cards import Card, cards
from feltworks.rules.round import FACE_DOWN, Choice, Face, Round, Seat
from feltworks.table.wording import dealers_words, hands_of

HIT, STAND, DOUBLE, SPLIT = (Choice(name, about="hand 1") for name in ("hit", "stand", "double", "split"))


def words(game: str, held: str, *choices: Choice, dealer: str = "", wager: str = "ante") -> list[str]:
    r = Round((Seat({wager: 1000}, cards(held), choices),), cards(dealer))
    return [hand.words for hand in hands_of(catalog.game(game), r, 0)]


def dealers(game: str, *faces: Face, wager: str = "ante") -> str:
    return dealers_words(catalog.game(game), Round((Seat({wager: 1000}),), faces), 0)


def test_a_baccarat_hand_is_called_by_its_total_and_the_dealers_once_it_is_complete() -> None:
    assert words("fu-bacc", "Kh 5d") == ["total 5"]
    king, nine, two = cards("Kh 9d 2c")
    assert dealers("fu-bacc", nine, FACE_DOWN, FACE_DOWN) == ""
    assert dealers("fu-bacc", nine, king, FACE_DOWN) == "9"
    assert dealers("fu-bacc", king, two, FACE_DOWN) == ""


def test_a_poker_hand_is_called_once_it_is_whole() -> None:
    assert words("spanish-poker", "6c 6d 4h 3s 2c") == ["pair of sixes"]
    assert words("spanish-poker", "6c 6d") == [""]
    assert dealers("spanish-poker", *cards("6c 6d 4h 3s 2c")) == "pair of sixes"


@pytest.mark.parametrize(
    ("held", "choices", "called"),
    [
        ("Ah Kd", (), ["blackjack"]),
        ("Ah 6d", (), ["soft 17"]),
        ("Ah 6d", (STAND,), ["soft 17"]),
        ("9h 8d Kc", (HIT,), ["27, over 21"]),
        ("6h 5d 9c", (DOUBLE,), ["20, doubled"]),
        ("8h 8d 3c Tc", (SPLIT, STAND), ["11", "18"]),
    ],
)
def test_every_hand_of_a_spot_has_its_words(held: str, choices: tuple[Choice, ...], called: list[str]) -> None:
    assert words("lucky-break", held, *choices, dealer="Th", wager="blackjack") == called


@pytest.mark.parametrize(
    ("held", "called"),
    [("Ah Kd", "blackjack"), ("Th 6d", ""), ("Ah 7d", "18"), ("Th 6d 9c", "25, over 21")],
)
def test_a_blackjack_dealer_is_called_by_a_complete_hand(held: str, called: str) -> None:
    faces: tuple[Card, ...] = cards(held)
    assert dealers("lucky-break", *faces, wager="blackjack") == called


def test_a_hidden_hand_has_no_words() -> None:
    r = Round((Seat({"ante": 1000}, (FACE_DOWN, FACE_DOWN)),))
    assert [hand.words for hand in hands_of(catalog.game("fu-bacc"), r, 0)] == [""]
