"""A number as documents have it."""

from fractions import Fraction


def exactly(value: Fraction | float) -> dict[str, object]:
    """A number as the exact fraction, where there is one, and as a decimal.

    >>> exactly(Fraction(1, 4)), exactly(0.25)
    ({'exact': '1/4', 'value': 0.25}, {'exact': None, 'value': 0.25})
    """
    exact = f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None
    return {"exact": exact, "value": float(value)}
