"""The office: its books, users and logins, and the types and checks that all requests to the house share."""

import asyncio
import datetime
import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final, ParamSpec, TypeVar

from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter
from msgspec import Meta, Struct
from sqlalchemy import CursorResult, text

from feltworks.errors import BadOption, FeltError, LockedOut, LoginRefused, UnknownName
from feltworks.house.duties import check_permitted
from feltworks.house.register import check_not_excluded
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database
from feltworks.house.users import WRONG_LOGIN, Person, Users
from feltworks.money import MOST_CENTS
from feltworks.web.visitors import Connection, session_of

P = ParamSpec("P")
T = TypeVar("T")
IDLE: Final = 30 * 60.0  # seconds without a request after which a user is logged out
LONGEST: Final = 12 * 60 * 60.0  # longer than a shift
_HASHES_AT_ONCE: Final = 2  # each takes 64 MB on purpose
MOST_HASHES: Final = 48  # running and waiting; takes some seconds
_IN_MEMORY: Final = ("sqlite://", "sqlite:///:memory:")


class NotLoggedIn(FeltError):
    """A request to the house without a valid login."""

    def __init__(self) -> None:
        super().__init__("log in first; a login ends after 30 minutes without use")


class TooManyLogins(FeltError):
    """More passwords wait than can be checked in a few seconds."""

    def __init__(self) -> None:
        super().__init__("too many logins at once; try again in a moment")


class Login(Struct):
    """A user who is logged in at a browser."""

    user: str
    began: float
    seen: float


