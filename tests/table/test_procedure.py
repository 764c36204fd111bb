"""The dealer's procedure in the documents' order, as the log tells it."""

import pytest

from feltworks.rules.steps import Say
from feltworks.table.events import CardsDealt, RoundOpened
from feltworks.table.log import entries
from tests.table.stacked import events, stacked_table, told


@pytest.mark.clause("FB.16", "FB.17", "FB.18")
def test_fu_bacc_is_dealt_decided_and_settled_in_the_documents_order() -> None:
    # Seat 1 hits 5 to 7, seat 2 folds with a Tie on 3, seat 3 stays on 6; the dealer draws to 4.
    table = stacked_table("fu-bacc", "5c Kd 2h Ad 2c 8h 6c Kc 7s 9s 4h Ac")
    for spot, (name, tie) in enumerate([("ann", 0), ("bob", 500), ("cleo", 0)], 1):
        table.sit(name, spot, stack=10_000)
        table.wager(name, spot, {"ante": 1000, "tie": tie} if tie else {"ante": 1000})
    table.deal()
    table.choose("ann", 1, "hit")
    table.choose("bob", 2, "fold")
    table.choose("cleo", 3, "stay")
    assert told(table) == [
        "say No more bets",
        "deal seat 1 5c Kd",
        "deal seat 1 ?",
        "deal seat 2 Ad 2c",
        "deal seat 2 ?",
        "deal seat 3 6c Kc",
        "deal seat 3 ?",
        "deal dealer ???",
        "turn dealer 9s",
        "seat 1 hit 2000",
        "turn seat 1 2h",
        "tuck seat 1 under play",
        "seat 2 fold",
        "tuck seat 2 under tie",
        "burn seat 2 card 3",
        "taken seat 2 ante 1000",
        "seat 3 stay 2000",
        "tuck seat 3 under play",
        "burn seat 3 card 3",
        "turn dealer 4h",
        "turn dealer Ac",
        "say Dealer has 4",
        "paid seat 3 ante 1000",
        "returned seat 3 ante 1000",
        "paid seat 3 play 2000",
        "returned seat 3 play 2000",
        "taken seat 2 tie 500",
        "paid seat 1 ante 1000",
        "returned seat 1 ante 1000",
        "paid seat 1 play 2000",
        "returned seat 1 play 2000",
        "closed",
    ]


@pytest.mark.clause("FB.16")
def test_no_more_bets_is_announced_before_any_card_leaves_the_deck() -> None:
    table = stacked_table("fu-bacc", "5c Kd 2h 9s 4h Ac")
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    kinds = [type(entry.event) for entry in entries(table.log.lines)]
    assert kinds[:3] == [RoundOpened, Say, CardsDealt]
    announced = events(table)[0]
    assert announced == Say("No more bets", "FB.16")


@pytest.mark.clause("FB.18")
def test_a_standing_dealer_burns_the_hit_card_and_announces_the_total() -> None:
    table = stacked_table("fu-bacc", "5c Kd 2h 9s 7h Ac")
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    table.choose("ann", 1, "stay")
    at = told(table).index("turn dealer 7h")
    assert told(table)[at + 1 : at + 3] == ["burn dealer card 3", "say Dealer has 6"]


@pytest.mark.clause("FB.8", "FB.12", "FB.18")
def test_a_natural_bonus_is_paid_at_the_spots_turn_and_its_tie_is_settled_last() -> None:
    table = stacked_table("fu-bacc", "9c Kd 2h 6c Kc 7s 9s Kh Ac")
    table.sit("ann", 1, stack=10_000)
    table.sit("bob", 2, stack=10_000)
    table.wager("ann", 1, {"ante": 1000, "tie": 500})
    table.wager("bob", 2, {"ante": 1000})
    table.deal()
    table.choose("ann", 1, "bonus")
    assert told(table)[-4:] == [
        "tuck seat 1 under tie",
        "burn seat 1 card 3",
        "paid seat 1 ante 2000",
        "returned seat 1 ante 1000",
    ]
    table.choose("bob", 2, "fold")
    assert told(table)[-3:] == ["paid seat 1 tie 3500", "returned seat 1 tie 500", "closed"]


@pytest.mark.clause("FB.18")
def test_folded_antes_are_cleared_before_the_hole_card_is_exposed() -> None:
    table = stacked_table("fu-bacc", "5c Kd 2h 6c Kc 7s 9s 4h Ac")
    table.sit("ann", 1, 2, stack=10_000)
    table.wager("ann", 1, {"ante": 1000})
    table.wager("ann", 2, {"ante": 1000})
    table.deal()
    table.choose("ann", 1, "stay")
    table.choose("ann", 2, "fold")
    assert told(table).index("taken seat 2 ante 1000") < told(table).index("turn dealer 4h")


@pytest.mark.clause("FB.18")
def test_where_no_wager_depends_on_it_the_dealers_hand_is_not_completed() -> None:
    table = stacked_table("fu-bacc", "5c Kd 2h 9s 4h Ac")
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    table.choose("ann", 1, "fold")
    assert told(table)[-4:] == ["burn seat 1 card 3", "taken seat 1 ante 1000", "discard seat 1", "closed"]


