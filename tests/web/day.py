"""A day at the house, request by request: recorded once as the examples of the HTTP interface.

`python -m tests.web.day` deals it anew and writes what was asked and answered over the record.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
import msgspec

from feltworks.house.journal.seals import NotedSeal, note_seal
from feltworks.house.storage.migration import open_database, read_house
from feltworks.web.responses import Example
from tests.house.dealt import Dealt
from tests.web.serving import served
from tests.web.staff import Colleague, hire, password_of, signed

RECORD: Final = Path(__file__).parents[2] / "src/feltworks/web/examples.json"
PATIENCE: Final = 120.0  # seconds for an answer
LONGEST, WIDEST, MOST_LETTERS = 2, 30, 400  # of a list, of a record and of a text in an example
Query = Mapping[str, Any]


class Day:
    """Everybody at a browser of their own, asking one thing after the other."""

    def __init__(self, address: str, stack: ExitStack) -> None:
        self._address, self._stack = address, stack
        self._met: dict[str, Colleague] = {}

    def asks(self, method: str, path: str, who: str, query: Query, body: Any) -> httpx.Response:
        """What somebody is answered; whoever logs in does so with the first thing they ask."""
        if who not in self._met:
            self._met[who] = self._stack.enter_context(closing(Colleague(self._address, "Iris")))
            if who and not path.endswith("/login"):
                assert self._met[who].logs_in(who).status_code == 200
        http = self._met[who].http
        headers = {"x-csrftoken": http.cookies["csrftoken"]}
        return http.request(method, path, params=query, json=body, headers=headers, timeout=PATIENCE)

    def deals(self, table: str) -> None:
        """A guest plays a round at a table: over its WebSocket, so that there is something to prove."""
        with self._met[""].at(table) as tab:
            tab.do("sit", spot=3)
            tab.do("wager", spot=3, wagers={"ante": 1000})
            tab.do("ready")
            while tab.view["decisions"]:
                tab.choose(tab.offers[0])


def lose_newer_books(folder: Path) -> None:
    """Note the seal of a posting that these books do not have, as if they were restored from an old backup."""
    database = open_database(f"sqlite:///{folder / 'house.sqlite'}")
    with database.snapshot() as connection:
        note_seal(read_house(connection).books, NotedSeal("house tokes", 9, "ab" * 32))
    database.close()


def shortened(value: Any) -> Any:
    """An answer as an example shows it: the beginning of what is long."""
    if isinstance(value, dict):
        kept = value if len(value) <= WIDEST else dict(list(value.items())[:LONGEST])
        return {key: shortened(each) for key, each in kept.items()}
    if isinstance(value, list):
        return [shortened(each) for each in value[:LONGEST]]
    return value[:MOST_LETTERS] if isinstance(value, str) else value


PIT = signed("flo", floor_supervisor="flo", dealer="dee")
FILLED = signed("flo", floor_supervisor="flo", cage="cal", security="sam", dealer="dee")
ROOT = {"person": "root", "password": password_of("root")}
SUE = {"person": "sue", "password": password_of("sue")}
INES = {"person": "ines", "password": password_of("ines")}
ART = {"person": "art", "password": password_of("art")}
LONG_AGO = "2025-01-01"  # a day without a box
CAL = {"person": "cal", "password": password_of("cal")}
ORDER = {"game": "fu-bacc", "limits": {"ante": {"minimum": 500, "maximum": 20000}}}
LAB = "/api/lab/{game}/{wager}"
JOKER = {"game": "spanish-poker", "wager": "joker-in-hand"}
MET = {"met_by": "the house", "reference": "file 7", "second": ROOT}


class Step(NamedTuple):
    """Something that is asked."""

    method: str
    path: str
    who: str = ""
    at: dict[str, str] = {}  # noqa: RUF012 (a tuple's default is never written to)
    query: dict[str, Any] = {}  # noqa: RUF012
    body: dict[str, Any] | None = None


def get(path: str, who: str = "", at: dict[str, str] | None = None, **query: Any) -> Step:
    return Step("GET", path, who, at or {}, query)


def put(path: str, who: str = "", **body: Any) -> Step:
    return Step("PUT", path, who, body=body)


def post(path: str, who: str = "", **body: Any) -> Step:
    return Step("POST", path, who, body=body or None)


def steps(day: Day, answers: list[Any]) -> Iterator[Step]:
    """What is asked in turn; a step may look at the answers so far."""
    yield from _guests(day, answers)
    yield from _laboratory()
    yield from _approvals(answers)
    yield from _tables(answers)
    yield from _periods()
    yield from _register(answers)
    yield from _jackpot(answers)
    yield from _people()


def _guests(day: Day, answers: list[Any]) -> Iterator[Step]:
    yield get("/healthz")
    yield get("/readyz")
    yield get("/api/me")
    yield put("/api/me", name="Iris")
    yield get("/api/games")
    limits = {"ante": [500, 10000]}
    yield post("/api/tables", game="fu-bacc", name="Iris and friends", limits=limits, seats=5)
    opened = answers[-1]["id"]
    yield get("/api/tables")
    yield get("/api/tables/{table}", at={"table": opened})
    day.deals(opened)
    yield get("/api/tables/{table}/proof", at={"table": opened})
    yield post("/api/chair", game="fu-bacc", seats=2, lesson="procedure")
    yield get("/api/chair")
    yield post("/api/chair/move", number=answers[-1]["number"], move={"do": "next"})
    yield get("/api/chair/{game}", at={"game": "fu-bacc"})
    yield get("/api/trainer/{game}", at={"game": "fu-bacc"})
    yield Step("POST", "/api/trainer/{game}/hand", at={"game": "fu-bacc"}, body={"number": 7})
    yield get("/metrics")


def _laboratory() -> Iterator[Step]:
    yield get(LAB, at=JOKER)
    yield get(f"{LAB}/compare", at=JOKER, set=["breakage=up"])
    yield get(f"{LAB}/design", at=JOKER, target=5)
    yield get(f"{LAB}/strategy", at={"game": "fu-bacc", "wager": "ante"}, rules=1)
    yield get("/api/lab/audit", game="lucky-lucky")
    yield get("/api/lab/progress", of="Fu Bacc: Ante")
    yield get(f"{LAB}/knowledge", at={"game": "fu-bacc", "wager": "ante"}, sees="hole")
    yield get("/api/lab/protection/{game}", at={"game": "fu-bacc"})
    yield get("/api/lab/papers/{name}/{game}", at={"name": "procedure", "game": "fu-bacc"}, format="html")


def _approvals(answers: list[Any]) -> Iterator[Step]:
    login = "/api/house/login"
    yield post(login, "ines", name="ines", password=password_of("ines"))
    yield get("/api/house/demo")
    yield get("/api/house/me", "ines")
    yield get("/api/house/actions", "ines")
    yield get("/api/house/notices", "ines")
    yield get("/api/house/names", "ines")
    yield get("/api/house/approvals", "ines", game="fu-bacc")
    for step in [each["step"] for each in answers[-1][0]["steps"]]:
        yield post("/api/house/approvals", "ines", game="fu-bacc", act="met", step=step, **MET)
    definition = {"act": "definition", "reference": "letter", "second": ROOT}
    yield post("/api/house/approvals", "ines", game="fu-bacc", **definition)
    for matter, reference in (("count team", "letter 610"), ("toke method", "by hours")):
        yield post("/api/house/approvals/house", "ines", matter=matter, reference=reference, second=ROOT)


def _tables(answers: list[Any]) -> Iterator[Step]:
    at = "/api/house/tables"
    yield post("/api/house/check", "flo", **ORDER)
    yield post(f"{at}/open", "flo", table="3", order=ORDER, cents=10_000_00, signed=PIT, key="open 3")
    yield post(f"{at}/fill", "flo", table="3", cents=1_500_00, signed=FILLED)
    yield post(f"{at}/credit", "flo", table="3", cents=500_00, signed=FILLED)
    voided = signed("flo", floor_supervisor="flo", witness="cal")
    yield post(f"{at}/void", "flo", kind="credit", serial=1, because="written twice", signed=voided)
    paid = {"wager": "lucky-monkey", "wagered": 100_00, "cents": 3_000_00, "player": "Iris", "hand": "Kc Qd"}
    yield post(f"{at}/payout", "flo", table="3", signed=PIT, **paid)
    yield post(f"{at}/close", "flo", table="3", cents=9_000_00, signed=PIT)
    stakes = [{"wager": "ante", "cents": 1000, "count": 400}]
    yield post(f"{at}/wagers", "flo", table="3", stakes=stakes, signed=signed("flo", gambling="flo"))
    pulled = signed("sam", security="sam", gambling="ben")
    dealt = Dealt()
    dealt.play(ante=1000)
    log = b"".join(line + b"\n" for line in dealt.lines).decode()
    yield post(f"{at}/log", "flo", table="3", log=log, signed=signed("flo", gambling="flo"))
    yield post(f"{at}/drop", "sam", table="3", signed=pulled)
    box = {"10000": 30, "2000": 5}
    first, others = signed("art", first_counter="art"), signed("ben", second_counter="ben", third_counter="cam")
    yield post(f"{at}/tally", "art", table="3", count=box, signed=first)
    yield post(f"{at}/count", "ben", table="3", count=box, signed=others)
    found_short = signed("flo", floor_supervisor="flo", dealer="dee", security="sam")
    short = {"table": "3", "order": ORDER, "cents": 8_600_00, "shift": "2"}
    yield post(f"{at}/open", "flo", signed=found_short, **short)
    yield get(at, "flo")
    yield get("/api/house/floor", "flo")
    opened = next(answer["id"] for answer in answers if isinstance(answer, dict) and answer.keys() == {"id"})
    yield post("/api/house/floor/close", "flo", table=opened, because="a card was seen")
    yield get("/api/house/report", "flo")
    yield get("/api/house/tasks", "flo")
    done = {"task": answers[-1][0]["id"], "reference": "letter 12"}
    yield post("/api/house/tasks/done", "ines", signed=signed("ines", notifier="ines"), **done)
    yield post(f"{at}/close", "flo", table="3", cents=8_500_00, signed=PIT)
    yield post(f"{at}/drop", "sam", table="3", signed=pulled)
    yield post(f"{at}/tally", "art", table="3", count=box, signed=first)
    yield post(f"{at}/count", "ben", table="3", count=box, signed=others)
    slip = {"kind": "count", "serial": answers[-1]["slip"]["serial"], "because": "miscounted"}
    revisers = {"accounting": "ines", "independent": "sue"}
    yield post(f"{at}/revise", "ines", signed=signed("ines", **revisers), **slip)
    yield post(f"{at}/tally", "ben", table="3", count=box, signed=signed("ben", first_counter="ben"))
    again = signed("ines", **revisers, second_counter="art", third_counter="cam")
    yield post(f"{at}/recount", "ines", table="3", count=box, signed=again)
    yield get(f"{at}/slip", "flo", kind="fill", serial=1)
    yield post(f"{at}/tokes", "dee", table="3", cents=40_00, signed=signed("dee", dealer="dee", witness="flo"))
    shared = {"shares": {"dee": 25_00, "ben": 15_00}, "reference": "by hours"}
    yield post(f"{at}/share-tokes", "dee", signed=signed("dee", dealer="dee", witness="cal"), **shared)


def _periods() -> Iterator[Step]:
    at = "/api/house"
    yield post(f"{at}/closings", "ines", period=LONG_AGO, witness=ART)
    yield get(f"{at}/closings", "ines")
    yield post(f"{at}/restoration", "root", because="the disk died", second=INES)
    yield get(f"{at}/summary", "ines", period=LONG_AGO[:7], tax_rate="1/10")
    yield get(f"{at}/hold", "ines", period=LONG_AGO[:7])


def _register(answers: list[Any]) -> Iterator[Step]:
    at = "/api/house/register"
    deck = {"kind": "cards", "name": "red bee", "says": "received", "count": 12, "reference": "invoice 7"}
    yield post(at, "flo", witness=SUE, **deck)
    entry = answers[-1]["number"]
    yield get(at, "flo")
    yield get(f"{at}/kinds", "flo")
    yield get("/api/house/today", "flo", day=LONG_AGO)
    yield post(f"{at}/strike", "flo", entry=entry, because="destroyed before two witnesses", witness=SUE)


def _jackpot(answers: list[Any]) -> Iterator[Step]:
    at = "/api/house/jackpots"
    opened = {"approval": "controls of 2008", "seed": 1_000_00, "increment": 75, "witness": CAL}
    yield post(at, "ines", name="gran", **opened)
    royal = {"act": "round", "table": "5", "round": "902", "hands": ["7c Jc Qc Kc Ac"]}
    yield post(f"{at}/post", "flo", name="gran", act=royal, witness=SUE)
    yield get(at, "ines")
    yield get(f"{at}/meter", "ines", named="gran", days=30)
    yield get("/api/house/books", "ines")
    yield get("/api/house/journal", "ines", named="gran", most=2)
    sealed = answers[-1]["postings"][0]
    yield get("/api/house/verify", "ines", expect=[f"gran:{sealed['number']}:{sealed['seal']}"])
    yield get("/api/house/export", "ines", named="gran")


def _people() -> Iterator[Step]:
    at = "/api/house/people"
    yield post(at, "root", name="pat", role="dealer", password="a long enough one", witness=INES)
    yield post(f"{at}/change", "root", name="pat", act="role", role="cage", witness=INES)
    yield get(at, "root")
    yield put("/api/house/me/password", "dee", old=password_of("dee"), new="another long one")
    yield post("/api/house/logout", "dee")


def recording(folder: Path) -> list[Example]:
    """The day as it goes now."""
    hire(folder)
    answers: list[Any] = []
    found: list[Example] = []
    with served(folder) as address, ExitStack() as stack:
        day = Day(address, stack)
        for step in steps(day, answers):
            if step.path.endswith("/restoration"):
                lose_newer_books(folder)
            answer = day.asks(step.method, step.path.format(**step.at), step.who, step.query, step.body)
            assert answer.is_success, (step, answer.text)
            media = answer.headers["content-type"].partition(";")[0]
            answers.append(answer.json() if media == "application/json" else answer.text)
            asked = (step.who, step.at, step.query, step.body, media)
            found.append(Example(step.method, step.path, answer.status_code, shortened(answers[-1]), *asked))
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        written = msgspec.json.format(msgspec.json.encode(recording(Path(folder))), indent=1)
        RECORD.write_bytes(written + b"\n")
