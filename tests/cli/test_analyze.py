"""`felt analyze` and `felt audit` as others call them."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Output

FELT = Path(sys.executable).with_name("felt")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FELT, *words], capture_output=True, text=True, check=False)


def test_the_document_holds_every_figure_exactly() -> None:
    said = json.loads(run("analyze", "acey-deucey-21", "--wager", "war", "--decks", "1", "--json").stdout)
    assert said["game"] == "acey-deucey-21"
    assert said["decks"] == 1
    for key in ("house_edge", "element_of_risk", "average_wager", "hit_frequency", "push_frequency"):
        numerator, denominator = map(int, said[key]["exact"].split("/"))
        assert said[key]["value"] == pytest.approx(numerator / denominator)
    assert {row["outcome"] for row in said["outcomes"]} >= {"higher", "lower"}


def test_a_wager_with_a_decision_tells_its_strategy() -> None:
    said = json.loads(run("analyze", "acey-deucey-21", "--wager", "acey-deucey", "--json").stdout)
    assert {row["choice"] for row in said["strategy"]} == {"check", "raise"}
    assert set(said["strategy"][0]["values"]) == {"check", "raise"}


def test_the_progressive_tells_fixed_return_and_break_even() -> None:
    words = ("analyze", "spanish-poker", "--wager", "gran-progressive", "--jackpot", "2634000", "--json")
    said = json.loads(run(*words).stdout)
    assert said["house_edge"]["exact"] == "0/1"
    assert said["fixed_return"]["exact"] == "163962/374699"
    assert said["break_even_jackpot"]["exact"] == "2634000/1"


def test_people_get_a_table() -> None:
    said = run("analyze", "fu-bacc", "--wager", "lucky-monkey").stdout
    assert "house edge" in said
    assert "1/17" in said
    assert "Play money" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nonsense", "--wager", "ante"), "no game 'nonsense'"),
        (("fu-bacc", "--wager", "war"), "no wager 'war'"),
        (("fu-bacc", "--wager", "ante", "--decks", "2"), "it takes 1, the decks of Fu Bacc"),
        (("fu-bacc", "--wager", "ante", "--pay-table", "9"), "no ante pay table '9'"),
        (("fu-bacc", "--wager", "ante", "--exposed", "7h 7h"), "the shoe holds only 1 of card 7h"),
        (("fu-bacc", "--wager", "tie", "--beside", "ante=x"), "ante=1/3"),
        (("fu-bacc", "--wager", "tie", "--beside", ""), "ante, lucky-monkey or tie"),
        (("fu-bacc", "--wager", "tie", "--set", "rescue-ten"), "option=value"),
        (("spanish-poker", "--wager", "gran-progressive", "--jackpot", "-1"), "a whole number of cents"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(
    words: tuple[str, ...], sentence: str, felt: Callable[..., Output]
) -> None:
    said = felt("analyze", *words)
    assert said.status == 2
    assert sentence in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_a_refusal_is_all_that_the_process_says() -> None:
    done = run("analyze", "fu-bacc", "--wager", "war")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
