"""Tables and their clients without a wire: what is told when, and what a table takes up after a restart."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from feltworks.web.live import act
from feltworks.web.order import NewTable
from feltworks.web.room import Guest, Room
from feltworks.web.rooms import Client, Rooms
from feltworks.web.wire import read_action

ANN, BOB = Guest("a", "Ann"), Guest("b", "Bob")
SPOTS = {ANN: 1, BOB: 2}


def does(room: Room, guest: Guest, kind: str, **said: Any) -> None:
    act(room, guest, read_action(json.dumps({"id": 1, "type": kind, **said})))
    room.keep()


def dealt(rooms: Rooms, game: str = "fu-bacc") -> Room:
    """A table with two players in a round."""
    room = rooms.open(NewTable(game))
    for guest, spot in SPOTS.items():
        does(room, guest, "sit", spot=spot, stack=100_00)
        does(room, guest, "wager", spot=spot, wagers={"ante": 10_00})
    for guest in SPOTS:
        does(room, guest, "ready")
    return room


def joined(rooms: Rooms, room: Room, guest: Guest) -> Client:
    client = Client(guest)
    rooms.join(room, client)
    return client


async def told(client: Client) -> list[dict[str, Any]]:
    """What a client has been sent once everything is told."""
    for _ in range(3):
        await asyncio.sleep(0)
    found = [json.loads(message) for message in client.outbox]
    client.outbox.clear()
    return found


def at_tables(folder: Path, scene: Callable[[Rooms], Awaitable[None]]) -> None:
    async def played() -> None:
        rooms = Rooms(folder)
        rooms.restore()
        try:
            await scene(rooms)
        finally:
            rooms.close()

    asyncio.run(played())


def test_what_happens_at_once_is_told_together(tmp_path: Path) -> None:
    async def scene(rooms: Rooms) -> None:
        room = rooms.open(NewTable("fu-bacc"))
        client = joined(rooms, room, ANN)
        await told(client)
        for guest, spot in SPOTS.items():
            does(room, guest, "sit", spot=spot, stack=100_00)
            rooms.tell(room)
        (state,) = await told(client)
        assert [seat["player"] for seat in state["view"]["seats"][:2]] == ["Ann", "Bob"]

    at_tables(tmp_path, scene)


def test_each_hears_of_the_deal_what_they_may_see_of_it(tmp_path: Path) -> None:
    async def scene(rooms: Rooms) -> None:
        room = rooms.open(NewTable("spanish-poker"))
        for guest, spot in SPOTS.items():
            does(room, guest, "sit", spot=spot, stack=100_00)
        clients = [joined(rooms, room, guest) for guest in (ANN, BOB, Guest("", "Eve"))]
        for client in clients:
            await told(client)
        for guest, spot in SPOTS.items():
            does(room, guest, "wager", spot=spot, wagers={"ante": 10_00})
        for guest in SPOTS:
            does(room, guest, "ready")
        rooms.tell(room)
        open_to = []
        for client in clients:
            (state,) = await told(client)
            hands = [e for e in state["events"] if e["type"] in ("dealt", "turned") and e.get("spot")]
            open_to.append({e["spot"] for e in hands if any(e.get("faces", []))})
        assert open_to == [{1}, {2}, set()]

    at_tables(tmp_path, scene)


def test_of_a_round_that_is_gone_nothing_is_told(tmp_path: Path) -> None:
    async def scene(rooms: Rooms) -> None:
        room = dealt(rooms)
        client = joined(rooms, room, ANN)
        for guest, spot in SPOTS.items():
            does(room, guest, "choose", spot=spot, round=1, name="fold")
        does(room, BOB, "wager", spot=2, wagers={"ante": 10_00})
        does(room, BOB, "ready")
        (state,) = await told(client)
        assert state["view"]["round"] == 2
        assert {event["spot"] for event in state["events"] if "spot" in event} == {2}

    at_tables(tmp_path, scene)


def test_after_a_restart_the_clock_starts_with_the_first_who_comes_back(tmp_path: Path) -> None:
    async def before(rooms: Rooms) -> None:
        dealt(rooms)

    async def after(rooms: Rooms) -> None:
        (room,) = rooms.by_id.values()
        assert room.countdown.purpose is None
        (state,) = await told(joined(rooms, room, ANN))
        assert state["view"]["countdown"]["for"] == "decisions"

    at_tables(tmp_path, before)
    at_tables(tmp_path, after)
