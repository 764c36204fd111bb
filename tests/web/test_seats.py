"""Seats come free: after a hand, after an absence, through a restart; tables that nobody uses close."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from feltworks.web.tables import router
from feltworks.web.tables.clock import Times
from feltworks.web.tables.figures import Coach
from feltworks.web.tables.messages import read_action
from feltworks.web.tables.order import NewTable
from feltworks.web.tables.room import Guest, Room
from feltworks.web.tables.rooms import CLOSED, Client, Rooms
from feltworks.web.tables.router import act, tables

ANN, BOB = Guest("a", "Ann"), Guest("b", "Bob")
TIMES = Times(away=100.0, shown=10.0, unused=1000.0, unused_private=5000.0)


class Clock:
    """The time of day as a test sets it."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class House:
    """The tables of one server, with the hands of the clock in a test's hand."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.clock = clock
        self.rooms = Rooms(folder, times=TIMES, clock=clock)
        self.rooms.restore()

    def passes(self, seconds: float) -> None:
        self.clock.now += seconds
        self.rooms.tidy()

    def joins(self, room: Room, guest: Guest) -> Client:
        client = Client(guest)
        self.rooms.join(room, client)
        return client

    def sits(self, room: Room, guest: Guest, spot: int) -> Client:
        client = self.joins(room, guest)
        does(room, guest, "sit", spot=spot, stack=100_00)
        self.rooms.count_tabs(room, guest)
        return client


def does(room: Room, guest: Guest, kind: str, **said: Any) -> None:
    act(room, guest, read_action(json.dumps({"id": 1, "type": kind, **said})))
    room.save()


def deals(room: Room, *seats: tuple[Guest, int]) -> None:
    for guest, spot in seats:
        does(room, guest, "wager", spot=spot, wagers={"ante": 10_00})
    for guest, _ in seats:
        does(room, guest, "ready")


def folds(room: Room, guest: Guest, spot: int) -> None:
    does(room, guest, "choose", spot=spot, round=room.table.rounds, name="fold")


def seated(room: Room) -> list[str]:
    return sorted(room.table.seating.players)


def at_house(folder: Path, clock: Clock, scene: Callable[[House], Awaitable[None]]) -> None:
    async def played() -> None:
        house = House(folder, clock)
        try:
            await scene(house)
        finally:
            house.rooms.close()

    asyncio.run(played())


def test_a_player_leaves_after_this_hand_and_sees_its_end(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        house.sits(room, ANN, 3)
        deals(room, (ANN, 3))
        does(room, ANN, "leave", after_hand=True)
        house.passes(5)
        assert seated(room) == ["Ann"]  # the hand is played to its end
        folds(room, ANN, 3)
        house.passes(5)
        assert seated(room) == ["Ann"]  # and is looked at
        house.passes(5)
        assert seated(room) == []
        assert room.player_of(ANN) is None

    at_house(tmp_path, Clock(), scene)


def test_a_player_may_think_better_of_leaving(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        house.sits(room, ANN, 3)
        deals(room, (ANN, 3))
        does(room, ANN, "leave", after_hand=True)
        does(room, ANN, "stay")
        folds(room, ANN, 3)
        house.passes(50)
        assert seated(room) == ["Ann"]

    at_house(tmp_path, Clock(), scene)


def test_between_rounds_leaving_after_this_hand_is_leaving_now(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        house.sits(room, ANN, 3)
        does(room, ANN, "leave", after_hand=True)
        assert seated(room) == []

    at_house(tmp_path, Clock(), scene)


def test_the_next_deal_does_not_wait_for_somebody_who_leaves(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        house.sits(room, ANN, 3)
        house.sits(room, BOB, 4)
        deals(room, (ANN, 3), (BOB, 4))
        does(room, ANN, "leave", after_hand=True)
        folds(room, ANN, 3)
        folds(room, BOB, 4)
        deals(room, (BOB, 4))
        assert seated(room) == ["Bob"]
        assert room.table.is_running

    at_house(tmp_path, Clock(), scene)


def test_the_seat_of_a_player_who_is_away_comes_free_with_the_wagers_taken_back(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        tab = house.sits(room, ANN, 3)
        house.sits(room, BOB, 4)
        does(room, ANN, "wager", spot=3, wagers={"ante": 10_00})
        house.rooms.part(room, tab)
        house.passes(99)
        assert seated(room) == ["Ann", "Bob"]
        house.passes(1)
        assert seated(room) == ["Bob"]
        assert not room.table.seating.down
        assert room.countdown.purpose is None

    at_house(tmp_path, Clock(), scene)


def test_whoever_comes_back_in_time_keeps_the_seat(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        tab = house.sits(room, ANN, 3)
        house.rooms.part(room, tab)
        house.passes(99)
        house.joins(room, ANN)
        house.passes(500)
        assert seated(room) == ["Ann"]

    at_house(tmp_path, Clock(), scene)


def test_a_lone_player_who_left_within_a_round_does_not_block_a_public_table(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        tab = house.sits(room, ANN, 3)
        deals(room, (ANN, 3))
        assert room.countdown.purpose is None  # alone one may think as long as one likes
        house.rooms.part(room, tab)
        assert room.countdown.purpose == "decisions"
        tab = house.joins(room, ANN)
        assert room.countdown.purpose is None
        house.rooms.part(room, tab)
        house.passes(100)
        assert not room.table.is_running
        assert room.table.round is not None
        (choice,) = room.table.round.seats[0].choices
        assert not choice.cents  # nothing more was put on
        assert seated(room) == []

    at_house(tmp_path, Clock(), scene)


def test_the_clock_answers_every_decision_of_somebody_who_left(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        room = house.rooms.open(NewTable("acey-deucey-21"))
        tab = house.sits(room, ANN, 3)
        while not room.table.is_running:
            does(room, ANN, "wager", spot=3, wagers={"blackjack": 10_00, "acey-deucey": 10_00})
            does(room, ANN, "ready")
        house.rooms.part(room, tab)
        room.turns.answer_open_decisions()
        assert not room.table.is_running

    at_house(tmp_path, Clock(), scene)


def test_a_seat_comes_free_also_when_the_server_stopped_in_between(tmp_path: Path) -> None:
    clock = Clock()

    async def before(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        house.sits(room, ANN, 3)
        tab = house.sits(room, BOB, 4)
        house.rooms.part(room, tab)
        house.passes(50)

    async def after(house: House) -> None:
        (room,) = house.rooms.by_id.values()
        assert seated(room) == ["Ann", "Bob"]
        house.passes(50)
        assert seated(room) == ["Ann"]  # Bob had gone before; Ann's time began with the restart
        house.passes(50)
        assert seated(room) == []

    at_house(tmp_path, clock, before)
    at_house(tmp_path, clock, after)


def test_after_a_long_stop_everybody_has_a_moment_to_come_back(tmp_path: Path) -> None:
    clock = Clock()

    async def before(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        house.rooms.part(room, house.sits(room, ANN, 3))

    async def after(house: House) -> None:
        (room,) = house.rooms.by_id.values()
        house.passes(1)
        assert seated(room) == ["Ann"]
        house.passes(29)
        assert seated(room) == []

    at_house(tmp_path, clock, before)
    clock.now += 90_000
    at_house(tmp_path, clock, after)


def test_a_round_that_a_restart_interrupted_ends_though_nobody_comes_back(tmp_path: Path) -> None:
    clock = Clock()

    async def before(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        house.sits(room, ANN, 3)
        deals(room, (ANN, 3))

    async def after(house: House) -> None:
        (room,) = house.rooms.by_id.values()
        assert room.table.is_running
        house.passes(100)
        assert not room.table.is_running
        assert seated(room) == []

    at_house(tmp_path, clock, before)
    at_house(tmp_path, clock, after)


def test_at_a_private_table_a_seat_is_kept_while_nobody_else_sits_there(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc", private=True))
        tab = house.sits(room, ANN, 3)
        house.rooms.part(room, tab)
        house.passes(4000)
        assert seated(room) == ["Ann"]
        house.sits(room, BOB, 4)
        house.passes(1)
        assert seated(room) == ["Bob"]

    at_house(tmp_path, Clock(), scene)


def test_a_guests_table_that_nobody_uses_closes_and_the_houses_own_never_does(tmp_path: Path) -> None:
    clock = Clock()

    async def scene(house: House) -> None:
        house.rooms.open_one_of_each()
        own = set(house.rooms.by_id)
        guests = house.rooms.open(NewTable("fu-bacc"))
        watched = house.rooms.open(NewTable("fu-bacc", name="watched"))
        private = house.rooms.open(NewTable("fu-bacc", private=True))
        watcher = house.joins(watched, BOB)
        house.rooms.part(guests, house.joins(guests, ANN))
        house.passes(999)
        assert guests.id in house.rooms.by_id
        house.passes(1)
        assert house.rooms.by_id.keys() == {*own, watched.id, private.id}
        house.rooms.part(watched, watcher)
        house.passes(3999)
        assert house.rooms.by_id.keys() == {*own, private.id}
        house.passes(1)
        assert house.rooms.by_id.keys() == own

    async def again(house: House) -> None:
        found = set(house.rooms.by_id)
        house.rooms.open_one_of_each()
        house.passes(10_000)
        assert house.rooms.by_id.keys() == found
        assert len(found) == 5

    at_house(tmp_path, clock, scene)
    at_house(tmp_path, clock, again)


def test_the_lobby_tells_how_many_seats_are_free_and_whose_players_are_away(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        tab = house.sits(room, ANN, 3)
        house.sits(room, BOB, 4)
        house.rooms.part(room, tab)
        assert listed(house) == (room.table.seating.spots, 2, 1, 100)
        house.passes(100)
        assert listed(house) == (room.table.seating.spots, 1, 0, 100)

    def listed(house: House) -> tuple[int, ...]:
        (listing,) = tables.fn(type("State", (), {"rooms": house.rooms}))
        return listing.seats, listing.taken, listing.away, listing.seat_kept

    at_house(tmp_path, Clock(), scene)


def test_a_closed_table_returns_the_wagers_keeps_its_log_and_dismisses_everybody(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        room = house.rooms.open(NewTable("fu-bacc"))
        tab = house.sits(room, ANN, 3)
        deals(room, (ANN, 3))
        house.rooms.shut(room, "a card was seen")
        assert room.id not in house.rooms.by_id
        assert room.table.seating.players["Ann"].stack == 100_00
        assert tab.farewell == CLOSED
        coaching = router.CoachQuestions(Coach(), room, tab)
        router._carry_out(house.rooms, room, tab, coaching, '{"id": 9, "type": "leave"}')  # sent before its page knew
        assert "Ann" in room.table.seating.players
        house.rooms.part(room, tab)  # its page is told to go, and goes
        house.rooms.notify(room)
        await asyncio.sleep(0)
        log = (tmp_path / "closed" / room.id / "log").read_text()
        assert '"a card was seen"' in log.splitlines()[-1]
        note = json.loads((tmp_path / "closed" / room.id / "closed.json").read_text())
        assert note == {"because": "a card was seen", "at": house.clock.now, "voided": 1}

    async def after(house: House) -> None:
        assert not house.rooms.by_id

    clock = Clock()
    at_house(tmp_path, clock, scene)
    at_house(tmp_path, clock, after)
