"""Many tables at once: every seat plays on and on over its own WebSocket; how soon is each action answered?

`python benchmarks/load.py --tables 200 --seconds 30` starts a server of its own on loopback, ends it with a
kill in the middle of the rounds, starts it again, and checks that every seat finds its table as it was.

With `--workers 2` the tables are in PostgreSQL and two processes share them. With `--kills 50` one of them is killed
again and again while everybody plays; every seat connects again by itself, and has to find its hand in five seconds.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from operator import eq
from pathlib import Path
from typing import Any

import httpx
import psycopg
from load_seat import WAGERS, Seat

from feltworks.errors import LogError
from feltworks.table.log import entries

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.house.servers import postgresql

SEATS = 5
WANTED_SECONDS = 0.2
# People look at their cards for five seconds or ten. A second on average makes a thousand seats as busy as
# five thousand people, so that what is measured is the house and not the patience of its players.
THINKING_SECONDS = 0.5, 1.5
RETURN_SECONDS = 5.0  # within which every seat has to find its hand after a kill
PAUSE_SECONDS = 3.0, 6.0  # between two kills: a new process takes some seconds to start
MOST_SILENCE = 20  # seconds; then the clocks of the tables act by themselves
AT_THE_DOOR = 20  # who arrive in the same moment


@contextmanager
def run_server(folder: Path, port: int, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """The server in a process of its own; leaving this kills it as a power cut would."""
    felt = Path(sys.executable).with_name("felt")
    command = [felt, "serve", "--port", str(port), "--data", folder, *options]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _await_health(f"http://127.0.0.1:{port}/healthz")
        yield server
    finally:
        os.kill(server.pid, signal.SIGSTOP)  # so that it starts no further process meanwhile
        parts = children(server.pid)
        for pid in (server.pid, *parts):
            os.kill(pid, signal.SIGKILL)
        server.wait()
        while any(Path(f"/proc/{pid}").exists() for pid in parts):
            time.sleep(0.05)


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for thread in threads for child in (thread / "children").read_text().split()]


@contextmanager
def shared_options(workers: int) -> Iterator[tuple[str, ...]]:
    """The options with which so many processes share one database; none for a single process."""
    if not workers:
        yield ()
        return
    with postgresql() as url:
        yield "--workers", str(workers), "--database", url


def server_processes(server: subprocess.Popen[bytes], workers: int) -> list[int]:
    """The processes that serve: the server itself, or those that it has started as its workers."""
    if not workers:
        return [server.pid]
    return children(server.pid)


def _await_health(url: str) -> None:
    with httpx.Client() as http:
        for _ in range(400):
            try:
                if http.get(url).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.05)
    raise SystemExit("the server did not come up")


def open_tables(address: str, tables: int, thinking: tuple[float, float]) -> list[Seat]:
    """So many tables, all games in turn, with five players for each."""
    seats = []
    with httpx.Client(base_url=f"http://{address}") as http:
        for number in range(tables):
            game = list(WAGERS)[number % len(WAGERS)]
            http.get("/api/me")
            token = {"x-csrftoken": http.cookies["csrftoken"]}
            table = http.post("/api/tables", json={"game": game}, headers=token).json()["id"]
            for spot in range(1, SEATS + 1):
                http.cookies.clear()
                http.get("/api/me")
                carried = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
                seats.append(Seat(table, game, spot, carried, thinking))
    return seats


async def all_arrive(address: str, seats: list[Seat], *, sit: bool = True) -> list[tuple[Any, ...]]:
    """Everybody comes to their table, a few at a time; what each of them finds there, before a clock acts."""
    kept: list[tuple[Any, ...]] = []
    for first in range(0, len(seats), AT_THE_DOOR):
        group = seats[first : first + AT_THE_DOOR]
        await asyncio.gather(*(_arrive(seat, address, sit=sit) for seat in group))
        kept.extend(seat.view.durable for seat in group)
    return kept


async def _arrive(seat: Seat, address: str, *, sit: bool) -> None:
    """Come to the table; one that moves to another process meanwhile closes the connection, and is asked again."""
    while True:
        with suppress(ConnectionResetError):
            return await seat.arrive(address, sits=sit)


async def kill_processes(
    server: subprocess.Popen[bytes], seats: list[Seat], workers: int, kills: int, url: str
) -> None:
    """Kill a process, wait until all processes and all seats are there again, and so on."""
    for number in range(1, kills + 1):
        while await asyncio.to_thread(registered_processes, url) < workers or any(seat.is_lost for seat in seats):
            await asyncio.sleep(0.2)
        await asyncio.sleep(random.uniform(*PAUSE_SECONDS))
        before = [len(seat.returns) for seat in seats]
        os.kill(random.choice(server_processes(server, workers)), signal.SIGKILL)
        await asyncio.sleep(RETURN_SECONDS)
        back = [second for seat, old in zip(seats, before, strict=True) for second in seat.returns[old:]]
        away = sum(seat.is_lost for seat in seats)
        print(f"kill {number}: {len(back)} seats back, the slowest in {max(back, default=0):.2f} s, {away} still away",
              file=sys.stderr, flush=True)  # fmt: skip


async def play(seats: list[Seat], seconds: float, kills: Coroutine[Any, Any, None]) -> None:
    """Everybody plays for so long, and waits until what they asked for last is answered."""
    for seat in seats:
        seat.play()
    await asyncio.gather(asyncio.sleep(seconds), kills)
    for seat in seats:
        await seat.be_back()
    for seat in seats:
        seat.stop()
    for _ in range(100):
        await asyncio.sleep(0.1)
        if not any(seat.waiting for seat in seats):
            break
    await silence(seats)


async def silence(seats: list[Seat]) -> None:
    """Wait until the last news has reached everybody: nobody hears anything for a second."""
    heard = -1
    for _ in range(MOST_SILENCE):
        if heard == (heard := sum(seat.heard for seat in seats)):
            return
        await asyncio.sleep(1)


async def freeze(server: subprocess.Popen[bytes], workers: int) -> None:
    """Stop the server where it is and let everybody read what it sent: no clock acts while views are compared."""
    for pid in {server.pid, *server_processes(server, workers)}:
        os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(1)


def processor_seconds(pid: int) -> float:
    """What a process has used of the processors so far."""
    used = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def machine_seconds() -> float:
    """What everything on this machine has used of the processors so far."""
    user, nice, system, _, _, *interrupts = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:8]
    return sum(map(int, (user, nice, system, *interrupts))) / os.sysconf("SC_CLK_TCK")


async def measure(folder: Path, port: int, asked: argparse.Namespace, options: tuple[str, ...]) -> dict[str, Any]:
    address = f"127.0.0.1:{port}"
    with run_server(folder, port, *options) as server:
        seats = open_tables(address, asked.tables, (asked.thinking / 2, asked.thinking * 3 / 2))
        await all_arrive(address, seats)
        pids = server_processes(server, asked.workers)
        server_before, client_before = sum(map(processor_seconds, pids)), time.process_time()
        machine_before, began = machine_seconds(), time.monotonic()
        await play(
            seats,
            asked.seconds,
            kill_processes(server, seats, asked.workers, asked.kills, options[-1] if options else ""),
        )
        server_used = sum(map(processor_seconds, pids)) - server_before if not asked.kills else 0.0
        client_used = time.process_time() - client_before
        others = (machine_seconds() - machine_before - server_used - client_used) / (time.monotonic() - began)
        await freeze(server, asked.workers)
        before = [seat.view.durable for seat in seats]
        running = sum(seat.view.running for seat in seats[::SEATS])
    took = sorted(second for seat in seats for second in seat.took)
    saw = sorted(second for seat in seats for second in seat.saw)
    unanswered = sum(seat.waiting for seat in seats)
    with run_server(folder, port, *options):
        after = await all_arrive(address, seats, sit=False)
        for seat in seats:
            seat.close()
    damage = damaged_logs(options[-1]) if asked.workers else []
    actions = len(took) - len(seats)  # besides sitting down
    return {
        "tables": asked.tables,
        "seats": len(seats),
        "actions": actions,
        "actions_a_second": round(actions / asked.seconds),
        "refused": sum(len(seat.refused) for seat in seats),
        "unanswered": unanswered,
        "median_ms": round(statistics.median(took) * 1e3, 1),
        "within_ms": round(took[int(len(took) * 0.99)] * 1e3, 1),
        "longest_ms": round(took[-1] * 1e3, 1),
        "seen_within_ms": round(saw[int(len(saw) * 0.99)] * 1e3, 1),
        "server_ms_an_action": round(server_used / actions * 1e3, 2),
        "client_ms_an_action": round(client_used / actions * 1e3, 2),
        "other_processors": round(others, 2),
        "in_a_round": running,
        "seats_as_before": sum(map(eq, before, after)),
        "kills": asked.kills,
        "returns": sum(len(seat.returns) for seat in seats),
        "longest_return": round(max((second for seat in seats for second in seat.returns), default=0.0), 2),
        "losses": [*damage, *(loss for seat in seats for loss in seat.losses)],
    }


def registered_processes(url: str) -> int:
    """How many processes hold their lock."""
    sql = "SELECT count(*) FROM felt_live.process p JOIN pg_locks l ON l.locktype = 'advisory' AND l.objid = p.id"
    with psycopg.connect(url) as connection:
        (count,) = connection.execute(sql).fetchone() or (0,)
    return int(count)


def damaged_logs(url: str) -> list[str]:
    """The tables with a line that is lost, doubled or changed: numbers and seals of every round are checked."""
    damage = []
    with psycopg.connect(url) as connection:
        lines: dict[str, list[bytes]] = {}
        for table, line in connection.execute("SELECT table_id, line FROM felt_live.line ORDER BY table_id, n"):
            lines.setdefault(table, []).append(line)
    for table, log in lines.items():
        try:
            entries(log)
        except LogError as error:
            damage.append(f"table {table}: {error}")
    return damage


def sentence(found: dict[str, Any]) -> str:
    return (
        "{tables} tables, {seats} seats: {actions_a_second:,} actions a second, {refused} refused,"
        " {unanswered} unanswered; answered in {median_ms} ms, 99 % within {within_ms} ms"
        f" (wanted {WANTED_SECONDS * 1e3:.0f}), the longest {{longest_ms}} ms, and 99 % seen"
        f" within {{seen_within_ms}} ms; {{server_ms_an_action}} ms of"
        " a processor in the server and {client_ms_an_action} ms here for each action, while the database and all else"
        f" on this machine kept {{other_processors}} of {os.cpu_count()} processors busy; after kill -9 with"
        " {in_a_round} tables in a round {seats_as_before} of {seats} seats find their table as before;"
        " {kills} kills of a process while all play, {returns} seats came back, the slowest in {longest_return} s"
    ).format(**found)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=200)
    asked.add_argument("--seconds", type=float, default=30)
    asked.add_argument("--thinking", type=float, default=sum(THINKING_SECONDS) / 2, help="seconds on average")
    asked.add_argument("--workers", type=int, default=0, help="processes that share the tables in PostgreSQL")
    asked.add_argument("--kills", type=int, default=0, help="how often one of them is killed meanwhile")
    asked.add_argument("--json", action="store_true", help="print the figures as one JSON document")
    chosen = asked.parse_args()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder, shared_options(chosen.workers) as options:
        found = asyncio.run(measure(Path(folder), port, chosen, options))
    print(json.dumps(found) if chosen.json else sentence(found))
    for loss in found["losses"]:
        print(loss, file=sys.stderr)
    is_well = (
        (chosen.kills or not found["unanswered"]) and found["seats_as_before"] == found["seats"] and not found["losses"]
    )
    is_quick = max(found["within_ms"], found["seen_within_ms"]) <= WANTED_SECONDS * 1e3
    if chosen.kills:
        is_quick = found["longest_return"] <= RETURN_SECONDS
    is_good = bool(is_well and is_quick)
    if not chosen.json:
        print("held" if is_good else "NOT HELD")
    return 0 if is_good else 1


if __name__ == "__main__":
    raise SystemExit(main())
