"""The lobby over HTTP: the games, the open tables, a table of one's own, and the proof of the last round."""

from typing import Any

from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from feltworks import catalog
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.terms import Terms
from feltworks.web.budget import Budgets, address_of, charge
from feltworks.web.fixed_answer import PACKED, FixedAnswers
from feltworks.web.guests import greeted
from feltworks.web.order import NewTable
from feltworks.web.room import Room
from feltworks.web.rooms import Rooms


class OpenedTable(Struct, frozen=True):
    """Where the new table is."""

    id: str


@get("/api/games", sync_to_thread=False, opt={PACKED: True})
def games(request: Request[Any, Any, Any], state: State) -> Response[list[dict[str, Any]]]:
    """Every game with its wagers, pay tables, options, clauses and approval."""
    answers: FixedAnswers = state.fixed_answers
    return answers.respond(request, lambda: [_game(catalog.rulebook(name)) for name in catalog.games()])


def _game(book: Rulebook) -> dict[str, Any]:
    terms = Terms(book) if not book.most_wagers else None
    spots = book.option["spots"].preset if "spots" in book.option else 7
    options = terms.options if terms else {name: option.preset for name, option in book.option.items()}
    return {
        "name": book.name,
        "title": book.title,
        "seats": spots,
        "most_wagers": book.most_wagers,
        "wagers": [
            {
                "name": name,
                "title": entry.title,
                "kind": entry.kind,
                "of": entry.of or None,
                "times": entry.times or None,
                "fixed": entry.least if entry.fixed else None,
                "least": entry.least,
                "clause": entry.clause,
                "leave_out": entry.leave_out,
                "needs": entry.needs.wager if entry.needs else None,
                "tokes": entry.tokes,
                "pay_tables": {
                    table: {row: str(pay) for row, pay in written.price(options).items()}
                    for table, written in book.pay_table.get(name, {}).items()
                },
            }
            for name, entry in book.wager.items()
        ],
        "options": [
            {
                "name": name,
                "text": option.text,
                "clause": option.clause,
                "default": option.preset,
                "values": option.values,
                "range": option.range,
                "members": option.members,
            }
            for name, option in book.option.items()
        ],
        "clauses": book.clause,
        "readings": book.reading,
        "approval": book.approval,
    }


@get("/api/tables", sync_to_thread=False)
def tables(state: State) -> list[dict[str, Any]]:
    """The tables anybody may join or watch."""
    rooms: Rooms = state.rooms
    return [_summary(room) for room in rooms.by_id.values() if not room.new.private]


@post("/api/tables", sync_to_thread=False)
def open_table(request: Request[Any, Any, Any], state: State, data: JSONBody[NewTable]) -> OpenedTable:
    """Open a table of one's own; the rules of the house check it first."""
    session = greeted(request)["id"]
    budgets: Budgets = state.budgets
    own = budgets.tables.of(session), budgets.tables_of_address.of(address_of(request.scope))
    charge(*own, what="new tables")
    rooms: Rooms = state.rooms
    return OpenedTable(rooms.open(data).id)


@get("/api/tables/{table:str}", sync_to_thread=False)
def one_table(state: State, table: FromPath[str]) -> dict[str, Any]:
    """One table with all it was opened with."""
    rooms: Rooms = state.rooms
    room = rooms.find(table)
    terms, seating = room.game.terms, room.table.seating
    return {
        **_summary(room),
        "options": terms.options,
        "pay_tables": {name: chosen for name, chosen in terms.pay_tables.items() if name in terms.offers},
        "offers": [name for name in terms.rulebook.wager if name in terms.offers],
        "deviations": list(terms.deviations),
        "edges": {wager: edge for wager, (edge, _) in room.edges.items()},
        "practice": room.new.practice,
        "standing": {
            "round": room.table.rounds,
            "stacks": {name: player.stack for name, player in seating.players.items()},
            "to_act": [room.table.seats[step.seat].spot for step in room.table.decisions],
        },
    }


def _summary(room: Room) -> dict[str, Any]:
    seating = room.table.seating
    return {
        "id": room.id,
        "game": room.game.terms.rulebook.name,
        "title": room.game.terms.rulebook.title,
        "name": room.name,
        "limits": room.limits,
        "seats": seating.spots,
        "taken": len(seating.at),
        "away": sum(room.is_away(player.name) for player in seating.at.values()),
        "seat_kept": round(room.times.away),
        "as_approved": not room.game.terms.deviations,
        "private": room.new.private,
        "jackpot": room.table.house.meters.get("jackpot"),
        "running": room.table.is_running,
    }


@get("/api/tables/{table:str}/proof", sync_to_thread=False)
def proof(state: State, table: FromPath[str]) -> dict[str, Any]:
    """What the house committed to before the last round, the seed where it is revealed, and the check."""
    rooms: Rooms = state.rooms
    room = rooms.find(table)
    return room.fair_deal.proof(room.table)
