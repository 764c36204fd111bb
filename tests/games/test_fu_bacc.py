"""Fu Bacc, clause by clause: what is dealt, decided, seen and paid. Dealers read up, hole, hit card."""

from typing import Any

import pytest

from feltworks import catalog
from feltworks.cards import Card
from feltworks.errors import NotOffered
from feltworks.games.fu_bacc import FuBacc
from feltworks.rules.advance import advance
from feltworks.rules.round import DEALER, Back, Choice, Round
from feltworks.rules.steps import Burn, Decide, Discard, Draw, Offer, Say, Tuck, Turn
from tests.pit import (
    Paid,
    Written,
    bacc,
    decisions,
    gestures,
    lines_at,
    paid,
    refused,
    settled,
    sheet,
    walked,
)

STANDS_ON_7 = "Kh 7s 2s"
STANDS_ON_9 = "Kh 9s 2s"


def fu_bacc(spot: Written, dealer: str = STANDS_ON_7, **terms: Any) -> Paid:
    return paid("fu-bacc", spot, dealer=dealer, **terms)


def reason(spot: Written, dealer: str, wager: str = "ante") -> str:
    lines = sheet("fu-bacc", spot, dealer=dealer)["seats"][0]["lines"]
    found: str = next(line["because"] for line in lines if line["wager"] == wager)
    return found


def names(spot: Written, dealer: str = STANDS_ON_7, **terms: Any) -> list[str]:
    """What this hand was offered."""
    _, moments = walked("fu-bacc", spot, dealer=dealer, **terms)
    return decisions(moments)[0][2]


# Cards and hands


@pytest.mark.clause("FB.1")
def test_one_standard_deck_shuffled_for_every_round() -> None:
    terms = catalog.game("fu-bacc").terms
    assert (terms.shoe.total, terms.decks, terms.rulebook.cards.shuffle) == (52, 1, "every round")
    twice = refused("fu-bacc", bacc("Kh 5d 2c", "stay", ante=1000), dealer="9s 3h 2c")
    assert twice == "the shoe holds only 1 of card 2c"
    assert "no option 'decks'" in refused(
        "fu-bacc", bacc("Kd 5d 2c", "stay", ante=1000), dealer=STANDS_ON_7, options={"decks": 2}
    )


@pytest.mark.clause("FB.2")
@pytest.mark.parametrize(
    ("held", "choice", "dealer", "total"),
    [
        ("Th 6d 2c", "stay", "Jd 6c 2d", 6),  # a ten adds nothing
        ("Kh Qd 7c", "hit", "7d Jc 2d", 7),  # nor do king, queen and jack
        ("Ah 8d 2c", "stay", "8c Ad 2d", 9),  # an ace counts one
        ("9h 9d 2c", "stay", "9c 9s 2d", 8),  # 18: the last digit
        ("5h 5d Kc", "hit", "Qd Jc Ts", 0),  # 10 and 0 are the same, the worst total
        ("9h 8d 7c", "hit", "2c 2d Tc", 4),  # 24
        ("Th 5d 2c", "hit", "Td 7c 2d", 7),  # the document's own examples: 10, 5 and 2 are 7
        ("Th 5d Tc", "hit", "Td 5c Ts", 5),  # and 10, 5 and 10 stay 5
    ],
)
def test_only_the_last_digit_of_the_pips_counts(held: str, choice: str, dealer: str, total: int) -> None:
    assert reason(bacc(held, choice, ante=1000), dealer) == f"{total} ties the dealer's {total}: lose."


@pytest.mark.clause("FB.4")
@pytest.mark.parametrize(
    ("dealer", "total"),
    [
        ("Kh 6s 3s", 6),
        ("9h 7s 3s", 6),  # 16
        ("Kh 9s As", 9),
        ("4h 4s As", 8),
        ("Kh 5s 3s", 8),
        ("2h 3s 9c", 4),
        ("Ah 9s 5s", 5),
        ("Kh Qs 9c", 9),
        ("Kh 5s Ks", 5),
        ("Kh As 2s", 3),  # one card only, though 3 is still 5 or less
    ],
)
def test_the_dealer_stands_on_6_and_draws_one_card_on_5(dealer: str, total: int) -> None:
    because = reason(bacc("Jd Jc 2d", tie=100), dealer, "tie")
    assert because == f"0 does not tie the dealer's {total}: lose."


