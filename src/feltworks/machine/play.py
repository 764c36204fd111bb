"""A seat's tables with a choice for every decision: for its state alone, or for the cards seen before it."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.machine.tables import Tables

_WORD: Final = (1 << 64) - 1


class DecisionPoint(Struct, frozen=True):
    """What a seat can see at a decision."""

    state: int
    mine: tuple[Card, ...]
    house: tuple[Card, ...]
    counts: tuple[int, ...]  # by kind of card: how many are unseen
    chosen: tuple[str, ...] = ()  # the names of its choices so far


Decide = Callable[[DecisionPoint], int]  # returns the place of the choice in the state


class HandChoices(Struct, frozen=True):
    """Every complete hand that a seat may decide with, and the place of its choice."""

    hands: NDArray[np.int64]  # by hand: its faces, as numbered by the tables; a hand may be repeated
    places: NDArray[np.int64]


class GoesOn(FeltError):
    """Raised when a round continues after a run of house cards, which `Tables` has no states for."""

    def __init__(self) -> None:
        super().__init__("a game that goes on after a showdown is not dealt by the machine")


class Play:
    """The choice in every state that this play can reach."""

    def __init__(
        self,
        tables: Tables,
        shoe: Shoe,
        decide: Decide | HandChoices | None = None,
        *,
        by_cards: bool = False,
    ) -> None:
        """`decide` chooses at a decision point, or lists the choice of every hand; tables that were made with a
        decider need neither.

        `by_cards`: whether choices depend on the cards seen; if not, one example of them represents a state.
        """
        self.tables, self.by_cards = tables, by_cards
        self.kinds = tables.kinds
        width = max(self.kinds, default=0) + 1
        self.marks = tuple(_mark(kind) for kind in range(width))
        members: list[list[Card]] = [[] for _ in range(width)]
        for face, kind in zip(tables.faces, self.kinds, strict=True):
            members[kind] += [face] * shoe[face]
        self._members = members
        self._columns = [self.kinds.index(kind) for kind in range(width)]
        # By state, then by the sum of the marks of the cards seen: the place of the choice
        self.choices: dict[int, dict[int, int]] = {}
        # By state before a decision and face that comes there: the choice, if these two determine it
        self._branches: dict[tuple[int, int], int] = {}
        if isinstance(decide, HandChoices):
            self._list(decide)
        elif decide is not None:
            self._follow(DecisionPoint(tables.start, (), (), tuple(len(faces) for faces in members)), decide)

    def fixed_choice(self, state: int) -> int | None:
        """The choice of a state if it is the same for all cards seen and all counts."""
        picks = set(self.tables.states[state].picks)
        return picks.pop() if len(picks) == 1 else self._only_choices.get(state)

    @cached_property
    def _only_choices(self) -> dict[int, int]:
        places_of = {state: set(chosen.values()) for state, chosen in self.choices.items()}
        return {state: places.pop() for state, places in places_of.items() if len(places) == 1}

    def choice(self, state: int, counts: tuple[int, ...]) -> int:
        """The choice of a state by the number of unseen cards of each kind."""
        return self.choices[state][self._mark_of(counts)]

    def place(self, state: int, arrival: tuple[int, int], mark: int) -> int:
        """The choice at a state, by the state and face that led to it or by the mark of the cards seen."""
        fixed = self.fixed_choice(state)
        if fixed is None:
            fixed = self.branch(*arrival)
        return self.choices[state][mark] if fixed is None else fixed

    def branch(self, state: int, face: int) -> int | None:
        """The choice after a face, if the face and the state before it determine the choice."""
        return self._branches.get((state, self._columns[self.kinds[face]]))

    def _list(self, choices: HandChoices) -> None:
        """Store the choice of every hand under the shortest key: its state, the last card, or all cards.

        The state may not be enough: hands with equal futures share a state but may be played differently.
        """
        after, places = self.tables.after_faces, choices.places
        width, start = after.shape[1], self.tables.start
        hands = np.array(self._columns)[np.array(self.kinds)][choices.hands]  # with one face for each kind
        states = follow_hands(after, start, hands)
        agreed = _common_choices(states, places, len(after))
        self.choices = {state: {0: place} for state, place in enumerate(agreed.tolist()) if place >= 0}
        open_ = agreed[states] < 0
        hands, places, states = hands[open_], places[open_], states[open_]
        before = [follow_hands(after, start, np.delete(hands, last, axis=1)) for last in range(hands.shape[1])]
        keys = np.stack(before, axis=1) * width + hands  # by hand and last card
        agreed = _common_choices(keys.reshape(-1), np.repeat(places, hands.shape[1]), after.size)
        settled = np.flatnonzero(agreed >= 0)
        ways = zip((settled // width).tolist(), (settled % width).tolist(), strict=True)
        self._branches = dict(zip(ways, agreed[settled].tolist(), strict=True))
        unclear = (agreed[keys] < 0).any(axis=1)
        marks = np.array([self.marks[kind] for kind in self.kinds], np.uint64)[hands[unclear]].sum(axis=1)
        self.choices |= {state: {} for state in np.unique(states).tolist()}
        entries = zip(states[unclear].tolist(), marks.tolist(), places[unclear].tolist(), strict=True)
        for state, mark, place in entries:
            if self.choices[state].setdefault(mark, place) != place:
                raise FeltError("a strategy tells cards apart that are alike to the rules")

    def _follow(self, start: DecisionPoint, decide: Decide) -> None:
        """Visit every state once, or once for each composition of the unseen cards if choices depend on them."""
        known: set[tuple[int, ...]] = set()
        waiting = [start]
        while waiting:
            point = waiting.pop()
            key = (point.state, *point.counts) if self.by_cards else (point.state,)
            if key in known:
                continue
            known.add(key)
            state = self.tables.states[point.state]
            if state.choices:
                place = decide(point)
                self.choices.setdefault(point.state, {})[self._mark_of(point.counts)] = place
                chosen = (*point.chosen, state.names[place])
                waiting.append(DecisionPoint(state.choices[place][1], point.mine, point.house, point.counts, chosen))
            elif state.after:
                waiting += self._next_sights(point)
            elif state.run >= 0 and not self._ends(state.row):
                raise GoesOn

    def _ends(self, row: int) -> bool:
        """Whether every round ends after the house's cards."""
        states = self.tables.states
        return all(states[number].is_end for number in self.tables.rows[row].states)

    def _next_sights(self, point: DecisionPoint) -> list[DecisionPoint]:
        """The decision points after one more card."""
        state, following = self.tables.states[point.state], []
        for kind, count in enumerate(point.counts):
            if not count:
                continue
            after = state.after[self._columns[kind]]
            counts = (*point.counts[:kind], count - 1, *point.counts[kind + 1 :])
            card = (self._members[kind][-count],)
            mine, house = (point.mine + card, point.house) if state.on_seat else (point.mine, point.house + card)
            following.append(DecisionPoint(after, mine, house, counts, point.chosen))
        return following

    def _mark_of(self, counts: tuple[int, ...]) -> int:
        if not self.by_cards:
            return 0
        seen = [len(faces) - left for faces, left in zip(self._members, counts, strict=True)]
        return sum(mark * count for mark, count in zip(self.marks, seen, strict=True)) & _WORD


