"""Attacks on open tables: forged, replayed and nonsensical messages, foreign pages, peeking: all fail."""

import json
from collections.abc import Callable, Iterator

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.table.stacked import StackedDeck
from tests.web.player import PATIENCE, Tab, Told, Visitor
from tests.web.serving import Stacking, served

Visits = Callable[[str], Visitor]


@pytest.fixture(scope="module")
def stacking() -> Stacking:
    return Stacking()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, stacking: Stacking) -> Iterator[str]:
    """One server for all: every attack has a table of its own."""
    with served(tmp_path_factory.mktemp("attacked"), stacking) as found:
        yield found


def seen(tab: Tab) -> Told:
    """The table as it stands now: joining is told to everybody."""
    tab.ask("coach", spot=99)
    return {key: value for key, value in tab.view.items() if key != "countdown"}


def in_a_round(ann: Tab, bob: Tab) -> None:
    for tab, spot in ((ann, 2), (bob, 5)):
        tab.do("sit", spot=spot)
        tab.do("wager", spot=spot, wagers={"ante": 1000})
    ann.do("ready")
    bob.do("ready")
    ann.sees(running=True)


FORGED: list[tuple[str, Told]] = [
    ("choose", {"spot": 2, "round": 1, "name": "fold"}),
    ("choose", {"spot": 5, "round": 1, "name": "fold"}),  # one's own, before its turn
    ("choose", {"spot": 99, "round": 1, "name": "fold"}),
    ("choose", {"spot": 5, "round": 2, "name": "fold"}),
    ("choose", {"spot": 5, "round": -1, "name": "fold"}),
    ("wager", {"spot": 2, "wagers": {"ante": 500}}),
    ("wager", {"spot": 5, "wagers": {"ante": 500}}),
    ("withdraw", {"spot": 2}),
    ("withdraw", {"spot": 5}),
    ("coach", {"spot": 2}),
    ("ready", {}),
    ("leave", {}),
    ("buy", {"cents": 50000}),
    ("sit", {"spot": 3}),
    ("pause", {}),
]


@pytest.mark.parametrize(("kind", "said"), FORGED, ids=[f"{n}-{kind}" for n, (kind, _) in enumerate(FORGED)])
def test_in_a_round_nobody_acts_for_another_nor_out_of_turn(visitor: Visits, kind: str, said: Told) -> None:
    ann, bob = visitor("Ann"), visitor("Bob")
    table = ann.opens("fu-bacc")
    with ann.at(table) as a, bob.at(table) as b:
        in_a_round(a, b)
        before = seen(a)
        answer = b.ask(kind, **said)
        assert (answer["type"], bool(answer["error"])) == ("refused", True)
        assert seen(a) == before


WRONG_CHOICES: list[Told] = [
    {"name": "rescue"},  # not offered to this hand
    {"name": "bonus"},
    {"name": "hit", "cents": 1},
    {"name": "hit", "cents": 10**12},
    {"name": "hit", "cents": -2000},
    {"name": "fold", "cents": 1000},
    {"name": "hit", "about": "hand 2"},
    {"name": ""},
]


@pytest.mark.parametrize("said", WRONG_CHOICES, ids=json.dumps)
def test_a_choice_that_is_not_offered_changes_nothing(visitor: Visits, stacking: Stacking, said: Told) -> None:
    ann = visitor("Ann")
    stacking.laid = "5c Kd 2h 9s 4h Ac"
    with ann.at(ann.opens("fu-bacc")) as tab:
        tab.do("sit", spot=2)
        tab.do("wager", spot=2, wagers={"ante": 1000})
        tab.do("ready")
        before = seen(tab)
        assert tab.ask("choose", **{"spot": 2, "round": 1, **said})["type"] == "refused"
        assert seen(tab) == before


