"""A written round and its replay: legality lives in the grammar, and the replay ends where the round did."""

import json
from typing import Any

import msgspec
import pytest

from feltworks import catalog
from feltworks.cards import card
from feltworks.errors import FeltError, ImpossibleRound
from feltworks.hands.blackjack import ACES
from feltworks.rules.advance import peek_answer
from feltworks.rules.round import DEALER, Back, Choice, Round
from feltworks.rules.steps import Peek
from feltworks.written.record import FinishedRound, FinishedSeat
from feltworks.written.replay import replay
from tests.pit import Written, bacc, bj, paid, refused, sheet, walked, written


def replayed(game: str, *spots: Written, dealer: str, **options: Any) -> Round:
    finished = msgspec.convert(written(game, *spots, dealer=dealer), FinishedRound)
    return replay(catalog.game(game, options=options), finished)


@pytest.mark.parametrize(
    ("game", "spots", "dealer"),
    [
        ("fu-bacc", [bacc("6d Kd 2c", "hit", ante=1000), bacc("7d Qd 3c", tie=500)], "Kh 5s 2s"),
        ("lucky-break", [bj("8h 8d", "8h Ts", "8c 3c Tc double", "8d 9d", blackjack=1000)], "Ac 5d Ts 2s"),
        ("lucky-lucky", [bj("Ah Kh", blackjack=500, lucky_break=100), bj("Th 9h", blackjack=5)], "6c Td Ks"),
        ("acey-deucey-21", [bj("5c 7h", blackjack=500, acey_deucey=500, raise_=200)], "6d As"),
    ],
)
def test_a_replay_ends_where_the_steps_one_by_one_do(game: str, spots: list[Written], dealer: str) -> None:
    _, moments = walked(game, *spots, dealer=dealer)
    assert replayed(game, *spots, dealer=dealer) == moments[-1].after


def test_cards_nobody_turned_stay_backs_in_the_replay() -> None:
    folded = replayed("fu-bacc", bacc("6d Kd 2c", "fold", ante=1000), dealer="Kh 5s 2s")
    assert [isinstance(face, Back) for face in folded.dealer] == [False, True, True]
    assert isinstance(folded.seats[0].cards[2], Back)
    bust = replayed("lucky-break", bj("Th 6h", "Th 6h Ts", blackjack=1000), dealer="Tc 5d")
    assert bust.dealer[0] == Back(barring=ACES)


@pytest.mark.parametrize(
    ("hands", "order"),
    [
        (["8h Ts", "8d 9s"], [0, 1]),
        (["8d 9s", "8h Ts"], [0, 1]),  # written in whatever order
        (["8h Ts", "8d 9s", "8c 3s"], [0, 1, 2]),
        (["8c 3s", "8d 9s", "8s 4s Td", "8h Ts"], [0, 1, 2, 3]),
    ],
)
def test_split_hands_are_answered_in_the_order_they_were_written(hands: list[str], order: list[int]) -> None:
    spot = bj("8h 8d", *hands, blackjack=1000)
    (line,) = sheet("lucky-break", spot, dealer="8c Td")["seats"][0]["lines"]
    assert [" ".join(hand["cards"]) for hand in line["hands"]] == [hands[place] for place in order]


def test_the_order_in_which_hands_are_written_changes_no_money() -> None:
    hands = ["8h Ts", "8c 3c Tc double", "8s 6s Ks", "8d 9d"]
    nets = {
        paid("lucky-break", bj("8h 8d", *order, blackjack=1000), dealer="8c Td")["blackjack"]
        for order in (hands, hands[::-1], [hands[2], hands[0], hands[3], hands[1]])
    }
    assert nets == {("push", 0)}  # 18 pushes, 21 doubled wins 2, 24 and 17 lose