def takes_any_order(tables: Tables, cards: int) -> bool:
    """Whether the state after a seat's first `cards` cards does not depend on their order."""
    after, level = tables.after_faces, np.array([tables.start])
    ahead = ~np.eye(after.shape[1], dtype=np.bool_)
    for _ in range(cards - 1):
        twice = after[after[level]]
        if (twice != twice.swapaxes(1, 2))[:, ahead].any():
            return False
        level = np.unique(after[level])
    return True


def follow_hands(after: NDArray[np.int64], start: int, hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """The state that each hand leads to; a row of `hands` is a hand's faces."""
    states = np.full(len(hands), start, np.int64)
    for column in hands.T:
        states = after[states, column]
    return states


def _common_choices(keys: NDArray[np.int64], places: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """By key: the choice shared by all its hands; -1 if they differ or there are none."""
    least, most = np.full(size, np.iinfo(np.int64).max), np.full(size, -1)
    np.minimum.at(least, keys, places)
    np.maximum.at(most, keys, places)
    return np.where(least == most, least, -1)


def _mark(kind: int) -> int:
    """A 64-bit hash of a kind: the sums for different compositions almost never collide."""
    mixed = (kind + 1) * 0x9E3779B97F4A7C15 & _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
    return mixed ^ mixed >> 31


def best_choices(chosen: Mapping[tuple[int, ...], int]) -> Decide:
    """A decider that returns the best choices of a walk, by state and composition."""

    def decide(seen: DecisionPoint) -> int:
        return chosen[(seen.state, *seen.counts)]

    return decide
