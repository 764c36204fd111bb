"""The Gran Progressive is won: shares, several winners, and what follows an emptied jackpot."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

from feltworks.errors import (
    BadAmount,
    FeltError,
    ImpossibleRound,
    NotNow,
    ShoeExhausted,
)
from feltworks.house.progressive import play
from feltworks.house.progressive.acts import Contribution, DepositTest, ProgressiveRound
from feltworks.house.verification import verify_progressive
from tests.house.desk import (
    CINCOS,
    FLUSH,
    NOTHING,
    QUADS,
    ROYALS,
    STRAIGHT_FLUSH,
    Desk,
    signed,
)

Opener = Callable[..., Desk]


def won(entries: Sequence[object]) -> list[int]:
    """What was paid from the jackpot, winner by winner."""
    return [entry.cents for entry in entries if getattr(entry, "reason", None) == "won"]


@pytest.mark.clause("SP.16")
def test_a_win_lowers_the_posted_amount_at_once(open_gran: Opener) -> None:
    gran = open_gran()
    gran.play(ROYALS[0])
    assert gran["jackpot"] == 37_500


@pytest.mark.clause("SP.18")
def test_cincos_makes_the_first_backup_the_jackpot_and_the_second_the_first(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0))
    gran.bring(450_000 + 500_000 + 250_000)
    assert gran.prizes == (500_000, 500_000, 250_000)
    assert won(gran.play(CINCOS).entries) == [500_000]
    assert gran.prizes == (500_000, 250_000, 0)
    assert gran["seed"] == 50_000
    gran.play(CINCOS)
    assert gran.prizes == (250_000, 0, 0)
    gran.play(CINCOS)
    assert (gran.prizes, gran["seed"]) == ((50_000, 0, 0), 100_000)


@pytest.mark.clause("SP.15", "SP.18")
def test_a_young_backup_is_made_up_to_the_least_seed(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0))
    gran.bring(450_100)
    assert gran.prizes == (500_000, 100, 0)
    gran.play(CINCOS)
    assert (gran.prizes, gran["seed"]) == ((50_000, 0, 0), 50_000 + 49_900)


@pytest.mark.clause("SP.18")
def test_a_quarter_needs_no_new_seed_but_four_of_them_empty_the_jackpot(open_gran: Opener) -> None:
    gran = open_gran()
    gran.play(ROYALS[0])
    assert (gran["jackpot"], gran["seed"]) == (37_500, 50_000)
    gran.play(*ROYALS)
    assert (gran["jackpot"], gran["seed"]) == (50_000, 100_000)


@pytest.mark.clause("SP.13", "SP.14")
@pytest.mark.parametrize(
    ("hands", "awards"),
    [
        ((CINCOS,), [50_000]),
        ((ROYALS[0],), [12_500]),
        ((ROYALS[0], ROYALS[1]), [12_500, 12_500]),
        ((ROYALS[0], CINCOS), [12_500, 37_500]),
        ((ROYALS[0], CINCOS, ROYALS[1]), [6_250, 37_500, 6_250]),
        ((*ROYALS[:3], CINCOS), [4_166, 4_166, 4_166, 37_502]),
        (ROYALS[:3], [12_500, 12_500, 12_500]),
        ((STRAIGHT_FLUSH, ROYALS[0]), [12_500]),
    ],
)
def test_winners_of_one_round_share_as_the_rules_say(
    open_gran: Opener, hands: tuple[str, ...], awards: list[int]
) -> None:
    assert won(open_gran().play(*hands).entries) == awards


@pytest.mark.clause("SP.13")
def test_fixed_awards_come_from_the_tray_in_full_beside_a_jackpot_win(open_gran: Opener) -> None:
    gran = open_gran()
    gran.play(STRAIGHT_FLUSH, FLUSH, ROYALS[1])
    assert (gran["tray"], gran["jackpot"]) == (15_000 + 7_500, 37_500)
    gran.play(QUADS, CINCOS)
    assert (gran["tray"], gran["jackpot"]) == (15_000 + 7_500 + 10_000, 50_000)


@pytest.mark.clause("SP.13", "SP.14")
def test_shares_are_of_what_was_posted_when_the_round_began(open_gran: Opener) -> None:
    gran = open_gran(increment=100, recovery=Fraction(0))
    posted = gran["jackpot"]
    gran.lose(5)
    assert won(gran.play(CINCOS, posted=posted).entries) == [50_000]
    assert gran["jackpot"] == 500 + 50_000


@pytest.mark.clause("SP.14")
def test_earlier_wins_at_other_tables_come_off_first(open_gran: Opener) -> None:
    gran = open_gran()
    posted = gran["jackpot"]
    gran.play(ROYALS[0], posted=posted)
    assert won(gran.play(ROYALS[0], posted=posted).entries) == [9_375]


@pytest.mark.clause("SP.13")
@pytest.mark.parametrize("posted", [100, 1_999_999, 2_000_001, 2_000_100])
def test_a_win_of_an_amount_that_the_meter_never_showed_is_refused(open_gran: Opener, posted: int) -> None:
    gran = open_gran(recovery=Fraction(0), backups=0)
    gran.bring(1_950_000)
    assert gran["jackpot"] == 2_000_000
    before = gran.ledger.balances()
    with pytest.raises(BadAmount, match=r"the meter shows \$20,000 .*SP\.13"):
        gran.play(CINCOS, posted=posted)
    assert gran.ledger.balances() == before
    assert won(gran.play(CINCOS, posted=2_000_000).entries) == [2_000_000]


@pytest.mark.clause("SP.13")
def test_a_refused_amount_is_told_between_which_amounts_the_meter_stood_that_day(open_gran: Opener) -> None:
    gran = open_gran(increment=100, recovery=Fraction(0))
    gran.lose(3)
    with pytest.raises(BadAmount, match=r"shows \$503 .* 2008-08-01 .*\$500 to \$503,"):
        gran.play(ROYALS[0], posted=50_150)


@pytest.mark.clause("SP.13")
def test_an_amount_of_an_earlier_day_is_refused_but_not_the_one_the_day_began_with(open_gran: Opener) -> None:
    gran = open_gran(increment=100, recovery=Fraction(0))
    gran.lose(2)
    gran.end_day()
    gran.cover()
    gran.lose(4)
    with pytest.raises(BadAmount, match="posted jackpot"):
        gran.play(ROYALS[0], posted=50_000)
    assert won(gran.play(ROYALS[0], posted=50_200).entries) == [12_550]


@pytest.mark.clause("SP.13")
def test_acts_of_the_same_batch_move_the_meter_too(open_gran: Opener) -> None:
    gran = open_gran(increment=100, recovery=Fraction(0))
    lost = [(Contribution("1", str(number), 1), signed()) for number in range(3)]
    round_ = ProgressiveRound("1", "4", (ROYALS[0],), posted=50_200)
    booked = gran.ledger.post_all([*lost, (round_, signed())])
    assert won(booked[-1].entries) == [12_550]
    assert verify_progressive(gran.ledger.database, gran.ledger.name).troubles == []


@pytest.mark.clause("SP.13")
def test_the_meter_is_read_back_over_a_long_day(open_gran: Opener) -> None:
    gran = open_gran(increment=1, recovery=Fraction(0))
    gran.ledger.post_all([(Contribution("1", str(number), 1), signed()) for number in range(4_500)])
    assert won(gran.play(ROYALS[0], posted=50_004).entries) == [12_501]
    with pytest.raises(BadAmount, match="posted jackpot"):
        gran.play(ROYALS[0], posted=49_999)


@pytest.mark.clause("SP.13")
def test_verification_finds_a_win_of_an_amount_that_the_meter_never_showed(
    open_gran: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    gran = open_gran()
    with monkeypatch.context() as unguarded:
        unguarded.setattr(play, "check_displayed", lambda *_: None)
        gran.play(CINCOS, posted=100)
    (trouble,) = verify_progressive(gran.ledger.database, gran.ledger.name).troubles[:1]
    assert "posting 2 cannot have been posted" in trouble
    assert "SP.13" in trouble


def test_a_prize_is_paid_by_the_house_or_from_the_bank(open_gran: Opener) -> None:
    gran = open_gran()
    with pytest.raises(BadAmount, match="the bank account holds"):
        gran.play(ROYALS[0], paid_from="bank")
    gran.cover()
    gran.play(ROYALS[0], paid_from="bank")
    assert (gran["bank"], gran["house"]) == (37_500, -50_000)


def test_whoever_wins_in_a_round_under_way_is_paid_although_the_game_was_stopped(open_gran: Opener) -> None:
    gran = open_gran()
    gran.post(DepositTest())
    with pytest.raises(NotNow):
        gran.play(NOTHING)
    assert won(gran.play(NOTHING, ROYALS[3]).entries) == [12_500]
    assert gran["box"] == 100


@pytest.mark.parametrize(
    ("hands", "error"),
    [
        ((), ImpossibleRound),
        ((ROYALS[0], ROYALS[0]), ShoeExhausted),
        (("7c Jc Qc Kc",), ImpossibleRound),
        (("7c Jc Qc Kc Ac 2d",), ImpossibleRound),
        (("8c Jc Qc Kc Ac",), ShoeExhausted),
        ((NOTHING,) * 7, ImpossibleRound),
    ],
)
def test_hands_that_cannot_be_are_refused(
    open_gran: Opener, hands: tuple[str, ...], error: type[FeltError]
) -> None:
    gran = open_gran()
    with pytest.raises(error):
        gran.play(*hands)
    assert gran.ledger.balances().postings == 1
