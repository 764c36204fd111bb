"""Visitors: guests with a name and an encrypted session cookie, and budgets that limit what each may ask for.

A budget is a token bucket: it allows a burst and refills steadily. Litestar's rate limiter counts in fixed
windows, stores the time of every request, and does not count messages of WebSockets.
"""

import asyncio
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from math import ceil
from typing import Annotated, Any, Final

from litestar import Request, WebSocket, get, put
from litestar.enums import ScopeType
from litestar.exceptions import TooManyRequestsException
from litestar.middleware import ASGIMiddleware
from litestar.params import JSONBody
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Meta, Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from feltworks.errors import FeltError
from feltworks.web.connections import Places, client_address
from feltworks.web.tables.room import Guest

Connection = Request[Any, Any, Any]
Socket = WebSocket[Any, Any, Any]
Clock = Callable[[], float]
MOST_BUCKETS: Final = 20_000  # the least recently used one is dropped first
MOST_REFUSALS: Final = 100  # messages refused before a socket is disconnected
PARTING_SECONDS: Final = 1.0
UNLIMITED: Final = frozenset(["/healthz", "/readyz"])  # monitoring is never refused
CHARGED: Final = "is_charged"  # set on a request whose budgets were charged
_NAME: Final = re.compile(r"[^\W_][\w .'’-]{0,19}")

# Guests.


class Me(Struct, frozen=True):
    """The visitor's name, and the roles of a user who is logged in."""

    name: str
    guest: bool
    roles: list[str]


class Rename(Struct, frozen=True, forbid_unknown_fields=True):
    """A new name for the visitor."""

    name: Annotated[str, Meta(max_length=40)]


class Session(Struct, frozen=True, omit_defaults=True):
    """The content of a visitor's encrypted cookie; a logged-in user also has roles and the key of the login."""

    id: str = ""  # empty without a cookie
    name: str = "Guest"
    user: str = ""
    roles: list[str] = []
    login: str = ""


def session_of(scope: Scope) -> Session:
    """The session of a request or socket; an empty one if it has none."""
    with suppress(ValidationError):
        return convert(scope.get("session") or {}, Session)
    return Session()


def set_session(request: Connection, session: Session) -> Session:
    """Replace the session in the browser's cookie."""
    request.set_session(to_builtins(session))
    return session


def new_session(name: str = "") -> Session:
    """Create a guest's session; a guest without a name gets a numbered one."""
    return Session(secrets.token_hex(16), name or f"Guest {secrets.randbelow(900) + 100}")


def guest_of(socket: Socket) -> Guest:
    """The guest behind a socket; one without a session may only watch."""
    session = session_of(socket.scope)
    return Guest(session.id, session.name)


def ensure_session(request: Connection) -> Session:
    """The visitor's session; the first request creates it."""
    session = session_of(request.scope)
    return session if session.id else set_session(request, new_session())


@get("/api/me")
async def me(request: Connection) -> Me:
    """The visitor's own name and roles."""
    return _me(ensure_session(request))


@put("/api/me")
async def rename(request: Connection, data: JSONBody[Rename]) -> Me:
    """Change the visitor's name; it is used at tables joined from now on."""
    name = " ".join(data.name.split())
    if not _NAME.fullmatch(name):
        raise FeltError("a name has 1 to 20 letters, digits or spaces and starts with a letter or a digit")
    return _me(set_session(request, replace(ensure_session(request), name=name)))


def _me(session: Session) -> Me:
    return Me(session.name, not session.user, session.roles)


# Budgets.


class Allowance(Struct, frozen=True):
    """The size of a burst, and the steady rate after it."""

    burst: float
    a_second: float


class Allowances(Struct, frozen=True):
    """The limits of a server; a room full of players behind one address stays far below them."""

    actions: Allowance = Allowance(600, 50)  # messages over the sockets of one session
    actions_of_address: Allowance = Allowance(6000, 400)
    session: Allowance = Allowance(1000, 50)  # requests of one session
    address: Allowance = Allowance(6000, 200)  # requests and new sockets of one address
    tables: Allowance = Allowance(100, 1 / 30)  # tables that one session opens
    tables_of_address: Allowance = Allowance(400, 1 / 10)
    questions: int = 12  # that one session has open in the laboratory, which takes 24 in all
    questions_of_address: int = 18
    simulations: int = 8  # of one address, running or waiting
    logins: Allowance = Allowance(40, 1 / 6)  # wrong passwords from one address
    sockets: int = 3000  # open at once from one address


USUAL: Final = Allowances()


class TooFast(FeltError):
    """The sender of a message has used up its budget."""

    def __init__(self, allowed: Allowance) -> None:
        super().__init__(f"too many messages; at most {allowed.a_second:g} a second are read: wait, then send it again")


class Bucket:
    """A token bucket: the tokens left of one budget."""

    def __init__(self, allowed: Allowance, clock: Clock = time.monotonic) -> None:
        self.allowed: Final = allowed
        self._clock = clock
        self._left, self._since = allowed.burst, clock()

    def take(self) -> bool:
        """Spend one token if there is one; returns whether there was."""
        self._refill()
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def give_back(self) -> None:
        """Return a token."""
        self._left = min(self.allowed.burst, self._left + 1)

    @property
    def seconds_to_wait(self) -> int:
        """The time until there is a token again."""
        self._refill()
        return max(1, ceil((1 - self._left) / self.allowed.a_second))

    def _refill(self) -> None:
        now = self._clock()
        self._left = min(self.allowed.burst, self._left + (now - self._since) * self.allowed.a_second)
        self._since = now


