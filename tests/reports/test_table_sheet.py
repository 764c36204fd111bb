"""The figures of a whole table are those of the analysis, for every pay table and deck count."""

from fractions import Fraction
from itertools import combinations
from math import isclose, log, sqrt
from random import Random

import msgspec
import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.cards import card
from feltworks.reports.confirmation import SampledWager, table_spread
from feltworks.reports.dearest import Deal, ShoeTable, deal_round
from feltworks.reports.order import Order
from feltworks.reports.par import Par
from feltworks.reports.reachable import _pack, largest_of_a_spot, reachable
from feltworks.reports.table_sheet import _capped_raises, _joint_spread, _matrix
from feltworks.reports.wager_sheet import progressive_sheet, wager_sheet
from feltworks.rules.round import DEALER
from feltworks.simulation.tally import Cell, Layout, count_rounds, round_variance
from feltworks.written.record import FinishedRound
from feltworks.written.settle import settle_finished
from tests.reports.conftest import DAY


@pytest.mark.clause("LL.6")
def test_a_matrix_holds_every_printed_edge_of_its_document() -> None:
    matrix = _matrix(Order("lucky-lucky", DAY), "lucky-lucky")
    assert (matrix.decks, [(row.pay_table, row.rule) for row in matrix.rows]) == (
        tuple(range(1, 9)),
        [("1", ""), ("2", ""), ("3", "")],  # the dealer's rule does not matter to it
    )
    edges = {(row.pay_table, n): edge for row in matrix.rows for n, edge in zip(matrix.decks, row.edges, strict=True)}
    for printed in catalog.rulebook("lucky-lucky").published:
        assert printed.decks
        assert f"{float(edges[printed.pay_table, printed.decks]):.2%}" == printed.figure


@pytest.mark.clause("LB.4")
def test_a_matrix_has_both_rules_of_a_dealer_who_completes_the_hand() -> None:
    order = Order("lucky-break", DAY, {"decks": 1})
    matrix = _matrix(order, "lucky-break")
    assert [(row.pay_table, row.rule) for row in matrix.rows[:2]] == [("1", "stand"), ("1", "hit")]
    game = catalog.game("lucky-break", options={"decks": 2, "soft17": "hit"})
    assert matrix.rows[1].edges[1] == analyze(Question(game, "lucky-break")).figures.house_edge


@pytest.mark.clause("AD.8")
def test_the_edge_at_the_limit_is_that_of_a_capped_raise() -> None:
    (capped,) = _capped_raises(Order("acey-deucey-21", DAY))
    assert capped.opened == 400_00
    assert capped.house_edge > 0 > capped.uncapped


def test_wagers_of_a_spot_vary_together_as_their_joint_law_says() -> None:
    spread = _joint_spread(Order("fu-bacc", DAY))
    assert spread
    assert [(each.one, each.other) for each in spread.correlations] == [
        ("Ante", "Lucky Monkey"),
        ("Ante", "Tie"),
        ("Lucky Monkey", "Tie"),
    ]
    assert all(-1 < each.value < 0 for each in spread.correlations)
    assert spread.deviation < spread.apart


def test_pace_and_bankroll_follow_from_edge_and_deviation(fu_bacc: Par) -> None:
    ante = fu_bacc.table.economy[0]
    edge = fu_bacc.wagers[0].sheet.figures.house_edge
    assert ante.per_hour == edge * 10_00 * 7 * 60
    assert ante.bankroll
    deviation = fu_bacc.wagers[0].sheet.figures.standard_deviation
    assert isclose(ante.bankroll, log(100) * deviation**2 / (2 * float(edge)) * 10_00)


@pytest.mark.clause("SP.13", "SP.15", "SP.16")
def test_a_progressive_gives_back_all_that_it_takes() -> None:
    sheet = progressive_sheet(wager_sheet(Order("spanish-poker", DAY), "gran-progressive"))
    assert sheet
    returned = Fraction(10 + 24, 749_398)  # the dollars of ten Cincos and twenty-four royals
    assert sheet.contribution + sheet.fixed_return == 1 - returned
    assert isclose(sheet.average_meter, sheet.break_even, rel_tol=1e-3)


def test_a_run_names_the_smallest_error_it_would_have_shown() -> None:
    assert SampledWager("Tie", 0.1, 0.001, 0.1).detects == pytest.approx(0.0053263)


def test_the_spread_of_a_table_counts_what_its_spots_share() -> None:
    """Two spots that share the dealer's hand deviate by more than two independent ones, by less than one twice."""
    order = Order("fu-bacc", DAY, {"offers": "ante", "spots": 2})
    alone = float(analyze(Question(order.table, "ante")).figures.standard_deviation)
    spread = table_spread(order, 200_000)
    assert spread
    assert sqrt(2) * alone + 3 * spread.standard_error < spread.deviation < 2 * alone
    assert "--seats 2" in spread.command
    assert table_spread(order, 20_000) is None


