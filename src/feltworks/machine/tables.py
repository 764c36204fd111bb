"""Minimises a graph to an automaton: one card per transition, and states with equal futures are merged.

Suits that are interchangeable are found here too: proven on the tables, and used if the shoe is symmetric as well.
"""

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from operator import itemgetter
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.cards import DECK, Card, Suit
from feltworks.machine.felt import CardsRead
from feltworks.machine.graph import Graph
from feltworks.machine.node import Decider, Fan, Later, Results, Sides, Slot, TooManyStates, names_of, next_slot
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, SEAT, Choice, Place, Round
from feltworks.rules.steps import Decide


class State(Struct, frozen=True, gc=False):
    """A state: the results settled on arrival, and what comes next: a card, a choice, or nothing."""

    results: Results = ()
    after: tuple[int, ...] = ()  # by face: the next state, if a card comes
    choices: tuple[tuple[Choice, int], ...] = ()
    wanted: frozenset[Card] | None = None  # for a peek: the card is shown only if it is one of these
    again: bool = False  # not a new card: the one that the dealer has looked at is turned
    place: Place = DEALER  # where the card is dealt
    unseen: tuple[int, int] = (0, 0)  # at an end: cards of the seat and of the house never turned
    trace: int = 0  # at an end: what later hands of a split depend on of this one
    picks: tuple[int, ...] = ()  # with a decider: the place of its choice at each true count
    first: int = -1  # of a split: the state of the hand that is played first
    later: int = -1  # of a split: the family of states in which the other hand begins
    run: int = -1  # if several cards come to the house at once: the run of cards
    row: int = -1  # and the row with the next state after each end of the run

    @property
    def on_seat(self) -> bool:
        """Whether the card is dealt to the seat, not to the dealer or the board."""
        return self.place == SEAT

    @property
    def is_end(self) -> bool:
        return not self.after and not self.choices and self.run < 0 and self.first < 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the choices."""
        return names_of([choice for choice, _ in self.choices])


class Pieces(Struct, frozen=True, gc=False):
    """The next state after each end of a run, as a step function: neighbouring ends often lead to the same state."""

    ranks: tuple[int, ...]  # the first rank of each piece, in ascending order
    states: tuple[int, ...]  # the next state of each piece

    def at(self, rank: int) -> int:
        """The next state after the end with this rank."""
        return self.states[bisect_right(self.ranks, rank) - 1]


class Run:
    """Several cards to the house in a row, whose transitions do not depend on the seat."""

    def __init__(self, sides: Sides, fan: Fan) -> None:
        self.order = fan.columns.order  # the ends in an order that puts those with equal results together
        ranks = {fan.ends[place]: rank for rank, place in enumerate(self.order.tolist())}
        self.after: list[tuple[int, ...]] = []  # by step and face: the next step, or ~rank of an end
        self._steps: dict[tuple[int, Slot], int] = {}
        self._step(sides, fan.house, fan.slot, ranks)

    def _step(self, sides: Sides, house: int, slot: Slot, ranks: Mapping[int, int]) -> int:
        known = self._steps.get((house, slot))
        if known is None:
            known = self._steps[house, slot] = len(self.after)
            self.after.append(())
            row = sides.row(house, slot)
            if slot.count == 1:
                follow = {state: ~ranks[state] for state in set(row)}
            else:
                rest = next_slot(slot)
                follow = {state: self._step(sides, state, rest, ranks) for state in dict.fromkeys(row)}
            self.after[known] = tuple([follow[state] for state in row])
        return known


class _Circle(Exception):
    """Raised when the graph has a cycle."""


_BEGUN: Final = -1  # marks a node whose state is being computed


class Tables:
    """The states of a seat's round, in reverse topological order: successors have lower numbers."""

    def __init__(
        self,
        game: Game,
        wagers: Mapping[str, Cents],
        *,
        meters: Mapping[str, Cents] | None = None,
        decide: Decider | None = None,
        faces: Sequence[Card] | None = None,
    ) -> None:
        """`faces` are the cards that can come; by default those of the game's shoe."""
        self.game, self.wagers = game, dict(wagers)
        try:
            self._reduce_all(Graph(game, wagers, meters=meters, faces=faces, decide=decide))
        except _Circle:  # from cards that change no hand, such as those before a match; counting them breaks it
            self._reduce_all(Graph(game, wagers, meters=meters, faces=faces, decide=decide, counts_cards=True))
        del self._graph, self._known, self._numbers  # far larger than the result

    def _reduce_all(self, graph: Graph) -> None:
        self._graph, self.faces = graph, graph.faces
        self.states: list[State] = []
        self.steps: dict[int, Decide] = {}  # by state with choices: the step of the rules
        self.runs: list[Run] = []
        self.rows: list[Pieces] = []  # by rank of a run's end: the next state
        self.families: list[dict[tuple[int, int], int]] = []  # by number of hands and trace: the state
        self._families: dict[tuple[tuple[tuple[int, int], int], ...], int] = {}
        self._traces: dict[Hashable, int] = {None: 0}
        self._runs: dict[int, int] = {}
        self._rows: dict[Pieces, int] = {}
        self._numbers: dict[State, int] = {}
        self._known: dict[Any, int] = {}
        for number in graph.from_the_last_card():  # keeps the recursion shallow in long rounds
            self._reduce(number)
        self.start = self._reduce(graph.start)
        # By trace of the seat's hand: the first state of the wagers that are followed separately
        self.apart = {self._trace(trace): self._reduce(node) for trace, node in graph.apart.items()}

    def _reduce(self, number: int) -> int:
        known = self._known.get(number)
        if known is not None:
            if known == _BEGUN:
                raise _Circle
            return known
        self._known[number] = _BEGUN
        node = self._graph.nodes[number]
        if node.step is not None:
            choices = tuple((choice, self._reduce(child)) for choice, child in node.choices)
            state = State(node.results, choices=choices, picks=node.picks)
        elif node.first >= 0:
            state = State(node.results, first=self._reduce(node.first), later=self._family(node.later))
        elif node.fan is not None and node.row is not None:
            state = self._fan(node.results, node.fan, node.row)
        elif node.after:
            ends = {end: self._reduce(end) for end in set(node.after)}
            state = State(node.results, tuple(map(ends.__getitem__, node.after)))
        elif node.slot is not None:
            state = self._card(node.results, node.seat, node.house, node.slot)
        else:
            unseen, trace = self._graph.ruling.unseen(node), self._trace(self._graph.trace(node))
            state = State(node.results, unseen=unseen, trace=trace)
        self._known[number] = reduced = self._number(state)
        if node.step is not None:
            self.steps[reduced] = node.step
        return reduced

    def _trace(self, trace: Hashable) -> int:
        return self._traces.setdefault(trace, len(self._traces))

    def _family(self, later: Later) -> int:
        """The number of the family of states in which the other hand of a split begins."""
        states = {(parts, self._trace(trace)): self._reduce(node) for (parts, trace), node in later}
        key = tuple(sorted(states.items()))
        place = self._families.setdefault(key, len(self.families))
        if place == len(self.families):
            self.families.append(states)
        return place

    def _card(self, results: Results, seat: int, house: int, slot: Slot) -> State:
        on_seat, rest = slot.changes_seat, next_slot(slot) if slot.count > 1 else None
        row = self._graph.sides.row(seat if on_seat else house, slot)
        follow: dict[int, int] = {}
        for state in dict.fromkeys(row):
            pair = (state, house) if on_seat else (seat, state)
            follow[state] = self._reduce(self._graph.node(*pair)) if rest is None else self._await_rest(pair, rest)
        after = tuple(map(follow.__getitem__, row))
        return State(results, after, wanted=slot.wanted, again=slot.again, place=slot.place)

    def _await_rest(self, pair: tuple[int, int], rest: Slot) -> int:
        """The state that waits for the next of several cards, between which the rules are not called."""
        known = self._known.get((pair, rest))
        if known is None:
            known = self._known[pair, rest] = self._number(self._card((), *pair, rest))
        return known

    def _fan(self, results: Results, fan: Fan, row: NDArray[np.int32]) -> State:
        if id(fan) not in self._runs:
            self._runs[id(fan)] = len(self.runs)
            self.runs.append(Run(self._graph.sides, fan))
        run = self._runs[id(fan)]
        ordered = row[self.runs[run].order]
        ranks, states = list[int](), list[int]()
        for rank in [0, *(np.flatnonzero(np.diff(ordered)) + 1).tolist()]:
            state = self._reduce(int(ordered[rank]))
            if not states or states[-1] != state:
                ranks.append(rank)
                states.append(state)
        pieces = Pieces(tuple(ranks), tuple(states))
        place = self._rows.setdefault(pieces, len(self._rows))
        if place == len(self.rows):
            self.rows.append(pieces)
        return State(results, run=run, row=place)

    def _number(self, state: State) -> int:
        known = self._numbers.get(state)
        if known is None:
            known = self._numbers[state] = len(self.states)
            self.states.append(state)
        return known

    @property
    def has_one_decision(self) -> bool:
        """Whether no decision follows another and there are no runs, so that each card is counted by itself."""
        return not self.has_later_decisions and not self.runs

    @cached_property
    def has_later_decisions(self) -> bool:
        """Whether a decision can follow another."""
        decides: list[bool] = []  # by state: whether it or a later one has choices
        for state in self.states:
            later = any(decides[child] for child in {*state.after, *(child for _, child in state.choices)})
            if state.choices and later:
                return True
            decides.append(later or bool(state.choices))
        return False

    @cached_property
    def after_faces(self) -> NDArray[np.int64]:
        """By state and face: the next state, or the state itself if no card comes."""
        faces = len(self.faces)
        rows = [state.after or (number,) * faces for number, state in enumerate(self.states)]
        return np.array(rows, np.int64)

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """The kind of every face: faces of one kind have the same transitions in all states."""
        rows = [state.after for state in self.states if state.after]
        rows += [after for run in self.runs for after in run.after]
        looks = {state.wanted for state in self.states if state.wanted}
        rows += [tuple([int(face in wanted) for face in self.faces]) for wanted in looks]
        rows = rows or [(0,) * len(self.faces)]
        numbers: dict[tuple[int, ...], int] = {}
        return tuple(numbers.setdefault(column, len(numbers)) for column in zip(*rows, strict=True))


