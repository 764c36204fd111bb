"""Users of the house: who they are, what they are here, and that it is they; secrets are never shown."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, insert, select, update

from feltworks.errors import BadOption, LockedOut, LoginRefused, NotPermitted, PostingRefused, UnknownName
from feltworks.house.duties import ADMINISTRATOR, Role, check_permitted
from feltworks.house.journal.book import open_page
from feltworks.house.journal.posting import Voucher
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import person
from feltworks.house.storage.statements import PreparedSelect

if TYPE_CHECKING:
    from argon2 import PasswordHasher

BOOK: Final = "house users"
KIND: Final = "users"
MOST_FAILURES: Final = 5
LOCKED_FOR: Final = timedelta(minutes=15)
SHORTEST_PASSWORD: Final = 10
_LONGEST: Final = 200
_BY_ACTIVITY: Final = PreparedSelect(
    select(person.c.name, person.c.role).where(person.c.active == 0).order_by(person.c.name)
)
ROLES: Final = _BY_ACTIVITY, 1  # every active user with the role of the moment, to be asked for with others
WRONG_LOGIN: Final = "name and password do not fit; after five failures a user is locked out for 15 minutes"


class Person(Struct, frozen=True):
    """A user as others may see one."""

    name: str
    role: Role
    active: bool = True
    locked_until: datetime | None = None


class Change(Struct, frozen=True, tag_field="act", tag="user"):
    """What the journal keeps of a change: never a password, nor anything made from one."""

    user: str
    change: str
    role: str | None = None


class Users:
    """Everybody who may do something in the house."""

    def __init__(
        self,
        database: Database,
        *,
        hasher: "PasswordHasher | None" = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.database, self._clock = database, clock
        self._given = hasher

    def add(self, name: str, role: Role, password: str, *, by: str | None = None) -> Person:
        """A new user; the first of all is an administrator and adds oneself."""
        _check_name(name)
        _check_password(name, password)
        secret = self._hasher.hash(password)
        with self.database.transaction() as connection:
            page = open_page(connection, BOOK, KIND)
            known = roles(connection)
            if not known and role != ADMINISTRATOR:
                raise NotPermitted(name, role, "be the first user of these books", [ADMINISTRATOR])
            if known:
                _check_administrator(known, by)
            if name in _everybody(connection):
                raise PostingRefused(f"there is a user {name} already; give the new one another name")
            connection.execute(insert(person).values(name=name, role=role, secret=secret))
            self._post(page, Change(name, "added", role), by or name)
        return Person(name, role)

    def give_role(self, name: str, role: Role, *, by: str) -> Person:
        """Another role from now on; what was signed before keeps the role it was signed in."""
        return self._change(name, Change(name, "role", role), by, role=role)

    def set_password(self, name: str, password: str, *, by: str) -> Person:
        """A new password, by the user or an administrator; it ends a lock-out."""
        _check_password(name, password)
        secret = self._hasher.hash(password)
        return self._change(
            name, Change(name, "password"), by, own=True, secret=secret, failures=0, locked_until=None
        )

    def unlock(self, name: str, *, by: str) -> Person:
        """End a lock-out."""
        return self._change(name, Change(name, "unlocked"), by, failures=0, locked_until=None)

    def dismiss(self, name: str, *, by: str) -> Person:
        """A user who may do nothing any more; what was signed stays signed."""
        return self._change(name, Change(name, "dismissed"), by, active=0)

    def log_in(self, name: str, password: str) -> Person:
        """Whoever knows the password; after repeated failures nobody, for a while."""
        found = self._charged(name)
        if found is not None and self._is_locked(found):
            self._fits(found.secret, password)  # takes as long as any other attempt
            ends = "an administrator may end it sooner"
            raise LockedOut(f"{name} is locked out until {found.locked_until}; {ends}")
        if found is None or not self._fits(found.secret, password) or not found.active:
            self._failed(found, password)
            raise LoginRefused(WRONG_LOGIN)
        with self.database.transaction() as connection:
            values = {"secret": self._hasher.hash(password)} if self._is_weak(found.secret) else {}
            connection.execute(_of(name).values(failures=0, locked_until=None, **values))
        return Person(found.name, found.role)

    def everybody(self) -> list[Person]:
        """All users, those dismissed as well."""
        with self.database.snapshot() as connection:
            return [_shown(row) for row in connection.execute(select(person).order_by(person.c.name))]

    def person(self, name: str) -> Person:
        """One active user."""
        with self.database.snapshot() as connection:
            found = connection.execute(_rows(name)).one_or_none()
            if found is None or not found.active:
                raise UnknownName("user", name, roles(connection))
        return _shown(found)

    def permit(self, name: str, action: str) -> Person:
        """The user, if the user's role has a part in this action."""
        found = self.person(name)
        check_permitted(found.name, found.role, action)
        return found

    @property
    def _hasher(self) -> "PasswordHasher":
        return self._given or _default_hasher()

    def _charged(self, name: str) -> Any:
        """The user's row; the attempt counts before it is looked at, so that many at once gain nothing."""
        with self.database.transaction() as connection:
            found = connection.execute(_rows(name).with_for_update()).one_or_none()
            if found is not None and not self._is_locked(found):
                connection.execute(_of(name).values(**self._after(found.failures + 1)))
        return found

    def _after(self, failures: int) -> dict[str, object]:
        if failures < MOST_FAILURES:
            return {"failures": failures}
        return {"failures": 0, "locked_until": (self._clock() + LOCKED_FOR).isoformat(timespec="seconds")}

    def _failed(self, found: Any, password: str) -> None:
        """A name nobody has takes as long as a wrong password; a lock-out is told to the journal."""
        if found is None:
            self._fits(_nobodys(self._hasher), password)
        elif found.failures + 1 == MOST_FAILURES:
            with self.database.transaction() as connection:
                self._post(open_page(connection, BOOK, KIND), Change(found.name, "locked out"), found.name)

    def _fits(self, secret: str, password: str) -> bool:
        from argon2.exceptions import VerificationError

        try:
            return self._hasher.verify(secret, password[:_LONGEST])
        except VerificationError:
            return False

    def _is_weak(self, secret: str) -> bool:
        """Made with a weaker setting than today's: made anew while the password is at hand."""
        return self._hasher.check_needs_rehash(secret)

    def _is_locked(self, found: Any) -> bool:
        return found.locked_until is not None and datetime.fromisoformat(found.locked_until) > self._clock()

    def _change(self, name: str, change: Change, by: str, *, own: bool = False, **values: object) -> Person:
        with self.database.transaction() as connection:
            page = open_page(connection, BOOK, KIND)
            known = roles(connection)
            if not (own and by == name and by in known):
                _check_administrator(known, by)
            if name not in known:
                raise UnknownName("user", name, known)
            _check_somebody_left(known, name, change)
            connection.execute(_of(name).values(**values))
            self._post(page, change, by)
            return _shown(connection.execute(_rows(name)).one())

    def _post(self, page: Any, change: Change, by: str) -> None:
        said = f"{change.user}: {change.change}{f' {change.role}' if change.role else ''}"
        now = self._clock()
        key = f"{change.user}/{change.change}/{page.number + 1}"
        signed = Voucher(key=key, day=now.date(), by=by, explanation=said)
        page.add("user", msgspec.json.encode(change).decode(), signed, ())
        page.write()