class Buckets:
    """A token bucket of the same size for each client."""

    def __init__(self, allowed: Allowance, clock: Clock = time.monotonic) -> None:
        self._allowed, self._clock = allowed, clock
        self._by_client: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, client: str) -> Bucket:
        """The bucket of a client; an unnamed client gets a new one every time."""
        if not client:
            return Bucket(self._allowed, self._clock)
        bucket = self._by_client.setdefault(client, Bucket(self._allowed, self._clock))
        self._by_client.move_to_end(client)
        if len(self._by_client) > MOST_BUCKETS:
            self._by_client.popitem(last=False)
        return bucket


class Slots(Places):
    """Limits how many questions or sockets each client may have open at once."""

    def __init__(self, most: int, refusal: str) -> None:
        super().__init__(most)
        self._refusal = f"{most} {refusal}"

    @contextmanager
    def slot(self, client: str) -> Iterator[None]:
        """Hold a slot during the work; a client whose slots are all in use is refused."""
        if not self.take(client):
            raise TooManyRequestsException(self._refusal, headers={"retry-after": "1"})
        try:
            yield
        finally:
            self.give_back(client)


class Budgets:
    """The budgets of all clients of this server."""

    def __init__(self, allowed: Allowances, clock: Clock = time.monotonic) -> None:
        self._actions: Final = Buckets(allowed.actions, clock)
        self._actions_of_address: Final = Buckets(allowed.actions_of_address, clock)
        self.session: Final = Buckets(allowed.session, clock)
        self.address: Final = Buckets(allowed.address, clock)
        self._questions: Final = Slots(allowed.questions, "questions of yours are open; ask again when one is answered")
        self._questions_of_address: Final = Slots(
            allowed.questions_of_address, "questions of your address are open; ask again when one is answered"
        )
        self.simulations: Final = Slots(
            allowed.simulations, "simulations of your address run or wait; start another when one has ended"
        )
        self.sockets: Final = Slots(allowed.sockets, "tables are open at your address; close one to open another")
        self.tables: Final = Buckets(allowed.tables, clock)
        self.tables_of_address: Final = Buckets(allowed.tables_of_address, clock)
        self.logins: Final = Buckets(allowed.logins, clock)

    def pace(self, scope: Scope) -> "Pace":
        """The budgets of a socket's messages: its session's, and its address's unless that is this machine."""
        address = address_of(scope)
        buckets = [self._actions.of(session_of(scope).id)]
        if not address.startswith("127.") and address != "::1":
            buckets.append(self._actions_of_address.of(address))
        return Pace(*buckets)

    @contextmanager
    def question(self, scope: Scope) -> Iterator[None]:
        """Hold one of the session's and one of the address's places in the laboratory."""
        with self._questions.slot(client_of(scope)), self._questions_of_address.slot(address_of(scope)):
            yield


class Pace:
    """Counts the messages of one socket against the budgets of its sender."""

    def __init__(self, *buckets: Bucket) -> None:
        self._buckets = buckets
        self._refusals = 0
        self.refusal = TooFast(buckets[0].allowed)

    def allows(self) -> bool:
        """Count one more message; returns whether it may be carried out."""
        for bucket in self._buckets:
            if not bucket.take():
                self._refusals += 1
                self.refusal = TooFast(bucket.allowed)
                return False
        self._refusals = max(0, self._refusals - 1)
        return True

    @property
    def is_flooding(self) -> bool:
        """Whether the sender keeps sending although its messages are refused."""
        return self._refusals > MOST_REFUSALS


async def messages_within(pace: Pace, socket: Socket, refuse: Callable[[str, TooFast], None]) -> AsyncIterator[str]:
    """Yield the messages of a socket within its budget, and end when the client floods.

    The socket is then closed without a handshake, for which the server would have to keep reading.
    """
    while not pace.is_flooding:
        text = await socket.receive_data("text")
        if pace.allows():
            yield text
        else:
            refuse(text, pace.refusal)
        await asyncio.sleep(0)  # lets other sockets run even if many messages wait on this one
    await asyncio.sleep(PARTING_SECONDS)  # deliver the refusals without reading more


class BudgetMiddleware(ASGIMiddleware):
    """Refuses requests and new sockets of an address or session that has used up its budget."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)
    should_bypass_for_scope = staticmethod(lambda scope: scope["path"] in UNLIMITED)

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        buckets = [self._budgets.address.of(address_of(scope))]
        if session := session_of(scope).id:
            buckets.append(self._budgets.session.of(session))
        charge(*buckets)
        scope["state"][CHARGED] = True
        if scope["type"] == ScopeType.WEBSOCKET:
            with self._budgets.sockets.slot(address_of(scope)):
                await next_app(scope, receive, send)
        else:
            await next_app(scope, receive, send)


def charge_unknown_path(request: Connection) -> None:
    """Charge a request for a path that does not exist, which does not pass through the middleware."""
    if not request.scope["state"].get(CHARGED) and request.scope["path"] not in UNLIMITED:
        budgets: Budgets = request.app.state.budgets
        charge(budgets.address.of(address_of(request.scope)))


def charge(*buckets: Bucket, what: str = "requests") -> None:
    """Spend a token of each bucket; a refusal says how many seconds to wait."""
    for bucket in buckets:
        if not bucket.take():
            seconds = bucket.seconds_to_wait
            sentence = f"too many {what}; try again in {seconds} second{'s' if seconds > 1 else ''}"
            raise TooManyRequestsException(sentence, headers={"retry-after": str(seconds)})


def address_of(scope: Scope) -> str:
    """The client's address; behind a trusted proxy, the forwarded one."""
    client = scope.get("client")
    return client_address(str(client[0])) if client else "unknown"


def client_of(scope: Scope) -> str:
    """The client's session, or its address if it has none."""
    return session_of(scope).id or address_of(scope)