@pytest.mark.clause("FB.4", "FB.18")
@pytest.mark.parametrize(
    ("dealer", "turned", "done"),
    [
        ("Kh 6s 3s", [1], [Burn(DEALER, 2, "FB.18"), Say("Dealer has 6", "FB.18")]),
        ("Kh 5s 3s", [1, 2], [Say("Dealer has 8", "FB.18")]),
    ],
)
def test_the_hole_card_is_turned_then_the_hit_card_drawn_or_burned(
    dealer: str, turned: list[int], done: list[object]
) -> None:
    _, moments = walked("fu-bacc", bacc("9d 9c 2d", "stay", ante=1000), dealer=dealer)
    after_choice = moments[[isinstance(moment.step, Decide) for moment in moments].index(True) + 1 :]
    assert [moment.step for moment in after_choice] == [Turn(DEALER, index) for index in turned]
    assert gestures(after_choice) == done


# Main wager


@pytest.mark.clause("FB.5")
@pytest.mark.parametrize("held", ["Kd Qd", "Ad Kd", "2d Kd", "3d Kd", "4d Kd", "5d Kd", "6d Kd", "7d Kd", "8d Kd"])
def test_any_total_may_fold_hit_or_stay_for_exactly_twice_the_ante(held: str) -> None:
    _, moments = walked("fu-bacc", bacc(f"{held} 2c", "stay", ante=1250), dealer=STANDS_ON_7)
    (step,) = [moment.step for moment in moments if isinstance(moment.step, Decide)]
    assert {Offer("fold"), Offer("stay", "play", 2500, 2500), Offer("hit", "play", 2500, 2500)} <= {*step.offers}
    assert moments[-1].after.seats[0].wagers == {"ante": 1250, "play": 2500}


@pytest.mark.clause("FB.5")
@pytest.mark.parametrize("cents", [1000, 1999, 2001, 4000, 0])
def test_a_play_wager_of_another_size_is_refused(cents: int) -> None:
    _, moments = walked("fu-bacc", bacc("6d Kd 2c", "stay", ante=1000), dealer=STANDS_ON_7)
    asked = next(moment for moment in moments if isinstance(moment.step, Decide))
    with pytest.raises(NotOffered, match=r"allowed: fold, stay \(\$20 on play\) or hit \(\$20 on play\)"):
        advance(asked.before, asked.step, Choice("stay", cents))


@pytest.mark.clause("FB.5", "FB.16")
def test_the_play_wager_is_never_placed_before_the_deal() -> None:
    error = refused("fu-bacc", bacc("6d Kd 2c", "stay", ante=1000, play=2000), dealer=STANDS_ON_7)
    assert "it follows from the ante wager and is not placed before the deal" in error


@pytest.mark.clause("FB.6")
def test_a_fold_loses_the_ante_even_where_the_hand_would_have_won() -> None:
    assert fu_bacc(bacc("8d Kd 2c", "fold", ante=1000)) == {"ante": ("lose", -1000)}


@pytest.mark.clause("FB.7")
@pytest.mark.parametrize(
    ("held", "choice", "ante", "play"),
    [
        ("8d Kd 2c", "stay", ("win", 1000), ("win", 2000)),
        ("6d Kd 2c", "hit", ("win", 1000), ("win", 2000)),  # 8 against 7
        ("6d Kd 2c", "stay", ("lose", -1000), ("lose", -2000)),
        ("8d Kd 2c", "hit", ("lose", -1000), ("lose", -2000)),  # 8 and 2 are 0
        ("7d Kd 2c", "stay", ("lose", -1000), ("push", 0)),
        ("5d Kd 2c", "hit", ("lose", -1000), ("push", 0)),
    ],
)
def test_higher_wins_both_lower_loses_both_a_tie_loses_the_ante_and_pushes_the_play(
    held: str, choice: str, ante: tuple[str, int], play: tuple[str, int]
) -> None:
    assert fu_bacc(bacc(held, choice, ante=1000)) == {"ante": ante, "play": play}


