"""Budgets: whoever asks for too much is refused in a sentence, and everybody else is served as before."""

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from feltworks.errors import FeltError
from feltworks.house import users
from feltworks.web import visitors
from feltworks.web.lab import jobs
from feltworks.web.visitors import MOST_REFUSALS, Allowance, Allowances, Bucket, Buckets, Budgets, Pace
from feltworks.web.workers import Workers
from tests.web.player import Tab, Visitor
from tests.web.serving import served
from tests.web.staff import Colleague, hire, password_of

FLOOD = 3000  # messages sent without waiting for any answer
PATIENCE = 10.0  # seconds in which everybody else is answered, on a busy machine
STARTING = 60.0  # seconds for a worker process to import what simulates, on a busy machine


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_budget_allows_a_burst_and_refills_up_to_it() -> None:
    clock = Clock()
    bucket = Bucket(Allowance(3, 0.5), clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    assert bucket.seconds_to_wait == 2
    clock.now += 2
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now += 1000
    assert sum(bucket.take() for _ in range(10)) == 3


def test_what_was_taken_for_nothing_is_given_back() -> None:
    bucket = Bucket(Allowance(1, 0.001), Clock())
    assert bucket.take()
    bucket.give_back()
    bucket.give_back()  # never more than the whole
    assert [bucket.take(), bucket.take()] == [True, False]


def test_each_client_has_a_budget_and_the_longest_away_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "MOST_BUCKETS", 2)
    buckets = Buckets(Allowance(1, 0.001), Clock())
    assert [buckets.of(name).take() for name in ("ann", "bob", "ann")] == [True, True, False]
    assert buckets.of("eve").take()
    assert [buckets.of(name).take() for name in ("ann", "bob")] == [False, True]


@pytest.mark.parametrize(("address", "allowed"), [("203.0.113.7", 3), ("127.0.0.1", 6), ("::1", 6)])
def test_an_address_with_many_sessions_has_one_budget_of_messages(address: str, allowed: int) -> None:
    few = Allowances(actions=Allowance(2, 0.01), actions_of_address=Allowance(3, 0.01))
    budgets = Budgets(few, lambda: 0.0)
    paces = [budgets.pace({"client": (address, 1), "session": {"id": id_}}) for id_ in "abc"]  # type: ignore[arg-type]
    assert sum(pace.allows() for pace in paces * 3) == allowed


def test_a_sender_that_heeds_a_refusal_is_not_taken_for_a_flood() -> None:
    clock = Clock()
    pace = Pace(Bucket(Allowance(1, 1), clock))
    for _ in range(1000):
        pace.allows()
        pace.allows()
        assert not pace.is_flooding
        clock.now += 1
    for _ in range(1000):
        pace.allows()
    assert pace.is_flooding


def test_a_socket_that_floods_is_refused_then_cut_off_and_others_play_on(tmp_path: Path) -> None:
    with (
        served(tmp_path) as address,
        closing(Visitor(address, "Eve")) as eve,
        closing(Visitor(address, "Ann")) as ann,
    ):
        table = ann.opens("fu-bacc")
        with ann.at(table) as tab, eve.at(table) as flood, ThreadPoolExecutor(2) as both:
            hearing, sending = both.submit(_all_heard, flood), both.submit(_flood, flood)
            began = time.monotonic()
            tab.do("sit", spot=2)
            tab.do("wager", spot=2, wagers={"ante": 1000})
            assert time.monotonic() - began < PATIENCE
            sending.result()
            refused = [each for each in hearing.result() if each.get("kind") == "TooFast"]
            assert "too many messages" in refused[0]["error"]
            assert tab.do("wager", spot=2, wagers={"ante": 1500})


