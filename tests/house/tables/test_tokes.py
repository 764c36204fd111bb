"""Tokes lie apart from the house's money, and only those share who may."""

from datetime import timedelta

import pytest

from feltworks.errors import BadAmount, FeltError, NotPermitted, PostingRefused, UnknownName
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.tokes import TokeBook
from feltworks.house.verification import verify_books
from tests.house.floor import BOTH, DAY, Pit, approve_here, order

TAKERS = {"dealer": "dan", "witness": "flo"}
PAYERS = {"dealer": "dora", "witness": "amy"}


@pytest.fixture
def tokes(table_books: TableBooks) -> TokeBook:
    for table in ("7", "8"):
        if table_books.period(table) is None:
            table_books.open(order(), table, 1_000_00, BOTH)
            table_books.close(table, 1_000_00, BOTH)
            approve_here(table_books.database, "toke method", "hours worked")
    return TokeBook(table_books.database)


def test_tokes_come_in_and_are_shared_out(tokes: TokeBook) -> None:
    before = tokes.balance()
    tokes.take("7", 90_00, TAKERS, day=DAY)
    tokes.take("8", 10_00, TAKERS, day=DAY)
    tokes.pay({"dan": 60_00, "dora": 40_00}, "hours worked", PAYERS, day=DAY)
    assert tokes.balance() == before
    assert all(book.holds for book in verify_books(tokes.database, ["house tokes"]))


def test_tokes_are_shared_by_a_method_on_record(tokes: TokeBook) -> None:
    tokes.take("7", 5_00, TAKERS, day=DAY)
    before = tokes.balance()
    with pytest.raises(PostingRefused, match=r"evenly of a method of sharing tokes is not recorded.*WAC 230-15-475"):
        tokes.pay({"dan": 5_00}, "evenly", PAYERS, day=DAY)
    with pytest.raises(PostingRefused, match=f"none is recorded for {DAY - timedelta(days=1)}"):
        tokes.pay({"dan": 5_00}, "hours worked", PAYERS, day=DAY - timedelta(days=1))
    assert tokes.balance() == before
    tokes.pay({"dan": 5_00}, "hours worked", PAYERS, day=DAY)


def test_no_tokes_come_from_a_table_without_books(tokes: TokeBook, pit: Pit) -> None:
    pit.open()
    before = tokes.balance()
    for table, day in (("nowhere", DAY), (pit.table, DAY - timedelta(days=1))):
        with pytest.raises(UnknownName, match=f"no table with books '{table}'"):
            tokes.take(table, 90_00, TAKERS, day=day)
    assert tokes.balance() == before


@pytest.mark.parametrize(
    ("shares", "method", "trouble"),
    [
        ({"flo": 1_00}, "hours worked", NotPermitted),
        ({"sam": 1_00}, "hours worked", NotPermitted),
        ({"vic": 1_00}, "hours worked", NotPermitted),
        ({"abe": 1_00}, "hours worked", NotPermitted),
        ({"nobody": 1_00}, "hours worked", UnknownName),
        ({"dan": 10**12}, "hours worked", BadAmount),
        ({"dan": 0}, "hours worked", BadAmount),
        ({"dan": 1_00}, "", PostingRefused),
        ({}, "hours worked", PostingRefused),
    ],
)
def test_who_may_not_share_does_not(
    tokes: TokeBook, shares: dict[str, int], method: str, trouble: type[FeltError]
) -> None:
    tokes.take("7", 5_00, TAKERS, day=DAY)
    before = tokes.balance()
    with pytest.raises(trouble):
        tokes.pay(shares, method, PAYERS, day=DAY)
    assert tokes.balance() == before


def test_nobody_witnesses_an_own_share_and_no_toke_is_a_fortune(tokes: TokeBook) -> None:
    tokes.take("7", 5_00, TAKERS, day=DAY)
    with pytest.raises(PostingRefused, match="cara shares in these tokes and cannot be their witness"):
        tokes.pay({"cara": 5_00}, "hours worked", {"dealer": "dora", "witness": "cara"}, day=DAY)
    with pytest.raises(BadAmount, match="house rule"):
        tokes.take("7", 10_000_000_01, TAKERS, day=DAY)


def test_one_person_alone_touches_no_tokes(tokes: TokeBook) -> None:
    with pytest.raises(PostingRefused, match="witness"):
        tokes.take("7", 5_00, {"dealer": "dan"}, day=DAY)
    with pytest.raises(PostingRefused, match="different persons"):
        tokes.take("7", 5_00, {"dealer": "dan", "witness": "dan"}, day=DAY)


def test_the_same_tokes_under_one_key_are_taken_once(tokes: TokeBook) -> None:
    before = tokes.balance()
    key = f"{before} once"
    assert tokes.take("7", 5_00, TAKERS, day=DAY, key=key) == tokes.take("7", 5_00, TAKERS, day=DAY, key=key)
    assert tokes.balance() == before + 5_00
    with pytest.raises(PostingRefused, match="new key"):
        tokes.take("7", 6_00, TAKERS, day=DAY, key=key)