@pytest.mark.clause("FB.8", "M.1")
@pytest.mark.parametrize(
    ("held", "cents", "breakage", "net"),
    [
        ("9d Kd 2c", 1000, "down", 2000),
        ("5d 4d 2c", 1000, "down", 2000),
        ("8d Kd 2c", 1000, "down", 1500),
        ("9d 9c 2c", 1000, "down", 1500),  # 18 is a natural 8
        ("8d Kd 2c", 333, "down", 499),  # 499.5 cents
        ("8d Kd 2c", 333, "up", 500),
    ],
)
def test_a_natural_9_takes_2_to_1_and_a_natural_8_takes_3_to_2_whatever_the_dealer_holds(
    held: str, cents: int, breakage: str, net: int
) -> None:
    spot = bacc(held, "bonus", ante=cents)
    for dealer in (STANDS_ON_7, STANDS_ON_9):
        assert fu_bacc(spot, dealer, options={"breakage": breakage}) == {"ante": ("win", net)}


@pytest.mark.clause("FB.8")
@pytest.mark.parametrize("held", ["9d Kd 9c", "8d Kd 9c"])
def test_a_natural_may_also_be_folded_or_played_without_its_bonus(held: str) -> None:
    assert names(bacc(held, "bonus", ante=1000)) == ["fold", "bonus", "stay", "hit"]
    assert fu_bacc(bacc(held, "fold", ante=1000))["ante"] == ("lose", -1000)
    assert fu_bacc(bacc(held, "stay", ante=1000)) == {"ante": ("win", 1000), "play": ("win", 2000)}
    played_on = fu_bacc(bacc(held, "hit", ante=1000))  # 18 or 17 against 7
    assert played_on["ante"] == (("win", 1000) if held[0] == "9" else ("lose", -1000))


@pytest.mark.clause("FB.8")
@pytest.mark.parametrize("held", ["7d Kd 2c", "5d Kd 4c"])
def test_7_or_less_and_a_three_card_9_have_no_bonus(held: str) -> None:
    error = refused("fu-bacc", bacc(held, "bonus", ante=1000), dealer=STANDS_ON_7)
    sentence = "seat 1 may not choose bonus; allowed: fold, stay ($20 on play) or hit ($20 on play)"
    assert error == sentence


@pytest.mark.clause("FB.8", "FB.9")
@pytest.mark.parametrize(
    ("spot", "dealer"),
    [
        (bacc("9d Kd 2c", "bonus", ante=1000), STANDS_ON_9),
        (bacc("Jd Kd 2c", "rescue", ante=1000), "9h Ks 2s"),
    ],
)
def test_bonus_and_rescue_are_paid_at_the_spots_turn(spot: Written, dealer: str) -> None:
    table, moments = walked("fu-bacc", spot, bacc("6d Qd 2d", "stay", ante=1000), dealer=dealer)
    first = next(moment for moment in moments if isinstance(moment.step, Decide))
    assert lines_at(table, first.before) == set()
    assert lines_at(table, first.after) == {(0, "ante")}


# FB.9: two monkeys against a 9


@pytest.mark.clause("FB.9")
def test_two_monkeys_against_a_9_may_take_even_money_and_end_the_hand() -> None:
    dealer = "9h Ks 2s"
    assert names(bacc("Jd Kd 2c", "rescue", ante=1000), dealer) == ["fold", "rescue", "stay", "hit"]
    assert fu_bacc(bacc("Jd Kd 2c", "rescue", ante=1000), dealer) == {"ante": ("win", 1000)}
    played_on = {"ante": ("lose", -1000), "play": ("lose", -2000)}
    assert fu_bacc(bacc("Jd Kd 2c", "stay", ante=1000), dealer) == played_on