def test_a_socket_that_floods_and_reads_nothing_is_cut_off_at_once(tmp_path: Path) -> None:
    with (
        served(tmp_path) as address,
        closing(Visitor(address, "Eve")) as eve,
        closing(Visitor(address, "Ann")) as ann,
    ):
        table = ann.opens("fu-bacc")
        with ann.at(table) as tab, eve.at(table) as flood:
            flood.do("sit", spot=3)
            sending = threading.Thread(target=_flood, args=(flood, 100 * FLOOD), daemon=True)
            sending.start()
            began = time.monotonic()
            sending.join(2 * PATIENCE)
            assert time.monotonic() - began < 8
            while not tab.view["seats"][2].get("away"):
                tab.hear()
            assert tab.do("sit", spot=2)


def _flood(tab: Tab, messages: int = FLOOD) -> None:
    """Ask again and again for something that changes nothing and is told to the whole table."""
    with suppress(ConnectionClosed):
        for number in range(tab.asked + 1, messages):
            tab.socket.send(json.dumps({"id": number, "type": "wager", "spot": 3, "wagers": {}}))


def _all_heard(tab: Tab) -> list[dict[str, Any]]:
    try:
        while True:
            tab.hear()
    except ConnectionClosed:
        return tab.heard


def test_the_simulator_refuses_and_closes_a_flood_too(tmp_path: Path) -> None:
    few = Allowances(actions=Allowance(5, 0.01))
    with served(tmp_path, allowed=few) as address:
        url = f"ws://{address}/api/lab/simulate"
        with connect(url, proxy=None) as socket:
            kinds: list[str] = []
            with suppress(ConnectionClosed):
                for _ in range(FLOOD):
                    socket.send("{}")
                    kinds.append(json.loads(socket.recv(timeout=PATIENCE))["kind"])
            assert kinds[4:7] == ["BadMessage", "TooFast", "TooFast"]
            assert len(kinds) - 5 in (MOST_REFUSALS, MOST_REFUSALS + 1)  # the last may be lost


def test_simulations_wait_in_line_and_none_keeps_another_waiting_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = json.dumps({"type": "start", "game": "fu-bacc", "rounds": 10**10})
    with served(tmp_path, allowed=Allowances(simulations=3)) as address, ExitStack() as tabs:

        def simulate(host: str) -> ClientConnection:
            url = f"ws://{address}/api/lab/simulate"
            socket = tabs.enter_context(connect(url, source_address=(host, 0), proxy=None))
            socket.send(start)
            return socket

        def hear(socket: ClientConnection, *passed_over: str) -> dict[str, Any]:
            while (heard := json.loads(socket.recv(timeout=STARTING)))["type"] in passed_over:
                pass
            return dict(heard)

        eve, heard = [], []
        for _ in range(4):
            eve.append(simulate("127.0.0.1"))
            heard.append(hear(eve[-1]))
        assert [(each["type"], each.get("ahead")) for each in heard] == [
            ("started", None),
            ("waiting", 0),
            ("waiting", 1),
            ("refused", None),
        ]
        assert "3 simulations of your address" in heard[-1]["error"]
        bob = simulate("127.0.0.2")
        assert hear(bob)["type"] == "started"
        ann = simulate("127.0.0.3")
        assert hear(ann)["type"] == "waiting"  # two addresses hold both places
        monkeypatch.setattr(jobs, "TURN_SECONDS", 0.0)
        done = hear(eve[0], "tally")
        assert (done["type"], done["made_way"], done["result"]["interrupted"]) == ("done", True, True)
        assert hear(ann, "waiting")["type"] == "started"


FEW = Allowances(session=Allowance(20, 0.01), address=Allowance(60, 0.01))


def test_a_session_that_asks_too_often_is_refused_and_its_neighbour_is_served(tmp_path: Path) -> None:
    with (
        served(tmp_path, allowed=FEW) as address,
        closing(Visitor(address, "Eve")) as eve,
        closing(Visitor(address, "Ann")) as ann,
    ):
        answers = [eve.http.get("/api/games") for _ in range(30)]
        refused = answers[-1]
        assert {each.status_code for each in answers} == {200, 429}
        assert (refused.status_code, refused.json()["kind"]) == (429, "TooManyRequestsException")
        assert "try again in" in refused.json()["error"]
        assert int(refused.headers["retry-after"]) > 0
        assert ann.http.get("/api/games").status_code == 200
        assert eve.http.get("/healthz").status_code == 200


