"""The Gran Progressive is won: shares, several winners, and what follows an emptied jackpot."""

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from feltworks.errors import (
    BadAmount,
    FeltError,
    ImpossibleRound,
    NotNow,
    PostingRefused,
    ShoeExhausted,
)
from feltworks.house.progressive import play
from feltworks.house.progressive.acts import Adjustment, Contribution, DepositTest, ProgressiveRound
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.rebuild import verify_progressive
from feltworks.house.storage.migration import open_database
from feltworks.house.tables.books import TableBooks
from feltworks.house.verification import verify_books
from tests.house.desk import (
    CINCOS,
    FLUSH,
    NOTHING,
    QUADS,
    ROYALS,
    STRAIGHT_FLUSH,
    Desk,
    lost,
    signed,
    terms,
)
from tests.house.floor import BOTH, approve, hire, order
from tests.house.tables.conftest import table_books as table_books

Opener = Callable[..., Desk]


def won(entries: Sequence[object]) -> list[int]:
    """What was paid from the jackpot, winner by winner."""
    return [entry.cents for entry in entries if getattr(entry, "reason", None) == "won"]


@pytest.mark.clause("SP.16")
def test_a_win_lowers_the_posted_amount_at_once(open_gran: Opener) -> None:
    gran = open_gran(seed=100_000)
    gran.play(ROYALS[0])
    assert gran["jackpot"] == 75_000


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
    gran = open_gran(keeps_smallest_seed=False)
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
    gran = open_gran(seed=100_000)
    gran.play(STRAIGHT_FLUSH, FLUSH, ROYALS[1])
    assert (gran["tray"], gran["jackpot"]) == (15_000 + 7_500, 75_000)
    gran.play(QUADS, CINCOS)
    assert (gran["tray"], gran["jackpot"]) == (15_000 + 7_500 + 10_000, 100_000)


@pytest.mark.clause("SP.13", "SP.14")
def test_shares_are_of_what_was_posted_when_the_round_began(open_gran: Opener) -> None:
    gran = open_gran(increment=100, recovery=Fraction(0))
    posted = gran["jackpot"]
    gran.lose(5)
    assert won(gran.play(CINCOS, posted=posted).entries) == [50_000]
    assert gran["jackpot"] == 500 + 50_000


@pytest.mark.clause("SP.14")
def test_earlier_wins_at_other_tables_come_off_first(open_gran: Opener) -> None:
    gran = open_gran(seed=100_000)
    posted = gran["jackpot"]
    gran.play(ROYALS[0], posted=posted)
    assert won(gran.play(ROYALS[0], posted=posted).entries) == [18_750]


@pytest.mark.clause("SP.15")
def test_in_play_the_posted_amount_never_stands_below_the_smallest_seed(open_gran: Opener) -> None:
    gran = open_gran()
    assert won(gran.play(ROYALS[0]).entries) == [12_500]
    assert (gran["jackpot"], gran["seed"]) == (50_000, 62_500)
    with pytest.raises(BadAmount, match=r"posted with \$500 or more \(SP\.15\)"):
        gran.post(Adjustment("jackpot", -1, "malfunction"))
    assert verify_progressive(gran.ledger.database, gran.ledger.name).troubles == []


@pytest.mark.clause("SP.15", "SP.17")
def test_the_meter_moves_with_every_wager_also_while_seed_is_recovered(open_gran: Opener) -> None:
    gran = open_gran(increment=30, recovery=Fraction(1))
    gran.lose(10)
    assert (gran["jackpot"], gran["seed"], gran["uncounted"]) == (50_300, 50_000, 700)
    gran.end_day()
    assert (gran["jackpot"], gran["seed"]) == (50_300, 49_300)


@pytest.mark.clause("SP.13")
def test_large_awards_are_verified_and_the_deck_is_checked(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0), backups=0)
    gran.bring(1_950_000)
    gran.play(CINCOS, FLUSH)
    books = TableBooks(gran.ledger.database)
    raised = [task for task in books.tasks() if task.table == gran.ledger.name]
    assert [task.kind for task in raised] == ["verification", "deck check"]
    assert re.match(r"award of \$20,000 in round \d+ at table 1: verify hand", raised[0].says)
    books.finish(raised[0].id, "tape 7", {"surveillance": "vic"})
    books.finish(raised[1].id, "envelope 3", {"floor supervisor": "flo", "surveillance": "vic"})
    assert not [task for task in books.tasks() if task.table == gran.ledger.name]
    verified = verify_books(gran.ledger.database, [gran.ledger.name, "house tables"])
    assert [book.troubles for book in verified] == [[], []]


@pytest.mark.clause("SP.13")
def test_a_win_is_held_against_an_open_table_that_offers_the_wager(table_books: TableBooks) -> None:
    database, day = table_books.database, date(2024, 5, 1)
    approve(database, "spanish-poker")
    gran = Desk(Ledger.open(database, "held", terms(increment=30), signed("held", day=day)))
    gran.day = day
    gran.cover()
    offers = {"offers": ["ante", "gran-progressive"]}
    table_books.open(order("spanish-poker", day, options=offers, seats=5), "open with it", 1_000_00, BOTH)
    without = {"offers": ["ante", "dos-pares"]}
    table_books.open(order("spanish-poker", day, options=without), "open without it", 1_000_00, BOTH)
    for table in ("open without it", "nowhere"):
        with pytest.raises(NotNow, match=f"table {table} was not open with gran-progressive on 2024-05-01"):
            gran.post(ProgressiveRound(table, "1", (ROYALS[0],)))
        with pytest.raises(NotNow, match=f"table {table} was not open with gran-progressive on 2024-05-01"):
            gran.post(Contribution(table, "2", 1))
    gran.post(ProgressiveRound("open with it", "1", (ROYALS[0],)))
    for number in ("2", "3"):  # the second one does not take the short way past the tables' books
        gran.post(Contribution("open with it", number, 5))
        with pytest.raises(BadAmount, match=r"number of wagers .* 1 to 5, one for each spot"):
            gran.post(Contribution("open with it", "4", 6))
        with pytest.raises(NotNow, match="table nowhere was not open"):
            gran.post(Contribution("nowhere", "4", 1))
    for table in ("open with it", "open without it"):
        table_books.close(table, 0, BOTH)