@pytest.mark.clause("FB.9")
@pytest.mark.parametrize(
    ("held", "dealer"),
    [
        ("Jd Kd 2c", "8h Ks 2s"),
        ("Jd Kd 2c", "Kh 9s 2s"),  # the 9 is in the hole
        ("Jd 9d 2c", "9h Ks 2s"),
        ("5d 5c 2c", "9h Ks 2s"),  # 0 without monkeys
    ],
)
def test_no_rescue_without_two_monkeys_and_a_9_up(held: str, dealer: str) -> None:
    assert "may not choose rescue" in refused("fu-bacc", bacc(held, "rescue", ante=1000), dealer=dealer)


@pytest.mark.clause("FB.3", "FB.9")
@pytest.mark.parametrize("held", ["Td Kd 2c", "Td Tc 2c", "Kd Tc 2c"])
def test_the_ten_is_a_monkey_for_the_rescue_unless_the_house_reads_faces_only(held: str) -> None:
    spot = bacc(held, "rescue", ante=1000)
    assert fu_bacc(spot, "9h Ks 2s") == {"ante": ("win", 1000)}
    faces_only = {"fu-bacc.rescue-ten": False}
    assert "may not choose rescue" in refused("fu-bacc", spot, dealer="9h Ks 2s", options=faces_only)
    queens = bacc("Qd Qc 2c", "rescue", ante=1000)
    assert fu_bacc(queens, "9h Ks 2s", options=faces_only) == {"ante": ("win", 1000)}


# Lucky Monkey


@pytest.mark.clause("FB.10")
@pytest.mark.parametrize(
    ("up", "times"),
    [
        ("9", 30),
        ("8", 20),
        ("7", 15),
        ("6", 10),
        *((up, 5) for up in ("5", "4", "3", "2", "A", "T", "J", "Q", "K")),
    ],
)
def test_lucky_monkey_is_paid_by_the_dealers_up_card(up: str, times: int) -> None:
    spot = bacc("Jd Kd 2c", "fold", ante=1000, lucky_monkey=500)
    assert fu_bacc(spot, f"{up}h 9s 2s")["lucky-monkey"] == ("win", 500 * times)


@pytest.mark.clause("FB.3", "FB.10")
@pytest.mark.parametrize(
    ("held", "wins"),
    [
        *((f"{a}d {b}c 2c", True) for a, b in ("TT", "TJ", "JQ", "QK", "KT", "KK")),
        *((f"{a}d {b}c 2c", False) for a, b in ("K9", "AK", "A9", "55", "T3")),
        ("Kd 5c Jc", False),  # the monkey in the hit card is no help
    ],
)
def test_ten_jack_queen_and_king_are_the_monkeys(held: str, wins: bool) -> None:
    for ten in (True, False):  # the rescue's reading does not touch Lucky Monkey
        spot = bacc(held, "fold", ante=1000, lucky_monkey=500)
        won = fu_bacc(spot, "9h Ks 2s", options={"fu-bacc.rescue-ten": ten})["lucky-monkey"]
        assert won == (("win", 15000) if wins else ("lose", -500))


@pytest.mark.clause("FB.10")
@pytest.mark.parametrize("choice", ["fold", "stay", "hit", "rescue"])
def test_lucky_monkey_is_settled_at_the_spots_turn_and_nothing_later_changes_it(choice: str) -> None:
    spot = bacc("Jd Kd 2c", choice, ante=1000, lucky_monkey=500)
    loser = bacc("4d 5c 2d", "stay", ante=1000, lucky_monkey=500)
    table, moments = walked("fu-bacc", spot, loser, dealer="9h Ks 2s")
    first, second = [moment for moment in moments if isinstance(moment.step, Decide)]
    assert (0, "lucky-monkey") not in lines_at(table, first.before)
    assert (0, "lucky-monkey") in lines_at(table, first.after)
    assert (1, "lucky-monkey") not in lines_at(table, second.before)
    assert (1, "lucky-monkey") in lines_at(table, second.after)
    nets = [
        {line.net for line in table.settle(m.after) if line.wager == "lucky-monkey" and not line.seat} for m in moments
    ]
    assert nets[moments.index(first) :] == [{15000}] * len(nets[moments.index(first) :])


# Tie