def test_the_variance_of_a_round_is_that_of_all_its_wagers() -> None:
    layout = Layout(("ante", "tie"), (100, 100))
    rounds = [[Cell("ante", "win", 100, 100, 100), Cell("tie", "lose", -50, 100, 100)], []]
    assert round_variance(layout, count_rounds(layout, rounds)) == 25**2


@pytest.mark.clause("SP.1", "SP.14")
def test_the_dearest_deal_has_one_joker_and_four_natural_royals() -> None:
    deal = reachable(Order("spanish-poker", DAY)).deal
    assert deal
    assert deal.hands == ("five of a kind", *["royal flush"] * 4, "four of a kind")
    ante = 200_00 * (200 + 4 * 100 + 25) + 6 * 400_00  # and a Raise of twice the Ante on each
    assert deal.payout == ante + 400_00 * (200 + 4 * 100 + 25) + 400_00 * 7
    assert deal.is_proven


@pytest.mark.clause("FB.9", "FB.12")
def test_the_dearest_spot_is_counted_over_every_choice() -> None:
    """Two monkeys against a 9, rescued, and the dealer ends on 0: three wagers win, and the Play is never made."""
    known = reachable(Order("fu-bacc", DAY))
    assert known.spot == 200_00 + 400_00 * 30 + 400_00 * 7
    assert known.deal
    assert known.deal.payout == known.deal.bound == 7 * known.spot  # fourteen monkeys are in the deck
    assert reachable(Order("fu-bacc", DAY, {"spots": 9})).deal is None  # eighteen are not
    assert largest_of_a_spot(Order("fu-bacc", DAY), "ante") == 200_00 + 400_00


@pytest.mark.clause("BJ.4")
def test_insurance_never_wins_beside_the_hands_it_insures() -> None:
    """Four hands doubled against a bust, at the limit of 2024; the insurance lost before they were played."""
    assert largest_of_a_spot(Order("lucky-lucky", DAY), "blackjack") == 4 * 2 * 400_00


def written(table: ShoeTable, deal: Deal) -> FinishedRound:
    """A deal as `felt settle` reads it."""
    r = deal_round(table.game, table.wagers, deal.cards, deal.choices)
    up, hole, *draws = [face.code for face in deal.cards[DEALER]]
    seats = []
    for spot in range(table.spots):
        hands = [[face.code for face in hand] for hand in table.game.part_cards(r, spot, table.main)]
        seats.append(
            {
                "wagers": table.wagers,
                "cards": [face.code for face in deal.cards[spot][:2]],
                "hands": [{"cards": hand, "doubled": len(hand) > 2} for hand in hands],
            }
        )
    dealer = {"up": up, "hole": hole, "draws": draws}
    return msgspec.convert({"game": "lucky-lucky", "dealer": dealer, "seats": seats}, FinishedRound)


@pytest.mark.clause("LL.3", "LB.6", "BJ.4")
def test_the_dearest_deal_of_a_shoe_is_proven_and_paid_by_felt_settle() -> None:
    """Six sevens of the up card's suit: one is the up card, so two spots hold a pair of them and five 6-8."""
    game = catalog.game("lucky-lucky", limit=400_00)
    table = ShoeTable(game, dict.fromkeys(("blackjack", "lucky-lucky", "lucky-break"), 400_00), 7)
    deal, bound = table.dearest()
    assert deal
    later, split, doubled = 153 * 400_00, 8 * 400_00, 2 * 400_00
    assert bound == deal.payout == 7 * later + 2 * (200 * 400_00 + split) + 5 * (100 * 400_00 + doubled)
    nets = [line["net"] for seat in settle_finished(written(table, deal))["seats"] for line in seat["lines"]]
    assert sum(net for net in nets if net > 0) == bound


def test_first_cards_from_a_shoe_are_packed_as_trying_all_of_them_does() -> None:
    game = catalog.game("acey-deucey-21", options={"decks": 1}, limit=400_00)
    table = ShoeTable(game, dict.fromkeys(("blackjack", "acey-deucey", "war"), 400_00), 2)
    up = card("Js")
    faces = [face for face in game.terms.shoe if face != up]
    worth = {frozenset(two): max(table._worth(two, up), table._worth(two[::-1], up)) for two in combinations(faces, 2)}
    fitting = (worth[one] + worth[two] for one, two in combinations(worth, 2) if not one & two)
    packed, bound = table._pack(up)
    assert bound == max(fitting) == sum(table._worth(pair, up) for pair in packed)


def test_hands_are_packed_as_trying_all_of_them_does() -> None:
    mind = Random(3)
    faces = [card(rank + suit) for rank in "A2345" for suit in "chs"]
    for _ in range(20):
        hands = sorted(((mind.randrange(50), frozenset(mind.sample(faces, 3))) for _ in range(12)), key=lambda h: -h[0])
        fitting = [
            sum(win for win, _ in three)
            for three in combinations(hands, 3)
            if len(frozenset.union(*(hand for _, hand in three))) == 9
        ]
        packed, bound = _pack(hands, 3)
        if fitting:
            assert bound == max(fitting)
            assert len(frozenset.union(*packed)) == 9
