"""Many tables at once: every seat plays on and on over its own WebSocket; how soon is each action answered?

`python benchmarks/load.py --tables 200 --seconds 30` starts a server of its own on loopback, ends it with a
kill in the middle of the play, starts it again, and checks that every table stands as it stood.
"""

import argparse
import asyncio
import contextlib
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
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

WAGERS: dict[str, dict[str, int]] = {
    "fu-bacc": {"ante": 1000, "tie": 500},
    "acey-deucey-21": {"blackjack": 1000, "acey-deucey": 500},
    "lucky-break": {"blackjack": 1000, "lucky-break": 500},
    "spanish-poker": {"ante": 1000, "dos-pares": 500},
    "lucky-lucky": {"blackjack": 1000, "lucky-lucky": 500},
}
SEATS = 5
WANTED_SECONDS = 0.2
THINKING_SECONDS = 0.5, 1.5  # quicker than people


class Seat:
    """One player at one table, with the times its actions took."""

    def __init__(self, address: str, table: str, game: str, spot: int) -> None:
        self.address, self.table, self.game, self.spot = address, table, game, spot
        self.cookies = httpx.Cookies()
        self.view: dict[str, Any] = {}
        self.took: list[float] = []
        self.refused = 0
        self._asked = 0
        self._asked_at: dict[int, float] = {}
        self._thinking: asyncio.Task[None] | None = None

    async def arrive(self, http: httpx.AsyncClient) -> None:
        answer = await http.get(f"http://{self.address}/api/me")
        self.cookies = answer.cookies

    async def play(self, until: float) -> None:
        carried = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        url = f"ws://{self.address}/api/tables/{self.table}/live"
        async with connect(url, additional_headers={"Cookie": carried}, proxy=None, max_queue=None) as tab:
            await self._ask(tab, "sit", spot=self.spot, stack=10**9)
            while time.monotonic() < until:
                message = json.loads(await asyncio.wait_for(tab.recv(), 30))
                if message["type"] == "state":
                    self.view = message["view"]
                    if self._thinking is None or self._thinking.done():
                        self._thinking = asyncio.create_task(self._act(tab))
                elif message["type"] in ("done", "refused"):
                    self.took.append(time.monotonic() - self._asked_at.pop(message["id"]))
                    self.refused += message["type"] == "refused"

    async def _act(self, tab: ClientConnection) -> None:
        """What this player does next, if it is their turn and nothing of theirs is under way."""
        await asyncio.sleep(random.uniform(*THINKING_SECONDS))
        with contextlib.suppress(ConnectionClosed):
            await self._decide(tab)

    async def _decide(self, tab: ClientConnection) -> None:
        if self._asked_at or not self.view["you"]:
            return
        if self.view["decisions"]:
            step = self.view["decisions"][0]
            name = random.choice([o["name"] for o in step["offers"] if not o["most"]])
            where = {"spot": self.spot, "about": step["about"], "round": self.view["round"]}
            await self._ask(tab, "choose", name=name, **where)
        elif not self.view["running"]:
            mine = self.view["seats"][self.spot - 1]
            if mine["in_round"] or not mine["wagers"]:
                await self._ask(tab, "wager", spot=self.spot, wagers=WAGERS[self.game])
            elif not mine["ready"]:
                await self._ask(tab, "ready")

    async def _ask(self, tab: ClientConnection, kind: str, **said: Any) -> None:
        self._asked += 1
        self._asked_at[self._asked] = time.monotonic()
        await tab.send(json.dumps({"id": self._asked, "type": kind, **said}))


async def opened(address: str, tables: int) -> list[Seat]:
    """So many tables, all games in turn, five players at each."""
    seats = []
    async with httpx.AsyncClient() as http:
        await http.get(f"http://{address}/api/me")
        token = {"x-csrftoken": http.cookies["csrftoken"]}
        for number in range(tables):
            game = list(WAGERS)[number % len(WAGERS)]
            answer = await http.post(f"http://{address}/api/tables", json={"game": game}, headers=token)
            seats += [Seat(address, answer.json()["id"], game, spot) for spot in range(1, SEATS + 1)]
    for seat in seats:
        async with httpx.AsyncClient() as http:
            await seat.arrive(http)
    return seats


def served(data: Path, port: int) -> subprocess.Popen[bytes]:
    felt = Path(sys.executable).with_name("felt")
    server = subprocess.Popen([felt, "serve", "--port", str(port), "--data", data], stdout=subprocess.DEVNULL)
    for _ in range(200):
        try:
            if httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200:
                return server
        except httpx.HTTPError:
            time.sleep(0.1)
    raise SystemExit("the server did not come up")


def standing(address: str, seats: list[Seat]) -> dict[str, Any]:
    return {
        s.table: httpx.get(f"http://{address}/api/tables/{s.table}").json()["standing"]
        for s in seats[::SEATS]
    }


async def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=200)
    asked.add_argument("--seconds", type=float, default=30)
    chosen = asked.parse_args()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        server = served(Path(folder), port)
        seats = await opened(address, chosen.tables)
        until = time.monotonic() + chosen.seconds
        await asyncio.gather(*(seat.play(until) for seat in seats))
        before = standing(address, seats)
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        server = served(Path(folder), port)
        after = standing(address, seats)
        server.terminate()
        server.wait()
    took = sorted(second for seat in seats for second in seat.took)
    worst = took[int(len(took) * 0.99)]
    print(
        f"{chosen.tables} tables, {len(seats)} seats: {len(took) / chosen.seconds:,.0f} actions a second,"
        f" {sum(s.refused for s in seats)} refused; answered in {statistics.median(took) * 1e3:.1f} ms,"
        f" 99 % within {worst * 1e3:.1f} ms (wanted {WANTED_SECONDS * 1e3:.0f});"
        f" after kill -9 {sum(before[t] == after[t] for t in before)} of {len(before)} tables stand as before"
    )
    return 0 if worst <= WANTED_SECONDS and before == after else 1


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