@pytest.mark.clause("FB.11")
@pytest.mark.parametrize(
    ("held", "choice", "tie"),
    [
        ("7d Kd 2c", "stay", ("win", 3500)),
        ("5d Kd 2c", "hit", ("win", 3500)),
        ("7d Kd 2c", "hit", ("lose", -500)),  # 7 on two cards, 9 in the end
        ("5d Kd 2c", "stay", ("lose", -500)),
    ],
)
def test_the_tie_pays_7_to_1_on_equal_final_totals(held: str, choice: str, tie: tuple[str, int]) -> None:
    assert fu_bacc(bacc(held, choice, ante=1000, tie=500))["tie"] == tie


@pytest.mark.clause("FB.12")
@pytest.mark.parametrize(
    ("held", "choice", "dealer", "tie"),
    [
        ("7d Kd 2c", "fold", "Kh 7s 2s", ("win", 3500)),
        ("5d Kd 2c", "fold", "Kh 7s 2s", ("lose", -500)),  # its third card would have tied
        ("9d Kd 9c", "bonus", "Kh 9s 2s", ("win", 3500)),
        ("8d Kd Ac", "bonus", "Kh 9s 2s", ("lose", -500)),
        ("Jd Kd 2c", "rescue", "9h As Ks", ("win", 3500)),  # 9 and A are 0, the king leaves it 0
        ("Jd Kd 9c", "rescue", "9h Ks 2s", ("lose", -500)),
    ],
)
def test_a_hand_that_has_ended_keeps_its_tie_on_the_first_two_cards(
    held: str, choice: str, dealer: str, tie: tuple[str, int]
) -> None:
    assert fu_bacc(bacc(held, choice, ante=1000, tie=500), dealer)["tie"] == tie


@pytest.mark.clause("FB.12")
def test_by_another_reading_the_tie_loses_with_the_rescue_and_with_it_alone() -> None:
    loses = {"fu-bacc.rescue-tie": "loses"}
    rescued = bacc("Jd Kd 2c", "rescue", ante=1000, tie=500)
    assert fu_bacc(rescued, "9h As Ks", options=loses) == {"ante": ("win", 1000), "tie": ("lose", -500)}
    folded = bacc("Jd Kd 2c", "fold", ante=1000, tie=500)
    assert fu_bacc(folded, "9h As Ks", options=loses)["tie"] == ("win", 3500)


@pytest.mark.clause("FB.13")
@pytest.mark.parametrize(
    ("held", "wagers", "won"),
    [
        ("7d Kd 2c", {"tie": 500}, {"tie": ("win", 3500)}),
        ("5d Kd 2c", {"tie": 500}, {"tie": ("lose", -500)}),
        ("9d Kd 2c", {"tie": 500}, {"tie": ("lose", -500)}),  # no natural bonus
        (
            "Jd Kd 7c",
            {"tie": 500, "lucky_monkey": 100},
            {"tie": ("lose", -500), "lucky-monkey": ("win", 500)},
        ),
        (
            "7d Kd 2c",
            {"tie": 500, "lucky_monkey": 100},
            {"tie": ("win", 3500), "lucky-monkey": ("lose", -100)},
        ),
        ("Jd Kd 7c", {"lucky_monkey": 100}, {"lucky-monkey": ("win", 500)}),
    ],
)
def test_without_an_ante_the_first_two_cards_play_and_nothing_is_asked(
    held: str, wagers: dict[str, int], won: Paid
) -> None:
    spot = bacc(held, **wagers)
    assert fu_bacc(spot) == won
    _, moments = walked("fu-bacc", spot, dealer=STANDS_ON_7)
    assert decisions(moments) == []


@pytest.mark.clause("FB.13")
@pytest.mark.parametrize("wager", ["tie", "lucky_monkey"])
def test_the_hit_card_of_a_spot_without_an_ante_is_burned(wager: str) -> None:
    _, moments = walked("fu-bacc", bacc("6d Kd 2c", **{wager: 500}), dealer=STANDS_ON_7)
    burned = [(g.at, g.index) for g in gestures(moments) if isinstance(g, Burn)]
    assert burned.count((0, 2)) == 1


