"""The exact law of a round: every state with every composition of the cards left, each worked out once."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, lcm, perm
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.machine.graph import Results
from feltworks.machine.tables import Tables
from feltworks.money import Cents

MOST_STEPS: Final = 5_000_000
Settled = tuple[tuple[str, str, Fraction, Cents], ...]  # wager, outcome, exact net and money, line by line
Chooser = Callable[[int, tuple[int, ...]], int]
Weights = dict[int, int]  # how many orders of the cards to come lead to each settlement, by its number


class WalkTooLong(FeltError):
    """A round with too many states and compositions to follow each of them."""

    def __init__(self, title: str, steps: int) -> None:
        self.steps = steps
        super().__init__(
            f"{title} would take about {steps:,} steps to follow exactly, more than {MOST_STEPS:,}; "
            "`felt simulate` measures it, and hands that keep fewer facts shorten it"
        )


class Sight(Struct, frozen=True):
    """A first decision as its player meets it: in how many ways, by which cards, and each choice's weights.

    All choices of all sights count up to the same whole. A round that ends without a decision has one, "".
    """

    ways: int
    mine: tuple[Card, ...]  # an example of what lies open at the seat, in the order it came
    house: tuple[Card, ...]  # and at the dealer's place and on the board
    choices: Mapping[str, tuple[tuple[Settled, int], ...]]


class Decision(Struct, frozen=True):
    """A state in which something is decided or over, with an example of the cards that lead to it."""

    state: int
    ways: int
    mine: tuple[Card, ...]
    house: tuple[Card, ...]
    settled: int  # the number of what was settled before

    @property
    def seen(self) -> int:
        return len(self.mine) + len(self.house)


class _Met(Struct, frozen=True):
    """A state with the kinds of cards seen on the way to it, and what was settled there."""

    state: int
    mine: tuple[int, ...] = ()  # sorted: a player does not mind in which order they came
    house: tuple[int, ...] = ()
    settled: int = 0


class Walk:
    """Follows the tables of a round from one composition of the cards, choosing best at each decision."""

    def __init__(
        self,
        tables: Tables,
        shoe: Shoe | None = None,
        *,
        serving: frozenset[str] | None = None,
        choose: Chooser | None = None,
    ) -> None:
        """`serving` are the wagers that the best choices are made for (all, unless given).

        `choose` says which choice is made instead, by the state and how many cards of each kind are unseen.
        """
        self.tables, self.states, self.serving, self._choose = tables, tables.states, serving, choose
        shoe = shoe or tables.game.terms.shoe
        self.members: list[list[Card]] = [[] for _ in range(max(tables.kinds, default=0) + 1)]
        for face, kind in zip(tables.faces, tables.kinds, strict=True):
            self.members[kind] += [face] * shoe[face]
        self.counts = [len(faces) for faces in self.members]
        columns = [tables.kinds.index(kind) for kind in range(len(self.counts))]
        self.rows = [tuple([s.after[c] for c in columns]) if s.after else () for s in self.states]
        self._settlements: list[Settled] = [()]
        self._numbers: dict[Settled, int] = {(): 0}
        self._sums: dict[tuple[int, int], int] = {}
        self._arrival = [self._number(_settlement_of(state.results)) for state in self.states]
        self._is_end = [state.is_end for state in self.states]
        self._known: dict[tuple[int, ...], Weights] = {}
        self.best: dict[tuple[int, ...], int] = {}  # the place of the best choice, by state and composition
        if tables.runs:
            meetings = len(tables.rows) * max(len(run.order) for run in tables.runs)
            raise WalkTooLong(tables.game.terms.rulebook.title, meetings * MOST_STEPS)
        if any(state.wanted is not None for state in self.states):
            raise FeltError("a walk cannot follow a game in which the dealer looks under a card")

    @cached_property
    def depth(self) -> list[int]:
        """How many cards at most come after each state."""
        depth: list[int] = []
        for state in self.states:  # those that follow a state stand before it
            if state.after:
                depth.append(1 + max(depth[child] for child in state.after))
            else:
                depth.append(max((depth[child] for _, child in state.choices), default=0))
        return depth

    def check_length(self) -> None:
        """Refuse a walk that would take too long, before it begins."""
        if (steps := self.steps) > MOST_STEPS:
            raise WalkTooLong(self.tables.game.terms.rulebook.title, steps)

    @property
    def steps(self) -> int:
        """A bound on the work: for every state the compositions in which it can be met, and what follows.

        There are no more of them than ways to the state, nor than compositions of as many cards.
        """
        ways: dict[int, Counter[int]] = {self.tables.start: Counter({0: 1})}
        steps, kinds = 0, len(self.counts)
        for number in range(len(self.states) - 1, -1, -1):
            state = self.states[number]
            following = Counter(self.rows[number]) + Counter(child for _, child in state.choices)
            for cards, met in ways.pop(number, Counter()).items():
                met = min(met, comb(cards + kinds - 1, cards))
                steps += met * len(following)
                for child, times in following.items():
                    ways.setdefault(child, Counter())[cards + bool(state.after)] += met * times
        return steps

    def law(self) -> dict[Settled, Fraction]:
        """How likely each settlement of the whole round is, under best play."""
        whole = perm(sum(self.counts), self.depth[self.tables.start])
        weights = self._weights(self.tables.start)
        return {self._settlements[key]: Fraction(count, whole) for key, count in weights.items()}

    def sights(self, progress: Callable[[int, int], None] | None = None) -> list[Sight]:
        """Every first decision with all that can be seen there; a game without one is a single sight.

        `progress` hears now and then how many of all decisions are done.
        """
        if not any(state.choices for state in self.states):
            weights = self._weights(self.tables.start)
            return [Sight(1, (), (), {"": self._list_weights(weights, 1)})]
        decisions = self.decisions()
        sights, every = list[Sight](), max(1, len(decisions) // 100)
        for sight in self._sights(decisions):
            sights.append(sight)
            if progress is not None and (len(sights) % every == 0 or len(sights) == len(decisions)):
                progress(len(sights), len(decisions))
        return sights

    def decisions(self) -> list["Decision"]:
        """Every first decision or end of a round, once for all cards that are alike."""
        met: dict[_Met, Decision] = {}
        for key, decision in self._decisions(_Met(self.tables.start), 1, (), ()):
            before = met.get(key)
            met[key] = replace(before, ways=before.ways + decision.ways) if before else decision
        return list(met.values())

    def _sights(self, decisions: Sequence["Decision"]) -> Iterator[Sight]:
        total, most = sum(self.counts), max(decision.seen for decision in decisions)
        wholes = {(decision.seen, decision.state) for decision in decisions}
        common = lcm(*(perm(total - seen, self.depth[state]) for seen, state in wholes))
        for one in decisions:
            left = total - one.seen
            self._take(one, -1)
            choices = self._choices(one.state, one.settled, common // perm(left, self.depth[one.state]))
            self._take(one, 1)
            yield Sight(one.ways * perm(left, most - one.seen), one.mine, one.house, choices)

    def _take(self, decision: "Decision", sign: int) -> None:
        for card in (*decision.mine, *decision.house):
            self.counts[self._kind[card]] += sign

    @cached_property
    def _kind(self) -> dict[Card, int]:
        return dict(zip(self.tables.faces, self.tables.kinds, strict=True))

    def _decisions(
        self, met: "_Met", ways: int, mine: tuple[Card, ...], house: tuple[Card, ...]
    ) -> Iterator[tuple["_Met", "Decision"]]:
        state = self.states[met.state]
        if not state.after:
            yield met, Decision(met.state, ways, mine, house, met.settled)
            return
        settled = self._sum(met.settled, self._arrival[met.state])
        for kind, count in enumerate(self.counts):
            if count:
                card, after = self.members[kind][-count], self.rows[met.state][kind]
                self.counts[kind] -= 1
                if state.on_seat:
                    kinds = tuple(sorted((*met.mine, kind)))
                    now = _Met(after, kinds, met.house, settled)
                    yield from self._decisions(now, ways * count, (*mine, card), house)
                else:
                    now = _Met(after, met.mine, (*met.house, kind), settled)
                    yield from self._decisions(now, ways * count, mine, (*house, card))
                self.counts[kind] += 1

    def _choices(self, number: int, before: int, times: int) -> dict[str, tuple[tuple[Settled, int], ...]]:
        """The weights of every choice at a decision; "" where there is none."""
        state, left = self.states[number], sum(self.counts)
        before = self._sum(before, self._arrival[number])
        if not state.choices:
            return {"": ((self._settlements[before], times * perm(left, self.depth[number])),)}
        choices = {}
        for name, (_, child) in zip(state.names, state.choices, strict=True):
            weights = {self._sum(before, key): n for key, n in self._weights(child).items()}
            choices[name] = self._list_weights(weights, times * self._spare(number, child, left))
        return choices

    def _list_weights(self, weights: Weights, times: int) -> tuple[tuple[Settled, int], ...]:
        return tuple((self._settlements[key], n * times) for key, n in weights.items())

    def _spare(self, number: int, child: int, left: int) -> int:
        """In how many orders the cards come that a shorter way leaves undealt."""
        spare = self.depth[number] - self.depth[child] - bool(self.states[number].after)
        return perm(left - self.depth[child], spare) if spare else 1

    def _weights(self, number: int) -> Weights:
        """The settlements from this state on, weighed by the orders of the next `depth` cards."""
        state, arrival = self.states[number], self._arrival[number]
        if self._is_end[number]:
            return {arrival: 1}
        key = (number, *self.counts)
        known = self._known.get(key)
        if known is None:
            later = self._best(number) if state.choices else self._average(number)
            known = {self._sum(arrival, place): n for place, n in later.items()} if arrival else later
            self._known[key] = known
        return known

    def _average(self, number: int) -> Weights:
        """The sum over the next card, whatever its kind."""
        mixed: Weights = {}
        counts, depths, left = self.counts, self.depth, sum(self.counts) - 1
        longest, is_end, arrival = depths[number] - 1, self._is_end, self._arrival
        for kind, child in enumerate(self.rows[number]):
            times = counts[kind]
            if not times:
                continue
            if spare := longest - depths[child]:
                times *= perm(left - depths[child], spare)
            if is_end[child]:  # most often, and then there is nothing to look up
                mixed[arrival[child]] = mixed.get(arrival[child], 0) + times
                continue
            counts[kind] -= 1
            for key, weight in self._weights(child).items():
                mixed[key] = mixed.get(key, 0) + times * weight
            counts[kind] += 1
        return mixed

    def _best(self, number: int) -> Weights:
        """The weights of the best choice; of choices worth the same, the one that wagers less."""
        left = sum(self.counts)
        if self._choose is not None:
            _, child = self.states[number].choices[self._choose(number, tuple(self.counts))]
            times = self._spare(number, child, left)
            return {key: n * times for key, n in self._weights(child).items()}
        best: tuple[Fraction, int] | None = None
        taken: Weights = {}
        for place, (_, child) in enumerate(self.states[number].choices):
            times = self._spare(number, child, left)
            weights = {key: n * times for key, n in self._weights(child).items()}
            worth = sum((n * self._net(key) for key, n in weights.items()), Fraction(0))
            money = sum(n * each[3] for key, n in weights.items() for each in self._settlements[key])
            if best is None or (worth, -money) > best:
                best, taken = (worth, -money), weights
                self.best[number, *self.counts] = place
        return taken

    def _net(self, key: int) -> Fraction:
        settled = self._settlements[key]
        return sum((e[2] for e in settled if self.serving is None or e[0] in self.serving), Fraction(0))

    def _number(self, settled: Settled) -> int:
        known = self._numbers.get(settled)
        if known is None:
            known = self._numbers[settled] = len(self._settlements)
            self._settlements.append(settled)
        return known

    def _sum(self, one: int, other: int) -> int:
        """Two settlements together."""
        if not one or not other:
            return one or other
        known = self._sums.get((one, other))
        if known is None:
            settled = self._settlements[one] + self._settlements[other]
            known = self._sums[one, other] = self._number(settled)
        return known


def _settlement_of(results: Results) -> Settled:
    return tuple((result.wager, result.outcome, result.exact, result.wagered) for result in results)
