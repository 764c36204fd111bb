"""Several processes and one database: a table is open in one of them, and goes on in another when that dies."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import psycopg
import pytest
import uvloop
from websockets.exceptions import ConnectionClosed, WebSocketException

from feltworks.cli.main import main
from feltworks.house.storage.migration import open_database
from feltworks.table.log import entries
from feltworks.web.data_folder import KEEP_SECONDS, ClosingNote
from feltworks.web.doctor import Installation, examine
from feltworks.web.tables import processes
from feltworks.web.tables.order import NewTable, SavedOrder
from feltworks.web.tables.processes import Relay, SharedRooms
from feltworks.web.tables.rooms import NoSuchTable
from feltworks.web.tables.router import describe, live
from feltworks.web.tables.shared import MOST_LINES, SavedRow, SharedTables, TableRows
from tests.house import floor
from tests.house.servers import postgresql
from tests.web.player import Tab, Visitor
from tests.web.serving import free_port

FELT = [sys.executable, "-c", "from feltworks.cli.main import run; run()", "serve"]
SECONDS_TO_COME_BACK = 5.0


class House:
    """Two server processes behind one port, and the database that they share."""

    def __init__(self, url: str, port: int, supervisor: subprocess.Popen[bytes]) -> None:
        self.url, self.address, self.supervisor = url, f"127.0.0.1:{port}", supervisor
        self.open = ExitStack()  # browsers and tabs

    def visitor(self, name: str, cookies: httpx.Cookies | None = None) -> Visitor:
        visitor = Visitor(self.address, name, cookies)
        self.open.callback(visitor.close)
        return visitor

    @property
    def processes(self) -> list[int]:
        """The server processes, without their own workers."""
        path = Path(f"/proc/{self.supervisor.pid}/task/{self.supervisor.pid}/children")
        return [int(pid) for pid in path.read_text().split()]

    @property
    def is_up(self) -> bool:
        """Whether both processes are registered and one answers."""
        assert self.supervisor.poll() is None
        try:
            ports = [port for (port,) in self.rows("SELECT port FROM felt_live.process")]
            is_ready = httpx.get(f"http://{self.address}/readyz", timeout=5).status_code == 200
        except (httpx.HTTPError, psycopg.Error):
            return False
        return is_ready and all(any(_listens(pid, port) for port in ports) for pid in self.processes)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url) as connection:
            return connection.execute(sql, values).fetchall()

    def owner_of(self, table: str) -> int:
        """The process that has a table open: its socket listens at the address that the database has."""
        ((port,),) = self.rows(
            "SELECT port FROM felt_live.game_table t JOIN felt_live.process p ON p.id = t.owner WHERE t.id = %s", table
        )
        return next(pid for pid in self.processes if _listens(pid, port))

    def come_back(self, visitor: Visitor, table: str) -> Tab:
        """Connect as a browser does after its connection was lost."""
        latest = time.monotonic() + SECONDS_TO_COME_BACK
        while True:
            try:
                return self.open.enter_context(visitor.at(table))
            except (OSError, WebSocketException):
                assert time.monotonic() < latest
                time.sleep(0.05)


def _listens(pid: int, port: int) -> bool:
    inodes = {
        line.split()[9]
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
        if line.split()[3] == "0A" and int(line.split()[1].partition(":")[2], 16) == port
    }
    handles = (path for path in Path(f"/proc/{pid}/fd").iterdir() if path.is_symlink())
    return any(os.readlink(path) in {f"socket:[{inode}]" for inode in inodes} for path in handles if path.exists())


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgresql() as found:
        database = open_database(found)
        floor.hire(database)
        database.close()
        yield found


@contextmanager
def serving(url: str) -> Iterator[House]:
    port = free_port()
    supervisor = subprocess.Popen([*FELT, "--port", str(port), "--workers", "2", "--database", url])
    try:
        house = House(url, port, supervisor)
        await_(lambda: house.is_up, seconds=90)
        with house.open:
            yield house
    finally:
        supervisor.terminate()
        supervisor.wait(15)


def await_(is_true: Callable[[], bool], seconds: float = 10) -> None:
    latest = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < latest
        time.sleep(0.05)


@pytest.fixture(scope="module")
def house(url: str) -> Iterator[House]:
    with serving(url) as found:
        yield found
    assert found.supervisor.returncode == 0


def in_a_round(house: House, visitor: Visitor, table: str) -> Tab:
    """A player alone with two spots' worth of cards and a decision to make."""
    tab = house.open.enter_context(visitor.at(table))
    tab.do("sit", spot=1, stack=100_000)
    tab.do("wager", spot=1, wagers={"ante": 1000})
    tab.do("ready")
    return tab


