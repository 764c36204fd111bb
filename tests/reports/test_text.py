"""Figures look the same wherever they are printed."""

from fractions import Fraction

from feltworks.reports import text


def test_a_minus_is_typographic_and_zero_has_no_sign() -> None:
    assert text.with_sign(Fraction(-1, 3), 4) == "−0.3333"
    assert text.with_sign(-0.000001, 4) == "0.0000"


def test_a_fraction_too_long_to_print_is_left_out() -> None:
    assert text.ratio(Fraction(1, 17)) == "1 / 17"
    assert text.ratio(Fraction(10**25 + 1, 10**26 + 3)) == ""


def test_nets_that_are_no_short_decimal_stay_fractions() -> None:
    assert (text.net(Fraction(3, 2)), text.net(Fraction(-1, 3))) == ("+1.5", "−1/3")
