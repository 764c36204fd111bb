"""One player of the load: a WebSocket of its own, read no further than its next move needs."""

import asyncio
import random
import time
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct
from websockets.client import ClientProtocol
from websockets.frames import Frame
from websockets.http11 import Response
from websockets.protocol import State
from websockets.uri import parse_uri

RETRY_SECONDS = 0.2
PATIENCE = 10.0  # seconds for a new connection to show the table; a browser has none
WAGERS: dict[str, dict[str, int]] = {
    "fu-bacc": {"ante": 1000, "tie": 500},
    "acey-deucey-21": {"blackjack": 1000, "acey-deucey": 500},
    "lucky-break": {"blackjack": 1000, "lucky-break": 500},
    "spanish-poker": {"ante": 1000, "dos-pares": 500},
    "lucky-lucky": {"blackjack": 1000, "lucky-lucky": 500},
}


class Message(Struct):
    """A message, its view left as it came: most views are out of date before a player moves."""

    type: str
    id: int | None = None
    view: msgspec.Raw = msgspec.Raw(b"")


class Offer(Struct):
    name: str
    most: int


class Decision(Struct):
    about: str
    offers: list[Offer]


class Spot(Struct):
    cards: list[str | None] = []
    stack: int = 0
    in_round: bool = False
    wagers: dict[str, int] = {}
    ready: bool = False

    @property
    def money(self) -> int:
        """The stack, and the wagers that lie there for the next round."""
        return self.stack + (0 if self.in_round else sum(self.wagers.values()))


class View(Struct):
    you: str | None
    stack: int | None
    running: bool
    round: int | None
    dealer: dict[str, Any]
    decisions: list[Decision]
    seats: list[Spot]

    @property
    def durable(self) -> tuple[Any, ...]:
        """What of a table outlives the server: all money, and the whole round where one is in progress."""
        stacks = self.stack, [seat.stack for seat in self.seats]
        if not self.running:
            return *stacks, [{} if seat.in_round else seat.wagers for seat in self.seats]
        return *stacks, self.round, self.dealer, self.seats, self.decisions

    def loss(self, after: "View", spot: int) -> str:
        """What was shown here and is not there in a later view; empty if nothing is missing."""
        was, is_ = self.seats[spot - 1], after.seats[spot - 1]
        if after.you != self.you or (after.running and (after.round or 0) < (self.round or 0)):
            return f"{self.you} in round {self.round} became {after.you} in round {after.round}"
        if self.running and after.round == self.round and is_.cards[: len(was.cards)] != was.cards:
            return f"the cards {was.cards} became {is_.cards}"
        is_out = was.in_round or not was.wagers  # wagers for the next round may have been played meanwhile
        if not self.running and is_out and after.round is None and was.money != is_.money:
            return f"${was.money / 100} became ${is_.money / 100}"
        return ""


_read = msgspec.json.Decoder(Message).decode
_look = msgspec.json.Decoder(View).decode
_write = msgspec.json.Encoder().encode