def ask_everywhere(visitor: Visitor, path: str) -> list[httpx.Response]:
    """The same question over many new connections, which reach both processes."""
    headers = {"connection": "close"}
    return [visitor.http.get(path, headers=headers) for _ in range(12)]


def test_every_table_is_found_over_every_connection(house: House) -> None:
    ann = house.visitor("Ann")
    tables = [ann.opens("fu-bacc", name=f"No. {number}") for number in range(4)]
    for table in tables:
        with ann.at(table) as one, ann.at(table) as other, ann.at(table) as third:
            one.do("sit", spot=1, stack=100_000)
            for tab in (other, third):
                tab.sees(you="Ann")
        answers = ask_everywhere(ann, f"/api/tables/{table}")
        assert {answer.status_code for answer in answers} == {200}
        assert {answer.json()["taken"] for answer in answers} == {1}
    for answer in ask_everywhere(ann, "/api/tables"):
        assert set(tables) <= {table["id"] for table in answer.json()}
    assert {answer.status_code for answer in ask_everywhere(ann, "/api/tables/0123456789")} == {404}
    assert {answer.status_code for answer in ask_everywhere(ann, "/api/tables/%00/proof")} == {404}


def test_a_hand_is_found_again_after_its_process_is_killed(house: House) -> None:
    ann = house.visitor("Ann")
    tables = [ann.opens("fu-bacc") for _ in range(3)]
    tabs = [in_a_round(house, ann, table) for table in tables]
    before = [(tab.view["round"], tab.view["seats"], tab.view["decisions"], tab.view["stack"]) for tab in tabs]
    os.kill(house.owner_of(tables[0]), signal.SIGKILL)
    for table, view in zip(tables, before, strict=True):
        tab = house.come_back(ann, table)
        assert (tab.view["round"], tab.view["seats"], tab.view["decisions"], tab.view["stack"]) == view
        while tab.view["running"]:
            tab.choose(next(offer for offer in tab.offers))
        lines = house.rows("SELECT line FROM felt_live.line WHERE table_id = %s ORDER BY n", table)
        log = entries([line for (line,) in lines])
        assert [entry.n for entry in log] == list(range(1, len(log) + 1))
        assert ann.http.get("/api/me").json()["name"] == "Ann"


def test_staff_are_logged_in_at_every_process_and_close_any_table(house: House) -> None:
    boss = house.visitor("Boss")
    table = boss.opens("fu-bacc")
    assert boss.post("/api/house/login", name="flo", password=floor.PASSWORD).status_code == 200, floor.STAFF
    assert {answer.status_code for answer in ask_everywhere(boss, "/api/house/me")} == {200}
    tab = in_a_round(house, boss, table)
    closed = boss.post("/api/house/floor/close", table=table, because="a test")
    assert (closed.status_code, closed.json()["voided"]) == (200, 1), closed.text
    with pytest.raises(ConnectionClosed, match="the table was closed"):
        tab.until("refused")
    assert {answer.status_code for answer in ask_everywhere(boss, f"/api/tables/{table}")} == {404}
    boss.post("/api/house/logout")
    assert {answer.status_code for answer in ask_everywhere(boss, "/api/house/me")} == {401}


def test_a_practice_is_found_over_every_connection(house: House) -> None:
    ann = house.visitor("Ann")
    assert ann.post("/api/chair", game="fu-bacc").status_code == 200
    answers = ask_everywhere(ann, "/api/chair")
    assert len({answer.text for answer in answers}) == 1
    assert answers[0].status_code == 200


