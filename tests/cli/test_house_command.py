"""`felt house`: the books from the command line, their answers, refusals and exit statuses."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import typer.main

from feltworks.cli.main import Group, application, commands
from tests.conftest import Said
from tests.docs.pages import page
from tests.house.desk import CINCOS, ROYALS

Felt = Callable[..., Said]
DAY = ("--day", "2024-05-01")
BY = ("--by", "ann", "--witness", "bob")


@pytest.fixture
def house(felt: Felt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """Speak to the books of a progressive called gran."""
    monkeypatch.setenv("FELT_DATABASE", str(tmp_path / "books.sqlite"))

    def speak(*words: str) -> Said:
        return felt("house", *words)

    opened = speak("open", "gran", "--approval", "controls of 2008", "--by", "ann", *DAY)
    assert opened.status == 0, opened.err
    return speak


def answer(said: Said) -> dict[str, object]:
    assert said.err == ""
    found: dict[str, object] = json.loads(said.out)
    return found


def accounts(house: Callable[..., Said]) -> dict[str, int]:
    (found,) = json.loads(house("balance", "--json").out)["progressives"]
    held: dict[str, int] = found["accounts"]
    return held


def test_a_day_at_the_tables(house: Felt) -> None:
    house("contribute", "gran", "40", "--table", "3", "--round", "1", *BY, *DAY)
    won = answer(house("win", "gran", ROYALS[0], CINCOS, "--table", "3", "--round", "2", *BY, *DAY, "--json"))
    assert [entry["cents"] for entry in won["entries"] if entry["reason"] == "won"] == [12_500, 37_500]  # type: ignore[attr-defined]
    assert house("day-end", "gran", "--counted", "$39", *BY, *DAY).status == 0
    held = accounts(house)
    assert (held["jackpot"], held["seed"], held["house"]) == (50_000, 100_000 - 3_900, 3_900 - 50_000)
    assert json.loads(house("verify", "--json").out)["holds"] is True


def test_the_deposit_check_fails_until_the_bank_holds_all_prizes(house: Felt) -> None:
    failed = house("deposit-check", "gran", *BY, *DAY, "--json")
    assert (failed.status, answer(failed)["balances"]["state"]) == (1, "stopped")  # type: ignore[index]
    refused = house("contribute", "gran", "1", "--table", "3", "--round", "1", *BY, *DAY)
    assert refused.status == 2
    assert "lacks $500" in refused.err
    house("deposit", "gran", "$600", *BY, *DAY)
    assert house("deposit-check", "gran", *BY, *DAY).status == 0
    assert house("deposit", "gran", "$100", "--withdraw", "--because", "too much", *BY, *DAY).status == 0
    house("deposit", "gran", "$1", "--seized", "--because", "tax", *BY, *DAY)
    assert accounts(house)["bank"] == 49_900


def test_maximum_adjustment_seed_and_removal(house: Felt) -> None:
    why = ("--because", "as told")
    assert house("maximum", "gran", "$600", *why, *BY, *DAY).status == 0
    assert house("seed", "gran", "$50", *why, *BY, *DAY).status == 0
    assert house("adjust", "gran", "--reason", "malfunction", *why, *BY, *DAY, "--", "-$30").status == 0
    assert accounts(house)["jackpot"] == 52_000
    assert house("maximum", "gran", "none", *why, *BY, *DAY).status == 0
    plan = ("--to", "jackpot=$100:seed recovery", "--to", "jackpot=$420:players")
    removal = ("remove", "gran", "--noticed", "2024-04-01", "--authority", "WAC 230-15-710", *why, *BY, *DAY)
    assert "unaccounted" in house(*removal, *plan[:2]).err
    assert house(*removal, *plan).status == 0
    assert accounts(house)["jackpot"] == 0
    assert "taken out of play" in house("deposit", "gran", "1", *BY, *DAY).err


def test_the_same_key_posts_once(house: Felt) -> None:
    words = ("contribute", "gran", "2", "--table", "3", "--round", "1", "--key", "3/1", *BY, *DAY, "--json")
    assert [answer(house(*words))["repeated"] for _ in "ab"] == [False, True]
    assert accounts(house)["box"] == 200


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["balance", "other"], "there is no progressive 'other'; it may be gran"),
        (["balance", "--database", "mysql://x/y"], "give a SQLite file"),
        (["balance", "--database", "mistyped.sqlite"], "there are no books at mistyped.sqlite"),
        (["seed", "gran", "lots", *BY], "an amount such as $500"),
        (["day-end", "gran", *BY, "--day", "yesterday"], "write a day like 2024-05-01"),
        (["day-end", "gran", *BY, "--day", "2024-04-30"], "2024-04-30 does not fit"),
        (["adjust", "gran", "1", "--reason", "whim", *BY, *DAY], "no reason 'whim'; it may be malfunction"),
        (["maximum", "gran", "$499", "--because", "x", *BY, *DAY], "the jackpot stands at $500"),
        (["seed", "gran", "$1", *BY, *DAY], "needs an explanation"),
        (
            ["remove", "gran", "--noticed", "2024-01-01", "--authority", "x", "--to", "all", *BY],
            "jackpot=$500:players",
        ),
        (["win", "gran", CINCOS, "--table", "1", "--round", "1", "--by", "ann", *DAY], "two persons"),
        (["open", "gran", "--approval", "x", "--by", "ann"], "there is a progressive gran already"),
        (["open", "less", "--approval", "x", "--by", "ann", "--seed", "$499"], "at least $500"),
        (["open", "less", "--approval", "x", "--by", "ann", "--fee", "much"], "a part such as 1/3"),
        (["verify", "other"], "there is no book 'other'"),
        (["export", "other"], "there is no book 'other'"),
        (["nonsense"], "felt house has no command 'nonsense'; it may be adjust"),
    ],
)
def test_what_does_not_fit_is_told_in_one_sentence_and_writes_nothing(
    house: Felt, words: list[str], sentence: str
) -> None:
    before = house("journal", "gran", "--json").out
    said = house(*words)
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert house("journal", "gran", "--json").out == before


def test_people_read_tables_and_bookkeepers_a_file(house: Felt) -> None:
    house("win", "gran", CINCOS, "--table", "3", "--round", "2", *BY, *DAY)
    assert "jackpot ← house $500" in " ".join(house("journal", "gran").out.split())
    assert "whole" in house("verify").out
    assert "Liabilities:Gran:Jackpot" in house("export", "gran").out
    assert "seed still to recover" in house("balance").out
    assert len(json.loads(house("journal", "gran", "--from", "2", "--json").out)["postings"]) == 1


def test_damaged_books_fail_the_verification(house: Felt, tmp_path: Path) -> None:
    import sqlite3

    with sqlite3.connect(tmp_path / "books.sqlite") as connection:
        connection.execute("UPDATE account SET cents = cents + 1 WHERE name = 'house'")
    connection.close()
    said = house("verify", "--json")
    assert said.status == 1
    assert json.loads(said.out)["holds"] is False


def test_alone_it_lists_its_commands(felt: Felt) -> None:
    said = felt("house")
    assert said.status == 0
    group = commands()["house"]
    assert isinstance(group, Group)
    assert all(name in said.out for name in group.commands())


def test_every_command_of_the_house_and_every_option_is_documented() -> None:
    text = page("docs/reference/cli.md")
    app = typer.main.get_group(application(lambda command: command.group == "house"))
    shared = ["--by", "--witness", "--because", "--day", "--key", "--database", "--json", "--help"]
    for name, command in app.commands["house"].commands.items():  # type: ignore[attr-defined]
        section = rf"^### felt house {name}\b.*?(?=^##|\Z)"
        found = re.search(section, text, re.MULTILINE | re.DOTALL)
        assert found, f"docs/reference/cli.md has no section on felt house {name}"
        options = [word for param in command.params for word in param.opts if word.startswith("--")]
        assert [word for word in options if word not in found[0] and word not in shared] == []