def derive_kinds(game: Game, r: Round) -> dict[Card, int]:
    """The kinds of cards for the wagers of a round; empty if its rules cannot be compiled."""
    kinds: list[tuple[int, ...]] = []
    for wagers in {tuple(seat.wagers.items()) for seat in r.seats}:
        opened = {name: cents for name, cents in wagers if name in game.terms.openings}
        try:
            tables = Tables(game, opened, meters=r.meters)
        except (CardsRead, TooManyStates):
            return {}
        kinds.append(tables.kinds)
    numbers: dict[tuple[int, ...], int] = {}
    columns = zip(*kinds, strict=True)
    return {face: numbers.setdefault(kind, len(numbers)) for face, kind in zip(game.terms.shoe, columns, strict=True)}


_SUITS = frozenset(Suit)
# Generators of all permutations of the suits: a transposition and a rotation
_CHANGES = ((1, 0, 2, 3), (1, 2, 3, 0))


class Suits:
    """Tracks which suits are interchangeable because none of their cards has been seen."""

    def __init__(self, tables: Tables, kind_of: Mapping[Card, int], counts: Sequence[int]) -> None:
        """`counts`: by kind, the number of cards in the shoe, which need not hold all the faces of a kind."""
        suits: list[set[Suit | None]] = [set() for _ in counts]
        for face, kind in kind_of.items():
            suits[kind].add(face.suit)
        self.suit_of = [of_kind.pop() if len(of_kind) == 1 else None for of_kind in suits]
        self.held = {suit: tuple([counts[kind_of[face]] for face in DECK[suit::4] if face in kind_of]) for suit in Suit}
        is_mixed = any(of_kind and suit is None for of_kind, suit in zip(counts, self.suit_of, strict=True))
        self.fresh = frozenset[Suit]() if is_mixed or not ignores_suits(tables) else _SUITS
        self.drawable = cache(self._drawable)

    def _drawable(self, fresh: frozenset[Suit]) -> tuple[tuple[int, int], ...]:
        """The kinds that can come next, one for each set of interchangeable kinds, with the size of the set."""
        alike: dict[tuple[int, ...], list[Suit]] = {}
        for suit in sorted(fresh):
            alike.setdefault(self.held[suit], []).append(suit)
        times = {suit: 1 for suit in Suit if suit not in fresh}
        times |= {suits[0]: len(suits) for suits in alike.values()}
        return tuple(self._list_kinds(times))

    def _list_kinds(self, times: dict[Suit, int]) -> Iterator[tuple[int, int]]:
        for kind, suit in enumerate(self.suit_of):
            if suit is None:
                yield kind, 1
            elif suit in times:
                yield kind, times[suit]

    def after(self, fresh: frozenset[Suit], kind: int) -> frozenset[Suit]:
        """The suits that are still interchangeable after a card of this kind."""
        suit = self.suit_of[kind]
        return fresh - {suit} if suit in fresh else fresh