def test_all_processes_stop_and_the_next_ones_find_everything(house: House, url: str) -> None:
    ann = house.visitor("Ann")
    table = ann.opens("fu-bacc")
    tab = in_a_round(house, ann, table)
    with serving(url) as second:  # two more processes, as on another machine
        moved = second.visitor("Ann", ann.http.cookies)
        with moved.at(table) as there:
            assert there.view["seats"] == tab.view["seats"]
        for pid in house.processes:
            os.kill(pid, signal.SIGKILL)
        assert second.come_back(moved, table).view["decisions"] == tab.view["decisions"]
        pids = second.processes
        second.supervisor.kill()  # the processes end with the one that watches over them
        await_(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


# One session with the database beside another.


@pytest.fixture
def two(url: str) -> Iterator[tuple[SharedTables, SharedTables]]:
    one, other = SharedTables(url), SharedTables(url)
    one.register(("127.0.0.1", 1))
    other.register(("127.0.0.1", 2))
    yield one, other
    one.close()
    other.leave()


def test_a_table_has_one_owner_until_its_session_ends(two: tuple[SharedTables, SharedTables], url: str) -> None:
    one, other = two
    one.create("00000000aa", SavedOrder(NewTable("fu-bacc")))
    assert isinstance(one.locate("00000000aa"), SavedRow)
    assert other.locate("00000000aa") == ("127.0.0.1", 1)
    assert other.locate("00000000ab") is None
    with psycopg.connect(url, autocommit=True) as server:
        sql = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s"
        server.execute(sql, [one.process])
    await_(lambda: isinstance(other.locate("00000000aa"), SavedRow))


def test_a_process_with_many_tables_hands_some_to_one_with_few(two: tuple[SharedTables, SharedTables]) -> None:
    one, other = two
    ids = [f"{number:010x}" for number in range(40)]
    for id_ in ids:
        one.create(id_, SavedOrder(NewTable("fu-bacc")))
        assert isinstance(one.locate(id_), SavedRow)
    duties = asyncio.run(one.duties(ids, unused=0.0))
    assert not set(duties.to_open) & set(ids)  # tables of processes that died may be among them
    assert duties.surplus > 0
    assert duties.receiver != one.process
    one.hand_over(ids[:1], other.process)
    assert one.locate(ids[0]) == ("127.0.0.1", 2)
    assert ids[0] in asyncio.run(other.duties([], unused=0.0)).to_open
    assert asyncio.run(other.duties(ids[:1], unused=0.0)).surplus == 0


def test_tables_for_a_process_that_dies_in_that_moment_have_no_owner(
    two: tuple[SharedTables, SharedTables], url: str
) -> None:
    one, _ = two
    one.create("00000000ad", SavedOrder(NewTable("fu-bacc")))
    assert isinstance(one.locate("00000000ad"), SavedRow)
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("INSERT INTO felt_live.process VALUES (999999, '127.0.0.1', 3)")
        with ThreadPoolExecutor(1) as thread:
            with server.transaction():
                server.execute("DELETE FROM felt_live.process WHERE id = 999999")
                giving = thread.submit(one.hand_over, ["00000000ad"], 999999)
                time.sleep(0.2)  # it waits for the end of this transaction
                assert not giving.done()
            giving.result(timeout=10)
        sql = "SELECT owner FROM felt_live.game_table WHERE id = '00000000ad'"
        assert server.execute(sql).fetchall() == [(None,)]


class HalfOpen:
    """The connection of a browser that is passed on to another process."""

    headers = ((b"host", b"localhost"),)
    client = ("192.0.2.7", 4711)

    def __init__(self) -> None:
        self.transport = self
        self.is_aborted = False

    def pause_reading(self) -> None: ...

    def abort(self) -> None:
        self.is_aborted = True


def test_a_browser_is_not_kept_waiting_for_a_machine_that_vanished(
    two: tuple[SharedTables, SharedTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def join() -> tuple[bool, bool]:
        async def never(*_: object) -> None:
            await asyncio.sleep(60)

        monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", never, raising=False)
        rooms = SharedRooms(two[0], describe)
        rooms._places["0123456789"] = ("192.0.2.1", 80)
        browser = HalfOpen()
        await asyncio.wait_for(Relay(rooms).join(cast(Any, browser), b"GET / HTTP/1.1", ("192.0.2.1", 80)), 10)
        return browser.is_aborted, bool(rooms._places)

    monkeypatch.setattr(processes, "JOIN_SECONDS", 0.05)
    assert asyncio.run(join()) == (True, False)


def test_a_connection_to_a_machine_that_vanishes_is_closed_by_the_system() -> None:
    async def options() -> list[int]:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            _, writer = await asyncio.open_connection(*listener.getsockname())
            processes.keep_alive(writer.transport)
            connection = writer.get_extra_info("socket")
            names = ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT", "TCP_USER_TIMEOUT")
            times = [connection.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in names]
            is_kept_alive = connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            writer.close()
            await writer.wait_closed()
            return [is_kept_alive, *times]

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # as uvicorn runs it
        assert runner.run(options()) == [1, 2, 1, 3, 5000]


class UpgradedSocket:
    """A connection to a table that was still here when it was accepted."""

    def __init__(self, rooms: SharedRooms) -> None:
        self.app = SimpleNamespace(state=SimpleNamespace(rooms=rooms))
        self.sent: list[str] = []
        self.closed: tuple[int, str] | None = None

    async def accept(self) -> None: ...

    async def send_data(self, text: str) -> None:
        self.sent.append(text)

    async def close(self, code: int, reason: str) -> None:
        self.closed = code, reason


def test_a_table_that_moves_while_a_browser_connects_has_it_connect_again(
    two: tuple[SharedTables, SharedTables],
) -> None:
    rooms, others = (SharedRooms(shared, describe) for shared in two)
    here, there = rooms.open(NewTable("fu-bacc")).id, rooms.open(NewTable("fu-bacc")).id
    others.find(there)
    for id_, code in ((there, 1012), ("0123456789", 4404)):  # a browser gives up after 4404 only
        socket = UpgradedSocket(rooms)
        asyncio.run(live.fn(cast(Any, socket), id_))
        assert socket.closed is not None
        assert socket.closed[0] == code, socket.sent
    assert rooms.find(here).id == here


DAMAGES = {
    "order": "UPDATE felt_live.game_table SET terms = '{' WHERE id = %s",
    "unknown-game": 'UPDATE felt_live.game_table SET terms = \'{"game": "gone"}\' WHERE id = %s',
    "seats": "UPDATE felt_live.game_table SET seats = '\\x00ff' WHERE id = %s",
    "line": "INSERT INTO felt_live.line VALUES (%s, 1, 'garbage')",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_row_is_set_aside_and_the_next_table_opens(
    two: tuple[SharedTables, SharedTables], url: str, damage: str
) -> None:
    rooms = SharedRooms(two[0], describe)
    bad, good = rooms.open(NewTable("fu-bacc")).id, rooms.open(NewTable("fu-bacc")).id
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(DAMAGES[damage], [bad])
    with pytest.raises(NoSuchTable, match="could not be opened"):
        rooms.find(bad)
    assert rooms.find(good).id == good
    assert f"table {bad}" in rooms.notices
    assert two[1].locate(bad) is None  # no other process tries again


def test_the_doctor_finds_a_damaged_log_in_the_database(
    two: tuple[SharedTables, SharedTables], url: str, tmp_path: Path
) -> None:
    open_database(url).close()
    two[0].create("00000000da", SavedOrder(NewTable("fu-bacc")))
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(DAMAGES["line"], ["00000000da"])
    found = [each for each in examine(Installation(tmp_path / "none", url)) if "00000000da" in each.says]
    assert [(each.check, each.verdict, "restore" in each.do) for each in found] == [("tables", "failed", True)]


def test_a_closed_table_is_deleted_after_ninety_days(two: tuple[SharedTables, SharedTables], url: str) -> None:
    one, _ = two
    for id_, at in (("00000000ba", 0.0), ("00000000bb", 10.0)):
        one.create(id_, SavedOrder(NewTable("fu-bacc")))
        one.batch.lines.append((id_, 1, b"a line"))
        one.archive(id_, ClosingNote("nobody used the table", at))
    one.prune(KEEP_SECONDS + 5.0)
    with psycopg.connect(url) as connection:
        sql = (
            "SELECT id, line FROM felt_live.game_table JOIN felt_live.line ON id = table_id WHERE id LIKE '00000000b_'"
        )
        assert connection.execute(sql).fetchall() == [("00000000bb", b"a line")]


def test_an_open_table_keeps_its_last_rounds_alone(two: tuple[SharedTables, SharedTables], url: str) -> None:
    one, _ = two
    one.create("00000000bc", SavedOrder(NewTable("fu-bacc")))
    one.batch.lines.extend([("00000000bc", n, b"a line") for n in (1, 2, 3, MOST_LINES + 2)])
    one.batch.round_from["00000000bc"] = MOST_LINES + 2
    one.flush()
    one.prune(0.0)
    with psycopg.connect(url) as connection:
        sql = "SELECT n FROM felt_live.line WHERE table_id = '00000000bc' ORDER BY n"
        assert connection.execute(sql).fetchall() == [(2,), (3,), (MOST_LINES + 2,)]


def test_a_process_that_lost_its_session_writes_nothing_more_and_ends(
    two: tuple[SharedTables, SharedTables], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    rows = TableRows(one, "00000000ac")
    one.create("00000000ac", SavedOrder(NewTable("fu-bacc")))
    rows.put_seed(b"first")
    one.flush()
    with psycopg.connect(url, autocommit=True) as server:
        sql = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s"
        server.execute(sql, [one.process])

    class Ended(Exception):
        pass

    def end(status: int) -> None:
        raise Ended(status)

    monkeypatch.setattr(os, "_exit", end)
    rows.put_seed(b"second")
    with pytest.raises(Ended):
        one.flush()
    assert other.read("00000000ac").seed == b"first"


@pytest.mark.parametrize("database", [(), ("--database", "sqlite:///house.sqlite")])
def test_several_processes_need_postgresql(database: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--workers", "2", *database]) == 2
    assert "postgresql://USER@HOST/NAME" in capsys.readouterr().err


def test_a_database_out_of_reach_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--workers", "2", "--database", "postgresql://felt@127.0.0.1:1/felt"]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert "the database refused: " in sentence
