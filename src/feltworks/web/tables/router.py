"""HTTP and WebSocket routes of tables: games, the lobby, a new table, the proof of a round, and play."""

import asyncio
import datetime
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, Literal, cast

import msgspec
from litestar import Response, get, post, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, JSONBody
from msgspec import Struct
from msgspec.structs import asdict

from feltworks import catalog
from feltworks.documents import document_of
from feltworks.errors import FeltError, NotNow
from feltworks.money import Cents
from feltworks.reports.layout.design import Layout, layout_of
from feltworks.rules.guide import GuideLine, how_to_play
from feltworks.rules.rulebook.model import Approval, Reading, Rulebook, WagerEntry
from feltworks.rules.terms import Terms
from feltworks.table.wording import refusal
from feltworks.web.responses import IS_COMPRESSED, DocumentCache
from feltworks.web.tables import messages
from feltworks.web.tables.figures import Coach, DealProof, EdgeFinder, coach_question
from feltworks.web.tables.messages import Limits, Money
from feltworks.web.tables.order import NewTable, check_order, game_of, usual_order
from feltworks.web.tables.room import Guest, Room
from feltworks.web.tables.rooms import Client, NoSuchTable, Rooms, TableMoved
from feltworks.web.visitors import (
    Budgets,
    Connection,
    Socket,
    address_of,
    charge,
    ensure_session,
    guest_of,
    messages_within,
)
from feltworks.web.workers import Job

OptionValue = bool | int | str | Sequence[str]
Options = Mapping[str, bool | int | str | tuple[str, ...]]
USUAL_SEATS = 7


class WagerDocument(Struct, frozen=True, kw_only=True):
    """A wager of a game; `of` and `times` say from which wager a derived one follows."""

    name: str
    title: str
    kind: Literal["main", "bonus", "derived"]
    of: str | None
    times: str | None
    fixed: Cents | None
    least: Cents
    clause: str
    leave_out: str
    needs: str | None
    equals: str | None  # the wager it is placed together with, always as much
    tokes: bool
    pay_tables: dict[str, dict[str, str]]


class OptionDocument(Struct, frozen=True, kw_only=True):
    """An option of a game: its values, its range, or the members of its list."""

    name: str
    text: str
    clause: str
    default: OptionValue
    values: Sequence[OptionValue] | None
    range: tuple[int, int] | None
    members: list[str] | None


class GameDocument(Struct, frozen=True, kw_only=True):
    """A game as its rulebook defines it."""

    name: str
    title: str
    seats: int
    most_wagers: int | None  # at one table
    wagers: list[WagerDocument]
    options: list[OptionDocument]
    clauses: Mapping[str, str]
    readings: list[Reading]
    approval: Approval | None
    layout: Layout


class TableSummary(Struct, frozen=True, kw_only=True):
    """An open table as the lobby lists it."""

    id: str
    game: str
    title: str
    name: str
    limits: Limits
    seats: int
    taken: int
    away: int  # seated players who are away
    seat_kept: int  # seconds that their seats are kept
    as_approved: bool
    private: bool
    jackpot: Cents | None
    running: bool


class TableStanding(Struct, frozen=True):
    """The round, the stacks by player, and the spots with an open decision."""

    round: int
    stacks: Money
    to_act: list[int]


class TableDocument(TableSummary, frozen=True, kw_only=True):
    """An open table with the terms it was opened on."""

    options: Mapping[str, OptionValue]
    pay_tables: Mapping[str, str]
    offers: list[str]
    deviations: list[str]
    pays: Mapping[str, Mapping[str, str]]  # by wager: the pay of each outcome
    edges: Mapping[str, float]
    practice: bool
    how_to_play: list[GuideLine]  # the rack card in five lines
    standing: TableStanding
    layout: Layout


class TableAddress(Struct, frozen=True):
    """The id of a new table."""

    id: str


@get("/api/games", sync_to_thread=False, opt={IS_COMPRESSED: True})
def games(request: Connection, state: State) -> Response[list[GameDocument]]:
    """Every game with its wagers, pay tables, options, clauses and approval."""
    documents: DocumentCache = state.documents
    return documents.respond(request, lambda: [game_document(catalog.rulebook(name)) for name in catalog.games()])


