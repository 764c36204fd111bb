"""Many seats for a long time: does the server's memory stay flat?

`python benchmarks/soak.py --tables 40 --minutes 10` plays five seats a table against a server of its own on
loopback, asks the coach and the laboratory all the while, and prints the memory of the server and of its
workers every minute. It fails when the server's memory is ever ten percent away from what it was after two.
With `--workers 2` two processes share the tables in PostgreSQL, and their memory is added up.
"""

import argparse
import asyncio
import itertools
import json
import os
import socket
import tempfile
from pathlib import Path

import httpx
from load import all_arrive, children, open_tables, run_server, server_processes, shared_options
from load_seat import Seat

SEATS = 5
ASK_SECONDS = 1.0
QUESTIONS = (
    "/api/lab/fu-bacc/ante",
    "/api/lab/lucky-lucky/lucky-lucky?decks={decks}",
    "/api/lab/acey-deucey-21/acey-deucey?decks={decks}",
    "/api/lab/spanish-poker/dos-pares/compare",
    "/api/lab/papers/procedure/lucky-break?decks={decks}",
)


def megabytes(pid: int) -> float:
    """The resident memory of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def ask_laboratory(address: str) -> None:
    """Ask one question after the other, each with other decks than the last time."""
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=120) as http:
        for number in itertools.count():
            path = QUESTIONS[number % len(QUESTIONS)].format(decks=1 + number // len(QUESTIONS) % 8)
            (await http.get(path)).raise_for_status()
            await asyncio.sleep(ASK_SECONDS)


async def ask_coach(seats: list[Seat]) -> None:
    """Some seat asks the coach every second, in turn."""
    for seat in itertools.cycle(seats):
        if seat.is_connected and not seat.waiting:
            seat.ask_coach()
        await asyncio.sleep(ASK_SECONDS)


async def minutes_of_memory(
    folder: Path, port: int, asked: argparse.Namespace, options: tuple[str, ...]
) -> list[float]:
    """The server's memory after each minute."""
    address = f"127.0.0.1:{port}"
    found = []
    with run_server(folder, port, *options) as server:
        seats = open_tables(address, asked.tables, (asked.thinking / 2, asked.thinking * 3 / 2))
        await all_arrive(address, seats)
        for seat in seats:
            seat.play()
        asking = [asyncio.create_task(ask_laboratory(address)), asyncio.create_task(ask_coach(seats))]
        for minute in range(1, asked.minutes + 1):
            await asyncio.sleep(60)
            pids = server_processes(server, asked.workers)
            found.append(sum(map(megabytes, pids)))
            beside = [f"{megabytes(child):.0f}" for pid in pids for child in children(pid)]
            actions = sum(len(seat.took) for seat in seats)
            print(
                f"minute {minute}: {found[-1]:.1f} MB, workers {' + '.join(beside)} MB, {actions} actions",
                flush=True,
            )
            for task in asking:
                if task.done():
                    task.result()
        for task in asking:
            task.cancel()
        for seat in seats:
            seat.close()
    return found


def drift(found: list[float], settled_minutes: int) -> float:
    """How far memory went from what it was after the first minutes, as a share of it."""
    settled = found[settled_minutes - 1]
    return max(abs(each - settled) for each in found[settled_minutes - 1 :]) / settled


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=40)
    asked.add_argument("--minutes", type=int, default=10)
    asked.add_argument("--thinking", type=float, default=1.0, help="seconds on average")
    asked.add_argument("--workers", type=int, default=0, help="processes that share the tables in PostgreSQL")
    asked.add_argument("--settled", type=int, default=2, help="minutes until every table has its views and caches")
    asked.add_argument("--drift", type=float, default=0.1, help="the share by which memory may differ afterwards")
    asked.add_argument("--json", action="store_true", help="end with the figures as one JSON document")
    chosen = asked.parse_args()
    if chosen.minutes <= chosen.settled:
        asked.error(f"--minutes takes more than {chosen.settled}: memory is compared with that after so many")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder, shared_options(chosen.workers) as options:
        found = asyncio.run(minutes_of_memory(Path(folder), port, chosen, options))
    share = drift(found, chosen.settled)
    figures = {"seats": chosen.tables * SEATS, "megabytes": found, "drift": share}
    verdict = "flat" if share <= chosen.drift else "NOT flat"
    sentence = (
        f"{chosen.tables * SEATS} seats: memory is {verdict}, {share:.1%} from that after {chosen.settled} minutes"
    )
    print(json.dumps(figures) if chosen.json else f"{sentence} (allowed {chosen.drift:.0%})")
    return 0 if share <= chosen.drift else 1


if __name__ == "__main__":
    raise SystemExit(main())
