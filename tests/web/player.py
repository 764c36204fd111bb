"""A visitor with a browser of their own: a session, and a tab at a table that sends actions and is told."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

Told = dict[str, Any]
PATIENCE = 60.0  # seconds for an answer: figures are worked out with what time the tables leave


class Visitor:
    """Somebody with their own cookies."""

    def __init__(self, address: str, name: str, cookies: httpx.Cookies | None = None) -> None:
        self.address = address
        self.http = httpx.Client(base_url=f"http://{address}", cookies=cookies, timeout=PATIENCE)
        self.http.get("/api/me")
        if cookies is None:
            self.put("/api/me", name=name)

    def post(self, path: str, **said: Any) -> httpx.Response:
        return self.http.post(path, json=said, headers=self._token)

    def put(self, path: str, **said: Any) -> httpx.Response:
        return self.http.put(path, json=said, headers=self._token)

    def opens(self, game: str, **said: Any) -> str:
        answer = self.post("/api/tables", game=game, **said)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def close(self) -> None:
        self.http.close()

    @contextmanager
    def at(self, table: str) -> Iterator["Tab"]:
        carried = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        url = f"ws://{self.address}/api/tables/{table}/live"
        with connect(url, additional_headers={"Cookie": carried}, proxy=None) as socket:
            yield Tab(socket)

    @property
    def _token(self) -> dict[str, str]:
        return {"x-csrftoken": self.http.cookies["csrftoken"]}


class Tab:
    """One open tab: what it was told last, and what it asks for."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.asked = 0
        self.heard: list[Told] = []  # everything, as it came
        self.view: Told = {}
        self.until("state")

    def hear(self) -> Told:
        message: Told = json.loads(self.socket.recv(timeout=PATIENCE))
        self.heard.append(message)
        if message["type"] == "state":
            self.view = message["view"]
        return message

    def until(self, *kinds: str) -> Told:
        while (message := self.hear())["type"] not in kinds:
            pass
        return message

    def sees(self, **wanted: Any) -> Told:
        """Wait until the table stands so."""
        while any(self.view[key] != value for key, value in wanted.items()):
            self.hear()
        return self.view

    def ask(self, kind: str, **said: Any) -> Told:
        """Ask for something; what comes back is whether it was done."""
        self.asked += 1
        self.socket.send(json.dumps({"id": self.asked, "type": kind, **said}))
        while True:
            message = self.hear()
            if message["type"] in ("done", "refused", "coach") and message["id"] == self.asked:
                return message

    def do(self, kind: str, **said: Any) -> Told:
        """Ask for something that is done, and see how the table stands then."""
        answer = self.ask(kind, **said)
        assert answer["type"] == "done", answer
        self.until("state")
        return self.view

    def choose(self, name: str, **said: Any) -> Told:
        decision = self.view["decisions"][0]
        where = {"spot": decision["spot"], "about": decision["about"], "round": self.view["round"]}
        return self.do("choose", name=name, **where, **said)

    @property
    def offers(self) -> list[str]:
        return [offer["name"] for each in self.view["decisions"] for offer in each["offers"]]
