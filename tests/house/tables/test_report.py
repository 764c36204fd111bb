"""The master games report: every table's drop and win, beside what it should have won."""

import csv
import io
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from itertools import count
from math import sqrt

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.house.tables.acts import Stakes
from feltworks.house.tables.hold import theory
from feltworks.house.tables.report import MasterReport, ReportTotal, master_games_report, report_csv
from tests.house.desk import Desk
from tests.house.floor import VOIDERS, Pit

_DAYS = (date(2024, 6, 1) + timedelta(days=number) for number in count())
DEALER = {"gambling": "dan"}


@pytest.fixture
def day() -> date:
    """A gambling day that no other test reports."""
    return next(_DAYS)


def reported(pit: Pit, day: date) -> MasterReport:
    return master_games_report(pit.books.database, day)


def test_a_box_that_is_not_counted_has_no_win(pit: Pit, day: date) -> None:
    pit.open(1_000_00, day=day)
    pit.close(900_00)
    (row,) = reported(pit, day).tables
    assert (row.state, row.win, reported(pit, day).total.win) == ("closed", None, None)
    pit.drop()
    pit.count({1_00: 350})
    report = reported(pit, day)
    assert (report.tables[0].win, report.total.win, report.final) == (250_00, 250_00, True)
    assert report.tables[0].hold == 250 / 350


def test_a_day_without_activity_is_reported_as_such(pit: Pit, day: date) -> None:
    pit.open(1_000_00, day=day)
    next_day = next(_DAYS)
    report = reported(pit, next_day)
    assert report.tables == []
    assert pit.table in report.without_activity
    assert f"{next_day},{pit.table},,,no activity" in report_csv(report)


def test_a_table_named_like_a_formula_does_not_run_in_a_sheet(day: date) -> None:
    total = ReportTotal(0, 0, 0, 0, 0, 0, None)
    report = MasterReport(day, True, [], ["=1+1", "pit 1"], total, [], {}, 0, [])
    assert [line.split(",")[1] for line in report_csv(report).splitlines()] == ["table", "'=1+1", "pit 1"]


def test_the_sheet_and_the_document_say_the_same(pit: Pit, day: date) -> None:
    pit.open(1_000_00, day=day)
    pit.books.enter_wagers(pit.table, [Stakes("ante", 10_00, 400)], DEALER)
    pit.fill(300_00)
    pit.finish_day(800_00, 700_00)
    report = reported(pit, day)
    (row,) = report.tables
    (cells, *_) = csv.DictReader(io.StringIO(report_csv(report)))
    for name in ("table", "game", "state", "opener", "fills", "credits", "closer", "drop", "win", "variance"):
        assert cells[name] == str(getattr(row, name))
    assert (cells["win"], cells["theoretical_win"]) == ("20000", str(row.theory.win.value))


def test_the_theoretical_win_is_the_exact_edge_on_what_was_wagered(pit: Pit, day: date) -> None:
    pit.open(1_000_00, day=day)
    pit.books.enter_wagers(pit.table, [Stakes("ante", 10_00, 400), Stakes("tie", 5_00, 20)], DEALER)
    pit.books.enter_wagers(pit.table, [Stakes("ante", 25_00, 8)], DEALER)
    pit.finish_day(1_000_00, 100_00)
    game = catalog.game("fu-bacc")
    ante, tie = (analyze(Question(game, name)).figures for name in ("ante", "tie"))
    found = reported(pit, day).tables[0].theory
    assert found is not None
    assert found.wagered == 4_000_00 + 200_00 + 100_00
    assert Fraction(found.win.exact) == ante.house_edge * 4_200_00 + tie.house_edge * 100_00
    squares = ante.standard_deviation**2 * (400 * 10_00**2 + 8 * 25_00**2)
    squares += tie.standard_deviation**2 * 20 * 5_00**2
    assert found.standard_deviation == pytest.approx(sqrt(squares))
    low, high = found.band
    assert high - low == pytest.approx(2 * 1.96 * sqrt(squares))
    assert found.within_band == (low <= 100_00 <= high)
    assert found.deviations == pytest.approx((100_00 - found.win.value) / sqrt(squares))


def test_a_total_is_compared_only_if_every_box_has_its_wagers(pit: Pit, day: date) -> None:
    pit.open(1_000_00, day=day)
    pit.books.enter_wagers(pit.table, [Stakes("ante", 10_00, 400)], DEALER)
    pit.finish_day(1_000_00, 0)
    assert reported(pit, day).total.theory == reported(pit, day).tables[0].theory
    pit.open(1_000_00, day=day, shift="swing")
    assert reported(pit, day).total.theory is None


def test_a_progressive_has_its_own_books_and_no_part_in_the_tables_win() -> None:
    options = {"offers": ["ante", "dos-pares", "gran-progressive"]}
    game = catalog.game("spanish-poker", options=options)
    both = theory(game, [Stakes("ante", 10_00, 5), Stakes("gran-progressive", 1_00, 500)])
    assert both == theory(game, [Stakes("ante", 10_00, 5)])


@pytest.mark.clause("WA.4")
def test_what_wagers_added_to_a_progressive_adjusts_the_report_and_its_seed_does_not(
    pit: Pit, open_gran: Callable[..., Desk]
) -> None:
    gran = open_gran(recovery=Fraction(0))
    gran.lose(40)
    opened_on = gran.day
    gran.end_day()
    assert reported(pit, opened_on).progressives_accrued[gran.ledger.name] == 40_00
    assert gran.ledger.name not in reported(pit, gran.day).progressives_accrued


def test_void_slips_are_told_with_their_numbers(pit: Pit, day: date) -> None:
    first = pit.open(1_000_00, day=day)
    pit.books.void("opener", first.slip.serial, "wrong table", VOIDERS)
    pit.open(1_000_00, day=day)
    filled = pit.fill(100_00)
    pit.books.void("fill", filled.slip.serial, "wrong amount", VOIDERS)
    report = reported(pit, day)
    assert [(each.kind, each.serial) for each in report.void_openers] == [("opener", first.slip.serial)]
    (row,) = report.tables
    assert [(each.kind, each.serial) for each in row.slips if each.void] == [("fill", filled.slip.serial)]
    assert row.fills == 0
