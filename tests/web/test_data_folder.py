"""The data folder: one server owns it, tables are made whole, and damage to one part leaves the rest open."""

import asyncio
import fcntl
import json
import logging
import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from feltworks.errors import FeltError, LogError, StorageTrouble
from feltworks.table.log import LogFile, check_log, is_over, opening_of, read_lines, rounds
from feltworks.table.replay import replay
from feltworks.web import data_folder
from feltworks.web.data_folder import KEEP_SECONDS, FolderInUse, Notices, hold, prune_closed, session_key
from feltworks.web.tables.messages import read_action
from feltworks.web.tables.order import NewTable
from feltworks.web.tables.room import Guest, Room
from feltworks.web.tables.rooms import NoSuchTable, Rooms
from feltworks.web.tables.router import act
from tests.web.player import Visitor
from tests.web.serving import served
from tests.web.staff import Colleague, hire

ANN = Guest("a", "Ann")
MAIN = {"fu-bacc": "ante", "lucky-break": "blackjack", "spanish-poker": "ante"}
STACK = 100_00


def do(room: Room, kind: str, **said: Any) -> None:
    act(room, ANN, read_action(json.dumps({"id": 1, "type": kind, **said})))
    room.save()


def play(rooms: Rooms, game: str, *, to_end: bool) -> Room:
    """A table with one player, in its first round or after it."""
    room = rooms.open(NewTable(game))
    do(room, "sit", spot=1, stack=STACK)
    do(room, "wager", spot=1, wagers={MAIN[game]: 10_00})
    do(room, "ready")
    while to_end and room.table.decisions:
        step = room.table.decisions[0]
        do(room, "choose", spot=1, round=1, name=step.offers[0].name, about=step.about)
    return room


