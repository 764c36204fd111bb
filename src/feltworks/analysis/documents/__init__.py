"""The JSON documents of an analysis: requests as they are written, answers as programs read them."""

from fractions import Fraction


def number_document(value: Fraction | float) -> dict[str, object]:
    """A number as the exact fraction, where there is one, and as a decimal.

    >>> number_document(Fraction(1, 4)), number_document(0.25)
    ({'exact': '1/4', 'value': 0.25}, {'exact': None, 'value': 0.25})
    """
    exact = f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None
    return {"exact": exact, "value": float(value)}
