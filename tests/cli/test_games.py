"""`felt games`: every game with all that its rulebook says."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from feltworks import catalog
from tests.conftest import Said

Felt = Callable[..., Said]


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
