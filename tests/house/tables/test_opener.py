"""A table whose wagers feed a jackpot opens only while that jackpot's game is not stopped."""

import pytest

from feltworks.errors import NotNow
from feltworks.house.progressive.acts import Deposit, DepositTest, Share
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.storage.database import Database
from feltworks.house.tables.books import TableBooks
from tests.house.desk import Desk, signed, terms
from tests.house.floor import BOTH, DAY, approve, order

OFFERS = {"offers": ["ante", "gran-progressive"]}


@pytest.fixture
def gran(staffed: Database) -> Desk:
    """The one progressive of a house that may offer Spanish Poker."""
    approve(staffed, "spanish-poker")
    return Desk(Ledger.open(staffed, "gran", terms(increment=50), signed("opening", DAY)), DAY)


def open_table(gran: Desk, **options: list[str]) -> str:
    books = TableBooks(gran.ledger.database)
    books.open(order("spanish-poker", options=options or OFFERS), "1", 10_000_00, BOTH)
    period = books.period("1")
    assert period is not None
    return period.state


@pytest.mark.clause("WA.4", "SP.15")
def test_a_stopped_game_is_not_opened_and_one_that_is_in_funds_is(gran: Desk) -> None:
    gran.post(DepositTest())
    with pytest.raises(NotNow, match=r"feeds the progressive gran; the game is stopped: .* lacks \$500"):
        open_table(gran)
    gran.post(Deposit(50_000))
    gran.post(DepositTest())
    assert open_table(gran) == "open"


def test_without_the_progressive_wager_the_table_opens_whatever_the_jackpot_lacks(gran: Desk) -> None:
    gran.post(DepositTest())
    assert open_table(gran, offers=["ante", "dos-pares"]) == "open"


def test_a_week_without_a_deposit_test_keeps_the_table_closed(gran: Desk) -> None:
    early = DAY.replace(day=20)
    late = Ledger.open(gran.ledger.database, "late", terms(increment=50), signed("late", early))
    plan = (Share("jackpot", 50_000, "players"),)
    gran.remove(*plan)  # a jackpot taken out of play says nothing any more
    with pytest.raises(NotNow, match=r"feeds the progressive late; the deposit test was due on 2024-01-27"):
        open_table(gran)
    Desk(late).ledger.post(Deposit(50_000), signed(day=DAY))
    late.post(DepositTest(), signed(day=DAY))
    assert open_table(gran) == "open"


def test_a_jackpot_kept_on_a_third_partys_system_is_none_of_these_books(gran: Desk) -> None:
    gran.remove(Share("jackpot", 50_000, "players"))
    assert open_table(gran) == "open"
