"""The WebSocket of a table: actions come in, are carried out or refused, and everybody is told."""

import asyncio
from typing import Any

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from feltworks.errors import FeltError, NotNow
from feltworks.table.wording import refusal
from feltworks.web import wire
from feltworks.web.budget import Pace, messages_within
from feltworks.web.coach import Coach, question
from feltworks.web.edges import Edging
from feltworks.web.guests import guest_of
from feltworks.web.room import Guest, Room
from feltworks.web.rooms import Client, Rooms
from feltworks.web.worker import Job

NO_SUCH_TABLE = 4404
MOST_QUESTIONS = 4  # that a tab may have open with the coach
PRICED_AFTER = 2.0  # seconds: whoever only looks in need not know what the wagers cost


@websocket("/api/tables/{table:str}/live")
async def live(socket: WebSocket[Any, Any, Any], table: FromPath[str]) -> None:
    """Serve one tab at one table until it closes."""
    rooms: Rooms = socket.app.state.rooms
    await socket.accept()
    try:
        room = rooms.find(table)
    except FeltError as trouble:
        await socket.send_data(wire.refused(None, trouble).decode())
        await socket.close(NO_SUCH_TABLE, "no such table")
        return
    client = Client(guest_of(socket))
    pace = Pace(socket.app.state.budgets.actions.of(client.guest.session))

    def refuse(text: str, trouble: FeltError) -> None:
        client.send(wire.refused(wire.id_of(text), trouble))

    sending = asyncio.create_task(_send(socket, client))
    rooms.join(room, client)
    pricing = asyncio.create_task(_price(rooms, room, socket.app.state.edging))
    coaching = Coaching(socket.app.state.coach, room, client)
    try:
        async for text in messages_within(pace, socket, refuse):
            _carry_out(rooms, room, client, coaching, text)
    except WebSocketDisconnect:
        pass
    finally:
        rooms.part(room, client)
        sending.cancel()
        pricing.cancel()


async def _price(rooms: Rooms, room: Room, edging: Edging) -> None:
    """Find out what the table's wagers cost, and tell it."""
    if not room.edges:
        await asyncio.sleep(PRICED_AFTER)
        await edging.find(room)
        rooms.tell(room)


async def _send(socket: WebSocket[Any, Any, Any], client: Client) -> None:
    """Send what is queued, as fast as the client takes it."""
    waiting = asyncio.Event()
    client.wake = waiting.set  # type: ignore[method-assign]
    waiting.set()
    while True:
        await waiting.wait()
        waiting.clear()
        while client.outbox:
            await socket.send_data(client.outbox.popleft().decode())
        if client.is_dismissed:
            await socket.close(NO_SUCH_TABLE, "the table was closed")
            return


class Coaching:
    """The questions of one tab to the coach: answered beside its actions, which never wait for them."""

    def __init__(self, coach: Coach, room: Room, client: Client) -> None:
        self._coach, self._room, self._client = coach, room, client
        self._open: set[asyncio.Task[None]] = set()

    def ask(self, action: wire.Coach) -> None:
        """Have a question answered as soon as it is worked out."""
        if len(self._open) >= MOST_QUESTIONS:
            raise NotNow(f"the coach takes {MOST_QUESTIONS} questions of yours at a time; wait for an answer")
        job = question(self._room, self._client.guest, action.spot)
        task = asyncio.create_task(self._answer(action, job))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _answer(self, action: wire.Coach, job: Job) -> None:
        found = await self._coach.answer(job)
        self._client.send(wire.written({"type": "coach", "id": action.id, "spot": action.spot, **found}))


def _carry_out(rooms: Rooms, room: Room, client: Client, coaching: Coaching, text: str) -> None:
    """One action: done and told to everybody, or refused and nothing changed."""
    try:
        action = client.takes(wire.read_action(text))
    except FeltError as trouble:
        client.send(wire.refused(wire.id_of(text), trouble))
        return
    try:
        if not client.guest.session:
            raise NotNow("whoever plays has a session, which any page of the house gives; without one, watch")
        if isinstance(action, wire.Coach):
            coaching.ask(action)
            return
        act(room, client.guest, action)
    except FeltError as trouble:
        client.send(wire.refused(action.id, trouble, refusal(room.game.terms, trouble)))
        return
    room.keep()
    client.send(wire.done(action.id))
    if isinstance(action, wire.Sit):
        rooms.arrived(room, client.guest)
    rooms.tell(room)


def act(room: Room, guest: Guest, action: wire.Asked) -> None:
    """Carry an action out at the table."""
    match action:
        case wire.Sit():
            room.sit(guest, action.spot, action.stack)
        case wire.Leave():
            room.leave(guest, after_hand=action.after_hand)
        case wire.Stay():
            room.stay(guest)
        case wire.Buy():
            room.buy(guest, action.cents)
        case wire.PutDown():
            room.wager(guest, action.spot, dict(action.wagers), dict(action.tokes))
        case wire.Withdraw():
            room.withdraw(guest, action.spot)
        case wire.Ready():
            room.say_ready(guest)
        case wire.Choose():
            room.choose(guest, action.spot, action.round, action.name, action.cents, action.about)
        case wire.Pause():
            room.pause()
