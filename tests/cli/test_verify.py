"""`felt verify` as others call it."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from feltworks.simulation import verify
from tests.conftest import Output
from tests.designs import COLOURS, write

Felt = Callable[..., Output]


@pytest.fixture(autouse=True)
def two_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default table and the one without a rescue of tens: all of them take longer than a test should."""
    whole = verify.cases

    def chosen(game: str) -> list[verify.Case]:
        return [case for case in whole(game) if case.title in ("default", "rescue-ten=false")]

    monkeypatch.setattr(verify, "cases", chosen)


def test_the_verdict_is_told_with_every_line(felt: Felt) -> None:
    answered = felt("verify", "fu-bacc", "--rounds", "50000", "--seed", "3", "--workers", "2", "--json")
    said = json.loads(answered.out)
    assert answered.status == 0
    assert (said["agrees"], said["compared"], said["level"]) == (True, 6, 0.01)
    assert said["method"].startswith("Holm")
    assert {line["title"] for line in said["lines"]} == {"default", "rescue-ten=false"}
    assert all(line["adjusted_p"] >= line["p"] for line in said["lines"])


def test_people_read_one_line_each(felt: Felt) -> None:
    shown = felt("verify", "fu-bacc", "--rounds", "50000").out
    assert sum(line.endswith(" agrees") for line in shown.splitlines()) == 6
    assert "All lines agree, judged together (Holm over 6 lines" in shown


def test_a_wrong_edge_fails(felt: Felt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "exact_figures", partial(_wrong, verify.exact_figures))
    answered = felt("verify", "fu-bacc", "--quick")
    assert answered.status == 1
    assert answered.out.count("DISAGREES") == 2
    assert "2 of 6 lines disagree" in answered.out


def test_a_game_of_which_nothing_is_compared_fails(own_games: Path, felt: Felt) -> None:
    write(own_games, COLOURS)
    shown = felt("verify", "colours", "--rounds", "10000")
    assert shown.status == 1
    assert "Nothing was compared" in shown.out
    assert "agree" not in shown.out
    answered = felt("verify", "colours", "--rounds", "10000", "--json")
    said = json.loads(answered.out)
    assert (answered.status, said["agrees"], said["compared"]) == (1, False, 0)
    assert ["felt analyze" in line["why"] for line in said["lines"]] == [True]


def _wrong(right: Any, plan: Any, wager: str) -> Any:
    """The tie's figures for the Lucky Monkey."""
    return right(plan, "tie" if wager == "lucky-monkey" else wager)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("nothing", "fu-bacc"),
        ("fu-bacc --rounds 5", "from 10,000 on"),
        ("fu-bacc --rounds 20000 --quick", "nothing beside --quick"),
        ("fu-bacc --seed -1", "from 0 on"),
        ("fu-bacc --workers 0", "from 1 to 1024"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(felt: Felt, words: str, sentence: str) -> None:
    answered = felt("verify", *words.split())
    assert (answered.status, answered.out) == (2, "")
    assert answered.err.count("\n") == 1
    assert sentence in answered.err
