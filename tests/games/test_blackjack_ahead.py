"""A written round played ahead ends as it does when every decision is asked, and is refused alike."""

import pytest

from feltworks import catalog
from feltworks.cards import cards
from feltworks.games.blackjack import Blackjack
from feltworks.games.blackjack.written import WrittenBlackjack
from feltworks.rules.game import Game
from feltworks.rules.record import FinishedHand
from feltworks.rules.round import Seat
from feltworks.settling import settle_line
from tests.oracle.campaign import illegal_cases, junk_lines, legal_cases

FAMILY = "blackjack-family"


def test_playing_ahead_changes_neither_settlements_nor_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    lawful = [case.text for case in legal_cases(FAMILY, 1_200, seed=22)]
    refused = [case.text for case in illegal_cases(FAMILY, 1_200, seed=22)]
    lines = [*lawful, *refused, *junk_lines(FAMILY, 600, seed=22)]
    ahead = [settle_line(line) for line in lines]
    monkeypatch.setattr(WrittenBlackjack, "play_ahead", Game.play_ahead)
    assert ahead == [settle_line(line) for line in lines]


def way(hand: str, *, doubled: bool = False, surrendered: bool = False, **options: object) -> str | None:
    """The choices that play one hand to these cards at a table of these options."""
    table = catalog.game("lucky-lucky", options={name.replace("_", "-"): v for name, v in options.items()})
    assert isinstance(table, Blackjack)
    lying = cards(hand)
    written = FinishedHand(hand.split(), doubled, surrendered)
    played = table.played_through([written], lying, Seat({"blackjack": 500}, lying[:2]))
    return played and " ".join(choice.name for choice in played[0].choices)


@pytest.mark.parametrize(
    ("hand", "choices"),
    [
        ("Th 9d", "stand"),
        ("Th 2d 3c", "hit stand"),
        ("Th 2d Kc", "hit"),
        ("Ah Kd", ""),
        ("5h 5d Ac 9d", "hit hit stand"),
    ],
)
@pytest.mark.clause("BJ.2", "BJ.4")
def test_a_hand_is_played_through_by_the_choices_that_lead_to_its_cards(hand: str, choices: str) -> None:
    assert way(hand) == choices


@pytest.mark.clause("BJ.1", "BJ.4")
def test_where_the_rules_lead_elsewhere_no_hand_is_played_through() -> None:
    assert way("5h 6d 2c", doubled=True) == "double"
    assert way("5h 2d 2c", doubled=True) == "double"
    assert way("5h 2d 2c", doubled=True, double="9-11") is None
    assert way("5h 6d 2c 3c", doubled=True) is None
    assert way("Ah Kd", doubled=True) is None
    assert way("Th Td 2c 3c") is None
    assert way("Th 6d", surrendered=True, surrender="late") == "surrender"
    assert way("Th 6d", surrendered=True) is None


def split_way(dealt: str, *hands: str, **options: object) -> str | None:
    """The choices that play a pair, and the cards that came to it, to these hands ("double" behind them)."""
    table = catalog.game("lucky-lucky", options={name.replace("_", "-"): v for name, v in options.items()})
    assert isinstance(table, Blackjack)
    written = [FinishedHand(hand.removesuffix(" double").split(), hand.endswith("double")) for hand in hands]
    lying = cards(dealt)
    played = table.played_through(written, lying, Seat({"blackjack": 500}, lying[:2]))
    if played is None:
        return None
    seat, spot = played
    assert spot == table.spot_rules.read(seat.cards, [choice.name for choice in seat.choices])
    assert seat.wagers["blackjack"] == 500 * sum(1 + hand.is_doubled for hand in spot.hands)
    return " ".join(f"{choice.about[-1]}:{choice.name}" for choice in seat.choices)


@pytest.mark.clause("BJ.1", "BJ.4")
def test_split_hands_are_played_through_one_after_another() -> None:
    assert split_way("8h 8d Tc 3s", "8h Tc", "8d 3s") == "1:split 1:stand 2:stand"
    assert split_way("8h 8d 3s Tc Kd", "8h 3s Tc double", "8d Kd") == "1:split 1:double 2:stand"
    three = split_way("8h 8d 8c Tc Td Ts", "8h Tc", "8c Td", "8d Ts")
    assert three == "1:split 1:split 1:stand 2:stand 3:stand"
    assert split_way("Ah Ad 5c Kd", "Ah 5c", "Ad Kd") == "1:split"


@pytest.mark.clause("BJ.1", "BJ.4")
def test_where_the_rules_lead_elsewhere_no_spot_is_played_through() -> None:
    assert split_way("8h 7d Tc 3s", "8h Tc", "7d 3s") is None
    assert split_way("8h 8d Tc", "8h Tc", "8d 3s") is None
    assert split_way("8h 8d 8c Tc Td Ts", "8h Tc", "8c Td", "8d Ts", max_hands=2) is None
    assert split_way("8h 8d 3s Tc Kd", "8h 3s Tc double", "8d Kd", double_after_split=False) is None


@pytest.mark.clause("BJ.5")
def test_a_dealer_who_had_no_reason_to_draw_is_not_played_ahead() -> None:
    # Without peek the hole card shows that the player's blackjack stands alone: nothing waits for more.
    line = (
        '{"game": "lucky-lucky", "options": {"peek": false},'
        ' "dealer": {"hole": "6d", "up": "Th", "draws": %s},'
        ' "seats": [{"wagers": {"blackjack": 500, "lucky-lucky": 500}, "cards": ["Ah", "Kc"]}]}'
    )
    assert settle_line(line % "[]")["seats"][0]["lines"][0]["net"] == 750
    assert settle_line(line % '["5c"]')["error"] == "the dealer has a card more than the rules allow"
