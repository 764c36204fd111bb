"""Parses requests to the analysis and writes its answers as JSON documents."""

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feltworks.analysis.question import Question


def exact_number(value: Fraction | float) -> dict[str, object]:
    """Writes a number as a decimal and, if it is a fraction, exactly.

    >>> exact_number(Fraction(1, 4)), exact_number(0.25)
    ({'exact': '1/4', 'value': 0.25}, {'exact': None, 'value': 0.25})
    """
    exact = f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None
    return {"exact": exact, "value": float(value)}


def table_fields(name: str, question: "Question") -> dict[str, object]:
    """Returns the first fields of every document about a question: the wager and its table."""
    wager, terms = question.wager, question.game.terms
    table = {"pay_table": terms.pay_tables[wager], "decks": terms.decks, "options": terms.options}
    return {"game": name, "wager": wager, **table}
