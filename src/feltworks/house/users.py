"""Users of the house: their roles, their passwords, their logins and lock-outs.

Passwords that are short, common or made of the user's name are refused; only hashes are stored.
"""

import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from sqlalchemy import Connection, Row, Select, Update, insert, select, update

from feltworks.errors import BadOption, LockedOut, LoginRefused, NotPermitted, PostingRefused, UnknownName
from feltworks.house.duties import (
    ACCOUNTING,
    ADMINISTRATOR,
    APART,
    REGULATOR,
    Role,
    check_permitted,
    find_like,
    plain_letters,
)
from feltworks.house.journal.book import Page, open_page
from feltworks.house.storage.database import Database, PreparedSelect
from feltworks.house.storage.schema import person

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST: Final = 10
LONGEST: Final = 200
_FEWEST_LETTERS: Final = 5  # different characters
# Common passwords; before the comparison, digits and signs around a password are left out and signs that stand
# for letters are replaced by those.
_COMMON: Final = frozenset((files("feltworks.house") / "passwords.txt").read_text().split())
_AROUND: Final = "0123456789!?.*#$-_ "
_SIGNS: Final = str.maketrans("@0134$5", "aoieass")
_ROWS: Final = ("01234567890123456789", "98765432109876543210", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop")


def check_password(name: str, password: str) -> None:
    """Refuse a password that is easily guessed; the error never quotes it.

    >>> check_password("ann", "password123")
    Traceback (most recent call last):
    feltworks.errors.BadOption: option password cannot be 'what was given'; it takes one that is not common
    """
    if not SHORTEST <= len(password) <= LONGEST or password.casefold() == name.casefold():
        raise _refusal(f"{SHORTEST} to {LONGEST} characters, and not the name itself")
    plain = password.casefold()
    stems = {plain.strip(_AROUND), plain.translate(_SIGNS).strip(_AROUND), plain.strip(_AROUND).translate(_SIGNS)}
    without_name = plain.replace(name.casefold(), "") if len(name) > 1 else plain
    if stems & _COMMON or len(set(plain)) < _FEWEST_LETTERS or any(plain in row for row in _ROWS):
        raise _refusal("one that is not common")
    if name.casefold() in plain and len(without_name) < SHORTEST // 2:
        raise _refusal("one that does not consist of the user's name")


def _refusal(allowed: str) -> BadOption:
    return BadOption("password", "what was given", allowed)


@cache
def default_hasher() -> "PasswordHasher":
    """The hasher with its authors' settings; each hash takes 64 MB on purpose."""
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def hash_of_nobody(hasher: "PasswordHasher") -> str:
    """A hash to check the password of an unknown name against, so that the check takes as long as any other."""
    return hasher.hash("nobody knows this")


def matches(hasher: "PasswordHasher", secret: str, password: str) -> bool:
    """Whether a password matches a hash."""
    from argon2.exceptions import VerificationError

    try:
        return hasher.verify(secret, password[:LONGEST])
    except VerificationError:
        return False


BOOK: Final = "house users"
KIND: Final = "users"
REHASH: Final = "hashed anew"  # the same password under stronger settings
LOGINS: Final = "house logins"
LOGINS_KIND: Final = "logins"
ATTEMPT, FAILED = "attempt", "failed"
STRANGER: Final = "a stranger"  # whoever logs in under an unknown name
SECONDS: Final = (ADMINISTRATOR, ACCOUNTING)
MOST_FAILURES: Final = 5
LOCKED_FOR: Final = timedelta(minutes=15)
_BY_ACTIVITY: Final = PreparedSelect(
    select(person.c.name, person.c.role).where(person.c.active == 0).order_by(person.c.name)
)
ROLES: Final = _BY_ACTIVITY, 1  # active users with their roles; prepared, to share a round trip
WRONG_LOGIN: Final = "name and password do not fit; after five failures a user is locked out for 15 minutes"


class Person(Struct, frozen=True):
    """A user without the password hash."""

    name: str
    role: Role
    active: bool = True
    locked_until: datetime | None = None
    temporary: bool = False  # somebody else set the password; the user changes it at first use


class Change(Struct, frozen=True, tag_field="act", tag="user"):
    """A change to a user in the journal; it never holds a password or its hash.

    `secret` is a digest of the stored hash, so that verification finds a hash replaced in the database.
    """

    user: str
    change: str
    role: str | None = None
    secret: str | None = None


def secret_digest(secret: str) -> str:
    """The digest of a stored password hash."""
    return sha256(secret.encode()).hexdigest()


class Login(Struct, frozen=True, tag_field="act", tag="login"):
    """An attempt to log in, how it ended, or the end of a lock-out, in a journal of its own.

    It seals the number of failures then counted against the user, and until when the user is locked out. An
    attempt counts as a failure until its password is found correct.
    """

    user: str
    result: str
    failures: int | None = None  # None: recorded before this was sealed
    locked_until: str | None = None


class Users:
    """The users of a house: added, changed and logged in."""

    def __init__(
        self,
        database: Database,
        *,
        hasher: "PasswordHasher | None" = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.database, self._clock = database, clock
        self._custom_hasher = hasher

    def add(self, name: str, role: Role, password: str, *, by: str | None = None, second: str | None = None) -> Person:
        """Add a user before a second person; the first user is an administrator and needs no second person.

        The password is temporary: the user sets another one before signing anything.
        """
        _check_name(name)
        check_password(name, password)
        secret = self._hasher.hash(password)
        with self.database.transaction() as connection:
            page = open_page(connection, BOOK, KIND)
            known = roles(connection)
            if not known and role != ADMINISTRATOR:
                raise NotPermitted(name, role, "be the first user of these books", [ADMINISTRATOR], APART)
            if known:
                _check_administrator(known, by)
                _check_second(known, by, second, about=name)
            if like := find_like(name, connection.execute(select(person.c.name)).scalars()):
                raise PostingRefused(f"there is a user {like} already; give the new one another name ({APART})")
            temporary = bool(known)
            row = {"name": name, "role": role, "secret": secret, "temporary": int(temporary)}
            connection.execute(insert(person).values(row))
            change = Change(name, "added", role, secret_digest(secret))
            self._post(page, change, by or name, second if known else None)
        return Person(name, role, temporary=temporary)

    def give_role(self, name: str, role: Role, *, by: str, second: str | None = None) -> Person:
        """Change a user's role before a second person; earlier signatures keep the role in which they were made."""
        return self._change(name, Change(name, "role", role), by, before_second=True, second=second, role=role)

    def set_password(self, name: str, password: str, *, by: str, second: str | None = None) -> Person:
        """Set a password, by the user, or by an administrator before a second person; ends a lock-out.

        A password set by an administrator is temporary.
        """
        check_password(name, password)
        if by == name:
            self._check_another(name, password)
        secret = self._hasher.hash(password)
        change = Change(name, "password", secret=secret_digest(secret))
        values = {"secret": secret, "failures": 0, "locked_until": None, "temporary": int(by != name)}
        return self._change(name, change, by, own=True, before_second=by != name, second=second, **values)

    def _check_another(self, name: str, password: str) -> None:
        """Refuse the previous password: somebody else may have set it."""
        with self.database.snapshot() as connection:
            row = connection.execute(_rows(name)).one_or_none()
        if row is not None and matches(self._hasher, row.secret, password):
            raise BadOption("password", "what was given", "another one than before")

    def unlock(self, name: str, *, by: str) -> Person:
        """End a lock-out."""
        return self._change(name, Change(name, "unlocked"), by, failures=0, locked_until=None)

    def dismiss(self, name: str, *, by: str) -> Person:
        """Dismiss a user; earlier signatures stay valid."""
        return self._change(name, Change(name, "dismissed"), by, active=0)

    def log_in(self, name: str, password: str) -> Person:
        """Check a password and return its user; repeated failures lock the user out for a while."""
        row = self._count_attempt(name)
        if row is not None and self._is_locked(row) and not self._is_last_administrator(row):
            matches(self._hasher, row.secret, password)  # so that it takes as long as any other attempt
            self._record_attempt(name, "refused while locked out")
            ends = "an administrator may end it sooner"
            raise LockedOut(f"{name} is locked out until {row.locked_until}; {ends}")
        if row is None or not matches(self._hasher, row.secret, password) or not row.active:
            self._record_failure(row, password)
            self._record_attempt(name, FAILED)
            raise LoginRefused(WRONG_LOGIN)
        with self.database.transaction() as connection:
            if self._hasher.check_needs_rehash(row.secret):  # it was made with weaker settings than the current ones
                secret = self._hasher.hash(password)
                page = open_page(connection, BOOK, KIND)
                connection.execute(_of(name).values(secret=secret))
                self._post(page, Change(name, REHASH, secret=secret_digest(secret)), name)
            connection.execute(_of(name).values(failures=0, locked_until=None))
            self._record_login(connection, name, "logged in")
        return Person(row.name, row.role, temporary=bool(row.temporary))

    def sign(self, name: str, password: str) -> Person:
        """Log in a user who signs something; refuses a temporary password, which has to be changed first."""
        user = self.log_in(name, password)
        if user.temporary:
            raise LoginRefused(
                f"the password of {name} was set by somebody else; {name} sets a new one first: "
                f"`felt house users password {name} --by {name}`"
            )
        return user

    def _is_last_administrator(self, row: Row[Any]) -> bool:
        """Whether this is an administrator and all are locked out: then this one may log in, to end lock-outs."""
        administrators = select(person).where(person.c.role == ADMINISTRATOR, person.c.active == 1)
        with self.database.snapshot() as connection:
            free = [other.name for other in connection.execute(administrators) if not self._is_locked(other)]
        return row.role == ADMINISTRATOR and not free

    def _record_attempt(self, name: str, result: str) -> None:
        with self.database.transaction() as connection:
            self._record_login(connection, name, result)

    def _record_login(self, connection: Connection, name: str, result: str) -> None:
        """Record a login or a failure; an unknown name is recorded without the name."""
        page = open_page(connection, LOGINS, LOGINS_KIND)
        row = connection.execute(_rows(name)).one_or_none()
        who, failures, until = (name, row.failures, row.locked_until) if row else (STRANGER, None, None)
        login = Login(who, result, failures, until)
        page.post("login", login, day=self._clock().date(), by=who, why=f"{who}: {result}")

    def everybody(self) -> list[Person]:
        """All users, including dismissed ones."""
        with self.database.snapshot() as connection:
            return [_person(row) for row in connection.execute(select(person).order_by(person.c.name))]

    def person(self, name: str) -> Person:
        """One active user."""
        with self.database.snapshot() as connection:
            row = connection.execute(_rows(name)).one_or_none()
            if row is None or not row.active:
                raise UnknownName("user", name, roles(connection))
        return _person(row)

    @property
    def _hasher(self) -> "PasswordHasher":
        return self._custom_hasher or default_hasher()

    def _count_attempt(self, name: str) -> Row[Any] | None:
        """Count an attempt and return the user's row; counting before the check stops parallel attempts."""
        with self.database.transaction() as connection:
            row = connection.execute(_rows(name).with_for_update()).one_or_none()
            if row is not None and not self._is_locked(row):
                connection.execute(_of(name).values(**self._after(row.failures + 1)))
                self._record_login(connection, name, ATTEMPT)
        return row

    def _after(self, failures: int) -> dict[str, object]:
        if failures < MOST_FAILURES:
            return {"failures": failures}
        return {"failures": 0, "locked_until": (self._clock() + LOCKED_FOR).isoformat(timespec="seconds")}

    def _record_failure(self, row: Row[Any] | None, password: str) -> None:
        """Record a lock-out in the journal; hash for an unknown name too, so that it takes as long."""
        if row is None:
            matches(self._hasher, hash_of_nobody(self._hasher), password)
        elif row.failures + 1 == MOST_FAILURES:
            with self.database.transaction() as connection:
                self._post(open_page(connection, BOOK, KIND), Change(row.name, "locked out"), row.name)

    def _is_locked(self, row: Row[Any]) -> bool:
        return row.locked_until is not None and datetime.fromisoformat(row.locked_until) > self._clock()

    def _change(
        self,
        name: str,
        change: Change,
        by: str,
        *,
        own: bool = False,
        before_second: bool = False,
        second: str | None = None,
        **values: object,
    ) -> Person:
        with self.database.transaction() as connection:
            page = open_page(connection, BOOK, KIND)
            known = roles(connection)
            if not (own and by == name and by in known):
                _check_administrator(known, by)
            if before_second:
                _check_second(known, by, second, about=name)
            if name not in known:
                raise UnknownName("user", name, known)
            _check_somebody_left(known, name, change)
            before = connection.execute(_rows(name)).one()
            connection.execute(_of(name).values(**values))
            self._post(page, change, by, second)
            if "locked_until" in values and (before.failures or before.locked_until):
                self._record_login(connection, name, "lock-out ended")
            return _person(connection.execute(_rows(name)).one())

    def _post(self, page: Page, change: Change, by: str, second: str | None = None) -> None:
        text = f"{change.user}: {change.change}{f' {change.role}' if change.role else ''}"
        page.post("user", change, day=self._clock().date(), by=by, witness=second, why=text)


def roles(connection: Connection) -> dict[str, str]:
    """Every active user with the current role."""
    return dict(map(tuple, _BY_ACTIVITY.all(connection, 1)))


def _check_administrator(known: dict[str, str], by: str | None) -> None:
    if by is None or by not in known:
        raise PostingRefused(f"only an administrator of these books manages users; name one ({APART})")
    check_permitted(by, known[by], "users")


def _check_second(known: dict[str, str], by: str | None, second: str | None, *, about: str) -> None:
    """Require a second person for new users, roles and others' passwords, once these books have one.

    Otherwise an administrator alone could create a user and sign as that person.
    """
    others = [name for name, role in known.items() if role in SECONDS and name not in (by, about)]
    # somebody of another role, where a password is set for the only other administrator or accountant
    if about in known and not others:
        others = [name for name, role in known.items() if role != REGULATOR and name not in (by, about)]
    if second is None and others:
        raise PostingRefused(
            "a new user, another role or a new password for somebody else takes a second person; "
            f"name one of {', '.join(others)} ({APART})"
        )
    if second is not None and second not in others:
        raise UnknownName("second person", second, others or ["nobody yet"])


def _check_somebody_left(known: dict[str, str], name: str, change: Change) -> None:
    """Refuse to lose the last administrator or second person: the one left could sign for anybody."""
    left = {other: role for other, role in known.items() if other != name}
    if change.change != "dismissed":
        left[name] = change.role or known[name]
    if known[name] == ADMINISTRATOR and ADMINISTRATOR not in left.values():
        raise PostingRefused(f"{name} is the only administrator; make somebody else one first ({APART})")
    before, after = (sum(role in SECONDS for role in people.values()) for people in (known, left))
    if after < before and after < 2:
        raise PostingRefused(
            f"{name} is the only one who can be a second person beside an administrator; add somebody else of "
            f"accounting or administration first ({APART})"
        )


def _check_name(name: str) -> None:
    if not name.strip() or name != name.strip() or len(name) > 40 or not name.isprintable():
        raise BadOption("name", name, "up to 40 printable characters without blanks around them")
    if plain_letters(name) == plain_letters(STRANGER):
        raise PostingRefused(f"{name} is what the journal calls whoever it does not know ({APART})")
    letters = filter(str.isalpha, unicodedata.normalize("NFKC", name))
    if len({unicodedata.name(letter).split()[0] for letter in letters}) > 1:
        raise BadOption("name", name, "letters of one alphabet, so that no two names look the same")


def _rows(name: str) -> Select[Any]:
    return select(person).where(person.c.name == name)


def _of(name: str) -> Update:
    return update(person).where(person.c.name == name)


def _person(row: Row[Any]) -> Person:
    until = datetime.fromisoformat(row.locked_until) if row.locked_until else None
    return Person(row.name, row.role, bool(row.active), until, bool(row.temporary))
