"""Blackjack, clause by clause, on a table that also offers Lucky Break. Dealers read up, hole, draws."""

import re
from operator import attrgetter
from typing import Any

import pytest

from feltworks import catalog
from feltworks.cards import Card, card, cards
from feltworks.games.blackjack import TOTAL, Blackjack
from feltworks.hands.blackjack import ACES, TEN_VALUES
from feltworks.machine.felt import CardsRead, HouseState, NewReading, Readings, SeatState, lay_felt
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, SEAT, Back, Round, Seat
from feltworks.rules.steps import Decide, Draw, Offer, Peek, Turn
from feltworks.written.settle import settle_line
from tests.pit import Written, bj, decisions, lines_at, paid, refused, settled, sheet, walked

HAS_18, HAS_20, BUSTS = "8c Td", "Tc Qd", "6c Td 9d"


def spot(held: str, *hands: str, **said: Any) -> Written:
    return bj(held, *hands, **{"blackjack": 1000, **said})


def net(held: str, *hands: str, dealer: str = HAS_18, options: dict[str, Any] | None = None) -> int:
    """What a $10 blackjack wager is up."""
    return paid("lucky-break", spot(held, *hands), dealer=dealer, options=options or {})["blackjack"][1]


def refusal(held: str, *hands: str, dealer: str = HAS_18, **said: Any) -> str:
    options = said.pop("options", {})
    return refused("lucky-break", spot(held, *hands, **said), dealer=dealer, options=options)


def asked(held: str, *hands: str, dealer: str = HAS_18, **options: Any) -> list[list[str]]:
    """What each decision on a hand offered."""
    named = {name.replace("_", "-"): value for name, value in options.items()}
    _, moments = walked("lucky-break", spot(held, *hands), dealer=dealer, options=named)
    return [names for _, about, names in decisions(moments) if about.startswith("hand")]


# BJ.4: how hands compare


@pytest.mark.clause("BJ.4")
@pytest.mark.parametrize(
    ("held", "hands", "dealer", "up"),
    [
        ("Th 9h", [], HAS_18, 1000),
        ("Th 8h", [], HAS_18, 0),
        ("Th 7h", [], HAS_18, -1000),
        ("Th 2h", [], BUSTS, 1000),
        ("Th 6h", ["Th 6h Ts"], "6c Td", -1000),  # over 21 loses before the dealer draws
        ("Ah 6h", ["Ah 6h Ts"], "7c Td", 0),  # soft 17 and a ten are a hard 17
        ("Ah 2h", ["Ah 2h As 4s"], HAS_18, 0),  # two aces: one counts eleven
        ("Ah Kh", [], HAS_18, 1500),
        ("7h 7s", ["7h 7s 7d"], HAS_20, 1000),  # 21 of three cards is no blackjack
        ("Ah Kh", [], "Ac Kd", 0),
        ("Th 9h", [], "Ac Kd", -1000),
    ],
)
def test_the_higher_total_that_is_not_over_21_wins(held: str, hands: list[str], dealer: str, up: int) -> None:
    assert net(held, *hands, dealer=dealer) == up


@pytest.mark.clause("BJ.1", "BJ.4", "M.1")
@pytest.mark.parametrize(
    ("pays", "cents", "breakage", "up"),
    [
        ("3:2", 1000, "down", 1500),
        ("6:5", 1000, "down", 1200),
        ("3:2", 500, "down", 750),  # $7.50, not $7
        ("3:2", 501, "down", 751),  # 751.5
        ("3:2", 501, "up", 752),
        ("6:5", 502, "down", 602),  # 602.4
        ("6:5", 502, "up", 603),
    ],
)
def test_a_blackjack_pays_3_to_2_or_6_to_5(pays: str, cents: int, breakage: str, up: int) -> None:
    options = {"blackjack-pays": pays, "breakage": breakage}
    won = paid("lucky-break", bj("Ah Kh", blackjack=cents), dealer=HAS_18, options=options)
    assert won == {"blackjack": ("win", up)}


