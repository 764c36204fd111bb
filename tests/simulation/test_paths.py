"""Sessions and days: against the rounds themselves one by one, whoever plays them."""

import pickle
from functools import partial
from itertools import accumulate, groupby
from math import sqrt
from xml.etree import ElementTree

import numpy as np
import pytest

from feltworks.errors import BadOption
from feltworks.machine.streams import Stream
from feltworks.simulation.paths import (
    NO_FLOOR,
    DayStatistics,
    Histogram,
    HouseDays,
    PathStatistics,
    Sessions,
    _deal,
    _play,
    house_document,
    path_statistics,
    points_of,
    session_document,
)
from feltworks.simulation.plan import Plan
from feltworks.simulation.plots import house_svg, sessions_svg
from feltworks.simulation.rounds.kernel import kernel_of
from feltworks.simulation.tally import sampled_figures
from feltworks.simulation.workers import Threads, WorkerPool
from tests.simulation.rounds import deal_rounds

PLAN = Plan("fu-bacc", ({"ante": 1_000, "tie": 500},))
TABLE = Plan("fu-bacc", ({"ante": 1_000, "tie": 500}, {"ante": 2_000}, {"ante": 1_000, "tie": 500}))


def played(sessions: Sessions, crew: WorkerPool) -> PathStatistics:
    with crew:
        found = sessions.play(crew).total
    assert found is not None
    return found


def dealt(house: HouseDays, crew: WorkerPool) -> DayStatistics:
    with crew:
        found = house.deal(crew).total
    assert found is not None
    return found


@pytest.mark.parametrize("floor", [NO_FLOOR, -6_000])
def test_every_path_is_described_as_its_steps_say(floor: int) -> None:
    length, paths = 37, 300
    nets = kernel_of(PLAN.to_json()).nets(Stream(8, 0), length * paths)
    found = path_statistics([nets[: 100 * length], nets[100 * length :]], length, floor)
    expected = [_described(path.tolist(), floor) for path in nets.reshape(paths, length)]
    columns = (found.result, found.longest, found.drawdown, found.depth, found.lasted)
    assert found.paths == paths
    for histogram, numbers in zip(columns, zip(*(each[:5] for each in expected), strict=True), strict=True):
        assert histogram == Histogram.of(numbers)
    for place, point in enumerate(points_of(length)):
        assert found.bands[place].counts == Histogram.of(each[5][point - 1] for each in expected).counts
    assert any(each[4] < length for each in expected) == (floor > NO_FLOOR)


def _described(nets: list[int], floor: int) -> tuple[int, int, int, int, int, list[int]]:
    """Result, longest losing run, drawdown, depth and length of a path, and its sums, in plain words."""
    full = list(accumulate(nets))
    lasted = next((step for step, total in enumerate(full, 1) if total < floor), len(nets))
    sums, kept = full[:lasted], nets[:lasted]
    tops = list(accumulate([0, *sums], max))[1:]
    losing = [len(list(run)) for lost, run in groupby(kept, key=lambda net: net < 0) if lost]
    drawdown = max(top - total for top, total in zip(tops, sums, strict=True))
    stopped = sums + [sums[-1]] * (len(nets) - lasted)
    return sums[-1], max(losing, default=0), drawdown, max(0, -min(full)), lasted, stopped


@pytest.mark.parametrize(("rounds", "count"), [(100, 7_000), (70_000, 9)])
def test_sessions_are_the_same_whoever_plays_them(rounds: int, count: int) -> None:
    asked = Sessions(PLAN, 5, rounds, count, bankroll=200_000)
    alone = played(asked, Threads(1))
    assert alone.paths == count
    assert played(asked, Threads(3)) == alone


def test_sessions_and_days_travel_to_processes_and_clusters() -> None:
    sessions, days = Sessions(PLAN, 5, 100, 500), HouseDays(TABLE, 5, 6, 50, 3)
    for work in (partial(_play, sessions), partial(_deal, days)):
        carried_out = pickle.loads(pickle.dumps(work))(0)
        assert pickle.loads(pickle.dumps(carried_out)) == work(0)


def test_sessions_play_the_rounds_that_a_tally_of_the_same_seed_counts() -> None:
    kernel, rounds = kernel_of(PLAN.to_json()), 1 << 16
    found = played(Sessions(PLAN, 21, rounds, 3), Threads(2))
    tallies = [kernel.tally(Stream(21, block), rounds).sums for block in range(3)]
    assert found.result == Histogram.of(map(sum, tallies))


@pytest.mark.parametrize("plan", [PLAN, TABLE], ids=["one seat", "three seats"])
def test_days_are_what_the_table_lost_in_them(plan: Plan) -> None:
    kernel, rounds = kernel_of(plan.to_json()), 40
    found = dealt(HouseDays(plan, 3, days=17, rounds_per_day=rounds, horizon=5), Threads(2))
    wins = []
    for stretch, days in enumerate((5, 5, 5, 2)):
        stream = Stream(3, stretch)
        for _ in range(days):
            today = list(deal_rounds(kernel, stream, rounds))
            wins.append(-sum(line.net for each in today for line in each.lines))
    assert found.wins == Histogram.of(wins)
    assert found.stretches == path_statistics([np.array(wins[:15], np.int64)], 5)


def test_days_are_the_same_whoever_deals_them() -> None:
    asked = HouseDays(TABLE, 3, days=1_000, rounds_per_day=100, horizon=30, bankroll=1_000_000)
    assert dealt(asked, Threads(1)) == dealt(asked, Threads(3))


