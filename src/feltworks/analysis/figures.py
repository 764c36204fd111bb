"""Computes the figures of a wager from its exact table of outcomes, and formats them as documents print them."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import floor, lcm, sqrt
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from feltworks.money import Cents, dollars, signed_dollars

Number = float | Fraction
N = TypeVar("N", Fraction, Number)
Match = Literal["rounded", "truncated", "none"]
ROUNDS, WAGER = 100, 10_00  # shares are shown as money per hundred rounds of a $10 wager


class Outcome(Struct, frozen=True):
    """An outcome of a wager: its probability, its net and the money wagered, per unit of the opening wager."""

    name: str
    probability: Fraction
    net: Fraction
    wagered: Fraction = Fraction(1)


def outcome_name(lines: Sequence[tuple[str, str]]) -> str:
    """Joins the outcomes of several wagers into one name; an outcome that all share is named once.

    >>> outcome_name([("ante", "tie"), ("play", "tie")]), outcome_name([("ante", "lose"), ("raise", "push")])
    ('tie', 'ante lose / raise push')
    """
    names = [outcome for _, outcome in lines]
    return names[0] if len(set(names)) == 1 else " / ".join(f"{wager} {name}" for wager, name in lines)


def _sum(parts: Iterable[Fraction]) -> Fraction:
    """Sums over the common denominator, which is faster than reducing the fraction at every step."""
    ratios = [part.as_integer_ratio() for part in parts]
    whole = lcm(*(denominator for _, denominator in ratios))
    return Fraction(sum(number * (whole // denominator) for number, denominator in ratios), whole)


class FigureTable(Struct, Generic[N], frozen=True, dict=True):
    """The figures that follow from a table of outcomes, per unit of the opening wager."""

    outcomes: tuple[Any, ...]

    @abstractmethod
    def _sum(self, parts: Iterable[Any]) -> N:
        """Sums numbers of this kind."""

    @cached_property
    def expectation(self) -> N:
        """The player's mean net."""
        return self._sum(row.probability * row.net for row in self.outcomes)

    @property
    def house_edge(self) -> N:
        """The house's mean win per unit of the opening wager."""
        return -self.expectation

    @cached_property
    def average_wager(self) -> N:
        """The mean of all money wagered in a round."""
        return self._sum(row.probability * row.wagered for row in self.outcomes)

    @property
    def element_of_risk(self) -> N:
        """The house's mean win per unit of all money wagered."""
        return self.house_edge / self.average_wager

    @property
    def hit_frequency(self) -> N:
        """The probability that the player wins money."""
        return self._sum(row.probability for row in self.outcomes if row.net > 0)

    @property
    def push_frequency(self) -> N:
        """The probability that no money changes hands."""
        return self._sum(row.probability for row in self.outcomes if row.net == 0)

    @property
    def variance(self) -> N:
        """The variance of the net."""
        return self._sum(row.probability * row.net**2 for row in self.outcomes) - self.expectation**2

    @property
    def standard_deviation(self) -> float:
        """The root of the variance, for display."""
        return sqrt(self.variance)


class Figures(FigureTable[Fraction], frozen=True, dict=True):
    """House edge, element of risk and the rest. Probabilities sum to exactly one.

    >>> red = Outcome("win", Fraction(9, 19), Fraction(1)), Outcome("lose", Fraction(10, 19), Fraction(-1))
    >>> Figures.of(red).house_edge, Figures.of(red).hit_frequency
    (Fraction(1, 19), Fraction(9, 19))
    """

    outcomes: tuple[Outcome, ...]

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> "Figures":
        """Merges outcomes of the same name and result; refuses probabilities that do not sum to one."""
        chances: dict[tuple[str, Fraction, Fraction], list[Fraction]] = {}
        for outcome in outcomes:
            chances.setdefault((outcome.name, outcome.net, outcome.wagered), []).append(outcome.probability)
        sums = [(key, parts[0] if len(parts) == 1 else _sum(parts)) for key, parts in chances.items()]
        if _sum(chance for _, chance in sums) != 1:
            raise ValueError("the probabilities of an outcome table sum to one")
        rows = [Outcome(name, p, net, wagered) for (name, net, wagered), p in sums if p]
        return cls(tuple(sorted(rows, key=lambda row: (-row.net, row.probability, row.name))))

    def _sum(self, parts: Iterable[Fraction]) -> Fraction:
        return _sum(parts)


def exact_number(value: Fraction | float) -> dict[str, object]:
    """Writes a number as a decimal and, if it is a fraction, exactly.

    >>> exact_number(Fraction(1, 4)), exact_number(0.25)
    ({'exact': '1/4', 'value': 0.25}, {'exact': None, 'value': 0.25})
    """
    exact = f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None
    return {"exact": exact, "value": float(value)}


def printed_match(figure: str, computed: Fraction) -> Match:
    """Returns how a computed value agrees with a printed percentage.

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
    """Formats a value as a percentage, rounded half up in exact arithmetic.

    >>> percent(Fraction(1, 17), 4), percent(Fraction(-43, 1000), 2)
    ('5.8824%', '−4.30%')
    """
    scaled = floor(abs(value) * 100 * 10**places + Fraction(1, 2))
    whole, rest = divmod(scaled, 10**places)
    return f"{'−' if value < 0 else ''}{whole}.{rest:0{places}d}%"


def per_hundred_rounds(share: Fraction, wager: Cents = WAGER) -> Cents:
    """Returns the house's mean win in a hundred rounds, given as a share of the wager.

    >>> per_hundred_rounds(Fraction(299, 10_000))
    2990
    """
    return round(share * ROUNDS * wager)


def in_money(now: Fraction, before: Fraction, wager: Cents = WAGER) -> str:
    """Compares two shares in money.

    >>> in_money(Fraction(-43, 1000), Fraction(299, 10_000))
    '100 rounds of $10 wagers bring the house −$43.00 rather than +$29.90'
    """
    here, there = (signed_dollars(per_hundred_rounds(share, wager)) for share in (now, before))
    return f"{ROUNDS} rounds of {dollars(wager)} wagers bring the house {here} rather than {there}"
