"""`felt strategy` as others call it."""

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from shutil import copy
from xml.etree import ElementTree

import pytest

from feltworks import catalog
from tests.conftest import Output, forget_games

FELT = Path(sys.executable).with_name("felt")
FU_BACC = ("fu-bacc", "--wager", "ante", "--rules", "1")
ACEY_DEUCEY = ("acey-deucey-21", "--wager", "acey-deucey")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FELT, "strategy", *words], capture_output=True, text=True, check=False)


def test_the_document_has_charts_rules_and_exact_costs() -> None:
    said = json.loads(run(*ACEY_DEUCEY, "--json").stdout)
    (chart,) = said["charts"]
    cell = next(each for each in chart["cells"] if each["spread"] == "7" and each["suits"] == "two suits")
    assert cell["choice"] == "raise"
    costs = [Fraction(each["cost"]["exact"]) for each in said["practical"]]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == 0
    assert said["practical"][-1]["rules"][0].keys() == {"choice", "words"}
    assert "situations" not in said


def test_values_tell_every_situation() -> None:
    said = json.loads(run(*ACEY_DEUCEY, "--rules", "1", "--values", "--json").stdout)
    assert sum(Fraction(each["probability"]["exact"]) for each in said["situations"]) == 1
    for each in said["situations"]:
        worth = {name: Fraction(value["exact"]) for name, value in each["values"].items()}
        assert worth[each["choice"]] == max(worth.values())


def test_the_ratios_of_tie_and_ante_at_which_play_changes() -> None:
    said = json.loads(run(*FU_BACC, "--beside", "tie=1", "--json").stdout)
    first = said["turning_ratios"][0]
    assert first["wager"] == "tie"
    assert Fraction(first["ratio"]["exact"]) > 0
    assert first["changes"][0].keys() == {"cards", "dealer", "below", "above"}


def test_blackjack_tells_what_the_chart_costs_over_exact_cards() -> None:
    words = ("lucky-lucky", "--wager", "blackjack", "--decks", "1", "--rules", "1", "--values", "--json")
    said = json.loads(run(*words).stdout)
    assert [each["title"] for each in said["charts"]] == ["Hard totals", "Soft totals", "Pairs"]
    assert said["chart_cost"]["exact"] is None
    assert 0 < said["chart_cost"]["value"] < 0.001
    assert set(said["charts"][0]["cells"][0]["values"]) >= {"stand", "hit"}


def test_people_get_grids_and_sentences_and_a_drawing(tmp_path: Path) -> None:
    drawn = tmp_path / "fu-bacc.svg"
    said = run(*FU_BACC, "--beside", "tie=1", "--svg", str(drawn)).stdout
    assert "Best play: total by up card" in said
    assert "otherwise stay" in said
    assert "ratios of the tie" in said
    assert "Play money" in said
    root = ElementTree.parse(drawn).getroot()
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Fu Bacc: Ante", "rescue*", "Rules to remember"} <= set(texts)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("fu-bacc", "--wager", "tie"), "nothing to decide"),
        (("fu-bacc", "--wager", "war"), "no wager 'war'"),
        (("fu-bacc", "--wager", "ante", "--rules", "0"), "a number from 1 to 60"),
        (("fu-bacc", "--wager", "ante", "--exposed", "7h 7h"), "the shoe holds only 1 of card 7h"),
        ((*ACEY_DEUCEY, "--svg", "/nowhere/chart.svg"), "/nowhere/chart.svg"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(
    words: tuple[str, ...], sentence: str, felt: Callable[..., Output]
) -> None:
    said = felt("strategy", *words)
    assert said.status == 2
    assert sentence in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_a_refusal_is_all_that_the_process_says() -> None:
    done = run("fu-bacc", "--wager", "war")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


@pytest.mark.usefixtures("gallery")
def test_cards_on_the_board_are_those_that_a_player_without_any_decides_by(felt: Callable[..., Output]) -> None:
    """Red Dog is raised from a spread of 7 on: between a two and a ten, not between a two and a nine."""
    rows = json.loads(felt("analyze", "red-dog", "--wager", "ante", "--json").out)["strategy"]
    choices = {"".join(sorted(card[0] for card in row["cards"])): row["choice"] for row in rows}
    assert (choices["2T"], choices["29"]) == ("raise", "call")
    table = felt("analyze", "red-dog", "--wager", "ante").out
    chart = table.partition("What to do")[2].split()
    assert chart[chart.index("6") : chart.index("8")] == ["6", "call", "7", "raise"]


def test_a_chart_says_what_an_up_card_of_0_is(felt: Callable[..., Output]) -> None:
    for command, *words in (["analyze"], ["strategy", "--rules", "1"]):
        out = felt(command, "fu-bacc", "--wager", "ante", *words).out
        assert "up card of 0 is a ten, jack, queen or king" in out


@pytest.mark.parametrize("command", ["analyze", "strategy"])
def test_amounts_of_a_raise_say_for_which_wager_they_are(
    own_games: Path, felt: Callable[..., Output], command: str
) -> None:
    folder, thin = catalog.examples_folder(), 'without = ["2", "3", "4", "5", "6", "7", "8", "9", "T"], decks'
    copy(folder / "four_of_five.py", own_games)
    book = (folder / "four-of-five.toml").read_text(encoding="utf-8")
    (own_games / "four-of-five.toml").write_text(book.replace("decks", thin, 1), encoding="utf-8")
    forget_games()
    out = felt(command, "four-of-five", "--wager", "ante").out
    assert "play $300" in out
    assert "for a wager of $100" in out
