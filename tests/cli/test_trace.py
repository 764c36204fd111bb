"""`felt trace`: no clause is left without code and a test, and the trace itself can be believed."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from feltworks import tracing
from tests.conftest import Output

Felt = Callable[..., Output]
all_clauses = cache(tracing.trace)


def test_every_clause_has_code_and_a_test() -> None:
    lacking = {clause.id: " and ".join(clause.missing()) for clause in all_clauses() if clause.missing()}
    assert lacking == {}


def test_no_clause_waits_for_its_code() -> None:
    assert [clause.id for clause in all_clauses() if clause.waiting is not None] == []


def test_code_and_tests_cite_only_clauses_that_exist() -> None:
    known = {clause.id for clause in all_clauses()}
    documents = {id_.partition(".")[0] for id_ in known}
    found = {**tracing.places(), **tracing.proving_tests()}
    unknown = {id_: places for id_, places in found.items() if id_ not in known}
    assert {id_: p for id_, p in unknown.items() if id_.partition(".")[0] in documents} == {}


def test_a_known_citation_is_found_with_its_line() -> None:
    source = (tracing.PACKAGE / "games" / "fu_bacc.py").read_text(encoding="utf-8").splitlines()
    cites = {number for number, line in enumerate(source, 1) if '("FB.6",)' in line}
    places = tracing.places()["FB.6"]
    assert cites
    assert {f"feltworks.games.fu_bacc:{number}" for number in cites} <= set(places)


def test_pays_in_a_rulebook_count_as_code_and_the_clause_text_does_not() -> None:
    book = (tracing.PACKAGE / "rulebooks" / "fu-bacc.toml").read_text(encoding="utf-8").splitlines()
    data_line = 1 + book.index('clause = "FB.10"')
    text_line = next(number for number, line in enumerate(book, 1) if line.startswith('"FB.10" ='))
    places = tracing.places()["FB.10"]
    assert f"rulebooks/fu-bacc.toml:{data_line}" in places
    assert f"rulebooks/fu-bacc.toml:{text_line}" not in places


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("ZZ.4: once", ["ZZ.4"]),
        ("ZZ.16–18", ["ZZ.16", "ZZ.17", "ZZ.18"]),
        ("(ZZ.9-ZZ.10)", ["ZZ.9", "ZZ.10"]),
        ("ZZ.1, ZZ.3", ["ZZ.1", "ZZ.3"]),
        ("in 3.11 or v.2", []),
    ],
)
def test_ranges_count_for_every_id_in_them(text: str, ids: list[str]) -> None:
    assert tracing.cited_clauses(text) == ids


def test_marks_are_read_off_functions_classes_files_and_parameters() -> None:
    source = """
import pytest
pytestmark = pytest.mark.clause("ZZ.1")
CASES = [pytest.param(1, marks=pytest.mark.clause("ZZ.4"))]
IDS = ["ZZ.5", "ZZ.6"]

@pytest.mark.clause("ZZ.2")
class TestPair:
    @pytest.mark.clause("ZZ.3", "ZZ.7-8")
    def test_one(self): ...

@pytest.mark.parametrize("case", CASES)
def test_two(case): ...

@pytest.mark.clause(*IDS)
def test_three(): ...

@pytest.mark.clause("ZZ.9")
def not_a_test(): ...
"""
    assert dict(tracing.clause_marks(source)) == {
        "TestPair::test_one": ["ZZ.1", "ZZ.2", "ZZ.3", "ZZ.7", "ZZ.8"],
        "test_two": ["ZZ.1", "ZZ.4"],
        "test_three": ["ZZ.1", "ZZ.5", "ZZ.6"],
    }


def test_the_json_document_gives_places_and_test_ids(felt: Felt) -> None:
    (clause,) = json.loads(felt("trace", "FB.7", "--json").out)["clauses"]
    assert clause["id"] == "FB.7"
    assert clause["text"]
    assert any(place.startswith("feltworks.games.fu_bacc:") for place in clause["implemented"])
    assert all(test.startswith("tests/") and "::test" in test for test in clause["tests"])


def test_a_clause_without_code_or_test_fails_the_check_in_plain_words(felt: Felt, own_games: Path) -> None:
    clauses = '[clause]\n"ZZ.1" = "Output and not done."\n"ZZ.2" = "To come."\n'
    book = f'title = "Bare"\n{clauses}[waiting]\n"ZZ.2" = "a game"\n'
    (own_games / "bare.toml").write_text(book, encoding="utf-8")
    said = felt("trace", "ZZ")
    assert said.status == 1
    assert "ZZ.1 has no code and no test." in said.out
    assert "ZZ.2 has" not in said.out
    assert felt("trace", "ZZ.2").status == 0


def test_without_the_tests_folder_only_code_is_asked_for(
    felt: Felt, own_games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracing, "PROJECT", own_games)
    (own_games / "half.toml").write_text('title = "Half"\n[clause]\n"ZZ.1" = "Done."\n', encoding="utf-8")
    (own_games / "half.py").write_text("# ZZ.1: done here\n", encoding="utf-8")
    said = felt("trace", "ZZ")
    assert said.status == 0
    assert "tests are not part of this installation" in said.out
    assert "half:1" in said.out
    assert "proved by" not in said.out
