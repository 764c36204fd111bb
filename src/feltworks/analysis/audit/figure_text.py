"""Figures as documents print them: percentages of so many digits, rounded or cut off."""

from fractions import Fraction
from math import floor
from typing import Literal

from feltworks.money import Cents, dollars, signed_dollars

Match = Literal["rounded", "truncated", "none"]
ROUNDS, WAGER = 100, 10_00  # shares are put in money per hundred rounds of a $10 wager


def printed_match(figure: str, computed: Fraction) -> Match:
    """How a computed value agrees with a printed percentage.

    >>> printed_match("2.99%", Fraction(29939, 10**6)), printed_match("3.69%", Fraction(36977, 10**6))
    ('rounded', 'truncated')
    >>> printed_match("2.99%", Fraction(-43, 1000))
    'none'
    """
    digits = figure.rstrip("%")
    places = len(digits.partition(".")[2])
    units = int(digits.replace(".", ""))
    scaled, whole = computed.numerator * 100 * 10**places, computed.denominator
    if (2 * scaled + whole) // (2 * whole) == units:
        return "rounded"
    return "truncated" if scaled // whole == units else "none"


def percent(value: Fraction, places: int) -> str:
    """A value as a percentage, rounded half up, exactly.

    >>> percent(Fraction(1, 17), 4), percent(Fraction(-43, 1000), 2)
    ('5.8824%', '−4.30%')
    """
    scaled = floor(abs(value) * 100 * 10**places + Fraction(1, 2))
    whole, rest = divmod(scaled, 10**places)
    return f"{'−' if value < 0 else ''}{whole}.{rest:0{places}d}%"


def per_hundred_rounds(share: Fraction, wager: Cents = WAGER) -> Cents:
    """What a share of the wager brings the house in a hundred rounds.

    >>> per_hundred_rounds(Fraction(299, 10_000))
    2990
    """
    return round(share * ROUNDS * wager)


def in_money(now: Fraction, before: Fraction, unit: str = "wagers", wager: Cents = WAGER) -> str:
    """Two shares compared in money.

    >>> in_money(Fraction(-43, 1000), Fraction(299, 10_000))
    '100 rounds of $10 wagers bring the house −$43.00 rather than +$29.90'
    """
    here, there = (signed_dollars(per_hundred_rounds(share, wager)) for share in (now, before))
    return f"{ROUNDS} rounds of {dollars(wager)} {unit} bring the house {here} rather than {there}"
