"""The Gran Progressive is taken out of play, and every cent is accounted for."""

from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction

import pytest

from feltworks.errors import (
    BadAmount,
    BadDay,
    FeltError,
    NotNow,
    PostingRefused,
    UnknownName,
)
from feltworks.house.progressive.acts import (
    Receipt,
    Removal,
    RemovalNotice,
    Share,
)
from feltworks.house.rebuild import verify_progressive
from tests.house.desk import (
    FIRST_DAY,
    Desk,
)

Opener = Callable[..., Desk]


@pytest.mark.clause("SP.19")
def test_a_removal_accounts_for_every_cent(open_gran: Opener) -> None:
    gran = open_gran(recovery=Fraction(0))
    gran.bring(470_000)
    plan = (
        Share("jackpot", 450_000, "players"),
        Share("jackpot", 50_000, "seed recovery"),
        Share("backup", 20_000, "gross receipts"),
    )
    gran.remove(*plan)
    left = {name: cents for name, cents in gran.ledger.balances().accounts.items() if cents}
    assert left == {"receipts": 20_000, "house": 470_000 - 450_000}
    assert gran.state == "removed"
    with pytest.raises(NotNow, match="taken out of play"):
        gran.lose(1)


@pytest.mark.clause("SP.19")
@pytest.mark.parametrize(
    ("plan", "error", "words"),
    [
        ([Share("jackpot", 49_999, "players")], BadAmount, "unaccounted"),
        ([Share("jackpot", 50_001, "players")], BadAmount, "up to"),
        ([Share("jackpot", 50_000, "gross receipts")], NotNow, "displayed"),
        ([Share("jackpot", 50_000, "the owner")], UnknownName, "players, gross receipts"),
        ([Share("jackpot", 50_000, "progressive unheard of")], UnknownName, "unheard of"),
    ],
)
def test_a_plan_that_leaves_or_diverts_money_is_refused(
    open_gran: Opener, plan: list[Share], error: type[FeltError], words: str
) -> None:
    gran = open_gran()
    with pytest.raises(error, match=words):
        gran.remove(*plan)
    assert (gran.state, gran["jackpot"]) == ("in play", 50_000)


@pytest.mark.clause("SP.19")
def test_a_removal_waits_for_the_count_of_the_box_and_for_its_notice(open_gran: Opener) -> None:
    gran = open_gran(notice_days=10, recovery=Fraction(0))
    gran.lose(1)
    plan = (Share("jackpot", 50_100, "players"),)
    with pytest.raises(PostingRefused, match="names the rule"):
        gran.post(RemovalNotice(" "))
    gran.post(RemovalNotice("WAC 230-15-710"))
    with pytest.raises(NotNow, match="box counted"):
        gran.remove(*plan)
    gran.end_day()
    with pytest.raises(BadDay, match="2008-08-11"):
        gran.remove(*plan)
    gran.day = FIRST_DAY + timedelta(days=10)
    with pytest.raises(PostingRefused, match="names the rule"):
        gran.remove(*plan, authority=" ")
    gran.remove(*plan)


@pytest.mark.clause("SP.19")
def test_the_notice_is_a_posting_of_its_own_day_and_payees_are_named(open_gran: Opener) -> None:
    gran = open_gran()
    named = (Share("jackpot", 50_000, "players", "Jo Doe"),)
    with pytest.raises(NotNow, match="post the notice of the removal first"):
        gran.post(Removal(FIRST_DAY, "WAC 230-15-710", named))
    gran.day += timedelta(days=3)
    gran.post(RemovalNotice("WAC 230-15-710"))
    with pytest.raises(NotNow, match="posted on 2008-08-04 already"):
        gran.post(RemovalNotice("WAC 230-15-710"))
    with pytest.raises(BadDay, match="the notice was posted on 2008-08-04"):
        gran.post(Removal(FIRST_DAY, "WAC 230-15-710", named))
    with pytest.raises(PostingRefused, match=r"name who is paid the \$500"):
        gran.post(Removal(gran.day, "WAC 230-15-710", (Share("jackpot", 50_000, "players"),)))
    gran.post(Removal(gran.day, "WAC 230-15-710", named))
    assert gran.state == "removed"
    assert verify_progressive(gran.ledger.database, gran.ledger.name).troubles == []


@pytest.mark.clause("SP.19")
def test_the_money_of_a_removed_progressive_may_go_on_to_another(open_gran: Opener) -> None:
    gran, heir = open_gran(), open_gran()
    to = f"progressive {heir.ledger.name}"
    gran.remove(Share("jackpot", 50_000, to))
    assert (heir["jackpot"], heir["seed"]) == (100_000, 50_000)
    for ledger in (gran.ledger, heir.ledger):
        assert verify_progressive(ledger.database, ledger.name).troubles == []


def test_prize_money_comes_from_a_removal_and_not_from_nowhere(open_gran: Opener) -> None:
    gran = open_gran()
    with pytest.raises(PostingRefused, match=r"comes with the removal of other \(SP\.19\)"):
        gran.post(Receipt(5_000, "other"))
    assert gran["jackpot"] == 50_000
