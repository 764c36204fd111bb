"""A server that is told to stop does so soon, whatever is being worked out, and leaves no process behind."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
from websockets.sync.client import connect

from feltworks.web.tables.figures import LATE
from tests.web.player import Visitor

GAMES = Path(__file__).with_name("games")
WANTED_SECONDS = 10.0
PATIENCE = 60.0


class Server:
    """`felt serve` in a process of its own."""

    def __init__(self, address: str, process: "subprocess.Popen[bytes]") -> None:
        self.address, self.process = address, process

    @property
    def children(self) -> set[int]:
        """The processes that it started, and those that they did."""
        return _descendants(self.process.pid)

    def stop(self) -> float:
        """Tell it to stop; how many seconds it takes."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)
        return time.monotonic() - began


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    felt = Path(sys.executable).with_name("felt")
    command = [str(felt), "serve", "--port", str(port), "--data", str(folder)]
    environment = {**os.environ, "FELT_GAMES": str(GAMES), "FELT_CACHE": "off"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    try:
        _await_health(f"http://127.0.0.1:{port}/healthz")
        yield Server(f"127.0.0.1:{port}", process)
    finally:
        process.kill()
        process.communicate()


def _await_health(url: str) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(httpx.HTTPError):
            if httpx.get(url).status_code == 200:
                return
        time.sleep(0.05)
    raise AssertionError("the server did not come up")


def _descendants(pid: int) -> set[int]:
    found: set[int] = set()
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                found |= {child, *_descendants(child)}
    return found


def _processor_seconds(pid: int) -> float:
    with suppress(OSError):
        used = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def ask(server: Server, path: str) -> "Future[httpx.Response]":
    """Ask the laboratory, and wait until it works on it; what it will answer."""
    answer: Future[httpx.Response] = Future()

    def wait() -> None:
        try:
            answer.set_result(httpx.get(f"http://{server.address}{path}", timeout=PATIENCE))
        except httpx.HTTPError as trouble:
            answer.set_exception(trouble)

    threading.Thread(target=wait, daemon=True).start()
    progress = f"http://{server.address}/api/lab/progress"
    until(lambda: httpx.get(progress, params={"of": path}).json() is not None)
    return answer


def is_busy(server: Server) -> bool:
    """Whether some process has counted for a while: what was asked is really under way."""
    return any(_processor_seconds(pid) > 1 for pid in [server.process.pid, *server.children])


PAPER = "/api/lab/papers/submission/lucky-break?rounds=10000000"
FIGURE = "/api/lab/long-draw/ante"


def test_a_server_stops_while_papers_figures_and_simulations_are_worked_out(tmp_path: Path) -> None:
    with serving(tmp_path) as server, connect(f"ws://{server.address}/api/lab/simulate", proxy=None) as tab:
        answers = [ask(server, PAPER), ask(server, FIGURE)]
        tab.send(json.dumps({"type": "start", "game": "fu-bacc", "rounds": 10**10}))
        while json.loads(tab.recv(timeout=PATIENCE))["type"] != "tally":
            pass
        until(lambda: is_busy(server))
        before = server.children
        assert server.stop() < WANTED_SECONDS
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in before))
        for answer in answers:
            assert answer.result(PATIENCE).status_code == 503
            assert "the server is stopping" in answer.result().json()["error"]
        assert server.process.stderr is not None
        assert server.process.stderr.read() == b""


def test_work_ends_when_the_server_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ask(server, FIGURE)
        until(lambda: is_busy(server))
        before = server.children
        server.process.kill()
        server.process.wait()
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in before))


def test_the_coach_says_that_it_cannot_and_the_choice_does_not_wait_for_it(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann = Visitor(server.address, "Ann")
        with ann.at(ann.opens("long-draw")) as tab:
            tab.do("sit", spot=1, stack=50_000)
            tab.do("wager", spot=1, wagers={"ante": 1000})
            tab.do("ready")
            began = time.monotonic()
            told = tab.ask("coach", spot=1)
            assert time.monotonic() - began < 5  # two seconds, and what a busy machine adds
            assert (told["best"], told["values"]) == (None, [])
            assert told["hint"] == LATE

            tab.socket.send(json.dumps({"id": 90, "type": "coach", "spot": 1}))
            tab.asked = 90
            tab.choose("stay")
            assert not any(message["type"] == "coach" and message["id"] == 90 for message in tab.heard)
            assert not tab.view["running"]
            while not (told["type"] == "coach" and told["id"] == 90):
                told = tab.hear()
            assert server.stop() < WANTED_SECONDS
        ann.close()