def game_document(book: Rulebook) -> GameDocument:
    """The document of a game with its default options."""
    presets = {name: option.preset for name, option in book.option.items()}
    options = presets if book.most_wagers else Terms(book).options
    spots = book.option["spots"].preset if "spots" in book.option else USUAL_SEATS
    return GameDocument(
        name=book.name,
        title=book.title,
        seats=cast(int, spots),
        most_wagers=book.most_wagers,
        wagers=[_wager(book, name, entry, options) for name, entry in book.wager.items()],
        options=[
            document_of(OptionDocument, option, name=name, default=option.preset)
            for name, option in book.option.items()
        ],
        clauses=book.clause,
        readings=list(book.reading),
        approval=book.approval,
        layout=_usual_layout(book.name, cast(int, spots)),
    )


def _usual_layout(name: str, seats: int) -> Layout:
    """The layout of the house's own table; if the house refuses the game, with all wagers of the rulebook."""
    try:
        game = game_of(check_order(usual_order(name), datetime.date.today()))
    except FeltError:
        game = catalog.game(name)
    return layout_of(game, seats)


def _wager(book: Rulebook, name: str, entry: WagerEntry, options: Options) -> WagerDocument:
    tables = book.pay_table.get(name, {}).items()
    return document_of(
        WagerDocument,
        entry,
        name=name,
        of=entry.of or None,
        times=entry.multiples if entry.times else None,
        fixed=entry.least if entry.fixed else None,
        needs=entry.needs.wager if entry.needs else None,
        equals=entry.equals or None,
        pay_tables={table: {row: str(pay) for row, pay in rows.price(options).items()} for table, rows in tables},
    )


@get("/api/tables", sync_to_thread=False)
def tables(state: State) -> list[TableSummary]:
    """The tables anybody may join or watch."""
    rooms: Rooms = state.rooms
    return [table.summary for table in open_tables(rooms) if not table.summary.private]


class OpenTable(Struct, frozen=True):
    """An open table as the lobby and the floor list it, in whichever process it is."""

    summary: TableSummary
    players: list[str]
    away: list[str]
    standing: bool


def open_tables(rooms: Rooms) -> list[OpenTable]:
    """All open tables, private ones included."""
    texts = rooms.descriptions()
    if texts is None:
        return [_open_table(room) for room in rooms.by_id.values()]
    return [msgspec.json.decode(text, type=OpenTable) for text in texts]


def describe(room: Room) -> bytes:
    """Encode the description of a table for other processes."""
    return msgspec.json.encode(_open_table(room))


def _open_table(room: Room) -> OpenTable:
    players = list(room.table.seating.players)
    return OpenTable(_summary(room), players, [name for name in players if room.is_away(name)], room.is_standing)


@post("/api/tables", sync_to_thread=False)
def open_table(request: Connection, state: State, data: JSONBody[NewTable]) -> TableAddress:
    """Open a table, if the rules of the house allow it."""
    session = ensure_session(request).id
    budgets: Budgets = state.budgets
    own = budgets.tables.of(session), budgets.tables_of_address.of(address_of(request.scope))
    charge(*own, what="new tables")
    rooms: Rooms = state.rooms
    return TableAddress(rooms.open(data).id)


@get("/api/tables/{table:str}", sync_to_thread=False)
def one_table(state: State, table: FromPath[str]) -> TableDocument:
    """One table with the terms it was opened on."""
    rooms: Rooms = state.rooms
    return table_document(rooms.find(table))


def table_document(room: Room) -> TableDocument:
    """The document of a table with its terms, pays and layout."""
    terms, seating = room.game.terms, room.table.seating
    return TableDocument(
        **asdict(_summary(room)),
        options=terms.options,
        pay_tables={name: chosen for name, chosen in terms.pay_tables.items() if name in terms.offers},
        offers=[name for name in terms.rulebook.wager if name in terms.offers],
        deviations=list(terms.deviations),
        pays={name: {outcome: str(pay) for outcome, pay in room.game.pays[name].items()} for name in room.game.pays},
        edges={wager: edge for wager, (edge, _) in room.edges.items()},
        practice=room.new.practice,
        how_to_play=list(how_to_play(room.game)),
        layout=layout_of(room.game, seating.spots),
        standing=TableStanding(
            room.table.rounds,
            {name: player.stack for name, player in seating.players.items()},
            [room.table.seats[step.seat].spot for step in room.table.decisions],
        ),
    )


def _summary(room: Room) -> TableSummary:
    seating = room.table.seating
    return TableSummary(
        id=room.id,
        game=room.game.terms.rulebook.name,
        title=room.game.terms.rulebook.title,
        name=room.name,
        limits=room.limits,
        seats=seating.spots,
        taken=len(seating.at),
        away=sum(room.is_away(player.name) for player in seating.at.values()),
        seat_kept=round(room.times.away),
        as_approved=not room.game.terms.deviations,
        private=room.new.private,
        jackpot=room.table.house.meters.get("jackpot"),
        running=room.table.is_running,
    )


