"""`felt settle` never breaks off: whatever a line holds, it is settled or refused in a sentence."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Struct, structs

from feltworks.written.record import FinishedRound, FinishedSeat
from feltworks.written.settle import settle_line
from tests.conformance.play import play
from tests.conformance.variants import Variant, game_of, variants
from tests.conformance.written import written, written_games

Document = dict[str, Any]
WORDS = (
    *("9s", "Th", "Jo", "1h", "fold", "raise", "split", "ante", "blackjack", "lucky-break", "fu-bacc", "1B"),
    *("none", "cards", "choice", "choices", "hands", "third", "insurance", "tokes", "jackpot", "options"),
    *("offers", "dealer", "draws", "spot", "player", "void", "date", "limit"),
)
KEYS = st.text(max_size=4) | st.sampled_from(WORDS)
NUMBERS = st.sampled_from([0, 1, -1, 100, 101, 2**31, 2**63, 2**64, 10**30]) | st.integers(-200, 2000)
LEAVES = st.none() | st.booleans() | NUMBERS | st.floats() | KEYS
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=6
)

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    101,
    1.5,
    10**30,
    "",
    "x",
    "Ah",
    [],
    {},
    [[]],
    [None],
    {"x": 1},
    [{}],
    ["Ah"],
]


def legal(variant: Variant, seed: int) -> Document:
    """A round that was played, written down."""
    return written(variant, play(game_of(variant), random.Random(seed), in_order=True))


tables = st.sampled_from(written_games()).flatmap(lambda name: st.sampled_from(variants(name)))
documents = st.builds(legal, tables, st.integers(0, 10_000))


def is_answer(answer: Any) -> bool:
    """A settlement, or one sentence on what was wrong."""
    if set(answer) == {"error"}:
        return isinstance(answer["error"], str) and bool(answer["error"].strip())
    json.dumps(answer)
    return isinstance(answer["seats"], list) and "error" not in answer


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container of a document with each of its keys."""
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    found = [(value, key) for key in keys]
    for key in keys:
        if isinstance(value[key], dict | list):
            found += places(value[key])
    return found


def damage(document: Document, data: st.DataObject) -> None:
    """Change one thing somewhere in a document."""
    container, key = data.draw(st.sampled_from(places(document)))
    act = data.draw(st.sampled_from(["replace", "drop", "add", "nudge", "double"]))
    if act == "drop":
        del container[key]
    elif act == "add" and isinstance(container, dict):
        container[data.draw(KEYS)] = data.draw(VALUES)
    elif act == "double" and isinstance(container, list):
        container.append(container[key])
    elif act == "nudge" and isinstance(container[key], int):
        container[key] += data.draw(st.sampled_from([-1, 1]))
    else:
        container[key] = data.draw(VALUES)


@settings(max_examples=50)
@given(documents)
def test_a_legal_round_is_settled(document: Document) -> None:
    assert "seats" in settle_line(json.dumps(document))


@settings(max_examples=200)  # `make fuzz` spoils twenty thousand
@given(documents, st.integers(1, 3), st.data())
def test_a_damaged_round_is_settled_or_refused(document: Document, times: int, data: st.DataObject) -> None:
    for _ in range(times):
        if places(document):
            damage(document, data)
    assert is_answer(settle_line(json.dumps(document)))


@pytest.mark.parametrize("name", written_games())
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_one_odd_value_anywhere_is_settled_or_refused(name: str, odd: Any) -> None:
    """Every value of a written round in turn, and every key that a round or a seat may have besides."""
    document = legal(Variant(name), seed=1)
    for container, key in [*places(document), *_absent(document)]:
        before = container.get(key, UNSET) if isinstance(container, dict) else container[key]
        container[key] = odd
        assert is_answer(settle_line(json.dumps(document))), (key, odd)
        container[key] = before
        if before is UNSET:
            del container[key]


def _absent(document: Document) -> list[tuple[Document, str]]:
    kinds: list[tuple[Document, type[Struct]]] = [(document, FinishedRound)]
    kinds += [(seat, FinishedSeat) for seat in document["seats"]]
    named = [(where, field.encode_name) for where, kind in kinds for field in structs.fields(kind)]
    return [(where, key) for where, key in named if key not in where]


@given(VALUES)
def test_any_json_at_all_is_answered(value: Any) -> None:
    assert set(settle_line(json.dumps(value))) == {"error"}


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_any_line_at_all_is_answered(line: bytes | str) -> None:
    assert set(settle_line(line)) == {"error"}


@settings(max_examples=50)
@given(documents, st.data())
def test_a_line_cut_short_is_refused(document: Document, data: st.DataObject) -> None:
    line = json.dumps(document)
    cut = data.draw(st.integers(0, len(line) - 1))
    assert set(settle_line(line[:cut])) == {"error"}


def test_a_line_nested_beyond_reason_is_refused() -> None:
    assert set(settle_line("[" * 100_000)) == {"error"}
    assert set(settle_line('{"game": "fu-bacc", "seats": [], "options": ' + "[" * 100_000)) == {"error"}