def test_a_bankroll_for_a_safety_is_as_safe_as_it_says_and_no_smaller_one_is() -> None:
    asked = Sessions(PLAN, 9, 500, 4_000)
    walks = played(asked, Threads(2))
    for safety in (0.9, 0.99):
        bankroll = walks.bankroll(safety, asked.needed)
        assert walks.ruin_share(bankroll, asked.needed) <= 1 - safety + 1e-12
        assert walks.ruin_share(bankroll - 1, asked.needed) > 1 - safety
    bankroll = walks.bankroll(0.9, asked.needed)
    stopped = played(Sessions(PLAN, 9, 500, 4_000, bankroll - 1), Threads(2))
    ruined = 4_000 * walks.ruin_share(bankroll - 1, asked.needed)
    assert stopped.depth == walks.depth
    assert stopped.lasted.count - stopped.lasted.counts[500] <= round(ruined)  # some at the very last round
    assert stopped.result.quantile(0) >= -(bankroll - 1) + asked.needed - 4 * 10_000


def test_the_risk_of_ruin_is_that_of_the_gambler_with_an_even_chance() -> None:
    """A coin, ten units, against a hundred tosses: the reflection principle."""
    rng = np.random.default_rng(6)
    nets = rng.choice(np.array([-1, 1]), 100 * 40_000)
    walks = path_statistics([nets], 100)
    heads = np.cumsum(rng.choice(np.array([-1, 1]), (40_000, 100)), axis=1)[:, -1]
    reflected = float((heads <= -10).mean() + (heads < -10).mean())
    assert walks.ruin_share(9, 0) == pytest.approx(reflected, abs=4 * sqrt(2 * 0.32 * 0.68 / 40_000))


def test_the_documents_say_what_the_paths_came_to() -> None:
    asked = Sessions(PLAN, 1, 200, 3_000)
    walks = played(asked, Threads(2))
    said = session_document(asked, walks, 0.98)
    assert abs(said["result"]["z"]) < 4.5
    assert list(said["bankroll_for"]) == ["90%", "95%", "98%", "99%", "99.9%"]
    assert said["ruin"] is None
    assert said["bands"][-1]["50%"] == said["result"]["50%"]
    assert said["ahead"] == pytest.approx(1 - walks.result.share_below(1))
    three = Plan("fu-bacc", PLAN.seats * 3)
    house = HouseDays(three, 1, days=400, rounds_per_day=50, horizon=40, bankroll=100_000)
    told = house_document(house, dealt(house, Threads(2)), 20_000, 0.99)
    assert abs(told["win"]["z"]) < 4.5
    assert (told["days"], told["stretches"]) == (400, 10)
    low, high = told["loses_more_than"]["interval"]
    assert low < told["loses_more_than"]["probability"] < high
    assert list(told["reserve_for"]) == ["90%", "95%", "99%"]
    assert list(told["bankroll_for"]) == ["90%"]


def test_the_mean_of_sessions_is_that_of_the_rounds() -> None:
    kernel = kernel_of(PLAN.to_json())
    walks = played(Sessions(PLAN, 2, 64, 1_024), Threads(1))
    edges = sampled_figures(kernel.layout, kernel.tally(Stream(2, 0), 1 << 16))
    assert walks.result.mean / 64 == pytest.approx(-1_000 * edges["ante"].house_edge - 500 * edges["tie"].house_edge)


def test_the_pictures_are_the_same_svg_every_time() -> None:
    asked = Sessions(PLAN, 1, 100, 500, 5_000)
    walks = played(asked, Threads(1))
    picture = sessions_svg("sessions", walks, 100, asked.needed, 5_000)
    assert picture == sessions_svg("sessions", walks, 100, asked.needed, 5_000)
    words = "".join(ElementTree.fromstring(picture).itertext())
    for word in (
        "sessions of 100 rounds: 500",
        "5% to 95%",
        "longest losing run",
        "risk of ruin",
        "play money",
    ):
        assert word in words
    house = HouseDays(PLAN, 1, days=20, rounds_per_day=10, horizon=5)
    days = dealt(house, Threads(1))
    assert days.stretches is not None
    drawn = "".join(ElementTree.fromstring(house_svg("days", days.wins, days.stretches, 5, 100, None)).itertext())
    assert "stretches of 5 days: 4" in drawn
    assert "lose more than $1" in drawn


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (Sessions(PLAN, 1, 0, 5), "--session cannot be 0"),
        (Sessions(PLAN, 1, 10**7, 5), "from 1 to 1,000,000"),
        (Sessions(PLAN, 1, 5, 0), "--sessions cannot be 0"),
        (Sessions(PLAN, -1, 5, 5), "--seed cannot be -1"),
        (Sessions(PLAN, 1, 5, 5, 1_499), "cover the opening wagers of a round, \\$15"),
        (HouseDays(PLAN, 1, 0, 5, 1), "--days cannot be 0"),
        (HouseDays(PLAN, 1, 5, 0, 1), "--rounds-per-day cannot be 0"),
        (HouseDays(PLAN, 1, 5, 5, 6), "--horizon cannot be 6; it takes a whole number from 1 to 5"),
        (HouseDays(PLAN, 1, 5, 5, 5, -1), "--bankroll cannot be -1"),
    ],
    ids=str,
)
def test_nonsense_is_refused_in_a_sentence(asked: Sessions | HouseDays, sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        asked.check()
