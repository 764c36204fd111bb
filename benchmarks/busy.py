"""Players beside heavy questions: is an action answered as soon as on an idle server?

`python benchmarks/busy.py --tables 20 --seconds 20` plays five seats a table, first alone and then while eight
questions to the laboratory are computed all the time. It fails when the 99th percentile more than doubles.
"""

import argparse
import asyncio
import itertools
import socket
import tempfile
from pathlib import Path

import httpx
from load import all_arrive, open_tables, play, run_server
from load_seat import Seat

QUESTIONS = 8
MOST_TIMES = 2.0
PATHS = (
    "/api/lab/lucky-break/blackjack?decks={decks}",
    "/api/lab/acey-deucey-21/blackjack?decks={decks}",
    "/api/lab/papers/par/lucky-lucky?decks={decks}",
    "/api/lab/spanish-poker/ante/strategy",
)


async def nothing() -> None:
    """No process is killed meanwhile."""


async def percentile(seats: list[Seat], seconds: float) -> float:
    """The seconds within which 99 of 100 actions are answered while everybody plays for so long."""
    for seat in seats:
        seat.took.clear()
    await play(seats, seconds, nothing())
    took = sorted(second for seat in seats for second in seat.took)
    return took[int(len(took) * 0.99)]


async def ask(address: str, number: int) -> None:
    """Ask one heavy question after the other; a refusal for too many is asked again."""
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=600) as http:
        for turn in itertools.count(number):
            await http.get(PATHS[turn % len(PATHS)].format(decks=1 + turn % 8))
            await asyncio.sleep(0.1)


async def measure(folder: Path, port: int, tables: int, seconds: float) -> tuple[float, float]:
    """The percentile on an idle server, and beside the questions."""
    address = f"127.0.0.1:{port}"
    with run_server(folder, port):
        seats = open_tables(address, tables, (0.5, 1.5))
        await all_arrive(address, seats)
        idle = await percentile(seats, seconds)
        asking = [asyncio.create_task(ask(address, number)) for number in range(QUESTIONS)]
        busy = await percentile(seats, seconds)
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        for seat in seats:
            seat.close()
    return idle, busy


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=20)
    options.add_argument("--seconds", type=float, default=20)
    chosen = options.parse_args()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        idle, busy = asyncio.run(measure(Path(folder), port, chosen.tables, chosen.seconds))
    print(
        f"{chosen.tables * 5} seats: 99 % answered within {idle * 1e3:.1f} ms alone and {busy * 1e3:.1f} ms beside"
        f" {QUESTIONS} heavy questions, {busy / idle:.2f} times (allowed {MOST_TIMES:.0f})"
    )
    return 0 if busy <= MOST_TIMES * idle else 1


if __name__ == "__main__":
    raise SystemExit(main())
