"""Honest years stay quiet at the stated rate, and a skim of one per cent of the wagers is found."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.errors import BadOption
from feltworks.house.closing import parse_span
from feltworks.house.storage.migration import open_database
from feltworks.house.tables.acts import Stakes
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.hold import BoxResult, compare_boxes, hold_report, theory
from feltworks.house.tables.tokes import TokeBook
from tests.house.floor import DAY, Pit

DAYS, TABLES, WAGERS, CENTS = 360, 3, 8_000, 10_00  # a table with seven seats and sixty rounds an hour
RATE = 0.01


@pytest.fixture(scope="module")
def odds() -> tuple[np.ndarray, np.ndarray]:
    """What one ante with its play brings the house, in antes, and how likely."""
    outcomes = analyze(Question(catalog.game("fu-bacc"), "ante")).figures.outcomes
    nets = np.array([-float(outcome.net) for outcome in outcomes])
    return nets, np.array([float(outcome.probability) for outcome in outcomes])


def alarms(odds: tuple[np.ndarray, np.ndarray], years: int, *, skim: float = 0.0) -> int:
    """In how many of these simulated years some line is surprising."""
    nets, chances = odds
    random = np.random.default_rng(20)
    expected = theory(catalog.game("fu-bacc"), [Stakes("ante", CENTS, WAGERS * DAYS)])
    raised = 0
    for _ in range(years):
        counts = random.multinomial(WAGERS * DAYS, chances / chances.sum(), size=TABLES)
        wins = (counts @ nets) * CENTS
        wins[0] -= skim * WAGERS * DAYS * CENTS  # one table's dealer takes it
        boxes = [
            BoxResult(f"T{table}", "fu-bacc", f"dealer {table}", int(win), expected) for table, win in enumerate(wins)
        ]
        raised += any(line.surprising for line in compare_boxes(boxes))
    return raised


def test_honest_years_stay_quiet_at_the_stated_rate(odds: tuple[np.ndarray, np.ndarray]) -> None:
    years = 2_000
    assert alarms(odds, years) <= RATE * years + 3 * (RATE * years) ** 0.5


def test_a_skim_of_one_per_cent_is_found(odds: tuple[np.ndarray, np.ndarray]) -> None:
    assert alarms(odds, 200, skim=0.01) >= 198


def test_the_report_compares_tables_games_and_dealers(pit: Pit) -> None:
    pit.open(1_000_00)
    pit.books.enter_wagers(pit.table, [Stakes("lucky-monkey", 5_00, 1_000)], {"gambling": "flo"})
    pit.finish_day(900_00, 700_00)
    report = hold_report(pit.books.database, parse_span(DAY.isoformat()))
    (line,) = [line for line in report.lines if line.name == pit.table]
    assert (line.subject, line.win, line.wagered) == ("table", 600_00, 5_000_00)
    assert not line.surprising
    assert {row.subject for row in report.lines} == {"table", "game", "dealer"}
    with pytest.raises(BadOption, match="between 0 and 1"):
        hold_report(pit.books.database, parse_span("2024"), rate=1.5)


def test_a_box_is_of_the_dealer_who_opened_it_and_not_of_another_books_signer(
    staffed_books: Path, own_keys: Path
) -> None:
    database = open_database(str(shutil.copy(staffed_books, own_keys.parent)))
    pit = Pit(TableBooks(database))
    pit.open(1_000_00)  # by dan, posting 1 of the tables
    TokeBook(database).take(pit.table, 12_00, {"dealer": "dora", "witness": "flo"}, day=DAY)  # posting 1 of its book
    pit.books.enter_wagers(pit.table, [Stakes("ante", 5_00, 100)], {"gambling": "flo"})
    pit.finish_day(900_00, 700_00)
    lines = hold_report(database, parse_span(DAY.isoformat())).lines
    assert [line.name for line in lines if line.subject == "dealer"] == ["dan"]
    database.close()
