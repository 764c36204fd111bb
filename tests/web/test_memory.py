"""What is over gives its memory back: closed tables, players who left, what tables cost."""

import asyncio
import gc
import tracemalloc
import weakref
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from feltworks.dealing.shoes import CardSource
from feltworks.rules.terms import Terms
from feltworks.web.tables.figures import MOST_KNOWN, EdgeFinder
from feltworks.web.tables.order import NewTable
from feltworks.web.tables.room import Guest, Room
from feltworks.web.tables.storage import TableFolder
from tests.table.stacked import StackedDeck

WAGERS = {
    "fu-bacc": {"ante": 1000, "tie": 500},
    "acey-deucey-21": {"blackjack": 1000, "acey-deucey": 500},
    "lucky-break": {"blackjack": 1000, "lucky-break": 500},
    "spanish-poker": {"ante": 1000, "dos-pares": 500},
    "lucky-lucky": {"blackjack": 1000, "lucky-lucky": 500},
}


DECK = [f"{rank}{suit}" for rank in "62T9583J4QK7A" for suit in "cdhs"]


def same_cards(_: Terms) -> CardSource:
    """The same cards every round: what the rules remember of a hand is known after the first one."""
    return StackedDeck(" ".join(DECK))


def objects_after(act: Callable[[], object], times: int) -> int:
    for _ in range(times):
        act()
    gc.collect()
    return len(gc.get_objects())


def play_round(room: Room, guest: Guest) -> None:
    room.wager(guest, 1, WAGERS[room.new.game], {})
    room.say_ready(guest)
    while room.table.is_running:
        step = room.table.decisions[0]
        name = next(offer.name for offer in step.offers if not offer.most)
        room.choose(guest, 1, room.table.rounds, name, None, step.about)
    room.save()
    room.fresh.clear()  # which clients are told


@pytest.mark.parametrize("game", WAGERS)
def test_rounds_at_an_open_table_leave_nothing_behind(tmp_path: Path, game: str) -> None:
    room, guest = Room("table", NewTable(game), store=TableFolder(tmp_path), source=same_cards), Guest("session", "Ann")
    room.sit(guest, 1, 10**8)

    def act() -> None:
        play_round(room, guest)

    with closing(room):
        before = objects_after(act, 20)
        assert objects_after(act, 100) - before < 100  # less than one object a round


@pytest.mark.parametrize("game", WAGERS)
def test_a_closed_table_gives_its_memory_back(tmp_path: Path, game: str) -> None:
    numbers = iter(range(1000))
    guest = Guest("session", "Ann")
    rooms: list[weakref.ref[Room]] = []

    def act() -> None:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        room = Room("table", NewTable(game), store=TableFolder(folder), source=same_cards)
        with closing(room):
            room.sit(guest, 1, 10**8)
            play_round(room, guest)
        rooms.append(weakref.ref(room))

    before = objects_after(act, 20)
    assert objects_after(act, 30) - before < 150  # a table alone has hundreds
    assert not any(room() for room in rooms)


def test_a_table_with_a_long_log_is_opened_from_its_end(tmp_path: Path) -> None:
    room, guest = Room("table", NewTable("fu-bacc"), store=TableFolder(tmp_path), source=same_cards), Guest("s", "Ann")
    with closing(room):
        room.sit(guest, 1, 10**8)
        play_round(room, guest)
    log = (tmp_path / "log").read_bytes()
    (tmp_path / "log").write_bytes(b'{"n":0}\n' * (1 << 22) + log)  # 32 MB of earlier rounds
    tracemalloc.start()
    with closing(Room("table", NewTable("fu-bacc"), store=TableFolder(tmp_path))) as again:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert again.table.rounds == 1
    assert most < 4 << 20


def test_tables_on_the_same_terms_share_what_the_rules_remember() -> None:
    """A game of blackjack keeps its reading of thousands of hands: once, not at each of a thousand tables."""
    same = [Room(str(number), NewTable("lucky-break", name=f"No. {number}")) for number in range(2)]
    other = Room("other", NewTable("lucky-break", options={"decks": 2}))
    assert same[0].game is same[1].game
    assert other.game is not same[0].game
    assert other.game.terms["decks"] == 2


def test_players_who_left_are_forgotten() -> None:
    room = Room("table", NewTable("fu-bacc"))
    for number in range(50):
        guest = Guest(str(number), f"Ann {number}")
        room.sit(guest, 1, 10_000)
        room.present[f"Ann {number}"] = 1  # a tab of theirs
        room.leave(guest)
    assert not room.present
    assert not room.results


def test_what_tables_cost_is_kept_for_so_many_kinds_of_table(monkeypatch: pytest.MonkeyPatch) -> None:
    async def compute(_: NewTable) -> dict[str, tuple[float, float]]:
        return {"ante": (0.01, 1.0)}

    async def find_all() -> None:
        finder = EdgeFinder()
        monkeypatch.setattr(finder, "_compute", compute)
        for decks in range(1, 9):
            for most in range(1, 5):
                for soft17 in ("hit", "stand"):
                    for double in ("any", "9-11", "10-11"):
                        options = {"decks": decks, "max-hands": most, "soft17": soft17, "double": double}
                        room = Room("table", NewTable("lucky-break", options=options))
                        await finder.find(room)
                        assert room.edges
        assert len(finder._tasks) == MOST_KNOWN
        await finder.close()

    asyncio.run(find_all())