@pytest.mark.clause("FB.13")
@pytest.mark.parametrize("choice", ["fold", "stay", "hit", "bonus", "rescue"])
def test_a_spot_without_an_ante_has_no_choice(choice: str) -> None:
    error = refused("fu-bacc", bacc("Jd Kd 2c", choice, tie=500), dealer="9h 9s 2s")
    assert error == f"seat 1 chose {choice}, and no such decision was open"


# House options


@pytest.mark.clause("FB.14")
@pytest.mark.parametrize("wager", ["lucky_monkey", "tie"])
def test_the_house_says_of_each_bonus_whether_it_stands_without_an_ante(wager: str) -> None:
    name = wager.replace("_", "-")
    other = {"lucky_monkey": "tie", "tie": "lucky_monkey"}[wager]
    alone = {f"fu-bacc.{name}-alone": False}
    assert name in fu_bacc(bacc("Jd 2d 2c", **{wager: 500}))
    error = refused("fu-bacc", bacc("Jd 2d 2c", **{wager: 500}), dealer=STANDS_ON_7, options=alone)
    assert name in error
    assert "ante wager on the same spot" in error
    assert fu_bacc(bacc("Jd 2d 2c", **{other: 500}), options=alone)
    assert name in fu_bacc(bacc("Jd 2d 2c", "fold", **{"ante": 500, wager: 500}), options=alone)


FOUR = ["8d Kd 2c", "7d Qd 3c", "6d Jd 4c", "5d Td 5c"]


def spots_of(*taken: int, player: str = "Ann") -> list[Written]:
    return [bacc(FOUR[i], "stay", ante=1000, player=player, spot=at) for i, at in enumerate(taken)]


@pytest.mark.clause("FB.15")
@pytest.mark.parametrize(
    ("taken", "adjacent", "allowed"),
    [
        ((1,), False, None),
        ((1, 2), True, None),
        ((6, 7), True, None),
        ((1, 2), False, "player Ann may play one spot at most"),
        ((1, 3), True, "player Ann may play 2 adjacent spots at most"),
        ((1, 2, 3), True, "player Ann may play 2 adjacent spots at most"),
    ],
)
def test_one_player_plays_at_most_two_adjacent_spots(
    taken: tuple[int, ...], adjacent: bool, allowed: str | None
) -> None:
    options = {"fu-bacc.adjacent-spots": adjacent}
    if allowed is None:
        assert len(settled("fu-bacc", *spots_of(*taken), dealer=STANDS_ON_7, options=options)) == len(taken)
    else:
        assert refused("fu-bacc", *spots_of(*taken), dealer=STANDS_ON_7, options=options) == allowed


@pytest.mark.clause("FB.15", "FB.18")
def test_spots_act_from_the_dealers_left_and_a_hand_is_completed_before_the_next() -> None:
    spots = [
        bacc(FOUR[0], "hit", ante=1000),
        bacc(FOUR[1], "hit", ante=1000),
        bacc(FOUR[2], "stay", ante=1000),
    ]
    _, moments = walked("fu-bacc", *spots, dealer=STANDS_ON_7)
    acted = [step for step in (moment.step for moment in moments) if isinstance(step, Decide | Turn)]
    places = [("decide", step.seat) if isinstance(step, Decide) else ("turn", step.at) for step in acted]
    by_seat = [("decide", 0), ("turn", 0), ("decide", 1), ("turn", 1), ("decide", 2)]
    assert places == [("turn", DEALER), *by_seat, ("turn", DEALER)]


@pytest.mark.clause("FB.16")
def test_after_the_first_card_only_the_play_wager_follows() -> None:
    spots = [
        bacc("Jd Kd 2c", "hit", ante=1000, tie=500, lucky_monkey=500),
        bacc("9d Kc 3c", "bonus", ante=500),
    ]
    _, moments = walked("fu-bacc", *spots, dealer="9h Ks 2s")
    offers = [offer for m in moments if isinstance(m.step, Decide) for offer in m.step.offers]
    assert {offer.wager for offer in offers} == {"", "play"}
    assert isinstance(moments[0].step, Draw)
    for moment in moments:
        for seat, opened in zip(moment.after.seats, spots, strict=True):
            assert {**seat.wagers, **opened["wagers"]} == seat.wagers


