"""The floor: every table that stands open in the browser, and closing one for good."""

from typing import Annotated

from litestar import get, post
from litestar.datastructures import State
from litestar.params import JSONBody
from msgspec import Meta, Struct

from feltworks.house.duties import check_permitted
from feltworks.web.house.asking import Asker, Word
from feltworks.web.room import Room
from feltworks.web.rooms import Rooms

Reason = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f\ud800-\udfff]*$")]


class FloorTable(Struct, frozen=True):
    """A table as the floor sees it: who sits there, who of them is away, and whether a round is running."""

    id: str
    title: str
    name: str
    seats: int
    players: list[str]
    away: list[str]
    running: bool
    private: bool
    standing: bool


class Closing(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be closed, and why."""

    table: Word
    because: Reason


class ClosedTable(Struct, frozen=True):
    """A table that was closed; `voided` is the round that was called off, if one was running."""

    id: str
    voided: int | None


@get("/floor", sync_to_thread=False)
def floor(state: State, person: Asker) -> list[FloorTable]:
    """Every open table, private ones included."""
    check_permitted(person.name, person.role, "reading")
    rooms: Rooms = state.rooms
    return [_floor_table(room) for room in rooms.by_id.values()]


@post("/floor/close", status_code=200)
async def close_table(state: State, person: Asker, data: JSONBody[Closing]) -> ClosedTable:
    """Close a table: a round in progress is void and its wagers go back; everybody there is sent away."""
    check_permitted(person.name, person.role, "shutdown")
    rooms: Rooms = state.rooms
    room = rooms.find(data.table)
    voided = room.table.rounds if room.table.is_running else None
    rooms.shut(room, f"{data.because} ({person.name}, {person.role})")
    return ClosedTable(room.id, voided)


def _floor_table(room: Room) -> FloorTable:
    players = list(room.table.seating.players)
    return FloorTable(
        id=room.id,
        title=room.game.terms.rulebook.title,
        name=room.name,
        seats=room.table.seating.spots,
        players=players,
        away=[player for player in players if room.is_away(player)],
        running=room.table.is_running,
        private=room.new.private,
        standing=room.is_standing,
    )


HANDLERS = [floor, close_table]
