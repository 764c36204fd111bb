"""Tables and their clients without a wire: what is told when, and what a table takes up after a restart."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from feltworks import catalog
from feltworks.cards import Card
from feltworks.dealing.seed import verify
from feltworks.dealing.shoes import SingleDeck
from feltworks.web.tables.figures import UsedShoe
from feltworks.web.tables.messages import read_action
from feltworks.web.tables.order import NewTable
from feltworks.web.tables.room import Guest, Room
from feltworks.web.tables.rooms import MOST_WAITING, Client, Rooms
from feltworks.web.tables.router import act
from tests.dealing import outsider

ANN, BOB, EVE = Guest("a", "Ann"), Guest("b", "Bob"), Guest("e", "Eve")
SPOTS = {ANN: 1, BOB: 2}


def does(room: Room, guest: Guest, kind: str, **said: Any) -> None:
    act(room, guest, read_action(json.dumps({"id": 1, "type": kind, **said})))
    room.save()


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
            rooms.notify(room)
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
        rooms.notify(room)
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
        room.deal()
        (state,) = await told(client)
        assert state["view"]["round"] == 2
        assert {event["spot"] for event in state["events"] if "spot" in event} == {2}

    at_tables(tmp_path, scene)


def test_the_next_round_waits_for_who_still_looks_at_the_last_one(tmp_path: Path) -> None:
    async def scene(rooms: Rooms) -> None:
        room = dealt(rooms)
        client = joined(rooms, room, ANN)
        for guest, spot in SPOTS.items():
            does(room, guest, "choose", spot=spot, round=1, name="fold")
        does(room, BOB, "wager", spot=2, wagers={"ante": 10_00})
        does(room, BOB, "ready")
        assert (room.table.rounds, room.countdown.purpose) == (1, "wagers")  # Ann has the clock's time
        rooms.part(room, client)
        does(room, BOB, "ready")
        assert room.table.rounds == 2  # and nobody waits for who is away

    at_tables(tmp_path, scene)


def test_whoever_sits_down_sees_a_clean_felt_and_others_still_see_the_round(tmp_path: Path) -> None:
    async def scene(rooms: Rooms) -> None:
        room = dealt(rooms)
        ann, eve = joined(rooms, room, ANN), joined(rooms, room, EVE)
        for guest, spot in SPOTS.items():
            does(room, guest, "choose", spot=spot, round=1, name="fold")
        does(room, BOB, "leave")
        does(room, EVE, "sit", spot=2, stack=100_00)
        rooms.notify(room)
        view = (await told(eve))[-1]["view"]
        assert (view["round"], view["lines"], view["dealer"]["cards"], view["says"]) == (None, [], [], None)
        assert not any(seat.get("cards") for seat in view["seats"])
        view = (await told(ann))[-1]["view"]
        assert [bool(seat.get("cards")) for seat in view["seats"][:2]] == [True, False]
        assert (view["round"], len(view["dealer"]["cards"])) == (1, 3)
        does(room, ANN, "leave")
        rooms.notify(room)
        view = (await told(ann))[-1]["view"]
        assert (view["round"], view["dealer"]["cards"]) == (None, [])  # nobody of that round sits any more

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


def test_a_shoe_that_a_restart_ends_is_opened_and_a_new_one_is_dealt_from(tmp_path: Path) -> None:
    sealed: list[str] = []

    async def before(rooms: Rooms) -> None:
        room = rooms.open(NewTable("lucky-break"))
        does(room, ANN, "sit", spot=1, stack=100_00)
        does(room, ANN, "wager", spot=1, wagers={"blackjack": 10_00})
        does(room, ANN, "ready")
        while room.table.decisions:
            offered = room.table.decisions[0].offers[0].name
            does(room, ANN, "choose", spot=1, round=1, name=offered, about=room.table.decisions[0].about)
        proof = room.fair_deal.proof(room.table)
        assert (proof.seed, proof.verified) == (None, None)  # the shoe goes on
        sealed.append(proof.commitment.digest)

    async def nothing(_: Rooms) -> None:
        pass

    async def after(rooms: Rooms) -> None:
        (room,) = rooms.by_id.values()
        proof = room.fair_deal.proof(room.table)
        assert (proof.round, proof.commitment.digest, proof.verified) == (1, sealed[0], True)
        (state,) = await told(joined(rooms, room, ANN))
        assert (state["view"]["commitment"], state["view"]["reveal"]) == (sealed[0], proof.seed)
        does(room, ANN, "wager", spot=1, wagers={"blackjack": 10_00})
        does(room, ANN, "ready")
        new = room.fair_deal.commitment(room.table)
        assert new is not None
        assert new.digest != sealed[0]

        (line,) = (tmp_path / "tables" / room.id / "revealed").read_bytes().splitlines()
        kept = msgspec.json.decode(line, type=UsedShoe)
        assert verify(kept.commitment, kept.seed, room.game.terms.shoe)

    at_tables(tmp_path, before)
    at_tables(tmp_path, nothing)  # stopped and started again: the seed is put down once
    at_tables(tmp_path, after)


def test_a_newcomer_finds_a_table_of_every_game_and_a_jackpot_that_rises() -> None:
    rooms = Rooms()
    rooms.open_one_of_each()
    open_ = {room.new.game: room for room in rooms.by_id.values()}
    assert set(open_) == set(catalog.games())
    assert all(not room.game.terms.deviations for room in open_.values())
    assert list(open_["spanish-poker"].table.house.meters) == ["jackpot"]


def test_games_of_ones_own_that_are_broken_or_unlawful_leave_the_others_their_tables(
    casino_war: Path, tmp_path: Path
) -> None:
    fourth = """