class Seat(asyncio.Protocol):
    """A player at a table, with the time that each action took until it was answered."""

    def __init__(self, table: str, game: str, spot: int, cookie: str, thinking: tuple[float, float]) -> None:
        self.table, self.game, self.spot, self.cookie, self.thinking = table, game, spot, cookie, thinking
        self.took: list[float] = []
        self.saw: list[float] = []  # until the table was shown as it stood after the action
        self.refused: list[bytes] = []
        self.returns: list[float] = []  # seconds until the table was shown again after a lost connection
        self.losses: list[str] = []  # what had been shown and was not there any more
        self.is_playing = False
        self.heard = 0  # messages
        self._seen = msgspec.Raw(b"")
        self._asked = 0
        self._asked_at: dict[int, float] = {}
        self._answered_for: float | None = None  # when what was last done had been asked for
        self._timer: asyncio.TimerHandle | None = None
        self._lost: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None

    async def arrive(self, address: str, *, sits: bool = True, patience: float | None = None) -> None:
        """Come to the table, and sit down where this is the first time."""
        self._address = address
        if self._lost is not None and not self._lost.done():  # the end of the last connection is still to come
            self._transport.abort()
            await self._lost
        self._talk = ClientProtocol(parse_uri(f"ws://{address}/api/tables/{self.table}/live"), max_size=None)
        self._asked, self._asked_at, self._seen = 0, {}, msgspec.Raw(b"")
        host, port = address.split(":")
        self._loop = asyncio.get_running_loop()
        self.shown = self._loop.create_future()
        self._lost = None
        self.answered = self._loop.create_future()
        await self._loop.create_connection(lambda: self, host, int(port))
        async with asyncio.timeout(patience):
            await self.shown
        if sits:
            if self._talk.state is not State.OPEN:  # the table has just moved to another process
                raise ConnectionResetError
            self._ask("sit", spot=self.spot, stack=10**9)
            await asyncio.wait([self.answered, self._lost], return_when=asyncio.FIRST_COMPLETED)
            if not self.answered.done():
                raise ConnectionResetError

    def play(self) -> None:
        """Go on for as long as nobody stops it."""
        self.is_playing = True
        self._consider()

    def stop(self) -> None:
        self.is_playing = False

    def ask_coach(self) -> None:
        """Ask what each choice is worth, whether there is one or not."""
        self._ask("coach", spot=self.spot)

    @property
    def is_connected(self) -> bool:
        """Whether the table is shown and the connection open; it closes when a table moves to another process."""
        return bool(bytes(self._seen)) and self._talk.state is State.OPEN

    @property
    def waiting(self) -> int:
        """Actions that were not answered yet."""
        return len(self._asked_at)

    @property
    def view(self) -> View:
        return _look(self._seen)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._lost = self._loop.create_future()
        self._transport: Any = transport
        request = self._talk.connect()
        request.headers["Cookie"] = self.cookie
        self._talk.send_request(request)
        self._flush()

    def data_received(self, data: bytes) -> None:
        self._talk.receive_data(data)
        for event in self._talk.events_received():
            if isinstance(event, Response):
                assert event.status_code == 101, event
            elif isinstance(event, Frame) and event.opcode == event.opcode.TEXT:
                self._hear(bytes(event.data))
        self._flush()  # pings are answered

    def connection_lost(self, exc: Exception | None) -> None:
        if self._lost:
            self._lost.set_result(None)
        if not self.shown.done():
            self.shown.set_exception(ConnectionResetError())
        elif self.is_playing and not self.is_lost:
            self._task = self._loop.create_task(self._return())

    @property
    def is_lost(self) -> bool:
        """Whether the connection was lost and the table is not shown again yet."""
        return self._task is not None and not self._task.done()

    async def be_back(self) -> None:
        """Wait until a lost connection is there again."""
        while self.is_lost:
            await self._task  # type: ignore[misc]

    async def _return(self) -> None:
        """Connect again, as a browser does, and compare the table with what was shown last."""
        began, before = time.monotonic(), self.view
        if self._timer:
            self._timer.cancel()
        self._timer, self._answered_for = None, None
        self._seen = msgspec.Raw(b"")
        while not bytes(self._seen):
            with suppress(OSError):
                await self.arrive(self._address, sits=False, patience=PATIENCE)
                continue
            await asyncio.sleep(RETRY_SECONDS)
        self.returns.append(time.monotonic() - began)
        if loss := before.loss(self.view, self.spot):
            self.losses.append(f"table {self.table}, spot {self.spot}: {loss}")
        if self._lost and self._lost.done():  # and lost again meanwhile
            self._task = self._loop.create_task(self._return())
        self._consider()

    def close(self) -> None:
        self.stop()
        self._transport.abort()

    def _hear(self, message: bytes) -> None:
        heard = _read(message)
        self.heard += 1
        if heard.type == "state":
            self._seen = heard.view
            if self._answered_for is not None:
                self.saw.append(time.monotonic() - self._answered_for)
                self._answered_for = None
            if not self.shown.done():
                self.shown.set_result(None)
            self._consider()
        elif heard.id in self._asked_at:
            asked_at = self._asked_at.pop(heard.id)
            self.took.append(time.monotonic() - asked_at)
            if heard.type == "refused":
                self.refused.append(message)
            else:
                self._answered_for = asked_at
            if not self.answered.done():
                self.answered.set_result(None)

    def _consider(self) -> None:
        if self.is_playing and self._timer is None:
            self._timer = self._loop.call_later(random.uniform(*self.thinking), self._move)

    def _move(self) -> None:
        """Do what comes next, if it is this player's turn and nothing of theirs is under way."""
        self._timer = None
        if self._asked_at or not self.is_playing or not self.is_connected:
            return
        view = self.view
        mine = view.seats[self.spot - 1]
        if view.decisions:
            step = view.decisions[0]
            name = random.choice([offer.name for offer in step.offers if not offer.most])
            self._ask("choose", name=name, spot=self.spot, about=step.about, round=view.round)
        elif not view.running and (mine.in_round or not mine.wagers):
            self._ask("wager", spot=self.spot, wagers=WAGERS[self.game])
        elif not view.running and not mine.ready:
            self._ask("ready")

    def _ask(self, kind: str, **said: Any) -> None:
        self._asked += 1
        self._asked_at[self._asked] = time.monotonic()
        self._talk.send_text(_write({"id": self._asked, "type": kind, **said}))
        self._flush()

    def _flush(self) -> None:
        for piece in self._talk.data_to_send():
            if piece:
                self._transport.write(piece)
