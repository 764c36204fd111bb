"""Figures as documents print them: percentages of so many digits, rounded or cut off."""

from fractions import Fraction
from math import floor
from typing import Literal

Match = Literal["rounded", "truncated", "none"]


def printed_match(figure: str, computed: Fraction) -> Match:
    """How a computed value agrees with a printed percentage.

    >>> printed_match("2.99%", Fraction(29939, 10**6)), printed_match("3.69%", Fraction(36977, 10**6))
    ('rounded', 'truncated')
    >>> printed_match("2.99%", Fraction(-43, 1000))
    'none'
    """
    digits = figure.rstrip("%")
    places = len(digits.partition(".")[2])
    units = Fraction(digits) * 10**places
    scaled = computed * 100 * 10**places
    if floor(scaled + Fraction(1, 2)) == units:
        return "rounded"
    return "truncated" if floor(scaled) == units else "none"


def percent(value: Fraction, places: int) -> str:
    """A value as a percentage, rounded half up, exactly.

    >>> percent(Fraction(1, 17), 4), percent(Fraction(-43, 1000), 2)
    ('5.8824%', '−4.30%')
    """
    scaled = floor(abs(value) * 100 * 10**places + Fraction(1, 2))
    whole, rest = divmod(scaled, 10**places)
    return f"{'−' if value < 0 else ''}{whole}.{rest:0{places}d}%"