def roles(connection: Connection) -> dict[str, str]:
    """Every active user with the role of the moment."""
    return dict(map(tuple, _BY_ACTIVITY.all(connection, 1)))


@cache
def _default_hasher() -> "PasswordHasher":
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _nobodys(hasher: "PasswordHasher") -> str:
    return hasher.hash("nobody knows this")


def _check_administrator(known: dict[str, str], by: str | None) -> None:
    if by is None or by not in known:
        raise PostingRefused("users are looked after by an administrator of these books; name one")
    check_permitted(by, known[by], "users")


def _check_somebody_left(known: dict[str, str], name: str, change: Change) -> None:
    """Without an administrator nobody could look after users any more."""
    others = [each for each, role in known.items() if role == ADMINISTRATOR and each != name]
    leaves = change.change == "dismissed" or change.role not in (None, ADMINISTRATOR)
    if leaves and known[name] == ADMINISTRATOR and not others:
        raise PostingRefused(f"{name} is the only administrator; make somebody else one first")


def _check_name(name: str) -> None:
    if not name.strip() or name != name.strip() or len(name) > 40 or not name.isprintable():
        raise BadOption("name", name, "up to 40 printable characters without blanks around them")


def _check_password(name: str, password: str) -> None:
    # The password itself is never part of a sentence.
    if not SHORTEST_PASSWORD <= len(password) <= _LONGEST or password.casefold() == name.casefold():
        allowed = f"{SHORTEST_PASSWORD} to {_LONGEST} characters, and not the name itself"
        raise BadOption("password", "what was given", allowed)


def _everybody(connection: Connection) -> set[str]:
    return set(connection.execute(select(person.c.name)).scalars())


def _rows(name: str) -> Any:
    return select(person).where(person.c.name == name)


def _of(name: str) -> Any:
    return update(person).where(person.c.name == name)


def _shown(row: Any) -> Person:
    until = datetime.fromisoformat(row.locked_until) if row.locked_until else None
    return Person(row.name, row.role, bool(row.active), until)
