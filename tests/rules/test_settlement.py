"""Settlement: a verdict becomes money in one place; lines appear as wagers are decided."""

from fractions import Fraction
from typing import Any

import pytest

from feltworks import catalog
from feltworks.money import Odds
from feltworks.rules.pay_table import Fixed, Rest, Share
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide
from feltworks.rules.wager import Line
from feltworks.written.record import FinishedRound, FinishedSeat
from feltworks.written.replay import replay
from tests.pit import Moment, bacc, bj, walked


def by_wager(lines: tuple[Line, ...]) -> dict[str, Line]:
    return {line.wager: line for line in lines}


def fu_bacc(**terms: Any) -> tuple[Any, list[Moment]]:
    spot = bacc("8d Kd 2c", "stay", ante=1000, tie=500, lucky_monkey=100)
    return walked("fu-bacc", spot, dealer="Kh 7s 2s", **terms)


def test_a_line_carries_wager_outcome_money_reason_and_clauses() -> None:
    table, moments = fu_bacc()
    line = by_wager(table.settle(moments[-1].after))["play"]
    assert (line.seat, line.wagered, line.outcome, line.net) == (0, 2000, "player higher", 2000)
    assert (line.result, line.clause, line.clauses) == ("win", "FB.7", ("FB.7", "FB.2"))
    assert line.reason == "8 is higher than the dealer's 7: pays 1 to 1."
    assert (line.pay, line.toke, line.award) == (Odds(1), False, None)


def test_lines_come_as_wagers_are_decided_and_never_change() -> None:
    table, moments = fu_bacc()
    given: dict[str, Line] = {}
    seen = []
    for moment in moments:
        now = by_wager(table.settle(moment.after))
        assert {name: now[name] for name in given} == given
        given = now
        seen.append(sorted(now))
        assert table.undecided(moment.after) is (set(now) != set(moment.after.seats[0].wagers))
    assert seen[0] == []
    assert ["lucky-monkey"] in seen
    assert seen[-1] == ["ante", "lucky-monkey", "play", "tie"]


@pytest.mark.clause("M.1")
@pytest.mark.parametrize(("options", "net"), [({}, 1501), ({"breakage": "up"}, 1502), ({"chip": 7}, 1498)])
def test_breakage_is_the_tables(options: dict[str, Any], net: int) -> None:
    table, moments = walked("lucky-break", bj("Ah Kh", blackjack=1001), dealer="8c Td", options=options)
    (line,) = table.settle(moments[-1].after)
    assert line.net == net


def test_a_players_wagers_come_before_the_tokes_on_the_same_spot() -> None:
    spot = bj("Th 9h", blackjack=1000, lucky_break=200, tokes={"lucky-break": 100})
    table, moments = walked("lucky-break", spot, dealer="6c Td Ks")
    lines = [(line.wager, line.toke, line.net) for line in table.settle(moments[-1].after)]
    assert lines == [("blackjack", False, 1000), ("lucky-break", False, 600), ("lucky-break", True, 300)]


def test_a_divided_wager_is_settled_hand_by_hand_as_each_is_decided() -> None:
    spot = bj("8h 8d", "8h 6s Ts", "8d 3s Ts double", blackjack=1000)
    table, moments = walked("lucky-break", spot, dealer="8c Td")
    second = next(m for m in moments if isinstance(m.step, Decide) and m.step.about == "hand 2")
    assert [(line.part, line.net) for line in table.settle(second.before)] == [("hand 1", -1000)]
    lines = [(line.part, line.wagered, line.net) for line in table.settle(moments[-1].after)]
    assert lines == [("hand 1", 1000, -1000), ("hand 2", 2000, 2000)]


def test_settling_reads_the_felt_and_leaves_it_alone() -> None:
    table, moments = fu_bacc()
    after: Round = moments[-1].after
    assert table.settle(after) == table.settle(after)
    assert after.seats[0].wagers == {"ante": 1000, "tie": 500, "lucky-monkey": 100, "play": 2000}


@pytest.mark.clause("SP.13", "SP.14")
def test_prizes_are_priced_from_tray_and_meter() -> None:
    table = catalog.game("spanish-poker", options={"offers": ["ante", "gran-progressive"]})
    hands = ["2c 2d 2h 2s Jo", *(" ".join(rank + suit for rank in "7JQKA") for suit in "cds")]
    hands += ["5h 6h 7h Jh Qh", "3c 3d 4h 4s 5c"]
    wagers = {"ante": 500, "gran-progressive": 100}
    seats = [FinishedSeat(wagers, hand.split(), choice="fold") for hand in hands]
    dealer = {"cards": ["3h", "4c", "5d", "6d", "Kh"]}
    lines = table.settle(replay(table, FinishedRound("spanish-poker", seats, dealer, jackpot=100_003)))
    gran = {line.seat: line for line in lines if line.wager == "gran-progressive"}
    # three royals share a quarter, 8,333.58 cents each, rounded down; Cincos takes all that is left
    third = Fraction(1, 12)
    assert [(gran[n].pay, gran[n].net) for n in (1, 2, 3)] == [(Share(third, "jackpot"), 8333)] * 3
    assert (gran[0].pay, gran[0].net) == (Rest("jackpot"), 100_003 - 3 * 8333)
    assert (gran[4].pay, gran[4].net) == (Fixed(15000), 15000)
    assert gran[4].award is not None
    assert (gran[4].award.source, gran[4].award.share) == ("tray", None)
    assert gran[5].net == -100


@pytest.mark.parametrize("pay", [Share(Fraction(3, 4), "jackpot"), Rest("jackpot")], ids=str)
def test_winners_of_more_than_a_meter_holds_divide_it(pay: Share | Rest) -> None:
    table = catalog.game("spanish-poker", options={"offers": ["gran-progressive", "ante"]})
    table.pays = {**table.pays, "gran-progressive": {**table.pays["gran-progressive"], "royal flush": pay}}
    hands = [[rank + suit for rank in "7JQKA"] for suit in "cd"]
    seats = [FinishedSeat({"gran-progressive": 100}, hand) for hand in hands]
    finished = FinishedRound("spanish-poker", seats, {"cards": ["3h", "4c", "5d", "6d", "Kh"]}, jackpot=100_003)
    lines = table.settle(replay(table, finished))
    assert [(line.net, line.award and line.award.share) for line in lines] == [(50_001, Fraction(1, 2))] * 2
