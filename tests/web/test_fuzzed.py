"""Whatever is sent, the server answers: nothing that schemathesis or chance thinks of makes it fail."""

import json
import os
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi import checks as promises

from feltworks import catalog
from feltworks.web.app import create_app
from feltworks.web.lab.router import PAPERS
from feltworks.web.responses import complete
from tests.web.player import Visitor
from tests.web.serving import served
from tests.web.staff import Colleague, hire

CHECKS = [
    schemathesis.checks.not_a_server_error,
    promises.status_code_conformance,
    promises.content_type_conformance,
    promises.response_schema_conformance,
]
EXAMPLES = int(os.environ.get("FELT_EXAMPLES", "4"))  # of each operation; `make schema` takes sixty
PATIENCE = 60  # seconds for a paper on a busy machine, where schemathesis waits for ten
ALIKE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
# names in the laboratory that lead somewhere; the figures behind these wagers take milliseconds
NAMES = {
    "game": ["spanish-poker", "fu-bacc", "fan-tan"],
    "wager": ["joker-in-hand", "lucky-monkey", "ante"],
    "name": [name for name in PAPERS if name not in ("par", "submission")],  # these two deal a million rounds
    "format": ["json", "csv", "html"],  # a PDF takes seconds to set
}
# schemathesis' own tour of every boundary makes hundreds of calls to each address
BRIEF = {"phases": {"coverage": {"enabled": False}, "stateful": {"enabled": False}}}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("fuzzed")
    hire(folder)
    with served(folder) as found:
        yield found


@pytest.fixture(scope="module")
def ann(address: str) -> Iterator[Visitor]:
    with closing(Visitor(address, "Ann")) as met:
        yield met


@pytest.fixture
def root(address: str) -> Iterator[Colleague]:
    with closing(Colleague(address, "Root")) as met:
        met.logs_in("root")
        yield met


def _described() -> dict[str, Any]:
    """What the application says of itself, with real names where it takes one."""
    described = complete(create_app().openapi_schema.to_schema())
    del described["paths"]["/api/lab/protection/{game}"]["get"]  # half a minute each; tests/protection has the record
    laboratory = [described["paths"][path] for path in described["paths"] if path.startswith("/api/lab/")]
    operations = [operation for each in laboratory for operation in each.values()]
    for parameter in [each for operation in operations for each in operation.get("parameters", ())]:
        if parameter["name"] in NAMES:
            parameter["schema"] = {"type": "string", "enum": NAMES[parameter["name"]]}
    return described


schema = schemathesis.openapi.from_dict(_described(), config=SchemathesisConfig.from_dict(BRIEF))


@schema.parametrize()
@settings(ALIKE, max_examples=EXAMPLES)
def test_schemathesis_finds_no_fault_behind_any_address(case: Any, root: Colleague) -> None:
    token = root.http.cookies["csrftoken"]
    carried = "; ".join(f"{name}={value}" for name, value in root.http.cookies.items())
    headers = {"x-csrftoken": token, "Cookie": carried}
    answer = case.call(base_url=f"http://{root.address}", headers=headers, timeout=PATIENCE)
    case.validate_response(answer, checks=CHECKS)


def test_every_format_of_an_answer_is_described() -> None:
    paths = complete(create_app().openapi_schema.to_schema())["paths"]
    operations = [each for path in paths.values() for each in path.values()]
    formats = [
        (parameter["schema"]["enum"], operation["responses"]["200"]["content"])
        for operation in operations
        for parameter in operation.get("parameters", ())
        if parameter["name"] == "format"
    ]
    assert formats
    assert all(any(name in media for media in content) for names, content in formats for name in names)


def test_every_operation_is_described_in_words() -> None:
    paths: dict[str, Any] = create_app().openapi_schema.to_schema()["paths"]
    operations = [(path, each) for path in paths if path.startswith("/api/") for each in paths[path].values()]
    assert operations
    assert [path for path, operation in operations if not operation.get("description")] == []


words = st.one_of(st.text(max_size=12), st.sampled_from(["ante", "blackjack", "offers", "decks", "1", "2", "9"]))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**20), 10**20), st.floats(), words),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=2),
    max_leaves=5,
)
cents = st.one_of(st.integers(1, 100_000), st.integers(-5, 10**12))


@st.composite
def orders(draw: Any) -> dict[str, Any]:
    """Orders of tables that are nearly right."""
    game = draw(st.sampled_from(catalog.games()))
    book = catalog.rulebook(game)
    named = st.one_of(st.sampled_from(sorted(book.option)), words)
    wagers = st.one_of(st.sampled_from(sorted(book.wager)), words)
    order = {
        "game": game,
        "options": draw(st.dictionaries(named, values, max_size=2)),
        "pay_tables": draw(st.dictionaries(wagers, words, max_size=1)),
        "limits": draw(st.dictionaries(wagers, st.tuples(cents, cents), max_size=2)),
        "seats": draw(st.none() | st.integers(0, 21)),
        "jackpot": draw(st.integers(-1, 10**11)),
    }
    return {key: order[key] for key in draw(st.sets(st.sampled_from(sorted(order)))) | {"game"}}


