"""What a table won: by the formula, in the accounts, and for any day that slips can make."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from feltworks.errors import BadAmount
from feltworks.house.storage.schema import account, book, slip
from feltworks.house.tables.accounts import (
    BOOK,
    CAGE,
    COUNTED,
    VARIANCE,
    WIN,
    Sums,
    play_account,
    tray_account,
)
from feltworks.house.tables.books import TableBooks
from feltworks.house.verification import verify_books
from tests.house.floor import DAY, THREE, VOIDERS, Pit

Acts = list[tuple[str, int]]
AMOUNTS = st.integers(1, 50_000_00)
ACTS = st.lists(st.tuples(st.sampled_from(["fill", "credit", "void"]), AMOUNTS), max_size=6)
DAYS = st.lists(st.tuples(ACTS, AMOUNTS, st.integers(0, 500), st.integers(-3, 3)), min_size=1, max_size=3)
_DAYS_TAKEN = count()


def balances(books: TableBooks) -> dict[str, int]:
    with books.database.snapshot() as connection:
        of = select(book.c.id).where(book.c.name == BOOK).scalar_subquery()
        rows = connection.execute(select(account.c.name, account.c.cents).where(account.c.book == of))
        return dict(map(tuple, rows))


def serials(books: TableBooks) -> dict[str, list[int]]:
    with books.database.snapshot() as connection:
        found: dict[str, list[int]] = {}
        for kind, serial in connection.execute(select(slip.c.kind, slip.c.serial).order_by(slip.c.serial)):
            found.setdefault(kind, []).append(serial)
        return found


@pytest.mark.parametrize(
    ("sums", "win"),
    [
        (Sums(opener=10_000_00, closer=10_000_00, drop=1_500_00), 1_500_00),
        (Sums(opener=10_000_00, fills=3_000_00, closer=9_000_00, drop=2_500_00), -1_500_00),
        (Sums(opener=10_000_00, credits=4_000_00, closer=8_000_00, drop=500_00), 2_500_00),
    ],
)
def test_win_is_drop_and_closer_and_credits_less_opener_and_fills(sums: Sums, win: int) -> None:
    assert sums.win == win


def test_the_win_of_a_box_comes_to_the_accounts_with_its_count(pit: Pit) -> None:
    before = balances(pit.books)
    pit.open(10_000_00)
    pit.fill(2_000_00)
    pit.close(9_000_00)
    pit.drop()
    waiting = balances(pit.books)
    assert waiting[play_account(pit.table)] == 3_000_00  # what left the table, or lies in its box: nobody knows yet
    assert waiting[WIN] == before.get(WIN, 0)
    pit.count({100_00: 34})
    after = balances(pit.books)
    assert after[play_account(pit.table)] == 0
    assert before.get(WIN, 0) - after[WIN] == 400_00
    assert after[COUNTED] - before.get(COUNTED, 0) == 3_400_00
    assert after[tray_account(pit.table)] == 9_000_00


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(days=DAYS)
def test_whatever_the_slips_the_formula_holds_and_no_number_is_missing(
    new_pit: Callable[[], Pit], days: list[tuple[Acts, int, int, int]]
) -> None:
    pit = new_pit()
    before, tray_holds, won, strayed = balances(pit.books), None, 0, 0
    for number, (acts, closer, hundreds, over) in enumerate(days):
        opener = closer if tray_holds is None else max(tray_holds + over, 0)
        strayed += 0 if tray_holds is None else opener - tray_holds
        signed = {} if tray_holds in (None, opener) else {"signed": THREE}
        pit.open(opener, day=DAY + timedelta(days=number), **signed)
        moved = slips_of_a_day(pit, acts, opener)
        pit.finish_day(closer, hundreds * 100_00)
        won += hundreds * 100_00 + closer - opener - moved
        tray_holds = closer
    after = balances(pit.books)
    assert before.get(WIN, 0) - after[WIN] == won
    assert before.get(VARIANCE, 0) - after[VARIANCE] == strayed
    assert (after[play_account(pit.table)], after[tray_account(pit.table)]) == (0, tray_holds)
    assert sum(after.values()) == 0
    assert all(given == list(range(1, len(given) + 1)) for given in serials(pit.books).values())


def slips_of_a_day(pit: Pit, acts: Acts, tray: int) -> int:
    """Post them, folding independently what went onto the table less what came off it."""
    moved, standing = 0, []
    for kind, cents in acts:
        if kind == "void" and standing:
            last, serial, was = standing.pop()
            pit.books.void(last, serial, "as the test says", VOIDERS)
            moved -= was
        elif kind != "void":
            if kind == "credit" and cents > tray + moved:
                with pytest.raises(BadAmount, match=r"is booked with .*230-15-530"):
                    pit.credit(cents)
                continue
            posted = pit.fill(cents) if kind == "fill" else pit.credit(cents)
            change = cents if kind == "fill" else -cents
            standing.append((kind, posted.slip.serial, change))
            moved += change
    return moved


def test_the_books_of_the_whole_house_verify(table_books: TableBooks, pit: Pit) -> None:
    pit.open(1_000_00)
    found = verify_books(table_books.database, ["house approvals", "house tables", "house users"])
    assert [each.troubles for each in found if not each.holds] == []
    assert CAGE in balances(table_books)
