"""Lists the decisions of a round: the visible cards of each, and the exact law of every choice."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import lcm, perm

from msgspec import Struct
from msgspec.structs import replace

from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.machine.tables import State, Tables
from feltworks.machine.walk import PLAIN, Context, Settled, Walk, Weights

Choices = Mapping[str, tuple[tuple[Settled, int], ...]]


class Sight(Struct, frozen=True):
    """A first decision: the number of ways to it, the visible cards, and the weights of each choice.

    The weights of every choice of every sight have the same sum. A round without a decision has one choice, "".
    """

    ways: int
    mine: tuple[Card, ...]  # example cards open at the seat, in the order dealt
    house: tuple[Card, ...]  # and at the dealer's place and on the board
    choices: Choices


class Decision(Struct, frozen=True):
    """A state with a decision, or an end, with example cards that lead to it."""

    state: int
    ways: int
    whole: int  # the sum of the weights of any choice
    mine: tuple[Card, ...]
    house: tuple[Card, ...]
    settled: int  # the number of the settlement so far
    context: Context

    @property
    def card_count(self) -> int:
        """The number of cards dealt: those seen, and one that the dealer has looked at."""
        return len(self.mine) + len(self.house) + bool(self.context.barred)


class _SightKey(Struct, frozen=True):
    """The key of equal decisions: a state, the kinds of cards seen before it, and the settlement so far."""

    state: int
    mine: tuple[int, ...] = ()  # sorted, as their order does not matter to the player
    house: tuple[int, ...] = ()
    settled: int = 0
    context: Context = PLAIN


class SightCache:
    """The choices at decisions, shared by tables whose rules differ elsewhere."""

    def __init__(self) -> None:
        self._states: dict[State, int] = {}
        self.choices: dict[Hashable, Choices] = {}

    def number(self, tables: Tables) -> list[int]:
        """The number of each state's future, the same for equal futures; -1 if it has a split or a run of cards."""
        numbers: list[int] = []
        for state in tables.states:  # successors have lower numbers
            after = tuple([numbers[child] for child in state.after])
            choices = tuple([(choice, numbers[child]) for choice, child in state.choices])
            future = replace(state, after=after, choices=choices)
            is_own = state.first >= 0 or state.run >= 0 or -1 in after or any(child < 0 for _, child in choices)
            numbers.append(-1 if is_own else self._states.setdefault(future, len(self._states)))
        return numbers