@pytest.mark.clause("AD.7", "AD.15")
def test_acey_deucey_players_check_or_raise_before_the_up_card_and_are_settled_as_it_falls() -> None:
    # Cards are dealt one at a time: seats 1 and 2 twice, the dealer's hole card, then the up card.
    table = stacked_table("acey-deucey-21", "5c Kd 9h Qh Qs 7s 8c")
    table.sit("ann", 1, stack=10_000)
    table.sit("bob", 2, stack=10_000)
    table.wager("ann", 1, {"blackjack": 1000, "acey-deucey": 100, "war": 200})
    table.wager("bob", 2, {"blackjack": 1000, "acey-deucey": 100})
    table.deal()
    assert told(table)[1:] == [
        "deal seat 1 5c",
        "deal seat 2 Kd",
        "deal seat 1 9h",
        "deal seat 2 Qh",
        "deal dealer ?",
    ]
    assert [step.seat for step in table.decisions] == [0, 1]
    table.choose("bob", 2, "check")  # decisions that stand open together are answered in any order
    table.choose("ann", 1, "raise", 150)
    assert told(table)[6:] == [
        "seat 2 check",
        "seat 1 raise 150",
        "deal dealer 7s",
        "taken seat 2 acey-deucey 100",
        "taken seat 1 war 200",
        "paid seat 1 acey-deucey 100",
        "returned seat 1 acey-deucey 100",
        "paid seat 1 raise 150",
        "returned seat 1 raise 150",
    ]
    assert [(step.seat, step.about) for step in table.decisions] == [(0, "hand 1")]


@pytest.mark.clause("LL.5", "LL.1")
def test_lucky_lucky_is_settled_from_the_dealers_right_before_insurance_and_check() -> None:
    # 6-7 and an ace up make no row; 9 and ace with the ace make 21; the dealer has blackjack.
    table = stacked_table("lucky-lucky", "6c 9d 7h Ah Kh As")
    table.sit("ann", 1, stack=10_000)
    table.sit("bob", 2, stack=10_000)
    table.wager("ann", 1, {"blackjack": 1000, "lucky-lucky": 500})
    table.wager("bob", 2, {"blackjack": 1000, "lucky-lucky": 500})
    table.deal()
    assert told(table)[6:] == [
        "deal dealer As",
        "paid seat 2 lucky-lucky 1500",
        "returned seat 2 lucky-lucky 500",
        "taken seat 1 lucky-lucky 500",
    ]
    assert {step.about for step in table.decisions} == {"insurance"}
    table.choose("ann", 1, "decline")
    table.choose("bob", 2, "decline")
    assert told(table)[-4:] == [
        "peek Kh",
        "taken seat 2 blackjack 1000",
        "taken seat 1 blackjack 1000",
        "closed",
    ]


@pytest.mark.clause("LL.5")
def test_lucky_lucky_is_settled_before_a_ten_is_checked_under() -> None:
    table = stacked_table("lucky-lucky", "6c 7h 5h Kd Ts Tc")
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"blackjack": 1000, "lucky-lucky": 500})
    table.deal()
    log = told(table)
    assert log.index("taken seat 1 lucky-lucky 500") < log.index("peek no")


@pytest.mark.clause("LB.3", "LB.4")
def test_a_bust_hand_is_taken_and_tucked_under_the_lucky_break_that_plays_on() -> None:
    table = stacked_table("lucky-break", "Tc 6h 6d Ts 9h Td")
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"blackjack": 1000, "lucky-break": 500})
    table.deal()
    table.choose("ann", 1, "hit")
    after = told(table).index("deal seat 1 9h")
    assert told(table)[after:] == [
        "deal seat 1 9h",
        "tuck seat 1 under lucky-break",
        "taken seat 1 blackjack 1000",
        "turn dealer 6d",
        "deal dealer Td",
        "paid seat 1 lucky-break 1500",
        "returned seat 1 lucky-break 500",
        "closed",
    ]


@pytest.mark.clause("SP.23")
def test_spanish_hands_are_settled_from_the_dealers_right_each_racked_before_the_next() -> None:
    # Seat 1 raises two kings and loses to aces, seat 2 folds, seat 3 raises three queens and wins.
    table = stacked_table("spanish-poker", "Kc Kd 2h 3h 4s 2c 3d 5h 7c Jc Qc Qd Qh 2d 3c Ac Ad 5s 6s 4c")
    for spot, name in enumerate(["ann", "bob", "cleo"], 1):
        table.sit(name, spot, stack=10_000)
        table.wager(name, spot, {"ante": 1000})
    table.deal()
    for name, spot, said in [("cleo", 3, "raise"), ("ann", 1, "raise"), ("bob", 2, "fold")]:
        table.choose(name, spot, said)
    assert told(table)[1:5] == [
        "deal seat 1 Kc Kd 2h 3h 4s",
        "deal seat 2 2c 3d 5h 7c Jc",
        "deal seat 3 Qc Qd Qh 2d 3c",
        "deal dealer ?????",
    ]
    assert "Dealer qualifies" in told(table)[11]
    assert told(table)[8:11] + told(table)[12:] == [
        "taken seat 2 ante 1000",
        "discard seat 2",
        "turn dealer Ac Ad 5s 6s 4c",
        "paid seat 3 ante 3000",
        "returned seat 3 ante 1000",
        "paid seat 3 raise 2000",
        "returned seat 3 raise 2000",
        "discard seat 3",
        "taken seat 1 ante 1000",
        "taken seat 1 raise 2000",
        "discard seat 1",
        "closed",
    ]


@pytest.mark.clause("SP.23", "SP.8")
def test_a_house_that_does_not_qualify_returns_raises_and_pays_antes() -> None:
    table = stacked_table("spanish-poker", "Kc Kd 2h 3h 4s Ac Qd 5s 6s 4c")
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    table.choose("ann", 1, "raise")
    assert told(table)[-5:] == [
        "returned seat 1 raise 2000",
        "paid seat 1 ante 1000",
        "returned seat 1 ante 1000",
        "discard seat 1",
        "closed",
    ]