class Logins:
    """The logins of this server by their keys; a key is invalid once its login has ended here."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._by_key: dict[str, Login] = {}

    def begin(self, user: str) -> str:
        """Start a login; its key is new and random."""
        self._forget_old()
        key, now = secrets.token_hex(24), self._clock()
        self._by_key[key] = Login(user, now, now)
        return key

    def user_of(self, key: str) -> str | None:
        """The user of a key; None without a valid login."""
        login = self._by_key.get(key)
        if login is None or self._is_over(login):
            return None
        login.seen = self._clock()
        return login.user

    def end(self, key: str) -> None:
        """Log one browser out."""
        self._by_key.pop(key, None)

    def end_all(self, user: str, *, but: str = "") -> None:
        """Log a user out at all browsers, or at all but one."""
        for key, login in list(self._by_key.items()):
            if login.user == user and key != but:
                self._by_key.pop(key, None)

    @property
    def count(self) -> int:
        """How many logins are valid."""
        return sum(not self._is_over(login) for login in list(self._by_key.values()))

    def _is_over(self, login: Login) -> bool:
        now = self._clock()
        return now - login.seen > IDLE or now - login.began > LONGEST

    def _forget_old(self) -> None:
        for key, login in list(self._by_key.items()):
            if self._is_over(login):
                self._by_key.pop(key, None)


class SharedLogins(Logins):
    """Logins in the database of the books, for several processes."""

    def __init__(self, office: "Office", clock: Callable[[], float] = time.time) -> None:
        super().__init__(clock)
        self._office = office

    def _execute(self, sql: str, **values: object) -> CursorResult[Any]:
        with self._office.database.transaction() as connection:
            limits = {"idle": self._clock() - IDLE, "longest": self._clock() - LONGEST, "now": self._clock()}
            return connection.execute(text(sql), {**limits, **values})

    def begin(self, user: str) -> str:
        key = secrets.token_hex(24)
        self._execute("DELETE FROM felt_live.login WHERE seen < :idle OR began < :longest")
        self._execute("INSERT INTO felt_live.login VALUES (:key, :user, :now, :now)", key=_digest(key), user=user)
        return key

    def user_of(self, key: str) -> str | None:
        valid = "key = :key AND seen >= :idle AND began >= :longest"
        sql = f"UPDATE felt_live.login SET seen = :now WHERE {valid} RETURNING user_name"
        return self._execute(sql, key=_digest(key)).scalar()

    def end(self, key: str) -> None:
        self._execute("DELETE FROM felt_live.login WHERE key = :key", key=_digest(key))

    def end_all(self, user: str, *, but: str = "") -> None:
        sql = "DELETE FROM felt_live.login WHERE user_name = :user AND key <> :but"
        self._execute(sql, user=user, but=_digest(but))

    @property
    def count(self) -> int:
        sql = "SELECT count(*) FROM felt_live.login WHERE seen >= :idle AND began >= :longest"
        return int(self._execute(sql).scalar_one())


def _digest(key: str) -> str:
    """The digest of a key that the database stores: it identifies the key, but cannot be used as one."""
    return hashlib.sha256(key.encode()).hexdigest()


class Office:
    """The books and users of the house; books without a file are lost when the server ends."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._temporary: TemporaryDirectory[str] | None = None
        self._database: Database | None = None
        self._hashing = ThreadPoolExecutor(_HASHES_AT_ONCE, thread_name_prefix="passwords")
        self._places = threading.BoundedSemaphore(MOST_HASHES)
        self.logins = Logins()

    def open(self) -> None:
        """Open the books and update their tables."""
        url = self._url
        if url in _IN_MEMORY:  # in memory every thread would open books of its own
            self._temporary = TemporaryDirectory(prefix="feltworks-")
            url = f"sqlite:///{Path(self._temporary.name) / 'house.sqlite'}"
        self._database = open_database(url)

    def close(self) -> None:
        """Close the books."""
        self._hashing.shutdown(cancel_futures=True)
        if self._database is not None:
            self._database.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    @property
    def database(self) -> Database:
        if self._database is None:
            self.open()
        assert self._database is not None
        return self._database

    @property
    def users(self) -> Users:
        return Users(self.database)

    def check_guest(self, name: str) -> None:
        """WAC 230-23-020: refuse to seat an excluded person; without open books there is no list."""
        if self._database is not None:
            with self._database.snapshot() as connection:
                check_not_excluded(connection, name, today())

    def check_signature(self, name: str, password: str) -> None:
        """Check the password of a signer; blocks, so use it only in handlers that run in a thread."""
        self._submit(self.sign, name, password).result()

    async def check_password(self, name: str, password: str) -> Person:
        """The user with this password; other requests go on while it is checked."""
        return await self.run_hashing(_log_in, self.users.log_in, name, password)

    def sign(self, name: str, password: str) -> Person:
        """The user with this password; a password that an administrator set does not sign."""
        return _log_in(self.users.sign, name, password)

    async def run_hashing(self, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Run work that hashes a password in separate threads, as hashing is slow on purpose."""
        return await asyncio.wrap_future(self._submit(work, *args, **named))

    def _submit(self, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> "Future[T]":
        if not self._places.acquire(blocking=False):
            raise TooManyLogins
        future = self._hashing.submit(work, *args, **named)
        future.add_done_callback(lambda _: self._places.release())
        return future


def _log_in(check: Callable[[str, str], Person], name: str, password: str) -> Person:
    """Check a password; the refusal does not reveal whether the user exists or is locked out."""
    try:
        return check(name, password)
    except LockedOut:
        raise LoginRefused(WRONG_LOGIN) from None


# Shared by all requests.


CurrentUser = NamedDependency[Person]
ReadableBooks = NamedDependency[Database]  # only for users who may read them
TheOffice = NamedDependency[Office]
_PRINTABLE: Final = r"^[^\x00-\x1f\x7f\ud800-\udfff]*$"
Word = Annotated[str, Meta(max_length=60, pattern=_PRINTABLE)]
Words = Annotated[str, Meta(max_length=400, pattern=_PRINTABLE)]
Password = Annotated[str, Meta(max_length=200)]
Amount = Annotated[int, Meta(ge=0, le=MOST_CENTS)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
Pieces = Annotated[dict[Annotated[int, Meta(ge=1, le=10**9)], Count], Meta(max_length=40)]  # number by amount in cents
Day = datetime.date
QueryDay = Annotated[datetime.date | None, QueryParameter(description="A day as 2024-01-31; today unless given.")]
QueryName = Annotated[str, QueryParameter(max_length=60)]


def today() -> datetime.date:
    """The current gambling day by the server's clock."""
    return datetime.date.today()


def parse_part(option: str, text: str) -> Fraction:
    """Parse a part written as a fraction or a decimal."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadOption(option, text, "a part such as 1/3 or 0.1") from None


def office_of(state: State) -> Office:
    """The office of this server."""
    office: Office = state.office
    return office


def readable_books(person: CurrentUser, office: TheOffice) -> Database:
    """The books, for users whose role may read them."""
    check_permitted(person.name, person.role, "reading")
    return office.database


def login_of(request: Connection) -> str:
    """The login key in the browser's session; empty if there is none."""
    return session_of(request.scope).login


def current_user(request: Connection, office: TheOffice) -> Person:
    """The logged-in user with the current role, which is read from the books, not from the session."""
    key = login_of(request)
    name = office.logins.user_of(key)
    if name is None:
        raise NotLoggedIn
    try:
        return office.users.person(name)
    except UnknownName:  # the user was dismissed meanwhile
        office.logins.end(key)
        raise NotLoggedIn from None


DEPENDENCIES: Final = {
    "office": Provide(office_of, sync_to_thread=False),
    "person": Provide(current_user, sync_to_thread=True),
    "readable": Provide(readable_books, sync_to_thread=True),
}


class NotSigned(FeltError):
    """A signature is missing or lacks a correct password."""


class Signer(Struct, frozen=True, forbid_unknown_fields=True):
    """A signature: the logged-in user needs no password, everybody else does."""

    person: Word
    password: Password | None = None


Signatures = Annotated[dict[Word, Signer], Meta(max_length=8)]


def check_signatures(office: Office, by: Person, action: str, signed: Mapping[str, Signer]) -> dict[str, str]:
    """The signer of each position, by checked passwords; the books check the roles."""
    check_permitted(by.name, by.role, action)
    if by.name not in [signature.person for signature in signed.values()]:
        raise NotSigned(f"{by.name} is logged in and has to be one of the signers")
    for signature in signed.values():
        _check_signature(office, by, signature)
    return {position: signature.person for position, signature in signed.items()}


def check_witness(office: Office, by: Person, witness: Signer) -> str:
    """The name of the second person, after checking the password."""
    if witness.person == by.name:
        raise NotSigned(f"{by.name} posts this and cannot be the second person too")
    _check_signature(office, by, witness)
    return witness.person


def _check_signature(office: Office, by: Person, signature: Signer) -> None:
    if signature.person == by.name and signature.password is None:
        return
    if signature.password is None:
        raise NotSigned(f"{signature.person} has to sign with a password")
    try:
        office.check_signature(signature.person, signature.password)
    except LoginRefused as error:
        raise NotSigned(f"the signature of {signature.person}: {error}") from None
