"""Wagers out of a table's own log: each round once, and only of the table that was opened."""

from fractions import Fraction

import pytest

from feltworks import catalog
from feltworks.errors import LogError, NotPermitted, PostingRefused
from feltworks.house.tables import periods
from feltworks.house.tables.acts import Stakes
from feltworks.house.tables.hold import theory
from feltworks.house.tables.report import master_games_report
from tests.house.dealt import Dealt
from tests.house.floor import DAY, Pit

DEALER = {"gambling": "dan"}


def stakes(pit: Pit) -> list[Stakes]:
    with pit.books.database.snapshot() as connection:
        period = pit.books.period(pit.table)
        assert period is not None
        return periods.stakes(connection, period.id)


def test_the_theoretical_win_follows_from_the_log(pit: Pit) -> None:
    dealt = Dealt()
    pit.open()
    for _ in range(3):
        dealt.play(ante=1_000, lucky_monkey=500)
    dealt.play(tie=200)
    pit.books.enter_log(pit.table, dealt.lines, DEALER)
    entered = [Stakes("ante", 1_000, 3), Stakes("lucky-monkey", 500, 3), Stakes("tie", 200, 1)]
    assert stakes(pit) == entered
    rows = master_games_report(pit.books.database, DAY).tables
    found = next(row for row in rows if row.table == pit.table)
    assert found.theory is not None
    assert Fraction(found.theory.win.exact) == theory(catalog.game("fu-bacc"), entered).expected


def test_every_round_counts_once_however_often_the_log_is_entered(pit: Pit) -> None:
    dealt = Dealt()
    pit.open()
    dealt.play(ante=1_000)
    pit.books.enter_log(pit.table, dealt.lines, DEALER)
    with pytest.raises(PostingRefused, match="entered already"):
        pit.books.enter_log(pit.table, dealt.lines, DEALER)
    dealt.play(ante=2_000)
    complete = len(dealt.lines)
    dealt.play(ante=3_000)
    pit.books.enter_log(pit.table, dealt.lines[: complete + 3], DEALER)  # the third is still being dealt
    assert stakes(pit) == [Stakes("ante", 1_000, 1), Stakes("ante", 2_000, 1)]
    pit.books.enter_log(pit.table, dealt.lines, DEALER)
    assert stakes(pit)[-1] == Stakes("ante", 3_000, 1)


def test_the_log_of_a_test_with_a_seed_is_refused(pit: Pit) -> None:
    pit.open()
    dealt = Dealt(seed=7)
    dealt.play(ante=1_000)
    with pytest.raises(PostingRefused, match=r"round 1 was dealt from a seed .*WAC 230-06-050"):
        pit.books.enter_log(pit.table, dealt.lines, DEALER)
    assert stakes(pit) == []


def test_a_void_round_has_no_wagers(pit: Pit) -> None:
    dealt = Dealt()
    pit.open()
    dealt.play(ante=1_000)
    dealt.table.wager("ann", 1, {"ante": 500})
    dealt.table.deal()
    dealt.table.void("a card was exposed")
    pit.books.enter_log(pit.table, dealt.lines, DEALER)
    assert stakes(pit) == [Stakes("ante", 1_000, 1)]


def test_the_log_of_another_game_is_refused(pit: Pit) -> None:
    pit.open()
    dealt = Dealt(name="spanish-poker", options={"offers": "ante,joker-in-hand"})
    dealt.play(joker_in_hand=500)
    with pytest.raises(PostingRefused, match="the log is of spanish-poker; this table was opened with fu-bacc"):
        pit.books.enter_log(pit.table, dealt.lines, DEALER)


def test_the_log_of_a_table_with_other_options_is_refused(pit: Pit) -> None:
    pit.open()
    dealt = Dealt(options={"breakage": "up"})
    dealt.play(ante=1_000)
    with pytest.raises(PostingRefused, match="breakage up in round 1; this table was opened with down"):
        pit.books.enter_log(pit.table, dealt.lines, DEALER)
    assert stakes(pit) == []


def test_a_damaged_or_shortened_log_is_refused_and_so_is_who_may_not_enter_it(pit: Pit) -> None:
    pit.open()
    dealt = Dealt()
    dealt.play(ante=1_000)
    first = len(dealt.lines)
    dealt.play(ante=1_000)
    with pytest.raises(LogError, match="changed, lost or moved"):
        pit.books.enter_log(pit.table, [*dealt.lines[:2], *dealt.lines[3:]], DEALER)
    with pytest.raises(LogError, match="give the whole log"):
        pit.books.enter_log(pit.table, dealt.lines[first:], DEALER)
    with pytest.raises(NotPermitted, match=r"cara \(cage\) may not"):
        pit.books.enter_log(pit.table, dealt.lines, {"gambling": "cara"})
    assert stakes(pit) == []