@lru_cache(maxsize=16)
def ignores_suits(tables: Tables) -> bool:
    """Whether the tables are symmetric under every permutation of the suits."""
    return all(_is_symmetric(tables, change) for change in _CHANGES)


def _is_symmetric(tables: Tables, change: tuple[int, ...]) -> bool:
    """Whether the tables have an automorphism that goes with a permutation of suits, checked from the start on.

    States with equal futures are merged, so the counterpart of a state is unique on every path to it.
    """
    places = {face: place for place, face in enumerate(tables.faces)}
    changed = {face: _change(face, change) for face in tables.faces}
    if not all(face in places for face in changed.values()):
        return False
    in_order = itemgetter(*[places[changed[face]] for face in tables.faces])
    is_end = [state.is_end for state in tables.states]  # an end has no cards, so it is its own counterpart
    counterparts = {tables.start: tables.start}
    waiting = [tables.start]
    while waiting:
        number = waiting.pop()
        one, other = tables.states[number], tables.states[counterparts[number]]
        if not _is_same_step(one, other, changed):
            return False
        after = in_order(other.after) if one.after else ()
        if one.after and all(map(is_end.__getitem__, one.after)):
            if one.after != after:
                return False
            continue
        pairs = set(zip(one.after, after, strict=True))
        pairs |= {(a[1], b[1]) for a, b in zip(one.choices, other.choices, strict=True)}
        for child, counterpart in pairs:
            if child not in counterparts:
                counterparts[child] = counterpart
                waiting.append(child)
            elif counterparts[child] != counterpart:
                return False
    return True


def _is_same_step(one: State, other: State, changed: dict[Card, Card]) -> bool:
    wanted = None if one.wanted is None else frozenset([changed.get(face, face) for face in one.wanted])
    return (
        one.results == other.results
        and wanted == other.wanted
        and (one.again, one.on_seat, one.unseen, one.run) == (other.again, other.on_seat, other.unseen, -1)
        and bool(one.after) == bool(other.after)
        and [choice for choice, _ in one.choices] == [choice for choice, _ in other.choices]
    )


def _change(face: Card, change: tuple[int, ...]) -> Card:
    return face if face.suit is None else DECK[4 * (face.rank - 2) + change[face.suit]]