ROUNDS: list[Contribution | ProgressiveRound] = [
    Contribution("3", "17", 2),
    ProgressiveRound("3", "17", (ROYALS[0],)),
]


@pytest.mark.parametrize("act", ROUNDS, ids=["lost", "won"])
def test_a_round_is_posted_once_under_whatever_key(open_gran: Opener, act: Contribution | ProgressiveRound) -> None:
    gran = open_gran()
    gran.post(act)
    before = gran.ledger.balances()
    for key in ("a", "b"):
        assert gran.ledger.post(act, signed(key)).repeated
    for other in (*ROUNDS, ProgressiveRound("3", "17", (CINCOS,)), ProgressiveRound("3", "I7 ", (ROYALS[0],))):
        if other != act:
            with pytest.raises(PostingRefused, match=r"round 17 at table 3 is posted already"):
                gran.post(other)
    assert gran.post(act).repeated
    assert gran.ledger.balances() == before
    gran.post(replace(act, table="4"))
    gran.end_day()
    assert not gran.post(act).repeated


def test_a_round_that_comes_twice_in_a_batch_counts_once_or_is_refused_whole(open_gran: Opener) -> None:
    gran = open_gran()
    before = gran["jackpot"]
    with pytest.raises(PostingRefused, match="round 17 at table 3 is posted already"):
        gran.ledger.post_all([(act, signed(act, gran.day)) for act in ROUNDS])
    assert gran["jackpot"] == before
    one, again = gran.ledger.post_all([(ROUNDS[1], signed(ROUNDS[1], gran.day)) for _ in range(2)])
    assert (one.repeated, again.repeated) == (False, True)
    assert gran.ledger.balances().postings == 2


@pytest.mark.clause("SP.15")
def test_no_round_has_more_losing_wagers_than_a_table_has_spots(open_gran: Opener) -> None:
    """Of a table that these books do not know, as of any other; also on the short way of one writer."""
    gran = open_gran()
    for _ in range(3):
        gran.lose(1)
        with pytest.raises(BadAmount, match=r"number of wagers .* 1 to 6, one for each spot;.*SP\.15"):
            gran.post(Contribution("1", "too many", 7))
    assert gran["box"] == 300


def test_nobody_finishes_a_notice_of_their_own_malfunction(open_gran: Opener) -> None:
    gran = open_gran()
    gran.post(Adjustment("jackpot", 30, "malfunction"), by="abe", witness="flo")
    books = TableBooks(gran.ledger.database)
    task = books.tasks()[-1]
    for own in ("abe", "flo"):
        with pytest.raises(PostingRefused, match=rf"{own} signed what raised task .*WAC 230-15-430"):
            books.finish(task.id, "call of today", {"notifier": own})
    books.finish(task.id, "call of today", {"notifier": "amy"})


def test_a_malfunction_is_reported_within_72_hours(open_gran: Opener) -> None:
    gran = open_gran(seed=100_000)
    gran.post(Adjustment("jackpot", -100, "malfunction"))
    (task,) = [task for task in TableBooks(gran.ledger.database).tasks() if task.table == gran.ledger.name]
    assert task.due_at is not None
    assert (task.kind, task.due_at - task.raised_at) == ("notice", timedelta(hours=72))
    assert "WAC 230-06-054" in task.says


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
    wagers = [lost() for _ in range(3)]
    round_ = ProgressiveRound("1", "4", (ROYALS[0],), posted=50_200)
    booked = gran.ledger.post_all([*wagers, (round_, signed(round_))])
    assert won(booked[-1].entries) == [12_550]
    assert verify_progressive(gran.ledger.database, gran.ledger.name).troubles == []


@pytest.mark.clause("SP.13")
def test_the_meter_is_read_back_over_a_long_day(open_gran: Opener) -> None:
    gran = open_gran(increment=1, recovery=Fraction(0))
    gran.ledger.post_all([lost() for _ in range(4_500)])
    assert won(gran.play(ROYALS[0], posted=50_004).entries) == [12_501]
    with pytest.raises(BadAmount, match="posted jackpot"):
        gran.play(ROYALS[0], posted=49_999)


@pytest.mark.clause("SP.13")
def test_verification_finds_a_win_of_an_amount_that_the_meter_never_showed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_database(str(tmp_path / "books.sqlite"))
    hire(database)
    gran = Desk(Ledger.open(database, "gran", terms(), signed()))
    with monkeypatch.context() as unguarded:
        unguarded.setattr(play, "check_displayed", lambda *_: None)
        gran.play(CINCOS, posted=100)
    (trouble,) = verify_progressive(gran.ledger.database, gran.ledger.name).troubles[:1]
    assert "posting 2 cannot have been posted" in trouble
    assert "SP.13" in trouble
    database.close()


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
def test_hands_that_cannot_be_are_refused(open_gran: Opener, hands: tuple[str, ...], error: type[FeltError]) -> None:
    gran = open_gran()
    with pytest.raises(error):
        gran.play(*hands)
    assert gran.ledger.balances().postings == 1
