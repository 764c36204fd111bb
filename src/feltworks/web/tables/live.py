"""The WebSocket of a table: actions come in, are carried out or refused, and every client is notified."""

import asyncio

from litestar import websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from msgspec.structs import asdict

from feltworks.errors import FeltError, NotNow
from feltworks.table.wording import refusal
from feltworks.web.tables import messages
from feltworks.web.tables.figures import Coach, EdgeFinder, coach_question
from feltworks.web.tables.room import Guest, Room
from feltworks.web.tables.rooms import Client, Rooms
from feltworks.web.visitors import Socket, guest_of, messages_within
from feltworks.web.workers import Job

NO_SUCH_TABLE = 4404
MOST_QUESTIONS = 4  # open with the coach from one tab
EDGES_AFTER = 2.0  # seconds; a short visit does not need the house edges


@websocket("/api/tables/{table:str}/live")
async def live(socket: Socket, table: FromPath[str]) -> None:
    """Serve one tab at one table until it closes."""
    rooms: Rooms = socket.app.state.rooms
    await socket.accept()
    try:
        room = rooms.find(table)
    except FeltError as error:
        await socket.send_data(messages.refusal_message(None, error).decode())
        await socket.close(NO_SUCH_TABLE, "no such table")
        return
    client = Client(guest_of(socket))
    pace = socket.app.state.budgets.pace(socket.scope)

    def refuse(text: str, error: FeltError) -> None:
        client.send(messages.refusal_message(messages.id_of(text), error))

    sending = asyncio.create_task(_send(socket, client, rooms))
    rooms.join(room, client)
    finding_edges = asyncio.create_task(_find_edges(rooms, room, socket.app.state.edge_finder))
    coaching = CoachQuestions(socket.app.state.coach, room, client)
    try:
        async for text in messages_within(pace, socket, refuse):
            _carry_out(rooms, room, client, coaching, text)
    except WebSocketDisconnect:
        pass
    finally:
        rooms.part(room, client)
        coaching.cancel()
        sending.cancel()
        finding_edges.cancel()


async def _find_edges(rooms: Rooms, room: Room, finder: EdgeFinder) -> None:
    """Find the house edges of the table's wagers, and notify its clients."""
    if not room.edges:
        await asyncio.sleep(EDGES_AFTER)
    if not room.edges:  # no other tab of this table has found them meanwhile
        await finder.find(room)
        rooms.notify(room)


async def _send(socket: Socket, client: Client, rooms: Rooms) -> None:
    """Send the queued messages as fast as the client reads them, and none before what it tells is saved."""
    waiting = asyncio.Event()
    client.wake = waiting.set  # type: ignore[method-assign]
    waiting.set()
    while True:
        await waiting.wait()
        waiting.clear()
        while client.outbox:
            queued = list(client.outbox)
            client.outbox.clear()
            await rooms.confirm()
            for message in queued:
                await socket.send_data(message.decode())
        if client.farewell:
            await socket.close(*client.farewell)
            return


class CoachQuestions:
    """The questions of one tab to the coach; its actions do not wait for the answers."""

    def __init__(self, coach: Coach, room: Room, client: Client) -> None:
        self._coach, self._room, self._client = coach, room, client
        self._open: set[asyncio.Task[None]] = set()

    def ask(self, action: messages.AskCoach) -> None:
        """Start a question; its answer is sent when it is computed."""
        if len(self._open) >= MOST_QUESTIONS:
            raise NotNow(f"you have {MOST_QUESTIONS} questions open with the coach; wait for an answer")
        job = coach_question(self._room, self._client.guest, action.spot)
        task = asyncio.create_task(self._answer(action, job))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    def cancel(self) -> None:
        """Stop every open question: the page that asked is gone."""
        for task in self._open:
            task.cancel()

    async def _answer(self, action: messages.AskCoach, job: Job) -> None:
        advice = await self._coach.answer(job)
        answer = messages.AdviceMessage(id=action.id, spot=action.spot, **asdict(advice))
        self._client.send(messages.encode_message(answer))


def _carry_out(rooms: Rooms, room: Room, client: Client, coaching: CoachQuestions, text: str) -> None:
    """Carry out one action and notify all clients, or refuse it without a change."""
    if client.farewell:  # the table was closed or goes on in another process: nothing happens at it here
        return
    try:
        action = messages.read_action(text)
        client.check_id(action)
    except FeltError as error:
        client.send(messages.refusal_message(messages.id_of(text), error))
        return
    try:
        if not client.guest.session:
            raise NotNow("Open any page first to get a session; without one you can only watch")
        if isinstance(action, messages.AskCoach):
            coaching.ask(action)
            return
        if isinstance(action, messages.Sit):
            rooms.check_guest(client.guest.name)
        act(room, client.guest, action)
    except FeltError as error:
        client.send(messages.refusal_message(action.id, error, refusal(room.game.terms, error)))
        return
    room.save()
    client.send(messages.encode_message(messages.DoneMessage(action.id)))
    if isinstance(action, messages.Sit):
        rooms.count_tabs(room, client.guest)
    rooms.notify(room)


def act(room: Room, guest: Guest, action: messages.TableAction) -> None:
    """Carry an action out at the table."""
    match action:
        case messages.Sit():
            room.sit(guest, action.spot, action.stack)
        case messages.Leave():
            room.leave(guest, after_hand=action.after_hand)
        case messages.Stay():
            room.stay(guest)
        case messages.Buy():
            room.buy(guest, action.cents)
        case messages.PutDown():
            room.wager(guest, action.spot, dict(action.wagers), dict(action.tokes), action.cut)
        case messages.Withdraw():
            room.withdraw(guest, action.spot)
        case messages.Ready():
            room.say_ready(guest)
        case messages.Choose():
            room.choose(guest, action.spot, action.round, action.name, action.cents, action.about)
        case messages.Pause():
            room.pause()
