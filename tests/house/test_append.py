"""A wager is posted in one round trip, and only onto the posting that its writer knows to be the last."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from msgspec.structs import replace

from feltworks.errors import FeltError
from feltworks.house.closing import ClosingBook, parse_span
from feltworks.house.progressive.acts import Contribution
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.rebuild import verify_progressive
from feltworks.house.storage.database import Database
from feltworks.house.users import Users
from tests.house.desk import FIRST_DAY, Desk, lost, signed
from tests.house.floor import PASSWORD, QUICK

Opener = Callable[..., Desk]


@pytest.fixture
def calls(books: Database, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The answers of the database to postings in one round trip."""
    answers: list[object] = []
    way = "attempt" if books.is_sqlite else "call"
    ask = getattr(books, way)

    def note(statement: str, values: Sequence[object], *writes: object) -> object:
        answers.append(ask(statement, values, *writes))
        return answers[-1]

    monkeypatch.setattr(books, way, note)
    return answers


def test_what_one_writer_posts_in_a_row_takes_one_round_trip_each_and_is_the_same(
    open_gran: Opener, calls: list[object], books: Database
) -> None:
    gran = open_gran(increment=56)
    numbers = [gran.lose(wagers).number for wagers in (1, 2, 3, 4)]
    assert numbers == [2, 3, 4, 5]
    assert calls == [True] * 3  # the first opens the day
    assert (gran["box"], gran["jackpot"]) == (1_000, 50_560)
    assert verify_progressive(books, gran.ledger.name).holds


def test_two_writers_never_post_onto_the_same_posting(open_gran: Opener, calls: list[object], books: Database) -> None:
    gran = open_gran()
    other = Ledger(books, gran.ledger.name)
    for ledger in (gran.ledger, other, gran.ledger, gran.ledger, other):
        ledger.post(*lost())
    assert calls == [False, True, False]
    assert gran.ledger.balances().postings == 6
    assert verify_progressive(books, gran.ledger.name).holds


def test_the_same_key_again_is_no_second_posting_and_another_act_under_it_is_refused(
    open_gran: Opener, calls: list[object]
) -> None:
    gran = open_gran()
    gran.lose(1)
    once = Contribution("1", "1", 2)
    again = [gran.ledger.post(once, signed(once)) for _ in range(2)]
    assert [(posting.number, posting.repeated) for posting in again] == [(3, False), (3, True)]
    with pytest.raises(FeltError, match="round 1 at table 1 is posted already"):
        gran.post(Contribution("1", "1", 3))
    assert calls == [True, None]  # after a posting that is none the ordinary way looks first
    assert gran["box"] == 300


def test_who_was_dismissed_by_another_posts_nothing_more(
    open_gran: Opener, calls: list[object], books: Database
) -> None:
    users = Users(books, hasher=QUICK)
    name = f"leaver {len(users.everybody())}"
    users.add(name, "floor supervisor", PASSWORD, by="admin", second="boss")
    gran = open_gran()
    gran.post(Contribution("1", "1", 1), witness=name)
    users.dismiss(name, by="admin")
    with pytest.raises(FeltError, match=name):
        gran.post(Contribution("1", "2", 1), witness=name)
    assert calls == [False]
    assert gran["box"] == 100


def test_a_wager_of_a_closed_day_is_refused(open_gran: Opener, calls: list[object], books: Database) -> None:
    gran = open_gran(day=FIRST_DAY - timedelta(days=1))
    gran.lose(1)
    before, head = gran.day, gran.ledger._head
    gran.end_day()
    ClosingBook(books).close(parse_span(before.isoformat()), by="abe", second="boss")
    assert head is not None
    gran.ledger._head = replace(head, number=head.number + 1, seal=gran.ledger._head.seal)  # all but the closing known
    with pytest.raises(FeltError, match="closed"):
        gran.ledger.post(*lost(day=before))
    assert calls == [False]
