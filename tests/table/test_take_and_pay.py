"""Where each cent goes: wins, pushes, part losses, tokes, prizes, boxes and meters."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks import catalog
from feltworks.table.table import Table
from tests.table.stacked import JACKPOT, at_random, finish, full_table, stacked_table, told


def seated(
    game: str, order: str, wagers: dict[str, int], tokes: dict[str, int] | None = None, **terms: object
) -> Table:
    table = stacked_table(game, order, **terms)
    table.sit("ann", 1, stack=100_000)
    table.wager("ann", 1, wagers, tokes)
    table.deal()
    return table


@pytest.mark.clause("FB.7")
@pytest.mark.parametrize(
    ("dealer", "stack", "tray"),
    [("9s 4h Ac", 103_000, -3000), ("9s Kh Ac", 97_000, 3000), ("5s Kh Kc", 99_000, 1000)],
    ids=["both pay", "both lose", "the tie loses the ante and pushes the play"],
)
def test_wins_return_the_wager_and_pushes_only_that(dealer: str, stack: int, tray: int) -> None:
    table = seated("fu-bacc", f"5c Kd 2h {dealer}", {"ante": 1000})
    table.choose("ann", 1, "stay")
    assert (table.seating.player("ann").stack, table.house.tray, table.on_felt) == (stack, tray, 0)


@pytest.mark.clause("AD.5")
def test_a_half_loss_returns_the_other_half() -> None:
    order = "5c Qh Kd 5s"
    table = seated("acey-deucey-21", order, {"blackjack": 1000, "war": 501}, pay_tables={"war": "2"})
    while not any("war" in line for line in told(table)):
        table.choose("ann", 1, table.decisions[0].offers[0].name)
    assert [line for line in told(table) if "war" in line] == [
        "taken seat 1 war 251",
        "returned seat 1 war 250",
    ]
    assert table.house.tray == 251


@pytest.mark.clause("LB.10", "LB.5")
def test_what_a_toke_wins_and_brings_back_is_the_dealers() -> None:
    table = seated("lucky-break", "Tc 9h 6d Ts Td", {"blackjack": 1000, "lucky-break": 500}, {"lucky-break": 100})
    table.choose("ann", 1, "stand")
    # the dealer breaks with 26: 3 to 1
    assert [line for line in told(table) if "toke" in line] == [
        "paid seat 1 lucky-break toke 300",
        "returned seat 1 lucky-break toke 100",
    ]
    assert table.house.tokes == 400
    assert table.seating.player("ann").stack == 100_000 + 1000 + 1500 - 100
    assert table.house.tray == -1000 - 1500 - 300


@pytest.mark.clause("LB.10", "LB.5")
def test_a_losing_toke_goes_to_the_tray() -> None:
    table = seated("lucky-break", "Tc 9h Kd Ts", {"blackjack": 1000, "lucky-break": 500}, {"lucky-break": 100})
    table.choose("ann", 1, "stand")
    assert (table.house.tokes, table.house.tray) == (0, 1600)


def progressive(player: str, **options: object) -> Table:
    options = {"offers": ["ante", "gran-progressive"], **options}
    table = seated(
        "spanish-poker", f"{player} Ac Qd 5s 6s 4c", {"ante": 1000, "gran-progressive": 100}, options=options
    )
    table.choose("ann", 1, "fold")
    return table


@pytest.mark.clause("SP.13", "SP.15")
def test_a_losing_progressive_wager_goes_into_its_own_drop_box() -> None:
    table = progressive("Kc Kd 2h 3h 4s")
    assert table.house.boxes == {"jackpot": 100}
    assert (table.house.tray, table.house.meters) == (1000, {"jackpot": JACKPOT})


@pytest.mark.clause("SP.13")
def test_a_fixed_award_comes_from_the_tray_and_the_dollar_comes_back() -> None:
    table = progressive("Kc Kd Kh Ks 4s")
    assert (table.house.tray, table.house.boxes) == (1000 - 10_000, {})
    assert table.seating.player("ann").stack == 100_000 - 1000 + 10_000


@pytest.mark.clause("SP.13", "SP.14")
@pytest.mark.parametrize(
    ("player", "won"),
    [("7h Jh Qh Kh Ah", JACKPOT // 4), ("Kc Kd Kh Ks Jo", JACKPOT)],
    ids=["royal", "cincos"],
)
def test_a_jackpot_win_lowers_the_meter_at_once(player: str, won: int) -> None:
    table = progressive(player)
    assert table.house.meters == {"jackpot": JACKPOT - won}
    assert table.seating.player("ann").stack == 100_000 - 1000 + won
    assert table.round is not None
    assert table.round.meters == {"jackpot": JACKPOT}  # as posted when the round began


@pytest.mark.clause("SP.13")
def test_a_stake_the_house_keeps_goes_into_the_box() -> None:
    table = progressive("Kc Kd Kh Ks 4s", **{"gran-progressive.stake": "kept"})
    assert (table.house.tray, table.house.boxes) == (1000 - 10_000, {"jackpot": 100})
    assert table.seating.player("ann").stack == 100_000 - 1100 + 10_000


@pytest.mark.clause("M.1")
def test_breakage_stays_in_the_tray() -> None:
    table = seated("fu-bacc", "8c Kd 2h 9s 4h Ac", {"ante": 1001})
    table.choose("ann", 1, "bonus")  # 3 to 2 on $10.01
    assert (table.seating.player("ann").stack, table.house.tray) == (100_000 + 1501, -1501)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(catalog.games()), st.integers(0, 2**32), st.sampled_from([7000, 100_000]))
def test_no_cent_is_made_or_lost_at_any_step(name: str, seed: int, stack: int) -> None:
    rng = random.Random(seed)
    table = full_table(name, seed=seed, stack=stack)
    total = table.total

    def check() -> None:
        assert table.total == total
        assert min(player.stack for player in table.seating.players.values()) >= 0

    table.deal()
    finish(table, at_random(rng), rng, check)
    assert table.on_felt == 0
    won = sum(line.net for line in table.lines if not line.toke)
    assert table.seating.total == 2 * stack - 100 * len(table.seats[-1].tokes) + won
