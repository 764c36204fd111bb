"""The progressive over years: its play against the kernel and exact counts, its books against the clauses."""

import json
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import islice
from math import sqrt
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from feltworks import catalog
from feltworks.analysis.solvers.progressive import Growth, Progressive, growth
from feltworks.cards import cards
from feltworks.errors import FeltError
from feltworks.machine.streams import Stream
from feltworks.simulation.jackpot import (
    DAYS_A_YEAR,
    SEED_BY_HALVES,
    SEED_FIRST,
    JackpotFund,
    JackpotHistory,
    JackpotPolicy,
    ProgressiveTable,
    jackpot_policies,
    play_years,
    summary,
)
from feltworks.simulation.plan import Plan
from feltworks.simulation.plots import jackpot_svg
from feltworks.simulation.rounds.ends import PrizeRound
from feltworks.simulation.rounds.kernel import DealtRound, kernel_for
from tests.simulation.rounds import deal_rounds

OFFERS = {"offers": ["ante", "gran-progressive"]}
DOLLAR = {"gran-progressive": 100}
CINCOS, HOUSE = "2c 2d 2h 2s Jo", "3s 4h 5s 6d 6h"
METER = catalog.rulebook("spanish-poker").meter["jackpot"]
BOTH = {"seed first": SEED_FIRST, "seed by halves": SEED_BY_HALVES}


def riding(seats: int, **more: Any) -> Plan:
    return Plan("spanish-poker", (DOLLAR,) * seats, options=OFFERS, **more)


def jackpot_years(plan: Plan, policy: JackpotPolicy = SEED_FIRST, **more: Any) -> JackpotHistory:
    """The jackpot under one policy."""
    return jackpot_policies(plan, {"": policy}, **more)[""]


@pytest.fixture(scope="module")
def histories() -> dict[str, JackpotHistory]:
    return jackpot_policies(riding(2), BOTH, years=6, rounds_per_day=150, seed=5)


@pytest.mark.clause("SP.13", "SP.15", "SP.16")
def test_days_of_play_are_what_the_kernel_deals_and_the_rules_settle() -> None:
    rounds, jackpot = 40, 80_000
    days = list(play_years(riding(3), years=1, rounds_per_day=rounds, seed=11))
    dealt = deal_rounds(kernel_for(riding(3, jackpot=jackpot)), Stream(11, 0), DAYS_A_YEAR * rounds)
    assert len(days) == DAYS_A_YEAR
    for day in days:
        today = [line for round_ in islice(dealt, rounds) for line in round_.lines]
        fixed = {"straight flush", "four of a kind", "flush"}
        assert day.box == sum(line.wagered for line in today if line.outcome == "nothing")
        assert day.tray == sum(line.net for line in today if line.outcome in fixed)
        hits = [line.outcome for line in today if line.outcome not in fixed | {"nothing"}]
        winners = [name for hit in day.hits for name in hit.winners]
        assert winners.count("cincos") == sum("cincos" in name for name in hits)
        assert winners.count("royal flush") == sum(name.startswith("royal") for name in hits)
        assert len(winners) == len(hits)


