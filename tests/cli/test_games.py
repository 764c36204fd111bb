"""`felt games`: every game with all that its rulebook says."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feltworks import catalog
from tests.conftest import Output

Felt = Callable[..., Output]


def listed(felt: Felt, *words: str) -> dict[str, dict[str, Any]]:
    """The games of the JSON document by name."""
    said = felt("games", *words, "--json")
    assert (said.status, said.err) == (0, "")
    return {game["name"]: game for game in json.loads(said.out)["games"]}


def test_every_game_is_listed_with_its_wagers_and_pay_tables(felt: Felt) -> None:
    games = listed(felt)
    assert tuple(games) == catalog.games()
    for name, game in games.items():
        book = catalog.rulebook(name)
        assert [wager["name"] for wager in game["wagers"]] == list(book.wager)
        for wager in game["wagers"]:
            tables = [table["name"] for table in wager["pay_tables"]]
            assert tables == list(book.pay_table.get(wager["name"], ()))


def test_every_option_is_listed_with_a_default_it_takes(felt: Felt) -> None:
    for name, game in listed(felt).items():
        options = {option["name"]: option for option in game["options"]}
        assert options.keys() == catalog.rulebook(name).option.keys()
        defaults = {key: option["default"] for key, option in options.items()}
        assert catalog.game(name, options=defaults).terms.options == catalog.game(name).terms.options


def test_every_option_says_what_it_takes_and_which_clause_says_so(felt: Felt) -> None:
    for game in listed(felt).values():
        for option in game["options"]:
            assert len({"values", "range", "members"} & option.keys()) == 1
            assert option["text"]
            assert option["clause"] in game["clauses"]


def test_one_game_alone_is_the_same_as_in_the_list(felt: Felt) -> None:
    assert listed(felt, "fu-bacc") == {"fu-bacc": listed(felt)["fu-bacc"]}


def test_approval_conditions_and_readings_come_along(felt: Felt) -> None:
    fu_bacc = listed(felt, "fu-bacc")["fu-bacc"]
    assert fu_bacc["approval"]["date"] == "2021-05-25"
    assert {condition["of"] for condition in fu_bacc["approval"]["conditions"]} >= {"operator"}
    assert all(reading["because"] for reading in fu_bacc["readings"])


@pytest.mark.parametrize("words", [(), ("fu-bacc",)], ids=["all", "one"])
def test_people_are_told_that_it_is_play_money(felt: Felt, words: tuple[str, ...]) -> None:
    said = felt("games", *words)
    assert said.status == 0
    assert "Play money only" in said.out


def test_people_see_options_pays_readings_and_conditions_of_one_game(felt: Felt) -> None:
    shown = felt("games", "fu-bacc").out
    for word in ("fu-bacc.rescue-ten", "natural 9", "2 to 1", "Readings", "operator", "2021-05-25"):
        assert word in shown


def test_a_broken_game_of_ones_own_is_named_beside_the_others(felt: Felt, casino_war: Path) -> None:
    (casino_war / "casino_war.py").write_text("class CasinoWar(Game:\n", encoding="utf-8")
    said = felt("games")
    assert said.status == 0
    assert "fu-bacc" in said.out
    assert said.err.startswith("felt: casino_war.py: line 1: ")
    assert said.err.endswith("the rulebook casino-war is left out\n")
    (left_out,) = json.loads(felt("games", "--json").out)["left_out"]
    assert left_out["name"] == "casino-war"
    assert left_out["fault"].startswith("casino_war.py: line 1: ")


@pytest.mark.parametrize(
    "words",
    [
        ("games", "fu-bacc"),
        ("analyze", "fu-bacc", "--wager", "tie"),
        ("trace", "FB.7"),
        ("house", "check-table", "fu-bacc"),
        ("simulate", "fu-bacc", "--rounds", "1000"),
    ],
    ids=" ".join,
)
def test_commands_about_other_games_do_not_mind_a_broken_one(
    felt: Felt, casino_war: Path, words: tuple[str, ...]
) -> None:
    (casino_war / "casino-war.toml").write_bytes(b"\xff[wager")
    said = felt(*words)
    assert (said.status, said.err) == (0, "")


@pytest.mark.parametrize(
    "words",
    [
        ("games", "casino-war"),
        ("analyze", "casino-war", "--wager", "tie"),
        ("simulate", "casino-war", "--rounds", "1000"),
        ("verify", "casino-war"),
        ("audit", "casino-war"),
        ("compare", "casino-war", "--wager", "tie"),
        ("report", "rack-card", "casino-war"),
        ("strategy", "casino-war", "--wager", "ante"),
        ("play", "casino-war"),
        ("house", "check-table", "casino-war"),
        ("house", "approvals", "casino-war"),
    ],
    ids=" ".join,
)
def test_a_command_about_a_broken_game_says_what_is_wrong_with_it(
    felt: Felt, casino_war: Path, words: tuple[str, ...]
) -> None:
    (casino_war / "casino_war.py").write_text("class CasinoWar(Game:\n", encoding="utf-8")
    said = felt(*words)
    assert said.status == 2
    assert said.err.startswith("felt: casino_war.py: line 1: ")
    assert said.err.count("\n") == 1