[wager.{0}]
title = "{0}"
kind = "bonus"
clause = "CW.5"
leave_out = "allowed"

[pay_table.{0}.1]
clause = "CW.5"
pays = {{ "tie" = "10 to 1", "no tie" = "lose" }}
"""
    names = ("tie-2", "tie-3")
    book = (casino_war / "casino-war.toml").read_text(encoding="utf-8")
    four = book.replace('["ante", "tie"]', '["ante", "tie", "tie-2", "tie-3"]')
    (casino_war / "casino-war.toml").write_text(four + "".join(map(fourth.format, names)), encoding="utf-8")
    rules = (casino_war / "casino_war.py").read_text(encoding="utf-8")
    more = "".join(f'\n\nclass More{n[-1]}(Tie):\n    name = "{n}"\n' for n in names)
    at = rules.index("class CasinoWar(")
    rules = rules[:at] + more.strip() + "\n\n\n" + rules[at:]
    rules = rules.replace("(Ante, Raise, Tie)", "(Ante, Raise, Tie, More2, More3)")
    (casino_war / "casino_war.py").write_text(rules, encoding="utf-8")
    (casino_war / "broken.toml").write_text(book.replace('"casino_war"', '"broken"'), encoding="utf-8")
    (casino_war / "broken.py").write_text("def", encoding="utf-8")

    rooms = Rooms(tmp_path / "data")
    rooms.restore()
    rooms.open_one_of_each()
    says = {notice.about: notice.says for notice in rooms.notices.all()}
    assert {room.new.game for room in rooms.by_id.values()} == set(catalog.games()) - {"casino-war"}
    assert says.keys() == {"rulebook broken", "game casino-war"}
    assert "broken.py: line 1" in says["rulebook broken"]
    assert "4 games take more than $5 (Ante, Tie, tie-2, tie-3); 3 are allowed" in says["game casino-war"]


class CheatingDeck(SingleDeck):
    """Commits to a deck and deals another one."""

    def deal(self, count: int) -> tuple[Card, ...]:
        super().deal(count)
        return self.shoe.all_cards()[:count]


def test_a_server_that_deals_other_cards_than_it_committed_to_is_not_verified(tmp_path: Path) -> None:
    async def scene() -> None:
        for source, is_honest in ((SingleDeck, True), (CheatingDeck, False)):
            rooms = Rooms(tmp_path / source.__name__, lambda terms, source=source: source(terms.shoe))
            room = rooms.open(NewTable("fu-bacc"))
            (state,) = await told(joined(rooms, room, ANN))
            does(room, ANN, "sit", spot=1, stack=100_00)
            does(room, ANN, "wager", spot=1, wagers={"ante": 10_00}, cut="c0ffee")
            does(room, ANN, "ready")
            while room.table.decisions:
                does(room, ANN, "choose", spot=1, round=1, name="fold")
            proof = room.fair_deal.proof(room.table)
            assert proof.commitment.digest == state["view"]["sealed"]  # sent before any wager
            assert proof.commitment.cuts == ("c0ffee",)
            assert proof.verified is is_honest
            assert is_honest == _is_proved(json.loads(msgspec.json.encode(proof)))
            assert proof.next is not None
            assert proof.next.digest != proof.commitment.digest
            rooms.close()

    asyncio.run(scene())


def _is_proved(proof: dict[str, Any]) -> bool:
    """The verifier of docs/explanation/dealing.md: published data alone, none of our code."""
    sealed, seed = proof["commitment"], proof["seed"]
    mode = "test" if sealed["seeded"] else "live"
    digest = outsider.commitment(bytes.fromhex(seed), proof["composition"], sealed["shoe_number"], mode)
    cuts = "".join(f"cut {text}\n" for text in sealed.get("cuts", ()))
    key = sha256(f"feltworks cut v1\nseed {seed}\n{cuts}".encode()).digest() if cuts else bytes.fromhex(seed)
    pairs = [entry.split(":") for entry in proof["composition"].split()]
    order = outsider.order(key, [card for card, number in pairs for _ in range(int(number))])
    are_dealt = all(order[card["position"]] == card["card"] for card in proof["dealt"])
    return digest == sealed["digest"] and are_dealt and bool(proof["dealt"])


def test_a_client_that_does_not_read_is_sent_the_newest_state_and_no_queue_without_end() -> None:
    client = Client(ANN)
    for number in range(10_000):
        client.send(str(number).encode())
        assert len(client.outbox) <= MOST_WAITING + 1
    assert client.outbox[-1] == b"9999"


def test_a_client_whose_messages_are_refused_without_end_still_gets_the_newest_state() -> None:
    client = Client(ANN)
    client.send(b"older state", is_state=True)
    client.send(b"newest state", is_state=True)
    for number in range(10_000):
        client.send(f"refusal {number}".encode())
        assert len(client.outbox) <= MOST_WAITING + 2
        assert b"newest state" in client.outbox
    assert client.outbox[-1] == b"refusal 9999"


def test_any_number_of_guests_of_one_name_sit_under_different_names() -> None:
    room = Room("table", NewTable("fu-bacc"))
    names = []
    for spot in range(1, room.table.seating.spots + 1):
        guest = Guest(f"session {spot}", "Ann")
        does(room, guest, "sit", spot=spot, stack=100_00)
        names.append(room.player_of(guest))
    assert names == ["Ann", *(f"Ann {number}" for number in range(2, room.table.seating.spots + 1))]
    does(room, Guest("session 2", "Ann"), "leave")
    does(room, Guest("another", "Ann"), "sit", spot=2, stack=100_00)
    assert room.player_of(Guest("another", "Ann")) == "Ann 2"