@settings(ALIKE, max_examples=40)
@given(order=orders())
def test_a_strange_table_is_opened_or_refused_in_a_sentence(ann: Visitor, order: dict[str, Any]) -> None:
    token = {"x-csrftoken": ann.http.cookies["csrftoken"], "content-type": "application/json"}
    answer = ann.http.post("/api/tables", content=json.dumps(order), headers=token)
    assert answer.status_code in (201, 400), (answer.text, order)
    assert answer.status_code == 201 or answer.json()["error"]


names = st.sampled_from(["ante", "tie", "lucky-monkey", "play", "fold", "stay", "hit", "bonus", "rescue", "x"])
spots = st.sampled_from([2, 5, 1, 0, 99])
amounts = st.sampled_from([0, 100, 500, 1000, 50_000, 10**12, -100])
money = st.dictionaries(names, amounts, max_size=3)
actions = st.one_of(
    st.fixed_dictionaries({"type": st.just("sit"), "spot": spots, "stack": amounts}),
    st.fixed_dictionaries({"type": st.just("wager"), "spot": spots, "wagers": money, "tokes": money}),
    st.fixed_dictionaries({"type": st.just("wager"), "spot": spots, "wagers": st.just({"ante": 1000})}),
    st.fixed_dictionaries({"type": st.just("withdraw"), "spot": spots}),
    st.fixed_dictionaries({"type": st.just("buy"), "cents": amounts}),
    st.fixed_dictionaries({"type": st.sampled_from(["ready", "leave", "pause", "fly"])}),
    st.fixed_dictionaries({"type": st.just("ready")}),
    st.fixed_dictionaries(
        {"type": st.just("choose"), "spot": spots, "round": st.integers(-1, 9), "name": names},
        optional={"cents": amounts, "about": names},
    ),
    st.fixed_dictionaries({"type": st.just("coach"), "spot": spots}),
)


@settings(ALIKE, max_examples=5)
@given(script=st.lists(st.tuples(st.booleans(), actions), min_size=15, max_size=40))
def test_two_who_send_at_random_are_always_answered_and_never_owe(
    ann: Visitor, script: list[tuple[bool, dict[str, Any]]]
) -> None:
    table = ann.opens("fu-bacc", private=True)
    with closing(Visitor(ann.address, "Bob")) as bob, ann.at(table) as a, bob.at(table) as b:
        a.do("sit", spot=2)
        b.do("sit", spot=5)
        for is_ann, action in script:
            tab = a if is_ann else b
            assert tab.ask(action["type"], **{key: said for key, said in action.items() if key != "type"})
            assert tab.view["stack"] is None or tab.view["stack"] >= 0


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("", 400),
        ("{", 400),
        ("[]", 400),
        ('{"game":1}', 400),
        ('{"game":"fu-bacc","cheat":1}', 400),
        ('{"game":"' + "x" * 41 + '"}', 400),
        ('{"game":"fan-tan"}', 400),
        ('{"game":"fu-bacc","options":' + "[" * 3000 + "]" * 3000 + "}", 400),
        (" " * (64 * 1024 + 1), 413),
    ],
    ids=range(9),
)
def test_a_body_that_is_no_order_is_bad_input(ann: Visitor, body: str, status: int) -> None:
    token = {"x-csrftoken": ann.http.cookies["csrftoken"], "content-type": "application/json"}
    answer = ann.http.post("/api/tables", content=body, headers=token)
    assert (answer.status_code, bool(answer.json()["error"])) == (status, True)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("", "the body is missing"),
        ("[]", "the body: expected `object`, got `array`"),
        ('{"game":5}', "game: expected `str`, got `int`"),
    ],
)
def test_what_is_wrong_with_a_body_is_said_in_a_sentence(ann: Visitor, body: str, sentence: str) -> None:
    token = {"x-csrftoken": ann.http.cookies["csrftoken"], "content-type": "application/json"}
    answer = ann.http.post("/api/tables", content=body, headers=token)
    assert answer.json()["error"] == f"the request cannot be used: {sentence}"


def test_an_unknown_address_and_an_unknown_method_are_said_so(address: str) -> None:
    for path in ("/api/nothing", "/assets/none.js"):
        answer = httpx.get(f"http://{address}{path}").json()
        assert (answer["kind"], answer["error"]) == ("NotFoundException", "there is nothing at this address")
    assert httpx.request("DELETE", f"http://{address}/api/tables").status_code in (403, 405)