@pytest.mark.clause("M.1")
@pytest.mark.parametrize(("breakage", "blackjack", "surrender"), [("down", 700, -300), ("up", 800, -200)])
def test_a_house_that_pays_in_dollar_chips_says_in_whose_favour(breakage: str, blackjack: int, surrender: int) -> None:
    options = {"chip": 100, "breakage": breakage, "surrender": "late"}
    won = paid("lucky-break", bj("Ah Kh", blackjack=500), dealer=HAS_18, options=options)
    given_up = bj("Th 6h", "Th 6h surrender", blackjack=500)
    assert won["blackjack"] == ("win", blackjack)
    lost = paid("lucky-break", given_up, dealer=HAS_18, options=options)
    assert lost["blackjack"] == ("lose", surrender)
    odd = refused("lucky-break", bj("Ah Kh", blackjack=550), dealer=HAS_18, options=options)
    assert "a multiple of the $1 chip" in odd


# BJ.1: what a house selects


@pytest.mark.clause("BJ.1")
@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_one_to_eight_decks(decks: int) -> None:
    spots = [spot("8h 8h") for _ in range(decks // 2)] + ([spot("8h Th")] if decks % 2 else [])
    won = settled("lucky-break", *spots, dealer="9c Td", options={"decks": decks})
    assert len(won) == len(spots)
    one_more = refused("lucky-break", *spots, spot("8h 9s"), dealer="9c Td", options={"decks": decks})
    assert one_more == f"the shoe holds only {decks} of card 8h"


@pytest.mark.clause("BJ.1")
@pytest.mark.parametrize(
    ("option", "value", "takes"),
    [
        ("decks", 0, "a whole number from 1 to 8"),
        ("decks", 9, "a whole number from 1 to 8"),
        ("max-hands", 5, "a whole number from 1 to 4"),
        ("soft17", "maybe", "stand or hit"),
        ("blackjack-pays", "7:5", "3:2 or 6:5"),
        ("double", "11", "any, 9-11 or 10-11"),
        ("surrender", "early", "none or late"),
        ("shoe", "hand", "shoe or continuous"),
        ("peek", "often", "true or false"),
    ],
)
def test_no_other_rules_are_selectable(option: str, value: object, takes: str) -> None:
    assert refusal("Th 9h", options={option: value}) == f"option {option} cannot be {value!r}; it takes {takes}"


@pytest.mark.clause("BJ.1")
@pytest.mark.parametrize("shoe", ["shoe", "continuous"])
def test_a_shoe_or_a_continuous_shuffler_settle_alike(shoe: str) -> None:
    assert net("Th 9h", options={"shoe": shoe}) == 1000


@pytest.mark.clause("BJ.1")
@pytest.mark.parametrize(
    ("dealer", "rule", "fits"),
    [
        ("6c Ad", "stand", True),
        ("6c Ad 2d", "stand", False),
        ("6c Ad", "hit", False),
        ("6c Ad 2d", "hit", True),
        ("2c 4d Ad", "stand", True),  # soft 17 of three cards
        ("2c 4d Ad", "hit", False),
        ("6c Ad Td", "hit", True),  # hits into a hard 17 and stands
        ("6c Ad Td 2d", "hit", False),
        ("Tc 7d", "hit", True),  # a hard 17 always stands
        ("7c Ad", "hit", True),  # so does a soft 18
        ("Tc 6d", "stand", False),  # a 16 never does
        ("5c Ad Ts 5d", "stand", True),  # soft 16, hard 16, 21
    ],
)
def test_the_dealer_draws_to_17_and_by_the_tables_rule_to_soft_17(dealer: str, rule: str, fits: bool) -> None:
    if fits:
        assert paid("lucky-break", spot("Th 9h"), dealer=dealer, options={"soft17": rule})
    else:
        error = refusal("Th 9h", dealer=dealer, options={"soft17": rule})
        assert re.search("the dealer .* the rules (require|allow)", error)


@pytest.mark.clause("BJ.1", "BJ.4")
@pytest.mark.parametrize(
    ("held", "rule", "offered"),
    [
        ("5h 3h", "any", True),
        ("5h 3h", "9-11", False),
        ("5h 4h", "9-11", True),
        ("5h 4h", "10-11", False),
        ("6h 4h", "10-11", True),
        ("6h 5h", "9-11", True),
        ("6h 5h", "10-11", True),
        ("7h 5h", "9-11", False),
        ("Ah 7h", "any", True),
        ("Ah 7h", "9-11", False),  # soft 18 is no 8
        ("Ah Ad", "10-11", False),
    ],
)
def test_doubling_by_the_total_of_two_cards(held: str, rule: str, offered: bool) -> None:
    assert ("double" in asked(held, double=rule)[0]) is offered
    if not offered:
        error = refusal(held, f"{held} 9s double", options={"double": rule})
        assert "seat 1 may not choose double for hand 1; allowed: stand" in error


@pytest.mark.clause("BJ.4")
def test_a_double_adds_an_equal_wager_for_exactly_one_card() -> None:
    line = sheet("lucky-break", spot("6h 5h", "6h 5h 9s double"), dealer=HAS_18)["seats"][0]["lines"][0]
    assert (line["wagered"], line["result"], line["net"]) == (2000, "win", 2000)
    assert net("6h 5h", "6h 5h 2s double") == -2000
    assert "more than the rules allow" in refusal("6h 5h", "6h 5h 2s 5s double")
    assert "short of a card" in refusal("6h 5h", "6h 5h double")
    assert "double" not in asked("6h 2h", "6h 2h 2s")[1]  # a hand of three cards


@pytest.mark.clause("BJ.1", "BJ.4")
@pytest.mark.parametrize("most", [1, 2, 3, 4])
@pytest.mark.parametrize("hands", [2, 3, 4, 5])
def test_splitting_to_as_many_hands_as_the_house_allows(most: int, hands: int) -> None:
    every = ["8h Ts", "8c Js", "8s Qs", "8h Ks", "8d Ts"]  # 18 each, as the dealer
    played = [*every[: hands - 1], every[-1]]
    if hands <= most:
        assert net("8h 8d", *played, options={"max-hands": most}) == 0
    else:
        assert "may not choose split" in refusal("8h 8d", *played, options={"max-hands": most})


@pytest.mark.clause("BJ.4")
def test_four_hands_are_settled_one_by_one_in_one_line() -> None:
    hands = ["8h Ts", "8c 3c Tc double", "8s 5s Ks", "8d 9d"]
    line = sheet("lucky-break", spot("8h 8d", *hands), dealer=HAS_18)["seats"][0]["lines"][0]
    assert (line["wagered"], line["result"], line["net"]) == (5000, "push", 0)
    by_hand = [(hand["wagered"], hand["result"], hand["net"]) for hand in line["hands"]]
    # 18 pushes, a doubled 21 wins, 23 is over, 17 loses
    assert by_hand == [(1000, "push", 0), (2000, "win", 2000), (1000, "lose", -1000), (1000, "lose", -1000)]
    assert [" ".join(hand["cards"]) for hand in line["hands"]] == [h.removesuffix(" double") for h in hands]


@pytest.mark.clause("BJ.1")
@pytest.mark.parametrize("allowed", [True, False])
def test_double_after_split(allowed: bool) -> None:
    hands = ["8h 3h Th double", "8d Ts"]
    options = {"double-after-split": allowed}
    if allowed:
        assert net("8h 8d", *hands, options=options) == 2000
    else:
        assert "may not choose double" in refusal("8h 8d", *hands, options=options)


@pytest.mark.clause("BJ.4")
@pytest.mark.parametrize(
    ("held", "by", "offered"),
    [
        ("Jh Kh", "value", True),
        ("Jh Kh", "rank", False),
        ("Kh Ks", "rank", True),
        ("Th Ks", "value", True),
        ("9h Ts", "value", False),
        ("9h 9s", "rank", True),
        ("Ah Ks", "value", False),
    ],
)
def test_a_pair_is_of_equal_value_or_by_another_reading_of_equal_rank(held: str, by: str, offered: bool) -> None:
    assert any("split" in names for names in asked(held, split_on=by)) is offered


@pytest.mark.clause("BJ.4")
def test_by_rank_a_king_drawn_to_a_split_jack_is_no_new_pair() -> None:
    hands = ["Jh 9s", "Ks 9h", "Jd 9d"]
    assert net("Jh Jd", *hands, dealer=HAS_18) == 3000
    assert "may not choose split" in refusal("Jh Jd", *hands, options={"split-on": "rank"})


@pytest.mark.clause("BJ.1", "BJ.4")
def test_split_aces_take_one_card_unless_they_may_be_hit() -> None:
    stood, hit = ["Ah 5s", "Ad Ts"], ["Ah 5s 4s", "Ad Ts"]
    assert net("Ah Ad", *stood, dealer=HAS_20) == 0  # 16 loses, 21 wins
    assert asked("Ah Ad", *stood) == [["stand", "hit", "double", "split"]]
    assert "more than the rules allow" in refusal("Ah Ad", *hit, dealer=HAS_20)
    assert net("Ah Ad", *hit, dealer=HAS_20, options={"hit-split-aces": True}) == 1000  # 20 pushes
    doubled = ["Ah 5s 5h double", "Ad Ts"]
    assert net("Ah Ad", *doubled, dealer=HAS_20, options={"hit-split-aces": True}) == 3000


@pytest.mark.clause("BJ.1")
def test_an_ace_on_a_split_ace_is_split_again_only_where_the_house_allows_it() -> None:
    three = ["Ah 9s", "As 8s", "Ad 7s"]
    assert "more than the rules allow" in refusal("Ah Ad", *three, dealer="9c Td")
    # 20, 19 and 18 against 19
    assert net("Ah Ad", *three, dealer="9c Td", options={"resplit-aces": True}) == 0
    kept = net("Ah Ad", "Ah As", "Ad 7s", dealer="9c Td", options={"resplit-aces": True})  # 12 and 18
    assert kept == -2000
    assert asked("Ah Ad", "Ah As", "Ad 7s", resplit_aces=True)[1] == ["stand", "split"]


@pytest.mark.clause("BJ.4")
def test_ace_and_ten_after_a_split_are_no_blackjack() -> None:
    assert net("Ah Ad", "Ah Ks", "Ad Qs", dealer=HAS_20) == 2000  # 1 to 1 each
    assert net("Kh Kd", "Kh As", "Kd Ad", dealer="7c 4d Ts") == 0  # and 21 pushes


@pytest.mark.clause("BJ.4")
@pytest.mark.parametrize("stands", [False, True])
def test_a_hand_of_21_is_asked_unless_the_house_stands_it(stands: bool) -> None:
    options = {"stand-on-21": stands}
    assert len(asked("7h 7s", "7h 7s 7d", stand_on_21=stands)) == (1 if stands else 2)
    if stands:
        assert "more than the rules allow" in refusal("7h 7s", "7h 7s 7d 5d", options=options)
    else:
        assert net("7h 7s", "7h 7s 7d 5d", dealer="8c Td", options=options) == -1000


# Surrender


LATE = {"surrender": "late"}


@pytest.mark.clause("BJ.1", "BJ.4")
@pytest.mark.parametrize(("cents", "breakage", "up"), [(1000, "down", -500), (501, "down", -251), (501, "up", -250)])
def test_late_surrender_gives_up_half(cents: int, breakage: str, up: int) -> None:
    given_up = bj("Th 6h", "Th 6h surrender", blackjack=cents)
    lost = paid("lucky-break", given_up, dealer="Tc Qd", options={**LATE, "breakage": breakage})
    assert lost == {"blackjack": ("lose", up)}
    none = refused("lucky-break", given_up, dealer="Tc Qd")
    assert none.startswith("seat 1 may not choose surrender for hand 1; allowed: stand, hit or double")


@pytest.mark.clause("BJ.4")
def test_surrender_is_for_the_first_two_cards_of_an_unsplit_hand() -> None:
    assert "surrender" in asked("8h 8d", "8h Ts", "8d Ts", surrender="late")[0]
    assert all("surrender" not in names for names in asked("8h 8d", "8h Ts", "8d Ts", surrender="late")[1:])
    assert "surrender" not in asked("5h 4h", "5h 4h 7s", surrender="late")[1]
    assert refusal("8h 8d", "8h Ts surrender", "8d Ts", options=LATE)
    assert refusal("5h 4h", "5h 4h 7s surrender", options=LATE)


@pytest.mark.clause("BJ.4")
def test_surrender_comes_after_the_check_and_without_peek_a_dealer_blackjack_takes_all() -> None:
    given_up = ("Th 6h", "Th 6h surrender")
    assert "no such decision was open" in refusal(*given_up, dealer="Tc Ad", options=LATE)
    assert net(*given_up, dealer="Tc Ad", options={**LATE, "peek": False}) == -1000
    assert net(*given_up, dealer="Tc Qd", options={**LATE, "peek": False}) == -500


# Insurance


def insured(cents: int, held: str, dealer: str, **options: Any) -> dict[str, tuple[str, int]]:
    return paid("lucky-break", spot(held, insurance=cents), dealer=dealer, options=options)


@pytest.mark.clause("BJ.4")
@pytest.mark.parametrize("peek", [True, False])
@pytest.mark.parametrize(
    ("held", "dealer", "blackjack", "insurance"),
    [
        ("Th 9h", "Ac Kd", -1000, 1000),
        ("Th 9h", "Ac 7d", 1000, -500),
        ("Ah Kh", "Ac Kd", 0, 1000),  # even money, whatever the dealer has
        ("Ah Kh", "Ac 7d", 1500, -500),
    ],
)
def test_insurance_pays_2_to_1_on_a_dealer_blackjack(
    held: str, dealer: str, blackjack: int, insurance: int, peek: bool
) -> None:
    won = insured(500, held, dealer, peek=peek)
    assert (won["blackjack"][1], won["insurance"][1]) == (blackjack, insurance)


@pytest.mark.clause("BJ.4")
@pytest.mark.parametrize(("wagered", "most"), [(1000, 500), (501, 250), (1, 0)])
def test_insurance_is_at_most_half_the_blackjack_wager(wagered: int, most: int) -> None:
    def answer(cents: int) -> Written:
        return bj("Th 9h", blackjack=wagered, insurance=cents)

    if most:
        assert paid("lucky-break", answer(most), dealer="Ac 7d")["insurance"] == ("lose", -most)
        assert paid("lucky-break", answer(1), dealer="Ac 7d")["insurance"] == ("lose", -1)
    assert refused("lucky-break", answer(most + 1), dealer="Ac 7d")


@pytest.mark.clause("BJ.1", "BJ.4")
@pytest.mark.parametrize(("dealer", "offered"), [("Kc 9d", True), ("9c Ad", True), ("Ac 7d", False)])
def test_insurance_is_for_an_ace_up_and_where_the_house_offers_it(dealer: str, offered: bool) -> None:
    error = refusal("Th 9h", dealer=dealer, insurance=500, options={"insurance": offered})
    assert "insurance of 500 cents, and no such decision was open" in error


@pytest.mark.clause("BJ.4")
def test_without_peek_a_doubled_cent_does_not_open_insurance_again() -> None:
    """Half of one cent is no insurance, half of two would be: but the hands are being played by then."""
    given = bj("5h 6h", "5h 6h 8s double", blackjack=1)
    _, moments = walked("lucky-break", given, dealer="Ac 7d", options={"peek": False})
    assert [about for _, about, _ in decisions(moments)] == ["hand 1"]


@pytest.mark.clause("BJ.4", "BJ.5")
@pytest.mark.parametrize(("hole", "insurance"), [("5d", -500), ("Kd", 1000)])
def test_without_peek_a_bust_hands_insurance_waits_for_the_hole_card_alone(hole: str, insurance: int) -> None:
    given = spot("Th 6h", "Th 6h Ts", insurance=500)
    lines = paid("lucky-break", given, dealer=f"Ac {hole}", options={"peek": False})
    assert lines == {
        "blackjack": ("lose", -1000),
        "insurance": ("win" if insurance > 0 else "lose", insurance),
    }


# The dealer's check


@pytest.mark.clause("BJ.1", "BJ.2", "LB.11")
@pytest.mark.parametrize(
    ("dealer", "wanted"), [("Ac 7d", TEN_VALUES), ("Tc 7d", ACES), ("Kc 7d", ACES), ("9c Td", None)]
)
def test_the_dealer_peeks_under_an_ace_or_ten_after_insurance_and_before_the_players_act(
    dealer: str, wanted: frozenset[Card] | None
) -> None:
    _, moments = walked("lucky-break", spot("Th 9h"), spot("Ts 9s"), dealer=dealer)
    steps = [moment.step for moment in moments]
    peeks = [step for step in steps if isinstance(step, Peek)]
    assert peeks == ([Peek(DEALER, 0, wanted)] if wanted else [])
    abouts = [(step.about if isinstance(step, Decide) else "peek") for step in steps if isinstance(step, Decide | Peek)]
    insurance = ["insurance"] * 2 if dealer[0] == "A" else []
    assert abouts == [*insurance, *["peek"] * len(peeks), "hand 1", "hand 1"]


@pytest.mark.clause("BJ.1")
def test_a_peek_ends_the_round_on_a_blackjack_and_otherwise_shows_only_what_the_card_is_not() -> None:
    for hole, turned in (("Ad", True), ("7d", False)):
        _, moments = walked("lucky-break", spot("Th 9h"), dealer=f"Tc {hole}")
        after = next(moment.after for moment in moments if isinstance(moment.step, Peek))
        assert after.is_turned(DEALER, 0) is turned
        if turned:
            assert after == moments[-1].after
        else:
            assert after.dealer[0] == Back(barring=ACES)


@pytest.mark.clause("BJ.1", "BJ.5")
@pytest.mark.parametrize(
    ("held", "hands", "whole", "original"),
    [
        ("Th 9h", [], -1000, -1000),
        ("6h 5h", ["6h 5h Ts double"], -2000, -1000),
        ("8h 8d", ["8h Ts", "8d 9s"], -2000, -1000),
        ("8h 8d", ["8h 3s Ts double", "8d 9s"], -3000, -1000),
        ("8h 8d", ["8h Ts", "8d 3s Ts double"], -3000, -1000),
        ("8h 8d", ["8h Ts", "8c Ts", "8s Ts", "8d Ts"], -4000, -1000),
        ("8h 8d", ["8h 6s Ts", "8d Ts"], -2000, -2000),  # the bust hand's wager was taken before
        ("Ah Kh", [], 0, 0),
    ],
)
def test_without_peek_a_dealer_blackjack_takes_all_or_by_another_reading_the_original_wager(
    held: str, hands: list[str], whole: int, original: int
) -> None:
    for loss, up in (("all", whole), ("original", original)):
        assert net(held, *hands, dealer="Tc Ad", options={"peek": False, "no-peek-loss": loss}) == up
    if hands:  # with peek nothing is doubled or split against a blackjack
        assert refusal(held, *hands, dealer="Tc Ad")


@pytest.mark.clause("BJ.5")
def test_with_peek_the_reading_of_lost_wagers_changes_nothing() -> None:
    for loss in ("all", "original"):
        assert net("6h 5h", dealer="Tc Ad", options={"no-peek-loss": loss}) == -1000


# BJ.5: when the dealer draws


@pytest.mark.clause("BJ.5")
@pytest.mark.parametrize(
    ("given", "in_action"),
    [
        (spot("Th 6h", "Th 6h Ts"), False),
        (spot("Th 6h", "Th 6h surrender"), False),
        (spot("Ah Kh"), False),
        (spot("8h 8d", "8h 6s Ts", "8d 7s Ts"), False),
        (spot("8h 8d", "8h 6s Ts", "8d Ts"), True),
        (spot("6h 5h", "6h 5h As double"), True),
    ],
)
def test_the_dealer_draws_only_while_a_hand_is_in_action(given: Written, in_action: bool) -> None:
    fits, other = ("6c Td 2d", "6c Td") if in_action else ("6c Td", "6c Td 2d")
    assert paid("lucky-break", given, dealer=fits, options=LATE)
    words = "the dealer is short of a card" if in_action else "the dealer has a card more"
    assert words in refused("lucky-break", given, dealer=other, options=LATE)
    beside = settled("lucky-break", given, spot("Th 9s"), dealer="6c Td 2d", options=LATE)
    assert beside[1] == {"blackjack": ("win", 1000)}


@pytest.mark.clause("BJ.5")
def test_the_hole_card_stays_down_where_nothing_depends_on_it() -> None:
    _, moments = walked("lucky-break", spot("Th 6h", "Th 6h Ts"), dealer="6c Td")
    assert not moments[-1].after.is_turned(DEALER, 0)


# BJ.2: order


@pytest.mark.clause("BJ.2", "LL.1", "AD.7")
def test_cards_go_round_from_the_dealers_left_and_the_up_card_comes_last() -> None:
    _, moments = walked("lucky-break", spot("Th 9h"), spot("Ts 9s"), dealer="9c Td")
    steps = [moment.step for moment in moments[:6]]
    assert steps == [Draw(0), Draw(1), Draw(0), Draw(1), Draw(DEALER, down=True), Draw(DEALER)]


@pytest.mark.clause("BJ.2")
def test_seats_act_from_the_dealers_left_each_to_the_end_then_the_dealer() -> None:
    first, second = spot("5h 4h", "5h 4h 7s"), spot("8h 8d", "8h Ts", "8d Ts")
    _, moments = walked("lucky-break", first, second, dealer="6c 4d Td")
    turned = [moment.step for moment in moments].index(Turn(DEALER, 0))
    asked = [(seat, about) for seat, about, _ in decisions(moments)]
    assert asked == [(0, "hand 1"), (0, "hand 1"), (1, "hand 1"), (1, "hand 1"), (1, "hand 2")]
    assert not decisions(moments[turned:])
    assert [moment.step for moment in moments[turned + 1 :]] == [Draw(DEALER)]


@pytest.mark.clause("BJ.2", "LB.3")
def test_what_is_decided_early_is_settled_early() -> None:
    bust, blackjack, stands = spot("Th 6h", "Th 6h Ts"), spot("Ah Kh"), spot("Ts 9s")
    table, moments = walked("lucky-break", bust, blackjack, stands, dealer="Tc 7d")
    dealt = next(i for i, moment in enumerate(moments) if moment.step == Draw(DEALER))
    assert lines_at(table, moments[dealt].after) == set()  # the dealer may still have a blackjack
    assert lines_at(table, moments[dealt + 1].after) == {(1, "blackjack")}
    before_third = next(m for m in moments if isinstance(m.step, Decide) and m.step.seat == 2)
    assert lines_at(table, before_third.before) == {(0, "blackjack"), (1, "blackjack")}


def test_every_offer_of_money_is_the_wager_the_spot_opened_with() -> None:
    hands = ["8h 3h Th double", "8c Ts", "8d Ts"]
    table, moments = walked("lucky-break", spot("8h 8d", *hands), dealer=HAS_18)
    assert isinstance(table, Blackjack)
    offers = {offer for m in moments if isinstance(m.step, Decide) for offer in m.step.offers if offer.wager}
    assert offers == {Offer("double", "blackjack", 1000, 1000), Offer("split", "blackjack", 1000, 1000)}


@pytest.mark.clause("BJ.5")
def test_a_dealer_who_had_no_reason_to_draw_has_a_card_too_many() -> None:
    # Without peek the hole card shows that the player's blackjack stands alone: nothing waits for more.
    line = (
        '{"game": "lucky-lucky", "options": {"peek": false},'
        ' "dealer": {"hole": "6d", "up": "Th", "draws": %s},'
        ' "seats": [{"wagers": {"blackjack": 500, "lucky-lucky": 500}, "cards": ["Ah", "Kc"]}]}'
    )
    assert settle_line(line % "[]")["seats"][0]["lines"][0]["net"] == 750
    assert settle_line(line % '["5c"]')["error"] == "the dealer has a card more than the rules allow"


def test_a_bonus_wager_without_a_hand_of_its_own_still_finds_the_cards() -> None:
    game = catalog.game("lucky-break")
    felt = Round((Seat({"blackjack": 500}, cards("Th 6d 2c")),), (FACE_DOWN, *cards("9s")))
    standing = game.standing(felt, 0)
    assert standing.first_two == cards("Th 6d")
    assert (standing.dealer.cards, standing.dealer.up_card) == (cards("9s"), card("9s"))


def test_a_felt_without_cards_says_so_to_such_a_wager() -> None:
    game = catalog.game("lucky-break")
    readings = Readings({})
    for empty, place in ((game.spot, SEAT), (TOTAL, DEALER)):
        with pytest.raises(NewReading):
            readings.place(empty, None, place)
    seat = SeatState((("blackjack", 500),), (), readings.empty_place(SEAT))
    house = HouseState(readings.empty_place(DEALER), readings.empty_place(BOARD))
    standing = game.standing(lay_felt(readings, (seat,), house, {}), 0)
    for read in ("first_two", "dealer.cards", "dealer.up_card"):
        with pytest.raises(CardsRead, match="read single cards instead of hands"):
            attrgetter(read)(standing)