class SightWalk(Walk):
    """A walk that stops at every first decision and lists what can be seen there."""

    known: SightCache | None = None  # of walks over the same shoe that serve the same wagers

    @cached_property
    def _futures(self) -> list[int]:
        """The number in the cache of each state; none where the shoe can run out, as the weights then differ."""
        if self.known is None or self.depth[self.tables.start] >= self._total:
            return [-1] * len(self.states)
        return self.known.number(self.tables)

    def sights(self, progress: Callable[[int, int], None] | None = None) -> list[Sight]:
        """Every first decision with what can be seen there; a game without decisions is a single sight.

        `progress` is called from time to time with the number of decisions done and their total.
        """
        if not any(state.choices for state in self.states):
            weights = self._weights(self.tables.start, self._start)
            return [Sight(1, (), (), {"": self._list_weights(weights, 1)})]
        decisions = self.decisions()
        sights, every = list[Sight](), max(1, len(decisions) // 100)
        for sight in self._sights(decisions):
            sights.append(sight)
            if progress is not None and (len(sights) % every == 0 or len(sights) == len(decisions)):
                progress(len(sights), len(decisions))
        return sights

    def decisions(self) -> list[Decision]:
        """Every first decision or end of a round, once for all cards with equal keys."""
        return _merge(self._decisions(_SightKey(self.tables.start, context=self._start), 1, (), ()))

    def later_sights(self) -> Iterator[tuple[tuple[str, ...], int, Sight]]:
        """Every decision after the first: the choices before it, its state, and what can be seen there."""
        waiting: list[tuple[tuple[str, ...], Sequence[Decision]]] = [((), self._open(self.decisions()))]
        for path, decisions in waiting:
            if path and decisions:
                states = [one.state for one in decisions]
                yield from ((path, *each) for each in zip(states, self._sights(decisions), strict=True))
            names = dict.fromkeys(name for one in decisions for name in self.states[one.state].names)
            waiting += [((*path, name), self._open(_merge(self._decisions_after(decisions, name)))) for name in names]

    def _open(self, decisions: Sequence[Decision]) -> list[Decision]:
        return [one for one in decisions if self.states[one.state].choices]

    def _decisions_after(self, decisions: Sequence[Decision], name: str) -> Iterator[tuple[_SightKey, Decision]]:
        """The next decisions or ends after this choice at some decisions."""
        for one in decisions:
            state, seen = self.states[one.state], (*one.mine, *one.house)
            if one.context.barred:
                raise FeltError("decisions after a look at a card are not listed")
            for _, child in [state.choices[place] for place, each in enumerate(state.names) if each == name]:
                mine, house = ([self._kind[card] for card in some] for some in (one.mine, one.house))
                settled = self._sum(one.settled, self._arrival[one.state])
                for card in seen:
                    self._take(self._kind[card])
                begin = _SightKey(child, tuple(sorted(mine)), tuple(house), settled, one.context)
                yield from self._decisions(begin, one.ways, one.mine, one.house)
                for _ in seen:
                    self._return()

    def _sights(self, decisions: Sequence[Decision]) -> Iterator[Sight]:
        total, most = self._left, max(decision.card_count for decision in decisions)
        common = lcm(*{decision.whole for decision in decisions})
        for one in decisions:
            choices = self._known_choices(one, common // one.whole)
            yield Sight(one.ways * perm(total - one.card_count, most - one.card_count), one.mine, one.house, choices)

    def _known_choices(self, one: Decision, times: int) -> Choices:
        """As `_choices`, from the cache if another walk has met the same future after the same cards."""
        future, seen = self._futures[one.state], (*one.mine, *one.house)
        key = future, times, one.whole, one.mine, one.house, self._settlements[one.settled], one.context
        if self.known is not None and key in self.known.choices:
            return self.known.choices[key]
        for card in seen:
            self._take(self._kind[card])
        choices = self._choices(one, times)
        for _ in seen:
            self._return()
        if self.known is not None and future >= 0:
            self.known.choices[key] = choices
        return choices

    def _decisions(
        self, key: _SightKey, ways: int, mine: tuple[Card, ...], house: tuple[Card, ...]
    ) -> Iterator[tuple[_SightKey, Decision]]:
        state = self.states[key.state]
        if not state.after:
            leaf = self._leaf(key.context)
            whole = leaf * perm(self._left - bool(key.context.barred), self.depth[key.state])
            yield key, Decision(key.state, ways * leaf, whole, mine, house, key.settled, key.context)
            return
        settled = self._sum(key.settled, self._arrival[key.state])
        for kind, times, after, context in self._next(key.state, key.context):
            if kind is None:
                now = replace(key, state=after, settled=settled, context=context)
                yield from self._decisions(now, ways, mine, house)
                continue
            card = self.members[kind][-self.counts[kind]]
            kinds = tuple(sorted((*key.mine, kind))) if state.on_seat else key.mine
            house_kinds = key.house if state.on_seat else (*key.house, kind)
            now = _SightKey(after, kinds, house_kinds, settled, context)
            example = ((*mine, card), house) if state.on_seat else (mine, (*house, card))
            self._take(kind)
            yield from self._decisions(now, ways * times, *example)
            self._return()

    def _choices(self, one: Decision, times: int) -> Choices:
        """The weights of every choice at a decision; "" where there is none."""
        number, state = one.state, self.states[one.state]
        before = self._sum(one.settled, self._arrival[number])
        if not state.choices:
            return {"": ((self._settlements[before], times * one.whole),)}
        choices = {}
        for name, (_, child) in zip(state.names, state.choices, strict=True):
            weights = {self._sum(before, key): n for key, n in self._weights(child, one.context).items()}
            choices[name] = self._list_weights(weights, times * self._spare(number, child, one.context))
        return choices

    def _list_weights(self, weights: Weights, times: int) -> tuple[tuple[Settled, int], ...]:
        return tuple([(self._settlements[key], n * times) for key, n in weights.items() if n])


def _merge(decisions: Iterable[tuple[_SightKey, Decision]]) -> list[Decision]:
    """One decision for each key, with the ways to all of them."""
    merged: dict[_SightKey, Decision] = {}
    for key, decision in decisions:
        before = merged.get(key)
        merged[key] = replace(before, ways=before.ways + decision.ways) if before else decision
    return list(merged.values())