@get("/api/tables/{table:str}/proof", sync_to_thread=False)
def proof(state: State, table: FromPath[str]) -> DealProof:
    """The commitment to the last round's shoe, the seed where it is revealed, and whether they match."""
    rooms: Rooms = state.rooms
    room = rooms.find(table)
    return room.fair_deal.proof(room.table)


MOST_QUESTIONS = 4  # that one tab may have open with the coach
EDGES_AFTER = 2.0  # seconds; a short visit needs no house edges


@websocket("/api/tables/{table:str}/live")
async def live(socket: Socket, table: FromPath[str]) -> None:
    """Serve one tab at a table until it closes."""
    rooms: Rooms = socket.app.state.rooms
    await socket.accept()
    try:
        room = rooms.find(table)
    except (NoSuchTable, TableMoved) as error:
        await socket.send_data(messages.refusal_message(None, error).decode())
        await socket.close(*error.farewell)
        return
    client = Client(guest_of(socket))
    sending = asyncio.create_task(_send(socket, client, rooms))
    rooms.join(room, client)
    finding_edges = asyncio.create_task(_find_edges(rooms, room, socket.app.state.edge_finder))
    coaching = CoachQuestions(socket.app.state.coach, room, client)
    try:
        await _carry_out_all(socket, rooms, room, client, coaching)
    finally:
        rooms.part(room, client)
        for work in (coaching, sending, finding_edges):
            work.cancel()


async def _carry_out_all(socket: Socket, rooms: Rooms, room: Room, client: Client, coaching: "CoachQuestions") -> None:
    """Carry out the actions of a tab within its budget until it closes."""

    def refuse(text: str, error: FeltError) -> None:
        client.send(messages.refusal_message(messages.id_of(text), error))

    pace = socket.app.state.budgets.pace(socket.scope)
    with suppress(WebSocketDisconnect):
        async for text in messages_within(pace, socket, refuse):
            _carry_out(rooms, room, client, coaching, text)


async def _find_edges(rooms: Rooms, room: Room, finder: EdgeFinder) -> None:
    """Compute the house edges of the table's wagers and notify its clients."""
    if not room.edges:
        await asyncio.sleep(EDGES_AFTER)
    if not room.edges:  # another tab may have found them meanwhile
        await finder.find(room)
        rooms.notify(room)


async def _send(socket: Socket, client: Client, rooms: Rooms) -> None:
    """Send queued messages as fast as the client reads them, and only after the changes they show are saved."""
    waiting = asyncio.Event()
    client.wake = waiting.set  # type: ignore[method-assign]
    waiting.set()
    while True:
        await waiting.wait()
        waiting.clear()
        while client.outbox:
            queued = client.take()
            await rooms.confirm()
            for message in queued:
                await socket.send_data(message.decode())
        if client.farewell:
            await socket.close(*client.farewell)
            return


class CoachQuestions:
    """One tab's questions to the coach, answered while the tab's actions continue."""

    def __init__(self, coach: Coach, room: Room, client: Client) -> None:
        self._coach, self._room, self._client = coach, room, client
        self._open: set[asyncio.Task[None]] = set()

    def ask(self, action: messages.AskCoach) -> None:
        """Start a question; the answer is sent when it is computed."""
        if len(self._open) >= MOST_QUESTIONS:
            raise NotNow(f"you have {MOST_QUESTIONS} questions open with the coach; wait for an answer")
        job = coach_question(self._room, self._client.guest, action.spot)
        task = asyncio.create_task(self._answer(action, job))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    def cancel(self) -> None:
        """Cancel all open questions, as the tab was closed."""
        for task in self._open:
            task.cancel()

    async def _answer(self, action: messages.AskCoach, job: Job[messages.Advice]) -> None:
        advice = await self._coach.answer(job)
        answer = messages.AdviceMessage(id=action.id, spot=action.spot, **asdict(advice))
        self._client.send(messages.encode_message(answer))


def _carry_out(rooms: Rooms, room: Room, client: Client, coaching: CoachQuestions, text: str) -> None:
    """Carry out an action and notify all clients, or refuse it and change nothing."""
    if client.farewell:  # the table was closed or has moved to another process
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


HANDLERS: Final = [games, tables, open_table, one_table, proof, live]