# Procedure


@pytest.mark.clause("FB.17", "FB.5")
def test_three_cards_to_every_spot_and_to_the_dealer_then_the_up_card() -> None:
    spots = [bacc(FOUR[0], "stay", ante=1000), bacc(FOUR[1], tie=500)]
    _, moments = walked("fu-bacc", *spots, dealer=STANDS_ON_7)
    steps = [moment.step for moment in moments]
    to_spots = [Draw(0, 2), Draw(0, down=True), Draw(1, 2), Draw(1, down=True)]
    assert steps[:6] == [*to_spots, Draw(DEALER, 3, down=True), Turn(DEALER, 0)]
    assert isinstance(steps[6], Decide)  # FB.5: nobody decides before the up card is exposed
    dealt = moments[5].after
    for lying in (dealt.seats[0].cards, dealt.seats[1].cards):
        assert [isinstance(face, Card) for face in lying] == [True, True, False]
    assert [str(face) if isinstance(face, Card) else "down" for face in dealt.dealer] == [
        "Kh",
        "down",
        "down",
    ]


@pytest.mark.clause("FB.12", "FB.18")
@pytest.mark.parametrize(
    ("choice", "tie", "done"),
    [
        ("fold", 0, [Burn(0, 2, "FB.18"), Discard(0, "FB.18")]),
        ("fold", 500, [Tuck(0, "tie", "FB.12"), Burn(0, 2, "FB.18")]),
        ("bonus", 500, [Tuck(0, "tie", "FB.12"), Burn(0, 2, "FB.18")]),
        ("bonus", 0, [Burn(0, 2, "FB.18")]),
        ("stay", 500, [Tuck(0, "play", "FB.18"), Burn(0, 2, "FB.18")]),
        ("hit", 500, [Tuck(0, "play", "FB.18")]),
    ],
)
def test_cards_are_tucked_under_the_wager_in_action_and_an_unused_hit_card_is_burned(
    choice: str, tie: int, done: list[object]
) -> None:
    spot = bacc("9d Kd 2c", choice, ante=1000, **({"tie": tie} if tie else {}))
    _, moments = walked("fu-bacc", spot, dealer=STANDS_ON_7)
    at_the_spot = [m for m in moments if not isinstance(m.step, Turn) or m.step.at != DEALER]
    assert gestures(at_the_spot) == done


@pytest.mark.clause("FB.18")
@pytest.mark.parametrize(
    ("spot", "completed"),
    [
        (bacc("9d Kd 2c", "fold", ante=1000), False),
        (bacc("9d Kd 2c", "bonus", ante=1000, lucky_monkey=500), False),
        (bacc("Jd Kd 2c", lucky_monkey=500), False),
        (bacc("9d Kd 2c", "fold", ante=1000, tie=500), True),
        (bacc("9d Kd 2c", "bonus", ante=1000, tie=500), True),
        (bacc("9d Kd 2c", tie=500), True),
        (bacc("9d Kd 2c", "stay", ante=1000), True),
    ],
)
def test_the_dealers_hand_is_completed_only_where_a_wager_depends_on_it(spot: Written, completed: bool) -> None:
    _, moments = walked("fu-bacc", spot, dealer=STANDS_ON_7)
    assert moments[-1].after.is_turned(DEALER, 1) is completed


@pytest.mark.clause("FB.18")
def test_a_rescued_hand_keeps_the_dealer_drawing_only_while_its_tie_stands() -> None:
    spot = bacc("Jd Kd 2c", "rescue", ante=1000, tie=500)
    for reading, completed in (("stays", True), ("loses", False)):
        _, moments = walked("fu-bacc", spot, dealer="9h Ks 2s", options={"rescue-tie": reading})
        assert moments[-1].after.is_turned(DEALER, 1) is completed