@pytest.fixture(scope="module")
def folder_of_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six tables: of each game one within its first round and one after it."""
    data = tmp_path_factory.mktemp("tables")

    async def scene() -> None:
        rooms = Rooms(data)
        for game in MAIN:
            play(rooms, game, to_end=False)
            play(rooms, game, to_end=True)
        rooms.close()

    asyncio.run(scene())
    session_key(data)
    return data


@contextmanager
def restored(data: Path) -> Iterator[Rooms]:
    rooms = Rooms(data)
    rooms.restore()
    yield rooms
    rooms.close()


def table_folders(data: Path) -> list[Path]:
    return sorted((data / "tables").iterdir())


# What is kept, and for how long.


def test_a_table_that_is_open_for_long_keeps_its_last_rounds_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feltworks.web.tables.storage.MOST_LOG_BYTES", 4000)

    async def scene() -> None:
        rooms = Rooms(tmp_path)
        room = rooms.open(NewTable("fu-bacc"))
        folder = tmp_path / "tables" / room.id
        do(room, "sit", spot=1, stack=STACK * 1000)
        sizes = []
        for _ in range(20):
            do(room, "wager", spot=1, wagers={"ante": 10_00})
            do(room, "ready")
            while room.table.decisions:
                name = room.table.decisions[0].offers[0].name
                do(room, "choose", spot=1, round=room.table.rounds, name=name)
            sizes.append(sum(path.stat().st_size for path in folder.glob("log*")))
            check_log(folder / "log")
        assert max(sizes) < 16_000 < sum(sizes)
        assert (folder / "log.1").stat().st_mode & 0o777 == 0o600
        rooms.close()

    asyncio.run(scene())
    with restored(tmp_path) as rooms:
        (room,) = rooms.by_id.values()
        assert room.table.rounds == 20


def test_a_long_log_that_stops_right_before_its_next_part_is_gone_on_with(
    tmp_path: Path, folder_of_tables: Path
) -> None:
    data = shutil.copytree(folder_of_tables, tmp_path / "data")
    with restored(data) as rooms:
        before = {id_: (room.table.rounds, room.table.is_running) for id_, room in rooms.by_id.items()}
    for folder in table_folders(data):
        (folder / "log").rename(folder / "log.1")
    with restored(data) as rooms:
        assert {id_: (room.table.rounds, room.table.is_running) for id_, room in rooms.by_id.items()} == before


@pytest.mark.parametrize("part", ["log", "log.1"])
def test_a_change_in_either_part_of_a_log_is_found(tmp_path: Path, folder_of_tables: Path, part: str) -> None:
    logs = [read_lines(folder / "log") for folder in table_folders(folder_of_tables)]
    lines = next(lines for lines in logs if is_over(lines))
    for name in ("log.1", "log"):
        (tmp_path / name).write_bytes(b"\n".join(lines) + b"\n" if name == part else b"")
    assert check_log(tmp_path / "log") == 1
    text = (tmp_path / part).read_bytes()
    (tmp_path / part).write_bytes(text.replace(lines[3] + b"\n", b""))
    with pytest.raises(LogError):
        check_log(tmp_path / "log")


def test_closed_tables_are_deleted_when_they_are_old_and_the_oldest_when_they_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, closed_at in (("oldest", 0), ("old", 1000), ("new", 2000)):
        folder = tmp_path / "closed" / name
        folder.mkdir(parents=True)
        (folder / "log").write_bytes(b"x" * 100)
        os.utime(folder, (closed_at, closed_at))
    prune_closed(tmp_path, KEEP_SECONDS + 500)
    assert {path.name for path in (tmp_path / "closed").iterdir()} == {"old", "new"}
    monkeypatch.setattr(data_folder, "MOST_CLOSED_BYTES", 150)
    prune_closed(tmp_path, 3000)
    assert {path.name for path in (tmp_path / "closed").iterdir()} == {"new"}


# A table is made whole or not at all.


def test_a_refused_order_leaves_nothing_behind(tmp_path: Path) -> None:
    rooms = Rooms(tmp_path)
    with pytest.raises(FeltError):
        rooms.open(NewTable("fu-bacc", limits={"ante": (1, 1)}))
    assert not (tmp_path / "tables").exists() or not table_folders(tmp_path)
    assert not rooms.by_id
    with restored(tmp_path) as again:
        assert (again.by_id, again.notices.all()) == ({}, [])


def test_a_full_disk_refuses_a_new_table_in_a_sentence_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = Rooms(tmp_path)
    monkeypatch.setattr(LogFile, "__call__", _disk_is_full)
    with pytest.raises(StorageTrouble, match="the table cannot be saved: no space left on device"):
        rooms.open(NewTable("fu-bacc"))
    assert (table_folders(tmp_path), rooms.by_id) == ([], {})


def test_on_a_full_disk_kept_tables_open_and_new_ones_are_listed_as_missing(
    tmp_path: Path, folder_of_tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = shutil.copytree(folder_of_tables, tmp_path / "data")
    monkeypatch.setattr(LogFile, "__call__", _disk_is_full)
    monkeypatch.setattr(Path, "write_bytes", _disk_is_full)
    monkeypatch.setattr(Path, "mkdir", _disk_is_full)
    with restored(data) as rooms:
        rooms.open_one_of_each()
        assert sorted(rooms.by_id) == [folder.name for folder in table_folders(data)]
        says = {notice.about: notice.says for notice in rooms.notices.all()}
        assert "no space left" in says["game acey-deucey-21"]


def _disk_is_full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_table_that_a_full_disk_does_not_let_close_stays_open(tmp_path: Path) -> None:
    async def scene() -> None:
        rooms = Rooms(tmp_path)
        room = rooms.open(NewTable("fu-bacc"))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Path, "mkdir", _disk_is_full)
            with pytest.raises(StorageTrouble, match="the table cannot be closed: no space left on device"):
                rooms.shut(room, "nobody used the table")
        do(room, "sit", spot=1, stack=STACK)
        assert rooms.find(room.id) is room
        rooms.shut(room, "nobody used the table")
        assert (rooms.by_id, table_folders(tmp_path)) == ({}, [])
        assert (tmp_path / "closed").stat().st_mode & 0o777 == 0o700

    asyncio.run(scene())


def test_what_a_crash_left_half_made_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "opening" / "0123456789").mkdir(parents=True)
    with restored(tmp_path) as rooms:
        assert (rooms.by_id, rooms.notices.all()) == ({}, [])
    assert not list((tmp_path / "opening").iterdir())


def test_seats_that_a_full_disk_does_not_take_are_written_with_the_next_act(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rooms = Rooms(tmp_path)
    room = rooms.open(NewTable("fu-bacc"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LogFile, "__call__", _disk_is_full)
        do(room, "sit", spot=1, stack=STACK)
    assert f"table {room.id}: its seats cannot be written now: no space left on device" in caplog.text
    do(room, "buy", cents=50_00)
    with restored(tmp_path) as again:
        assert again.by_id[room.id].table.seating.players["Ann"].stack == STACK + 50_00


def test_a_refused_order_does_not_stop_the_next_start(tmp_path: Path) -> None:
    with served(tmp_path) as address:
        visitor = Visitor(address, "Vic")
        answer = visitor.post("/api/tables", game="fu-bacc", limits={"ante": [1, 1]})
        assert (answer.status_code, answer.json()["kind"]) == (400, "BadOption")
        visitor.close()
    with served(tmp_path) as address:
        assert httpx.get(f"http://{address}/healthz").status_code == 200


def test_a_folder_of_tables_that_cannot_be_read_leaves_the_server_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tables").mkdir()
    monkeypatch.setattr(Path, "iterdir", _disk_is_full)
    rooms = Rooms(tmp_path)
    rooms.restore()
    assert [notice.about for notice in rooms.notices.all()] == ["tables"]


# One damaged table is set aside, and the others open.


def _garbage_in_the_log(folder: Path) -> None:
    with (folder / "log").open("ab") as log:
        log.write(b"\0\0 nonsense \xff\n")


def _garbage_in_the_seats(folder: Path) -> None:
    with (folder / "seats").open("ab") as seats:
        seats.write(b"\0\0\0\n")


def _no_order(folder: Path) -> None:
    (folder / "order.json").unlink()


def _torn_order(folder: Path) -> None:
    (folder / "order.json").write_bytes(b'{"game":"fu-ba')


def _unknown_game(folder: Path) -> None:
    (folder / "order.json").write_bytes(b'{"game":"whist"}')


def _no_seats(folder: Path) -> None:
    (folder / "seats").write_bytes(b"")


def _no_log(folder: Path) -> None:
    (folder / "log").write_bytes(b"")


def _empty_folder(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def _stray_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("a note that somebody left", encoding="utf-8")


def _folder_for_a_log(folder: Path) -> None:
    (folder / "log").unlink()
    (folder / "log").mkdir()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (_garbage_in_the_log, "of the log is damaged"),
        (_garbage_in_the_seats, "its file seats is damaged"),
        (_no_order, "order.json: no such file"),
        (_torn_order, "its file order.json is damaged"),
        (_unknown_game, "there is no game 'whist'"),
        (_no_seats, "its file seats is empty, though its log has rounds"),
        (_no_log, "its log ends before round 1"),
        (_empty_folder, "order.json: no such file"),
        (_stray_file, "is not the folder of a table"),
        (_folder_for_a_log, "log: is a directory"),
    ],
)
def test_a_damaged_table_is_set_aside_with_a_sentence_and_the_rest_opens(
    damage: Callable[[Path], None],
    words: str,
    folder_of_tables: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    data = shutil.copytree(folder_of_tables, tmp_path / "data")
    folders = table_folders(data)
    hurt = next(folder for folder in folders if _last_kept(folder)["round"] == 1)
    damage(hurt)
    with caplog.at_level(logging.WARNING), restored(data) as rooms:
        assert set(rooms.by_id) == {folder.name for folder in folders} - {hurt.name}
        (notice,) = rooms.notices.all()
        assert notice.about == f"table {hurt.name}"
        assert words in notice.says.lower()
        assert words in caplog.text.lower()
        with pytest.raises(NoSuchTable, match="could not be opened"):
            rooms.find(hurt.name)
    assert hurt.exists()  # it stays for whoever can mend it


def _last_kept(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "seats").read_bytes().splitlines()[-1])
    return found


FIFTY = range(50)


def _damage(data: Path, whole: set[str], chance: random.Random) -> set[str]:
    """Damage a data folder in one random way; the names of the tables that are hurt."""
    folder = data / "tables" / chance.choice(sorted(whole))
    name = chance.choice(["log", "seats", "order.json", "log.seed"])
    text = (folder / name).read_bytes()
    at = chance.randrange(len(text))
    match chance.randrange(10):
        case 0:
            (folder / name).write_bytes(text[:at] + bytes([text[at] ^ 1 << chance.randrange(8)]) + text[at + 1 :])
        case 1:
            (folder / name).write_bytes(text[:at])
        case 2:
            (folder / name).write_bytes(text + chance.randbytes(40) + b"\n")
        case 3:
            (folder / name).write_bytes(text + b"\0" * 512 + b"\n")
        case 4:
            (folder / name).unlink()
        case 5:
            (folder / name).write_bytes(chance.randbytes(len(text)))
        case 6:
            (data / "tables" / f"stray {at}").write_bytes(chance.randbytes(at % 9))
            return set()
        case 7:
            (data / "tables" / f"empty{at}").mkdir()
            return set()
        case 8:
            (data / "session.key").write_bytes(chance.randbytes(chance.randrange(32)))
            return set()
        case _:
            _empty_folder(folder)
    return {folder.name}


@pytest.mark.parametrize("seed", FIFTY)
def test_whatever_is_damaged_every_undamaged_table_opens(seed: int, folder_of_tables: Path, tmp_path: Path) -> None:
    data = shutil.copytree(folder_of_tables, tmp_path / "data")
    before = {folder.name: _last_kept(folder) for folder in table_folders(data)}
    whole, chance = set(before), random.Random(seed)
    for _ in range(chance.randint(1, 3)):
        whole -= _damage(data, whole, chance)
    assert len(session_key(data)) == data_folder.KEY_BYTES
    with restored(data) as rooms:
        assert whole <= set(rooms.by_id)
        for name in whole:
            table, kept = rooms.by_id[name].table, before[name]
            assert table.seating.players["Ann"].stack == kept["members"][0]["stack"]
            assert table.is_running == (kept["round"] == 0)
            assert table.rounds == 1


def test_a_server_on_a_damaged_folder_is_up_and_tells_the_staff(folder_of_tables: Path, tmp_path: Path) -> None:
    data = shutil.copytree(folder_of_tables, tmp_path / "data")
    hurt, *whole = table_folders(data)
    _no_order(hurt)
    (data / "session.key").write_bytes(b"short")
    hire(data)
    with served(data) as address:
        visitor = Visitor(address, "Vic")
        assert visitor.http.get("/healthz").status_code == 200
        assert {folder.name for folder in whole} <= {t["id"] for t in visitor.http.get("/api/tables").json()}
        assert visitor.http.get("/api/house/notices").status_code == 401
        visitor.close()
        colleague = Colleague(address, "Ines")
        colleague.logs_in("ines")
        notices = {notice["about"]: notice["says"] for notice in colleague.asks("notices")}
        colleague.close()
    assert set(notices) == {f"table {hurt.name}", "session.key"}
    assert "order.json" in notices[f"table {hurt.name}"]


def test_damaged_books_of_the_folder_leave_the_tables_open(tmp_path: Path) -> None:
    (tmp_path / "house.sqlite").write_bytes(b"this is no database at all" * 100)
    with served(tmp_path) as address:
        visitor = Visitor(address, "Vic")
        assert visitor.http.get("/api/tables").json()
        answer = visitor.post("/api/house/login", name="ines", password="correct horse ines")
        assert answer.status_code == 503
        visitor.close()


# No table holds a file handle while nobody plays.


def test_a_table_between_rounds_holds_no_file_handle(tmp_path: Path) -> None:
    async def scene() -> None:
        before = _open_handles(tmp_path)
        rooms = Rooms(tmp_path)
        room = play(rooms, "fu-bacc", to_end=True)
        for _ in range(20):
            rooms.open(NewTable("fu-bacc"))
        assert _open_handles(tmp_path) == before == []
        do(room, "wager", spot=1, wagers={"ante": 10_00})
        do(room, "ready")
        assert _open_handles(tmp_path) == ["log"]
        rooms.close()
        assert _open_handles(tmp_path) == []

    asyncio.run(scene())


def _open_handles(data: Path) -> list[str]:
    """The names of the files under a folder that this process has open."""
    paths = [path.resolve() for path in Path("/proc/self/fd").iterdir() if path.is_symlink()]
    return sorted(path.name for path in paths if path.is_relative_to(data.resolve()))


# The key that seals sessions.


def test_a_session_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    key = session_key(tmp_path)
    assert session_key(tmp_path) == key
    assert (len(key), (tmp_path / "session.key").stat().st_mode & 0o777) == (32, 0o600)


@pytest.mark.parametrize("text", [b"", b"short", b"x" * 33])
def test_a_damaged_session_key_is_put_beside_a_new_one(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "session.key").write_bytes(text)
    notices = Notices()
    key = session_key(tmp_path, notices)
    assert len(key) == data_folder.KEY_BYTES
    assert session_key(tmp_path) == key
    assert (tmp_path / "session.key.damaged").read_bytes() == text
    (notice,) = notices.all()
    assert "visitors begin new sessions" in notice.says


# One server a folder.


def test_a_folder_is_held_by_one_server_at_a_time(tmp_path: Path) -> None:
    data, in_use = tmp_path / "data", "data is in use by another server; stop that one or name another folder"
    with hold(data), pytest.raises(FolderInUse, match=in_use), hold(data):
        pass
    with hold(data):
        pass


def test_where_a_folder_cannot_be_locked_the_server_starts_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with hold(tmp_path):
        assert "cannot be locked (no locks available)" in caplog.text


# What a full disk or a lost seed interrupts.


@pytest.mark.parametrize("game", MAIN)
def test_a_round_whose_seed_is_damaged_is_void_and_every_wager_returned(game: str, tmp_path: Path) -> None:
    async def scene() -> None:
        rooms = Rooms(tmp_path)
        room = play(rooms, game, to_end=False)
        while not room.table.is_running:  # a natural ends the round at once
            rooms.shut(room, "nothing is left to interrupt")
            room = play(rooms, game, to_end=False)
        rooms.close()
        (tmp_path / "tables" / room.id / "log.seed").write_bytes(b"\0" * 40)
        with restored(tmp_path) as again:
            (notice,) = again.notices.all()
            assert notice.says.startswith("round 1 is void, and every wager was returned")
            table = again.find(room.id).table
            assert (table.is_running, table.rounds, table.total) == (False, 1, room.table.total)
            assert table.seating.players["Ann"].stack == STACK
            do(again.by_id[room.id], "wager", spot=1, wagers={MAIN[game]: 10_00})
            do(again.by_id[room.id], "ready")
        first, second = rounds(read_lines(tmp_path / "tables" / room.id / "log"))
        assert replay(first).lines == ()
        assert opening_of(second).round == 2

    asyncio.run(scene())


def test_a_finished_round_keeps_its_result_though_seats_and_seed_were_lost(tmp_path: Path) -> None:
    async def scene() -> None:
        rooms = Rooms(tmp_path)
        room = play(rooms, "fu-bacc", to_end=False)
        before = (tmp_path / "tables" / room.id / "seats").read_bytes()
        do(room, "choose", spot=1, round=1, name="fold")
        (tmp_path / "tables" / room.id / "seats").write_bytes(before)  # the power failed before they were saved
        (tmp_path / "tables" / room.id / "log.seed").unlink()
        with restored(tmp_path) as again:
            table = again.find(room.id).table
            assert (table.rounds, table.house) == (1, room.table.house)
            assert table.seating.players["Ann"].stack == room.table.seating.players["Ann"].stack

    asyncio.run(scene())


@pytest.mark.parametrize("game", MAIN)
@pytest.mark.parametrize("lines", range(1, 12, 2))
def test_a_round_that_a_full_disk_stopped_goes_on_once_there_is_room(game: str, lines: int, tmp_path: Path) -> None:
    whole = LogFile.__call__

    def takes_some(file: LogFile, line: bytes) -> None:
        nonlocal lines
        if not lines:
            _disk_is_full()
        lines -= 1
        whole(file, line)

    async def scene() -> None:
        rooms = Rooms(tmp_path)
        room = rooms.open(NewTable(game))
        do(room, "sit", spot=1, stack=STACK)
        do(room, "wager", spot=1, wagers={MAIN[game]: 10_00})
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(LogFile, "__call__", takes_some)
            with suppress(FeltError):
                do(room, "ready")
                while room.table.decisions:
                    _choose_first(room)
            rooms.tidy()  # the disk is still full
        rooms.tidy()
        assert not room.is_stalled
        if not room.table.rounds:
            do(room, "ready")
        while room.table.decisions:
            _choose_first(room)
        (first,) = rounds(read_lines(tmp_path / "tables" / room.id / "log"))
        assert replay(first).table.seating.players["Ann"].stack == room.table.seating.players["Ann"].stack
        assert room.table.total == STACK + sum(room.table.house.meters.values())

    asyncio.run(scene())


def _choose_first(room: Room) -> None:
    step = room.table.decisions[0]
    do(room, "choose", spot=1, round=1, name=step.offers[0].name, about=step.about)


def test_a_changed_line_of_the_last_round_is_found_by_its_seal(folder_of_tables: Path, tmp_path: Path) -> None:
    data = shutil.copytree(folder_of_tables, tmp_path / "data")
    hurt = next(folder for folder in table_folders(data) if _last_kept(folder)["round"] == 1)
    log = (hurt / "log").read_bytes()
    (hurt / "log").write_bytes(log.replace(b'"player":"Ann"', b'"player":"Eve"', 1))
    with restored(data) as rooms:
        assert [notice.about for notice in rooms.notices.all()] == [f"table {hurt.name}"]


def test_what_a_table_wrote_is_confirmed_by_the_disk(tmp_path: Path) -> None:
    async def scene() -> None:
        rooms = Rooms(tmp_path)
        room = play(rooms, "fu-bacc", to_end=False)
        assert {path.name for path in rooms.take_unsynced()} == {"log", "log.seed", "seats"}
        assert rooms.take_unsynced() == []
        do(room, "choose", spot=1, round=1, name="fold")
        synced: list[str] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "fsync", lambda handle: synced.append(os.readlink(f"/proc/self/fd/{handle}")))
            await rooms.keep_tidy()
            assert rooms._syncing is not None
            await rooms._syncing
        assert {Path(path).name for path in synced} >= {"log", "seats"}
        rooms.close()

    asyncio.run(scene())
