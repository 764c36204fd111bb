"""Who posts to a progressive and before whom, and by hand only as long as the law of the day allows it."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from feltworks.errors import BadDay, NotPermitted, PostingRefused, UnknownName
from feltworks.house.duties import ROLES
from feltworks.house.progressive.acts import (
    BY_TWO,
    DUTIES,
    Act,
    Contribution,
    DayEnd,
    Deposit,
    Maximum,
    ProgressiveRound,
    Seeding,
    Share,
)
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.storage.database import Database
from feltworks.house.users import Users
from tests.house.desk import CINCOS, ROYALS, Desk, lost, signed, terms
from tests.house.floor import PASSWORD, QUICK, STAFF

Opener = Callable[..., Desk]
BEFORE_THE_RULE = date(2021, 6, 13)


@pytest.mark.parametrize(
    ("act", "by", "witness", "words"),
    [
        (
            Contribution("1", "1", 1),
            "cara",
            None,
            "losing progressive wagers as the first person; it takes floor",
        ),
        (Contribution("1", "1", 1), "reg", None, r"reg \(regulator\) may not"),
        (Contribution("1", "1", 1), "admin", None, r"admin \(administrator\) may not"),
        (Seeding(100), "flo", None, "add seed"),
        (Deposit(100), "dan", None, "pay into"),
        (
            Maximum(60_000),
            "ann",
            "dan",
            r"dan \(dealer\) may not impose a maximum on a jackpot as the second",
        ),
        (ProgressiveRound("1", "1", (CINCOS,)), "dan", "flo", "record a progressive win as the first person"),
        (
            ProgressiveRound("1", "1", (CINCOS,)),
            "flo",
            "dan",
            "record a progressive win as the second person",
        ),
        (DayEnd(), "flo", "cara", "count the progressive's box as the first person"),
    ],
)
def test_a_role_that_has_no_part_in_an_act_is_refused_and_nothing_is_written(
    open_gran: Opener, act: Act, by: str, witness: str | None, words: str
) -> None:
    gran = open_gran()
    before = gran.ledger.balances()
    with pytest.raises(NotPermitted, match=words):
        gran.post(act, by=by, witness=witness)
    assert gran.ledger.balances() == before


def test_a_dealer_posts_contributions_and_the_cage_deposits(open_gran: Opener) -> None:
    gran = open_gran()
    gran.post(Contribution("1", "1", 1), by="dan", witness=None)
    gran.post(Deposit(50_000), by="cara", witness=None)
    gran.post(ProgressiveRound("1", "2", (ROYALS[0],)), by="flo", witness="vic")
    assert gran["bank"] == 50_000


@pytest.mark.parametrize("act", BY_TWO)
def test_what_takes_two_names_somebody_who_may_be_the_second(act: str) -> None:
    first, second = DUTIES[act].duties
    people = [(one, two) for one in STAFF for two in STAFF if one != two]
    assert any(STAFF[one] in first.roles and STAFF[two] in second.roles for one, two in people)
    assert {"regulator", "administrator"}.isdisjoint({*first.roles, *second.roles})


def test_every_act_of_a_role_stands_in_the_duties() -> None:
    assert {role for each in DUTIES.values() for duty in each.duties for role in duty.roles} < set(ROLES)


def test_nobody_posts_without_being_known_nor_after_a_dismissal(open_gran: Opener) -> None:
    gran = open_gran()
    users = Users(gran.ledger.database, hasher=QUICK)
    with pytest.raises(UnknownName, match="no user 'nobody'"):
        gran.post(Contribution("1", "1", 1), by="nobody")
    name = f"clerk of {gran.ledger.name}"
    users.add(name, "accounting", PASSWORD, by="admin", second="boss")
    posted = lost(by=name)
    gran.ledger.post(*posted)
    users.dismiss(name, by="admin")
    with pytest.raises(UnknownName):
        gran.post(Contribution("1", "2", 1), by=name)
    assert gran.ledger.post(*posted).repeated  # what was posted stays posted, and is told so


def test_a_progressive_is_opened_before_two_persons_and_by_accounting(books: Database) -> None:
    with pytest.raises(PostingRefused, match="to open a progressive takes the signature of the second"):
        Ledger.open(books, "alone", terms(), signed(witness=None))
    with pytest.raises(NotPermitted, match="open a progressive as the first person; it takes accounting"):
        Ledger.open(books, "alone", terms(), signed(by="flo"))
    with pytest.raises(UnknownName):
        Ledger(books, "alone")


@pytest.mark.clause("SP.16", "WA.4")
def test_a_jackpot_run_by_hand_is_not_opened_any_more(books: Database, open_gran: Opener) -> None:
    late = BEFORE_THE_RULE + timedelta(days=1)
    with pytest.raises(BadDay, match=r"from 2021-06-14 on a jackpot grows with each wager \(WAC 230-15-671\)"):
        Ledger.open(books, "by hand today", terms(), signed(day=late))
    with pytest.raises(UnknownName):
        Ledger(books, "by hand today")
    gran = Ledger.open(books, f"{open_gran().ledger.name} in real time", terms(increment=50), signed(day=late))
    gran.post(*lost(day=late))


@pytest.mark.clause("SP.16", "SP.19", "WA.4")
def test_the_day_the_law_changes_ends_play_by_hand_but_not_the_accounting(books: Database) -> None:
    gran = Desk(Ledger.open(books, "by hand until 2021", terms(), signed("o", day=BEFORE_THE_RULE)))
    gran.day = BEFORE_THE_RULE
    gran.lose(3)
    gran.end_day()
    for act in (Contribution("1", "1", 1), ProgressiveRound("1", "1", (CINCOS,))):
        with pytest.raises(BadDay, match="open one with an increment"):
            gran.post(act)
    assert gran["jackpot"] == 50_000
    plan = (Share("jackpot", gran["jackpot"], "players"),)
    gran.remove(*plan)
    assert gran.state == "removed"


def test_a_tribal_operation_may_run_a_jackpot_by_hand_as_its_approval_says(books: Database) -> None:
    day = date(2024, 5, 1)
    gran = Ledger.open(books, "tribal", terms(house="tribal operation"), signed(day=day))
    gran.post(*lost(day=day))
    assert gran.balances().accounts["uncounted"] == 100
