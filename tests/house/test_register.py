"""The register: licences that run out, excluded persons, and entries that are struck and never changed."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from feltworks.errors import BadDay, NotNow, NotPermitted, PostingRefused, UnknownName
from feltworks.house.register import Register, RegisterEntry, known_kind
from feltworks.house.storage.migration import open_database
from feltworks.house.tables.acts import Payout
from feltworks.house.tables.books import TableBooks
from feltworks.house.verification import audit
from tests.house.floor import BOTH, Pit, approve, hire

TODAY = date.today()
TWO = {"by": "flo", "second": "abe", "day": TODAY}


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    database = open_database(str(tmp_path / "books.sqlite"))
    hire(database)
    approve(database, "fu-bacc")
    yield Pit(TableBooks(database))
    database.close()


def test_an_entry_is_struck_and_never_changed(pit: Pit) -> None:
    register = Register(pit.books.database)
    number = register.add(RegisterEntry("cards", "set 12", "52 cards, red", "invoice 7"), **TWO)
    with pytest.raises(PostingRefused, match="say why"):
        register.strike(number, " ", **TWO)
    register.strike(number, "destroyed before two witnesses", **TWO)
    with pytest.raises(NotNow, match="struck already"):
        register.strike(number, "again", **TWO)
    with pytest.raises(UnknownName):
        register.strike(99, "no such entry", **TWO)
    (line,) = register.lines("cards")
    assert (line.struck, line.signed) == ("destroyed before two witnesses", ("flo", "abe"))
    assert audit(pit.books.database).faults == []


def test_an_entry_takes_two_persons_facts_and_a_day_to_come(pit: Pit) -> None:
    register = Register(pit.books.database)
    with pytest.raises(NotPermitted):
        register.add(RegisterEntry("key", "cage 1", "kept by the cage"), by="dan", second="abe", day=TODAY)
    with pytest.raises(PostingRefused, match="names somebody or something"):
        register.add(RegisterEntry("key", "cage 1", " "), **TWO)
    with pytest.raises(BadDay):
        register.add(RegisterEntry("licence", "dan", "68-1", until=TODAY - timedelta(days=1)), **TWO)
    with pytest.raises(UnknownName, match="kind of entry"):
        known_kind("gossip")
    assert register.lines() == []


def test_nobody_signs_after_the_licence_on_record_is_given_back(pit: Pit) -> None:
    register = Register(pit.books.database)
    number = register.add(RegisterEntry("licence", "dan", "68-1", until=TODAY), **TWO)
    pit.open(1_000_00)
    register.strike(number, "given back", **TWO)
    with pytest.raises(PostingRefused, match=r"dan may not sign on .* the licence was struck: given back"):
        pit.close(1_000_00)
    register.add(RegisterEntry("licence", "dan", "68-2", until=TODAY + timedelta(days=365)), **TWO)
    pit.close(1_000_00)


def test_an_excluded_person_is_paid_nothing(pit: Pit) -> None:
    register = Register(pit.books.database)
    pit.open(1_000_00)
    number = register.add(RegisterEntry("excluded person", "Pat Doe", "by own wish"), **TWO)
    payout = Payout(pit.table, 0, "tie", 10_00, 70_00, "pat doe", "9c 9d")
    with pytest.raises(PostingRefused, match=r"pat doe is excluded .*WAC 230-23-020"):
        pit.books.pay(payout, BOTH)
    register.strike(number, "the time is over", **TWO)
    pit.books.pay(payout, BOTH)
