"""Money: whole cents, exact odds, and one rounding in the player's or in the house's favour."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.money import EXACT_CENTS, Breakage, Odds, dollars, parse_dollars

UP = Breakage(favours_player=True)
CENTS = st.integers(1, 10**7)
ODDS = st.builds(Odds, st.integers(0, 300), st.integers(1, 7))


@pytest.mark.clause("M.1")
@pytest.mark.parametrize(
    ("odds", "wager", "down", "up"),
    [
        ("1 to 1", 501, 501, 501),
        ("3 to 2", 500, 750, 750),
        ("3 to 2", 501, 751, 752),
        ("3 to 2", 1, 1, 2),
        ("6:5", 502, 602, 603),
        ("6 to 5", 5, 6, 6),
        ("push", 501, 0, 0),
        ("lose", 501, -501, -501),
        ("lose half", 500, -250, -250),
        ("lose half", 501, -251, -250),  # what comes back is rounded, not what is lost
        ("lose half", 1, -1, 0),
    ],
)
def test_what_the_player_gets_is_rounded_down_or_up(odds: str, wager: int, down: int, up: int) -> None:
    assert (Odds.parse(odds).on(wager), Odds.parse(odds).on(wager, UP)) == (down, up)


@pytest.mark.clause("M.1")
@pytest.mark.parametrize(
    ("chip", "down", "up"),
    [(1, 750, 750), (25, 750, 750), (100, 700, 800), (500, 500, 1000), (250, 750, 750)],
)
def test_3_to_2_on_five_dollars_in_whole_chips(chip: int, down: int, up: int) -> None:
    assert Odds(3, 2).on(500, Breakage(chip)) == down
    assert Odds(3, 2).on(500, Breakage(chip, favours_player=True)) == up


@pytest.mark.clause("M.1")
@given(odds=ODDS, wager=CENTS, chip=st.sampled_from([1, 5, 25, 100]))
def test_rounding_misses_the_exact_amount_by_less_than_a_chip(odds: Odds, wager: int, chip: int) -> None:
    exact = odds.exact * wager
    down, up = odds.on(wager, Breakage(chip)), odds.on(wager, Breakage(chip, favours_player=True))
    assert type(down) is type(up) is int
    assert exact - chip < down <= exact <= up < exact + chip
    assert down % chip == up % chip == 0


@given(wager=CENTS)
def test_nobody_loses_more_than_the_wager(wager: int) -> None:
    for breakage in (EXACT_CENTS, UP, Breakage(100)):
        assert -wager <= Odds.parse("lose half").on(wager, breakage) <= 0


@pytest.mark.parametrize(
    ("text", "exact"),
    [("30 to 1", 30), ("3 to 2", Fraction(3, 2)), ("push", 0), ("lose", -1), ("lose half", Fraction(-1, 2))],
)
def test_odds_are_exact_ratios_and_write_themselves(text: str, exact: Fraction) -> None:
    assert Odds.parse(text).exact == exact
    assert str(Odds.parse(text)) == text


@pytest.mark.parametrize("text", ["", "3", "3 to", "3 for 2", "3 to 0", "-1 to 2", "1.5 to 1", "win", "3/2"])
def test_what_are_no_odds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="write '3 to 2', '1 to 1 less 5%', 'push', 'lose' or 'lose half'"):
        Odds.parse(text)


@pytest.mark.parametrize(
    ("text", "cents"), [("$1", 100), ("$7.50", 750), ("$150,000", 15000000), ("$0.05", 5), ("$20", 2000)]
)
def test_amounts_are_read_and_written(text: str, cents: int) -> None:
    assert parse_dollars(text) == cents
    assert dollars(cents) == text


@pytest.mark.parametrize("text", ["", "5", "$", "$1.5", "$1,50", "$-1", "$1.505", "1$", "$1 "])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"write it like \$150 or \$7.50"):
        parse_dollars(text)


def test_signs_are_shown_where_they_are_asked_for() -> None:
    signed = [dollars(cents, signed=True) for cents in (500, 0, -505)]
    assert signed == ["+$5", "$0", "−$5.05"]
