"""The Gran Progressive grows: seed, box, day's end, recovery and backups, cent by cent."""

from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction

import pytest

from feltworks.analysis.solvers.progressive import Growth
from feltworks.errors import (
    BadAmount,
    BadDay,
    BadOption,
    FeltError,
    UnknownName,
)
from feltworks.house.journal.book import postings
from feltworks.house.progressive.acts import DayEnd, Deposit, Seeding
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.rebuild import verify_progressive
from feltworks.house.storage.database import Database
from tests.house.desk import (
    FLUSH,
    NOTHING,
    Desk,
    signed,
    terms,
)

Opener = Callable[..., Desk]


@pytest.mark.clause("SP.15")
def test_a_jackpot_starts_from_its_seed_which_the_house_may_recover(open_gran: Opener) -> None:
    gran = open_gran(seed=75_000)
    assert (gran["jackpot"], gran["seed"]) == (75_000, 75_000)


@pytest.mark.clause("SP.15")
def test_a_seed_below_500_dollars_is_refused_and_nothing_is_written(books: Database) -> None:
    with pytest.raises(BadAmount, match=r"at least \$500"):
        Ledger.open(books, "too small", terms(seed=49_999), signed())
    with pytest.raises(UnknownName):
        Ledger(books, "too small")


@pytest.mark.parametrize("change", [str.upper, "{}\u200b".format, "house {}".format, "{}\nx".format])
def test_a_progressive_has_a_name_of_its_own_that_can_be_printed(
    books: Database, open_gran: Opener, change: Callable[[str], str]
) -> None:
    name = open_gran().ledger.name
    with pytest.raises(FeltError, match=r"names differ|printable characters"):
        Ledger.open(books, change(name), terms(), signed())


def test_a_seed_or_deposit_beyond_all_measure_is_refused(open_gran: Opener) -> None:
    gran = open_gran()
    for act in (Seeding(10**12), Deposit(10**12)):
        with pytest.raises(BadAmount, match="house rule"):
            gran.post(act)


@pytest.mark.clause("SP.15")
def test_losing_wagers_go_into_the_second_drop_box(open_gran: Opener) -> None:
    gran = open_gran()
    gran.lose(7)
    assert (gran["box"], gran["uncounted"], gran["jackpot"]) == (700, 700, 50_000)


@pytest.mark.clause("SP.15")
def test_a_progressive_needs_its_approved_process_and_a_fee_needs_its_own(books: Database) -> None:
    with pytest.raises(BadOption, match="approved accounting process"):
        Ledger.open(books, "unapproved", terms().__class__(approval=" "), signed())
    with pytest.raises(BadOption, match="fee_approval"):
        Ledger.open(books, "greedy", terms(fee=Fraction(1, 10)), signed())


@pytest.mark.clause("SP.16")
def test_the_days_end_takes_back_the_tray_and_adds_the_rest_less_the_fee(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0), fee=Fraction(1, 10), fee_approval="letter of 2008")
    gran.lose(300)
    gran.play(FLUSH, NOTHING)
    assert (gran["box"], gran["tray"], gran["house"]) == (30_100, 7_500, -7_500)
    gran.end_day()
    left = 30_100 - 7_500
    assert (gran["fee"], gran["jackpot"]) == (left // 10, 50_000 + left - left // 10)
    assert (gran["box"], gran["uncounted"], gran["tray"]) == (0, 0, 0)


@pytest.mark.clause("SP.16")
def test_what_is_added_at_the_days_end_is_posted_the_next_day(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0))
    gran.lose(100)
    assert gran["jackpot"] == 50_000
    gran.end_day()
    assert gran["jackpot"] == 60_000
    gran.day -= timedelta(days=1)
    with pytest.raises(BadDay, match="has been counted"):
        gran.lose(1)


@pytest.mark.clause("SP.16")
@pytest.mark.parametrize(("carries", "added_later"), [(False, 20_000), (True, 17_500)])
def test_a_tray_that_paid_more_than_the_box_holds_lowers_nothing(
    open_gran: Opener, carries: bool, added_later: int
) -> None:
    gran = open_gran(recovery=Fraction(0), carries_shortfall=carries)
    gran.lose(50)
    gran.play(FLUSH)
    gran.end_day()
    assert gran["jackpot"] == 50_000
    assert gran["borne"] == (0 if carries else 2_500)
    gran.lose(200)
    gran.end_day()
    assert gran["jackpot"] == 50_000 + added_later


@pytest.mark.clause("SP.16")
def test_the_count_of_the_box_is_what_counts(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0))
    gran.lose(100)
    gran.end_day(counted=9_800)
    assert (gran["jackpot"], gran["house"], gran["borne"]) == (59_800, 9_800, 0)
    gran.end_day(counted=500)
    assert (gran["jackpot"], gran["house"]) == (60_300, 10_300)


@pytest.mark.clause("SP.16", "SP.15")
def test_in_real_time_a_part_of_each_wager_is_added_at_once_and_the_rest_at_the_days_end(
    open_gran: Opener,
) -> None:
    gran = open_gran(increment=56, recovery=Fraction(0))
    gran.lose(10)
    assert (gran["jackpot"], gran["uncounted"], gran["box"]) == (50_560, 440, 1_000)
    gran.end_day()
    assert (gran["jackpot"], gran["uncounted"], gran["box"]) == (51_000, 0, 0)


