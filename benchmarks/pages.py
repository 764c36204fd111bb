"""The pages as a browser loads them: weight and first paint, and the server's memory after many rounds.

`python benchmarks/pages.py` opens the lobby in Chromium against a server of its own; then every game is played at
tables of five seats, over their sockets, until so many rounds are settled, and the laboratory is asked. It fails
where a figure is beyond its limit: the median of the first paints, and the memory after all rounds, also beside
that after half of them.
"""

import argparse
import asyncio
import shutil
import socket
import statistics
import sys
import tempfile
from pathlib import Path

import httpx
from load import SEATS, all_arrive, open_tables, run_server
from load_seat import WAGERS, Seat
from playwright.sync_api import sync_playwright
from soak import QUESTIONS, megabytes

MOST_BYTES, MOST_SECONDS, MOST_MEGABYTES, MOST_GROWTH = 150_000, 0.3, 250.0, 1.1
FLAGS = ["--no-sandbox", "--disable-gpu"]
LOADS = 9
TABLES = 2 * len(WAGERS)
THINKING_SECONDS = 0.01, 0.05
LOOK_SECONDS = 0.5  # between two looks at how many rounds are settled
WEIGHT = """() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
  .filter(({name}) => !new URL(name).pathname.startsWith("/api/"))
  .reduce((sum, {transferSize}) => sum + transferSize, 0)"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"


def first_page(address: str) -> tuple[int, float]:
    """Bytes of the lobby without its data, and the median of the seconds to its first paint."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        paints = []
        for _ in range(LOADS):  # each in a fresh context: nothing is cached
            page = browser.new_context().new_page()
            page.goto(f"http://{address}/", wait_until="networkidle")
            weight = int(page.evaluate(WEIGHT))
            paints.append(float(page.evaluate(PAINT)))
            page.context.close()
        browser.close()
    return weight, statistics.median(paints)


async def play(address: str, rounds: int) -> int:
    """Play every game until so many rounds are settled; how many they are then."""
    seats = open_tables(address, TABLES, THINKING_SECONDS)
    await all_arrive(address, seats)
    for seat in seats:
        seat.play()
    while (settled := sum(map(settled_rounds, seats[::SEATS]))) < rounds:
        await asyncio.sleep(LOOK_SECONDS)
    for seat in seats:
        seat.close()
    return settled


def settled_rounds(seat: Seat) -> int:
    """The rounds of a new table that have come to their end."""
    return (seat.view.round or 0) - seat.view.running


def ask(address: str, questions: int) -> None:
    """Ask the laboratory."""
    with httpx.Client(base_url=f"http://{address}", timeout=120) as http:
        for number in range(questions):
            path = QUESTIONS[number % len(QUESTIONS)].format(decks=1 + number // len(QUESTIONS) % 8)
            http.get(path).raise_for_status()


def main() -> None:
    """Measure; the exit status is 1 where a limit is passed."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=2000)
    options.add_argument("--questions", type=int, default=50)
    given = options.parse_args()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder, run_server(Path(folder), port) as server:
        address, pid = f"127.0.0.1:{port}", server.pid
        weight, paint = first_page(address)
        settled = asyncio.run(play(address, given.rounds // 2))
        ask(address, given.questions)
        half = megabytes(pid)
        settled += asyncio.run(play(address, given.rounds - given.rounds // 2))
        ask(address, given.questions)
        full = megabytes(pid)
    sys.stdout.write(f"first page {weight / 1000:.0f} kB, first paint {paint:.2f} s, the median of {LOADS}\n")
    sys.stdout.write(f"server {half:.0f} MB after half of {settled:,} settled rounds, {full:.0f} MB after all\n")
    is_within = weight <= MOST_BYTES and paint <= MOST_SECONDS and full <= MOST_MEGABYTES and full <= half * MOST_GROWTH
    sys.exit(not is_within)


if __name__ == "__main__":
    main()
