"""`felt house`: the books from the command line, their answers, refusals and exit statuses."""

import io
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from feltworks.cli.house import house as house_group
from feltworks.cli.main import CommandGroup
from feltworks.house import users
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.storage.migration import open_database
from tests.conftest import Output
from tests.docs.pages import page, with_subcommands
from tests.house.desk import CINCOS, ROYALS, signed, terms
from tests.house.floor import PASSWORD, QUICK, hire

Felt = Callable[..., Output]
DAY = ("--day", "2008-08-01")
NOTICED = "2008-08-01"
BY = ("--by", "ann", "--witness", "bob")


@pytest.fixture(scope="module")
def staffed_books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Books with everybody in them, and a progressive called gran."""
    path = tmp_path_factory.mktemp("staffed") / "books.sqlite"
    database = open_database(str(path))
    hire(database)
    Ledger.open(database, "gran", terms(), signed("opening"))
    database.close()
    return path


@pytest.fixture
def house(felt: Felt, staffed_books: Path, own_keys: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Output]:
    """Speak to these books; everybody who is asked gives the same password."""
    books = shutil.copy(staffed_books, own_keys.parent)
    monkeypatch.setenv("FELT_DATABASE", str(books))
    monkeypatch.setattr(users, "default_hasher", lambda: QUICK)

    def speak(*words: str, typed: str = f"{PASSWORD}\n" * 3) -> Output:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return felt("house", *words)

    return speak


def test_a_command_leaves_its_books_whole_in_one_file(house: Callable[..., Output], tmp_path: Path) -> None:
    assert house("contribute", "gran", "3", "--table", "1", "--round", "1", *BY, *DAY).status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["books.sqlite"]
    assert house("contribute", "gran", "0", "--table", "1", "--round", "2", *BY, *DAY).status == 2
    assert house("balance").status == 0
    assert house("verify").status == 0
    assert house("users", "list").status == 0
    assert house("journal", "gran").status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["books.sqlite"]


def answer(said: Output) -> dict[str, object]:
    assert said.err == ""
    found: dict[str, object] = json.loads(said.out)
    return found


def accounts(house: Callable[..., Output]) -> dict[str, int]:
    (found,) = json.loads(house("balance", "--json").out)["progressives"]
    held: dict[str, int] = found["accounts"]
    return held


def test_a_day_at_the_tables(house: Felt) -> None:
    for number in range(10):
        house("contribute", "gran", "4", "--table", "3", "--round", f"lost {number}", *BY, *DAY)
    won = answer(house("win", "gran", ROYALS[0], CINCOS, "--table", "3", "--round", "2", *BY, *DAY, "--json"))
    assert [entry["cents"] for entry in won["entries"] if entry["reason"] == "won"] == [12_500, 37_500]  # type: ignore[attr-defined]
    counts = ("--count", "39x1", "--by", "abe", "--witness", "cara", *DAY)
    refused = house("day-end", "gran", *counts)
    assert (refused.status, "has no first count yet" in refused.err) == (2, True)
    assert house("tally", "gran", "--count", "39x1", "--by", "sue", *DAY).status == 0
    refused = house("day-end", "gran", "--counted", "$39", *BY, *DAY)
    assert (refused.status, "is counted like any other" in refused.err) == (2, True)
    assert house("day-end", "gran", *counts).status == 0
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
    authority = ("--authority", "WAC 230-15-710")
    plan = ("--to", "jackpot=$100:seed recovery", "--to", "jackpot=$420:players Jo Doe")
    early = ("remove", "gran", "--noticed", NOTICED, *authority, *why, *plan, *BY, *DAY)
    assert "post the notice" in house(*early).err
    assert house("notice", "gran", *authority, *BY, *DAY).status == 0
    removal = ("remove", "gran", "--noticed", NOTICED, *authority, *why, *BY, *DAY)
    assert "unaccounted" in house(*removal, *plan[:2]).err
    assert house(*removal, *plan).status == 0
    assert accounts(house)["jackpot"] == 0
    assert "taken out of play" in house("deposit", "gran", "1", *BY, *DAY).err


def test_nobody_posts_under_another_persons_name(house: Felt) -> None:
    words = ("deposit", "gran", "$600", *BY, *DAY)
    for typed in ("", f"{PASSWORD}\n", f"{PASSWORD}\nguessed\n"):
        said = house(*words, typed=typed)
        assert (said.status, said.err.count("\n"), accounts(house)["bank"]) == (2, 1, 0)
    assert house(*words).status == 0


def test_books_in_which_nobody_is_known_say_how_to_begin(house: Felt, tmp_path: Path) -> None:
    said = house("open", "gran", "--approval", "x", *BY, "--database", str(tmp_path / "new.sqlite"))
    assert said.status == 2
    assert "felt house users add NAME --role administrator" in said.err


def test_a_tribal_operation_may_still_run_a_jackpot_by_hand(house: Felt) -> None:
    words = ("open", "own", "--approval", "x", *BY, "--day", "2024-05-01", "--tribal", "--json")
    assert answer(house(*words))["balances"]["accounts"]["jackpot"] == 50_000  # type: ignore[index]


def test_a_round_at_a_table_is_posted_once_without_a_key_as_well(house: Felt) -> None:
    words = ("--table", "3", "--round", "1", *BY, *DAY)
    assert house("contribute", "gran", "2", *words).status == 0
    assert "nothing was posted" in house("contribute", "gran", "2", *words).out
    assert "is posted already" in house("contribute", "gran", "3", *words).err
    assert accounts(house)["box"] == 200


def test_the_same_key_posts_once(house: Felt) -> None:
    words = ("deposit", "gran", "200", "--key", "3/1", *BY, *DAY, "--json")
    assert [answer(house(*words))["repeated"] for _ in "ab"] == [False, True]
    assert accounts(house)["bank"] == 200_00


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["balance", "other"], "there is no progressive 'other'; it may be gran"),
        (["balance", "--database", "mysql://x/y"], "give a SQLite file"),
        (["balance", "--database", "mistyped.sqlite"], "there are no books at mistyped.sqlite"),
        (["seed", "gran", "lots", *BY], "an amount such as $500"),
        (["day-end", "gran", *BY, "--day", "yesterday"], "write a day like 2024-05-01"),
        (["day-end", "gran", *BY, "--day", "2008-07-31"], "2008-07-31 does not fit"),
        (["adjust", "gran", "1", "--reason", "whim", *BY, *DAY], "no reason 'whim'; it may be malfunction"),
        (["maximum", "gran", "$499", "--because", "x", *BY, *DAY], "the jackpot stands at $500"),
        (["seed", "gran", "$1", *BY, *DAY], "needs an explanation"),
        (
            ["remove", "gran", "--noticed", "2008-01-01", "--authority", "x", "--to", "all", *BY],
            "jackpot=$500:players",
        ),
        (
            ["win", "gran", CINCOS, "--table", "1", "--round", "1", "--by", "ann", *DAY],
            "the second person as",
        ),
        (["seed", "gran", "$1", "--by", "reg", *DAY], "reg (regulator) may not add seed"),
        (["seed", "gran", "$1", "--by", "bob", *DAY], "bob (floor supervisor) may not add seed to a jackpot"),
        (["contribute", "gran", "1", "--table", "1", "--round", "1", "--by", "cara", *DAY], "(cage) may not"),
        (["maximum", "gran", "$600", "--by", "ann", "--witness", "ann", *DAY], "takes different persons"),
        (["maximum", "gran", "$600", "--by", "ann", "--witness", "dan", *DAY], "dan (dealer) may not"),
        (["deposit", "gran", "$1", "--by", "nobody", *DAY], "name and password do not fit"),
        (["open", "gran", "--approval", "x", *BY, *DAY], "there is a progressive gran already"),
        (["open", "less", "--approval", "x", "--by", "ann", "--seed", "$499"], "at least $500"),
        (["open", "less", "--approval", "x", "--by", "ann", "--fee", "much"], "a part such as 1/2"),
        (["open", "less", "--approval", "x", "--by", "ann", *DAY], "the second person as well"),
        (
            ["open", "late", "--approval", "x", *BY, "--day", "2024-05-01"],
            "from 2021-06-14 on a jackpot grows",
        ),
        (["open", "early", "--approval", "x", *BY, "--day", "2008-07-30"], "is of 2008-07-31"),
        (["seed", "gran", "$1", *BY, "--because", "x", "--day", "2999-01-01"], "it has not come yet"),
        (["contribute", "gran", "1", "--table", " ", "--round", "1", *BY, *DAY], "the table's number"),
        (["deposit", "gran", "$1", "--withdraw", "--seized", *BY, *DAY], "one of the two"),
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
    assert all(name in said.out for name in house_group.places)


def test_every_command_of_the_house_and_every_option_is_documented() -> None:
    text = page("docs/reference/cli.md")
    shared = ["--by", "--witness", "--because", "--day", "--key", "--database", "--json", "--help"]
    for name, command in house_group.every_command().items():
        section = rf"^### felt house {name}\b.*?(?=^##|\Z)"
        found = re.search(section, text, re.MULTILINE | re.DOTALL)
        assert found, f"docs/reference/cli.md has no section on felt house {name}"
        params = [param for each in with_subcommands(command) for param in each.params]
        options = [word for param in params for word in param.opts if word.startswith("--")]
        if isinstance(command, CommandGroup):
            assert [word for word in command.every_command() if f"`{word}`" not in found[0]] == []
        assert [word for word in options if word not in found[0] and word not in shared] == []
