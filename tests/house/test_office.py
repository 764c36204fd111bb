"""The office: bank account, deposit test, maximum and adjustments for the listed reasons alone."""

from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction

import pytest

from feltworks.errors import (
    BadAmount,
    FeltError,
    NotNow,
    PostingRefused,
    UnknownName,
)
from feltworks.house.progressive.acts import (
    Act,
    Adjustment,
    Deposit,
    DepositTest,
    Maximum,
    ProgressiveRound,
    Seeding,
    Seizure,
    Withdrawal,
)
from tests.house.desk import (
    CINCOS,
    ROYALS,
    Desk,
)

Opener = Callable[..., Desk]


@pytest.mark.clause("SP.17", "WA.4")
def test_the_seed_may_also_come_out_of_a_prize_but_never_more_than_is_left_of_it(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0))
    gran.bring(60_000)
    gran.post(Adjustment("jackpot", -50_000, "seed recovery"))
    assert (gran["jackpot"], gran["seed"]) == (60_000, 0)
    with pytest.raises(BadAmount):
        gran.post(Adjustment("jackpot", -1, "seed recovery"))


@pytest.mark.clause("WA.4")
def test_a_maximum_is_at_least_the_jackpot_and_what_exceeds_it_is_not_displayed(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0), backups=0)
    gran.bring(50_000)
    with pytest.raises(BadAmount, match=r"stands at \$1,000"):
        gran.post(Maximum(99_999))
    gran.post(Maximum(120_000))
    gran.bring(50_000)
    assert (gran["jackpot"], gran["overflow"]) == (120_000, 30_000)
    gran.play(ROYALS[0])
    gran.post(Seeding(from_overflow=30_000))
    assert (gran["jackpot"], gran["overflow"]) == (120_000, 0)
    gran.post(Maximum(None))
    gran.bring(10_000)
    assert gran["jackpot"] == 130_000


@pytest.mark.clause("WA.4")
def test_a_backup_larger_than_the_maximum_overflows_when_it_becomes_the_jackpot(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0))
    gran.bring(2_450_000)
    gran.play(CINCOS)
    gran.play(*ROYALS[:3])
    gran.post(Maximum(gran["jackpot"]))
    gran.play(CINCOS)
    assert (gran["jackpot"], gran["overflow"]) == (125_000, 375_000)


@pytest.mark.clause("WA.4")
@pytest.mark.parametrize(
    ("act", "error"),
    [
        (Adjustment("jackpot", -100, "gross receipts"), NotNow),
        (Adjustment("jackpot", -100, "above maximum"), BadAmount),
        (Adjustment("bank", -100, "malfunction"), UnknownName),
        (Adjustment("jackpot", 100, "seed recovery"), BadAmount),
        (Adjustment("backup", -1, "malfunction"), BadAmount),
        (Adjustment("jackpot", 0, "malfunction"), BadAmount),
    ],
)
def test_prizes_are_lowered_for_the_listed_reasons_only(open_gran: Opener, act: Act, error: type[FeltError]) -> None:
    gran = open_gran()
    before = gran.ledger.balances()
    with pytest.raises(error):
        gran.post(act)
    assert gran.ledger.balances() == before


@pytest.mark.clause("WA.4")
def test_a_display_error_is_corrected_both_ways(open_gran: Opener) -> None:
    gran = open_gran(seed=60_000)
    gran.post(Adjustment("jackpot", -30, "malfunction"))
    assert (gran["jackpot"], gran["borne"]) == (59_970, -30)
    gran.post(Adjustment("jackpot", 30, "malfunction"))
    assert (gran["jackpot"], gran["borne"]) == (60_000, 0)


@pytest.mark.clause("WA.4")
def test_prizes_not_displayed_may_become_gross_receipts(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0))
    gran.bring(460_000)
    gran.post(Adjustment("backup", -10_000, "gross receipts"))
    assert (gran["backup"], gran["receipts"]) == (0, 10_000)


@pytest.mark.clause("WA.4")
def test_a_prize_is_lowered_before_two_persons_and_every_change_is_explained(open_gran: Opener) -> None:
    gran = open_gran(seed=60_000)
    with pytest.raises(PostingRefused, match="second person as well"):
        gran.post(Adjustment("jackpot", -30, "malfunction"), witness=None)
    with pytest.raises(PostingRefused, match="different persons"):
        gran.post(Adjustment("jackpot", -30, "malfunction"), witness="ann")
    with pytest.raises(PostingRefused, match="explanation"):
        gran.post(Adjustment("jackpot", -30, "malfunction"), explanation="")
    with pytest.raises(PostingRefused, match="second person as well"):
        gran.post(ProgressiveRound("1", "1", (CINCOS,)), witness=None)


@pytest.mark.clause("WA.4")
def test_the_game_stops_when_the_bank_lacks_a_cent_and_goes_on_when_it_does_not(open_gran: Opener) -> None:
    gran = open_gran()
    gran.post(Deposit(49_999))
    gran.post(DepositTest())
    assert gran.state == "stopped"
    with pytest.raises(NotNow, match=r"lacks \$0.01"):
        gran.lose(1)
    gran.post(Deposit(1))
    gran.post(DepositTest())
    assert gran.state == "in play"
    gran.lose(1)


@pytest.mark.clause("WA.4")
def test_a_week_without_a_passed_deposit_test_ends_play_until_it_is_passed(open_gran: Opener) -> None:
    gran = open_gran()
    gran.day += timedelta(days=7)
    gran.lose(1)
    gran.end_day()
    with pytest.raises(NotNow, match="deposit test was due on 2008-08-08"):
        gran.lose(1)
    gran.cover()
    gran.lose(1)


@pytest.mark.clause("WA.4")
def test_a_seizure_stops_the_game_until_the_prize_is_replaced(open_gran: Opener) -> None:
    gran = open_gran()
    gran.cover()
    gran.post(Seizure(20_000))
    assert (gran.state, gran["bank"], gran["jackpot"]) == ("stopped", 30_000, 50_000)
    gran.cover()
    assert gran.state == "in play"


def test_only_what_the_prizes_do_not_need_may_be_withdrawn(open_gran: Opener) -> None:
    gran = open_gran()
    gran.post(Deposit(60_000))
    with pytest.raises(BadAmount, match=r"up to \$100"):
        gran.post(Withdrawal(10_001))
    gran.post(Withdrawal(10_000))
    assert gran["bank"] == 50_000