@pytest.mark.clause("SP.13", "SP.14")
@pytest.mark.parametrize(("cincos", "royals"), [(0, 1), (0, 2), (0, 4), (1, 0), (1, 1), (1, 3), (1, 4)])
def test_a_hit_takes_its_shares_of_what_is_posted(cincos: int, royals: int) -> None:
    posted = 123_457
    share = posted if cincos else royals * (posted // 4)
    hands = [CINCOS] * cincos + [f"7{suit} J{suit} Q{suit} K{suit} A{suit}" for suit in "cdhs"[:royals]]
    dealt = DealtRound((DOLLAR,) * len(hands), cards(" ".join((*hands, HOUSE))), (), ())
    hit = PrizeRound(0, ("cincos",) * cincos + ("royal flush",) * royals, dealt)
    assert ProgressiveTable(riding(1)).payment(hit, posted) == (
        share,
        bool(cincos) or royals == 4,
    )


def test_hits_and_additions_come_as_often_as_exact_counting_says() -> None:
    seats, rounds = 3, 20_000
    days = list(play_years(riding(seats), years=1, rounds_per_day=rounds, seed=2))
    exact = Progressive(catalog.game("spanish-poker", options=OFFERS))
    total = rounds * len(days)
    assert set(exact.winning_hands) == {"cincos", "royal flush"}
    for hand in exact.winning_hands:
        expected = float(total / exact.rounds_between(hand, seats))
        seen = sum(hand in hit.winners for day in days for hit in day.hits)
        assert abs(seen - expected) < 4 * sqrt(expected)
    grows = growth(exact, seats=seats)
    brought = [day.box - day.tray for day in days]
    error = np.std(brought) / sqrt(len(days))
    assert abs(np.mean(brought) - float((grows.box - grows.tray) * rounds)) < 4 * error


@pytest.mark.clause("SP.17", "SP.18")
@pytest.mark.parametrize("backups", [0, 1, 2])
@pytest.mark.parametrize("recovery", [Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(0)])
def test_without_hits_the_fund_grows_as_the_analysis_expects(recovery: Fraction, backups: int) -> None:
    """The same even addition every day; the analysis pours it all at once."""
    daily = 10_000
    fund = JackpotFund(JackpotPolicy(recovery=recovery, backups=backups), METER)
    grows = Growth(Fraction(daily), Fraction(0), Fraction(1), METER)
    for day in range(1, 400):
        fund.close_day(daily, 0, day=day)
        lies = grows.fund(day, recovery=recovery, backups=backups)
        assert fund.lying == [lies.primary, lies.backup, lies.second_backup]
        assert fund.books.recovered == lies.recovered


@pytest.mark.clause("SP.16")
def test_a_day_on_which_the_tray_paid_more_than_the_box_holds_adds_nothing() -> None:
    forgets = JackpotFund(SEED_FIRST, METER)
    carries = JackpotFund(JackpotPolicy(carries_shortfall=True), METER)
    for fund in (forgets, carries):
        fund.close_day(10_000, 17_500, day=0)
        assert fund.posted == 50_000
        assert fund.books.recovered == 0
        fund.close_day(10_000, 0, day=1)
    assert forgets.books.recovered == 10_000
    assert carries.books.recovered == 2_500
    fee = JackpotFund(JackpotPolicy(recovery=Fraction(0), fee=Fraction(1, 3)), METER)
    fee.close_day(10_000, 0, day=0)
    assert (fee.books.fee, fee.posted) == (3_333, 56_667)


@pytest.mark.clause("SP.17")
def test_the_seed_is_recovered_first_or_by_a_part_of_each_addition() -> None:
    first, halves = JackpotFund(SEED_FIRST, METER), JackpotFund(SEED_BY_HALVES, METER)
    seen = []
    for day in range(4):
        for fund in (first, halves):
            fund.close_day(30_000, 0, day=day)
        seen.append((first.posted, first.owed, halves.posted, halves.owed))
    assert seen == [
        (50_000, 20_000, 65_000, 35_000),
        (60_000, 0, 80_000, 20_000),
        (90_000, 0, 95_000, 5_000),
        (120_000, 0, 120_000, 0),
    ]
    assert first.seedings[0].recovered_on == 1
    assert halves.seedings[0].recovered_on == 3


@pytest.mark.clause("SP.18")
def test_a_backup_becomes_the_primary_and_without_one_a_new_seed_is_put_up() -> None:
    fund = JackpotFund(SEED_FIRST, METER)
    fund.close_day(50_000 + 450_000 + 500_000 + 60_000, 0, day=0)
    assert fund.lying == [500_000, 500_000, 60_000]
    fund.win(
        125_000, day=1, empties=False
    )  # a royal's quarter needs no new seed, and the second backup goes on growing
    fund.close_day(10_000, 0, day=1)
    assert fund.lying == [375_000, 500_000, 70_000]
    fund.win(375_000, day=2, empties=True)
    assert fund.lying == [500_000, 70_000, 0]
    fund.win(500_000, day=2, empties=True)
    assert fund.lying == [70_000, 0, 0]
    assert (fund.taken_over, fund.owed) == (2, 0)
    fund.win(70_000, day=3, empties=True)
    assert fund.lying == [50_000, 0, 0]
    assert (fund.taken_over, fund.owed, len(fund.seedings)) == (2, 50_000, 2)


@pytest.mark.clause("SP.15", "SP.18")
def test_a_backup_below_the_seed_is_made_up_to_it() -> None:
    fund = JackpotFund(SEED_FIRST, METER)
    fund.close_day(500_000 + 20_000, 0, day=0)
    assert fund.lying == [500_000, 20_000, 0]
    fund.win(500_000, day=1, empties=True)
    assert fund.lying == [50_000, 0, 0]
    assert fund.owed == 30_000


@pytest.mark.clause("SP.16", "SP.17", "SP.18")
@pytest.mark.parametrize("name", BOTH)
def test_no_cent_is_lost_and_the_posted_amount_never_falls_but_for_a_win(
    histories: dict[str, JackpotHistory], name: str
) -> None:
    history, books = histories[name], histories[name].books
    assert books.box == books.taken_back + books.fee + books.recovered + books.added
    assert books.seeded + books.added - books.won == history.closes[-1, :3].sum()
    assert books.seeded - books.recovered == history.closes[-1, 3]
    assert books.won == sum(hit.paid for hit in history.hits)
    assert books.seeded == sum(seeding.cents for seeding in history.seedings)
    days_with_hits = {hit.day for hit in history.hits}
    fallen = np.flatnonzero(np.diff(history.closes[:, 0]) < 0) + 1
    assert set(fallen.tolist()) <= days_with_hits
    assert all(hit.paid == hit.posted for hit in history.hits_of("cincos"))
    royals = [hit for hit in history.hits if "cincos" not in hit.winners]
    assert all(hit.paid == len(hit.winners) * (hit.posted // 4) for hit in royals)


def test_both_policies_see_the_same_hits_and_later_recovery_leaves_more_on_the_meter(
    histories: dict[str, JackpotHistory],
) -> None:
    first, halves = histories.values()
    assert [(hit.round, hit.winners) for hit in first.hits] == [(hit.round, hit.winners) for hit in halves.hits]
    waits = [max(history.days_to_recover) for history in (first, halves)]
    assert waits[0] < waits[1]


def test_workers_change_nothing() -> None:
    alone = jackpot_years(riding(2), years=3, rounds_per_day=100, seed=9)
    with ThreadPoolExecutor(2) as crew:
        together = jackpot_years(riding(2), years=3, rounds_per_day=100, seed=9, executor=crew)
    assert (alone.closes == together.closes).all()
    assert alone.hits == together.hits
    other = jackpot_years(riding(2), years=3, rounds_per_day=100, seed=10)
    assert not (alone.closes == other.closes).all()


def test_seats_without_the_dollar_do_not_touch_the_jackpot() -> None:
    mixed = Plan("spanish-poker", ({"ante": 500}, {"ante": 500, **DOLLAR}), options=OFFERS)
    alone = jackpot_years(riding(1), years=1, rounds_per_day=50, seed=1)
    assert (jackpot_years(mixed, years=1, rounds_per_day=50, seed=1).closes == alone.closes).all()


def test_the_summary_is_json_and_the_picture_is_the_same_svg_every_time(
    histories: dict[str, JackpotHistory],
) -> None:
    said = json.loads(json.dumps(summary(histories["seed first"])))
    assert said["days"] == 6 * DAYS_A_YEAR
    assert said["hits"]["royal flush"]["count"] == len(histories["seed first"].hits_of("royal flush"))
    assert said["posted"]["least"] <= said["posted"]["median"] <= said["posted"]["most"]
    picture = jackpot_svg(histories)
    assert picture == jackpot_svg(histories)
    words = "".join(ElementTree.fromstring(picture).itertext())
    assert "posted, seed by halves" in words
    assert "2 seats, 150 rounds a day" in words


def test_a_history_without_a_hit_is_told_and_drawn() -> None:
    quiet = jackpot_years(riding(1), years=1, rounds_per_day=1, seed=1)
    assert not quiet.hits
    assert summary(quiet)["hits"]["cincos"]["days_between"] == {"count": 0}
    assert "<svg" in jackpot_svg({"": quiet})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"years": 0}, "--years cannot be 0; it takes a whole number from 1 to"),
        ({"rounds_per_day": -5}, "--rounds-per-day cannot be -5"),
        ({"policy": JackpotPolicy(seed=49_999)}, "at least \\$500"),
        ({"policy": JackpotPolicy(recovery=Fraction(3, 2))}, "a part of each addition from 0 to 1"),
        ({"policy": JackpotPolicy(fee=Fraction(1))}, "from 0 to below 1"),
        ({"policy": JackpotPolicy(backups=3)}, "0, 1 or 2"),
        ({"plan": Plan("fu-bacc", ({"ante": 500},))}, "spanish-poker"),
        ({"plan": Plan("spanish-poker", ({"ante": 500},))}, "gran-progressive among the wagers"),
        ({"plan": Plan("spanish-poker", (DOLLAR,))}, "this table offers"),
        ({"plan": Plan("spanish-poker", (DOLLAR,) * 7, options=OFFERS)}, "from 1 to 6"),
    ],
    ids=repr,
)
def test_nonsense_is_refused_in_a_sentence(change: dict[str, Any], sentence: str) -> None:
    asked: dict[str, Any] = {"plan": riding(1), "years": 1, "rounds_per_day": 10, **change}
    with pytest.raises(FeltError, match=sentence):
        jackpot_years(asked.pop("plan"), **asked)
