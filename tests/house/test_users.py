"""Users and roles: who may come in, who is locked out, who may do what, and that no secret is shown."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Literal

import pytest
from argon2 import PasswordHasher
from sqlalchemy import select

from feltworks.errors import (
    BadOption,
    FeltError,
    LoginRefused,
    NotPermitted,
    PostingRefused,
    UnknownName,
)
from feltworks.house.duties import ACTIONS, ROLES, check_signatures, known_role, may
from feltworks.house.journal.book import book_number, postings
from feltworks.house.journal.verification import verify
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database
from feltworks.house.storage.schema import person
from feltworks.house.users import BOOK, LOCKED_FOR, LOGINS, MOST_FAILURES, Users, default_hasher, matches
from feltworks.house.verification import verify_users
from tests.house.floor import PASSWORD, QUICK, hire

# WAC 230-15-430: departments are independent of each other; a regulator belongs to none and only reads
DEPARTMENTS = {
    "dealer": "gambling",
    "floor supervisor": "gambling",
    "cage": "accounting",
    "accounting": "accounting",
    "security": "security",
    "surveillance": "surveillance",
}
_NAMES = (f"user {number}" for number in count(1))


class Clock:
    """The time, which a test sets."""

    def __init__(self) -> None:
        self.now = datetime(2024, 1, 31, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


class CountingHasher(PasswordHasher):
    """Counts how often a password is looked at, which is what takes the time."""

    verified = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
        self.verified += 1
        return super().verify(hash, password)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def users(books: Database, clock: Clock) -> Users:
    hire(books)
    return Users(books, hasher=QUICK, clock=clock)


@pytest.fixture
def name(users: Users) -> str:
    """A dealer that no other test has."""
    return users.add(next(_NAMES), "dealer", PASSWORD, by="admin", second="boss").name


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Users]:
    """Books in which nobody is known yet."""
    database = open_database(f"sqlite:///{tmp_path / 'empty.sqlite'}")
    yield Users(database, hasher=QUICK)
    database.close()


def written(users: Users) -> str:
    """Everything that the journal says of users."""
    with users.database.snapshot() as connection:
        found = postings(connection, book_number(connection, BOOK))
        return "\n".join(f"{each.explanation} {each.facts} {each.key} {each.made_by}" for each in found)


def test_passwords_are_hashed_as_dearly_as_the_authors_of_argon2_advise() -> None:
    """All other tests hash quickly; this name was read before they began to."""
    secret = default_hasher().hash(PASSWORD)
    assert secret.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert matches(default_hasher(), secret, PASSWORD)
    assert not matches(default_hasher(), secret, f"{PASSWORD}!")


def test_whoever_knows_the_password_comes_in(users: Users, name: str) -> None:
    assert (users.log_in(name, PASSWORD).name, users.log_in(name, PASSWORD).role) == (name, "dealer")


def test_a_wrong_password_and_a_name_nobody_has_are_refused_alike(users: Users, name: str) -> None:
    said = []
    for who, password in ((name, "not the password"), ("nobody at all", PASSWORD)):
        with pytest.raises(LoginRefused) as refused:
            users.log_in(who, password)
        said.append(str(refused.value))
    assert said[0] == said[1]


def test_repeated_failures_lock_a_user_out_for_a_while(users: Users, name: str, clock: Clock) -> None:
    for _ in range(MOST_FAILURES):
        with pytest.raises(LoginRefused, match="do not fit"):
            users.log_in(name, "not the password")
    with pytest.raises(LoginRefused, match="locked out until 2024-01-31T12:15"):
        users.log_in(name, PASSWORD)
    clock.now += LOCKED_FOR + timedelta(seconds=1)
    users.log_in(name, PASSWORD)
    assert f"{name}: locked out" in written(users)


def test_an_attempt_on_a_locked_user_takes_as_long_as_any_other(books: Database) -> None:
    """Whoever measures does not learn which names exist."""
    hasher = CountingHasher(time_cost=1, memory_cost=64, parallelism=1)
    hire(books)
    users = Users(books, hasher=hasher)
    known = users.add(next(_NAMES), "dealer", PASSWORD, by="admin", second="boss").name
    counts = []
    for who in [known] * (MOST_FAILURES + 2) + ["nobody at all"]:
        before = hasher.verified
        with pytest.raises(LoginRefused):
            users.log_in(who, "not the password")
        counts.append(hasher.verified - before)
    assert counts == [1] * len(counts)


def test_a_login_in_between_forgets_earlier_failures(users: Users, name: str) -> None:
    for _ in range(3):
        for _ in range(MOST_FAILURES - 1):
            with pytest.raises(LoginRefused, match="do not fit"):
                users.log_in(name, "not the password")
        users.log_in(name, PASSWORD)
    assert f"{name}: locked out" not in written(users)


def test_an_administrator_ends_a_lock_out(users: Users, name: str) -> None:
    for _ in range(MOST_FAILURES):
        with pytest.raises(LoginRefused):
            users.log_in(name, "not the password")
    users.unlock(name, by="admin")
    users.log_in(name, PASSWORD)


def test_many_guesses_at_once_are_no_more_than_one_after_the_other(users: Users, name: str) -> None:
    refused: list[str] = []

    def guess() -> None:
        try:
            users.log_in(name, "not the password")
        except LoginRefused as trouble:
            refused.append(str(trouble))

    guesses = [threading.Thread(target=guess) for _ in range(12)]
    for each in guesses:
        each.start()
    for each in guesses:
        each.join()
    assert sum("do not fit" in said for said in refused) == MOST_FAILURES
    assert sum("locked out until" in said for said in refused) == 12 - MOST_FAILURES


def test_no_secret_is_written_to_the_journal_or_shown(users: Users, name: str) -> None:
    users.set_password(name, "another password", by=name)
    shown = written(users) + str(users.everybody()) + repr(users.person(name))
    assert PASSWORD not in shown
    assert "another password" not in shown
    assert "argon2" not in shown


def test_a_refused_password_is_not_repeated(users: Users) -> None:
    with pytest.raises(BadOption) as refused:
        users.add(next(_NAMES), "dealer", "hunter2", by="admin", second="boss")
    assert "hunter2" not in str(refused.value)


def test_a_new_password_opens_and_the_old_one_does_not(users: Users, name: str) -> None:
    users.set_password(name, "another password", by=name)
    users.log_in(name, "another password")
    with pytest.raises(LoginRefused):
        users.log_in(name, PASSWORD)


def test_another_users_password_is_set_by_an_administrator_alone(users: Users, name: str) -> None:
    with pytest.raises(NotPermitted, match="may not look after users; it takes administrator"):
        users.set_password("dan", "another password", by=name)
    users.set_password(name, "another password", by="boss", second="admin")
    users.log_in(name, "another password")


def test_a_secret_of_a_weaker_setting_is_made_anew(users: Users, name: str) -> None:
    hasher = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    assert hasher.check_needs_rehash(secret(users, name))
    Users(users.database, hasher=hasher).log_in(name, PASSWORD)
    assert not hasher.check_needs_rehash(secret(users, name))
    users.log_in(name, PASSWORD)


def secret(users: Users, name: str) -> str:
    with users.database.snapshot() as connection:
        return str(connection.execute(select(person.c.secret).where(person.c.name == name)).scalar_one())


def test_the_first_user_is_an_administrator_who_then_adds_others(empty: Users) -> None:
    with pytest.raises(NotPermitted, match="first user"):
        empty.add("dan", "dealer", PASSWORD)
    empty.add("ada", "administrator", PASSWORD)
    with pytest.raises(PostingRefused, match="administrator of these books"):
        empty.add("dan", "dealer", PASSWORD)
    empty.add("dan", "dealer", PASSWORD, by="ada")
    with pytest.raises(NotPermitted, match=r"dan \(dealer\)"):
        empty.add("eve", "dealer", PASSWORD, by="dan")
    assert [person.name for person in empty.everybody()] == ["ada", "dan"]


def test_the_last_administrator_stays_one(empty: Users) -> None:
    empty.add("ada", "administrator", PASSWORD)
    for change in (
        lambda: empty.give_role("ada", "dealer", by="ada"),
        lambda: empty.dismiss("ada", by="ada"),
    ):
        with pytest.raises(PostingRefused, match="only administrator"):
            change()
    empty.add("bo", "administrator", PASSWORD, by="ada")
    empty.add("cy", "accounting", PASSWORD, by="ada", second="bo")
    assert empty.give_role("ada", "dealer", by="bo", second="cy").role == "dealer"


def test_who_is_dismissed_comes_in_no_more_and_signs_nothing(users: Users, name: str) -> None:
    users.dismiss(name, by="admin")
    with pytest.raises(LoginRefused, match="do not fit"):
        users.log_in(name, PASSWORD)
    with pytest.raises(UnknownName, match=name):
        users.person(name)
    with pytest.raises(PostingRefused, match="already"):
        users.add(name, "dealer", PASSWORD, by="admin", second="boss")


@pytest.mark.parametrize(
    ("said", "password", "trouble"),
    [
        ("", PASSWORD, BadOption),
        (" dan", PASSWORD, BadOption),
        ("d" * 41, PASSWORD, BadOption),
        ("new\nline", PASSWORD, BadOption),
        ("short password", "123456789", BadOption),
        ("same as password", "Same As Password", BadOption),
        ("dan", PASSWORD, PostingRefused),
    ],
)
def test_a_name_or_password_that_does_not_do_is_refused(
    users: Users, said: str, password: str, trouble: type[FeltError]
) -> None:
    before = written(users)
    with pytest.raises(trouble):
        users.add(said, "dealer", password, by="admin", second="boss")
    assert written(users) == before


def test_a_role_that_is_none_is_refused() -> None:
    with pytest.raises(UnknownName, match="may be dealer, floor supervisor"):
        known_role("king")
    assert known_role("floor-supervisor") == "floor supervisor"


def test_a_regulator_reads_and_does_nothing_else() -> None:
    assert [name for name in ACTIONS if may("regulator", name)] == ["reading"]


def test_an_administrator_signs_nothing_at_a_table() -> None:
    as_second = {"closing", "revise", "recount"}
    allowed = {"users", "approval", "reading", "register", "restoration", *as_second}
    assert {name for name in ACTIONS if may("administrator", name)} == allowed
    assert all(ACTIONS[name].duties[0].roles == ("accounting",) for name in as_second)


def test_everybody_reads_and_every_role_that_works_has_a_department() -> None:
    assert all(may(role, "reading") for role in ROLES)
    assert set(ROLES) - DEPARTMENTS.keys() == {"regulator", "administrator"}


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in ACTIONS
        if name not in ("users", "reading", "wagers", "notice", "verification", "revision", "tally", "shutdown")
    ],
)
def test_where_two_are_asked_for_one_person_is_never_enough(name: str) -> None:
    positions = ACTIONS[name].positions
    assert len(positions) >= 2
    for role in ROLES:
        with pytest.raises(PostingRefused, match="different persons"):
            check_signatures(name, dict.fromkeys(positions, "one"), {"one": role})


def test_money_between_table_and_cage_takes_more_than_one_department() -> None:
    for name in ("fill", "credit", "drop"):
        duties = ACTIONS[name].duties
        assert len({DEPARTMENTS[role] for duty in duties for role in duty.roles}) > 1


def test_the_journal_of_users_is_whole(users: Users, name: str) -> None:
    users.give_role(name, "cage", by="admin", second="boss")
    with users.database.snapshot() as connection:
        assert verify(connection, BOOK).troubles == []
    assert f"{name}: role cage" in written(users)


def test_a_new_user_and_a_password_for_another_take_a_second_person(users: Users, name: str) -> None:
    for act in (
        lambda second: users.add(next(_NAMES), "dealer", PASSWORD, by="admin", second=second),
        lambda second: users.set_password(name, PASSWORD, by="admin", second=second),
    ):
        with pytest.raises(PostingRefused, match="takes a second person"):
            act(None)
        for nobody in ("admin", "dan", name, "nobody"):
            with pytest.raises(UnknownName, match="second person"):
                act(nobody)
        act("amy")


def test_a_password_that_somebody_else_set_is_changed_before_anything_is_signed(users: Users, name: str) -> None:
    assert users.person(name).temporary
    with pytest.raises(LoginRefused, match=f"{name} sets a new one first"):
        users.sign(name, PASSWORD)
    users.set_password(name, "battery staple", by=name)
    assert users.sign(name, "battery staple").name == name
    users.set_password(name, PASSWORD, by="admin", second="boss")
    assert users.person(name).temporary


@pytest.mark.parametrize(
    "password",
    [
        *("password123", "1234567890", "aaaaaaaaaaaa", "qwertyuiop", "casino2024!!"),
        *("Summer2024!", "P@ssw0rd2024", "123password123", "Welc0me2024"),
    ],
)
def test_a_common_password_is_refused(users: Users, name: str, password: str) -> None:
    with pytest.raises(BadOption, match="not common"):
        users.set_password(name, password, by=name)
    with pytest.raises(BadOption, match="user's name"):
        users.set_password(name, f"{name}{name}12", by=name)


def test_logins_and_failures_are_recorded(users: Users, name: str) -> None:
    users.log_in(name, PASSWORD)
    for who in (name, "nobody at all"):
        with pytest.raises(LoginRefused):
            users.log_in(who, "not the password")
    with users.database.snapshot() as connection:
        recorded = list(postings(connection, book_number(connection, LOGINS)))[-5:]
    assert [each.explanation for each in recorded] == [
        f"{name}: attempt",
        f"{name}: logged in",
        f"{name}: attempt",
        f"{name}: failed",
        "a stranger: failed",
    ]


def test_a_stranger_cannot_lock_out_the_only_administrator(empty: Users) -> None:
    empty.add("ada", "administrator", PASSWORD)
    for _ in range(MOST_FAILURES + 2):
        with pytest.raises(LoginRefused):
            empty.log_in("ada", "not the password")
    assert empty.log_in("ada", PASSWORD).name == "ada"
    empty.add("bo", "administrator", PASSWORD, by="ada")
    for _ in range(MOST_FAILURES):
        with pytest.raises(LoginRefused):
            empty.log_in("ada", "not the password")
    with pytest.raises(LoginRefused, match="locked out"):
        empty.log_in("ada", PASSWORD)
    for _ in range(MOST_FAILURES):  # the other one too: then nobody could end the lock-outs
        with pytest.raises(LoginRefused):
            empty.log_in("bo", "not the password")
    assert empty.log_in("ada", PASSWORD).name == "ada"


def test_another_role_takes_a_second_person(users: Users, name: str) -> None:
    with pytest.raises(PostingRefused, match=r"another role .* takes a second person"):
        users.give_role(name, "administrator", by="admin")
    assert users.give_role(name, "cage", by="admin", second="abe").role == "cage"


def test_an_administrator_never_gets_rid_of_the_last_second_person(empty: Users) -> None:
    """Alone the administrator could make users who sign in anybody's place."""
    empty.add("eve", "administrator", PASSWORD)
    empty.add("ann", "accounting", PASSWORD, by="eve")
    with pytest.raises(PostingRefused, match="ann is the only one who can be a second person"):
        empty.dismiss("ann", by="eve")
    empty.add("amy", "accounting", PASSWORD, by="eve", second="ann")
    with pytest.raises(PostingRefused, match="takes a second person"):
        empty.set_password("ann", "another password", by="eve")
    empty.dismiss("ann", by="eve")
    with pytest.raises(PostingRefused, match="amy is the only one"):
        empty.give_role("amy", "dealer", by="eve")


def test_verification_names_a_password_that_was_set_without_a_second_person(empty: Users) -> None:
    empty.add("eve", "administrator", PASSWORD)
    empty.add("ann", "accounting", PASSWORD, by="eve")
    assert verify_users(empty.database, BOOK).notes == []
    empty.set_password("ann", "another password", by="eve")  # these books have no third person
    (note,) = verify_users(empty.database, BOOK).notes
    assert note == "posting 3: eve set the password of ann without a second person"


@pytest.mark.parametrize("name", ["Dan", "DAN", "ｄan", "d\u0430n", "d\u00e1n", "dan\u0323"], ids=ascii)
def test_nobody_gets_a_second_name_that_looks_like_the_first(tmp_path: Path, name: str) -> None:
    """One person under two names could sign as two."""
    database = open_database(str(tmp_path / "books.sqlite"))
    hire(database)
    with pytest.raises(FeltError, match=r"user dan already|one alphabet"):
        Users(database, hasher=QUICK).add(name, "floor supervisor", PASSWORD, by="admin", second="boss")
    database.close()
