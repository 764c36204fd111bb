"""Gran Progressive: fixed awards, the jackpot shared among seats, and its growth, by counting and by hand."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from unittest.mock import Mock

import pytest

from feltworks import catalog
from feltworks.analysis import analyze as analyzing
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.solvers.progressive import Growth, Progressive, growth
from feltworks.analysis.solvers.showdown.solver import showdown
from feltworks.analysis.solvers.showdown.spot import NoShowdown
from feltworks.cards import Rank, Shoe, cards, standard_shoe
from feltworks.errors import FeltError, UnknownName
from feltworks.hands.poker import SPANISH

HANDS = comb(41, 5)
SPANISH_SHOE = standard_shoe(without=[Rank.EIGHT, Rank.NINE, Rank.TEN], jokers=1)
CINCOS, ROYAL = "five of a kind", "royal flush"


def gran(stake: str = "returned", shoe: Shoe | None = None) -> Progressive:
    game = catalog.game("spanish-poker", options={"gran-progressive.stake": stake})
    return Progressive(game, shoe=shoe)


@pytest.fixture(scope="module")
def progressive() -> Progressive:
    return gran()


def jackpot_hands() -> dict[str, list[frozenset[str]]]:
    """SP.13: the 24 royals and 10 Cincos, written down by hand."""
    royals = [[rank + suit for rank in "7JQKA"] for suit in "cdhs"]
    with_joker = [[*(set(royal) - {one}), "Jo"] for royal in royals for one in royal]
    cincos = [[rank + suit for suit in "cdhs"] + ["Jo"] for rank in "234567JQKA"]
    return {ROYAL: list(map(frozenset, royals + with_joker)), CINCOS: list(map(frozenset, cincos))}


# One seat


@pytest.mark.clause("SP.13", "SP.25")
def test_fixed_awards_return_the_printed_part_where_the_dollar_comes_back() -> None:
    assert gran().fixed_return == Fraction(2 * (862 * 76 + 900 * 101 + 50 * 151), HANDS)
    assert round(gran().fixed_return, 4) == Fraction("0.4376")
    assert round(gran("kept").fixed_return, 4) == Fraction("0.4327")


@pytest.mark.clause("SP.25")
def test_royals_counted_as_straight_flushes_happen_to_give_the_same() -> None:
    chances = {prize.outcome: prize.probability for prize in gran("kept").prizes()}
    awards = {"straight flush": 150, "royal flush": 150, "four of a kind": 100, "flush": 75}
    assert round(sum(chances[hand] * award for hand, award in awards.items()), 4) == Fraction("0.4376")


@pytest.mark.clause("SP.13")
def test_the_wager_breaks_even_at_26340_dollars(progressive: Progressive) -> None:
    assert progressive.break_even() == 2_634_000
    assert progressive.figures(2_634_000).house_edge == 0
    assert gran("kept").break_even() == Fraction(5_313_725, 2)


@pytest.mark.clause("SP.13")
def test_the_return_is_linear_in_the_jackpot(progressive: Progressive) -> None:
    assert progressive.jackpot_share() == Fraction(10 + Fraction(24, 4), HANDS)
    returns = [progressive.expected_return(cents) for cents in (0, 500_000, 1_000_000)]
    assert returns[2] - returns[1] == returns[1] - returns[0] == 5_000 * Fraction(16, HANDS)
    # an empty jackpot still gives royals and Cincos their dollar back
    assert returns[0] == progressive.fixed_return + Fraction(34, HANDS)


def test_hits_come_once_in_so_many_rounds(progressive: Progressive) -> None:
    assert progressive.rounds_between("cincos") == Fraction(HANDS, 10)
    assert progressive.rounds_between("royal flush") == Fraction(HANDS, 24)


def test_one_seats_figures_are_those_of_its_settled_rounds(progressive: Progressive) -> None:
    settled = showdown(progressive.game, wagers={"gran-progressive": 100}, meters={"jackpot": 400_000})
    assert progressive.figures(400_000) == settled.figures


# Several seats


def _disjoint(*hands: frozenset[str]) -> bool:
    return sum(map(len, hands)) == len(frozenset().union(*hands))


@pytest.mark.clause("SP.14")
def test_two_seats_win_together_as_often_as_hands_by_hand_say(progressive: Progressive) -> None:
    held = jackpot_hands()
    deals = comb(41, 5) * comb(36, 5)
    royals = sum(_disjoint(*pair) for pair in permutations(held[ROYAL], 2))
    mixed = sum(_disjoint(royal, cincos) for royal in held[ROYAL] for cincos in held[CINCOS])
    chances = progressive.winners(2)
    place = progressive.winning_hands.index("royal flush")
    assert chances[(0, 2) if place else (2, 0)] == Fraction(royals, deals)
    assert chances[1, 1] == Fraction(2 * mixed, deals)


@pytest.mark.parametrize("seats", range(1, 7))
def test_seats_win_as_often_among_others_as_alone(progressive: Progressive, seats: int) -> None:
    chances = progressive.winners(seats)
    assert sum(chances.values()) == 1
    for place, hand in enumerate(progressive.winning_hands):
        mean = sum(winners[place] * chance for winners, chance in chances.items())
        assert mean == seats / progressive.rounds_between(hand)
    assert sum(prize.probability for prize in progressive.prizes(seats)) == 1


@pytest.mark.clause("SP.14")
def test_shares_follow_the_split_rules(progressive: Progressive) -> None:
    shares = {(prize.outcome, prize.share) for prize in progressive.prizes(6) if prize.share}
    assert shares == {
        ("cincos", 1),
        ("cincos beside royals", Fraction(3, 4)),
        ("royal flush", Fraction(1, 4)),
        ("royal flush shared by 2", Fraction(1, 8)),
        ("royal flush shared by 3", Fraction(1, 12)),
        ("royal flush shared by 4", Fraction(1, 16)),
    }


@pytest.mark.clause("SP.14")
def test_more_seats_lower_a_seats_share_a_little(progressive: Progressive) -> None:
    shares = [progressive.jackpot_share(seats) for seats in range(1, 7)]
    assert shares == sorted(shares, reverse=True)
    # Only Cincos beside royals pays less than both would alone: together the jackpot instead of 5/4 of it
    lost = sum(_disjoint(r, c) for r in jackpot_hands()[ROYAL] for c in jackpot_hands()[CINCOS])
    assert shares[0] - shares[1] == Fraction(lost, 4 * comb(41, 5) * comb(36, 5))


THINNED = "Jo 7c Jc Qc Kc Ac 7d Jd Qd Kd Ad 2c 2d 2h 2s"


@pytest.mark.clause("SP.14")
def test_two_seats_share_as_all_deals_of_a_thinned_deck_say() -> None:
    shoe = Shoe(Counter(cards(THINNED)))
    value = {frozenset(hand): SPANISH.value(hand).category for hand in combinations(shoe, 5)}
    won, rounds = Fraction(0), comb(15, 5) * comb(10, 5)
    winners = [hand for hand, category in value.items() if category in (CINCOS, ROYAL)]
    for mine in winners:
        for other in value:
            if not mine & other:
                won += _share(value[mine], value[other])
    assert gran(shoe=shoe).jackpot_share(2) == won / rounds


def _share(mine: str, other: str) -> Fraction:
    if mine == CINCOS:
        return Fraction(3, 4) if other == ROYAL else Fraction(1)
    return Fraction(1, 4)


# Growth


@pytest.mark.clause("SP.15", "SP.16")
def test_a_thousand_rounds_add_losing_wagers_less_the_trays_awards(progressive: Progressive) -> None:
    grows = growth(progressive)
    lost, awards = HANDS - 3_658, 2 * (862 * 7_500 + 900 * 10_000 + 50 * 15_000)
    assert grows.addition * 1000 == Fraction(1000 * (lost * 100 - awards), HANDS)
    assert round(grows.addition * 1000) == 56_237
    assert growth(progressive, seats=6).addition == 6 * grows.addition
    assert growth(progressive, fee=Fraction(1, 10)).addition == grows.addition * Fraction(9, 10)


def test_a_jackpot_without_fee_balances_where_the_wager_breaks_even(progressive: Progressive) -> None:
    # All that is lost is won again, so what is fair to the player keeps the jackpot level.
    for seats in (1, 6):
        assert growth(progressive, seats=seats).balance == progressive.break_even(seats)


RULES = catalog.rulebook("spanish-poker").meter["jackpot"]
# a dollar a round
STEADY = Growth(box=Fraction(150), tray=Fraction(50), won=Fraction(1, 10_000), rules=RULES)


@pytest.mark.clause("SP.17")
@pytest.mark.parametrize(
    ("recovery", "rounds", "recovered", "primary"),
    [
        (Fraction(1), 300, 30_000, 50_000),
        (Fraction(1), 600, 50_000, 60_000),
        (Fraction(1, 2), 300, 15_000, 65_000),
        (Fraction(1, 2), 1_200, 50_000, 120_000),
        (Fraction(0), 300, 0, 80_000),
    ],
)
def test_the_seed_is_recovered_first_or_by_parts(recovery: Fraction, rounds: int, recovered: int, primary: int) -> None:
    fund = STEADY.fund(rounds, recovery=recovery)
    assert [fund.recovered, fund.primary, fund.backup] == [recovered, primary, 0]


@pytest.mark.clause("SP.18")
@pytest.mark.parametrize(
    ("dollars", "lying"),
    [
        (4_500, (5_000, 0, 0)),
        (7_000, (5_000, 2_500, 0)),
        (12_000, (5_000, 5_000, 2_500)),
        (20_000, (10_500, 5_000, 5_000)),
        (40_000, (20_000, 15_500, 5_000)),
    ],
)
def test_backups_fill_one_after_another(dollars: int, lying: tuple[int, int, int]) -> None:
    fund = STEADY.fund(dollars, recovery=Fraction(0))
    assert [fund.primary, fund.backup, fund.second_backup] == [100 * part for part in lying]


def test_without_backups_all_goes_to_the_jackpot() -> None:
    fund = STEADY.fund(40_000, recovery=Fraction(0), backups=0)
    assert [fund.primary, fund.backup] == [4_050_000, 0]


# What is refused


def test_what_makes_no_sense_is_refused_in_a_sentence(progressive: Progressive) -> None:
    with pytest.raises(UnknownName, match="Fu Bacc has no progressive wager"):
        Progressive(catalog.game("fu-bacc"))
    with pytest.raises(FeltError, match="8 seats cannot be dealt; 41 cards serve 1 to 7"):
        progressive.prizes(8)
    with pytest.raises(UnknownName, match="no hand that wins from the jackpot 'flush'"):
        progressive.rounds_between("flush")
    with pytest.raises(FeltError, match="no hand that wins from the jackpot can be dealt"):
        gran(shoe=SPANISH_SHOE.without(cards("Jo 7c 7d 7h 7s"))).break_even()


def test_a_jackpot_walked_card_by_card_costs_what_counting_says(monkeypatch: pytest.MonkeyPatch) -> None:
    table = catalog.game("spanish-poker", options={"offers": ["ante", "gran-progressive"]})
    few = cards("7c Jc Qc Kc Ac 7d 7h 7s Jo Jd Qd")
    exposed = SPANISH_SHOE.without(few).all_cards()
    question = Question(table, "gran-progressive", exposed=exposed, jackpot=300_000)
    counted = analyze(question).figures
    monkeypatch.setattr(analyzing, "ranking_of", Mock(return_value=None))  # as where no poker hands meet
    assert analyze(question).figures.house_edge == counted.house_edge


def test_a_jackpot_that_waits_for_more_than_its_own_cards_is_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = catalog.game("spanish-poker")
    judge = table.wagers["gran-progressive"]
    monkeypatch.setattr(judge, "judge", Mock(return_value=None))
    with pytest.raises(NoShowdown):
        Progressive(table)