def test_a_box_that_is_short_never_lowers_a_jackpot_that_has_grown(open_gran: Opener) -> None:
    gran = open_gran(increment=90, recovery=Fraction(0))
    gran.lose(100)
    gran.end_day(counted=8_000)
    assert (gran["jackpot"], gran["borne"], gran["box"]) == (59_000, 1_000, 0)


@pytest.mark.clause("SP.17")
def test_all_of_the_seed_is_recovered_before_the_jackpot_grows(open_gran: Opener) -> None:
    gran = open_gran()
    gran.bring(40_000)
    assert (gran["jackpot"], gran["seed"]) == (50_000, 10_000)
    gran.bring(40_000)
    assert (gran["jackpot"], gran["seed"]) == (80_000, 0)


@pytest.mark.clause("SP.17")
def test_or_a_part_of_each_addition_recovers_it(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(1, 3))
    gran.bring(40_000)
    assert (gran["jackpot"], gran["seed"]) == (50_000 + 26_667, 50_000 - 13_333)
    for _ in range(3):
        gran.bring(60_000)
    assert (gran["jackpot"], gran["seed"]) == (50_000 + 220_000 - 50_000, 0)


@pytest.mark.clause("SP.18")
def test_backups_start_at_5000_and_stay_within_it_until_the_jackpot_stands_at_20000(
    open_gran: Opener,
) -> None:
    gran = open_gran(recovery=Fraction(0))
    gran.bring(449_999)
    assert gran.prizes == (499_999, 0, 0)
    gran.bring(2)
    assert gran.prizes == (500_000, 1, 0)
    gran.bring(500_000)
    assert gran.prizes == (500_000, 500_000, 1)
    gran.bring(600_000)
    assert gran.prizes == (600_001, 500_000, 500_000)
    gran.bring(1_400_000)
    assert gran.prizes == (2_000_000, 500_001, 500_000)
    gran.bring(100)
    assert gran.prizes == (2_000_000, 500_101, 500_000)


@pytest.mark.clause("SP.18")
@pytest.mark.parametrize(("backups", "prizes"), [(0, (2_050_000, 0, 0)), (1, (1_550_000, 500_000, 0))])
def test_a_house_may_do_without_backups(open_gran: Opener, backups: int, prizes: tuple[int, int, int]) -> None:
    gran = open_gran(recovery=Fraction(0), backups=backups)
    gran.bring(2_000_000)
    assert gran.prizes == prizes


@pytest.mark.clause("SP.18")
def test_a_house_may_divide_additions_between_jackpot_and_backup(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0), to_backup=Fraction(1, 4))
    gran.bring(450_000)
    gran.bring(100)
    gran.bring(100)
    assert gran.prizes == (500_150, 50, 0)


@pytest.mark.clause("SP.17", "SP.18")
@pytest.mark.parametrize("recovery", [Fraction(1), Fraction(1, 2), Fraction(0)])
@pytest.mark.parametrize("backups", [0, 1, 2])
def test_it_grows_as_the_analysis_says(open_gran: Opener, recovery: Fraction, backups: int) -> None:
    gran = open_gran(recovery=recovery, backups=backups)
    growth = Growth(Fraction(100), Fraction(0), Fraction(0), gran.ledger.terms.meter_rules)
    for rounds in (300, 4_000, 7_000, 12_000, 9_000):
        gran.bring(rounds * 100)
        told = growth.fund(_rounds(gran), recovery=recovery, backups=backups)
        assert gran.prizes == (told.primary, told.backup, told.second_backup)
        assert 50_000 - gran["seed"] == told.recovered


def _rounds(gran: Desk) -> int:
    return (sum(gran.prizes) - gran["seed"]) // 100


@pytest.mark.clause("SP.16")
def test_the_box_is_counted_blind_and_twice_by_a_team_that_posted_none_of_its_wagers(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0))
    gran.lose(300)
    count = {100_00: 2, 1_00: 100}
    team = {"by": "abe", "witness": "cara"}
    with pytest.raises(FeltError, match="no first count yet"):
        gran.post(DayEnd(first=count), **team)
    tally = gran.ledger.tally(count, signed(by="sue", witness=None))
    with gran.ledger.database.snapshot() as connection:
        (entered,) = postings(connection, gran.ledger.book, first=tally.number, last=tally.number)
    assert "300" not in entered.facts + entered.explanation
    for act, people, words in (
        (DayEnd(first=count, second=count), team, "your own count alone"),
        (DayEnd(first={100_00: 3}), team, "the two counts differ"),
        (DayEnd(first=count), {"by": "abe", "witness": "sue"}, "three persons count a box"),
        (DayEnd(first=count), {"by": "ann", "witness": "cara"}, "ann posted wagers of this box"),
        (DayEnd(1, first=count), team, "the two counts make"),
    ):
        with pytest.raises(FeltError, match=words):
            gran.post(act, **people)
    gran.ledger.tally(count, signed(by="abe", witness=None))
    with pytest.raises(FeltError, match="abe entered the first count; another person"):
        gran.post(DayEnd(first=count), **team)
    gran.ledger.tally(count, signed(by="sue", witness=None))
    gran.post(DayEnd(first=count), **team)
    assert (gran["box"], gran["jackpot"]) == (0, 50_000 + 300_00)
    assert verify_progressive(gran.ledger.database, gran.ledger.name).troubles == []
