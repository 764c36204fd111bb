"""The figures of a wager, all from one exact table of outcomes; and figures as documents print them."""

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
ROUNDS, WAGER = 100, 10_00  # shares are put in money per hundred rounds of a $10 wager


class Outcome(Struct, frozen=True):
    """One way a wager can come out: how likely, what it nets and what was wagered, per unit opened with."""

    name: str
    probability: Fraction
    net: Fraction
    wagered: Fraction = Fraction(1)


def outcome_name(lines: Sequence[tuple[str, str]]) -> str:
    """One name for the outcomes of some wagers; an outcome that all share is named once.

    >>> outcome_name([("ante", "tie"), ("play", "tie")]), outcome_name([("ante", "lose"), ("raise", "push")])
    ('tie', 'ante lose / raise push')
    """
    names = [outcome for _, outcome in lines]
    return names[0] if len(set(names)) == 1 else " / ".join(f"{wager} {name}" for wager, name in lines)


def _sum(parts: Iterable[Fraction]) -> Fraction:
    """A sum over the common denominator, reduced once at the end and not at every step."""
    ratios = [part.as_integer_ratio() for part in parts]
    whole = lcm(*(denominator for _, denominator in ratios))
    return Fraction(sum(number * (whole // denominator) for number, denominator in ratios), whole)


class FigureTable(Struct, Generic[N], frozen=True, dict=True):
    """The figures that follow from a table of outcomes, per unit opened with."""

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
        """The house's part of the opening wager."""
        return -self.expectation

    @cached_property
    def average_wager(self) -> N:
        """All money wagered."""
        return self._sum(row.probability * row.wagered for row in self.outcomes)

    @property
    def element_of_risk(self) -> N:
        """The house's part of all money wagered."""
        return self.house_edge / self.average_wager

    @property
    def hit_frequency(self) -> N:
        """How often the player comes out ahead."""
        return self._sum(row.probability for row in self.outcomes if row.net > 0)

    @property
    def push_frequency(self) -> N:
        """How often nothing changes hands."""
        return self._sum(row.probability for row in self.outcomes if row.net == 0)

    @property
    def variance(self) -> N:
        """The variance of the net."""
        return self._sum(row.probability * row.net**2 for row in self.outcomes) - self.expectation**2

    @property
    def standard_deviation(self) -> float:
        """For display: the root of the variance."""
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
        """Gather outcomes of one name and one result; refuse a table that is not whole."""
        gathered: dict[tuple[str, Fraction, Fraction], list[Fraction]] = {}
        for each in outcomes:
            gathered.setdefault((each.name, each.net, each.wagered), []).append(each.probability)
        summed = [(key, likely[0] if len(likely) == 1 else _sum(likely)) for key, likely in gathered.items()]
        if _sum(likely for _, likely in summed) != 1:
            raise ValueError("the probabilities of an outcome table sum to one")
        rows = [Outcome(name, p, net, wagered) for (name, net, wagered), p in summed if p]
        return cls(tuple(sorted(rows, key=lambda row: (-row.net, row.probability, row.name))))

    def _sum(self, parts: Iterable[Fraction]) -> Fraction:
        return _sum(parts)


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


def in_money(now: Fraction, before: Fraction, wager: Cents = WAGER) -> str:
    """Two shares compared in money.

    >>> in_money(Fraction(-43, 1000), Fraction(299, 10_000))
    '100 rounds of $10 wagers bring the house −$43.00 rather than +$29.90'
    """
    here, there = (signed_dollars(per_hundred_rounds(share, wager)) for share in (now, before))
    return f"{ROUNDS} rounds of {dollars(wager)} wagers bring the house {here} rather than {there}"
