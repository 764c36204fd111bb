"""The office behind the house's pages: its books, its users, and who is logged in from which browser."""

import asyncio
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, ParamSpec, TypeVar

from msgspec import Struct

from feltworks.errors import FeltError, LockedOut, LoginRefused
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database
from feltworks.house.users import WRONG_LOGIN, Person, Users

P = ParamSpec("P")
T = TypeVar("T")
IDLE: Final = 30 * 60.0  # seconds without a request after which somebody is logged out
LONGEST: Final = 12 * 60 * 60.0  # a shift, with time to spare
_HASHES_AT_ONCE: Final = 2  # each takes 64 MB on purpose
MOST_HASHES: Final = 48  # under way and waiting; some seconds' work
_NOWHERE: Final = ("sqlite://", "sqlite:///:memory:")


class NotLoggedIn(FeltError):
    """A page of the house asked for by somebody who is not logged in, or not any more."""

    def __init__(self) -> None:
        super().__init__("log in to the house first; a login ends after 30 minutes without use")


class TooManyLogins(FeltError):
    """More passwords wait to be checked than can be in a few seconds."""

    def __init__(self) -> None:
        super().__init__("too many passwords wait to be checked; try again in a moment")


class Login(Struct):
    """Somebody at a browser."""

    user: str
    began: float
    seen: float


class Logins:
    """Who is logged in. A browser carries a key that means nothing once the login has ended here."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._by_key: dict[str, Login] = {}

    def begin(self, user: str) -> str:
        """A new login; its key was known to nobody before."""
        self._forget_old()
        key, now = secrets.token_hex(24), self._clock()
        self._by_key[key] = Login(user, now, now)
        return key

    def whose(self, key: object) -> str | None:
        """The user behind a key; None where the login has ended or there never was one."""
        login = self._by_key.get(key) if isinstance(key, str) else None
        if login is None or self._is_over(login):
            return None
        login.seen = self._clock()
        return login.user

    def end(self, key: object) -> None:
        """Log one browser out."""
        if isinstance(key, str):
            self._by_key.pop(key, None)

    def end_all(self, user: str, *, but: object = None) -> None:
        """Log a user out everywhere, or everywhere but here."""
        for key, login in list(self._by_key.items()):
            if login.user == user and key != but:
                self._by_key.pop(key, None)

    def _is_over(self, login: Login) -> bool:
        now = self._clock()
        return now - login.seen > IDLE or now - login.began > LONGEST

    def _forget_old(self) -> None:
        for key, login in list(self._by_key.items()):
            if self._is_over(login):
                self._by_key.pop(key, None)


class Office:
    """Opened when the server starts; books without a place are kept until it stops."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._passing: TemporaryDirectory[str] | None = None
        self._database: Database | None = None
        self._hashing = ThreadPoolExecutor(_HASHES_AT_ONCE, thread_name_prefix="passwords")
        self._places = threading.BoundedSemaphore(MOST_HASHES)
        self.logins: Final = Logins()

    def open(self) -> None:
        """Open the books and bring their tables up to date."""
        url = self._url
        if url in _NOWHERE:  # in memory every thread would have books of its own
            self._passing = TemporaryDirectory(prefix="feltworks-")
            url = f"sqlite:///{Path(self._passing.name) / 'house.sqlite'}"
        self._database = open_database(url)

    def close(self) -> None:
        """Let go of the books."""
        self._hashing.shutdown(cancel_futures=True)
        if self._database is not None:
            self._database.close()
        if self._passing is not None:
            self._passing.cleanup()

    @property
    def database(self) -> Database:
        if self._database is None:
            self.open()
        assert self._database is not None
        return self._database

    @property
    def users(self) -> Users:
        return Users(self.database)

    def proven(self, name: str, password: str) -> Person:
        """The user who knows this password; for handlers that run in a thread."""
        return self._submit(self._log_in, name, password).result()

    async def prove(self, name: str, password: str) -> Person:
        """The user who knows this password; no page waits while it is checked."""
        return await self.hash(self._log_in, name, password)

    async def hash(self, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Do what hashes a password, in threads of its own: it is slow on purpose, and pages need theirs."""
        return await asyncio.wrap_future(self._submit(work, *args, **named))

    def _log_in(self, name: str, password: str) -> Person:
        """Whoever is not let in is not told whether such a user exists, or is locked out."""
        try:
            return self.users.log_in(name, password)
        except LockedOut:
            raise LoginRefused(WRONG_LOGIN) from None

    def _submit(self, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> "Future[T]":
        if not self._places.acquire(blocking=False):
            raise TooManyLogins
        found = self._hashing.submit(work, *args, **named)
        found.add_done_callback(lambda _: self._places.release())
        return found
