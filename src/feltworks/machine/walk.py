"""Computes the exact law of a round over all states and compositions of the cards left, each cached."""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, perm
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from feltworks.cards import Card, Shoe, Suit
from feltworks.errors import FeltError
from feltworks.machine.node import Result
from feltworks.machine.tables import Suits, Tables
from feltworks.money import Cents

MOST_STEPS: Final = 5_000_000


class SettledLine(NamedTuple):
    """The result of one wager: its exact net before breakage, and all money wagered on it."""

    wager: str
    outcome: str
    net: Fraction
    wagered: Cents


Settled = tuple[SettledLine, ...]
Chooser = Callable[[int, tuple[int, ...]], int]
Weights = dict[int, int]  # by number of a settlement: the orders of the coming cards that lead to it
_DIGIT: Final = 10  # bits for the number of cards taken of a kind, enough for any shoe


_LastRow = tuple[Weights, tuple[int, ...]]


class WalkTooLong(FeltError):
    """Raised for a round with too many states and compositions to compute exactly."""

    def __init__(self, title: str, steps: int, most: int = MOST_STEPS) -> None:
        self.steps = steps
        super().__init__(
            f"{title} would take about {steps:,} steps to follow exactly, more than {most:,}; "
            "`felt simulate` measures it, under a named strategy where best play takes too long,"
            " and hands that keep fewer facts shorten it"
        )


class Context(Struct, frozen=True):
    """What is known of unseen cards besides their numbers.

    A card that the dealer has looked at is of none of the barred kinds. The weights are then multiplied by the
    number of cards that can lie there, counted at the end of each path, so that draws before it need no division.
    """

    fresh: frozenset[Suit] = frozenset()  # interchangeable suits
    barred: frozenset[int] = frozenset()


PLAIN: Final = Context()