def test_an_address_that_takes_a_new_session_for_every_request_is_refused(tmp_path: Path) -> None:
    with served(tmp_path, allowed=FEW) as address:
        statuses = [httpx.get(f"http://{address}/api/me").status_code for _ in range(70)]
        assert (statuses[59], statuses[60]) == (200, 429)
        assert httpx.get(f"http://{address}/healthz").status_code == 200


def test_whoever_fills_the_laboratory_leaves_room_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()

    async def wait(*_: object, **__: object) -> None:
        await asyncio.to_thread(may_go_on.wait, PATIENCE)
        raise FeltError("waited for long enough")

    monkeypatch.setattr(Workers, "do", wait)
    with (
        served(tmp_path, allowed=Allowances(questions=2)) as address,
        closing(Visitor(address, "Eve")) as eve,
        closing(Visitor(address, "Ann")) as ann,
        ThreadPoolExecutor(4) as many,
    ):
        at = "/api/lab/fu-bacc/ante"
        two = [many.submit(eve.http.get, f"{at}?seats={seats}") for seats in (1, 2)]
        for seats in (1, 2):
            while eve.http.get("/api/lab/progress", params={"of": f"{at}?seats={seats}"}).json() is None:
                time.sleep(0.01)
        refused = eve.http.get(f"{at}?seats=3")
        other = many.submit(ann.http.get, f"{at}?seats=3")
        may_go_on.set()
        assert (refused.status_code, "2 questions of yours" in refused.json()["error"]) == (429, True)
        assert {each.result().status_code for each in (*two, other)} == {400}
        assert eve.http.get(f"{at}?seats=4").status_code == 400  # there is room again


def test_an_address_with_several_sessions_leaves_room_in_the_laboratory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()

    async def wait(*_: object, **__: object) -> None:
        await asyncio.to_thread(may_go_on.wait, PATIENCE)
        raise FeltError("waited for long enough")

    monkeypatch.setattr(Workers, "do", wait)
    at = "/api/lab/fu-bacc/ante"
    with served(tmp_path, allowed=Allowances(questions_of_address=2)) as address, ThreadPoolExecutor(2) as many:
        open_ = [many.submit(httpx.get, f"http://{address}{at}?seats={seats}", timeout=PATIENCE) for seats in (1, 2)]
        for seats in (1, 2):
            while httpx.get(f"http://{address}/api/lab/progress", params={"of": f"{at}?seats={seats}"}).json() is None:
                time.sleep(0.01)
        with closing(Visitor(address, "Eve")) as eve:
            refused = eve.http.get(f"{at}?seats=3")
        may_go_on.set()
        assert (refused.status_code, "2 questions of your address" in refused.json()["error"]) == (429, True)
        assert {each.result().status_code for each in open_} == {400}


def test_nobody_fills_the_house_with_tables(tmp_path: Path) -> None:
    few = Allowances(tables=Allowance(2, 0.001), tables_of_address=Allowance(3, 0.001))
    with served(tmp_path, allowed=few) as address, ExitStack() as stack:
        eve, ann, bob = (stack.enter_context(closing(Visitor(address, name))) for name in ("Eve", "Ann", "Bob"))
        opened = [eve.post("/api/tables", game="fu-bacc") for _ in range(3)]
        assert [each.status_code for each in opened] == [201, 201, 429]
        assert "too many new tables" in opened[-1].json()["error"]
        assert ann.post("/api/tables", game="fu-bacc").status_code == 201
        assert bob.post("/api/tables", game="fu-bacc").status_code == 429  # of the same address


