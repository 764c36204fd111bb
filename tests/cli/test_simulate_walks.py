"""`felt simulate` for sessions, a house's days, a jackpot's years, and its pictures, as others call it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import Output

Felt = Callable[..., Output]
SESSIONS = ("fu-bacc", "--session", "200", "--sessions", "2000", "--seed", "5")
DAYS = ("fu-bacc", "--days", "300", "--rounds-per-day", "100", "--seats", "3", "--seed", "5")
YEARS = ("spanish-poker", "--years", "2", "--rounds-per-day", "60", "--seats", "2", "--seed", "5")
PASSING = ("seconds", "rounds_per_second", "compile_seconds", "workers", "made")


def document(felt: Felt, *words: str) -> dict[str, Any]:
    answered = felt("simulate", *words, "--json")
    assert answered.status == 0, answered.err
    said: dict[str, Any] = json.loads(answered.out)
    return said


def lasting(said: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if name not in PASSING}


@pytest.mark.parametrize("words", [SESSIONS, DAYS, YEARS], ids=["sessions", "days", "years"])
def test_the_same_seed_says_the_same_with_any_number_of_workers(felt: Felt, words: tuple[str, ...]) -> None:
    one, three = (document(felt, *words, "--workers", number) for number in ("1", "3"))
    assert lasting(one) == lasting(three)
    assert set(one["made"]) == {"version", "fingerprint", "command", "at"}


@pytest.mark.parametrize("words", ["--session 1 --sessions 1", "--days 1 --rounds-per-day 1"])
def test_one_of_them_is_told_without_a_spread(felt: Felt, words: str) -> None:
    answered = felt("simulate", "fu-bacc", *words.split(), "--seed", "3")
    assert answered.status == 0, answered.err
    assert " of one round, " in answered.out
    assert "(standard error $0, exact " in answered.out


def test_a_session_is_told_with_its_quantiles_and_its_risk(felt: Felt) -> None:
    said = document(felt, *SESSIONS, "--bankroll", "500000", "--safety", "98%")
    assert (said["sessions"], said["session_rounds"], said["rounds"]) == (2_000, 200, 400_000)
    result = said["result"]
    assert result["least"] <= result["1%"] <= result["5%"] <= result["50%"] <= result["95%"] <= result["most"]
    assert 0 < said["ruin"]["interval"][0] < said["ruin"]["probability"] < said["ruin"]["interval"][1]
    assert said["ruin"]["rounds_lasted"]["most"] == 200
    assert "98%" in said["bankroll_for"]
    assert said["bankroll_for"]["90%"] <= said["bankroll_for"]["98%"]
    assert [said["bands"][0]["after"], said["bands"][-1]["after"]] == [5, 200]


def test_days_are_told_from_the_houses_side(felt: Felt) -> None:
    said = document(felt, *DAYS, "--loses-more-than", "1000000", "--safety", "97%", "--horizon", "30")
    assert (said["days"], said["seats"], said["stretches"]) == (300, 3, 10)
    assert said["win"]["mean"] > 0
    assert abs(said["win"]["z"]) < 4.5
    assert 0 <= said["loses_more_than"]["probability"] <= said["losing_days"]
    assert said["reserve_for"]["90%"] <= said["reserve_for"]["97%"]
    assert list(said["bankroll_for"]) == ["90%"]
    assert document(felt, *DAYS)["horizon"] == 300


def test_years_compare_both_ways_to_recover_the_seed_or_tell_one(felt: Felt) -> None:
    both = document(felt, *YEARS)
    assert list(both["policies"]) == ["seed first", "seed by halves"]
    words = ("--recovery", "1/4", "--seed-money", "100000", "--fee", "10%", "--backups", "1")
    ((name, own),) = document(felt, *YEARS, *words)["policies"].items()
    assert name == "1/4 of each addition"
    assert {key: own["policy"][key] for key in ("seed", "recovery", "fee", "backups")} == {
        "seed": 100_000,
        "recovery": "1/4",
        "fee": "1/10",
        "backups": 1,
    }
    assert own["hits"]["royal flush"]["count"] == both["policies"]["seed first"]["hits"]["royal flush"]["count"]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (
            (*SESSIONS, "--bankroll", "500000"),
            ("longest losing run", "Ruined with $5,000", "Bankroll that lasts"),
        ),
        ((*DAYS, "--loses-more-than", "0"), ("a day's win", "loses more than $0", "Reserve for one day")),
        (YEARS, ("× royal flush", "Seed by halves", "expected", "a backup took over")),
    ],
    ids=["sessions", "days", "years"],
)
def test_people_read_tables(felt: Felt, words: tuple[str, ...], shown: tuple[str, ...]) -> None:
    answered = felt("simulate", *words)
    assert answered.status == 0
    text = " ".join(answered.out.split())
    for word in (*shown, "Play money only"):
        assert word in text


@pytest.mark.parametrize(
    ("words", "name", "word"),
    [
        (("fu-bacc", "--rounds", "50000", "--seed", "1"), "fu-bacc-edges.svg", "exact 3.0496%"),
        (SESSIONS, "fu-bacc-session.svg", "sessions of 200 rounds: 2,000"),
        (DAYS, "fu-bacc-days.svg", "stretches of 300 days: 1"),
        (YEARS, "spanish-poker-years.svg", "2 seats, 60 rounds a day"),
    ],
    ids=["edges", "sessions", "days", "years"],
)
def test_a_picture_is_drawn_into_a_folder_or_a_file(
    felt: Felt, tmp_path: Path, words: tuple[str, ...], name: str, word: str
) -> None:
    assert felt("simulate", *words, "--plot", str(tmp_path)).status == 0
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert word in "".join(ElementTree.parse(tmp_path / name).getroot().itertext())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("fu-bacc --session 0", "from 1 to 1,000,000"),
        ("fu-bacc --session 5 --days 3", "nothing beside --session"),
        ("fu-bacc --session 5 --rounds 4", "nothing beside --session"),
        ("fu-bacc --session 5 --checkpoint x", "nothing beside --session"),
        ("fu-bacc --session 5 --sessions 50 --safety 99%", "at least 100 for a safety of 99%"),
        ("fu-bacc --session 5 --safety 3", "such as 99%"),
        ("fu-bacc --session 5 --bankroll 5", "opening wagers of a round, $300"),
        ("fu-bacc --bankroll 5", "nothing without --session or --days"),
        ("fu-bacc --fee 1/2", "nothing without --years"),
        ("fu-bacc --days 0", "from 1 to 100,000,000"),
        ("fu-bacc --days 5 --horizon 6", "from 1 to 5"),
        ("fu-bacc --days 5 --loses-more-than -1", "cents from 0 on"),
        ("fu-bacc --years 2", "which is spanish-poker"),
        ("spanish-poker --years 0", "from 1 to 10,000"),
        ("spanish-poker --years 1 --wager ante", "gran-progressive among the wagers"),
        ("spanish-poker --years 1 --recovery most", "such as 1/2"),
        ("spanish-poker --years 1 --backups 3", "0, 1 or 2"),
        ("spanish-poker --years 1 --seed-money 1", "at least $500"),
        ("fu-bacc --plot x.png", "ends in .svg"),
        ("fu-bacc --plot nowhere/x.svg", "ends in .svg"),
        ("--session 5", "name a game"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(felt: Felt, words: str, sentence: str) -> None:
    answered = felt("simulate", *words.split())
    assert (answered.status, answered.out) == (2, "")
    assert answered.err.count("\n") == 1
    assert sentence in answered.err
