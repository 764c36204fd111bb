"""Approvals: what each letter still asks of this house, and whether the game is the one approved."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from feltworks import catalog
from feltworks.errors import BadDay, FeltError, NotPermitted, PostingRefused, UnknownName
from feltworks.house import approvals
from feltworks.house.approvals import (
    ApprovalBook,
    complete_step,
    record_definition,
    required_steps,
    withdraw_step,
)
from feltworks.house.journal.verification import verify
from feltworks.house.law import HouseKind
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database
from tests.house.floor import hire
from tests.house.servers import new_database

TODAY = date(2024, 1, 31)
APPROVED = [name for name in catalog.games() if catalog.rulebook(name).approval]
HOUSES: tuple[HouseKind, ...] = ("card room", "tribal operation")
GAME = "acey-deucey-21"


@pytest.fixture
def book(books: Database) -> ApprovalBook:
    """The approvals of a house in which nothing is met for the game in question."""
    hire(books)
    found = ApprovalBook(books)
    for house in HOUSES:
        for step in found.status(GAME, house, TODAY).steps:
            if step.met is not None:
                act = withdraw_step(GAME, house, step.step)
                found.record(act, by="abe", second="boss", day=TODAY, explanation="a new test begins")
    return found


@pytest.fixture
def new_book(books_url: str, tmp_path: Path) -> Iterator[ApprovalBook]:
    """The approvals of a house that nobody has used before."""
    in_a_file = books_url.startswith("sqlite")
    url = f"sqlite:///{tmp_path / 'books.sqlite'}" if in_a_file else new_database(books_url, "unused")
    database = open_database(url)
    hire(database)
    yield ApprovalBook(database)
    database.close()


def meet(book: ApprovalBook, game: str, house: HouseKind, step: str, **more: Any) -> None:
    said = {"met_by": "the commission", "on": TODAY, "reference": "letter 12", "today": TODAY, **more}
    book.record(complete_step(game, house, step, **said), by="abe", second="boss", day=TODAY)


@pytest.mark.clause("WA.3")
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("game", APPROVED)
def test_every_condition_of_a_letter_is_a_step_or_proven(game: str, house: HouseKind) -> None:
    letter = catalog.rulebook(game).approval
    assert letter is not None
    asked = {"card room": {"operator", "maker"}, "tribal operation": {"tribal operation", "tribal maker"}}
    concerned = [each for each in letter.conditions if each.of in asked[house] | {"owner"}]
    steps = list(required_steps(game, house).values())
    proven = [each for each in concerned if each.clause in ("WA.1", "WA.4")]
    assert steps + proven == [*(c for c in concerned if c not in proven), *proven]
    assert {step.of for step in steps} >= asked[house]


@pytest.mark.clause("WA.3")
@pytest.mark.parametrize("house", HOUSES)
def test_a_game_may_be_offered_once_everybody_has_done_everything(new_book: ApprovalBook, house: HouseKind) -> None:
    book = new_book
    steps = list(required_steps("spanish-poker", house))
    before = book.status("spanish-poker", house, TODAY)
    assert not before.may_be_offered
    assert [step.step for step in before.still_to_do] == [step for step in steps if step != "owner-1"]
    for step in steps:
        if step != "owner-1":
            meet(book, "spanish-poker", house, step)
    almost = book.status("spanish-poker", house, TODAY)
    assert (almost.still_to_do, almost.may_be_offered) == ((), False)
    assert "definition" in almost.wanting[0]
    book.record(record_definition("spanish-poker", house, "letter"), by="abe", second="boss", day=TODAY)
    after = book.status("spanish-poker", house, TODAY)
    assert (after.may_be_offered, after.as_approved, after.wanting) == (True, True, [])


@pytest.mark.clause("WA.3")
def test_what_one_house_has_met_says_nothing_of_the_other_kind(book: ApprovalBook) -> None:
    meet(book, GAME, "card room", "operator-1")
    assert len(book.status(GAME, "tribal operation", TODAY).still_to_do) == 4
    assert [step.step for step in book.status(GAME, "card room", TODAY).still_to_do] == ["maker-1"]


@pytest.mark.clause("WA.3")
def test_the_owner_of_fu_bacc_is_paid_nothing_until_licensed(book: ApprovalBook) -> None:
    assert not book.status("fu-bacc", "tribal operation", TODAY).may_pay_owner
    meet(book, "fu-bacc", "tribal operation", "owner-1", met_by="the owning company", reference="licence 7")
    assert book.status("fu-bacc", "tribal operation", TODAY).may_pay_owner


def test_a_step_tells_who_met_it_when_and_where_it_is_written(book: ApprovalBook) -> None:
    meet(book, GAME, "card room", "operator-1", on=TODAY - timedelta(days=3))
    step = book.status(GAME, "card room", TODAY).steps[0]
    assert step.met is not None
    assert (step.met.met_by, step.met.on, step.met.reference) == (
        "the commission",
        date(2024, 1, 28),
        "letter 12",
    )
    assert step.signed == ("abe", "boss")


def test_a_licence_that_ran_out_and_a_step_withdrawn_are_open_again(book: ApprovalBook) -> None:
    meet(book, GAME, "card room", "maker-1", until=TODAY)
    assert not book.status(GAME, "card room", TODAY).steps[1].is_open
    assert book.status(GAME, "card room", TODAY + timedelta(days=1)).steps[1].trouble == ("it ran out on 2024-01-31")
    meet(book, GAME, "card room", "operator-1")
    act = withdraw_step(GAME, "card room", "operator-1")
    book.record(act, by="abe", second="boss", day=TODAY, explanation="controls were changed")
    assert book.status(GAME, "card room", TODAY).steps[0].is_open


def test_a_condition_that_reads_differently_now_is_open_again(
    book: ApprovalBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet(book, GAME, "card room", "operator-1")
    letter = catalog.rulebook(GAME).approval
    assert letter is not None
    condition = required_steps(GAME, "card room")["operator-1"]
    monkeypatch.setattr(condition, "text", "Something else is asked for.")
    step = book.status(GAME, "card room", TODAY).steps[0]
    assert (step.is_open, step.trouble) == (True, "the condition has changed since")


@pytest.mark.clause("WA.3")
def test_a_definition_changed_since_its_approval_is_told_part_by_part(
    book: ApprovalBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    book.record(record_definition(GAME, "card room", "letter"), by="abe", second="boss", day=TODAY)
    now = approvals.definition_now(GAME)
    changed = {**now, "rulebook: pay_table": "other", "games/fu_bacc.py": "other"}
    monkeypatch.setattr(approvals, "definition_now", lambda _: changed)
    standing = book.status(GAME, "card room", TODAY)
    assert standing.changed == ("games/fu_bacc.py", "rulebook: pay_table")
    assert not standing.as_approved
    assert standing.fingerprint != standing.approved_fingerprint
    assert "rulebook: pay_table has changed since the approval" in standing.deviations


def test_the_fingerprint_is_that_of_the_definition() -> None:
    from feltworks.fingerprint import definition_fingerprint

    act = record_definition(GAME, "card room", "letter")
    assert act.fingerprint == definition_fingerprint(catalog.game(GAME))


@pytest.mark.parametrize(
    ("by", "second", "trouble"),
    [
        ("abe", "abe", PostingRefused),
        ("abe", "dan", NotPermitted),
        ("reg", "boss", NotPermitted),
        ("abe", "nobody", UnknownName),
    ],
)
def test_an_approval_is_recorded_before_two_persons_who_may(
    book: ApprovalBook, by: str, second: str, trouble: type[FeltError]
) -> None:
    act = complete_step(GAME, "card room", "maker-1", met_by="maker", on=TODAY, reference="licence 3", today=TODAY)
    with pytest.raises(trouble):
        book.record(act, by=by, second=second, day=TODAY)
    assert book.status(GAME, "card room", TODAY).steps[1].is_open


@pytest.mark.parametrize(
    ("changed", "trouble"),
    [
        ({"step": "operator-9"}, UnknownName),
        ({"step": "tribal-maker-1"}, UnknownName),
        ({"game": "whist"}, UnknownName),
        ({"met_by": " "}, PostingRefused),
        ({"reference": ""}, PostingRefused),
        ({"on": TODAY + timedelta(days=1)}, BadDay),
        ({"on": date(2008, 2, 18)}, BadDay),  # the day before the letter
        ({"until": TODAY - timedelta(days=1)}, BadDay),
    ],
)
def test_a_step_that_cannot_have_been_met_is_refused(changed: dict[str, Any], trouble: type[FeltError]) -> None:
    said: dict[str, Any] = {"game": GAME, "house": "card room", "step": "operator-1", **changed}
    rest = {"met_by": "commission", "on": TODAY, "reference": "letter", "today": TODAY}
    words = {**rest, **{key: value for key, value in said.items() if key not in ("game", "house", "step")}}
    with pytest.raises(trouble):
        complete_step(said["game"], said["house"], said["step"], **words)


def test_a_game_without_a_letter_is_never_offered(book: ApprovalBook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog.rulebook(GAME), "approval", None)
    standing = book.status(GAME, "card room", TODAY)
    assert (standing.may_be_offered, standing.wanting) == (False, ["the game has no approval"])
    with pytest.raises(PostingRefused, match="no letter"):
        record_definition(GAME, "card room", "letter")


def test_the_journal_of_approvals_is_whole(book: ApprovalBook) -> None:
    meet(book, "lucky-lucky", "card room", "operator-2")
    with book.database.snapshot() as connection:
        assert verify(connection, "house approvals").troubles == []


def test_nothing_is_recorded_for_a_day_to_come(book: ApprovalBook) -> None:
    ahead = date.today() + timedelta(days=1)
    act = complete_step(GAME, "card room", "operator-1", met_by="x", on=ahead, reference="letter 12", today=ahead)
    with pytest.raises(BadDay, match="has not come yet"):
        book.record(act, by="abe", second="boss", day=ahead)