@pytest.mark.parametrize("path", ["/openapi.json", "/api/games"])
def test_an_answer_that_does_not_change_is_made_once_and_sent_once(tmp_path: Path, path: str) -> None:
    with served(tmp_path) as address, httpx.Client(base_url=f"http://{address}") as http:
        whole = http.get(path)
        assert (whole.status_code, whole.headers["cache-control"]) == (200, "no-cache")
        assert whole.headers["content-type"] == "application/json"
        again = http.get(path, headers={"if-none-match": f'"other", {whole.headers["etag"]}'})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == whole.headers["etag"]
        plain = http.get(path, headers={"accept-encoding": "identity", "if-none-match": '"other"'})
        assert "content-encoding" not in plain.headers
        assert plain.json() == whole.json()
        assert "accept-encoding" in whole.headers["vary"].lower()


class SlowHasher:
    """Takes its time, as hashing a password does, and knows no password."""

    def verify(self, secret: str, password: str) -> bool:
        time.sleep(1)
        return False

    def hash(self, password: str) -> str:
        return "nobody's"

    def check_needs_rehash(self, secret: str) -> bool:
        return False


@pytest.fixture
def staffed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A house with its staff hired; passwords are hashed quickly, since none is worth anything."""
    quick = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(users, "default_hasher", lambda: quick)
    hire(tmp_path)
    return tmp_path


def test_wrong_logins_keep_no_page_waiting(staffed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        served(staffed) as address,
        closing(Colleague(address, "Eve")) as eve,
        closing(Colleague(address, "Ines")) as ines,
        ThreadPoolExecutor(20) as many,
    ):
        assert ines.logs_in("ines").status_code == 200
        monkeypatch.setattr(users, "default_hasher", SlowHasher)
        wrong = [many.submit(eve.logs_in, f"nobody {number}", "guessed") for number in range(20)]
        time.sleep(0.5)
        ines.asks("me")
        ines.asks("report")
        assert sum(each.done() for each in wrong) < len(wrong) / 2
        assert {each.result().status_code for each in wrong} == {401}


def test_an_address_with_many_wrong_logins_waits_and_right_ones_cost_nothing(staffed: Path) -> None:
    few = Allowances(logins=Allowance(3, 0.01))
    with served(staffed, allowed=few) as address, closing(Colleague(address, "Eve")) as eve:
        assert {eve.logs_in("ines").status_code for _ in range(5)} == {200}
        statuses = [eve.logs_in("nobody", "guessed wrongly").status_code for _ in range(5)]
        assert statuses == [401, 401, 401, 429, 429]
        refused = eve.logs_in("ines", password_of("ines"))
        assert (refused.status_code, "wrong passwords" in refused.json()["error"]) == (429, True)


def test_paths_that_do_not_exist_are_charged_too(tmp_path: Path) -> None:
    with served(tmp_path, allowed=FEW) as address, httpx.Client(base_url=f"http://{address}") as http:
        statuses = [http.get(f"/no/such/page/{number}").status_code for number in range(70)]
        assert (statuses[59], statuses[60]) == (404, 429)
        refused = http.delete("/api/games")
        assert (refused.status_code, refused.json()["kind"]) == (429, "TooManyRequestsException")
        assert http.get("/healthz").status_code == 200


def test_an_address_holds_so_many_sockets_and_no_more(tmp_path: Path) -> None:
    with served(tmp_path, allowed=Allowances(sockets=2)) as address:
        table = httpx.get(f"http://{address}/api/tables").json()[0]["id"]
        url = f"ws://{address}/api/tables/{table}/live"
        with connect(url, proxy=None) as first, connect(url, proxy=None) as second:
            assert first.recv(timeout=PATIENCE)
            assert second.recv(timeout=PATIENCE)
            with pytest.raises(InvalidStatus), connect(url, proxy=None):
                pass
        with connect(url, proxy=None) as third:
            assert third.recv(timeout=PATIENCE)
