"""Finds the results of any two hands of a showdown from a few rounds that the game settles.

Between two poker hands a settlement can depend on the player's hand (its value and its wild cards), on the
dealer's hand and on which is better. A kind of hand is settled at its lowest and its highest value: if
both results are equal, so are all between them; otherwise bisection finds the border between them, such as
that of a qualifier or of a pay from a pair of tens up.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise, product
from math import gcd, lcm
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.referee import net, reprice
from feltworks.analysis.solvers.numbers import Bools, Ints
from feltworks.analysis.solvers.showdown.counts import Below
from feltworks.analysis.solvers.showdown.hands import HandClasses
from feltworks.analysis.solvers.showdown.spot import Spot, choice_labels
from feltworks.analysis.strategy.file import Cards
from feltworks.hands.poker import HandValue
from feltworks.machine.walk import Settled
from feltworks.rules.pay_table import Pay
from feltworks.rules.round import Choice

if TYPE_CHECKING:
    from feltworks.analysis.solvers.streets.tree import Streets

_STRIDES = (1, 3, 5, 7, 11)
DEALER_WORSE, EQUAL, DEALER_BETTER = RELATIONS = range(3)


class PlayerRun(Struct, frozen=True):
    """Player's hands with equal settlements: their values in ascending order, and a class of each."""

    values: tuple[int, ...]
    rows: tuple[int, ...]
    choices: tuple[Choice, ...]

    @property
    def value_rows(self) -> Iterator[tuple[int, int]]:
        """The pairs of value and class."""
        return zip(self.values, self.rows, strict=True)


