"""A seat's tables with every decision answered: by its state alone, or by the cards seen on the way to it."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.machine.tables import Tables

_WORD: Final = (1 << 64) - 1


class Seen(Struct, frozen=True):
    """What a seat has before it when it decides."""

    state: int
    mine: tuple[Card, ...]
    house: tuple[Card, ...]
    counts: tuple[int, ...]  # of each kind of card, how many it has not seen


Decide = Callable[[Seen], int]  # gives the place of the choice among those of the state


class Play:
    """Which choice is made in every state that the play itself can reach."""

    def __init__(
        self, tables: Tables, shoe: Shoe, decide: Decide | None = None, *, by_cards: bool = False
    ) -> None:
        """Tables that were made with a decider need no other.

        `by_cards`: whether the cards seen are told apart, or an example of them speaks for a state.
        """
        self.tables, self._decide, self.by_cards = tables, decide, by_cards
        self.kinds = tables.kinds
        width = max(self.kinds, default=0) + 1
        self.marks = tuple(_mark(kind) for kind in range(width))
        members: list[list[Card]] = [[] for _ in range(width)]
        for face, kind in zip(tables.faces, self.kinds, strict=True):
            members[kind] += [face] * shoe[face]
        self._members = members
        self._columns = [self.kinds.index(kind) for kind in range(width)]
        self.choices: dict[
            int, dict[int, int]
        ] = {}  # by state, then by the sum of the marks of all cards seen
        if decide is not None:
            self._follow(Seen(tables.start, (), (), tuple(len(faces) for faces in members)), decide)

    def fixed(self, state: int) -> int | None:
        """The choice of a state that is the same whatever was seen and counted."""
        taken = set(self.tables.states[state].picks or self.choices[state].values())
        return taken.pop() if len(taken) == 1 else None

    def choice(self, state: int, counts: tuple[int, ...]) -> int:
        """The choice of a state when so many cards of each kind are unseen."""
        return self.choices[state][self._mark_of(counts)]

    def _follow(self, start: Seen, decide: Decide) -> None:
        """Visit every state, and where cards are told apart every composition of it, once."""
        known: set[tuple[int, ...]] = set()
        waiting = [start]
        while waiting:
            seen = waiting.pop()
            key = (seen.state, *seen.counts) if self.by_cards else (seen.state,)
            if key in known:
                continue
            known.add(key)
            state = self.tables.states[seen.state]
            if state.choices:
                place = decide(seen)
                self.choices.setdefault(seen.state, {})[self._mark_of(seen.counts)] = place
                waiting.append(Seen(state.choices[place][1], seen.mine, seen.house, seen.counts))
            elif state.after:
                waiting += self._next_sights(seen)
            elif state.run >= 0 and not self._ends(state.row):
                raise FeltError("a game that goes on after a showdown is not dealt by the machine")

    def _ends(self, row: int) -> bool:
        """Whether every round is over when the house's cards have come."""
        states = self.tables.states
        return all(states[number].is_end for number in set(self.tables.rows[row].tolist()))

    def _next_sights(self, seen: Seen) -> list[Seen]:
        """All that can be seen after one more card."""
        state, following = self.tables.states[seen.state], []
        for kind, count in enumerate(seen.counts):
            if not count:
                continue
            after = state.after[self._columns[kind]]
            counts = (*seen.counts[:kind], count - 1, *seen.counts[kind + 1 :])
            card = (self._members[kind][-count],)
            mine, house = (seen.mine + card, seen.house) if state.on_seat else (seen.mine, seen.house + card)
            following.append(Seen(after, mine, house, counts))
        return following

    def _mark_of(self, counts: tuple[int, ...]) -> int:
        if not self.by_cards:
            return 0
        seen = [len(faces) - left for faces, left in zip(self._members, counts, strict=True)]
        return sum(mark * count for mark, count in zip(self.marks, seen, strict=True)) & _WORD


def _mark(kind: int) -> int:
    """A number of 64 bits for a kind: sums of a few of them tell compositions apart."""
    mixed = (kind + 1) * 0x9E3779B97F4A7C15 & _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
    return mixed ^ mixed >> 31


def best_choices(chosen: Mapping[tuple[int, ...], int]) -> Decide:
    """The choices that a walk has found best, by state and composition."""

    def decide(seen: Seen) -> int:
        return chosen[(seen.state, *seen.counts)]

    return decide
