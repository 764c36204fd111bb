"""Blackjack hands on one spot, read off the cards that came to it and the choices made."""

import pytest

from feltworks.cards import cards
from feltworks.hands.spot import Spot, SpotCards, SpotRules
from feltworks.rules.round import Choice, read_hand

Read = tuple[list[str], int | None, bool]


def read(held: str, *played: str, rules: SpotRules | None = None) -> Read:
    """The hands, which one is played, and whether it waits for a card."""
    choices = tuple(Choice(name, about="hand 1") for name in played)
    dealt = read_hand(SpotCards(Spot(rules=rules or SpotRules())), cards(held), choices)
    return [" ".join(map(str, hand)) for hand in dealt.cards], dealt.spot.active, dealt.wants_card


def spot_of(held: str, *played: str) -> Spot:
    return read_hand(Spot(), cards(held), tuple(Choice(name, about="hand 1") for name in played))


@pytest.mark.clause("BJ.4")
@pytest.mark.parametrize(
    ("held", "played", "found"),
    [
        ("", [], ([""], 0, True)),
        ("Th", [], (["Th"], 0, True)),
        ("Th 6h", [], (["Th 6h"], 0, False)),
        ("Ah Kh", [], (["Ah Kh"], None, False)),  # nothing to decide
        ("Th 6h", ["stand"], (["Th 6h"], None, False)),
        ("Th 6h", ["surrender"], (["Th 6h"], None, False)),
        ("Th 6h", ["hit"], (["Th 6h"], 0, True)),
        ("Th 2h 3h", ["hit"], (["Th 2h 3h"], 0, False)),
        ("Th 6h Kh", ["hit"], (["Th 6h Kh"], None, False)),  # bust
        ("5h 6h", ["double"], (["5h 6h"], 0, True)),
        ("5h 6h 2h", ["double"], (["5h 6h 2h"], None, False)),
        ("8h 8d", ["split"], (["8h", "8d"], 0, True)),
        ("8h 8d Th", ["split"], (["8h Th", "8d"], 0, False)),
        ("8h 8d Th", ["split", "stand"], (["8h Th", "8d"], 1, True)),
        ("8h 8d 8c", ["split", "split"], (["8h", "8c", "8d"], 0, True)),
        ("8h 8d 8c Th 9h 3h", ["split", "split", "stand", "stand"], (["8h Th", "8c 9h", "8d 3h"], 2, False)),
        ("8h 8d 5h Kh Th", ["split", "hit"], (["8h 5h Kh", "8d Th"], 1, False)),  # a bust goes on to the next
        ("Ah Ad 5h Ts", ["split"], (["Ah 5h", "Ad Ts"], None, False)),  # one card to each ace
        ("Kh Kd Ah", ["split"], (["Kh Ah", "Kd"], 0, False)),  # 21 after a split is asked
    ],
)
def test_cards_fall_to_the_hand_in_play(held: str, played: list[str], found: Read) -> None:
    assert read(held, *played) == found


@pytest.mark.clause("BJ.1")
def test_aces_may_be_hit_or_split_again_by_the_houses_rules() -> None:
    assert read("Ah Ad 5h", "split", rules=SpotRules(hits_split_aces=True)) == (["Ah 5h", "Ad"], 0, False)
    assert read("Ah Ad As", "split") == (["Ah As", "Ad"], 1, True)
    assert read("Ah Ad As", "split", rules=SpotRules(resplits_aces=True)) == (["Ah As", "Ad"], 0, False)
    full = SpotRules(resplits_aces=True, max_hands=2)
    assert read("Ah Ad As", "split", rules=full) == (["Ah As", "Ad"], 1, True)


@pytest.mark.clause("BJ.1", "BJ.4")
@pytest.mark.parametrize(
    ("rules", "held", "is_split", "doubles", "splits"),
    [
        (SpotRules(), "8h 8d", False, True, True),
        (SpotRules(), "Jh Kd", False, True, True),
        (SpotRules(splits_on_value=False), "Jh Kd", False, True, False),
        (SpotRules(max_hands=1), "8h 8d", False, True, False),
        (SpotRules(doubles_on=range(10, 12)), "5h 4d", False, False, False),
        (SpotRules(doubles_after_split=False), "8h 3d", True, False, False),
        (SpotRules(), "8h 3d", True, True, False),
        (SpotRules(), "Ah Ad", True, False, False),
        (SpotRules(resplits_aces=True), "Ah Ad", True, False, True),
        (SpotRules(hits_split_aces=True), "Ah 5d", True, True, False),
        (SpotRules(), "2h 3d 4c", False, False, False),
    ],
)
def test_what_a_hand_may_double_and_split(
    rules: SpotRules, held: str, is_split: bool, doubles: bool, splits: bool
) -> None:
    hand = rules.hand(cards(held), is_split=is_split)
    assert (rules.may_double(hand), rules.may_split(hand, 1)) == (doubles, splits)


@pytest.mark.clause("BJ.4")
def test_an_ace_and_a_ten_after_a_split_are_21_and_no_blackjack() -> None:
    assert SpotRules().hand(cards("Ah Kd")).is_blackjack
    assert not SpotRules().hand(cards("Ah Kd"), is_split=True).is_blackjack


def test_the_house_may_stand_every_21() -> None:
    stands = SpotRules(stands_on_21=True)
    assert read("7h 7d 7c", "hit") == (["7h 7d 7c"], 0, False)
    assert read("7h 7d 7c", "hit", rules=stands) == (["7h 7d 7c"], None, False)
    assert read("Kh Kd Ah", "split", rules=stands) == (["Kh Ah", "Kd"], 1, True)


@pytest.mark.clause("BJ.4")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["Kh 6d"], ["Tc 6s"]),  # suits, and which ten-value card it is
        (["9h 7d"], ["7h 9d"]),
        (["2h 3d 4c 5s", "hit", "hit"], ["Th 2d 2c", "hit"]),
        (["Ah 7d", "stand"], ["Th 8d", "stand"]),  # a finished hand is what it came to
        (["8h 8d Th 3s", "split", "stand"], ["8h 8d 2h 8s 3c", "split", "hit", "stand"]),
    ],
)
def test_spots_with_equal_futures_are_equal(one: list[str], other: list[str]) -> None:
    assert spot_of(*one) == spot_of(*other)


@pytest.mark.clause("BJ.4")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["8h 8d"], ["9h 7d"]),  # a pair may be split
        (["Th 4d"], ["Th 2d 2c", "hit"]),  # two cards may be doubled
        (["Ah 5d"], ["Th 6d"]),
        (["Ah 6d 3c", "hit", "stand"], ["Ah Td"]),  # no blackjack
        (["5h 6d 2c", "double"], ["5h 6d 2c", "hit", "stand"]),
    ],
)
def test_spots_with_different_futures_differ(one: list[str], other: list[str]) -> None:
    assert spot_of(*one) != spot_of(*other)