def test_a_message_sent_again_is_refused_and_counts_once(visitor: Visits) -> None:
    ann = visitor("Ann")
    with ann.at(ann.opens("fu-bacc")) as tab:
        tab.do("sit", spot=2, stack=50000)
        tab.do("buy", cents=10000)
        tab.socket.send(json.dumps({"id": tab.asked, "type": "buy", "cents": 10000}))
        assert tab.until("refused")["kind"] == "BadMessage"
        tab.do("wager", spot=2, wagers={})
        assert tab.view["stack"] == 60000


def test_a_choice_sent_again_is_refused(visitor: Visits) -> None:
    ann = visitor("Ann")
    with ann.at(ann.opens("fu-bacc")) as tab:
        tab.do("sit", spot=2)
        tab.do("wager", spot=2, wagers={"ante": 1000})
        tab.do("ready")
        tab.choose("fold")
        stack = tab.view["stack"]
        again = tab.ask("choose", spot=2, round=1, name="fold")
        assert (again["type"], again["kind"]) == ("refused", "NotNow")
        assert tab.view["stack"] == stack


ODD: list[str | bytes] = [
    b'{"id":1,"type":"ready"}',  # not text
    b"\x00\xff" * 10,
    '{"id":1,"type":"ready","type":"leave"}',
    '{"id":1e3,"type":"ready"}',
    '{"id":NaN,"type":"ready"}',
    '{"id":9999999999999999999999,"type":"ready"}',
    '{"id":7,"type":"wager","spot":2,"wagers":{"' + "x" * 41 + '":1}}',
    '{"id":7,"type":"wager","spot":2,"wagers":' + '{"a":' * 500 + "1" + "}" * 501,
    '{"id":7,"type":"sit","spot":0}',
    '{"id":7,"type":"sit","spot":100}',
    '{"id":7,"type":"buy","cents":9007199254740993000}',
    '{"id":7,"type":"choose","spot":2,"round":1,"name":"' + "\u0000" * 41 + '"}',
    "\ud7ff" * 4000,
    "x" * (1 << 20),
]


@pytest.mark.parametrize("message", ODD, ids=range(len(ODD)))
def test_odd_messages_get_a_typed_answer_and_the_table_goes_on(visitor: Visits, message: str | bytes) -> None:
    ann = visitor("Ann")
    with ann.at(ann.opens("fu-bacc")) as tab:
        before = tab.do("sit", spot=2)
        tab.socket.send(message)
        assert tab.until("refused")["kind"] == "BadMessage"
        assert tab.do("wager", spot=2, wagers={}) == before


def test_whoever_has_no_session_may_watch_and_nothing_more(address: str, visitor: Visits) -> None:
    table = visitor("Ann").opens("fu-bacc")
    for kind, said in [("sit", {"spot": 2}), ("ready", {}), ("leave", {}), ("coach", {"spot": 2})]:
        with connect(f"ws://{address}/api/tables/{table}/live", proxy=None) as socket:
            tab = Tab(socket)
            assert tab.ask(kind, **said)["type"] == "refused"
            assert all(seat["player"] is None for seat in tab.view["seats"])


def test_a_forged_session_is_nobody(address: str, visitor: Visits) -> None:
    table = visitor("Ann").opens("fu-bacc")
    forged = {"Cookie": "session=" + "A" * 200}
    with connect(f"ws://{address}/api/tables/{table}/live", additional_headers=forged, proxy=None) as socket:
        assert Tab(socket).ask("sit", spot=2)["type"] == "refused"
    answer = httpx.get(f"http://{address}/api/me", headers=forged)
    assert answer.status_code == 200
    assert answer.json()["guest"]


@pytest.mark.parametrize("path", ["/api/tables/{}/live", "/api/lab/simulate"])
@pytest.mark.parametrize("origin", ["http://elsewhere.example", "http://127.0.0.1:1", "null", "http://[", ""])
def test_a_page_from_elsewhere_opens_no_connection(visitor: Visits, path: str, origin: str) -> None:
    ann = visitor("Ann")
    url = f"ws://{ann.address}{path.format(ann.opens('fu-bacc'))}"
    carried = "; ".join(f"{name}={value}" for name, value in ann.http.cookies.items())
    headers = {"Cookie": carried, "Origin": origin}
    with pytest.raises((ConnectionClosed, InvalidStatus)):
        first_word(url, headers)


