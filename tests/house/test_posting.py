"""Postings: once under a key, whole or not at all, on days that follow one another."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from feltworks import catalog
from feltworks.errors import (
    BadAmount,
    BadDay,
    NotNow,
    PostingRefused,
    UnknownName,
)
from feltworks.house.progressive.acts import Contribution, Deposit, ProgressiveRound
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.storage.database import Database
from tests.house.desk import (
    ROYALS,
    Desk,
    lost,
    signed,
    terms,
)

Opener = Callable[..., Desk]


def test_days_are_ended_one_after_another(open_gran: Opener) -> None:
    gran = open_gran()
    gran.lose(1)
    gran.day += timedelta(days=1)
    for post in (
        lambda: gran.lose(1),
        lambda: gran.post(Deposit(100)),
        lambda: gran.ledger.tally({100: 1}, signed(day=gran.day, by="sue", witness=None)),
    ):
        with pytest.raises(BadDay, match="2008-08-01 is still open"):
            post()
    gran.day -= timedelta(days=2)
    with pytest.raises((BadDay, NotNow)):  # these books are shared, and another test may have closed that day
        gran.lose(1)


@pytest.mark.parametrize("wagers", [0, -1, 10**9, 1.5, "3"])
def test_a_number_of_wagers_that_cannot_be_is_refused(open_gran: Opener, wagers: object) -> None:
    gran = open_gran()
    with pytest.raises(BadAmount):
        gran.post(Contribution("1", "1", wagers))  # type: ignore[arg-type]
    assert gran.ledger.balances().postings == 1


def test_the_same_again_is_posted_once(open_gran: Opener) -> None:
    gran = open_gran()
    first, again = (gran.post(Contribution("1", "1", 2)) for _ in "ab")
    assert (first.number, again.number, again.repeated) == (2, 2, True)
    assert gran["box"] == 200


def test_a_key_never_stands_for_two_things(open_gran: Opener) -> None:
    gran = open_gran()
    gran.ledger.post(Deposit(200), signed("one"))
    with pytest.raises(PostingRefused, match="the key one stands for posting 2"):
        gran.ledger.post(Deposit(300), signed("one"))
    assert gran["bank"] == 200


def test_a_batch_is_kept_as_a_whole_or_not_at_all(open_gran: Opener) -> None:
    gran = open_gran(seed=100_000)
    wagers = [lost() for _ in range(600)]
    with pytest.raises(BadAmount):
        gran.ledger.post_all([*wagers, lost(0)])
    assert gran.ledger.balances().postings == 1
    won = ProgressiveRound("1", "y", (ROYALS[0],))
    gran.ledger.post_all([*wagers, wagers[3], (won, signed(won))])
    assert (gran["box"], gran["jackpot"]) == (60_000, 75_000)


def test_an_opening_again_finds_what_is_there_and_another_is_refused(books: Database, open_gran: Opener) -> None:
    name = open_gran().ledger.name
    assert Ledger.open(books, name, terms(), signed("opening")).balances().postings == 1
    with pytest.raises(PostingRefused, match="already"):
        Ledger.open(books, name, terms(), signed())
    with pytest.raises(PostingRefused, match="not the same"):
        Ledger.open(books, name, terms(seed=60_000), signed("opening"))


def test_the_wager_has_to_feed_a_jackpot(books: Database) -> None:
    with pytest.raises(UnknownName, match="gran-progressive"):
        Ledger.open(books, "no jackpot", terms(wager="dos-pares"), signed())
    assert catalog.rulebook("spanish-poker").wager["gran-progressive"].least == 100