class Walk:
    """Computes a round from its tables and a composition of the cards, with the best choice at each decision."""

    def __init__(
        self,
        tables: Tables,
        shoe: Shoe | None = None,
        *,
        serving: frozenset[str] | None = None,
        choose: Chooser | None = None,
        joins_suits: bool = False,
        kinds: Sequence[int] | None = None,
    ) -> None:
        """`serving` are the wagers whose net the choices maximise (by default all).

        `choose` overrides the best choice, by the state and the number of unseen cards of each kind.
        `joins_suits`: interchangeable suits are computed once, if the rules are symmetric in the suits.
        `kinds` of the faces may be finer than those of the tables, if more is known of a card.
        """
        self.kinds = tables.kinds if kinds is None else tuple(kinds)
        self.tables, self.states, self.serving, self._choose = tables, tables.states, serving, choose
        shoe = shoe or tables.game.terms.shoe
        self.members: list[list[Card]] = [[] for _ in range(max(self.kinds, default=0) + 1)]
        for face, kind in zip(tables.faces, self.kinds, strict=True):
            self.members[kind] += [face] * shoe[face]
        self._whole = tuple(map(len, self.members))  # by kind: cards in the shoe
        self.counts = [*self._whole]  # and cards left
        self._left = self._total = sum(self.counts)
        self._taken: list[int] = []  # the kinds of the cards dealt
        self._mark = 0  # the same as one number, a cache key
        self._marks = [1 << (_DIGIT * kind) for kind in range(len(self.counts))]
        columns = [self.kinds.index(kind) for kind in range(len(self.counts))]
        by_kind = itemgetter(*columns, columns[0])  # one column more, as a getter of one item gives no tuple
        self.rows = [by_kind(state.after)[:-1] if state.after else () for state in self.states]
        self._settlements: list[Settled] = [()]
        self._numbers: dict[Settled, int] = {(): 0}
        self._sums: dict[tuple[int, int], int] = {}
        self._nets: dict[int, Fraction] = {}
        self._arrival = [self._number(settlement_of(state.results)) for state in self.states]
        self._is_end = [state.is_end for state in self.states]
        self._is_look = [state.again or state.wanted is not None for state in self.states]
        # By state; False if not computed yet, as a walk may reach only few of the states
        self._last_rows: list[_LastRow | Literal[False] | None] = [False] * len(self.states)
        self._known: dict[tuple[int, int, frozenset[int]], Weights] = {}
        self.best: dict[tuple[int, ...], int] = {}  # by state and composition: the place of the best choice
        if tables.runs:
            meetings = len(tables.rows) * max(len(run.order) for run in tables.runs)
            raise WalkTooLong(tables.game.terms.rulebook.title, meetings * MOST_STEPS)
        self._suits = Suits(tables, self._kind, self.counts) if joins_suits else None
        self._looks: dict[frozenset[Card], frozenset[int]] = {}
        self._classes: list[tuple[int, ...]] | None = None  # by state: the class of each kind, used only in a long walk
        self._kinds = tuple((kind, 1) for kind in range(len(self.counts)))
        self._start = Context(self._suits.fresh) if self._suits and self._suits.fresh else PLAIN

    @cached_property
    def depth(self) -> list[int]:
        """The most cards that come after each state; a card that was looked at counts as dealt."""
        depth: list[int] = []
        for state, row in zip(self.states, self.rows, strict=True):  # successors have lower numbers
            following = row or [child for _, child in state.choices]
            is_card = bool(row) and not state.again
            depth.append(is_card + max(map(depth.__getitem__, following), default=0))
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * depth[self.tables.start] + 500))  # a level for each card
        return depth if depth[self.tables.start] <= self._total else self._shorten(depth)

    def _shorten(self, depth: list[int]) -> list[int]:
        """Limits the depths if the tables reach more cards than this shoe holds: no round is longer than the shoe."""
        dealt = [self._total] * len(depth)  # by state: the fewest cards dealt before it
        dealt[self.tables.start] = 0
        for number in range(len(depth) - 1, -1, -1):
            state, row = self.states[number], self.rows[number]
            after = dealt[number] + (bool(row) and not state.again)
            for child in row or [child for _, child in state.choices]:
                dealt[child] = min(dealt[child], after)
        return [min(most, self._total - come) for most, come in zip(depth, dealt, strict=True)]

    def check_length(self) -> None:
        """Refuse a walk that would take too long; before that, try to shorten it by classes of kinds."""
        most = sum(map(bool, self.counts)) ** self.depth[self.tables.start] * self._most_choices
        if most <= MOST_STEPS or (steps := self.steps) <= MOST_STEPS:
            return
        if self._may_classify:
            self._classes, self._suits, self._start = self._classify(), None, PLAIN
            steps = self.steps
        if steps > MOST_STEPS:
            raise WalkTooLong(self.tables.game.terms.rulebook.title, steps)

    @property
    def _may_classify(self) -> bool:
        """Whether kinds may be merged: not if a choice or a peek depends on the number taken of each kind."""
        is_chosen = self._choose is not None and any(state.choices for state in self.states)
        return not is_chosen and not any(self._is_look)

    def _classify(self) -> list[tuple[int, ...]]:
        """By state, the class of each kind: kinds of one class have equal transitions there and in all later states.

        Only the sum of a class matters from there on, for example of all ranks but the one that ends the round.
        """
        classes: list[tuple[int, ...]] = []
        for state, row in zip(self.states, self.rows, strict=True):  # successors have lower numbers
            following = dict.fromkeys(row or [child for _, child in state.choices])
            later = [classes[child] for child in following]
            columns = zip(row or (0,) * len(self.counts), *later, strict=True)
            numbers: dict[tuple[int, ...], int] = {}
            classes.append(tuple([numbers.setdefault(column, len(numbers)) for column in columns]))
        return classes

    @property
    def _most_choices(self) -> int:
        """The most combinations of choices on any path through a round."""
        most: list[int] = []
        for state, row in zip(self.states, self.rows, strict=True):
            following = row or [child for _, child in state.choices]
            most.append(max(1, len(state.choices)) * max(map(most.__getitem__, following), default=1))
        return most[self.tables.start]

    @property
    def steps(self) -> int:
        """An upper bound on the work: the sum over states of compositions times successors.

        A state has at most as many compositions as paths to it, and as there are compositions of so many cards.
        """
        ways: dict[int, Counter[int]] = {self.tables.start: Counter({0: 1})}
        there = [kind for kind, count in enumerate(self.counts) if count]
        steps, kinds = 0, len(there)
        for number in range(len(self.states) - 1, -1, -1):
            state = self.states[number]
            row = self.rows[number]
            if self._classes is not None:
                kinds = len({self._classes[number][kind] for kind in there})
            following = Counter([row[kind] for kind in there] if row else [child for _, child in state.choices])
            for cards, ways_there in ways.pop(number, Counter()).items():
                ways_there = min(ways_there, comb(cards + kinds - 1, cards))
                steps += ways_there * len(following)
                for child, times in following.items():
                    ways.setdefault(child, Counter())[cards + bool(state.after)] += ways_there * times
        return steps

    def law(self) -> dict[Settled, Fraction]:
        """The probability of each settlement of the round under best play."""
        whole = perm(self._left, self.depth[self.tables.start])
        weights = self._weights(self.tables.start, self._start)
        return {self._settlements[key]: Fraction(count, whole) for key, count in weights.items() if count}

    def _take(self, kind: int) -> None:
        self.counts[kind] -= 1
        self._left -= 1
        self._mark += self._marks[kind]
        self._taken.append(kind)

    def _return(self) -> None:
        kind = self._taken.pop()
        self.counts[kind] += 1
        self._left += 1
        self._mark -= self._marks[kind]

    def _next(self, number: int, context: Context) -> Iterator[tuple[int | None, int, int, Context]]:
        """The transitions of a state: the card's kind, the number of such cards, the next state and context.

        The kind is None if the card that the dealer looks at stays face down; that counts once, see `Context`.
        """
        state, row, counts, barred = self.states[number], self.rows[number], self.counts, context.barred
        kinds = self._suits.drawable(context.fresh) if self._suits else self._kinds
        wanted = self._shown_kinds(number) if state.wanted is not None else None
        if wanted is not None and barred:
            raise FeltError("a walk cannot follow a game in which the dealer looks under two cards")
        hidden = None
        for kind, times in kinds:
            if not counts[kind] or (state.again and kind in barred):
                continue
            if wanted is not None and kind not in wanted:
                hidden = row[kind]
                continue
            yield kind, times * counts[kind], row[kind], self._after(context, kind, turned=state.again)
        if hidden is not None and wanted is not None:
            yield None, 1, hidden, Context(frozenset(), wanted)

    def _after(self, context: Context, kind: int, *, turned: bool) -> Context:
        """The context after a card of this kind is dealt, or the card that the dealer knew is turned."""
        fresh = self._suits.after(context.fresh, kind) if self._suits else context.fresh
        if fresh == context.fresh and not turned:
            return context
        barred = context.barred if not turned else frozenset[int]()
        return Context(fresh, barred) if fresh or barred else PLAIN

    @cached_property
    def _kind(self) -> dict[Card, int]:
        return dict(zip(self.tables.faces, self.kinds, strict=True))

    def _shown_kinds(self, number: int) -> frozenset[int]:
        """The kinds of cards that the dealer shows after looking at one."""
        wanted = self.states[number].wanted or frozenset()
        if wanted not in self._looks:
            self._looks[wanted] = frozenset([self._kind[face] for face in wanted if face in self._kind])
        return self._looks[wanted]

    def _leaf(self, context: Context) -> int:
        """The weight of a complete path: the number of cards that can lie where the dealer has looked."""
        if not context.barred:
            return 1
        return self._left - sum(self.counts[kind] for kind in context.barred)

    def _spare(self, number: int, child: int, context: Context) -> int:
        """The number of orders of the cards that a shorter path leaves undealt."""
        spare = self.depth[number] - self.depth[child]
        return perm(self._left - bool(context.barred) - self.depth[child], spare) if spare else 1

    def _weights(self, number: int, context: Context) -> Weights:
        """The settlements from this state on, weighted by the orders of the next `depth` cards."""
        arrival = self._arrival[number]
        if self._is_end[number]:
            return {arrival: self._leaf(context)}
        key = number, self._mark if self._classes is None else self._class_mark(number), context.barred
        known = self._known.get(key)
        if known is None:
            if self.states[number].choices:
                later = self._best(number, context)
            elif context is PLAIN and not self._is_look[number] and self._classes is None:
                later = self._last(number) or self._average_plain(number)
            else:
                later = (not context.barred and self._last(number)) or self._average(number, context)
            known = {self._sum(arrival, place): n for place, n in later.items()} if arrival else later
            self._known[key] = known
        return known

    def _class_mark(self, number: int) -> int:
        """The number of cards dealt of each class, packed into one number."""
        assert self._classes is not None
        class_of, marks = self._classes[number], self._marks
        return sum([marks[class_of[kind]] for kind in self._taken])

    def _average(self, number: int, context: Context) -> Weights:
        """The weighted sum over the kinds of the next card."""
        mixed: Weights = {}
        depths, state = self.depth, self.states[number]
        longest = depths[number] - (not state.again)
        for kind, times, child, after in self._next(number, context):
            if kind is not None:
                self._take(kind)
            if spare := longest - depths[child]:
                times *= perm(self._left - bool(after.barred) - depths[child], spare)
            if self._is_end[child]:  # the common case, which needs no lookup
                place = self._arrival[child]
                mixed[place] = mixed.get(place, 0) + times * self._leaf(after)
            else:
                for place, weight in self._weights(child, after).items():
                    mixed[place] = mixed.get(place, 0) + times * weight
            if kind is not None:
                self._return()
        return mixed

    def _average_plain(self, number: int) -> Weights:
        """As `_average`, faster: for a state with a plain draw, without peeks, suits or classes in the context."""
        mixed: Weights = defaultdict(int)
        counts, depths, left, known = self.counts, self.depth, self._left - 1, self._known
        mark, marks, nothing = self._mark, self._marks, PLAIN.barred
        longest, is_end, arrival, last_rows = depths[number] - 1, self._is_end, self._arrival, self._last_rows
        for kind, child in enumerate(self.rows[number]):
            times = counts[kind]
            if not times:
                continue
            if spare := longest - depths[child]:
                times *= perm(left - depths[child], spare)
            if is_end[child]:  # the common case, which needs no lookup
                mixed[arrival[child]] += times
                continue
            last = last_rows[child]
            if last is False:
                last = self._last_row(child)
            if last is not None:
                whole, places = last
                for key, weight in whole.items():
                    mixed[key] += times * weight
                for taken in self._taken:
                    mixed[places[taken]] -= times
                mixed[places[kind]] -= times
                continue
            weights = known.get((child, mark + marks[kind], nothing))
            if weights is None:
                self._take(kind)
                weights = self._weights(child, PLAIN)
                self._return()
            for key, weight in weights.items():
                mixed[key] += times * weight
        return mixed

    def _last(self, number: int) -> Weights | None:
        """As `_average`, if every card ends the round: the full shoe's weights less the cards taken; else None."""
        if (last := self._last_row(number)) is None:
            return None
        left = dict(last[0])
        for kind in self._taken:
            left[last[1][kind]] -= 1
        return left

    def _last_row(self, number: int) -> _LastRow | None:
        """The last row of a state, cached."""
        known = self._last_rows[number]
        if known is False:
            known = self._last_rows[number] = self._find_last_row(number)
        return known

    def _find_last_row(self, number: int) -> _LastRow | None:
        """If every card ends the round: the weights of a full shoe, and the settlement by kind; else None."""
        row = self.rows[number]
        if not row or self._arrival[number] or self._is_look[number] or not all(map(self._is_end.__getitem__, row)):
            return None
        places = tuple(map(self._arrival.__getitem__, row))
        weights = dict.fromkeys(places, 0)
        for place, count in zip(places, self._whole, strict=True):
            weights[place] += count
        return weights, places

    def _best(self, number: int, context: Context) -> Weights:
        """The weights of the best choice; of equal ones, the choice that wagers less."""
        if self._choose is not None:
            _, child = self.states[number].choices[self._choose(number, tuple(self.counts))]
            times = self._spare(number, child, context)
            return {key: n * times for key, n in self._weights(child, context).items()}
        best: tuple[Fraction, int] | None = None
        taken: Weights = {}
        for place, (_, child) in enumerate(self.states[number].choices):
            times = self._spare(number, child, context)
            weights = {key: n * times for key, n in self._weights(child, context).items()}
            worth = sum((n * self._net(key) for key, n in weights.items()), Fraction(0))
            money = sum(n * line.wagered for key, n in weights.items() for line in self._settlements[key])
            if best is None or (worth, -money) > best:
                best, taken = (worth, -money), weights
                self.best[number, *self.counts] = place
        return taken

    def _net(self, key: int) -> Fraction:
        """The net of the wagers served in a settlement."""
        net = self._nets.get(key)
        if net is None:
            lines = self._settlements[key]
            served = [line.net for line in lines if self.serving is None or line.wager in self.serving]
            net = self._nets[key] = sum(served, Fraction(0))
        return net

    def _number(self, settled: Settled) -> int:
        known = self._numbers.get(settled)
        if known is None:
            known = self._numbers[settled] = len(self._settlements)
            self._settlements.append(settled)
        return known

    def _sum(self, one: int, other: int) -> int:
        """The number of two settlements combined."""
        if not one or not other:
            return one or other
        known = self._sums.get((one, other))
        if known is None:
            settled = self._settlements[one] + self._settlements[other]
            known = self._sums[one, other] = self._number(settled)
        return known


def settlement_of(results: Iterable[Result]) -> Settled:
    """The settlement of a round with these results: each net before any breakage."""
    return tuple([SettledLine(one.wager, one.outcome, one.exact, one.wagered) for one in results])