class Cells:
    """The result of every pair of hands, by runs of the player's and the dealer's values."""

    def __init__(self, spot: "Spot | Streets", classes: HandClasses) -> None:
        self._spot, self._classes = spot, classes
        self._hands: dict[int, Cards] = {}
        self._chosen: dict[Cards, tuple[Choice, ...]] = {}
        self._known: dict[tuple[Cards, Choice, int], Settled] = {}
        self._keys = _keys_of(classes)
        places = range(len(classes.values))
        spans = [list(span) for _, span in groupby(places, key=lambda place: classes.values[place].category)]
        self._witnesses = sorted({end for span in spans for end in (span[0], span[-1])})
        self.cuts = tuple(self._dealer_cuts(spans))  # the dealer's values at which the settlement changes
        edges = [0, *self.cuts, len(classes.values)]
        self.dealer_runs = [(low, after - 1) for low, after in pairwise(edges)]
        self.players: list[PlayerRun] = []
        self.run_of = self._player_runs()

    def result(self, run: PlayerRun, choice: Choice, dealer: int, relation: int) -> Settled | None:
        """The result of a run of hands against a run of the dealer's; None if this combination is impossible."""
        low, high = self.dealer_runs[dealer]
        if relation == DEALER_WORSE:
            return self._settle(self._hand(run.rows[-1]), choice, low) if low < run.values[-1] else None
        if relation == DEALER_BETTER:
            return self._settle(self._hand(run.rows[0]), choice, high) if high > run.values[0] else None
        for value, row in run.value_rows:
            if low <= value <= high:
                return self._settle(self._hand(row), choice, value)
        return None

    def check(self) -> None:
        """Settle deals that cover the deck one by one; refuse a game whose results depend on more than values."""
        for (hand, key, mine), (house, _, others) in pairwise(self._keys.samples):
            run = self.players[self._run_of_key[key]]
            dealer, relation = bisect_right(self.cuts, others), 1 + (others > mine) - (others < mine)
            for choice in run.choices:
                if self.result(run, choice, dealer, relation) != self._spot.result(hand, choice, house):
                    raise self._spot.no_showdown("what is paid goes by more than how good the hands are")

    def _hand(self, row: int) -> Cards:
        if row not in self._hands:
            self._hands[row] = self._classes.cards(row)
        return self._hands[row]

    def _settle(self, hand: Cards, choice: Choice, house: int) -> Settled:
        key = (hand, choice, house)
        if key not in self._known:
            self._known[key] = self._spot.result(hand, choice, self._classes.examples[house])
        return self._known[key]

    def _choices(self, hand: Cards) -> tuple[Choice, ...]:
        if hand not in self._chosen:
            self._chosen[hand] = self._spot.choices(hand, self._classes.examples[0])
        return self._chosen[hand]

    def _dealer_cuts(self, spans: Sequence[Sequence[int]]) -> Iterator[int]:
        hands = [(v, self._classes.examples[v]) for v in self._witnesses]
        choices = [(v, hand, choice) for v, hand in hands for choice in self._choices(hand)]
        witnesses = [each for each in choices if not self._spot.is_decided(*each[1:])]

        def alike(one: int, other: int) -> bool:
            """Whether both values have the same results against all witnesses below both or above both."""
            return all(
                one <= v <= other or self._settle(hand, choice, one) == self._settle(hand, choice, other)
                for v, hand, choice in witnesses
            )

        for place, span in enumerate(spans):
            if place and not alike(span[0] - 1, span[0]):
                yield span[0]
            yield from borders(span, alike)

    def _player_runs(self) -> Ints:
        """Split the player's hands of each category and number of wild cards into runs; the run of every class."""
        keys = self._keys
        self._run_of_key = np.zeros(len(keys.rows), dtype=np.int64)
        for members in keys.kinds:
            for run in self._split(members, keys.rows, keys.wilds):
                self._run_of_key[run] = len(self.players)
                of = keys.rows[run].tolist()
                choices = self._choices(self._hand(of[0]))
                self.players.append(PlayerRun(tuple(key // keys.wilds for key in run), tuple(of), choices))
        run_of: Ints = self._run_of_key[keys.of_class]
        return run_of

    def _split(self, members: list[int], rows: Ints, wilds: int) -> Iterator[list[int]]:
        ends = sorted({end for run in self.dealer_runs for end in run})

        def alike(one: int, other: int) -> bool:
            """Whether two hands have the same results in ties, and against values below both or above both."""
            low, high = one // wilds, other // wilds
            first, second = self._hand(int(rows[one])), self._hand(int(rows[other]))
            choices = self._choices(first)
            met = [(end, end) for end in ends if end < low or end > high] + [(low, high)]
            return choices == self._choices(second) and all(
                self._settle(first, choice, mine) == self._settle(second, choice, others)
                for mine, others in met
                for choice in choices
            )

        begins = [members[0], *borders(members, alike)]
        for first, after in pairwise([*begins, members[-1] + 1]):
            yield [member for member in members if first <= member < after]


class _Keys:
    """Keys that combine a value and its number of wild cards, with hands of each key."""

    def __init__(self, classes: HandClasses) -> None:
        self.wilds = int(classes.wild.max()) + 1
        self.of_class: Ints = classes.value * self.wilds + classes.wild
        self.rows = np.full(len(classes.values) * self.wilds, -1)  # the first class of each key
        self.rows[self.of_class[::-1]] = np.arange(len(classes))[::-1]
        kinds: dict[tuple[str, int], list[int]] = {}
        for key in np.flatnonzero(self.rows >= 0).tolist():
            kinds.setdefault((classes.values[key // self.wilds].category, key % self.wilds), []).append(key)
        self.kinds = list(kinds.values())  # the keys of each category and number of wild cards
        self.samples = [(hand, *self._place(classes, hand)) for hand in _samples(classes)]

    def _place(self, classes: HandClasses, hand: Cards) -> tuple[int, int]:
        """The key of a hand, and the index of its value."""
        place = bisect_left(classes.values, classes.ranking.value(hand))
        return place * self.wilds + sum(face.rank in classes.ranking.wild for face in hand), place


@lru_cache(maxsize=2)
def _keys_of(classes: HandClasses) -> _Keys:
    """The keys of a deck's hands, cached because every wager shares them."""
    return _Keys(classes)


def _samples(classes: HandClasses) -> Iterator[Cards]:
    """Hands dealt from the deck with several strides, each of which deals every card."""
    deck, size = tuple(classes.shoe), classes.size
    for stride in (each for each in _STRIDES if gcd(each, len(deck)) == 1):
        dealt = [deck[at * stride % len(deck)] for at in range(len(deck))]
        yield from (tuple(dealt[at : at + size]) for at in range(0, len(deck) - size + 1, size))


def borders(members: Sequence[int], alike: Callable[[int, int], bool]) -> Iterator[int]:
    """The members at which a new run begins, found by bisection between ends that are not alike."""
    if len(members) < 2 or alike(members[0], members[-1]):
        return
    if len(members) == 2:
        yield members[1]
        return
    middle = len(members) // 2
    yield from borders(members[: middle + 1], alike)
    yield from borders(members[middle:], alike)


def find_cuts(
    values: Sequence[HandValue], ends: Sequence[int], ask: Callable[[int, int, int], Hashable]
) -> tuple[list[int], list[int]]:
    """The player's and the dealer's values at which the settlement changes at some end.

    `ask` settles an end for two values; it is called with the lowest and the highest of each category, and for
    the player's cuts also with both ends of each dealer's run, such as the weakest hand that qualifies.
    """
    spans = [list(span) for _, span in groupby(range(len(values)), key=lambda place: values[place].category)]
    witnesses = {end for span in spans for end in (span[0], span[-1])}

    def alike(one: int, other: int, *, players: bool) -> bool:
        """Whether two values have the same results against all values below both or above both."""
        others = [value for value in witnesses if not one <= value <= other]
        pairs = [((one, value), (other, value)) if players else ((value, one), (value, other)) for value in others]
        pairs += [((one, one), (other, other))]
        return all(ask(end, *first) == ask(end, *second) for end in ends for first, second in pairs)

    def begins(*, players: bool) -> Iterator[int]:
        for place, span in enumerate(spans):
            if place and not alike(span[0] - 1, span[0], players=players):
                yield span[0]
            yield from borders(span, lambda one, other: alike(one, other, players=players))

    dealers = list(begins(players=False))
    witnesses |= {value for cut in dealers for value in (cut - 1, cut)}
    return list(begins(players=True)), dealers


class ChoiceResults(Struct, frozen=True):
    """A choice of a run of hands: its distinct results, and the cells of each."""

    label: str
    results: tuple[Settled, ...]
    cells: tuple[tuple[int, ...], ...]

    def nets(self) -> list[Fraction]:
        """The net of each result, in cents."""
        return [net(result) for result in self.results]

    def reprice(self, pays: Mapping[str, Mapping[str, Pay]]) -> "ChoiceResults":
        """The same outcomes under other pays."""
        return replace(self, results=tuple([reprice(result, pays) for result in self.results]))

    def ways(self, met: Ints, total: int) -> Ints:
        """The number of ways to each result, for the hands in the columns of `met`; `total` is the sum for any hand."""
        if len(self.results) == 1:
            return np.full((1, met.shape[1]), total)
        return np.stack([met[list(cells)].sum(axis=0) for cells in self.cells])


def choice_results(cells: Cells, run: PlayerRun) -> tuple[ChoiceResults, ...]:
    """The choices of a run with their possible results."""
    choices = []
    for label, choice in zip(choice_labels(run.choices), run.choices, strict=True):
        places: dict[Settled, list[int]] = {}
        for dealer, relation in product(range(len(cells.dealer_runs)), RELATIONS):
            result = cells.result(run, choice, dealer, relation)
            if result is not None:
                places.setdefault(result, []).append(dealer * len(RELATIONS) + relation)
        choices.append(ChoiceResults(label, tuple(places), tuple(tuple(cells_) for cells_ in places.values())))
    return tuple(choices)


def net_table(
    runs: Sequence[Sequence[ChoiceResults]], cells: int, group: frozenset[str] | None = None
) -> tuple[Ints, Bools, Fraction]:
    """By run of hands, choice and cell: the net of some wagers in whole units; a choice of one result has no cells.

    Then by run whether each choice is offered, and how many units make a cent.
    """
    nets = [[[net(result, group) for result in choice.results] for choice in run] for run in runs]
    scale = whole_units(each for run in nets for choice in run for each in choice)
    table = np.zeros((len(runs), max(map(len, runs)), cells), np.int64)
    offered = np.zeros(table.shape[:2], np.bool_)
    for row, run in enumerate(runs):
        for place, choice in enumerate(run):
            offered[row, place] = True
            table[row, place] = int(nets[row][place][0] * scale)
            for each, members in zip(nets[row][place], choice.cells, strict=True):
                table[row, place, list(members)] = int(each * scale)
    return table, offered, scale


def whole_units(nets: Iterable[Fraction]) -> Fraction:
    """The largest unit in which all nets are whole, as units in a cent: sums in cents would overflow 64 bits."""
    listed = list(nets)
    parts = lcm(*(each.denominator for each in listed))
    return Fraction(parts, gcd(*(int(each * parts) for each in listed)) or 1)


def cell_counts(below: Below, total: int) -> Ints:
    """Counts of dealer hands by run and by order: a row for each cell, a column for each player's hand."""
    hands = len(below.worse)
    edges = np.column_stack([np.zeros(hands, np.int64), below.cuts, np.full(hands, total)]).T
    in_run = np.diff(edges, axis=0)
    worse = np.diff(np.minimum(edges, below.worse), axis=0)
    better = np.diff(np.maximum(edges, below.not_better), axis=0)
    return np.stack([worse, in_run - worse - better, better], axis=1).reshape(-1, hands)
