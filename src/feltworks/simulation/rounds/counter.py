"""Reads a card counter's strategy file: the count of each card, and wagers and choices by the true count.

The true count is the running count per unseen deck, rounded down. An example file (TOML):

    count = {A = -1, 2 = 1, 3 = 1, 4 = 1, 5 = 1, 6 = 1, T = -1}
    ramp = {1 = 2, 2 = 4, 3 = 8}        # at a true count of 1 or more twice the plan's wager, and so on
    insurance = 3                       # taken at this true count or more
    deviations = [{hand = "hard 16", up_card = "T", at = 0, choice = "stand"}]

A file may also have a `chart`; without one the base is basic strategy. A deviation applies from its true count
`at` on, or under the count `below`. If several apply, the last one is played.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from feltworks.analysis.solvers.shoe_game.chart import KINDS, Codes
from feltworks.analysis.strategy.lines import UP_CARDS, chart_codes, choice_code, parse_hand, up_value
from feltworks.errors import BadOption
from feltworks.simulation.plan import Strategy

_MOST = 40  # the largest true count that a file may name, of either sign
_MOST_UNITS = 1000
_MOST_TAG = 20


class Deviation(Struct, frozen=True, forbid_unknown_fields=True):
    """A choice that depends on the true count."""

    hand: str
    up_card: str
    choice: str
    at: int | None = None
    below: int | None = None

    def holds(self, count: int) -> bool:
        return (self.at is None or count >= self.at) and (self.below is None or count < self.below)


class CounterDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """The format of the file."""

    count: dict[str, int]
    ramp: dict[str, int] = {}
    insurance: int | None = None
    deviations: tuple[Deviation, ...] = ()
    chart: Any = None


class Counter(Struct, frozen=True):
    """A counter's wagers and choices at every true count."""

    name: str
    tags: Mapping[int, int]
    ramp: Mapping[int, int]
    insurance: int | None
    deviations: tuple[Deviation, ...]
    chart: Codes | None

    @property
    def counts(self) -> list[int]:
        """The true counts at which something changes."""
        bounds = [bound for deviation in self.deviations for bound in (deviation.at, deviation.below)]
        return [count for count in (*self.ramp, self.insurance, *bounds) if count is not None]

    @property
    def widest(self) -> int:
        """The true count beyond which, on either side, nothing changes any more."""
        return 1 + max(map(abs, self.counts), default=0)

    def units_at(self, count: int) -> int:
        steps = [at for at in self.ramp if at <= count]
        return self.ramp[max(steps)] if steps else 1

    def insures_at(self, count: int) -> bool:
        return self.insurance is not None and count >= self.insurance

    def codes_at(self, base: Codes, count: int) -> Codes:
        """Returns the chart at a true count."""
        codes = Codes(base.first.copy(), base.later.copy(), base.pair.copy())
        for deviation in self.deviations:
            if deviation.holds(count):
                kind, total = parse_hand(self.name, deviation.hand)
                code = choice_code(self.name, deviation.hand, deviation.choice)
                up = up_value(deviation.up_card) - 1
                if kind == "pair":
                    codes.pair[total - 1, up] = code
                    continue
                codes.first[KINDS.index(kind), total, up] = code
                if code < 2:
                    codes.later[KINDS.index(kind), total, up] = code
        return codes


def is_counter(document: Any) -> bool:
    """Whether the document is a card counter's file."""
    return isinstance(document, Mapping) and "count" in document


def counter_of(strategy: Strategy) -> Counter:
    """Reads the counter of a strategy file; refuses one that cannot be played."""
    name = strategy.name
    try:
        document = msgspec.convert(strategy.document, CounterDocument)
    except msgspec.ValidationError as trouble:
        wanted = f"a counter's file with count, ramp, insurance, deviations and chart ({trouble})"
        raise BadOption("--strategy", name, wanted) from None
    tags = {_value(name, letter): tag for letter, tag in document.count.items()}
    ramp = {_count(name, at): units for at, units in document.ramp.items()}
    chart = None if document.chart is None else chart_codes(name, {"chart": document.chart})
    counter = Counter(name, tags, ramp, document.insurance, document.deviations, chart)
    _check(counter)
    return counter


def _value(name: str, letter: str) -> int:
    if letter not in UP_CARDS or len(letter) != 1:
        raise BadOption("--strategy", name, f"counts of {' '.join(UP_CARDS)}, not of {letter!r}")
    return up_value(letter)


def _count(name: str, at: str) -> int:
    try:
        return int(at)
    except ValueError:
        raise BadOption("--strategy", name, f"a ramp by whole true counts, not {at!r}") from None


def _check(counter: Counter) -> None:
    name = counter.name
    if any(abs(tag) > _MOST_TAG for tag in counter.tags.values()):
        raise BadOption("--strategy", name, f"cards that count {-_MOST_TAG} to {_MOST_TAG}")
    if any(not 1 <= units <= _MOST_UNITS for units in counter.ramp.values()):
        raise BadOption("--strategy", name, f"a ramp of 1 to {_MOST_UNITS} times the blackjack wager")
    if any(abs(count) > _MOST for count in counter.counts):
        raise BadOption("--strategy", name, f"true counts from {-_MOST} to {_MOST}")
    for deviation in counter.deviations:
        parse_hand(name, deviation.hand)
        choice_code(name, deviation.hand, deviation.choice)
        if deviation.up_card not in tuple(UP_CARDS) or (deviation.at is None and deviation.below is None):
            wanted = f"deviations with an up card and a true count, not {deviation}"
            raise BadOption("--strategy", name, wanted)
