"""The law of a day: what holds, from when, and how sure that is."""

import datetime

import pytest

from feltworks.errors import BadDay
from feltworks.house.law import parse_day, profile_on


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


@pytest.mark.clause("WA.1")
@pytest.mark.parametrize(
    ("on", "cents"),
    [
        ("2004-07-01", 100_00),
        ("2008-07-31", 200_00),
        ("2023-08-18", 300_00),
        ("2023-08-19", 400_00),
        ("2026-11-15", 400_00),
    ],
)
def test_the_limit_on_one_wager_is_that_of_the_day(on: str, cents: int) -> None:
    assert profile_on(day(on)).wager_limit == cents


@pytest.mark.clause("WA.2")
@pytest.mark.parametrize(("on", "games", "above"), [("2007-12-31", 2, 6), ("2008-01-01", 3, 6), ("2009-09-14", 6, 3)])
def test_games_with_one_hand_are_counted_by_the_day(on: str, games: int, above: int) -> None:
    profile = profile_on(day(on))
    assert profile.number("games-per-hand") == games
    assert profile.number("games-above-five-dollars") == above


def test_a_jackpot_posted_by_hand_belongs_to_the_older_law() -> None:
    assert profile_on(day("2008-07-31")).allows_manual_progressive
    assert not profile_on(day("2024-01-31")).allows_manual_progressive


def test_what_is_not_read_in_the_rule_itself_is_marked() -> None:
    unverified = profile_on(day("2024-01-31")).unverified
    assert unverified["wager-limit"].sure == "secondary source"
    assert "aggregate-odds" not in unverified
    assert all(dated.source for dated in unverified.values())


def test_a_day_before_the_known_law_has_no_profile() -> None:
    with pytest.raises(BadDay, match="2004-07-01"):
        profile_on(day("2004-06-30"))


def test_a_subject_that_nothing_is_known_of_on_that_day_says_since_when_it_is() -> None:
    with pytest.raises(BadDay, match="cash-per-table before 2022-01-01"):
        profile_on(day("2010-01-01"))["cash-per-table"]


def test_no_day_is_one_sentence() -> None:
    with pytest.raises(BadDay, match="like 2024-01-31"):
        parse_day("31.1.2024")