def first_word(url: str, headers: dict[str, str]) -> str | bytes:
    """What a socket hears first, if it hears anything."""
    with connect(url, additional_headers=headers, proxy=None) as socket:
        socket.send("{}")
        return socket.recv(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/tables", {"game": "fu-bacc"}),
        ("PUT", "/api/me", {"name": "Eve"}),
        ("POST", "/api/chair", {"game": "fu-bacc"}),
    ],
)
def test_a_form_on_another_page_changes_nothing(visitor: Visits, method: str, path: str, body: Told) -> None:
    ann = visitor("Ann")
    for headers in [{}, {"x-csrftoken": "A" * 96}, {"x-csrftoken": ""}]:
        for kind in ["application/json", "text/plain", "application/x-www-form-urlencoded"]:
            sent = {"content-type": kind, **headers}
            assert ann.http.request(method, path, content=json.dumps(body), headers=sent).status_code == 403
    assert ann.http.get("/api/me").json()["name"] == "Ann"


def test_cookies_of_the_session_are_out_of_reach_of_scripts_and_other_sites(address: str) -> None:
    given = httpx.get(f"http://{address}/api/me").headers.get_list("set-cookie")
    session = next(each for each in given if each.startswith("session"))
    assert "httponly" in session.lower()
    assert all("samesite=lax" in each.lower() for each in given)


def test_no_answer_is_guessed_at_or_framed(address: str) -> None:
    for path in ["/", "/api/games", "/no/such/page", "/healthz"]:
        headers = httpx.get(f"http://{address}{path}").headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


SECRETS = ("seed", "secret", "session", "password")


def test_nothing_that_is_served_tells_a_hidden_card_or_the_seed(visitor: Visits, stacking: Stacking) -> None:
    ann, eve = visitor("Ann"), visitor("Eve")
    hand, dealer = "Ac Ad 3h 4s 5d", "Kc Kd Qh 3s 4d"
    stacking.laid = f"{hand} {dealer}"
    table = ann.opens("spanish-poker", private=True)
    assert table not in eve.http.get("/api/tables").text
    with ann.at(table) as tab, eve.at(table) as other:
        tab.do("sit", spot=2)
        tab.do("wager", spot=2, wagers={"ante": 1000})
        tab.do("ready")
        other.sees(running=True)
        paths = [f"/api/tables/{table}", f"/api/tables/{table}/proof", "/api/tables", "/metrics", "/healthz"]
        served = [eve.http.get(path).text for path in paths] + [json.dumps(each) for each in other.heard]
        for text in served:
            assert not [code for code in f"{hand} {dealer}".split() if f'"{code}"' in text]
            assert StackedDeck("").secret not in text
        assert not [code for code in dealer.split() if f'"{code}"' in json.dumps(tab.heard)]
        assert eve.http.get(f"/api/tables/{table}/proof").json()["seed"] is None


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../app.py",
        "/assets/%2e%2e/app.py",
        "/assets/..%2f..%2fapp.py",
        "/assets//etc/passwd",
        "/api/tables/..%2f..%2fsession.key",
        "/table/%2e%2e%2fsession.key",
    ],
)
def test_no_file_outside_the_pages_is_served(address: str, path: str) -> None:
    answer = httpx.get(f"http://{address}{path}")
    assert answer.status_code < 500
    assert "import " not in answer.text or "<!doctype html>" in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize("path", ["/assets/%00", "/assets/a%00b.js", "/assets/" + "a" * 300, "/assets/a/%ff"])
def test_a_name_that_no_file_can_have_is_not_found(address: str, path: str) -> None:
    assert httpx.get(f"http://{address}{path}").status_code == 404
