"""Money: odds are exact, breakage stays below one chip and on its side, amounts read as written."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from feltworks.money import Breakage, Odds, dollars, parse_dollars
from feltworks.rules.pay_table import Fixed, Rest, Share, parse_pay

cents = st.integers(min_value=0, max_value=10**9)
wagers = st.integers(min_value=1, max_value=10**8)
winning = st.builds(Odds, st.integers(0, 500), st.integers(1, 20))
losing = st.sampled_from([Odds(-1, 1), Odds(-1, 2)])
odds = winning | losing
breakages = st.builds(Breakage, st.sampled_from([1, 5, 25, 100, 500]), favours_player=st.booleans())


@given(odds, wagers)
def test_odds_that_come_out_even_are_paid_exactly(pay: Odds, wager: int) -> None:
    even = wager * pay.per
    assert pay.on(even) == even * pay.exact


@given(odds, wagers, breakages)
def test_breakage_is_below_a_chip_and_on_its_own_side(pay: Odds, wager: int, rule: Breakage) -> None:
    gained = pay.on(wager * rule.chip, rule) - wager * rule.chip * pay.exact
    assert abs(gained) < rule.chip
    assert gained >= 0 if rule.favours_player else gained <= 0


@given(odds, wagers, breakages)
def test_payments_are_whole_chips(pay: Odds, wager: int, rule: Breakage) -> None:
    assert pay.on(wager * rule.chip, rule) % rule.chip == 0


@given(odds, wagers, breakages)
def test_no_odds_lose_more_than_the_wager(pay: Odds, wager: int, rule: Breakage) -> None:
    assert pay.on(wager, rule) >= -wager


@given(winning, wagers, wagers, breakages)
def test_a_larger_wager_never_wins_less(pay: Odds, one: int, more: int, rule: Breakage) -> None:
    assert pay.on(one + more, rule) >= pay.on(one, rule)


@given(wagers, breakages)
def test_better_odds_never_pay_less(wager: int, rule: Breakage) -> None:
    ladder = [Odds(-1), Odds(-1, 2), Odds(0), Odds(6, 5), Odds(3, 2), Odds(2), Odds(30)]
    paid = [pay.on(wager * rule.chip, rule) for pay in ladder]
    assert paid == sorted(paid)


@given(odds)
def test_odds_read_as_they_are_printed(pay: Odds) -> None:
    assert Odds.parse(str(pay)) == pay
    assert parse_pay(str(pay)) == pay


@given(cents)
def test_amounts_read_as_they_are_printed(amount: int) -> None:
    assert parse_dollars(dollars(amount)) == amount
    assert parse_pay(dollars(amount)) == Fixed(amount)


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_two_amounts_never_print_alike(one: int, other: int) -> None:
    assume(one != other)
    assert dollars(one) != dollars(other)
    assert dollars(one, signed=True) != dollars(other, signed=True)


@given(st.integers(0, 100), st.integers(1, 100))
def test_shares_of_a_meter_read_exactly(part: int, whole: int) -> None:
    assert parse_pay(f"{part}/{whole} of jackpot") == Share(Fraction(part, whole), "jackpot")
    assert parse_pay("rest of jackpot") == Rest("jackpot")


@given(st.text(max_size=20) | st.from_regex(r"\$?[0-9/,.: ]{0,9}( ?(to|of) ?[0-9a-z]{0,5})?", fullmatch=True))
def test_what_is_no_pay_is_refused_in_words(text: str) -> None:
    refusal = ""
    try:
        parse_pay(text)
    except ValueError as refused:
        refusal = str(refused)
    assert not refusal or repr(text) in refusal


@pytest.mark.parametrize(
    "text", ["", "3", "3 to", "3 to 0", "-3 to 2", "$", "$1.5", "$1,50", "1/0 of jackpot", "rest of"]
)
def test_a_crippled_pay_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="write"):
        parse_pay(text)