@pytest.mark.parametrize(
    ("spot", "dealer", "words"),
    [
        (bj("Th", blackjack=1000), "8c Td", "lists its first two cards"),
        (bj("Th 9h 2h", blackjack=1000), "8c Td", "lists its first two cards"),
        (
            bj("Th 6h", "Th 5h Ks", blackjack=1000),
            "8c Td",
            "an unsplit hand begins with the seat's two cards",
        ),
        (bj("8h 8d", "8h Ts", "8c Ts", blackjack=1000), "9c Td", "none begins with 8d"),
        (bj("8h 8d", "8h", "8d Ts", blackjack=1000), "9c Td", "seat 1"),
        (bj("8h 8d", "8h Ts", "8d surrender", blackjack=1000), "9c Td", "seat 1"),
        (bj("8h 8d", "8h", "8d", blackjack=1000), "Ac Kd", "seat 1 chose to split, and no such decision"),
        (bj("Ah Kh", "Ah", "Kh", blackjack=1000), "8c Td", "seat 1 chose to split, and no such decision"),
        (bj("Th 9h", "Th 9h 2s", blackjack=1000), "8c", "the dealer"),
        (bj("Th 9h", blackjack=1000), "8c Td 2s", "the dealer has a card more than the rules allow"),
        (bj("Th 9h", blackjack=1000), "8c 5d", "the dealer is short of a card the rules require"),
        (bj("Th 9h", blackjack=1000), "8c 2d 5d", "the dealer is short of a card the rules require"),
    ],
)
def test_cards_that_do_not_fit_the_rules_are_refused(spot: Written, dealer: str, words: str) -> None:
    up, *rest = dealer.split()
    hole = {"hole": rest[0]} if rest else {}
    round_ = {"game": "lucky-break", "seats": [spot], "dealer": {"up": up, **hole, "draws": rest[1:]}}
    finished = msgspec.json.decode(json.dumps(round_), type=FinishedRound)
    with pytest.raises(FeltError) as refusal:
        replay(catalog.game("lucky-break"), finished)
    assert words in str(refusal.value)


@pytest.mark.clause("FB.15", "FB.19")
@pytest.mark.parametrize(
    ("spots", "words"),
    [
        ([3, 5], None),
        ([None, None], None),
        ([2, 1], "listed by spot from the dealer's left, each spot once"),
        ([2, 2], "listed by spot from the dealer's left, each spot once"),
        ([0, 1], "the table has spots 1 to 7"),
        ([7, 8], "the table has spots 1 to 7"),
    ],
)
def test_seats_are_listed_by_spot_from_the_dealers_left(spots: list[int | None], words: str | None) -> None:
    held = ["8d Kd 2c", "7d Qd 3c"]
    seats = [bacc(cards, "stay", ante=500, spot=spot) for cards, spot in zip(held, spots, strict=True)]
    if words is None:
        assert sheet("fu-bacc", *seats, dealer="Kh 7s 2s")
    else:
        assert words in refused("fu-bacc", *seats, dealer="Kh 7s 2s")


def test_choices_are_read_one_or_several_with_or_without_amounts() -> None:
    def spoken(**said: Any) -> list[Choice]:
        return msgspec.convert({"wagers": {}, **said}, FinishedSeat).listed_choices

    assert spoken() == []
    assert spoken(choice="fold") == [Choice("fold")]
    both = spoken(choices=["check", {"name": "raise", "cents": 500}])
    assert both == [Choice("check"), Choice("raise", 500)]


@pytest.mark.clause("BJ.1")
def test_a_peek_shows_a_wanted_card_and_of_any_other_what_it_is_not() -> None:
    step = Peek(DEALER, 0, ACES)
    assert peek_answer(step, card("Ah")) == (card("Ah"),)
    assert peek_answer(step, card("9h")) == (Back(barring=ACES),)


def test_the_dealers_cards_are_asked_for_by_name() -> None:
    finished = FinishedRound("fu-bacc", [], {"up": "9s", "third": 4, "draws": "9s"})
    assert finished.dealer_card("up") == "9s"
    for key in ("hole", "third"):
        with pytest.raises(ImpossibleRound, match=f"the dealer's {key} card is missing"):
            finished.dealer_card(key)
    with pytest.raises(ImpossibleRound, match="the dealer's draws is a list of cards"):
        finished.dealer_list("draws")
    assert finished.dealer_list("cards") == []