@pytest.mark.clause("FB.18")
def test_every_spot_is_settled_against_the_same_dealer() -> None:
    spots = [
        bacc(FOUR[0], "stay", ante=1000),
        bacc(FOUR[1], "stay", ante=500),
        bacc(FOUR[2], "fold", ante=200),
    ]
    eight, seven, folded = settled("fu-bacc", *spots, dealer=STANDS_ON_7)
    assert eight == {"ante": ("win", 1000), "play": ("win", 2000)}
    assert seven == {"ante": ("lose", -500), "play": ("push", 0)}
    assert folded == {"ante": ("lose", -200)}


@pytest.mark.clause("FB.19")
@pytest.mark.parametrize(
    ("wager", "cents", "allowed"),
    [
        ("ante", 15000, None),
        ("ante", 15001, "at most $150"),
        ("tie", 30000, None),
        ("tie", 30001, "at most $300"),
    ],
)
def test_the_ante_goes_up_to_half_the_legal_limit(wager: str, cents: int, allowed: str | None) -> None:
    spot = bacc("6d Kd 2c", "stay" if wager == "ante" else None, **{wager: cents})
    if allowed is None:
        assert wager in fu_bacc(spot, limit=30000)
    else:
        assert allowed in refused("fu-bacc", spot, dealer=STANDS_ON_7, limit=30000)


@pytest.mark.clause("FB.19")
def test_seven_spots_unless_the_house_says_otherwise_and_no_published_edge() -> None:
    spots = [bacc(f"{rank}d {rank}c {rank}h", tie=100) for rank in "23456789"]
    assert refused("fu-bacc", *spots, dealer="Kh 7s 2s") == "the table has spots 1 to 7"
    assert len(settled("fu-bacc", *spots, dealer="Kh 7s 2s", options={"spots": 8})) == 8
    assert catalog.rulebook("fu-bacc").published == []


# Who sees what


def open_hands(table: FuBacc, r: Round, viewer: int | None) -> list[bool]:
    """Which seats' first two cards lie open in a view."""
    return [isinstance(seat.cards[0], Card) for seat in table.view(r, viewer).seats]


@pytest.mark.clause("FB.10", "FB.18")
@pytest.mark.parametrize(
    ("spot", "dealer", "at_turn", "at_end"),
    [
        (bacc("6d Kd 2c", "stay", ante=1000), STANDS_ON_7, False, True),
        (bacc("6d Kd 2c", "fold", ante=1000), STANDS_ON_7, False, False),
        (bacc("6d Kd 2c", "fold", ante=1000, tie=500), STANDS_ON_7, False, True),
        (bacc("9d Kd 2c", "bonus", ante=1000), STANDS_ON_7, True, True),
        (bacc("Jd Kd 2c", "rescue", ante=1000), "9h Ks 2s", True, True),
        (bacc("Jd Kd 2c", "stay", ante=1000, lucky_monkey=500), STANDS_ON_7, True, True),
        (bacc("6d Kd 2c", "stay", ante=1000, lucky_monkey=500), STANDS_ON_7, False, True),
    ],
)
def test_a_hand_is_private_until_it_is_shown_for_an_award_or_settled(
    spot: Written, dealer: str, at_turn: bool, at_end: bool
) -> None:
    other = bacc("4d 5c 3c", "stay", ante=1000)
    table, moments = walked("fu-bacc", spot, other, dealer=dealer)
    assert isinstance(table, FuBacc)
    turn = next(moment for moment in moments if isinstance(moment.step, Decide))
    assert open_hands(table, turn.before, 1) == [False, True]
    assert open_hands(table, turn.after, 1) == [at_turn, True]
    for viewer in (1, None):
        assert open_hands(table, moments[-1].after, viewer)[0] is at_end
    assert open_hands(table, turn.after, None) == [at_turn, False]


@pytest.mark.clause("FB.17")
def test_nobody_sees_a_hit_card_or_the_hole_card_before_it_is_turned() -> None:
    table, moments = walked("fu-bacc", bacc("6d Kd 2c", "stay", ante=1000), dealer=STANDS_ON_7)
    turn = next(moment for moment in moments if isinstance(moment.step, Decide))
    for viewer in (0, None):
        seen = table.view(turn.after, viewer)
        assert [isinstance(face, Back) for face in seen.dealer] == [False, True, True]
        assert isinstance(seen.seats[0].cards[2], Back)
