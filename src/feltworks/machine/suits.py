"""Finds suits that are interchangeable: proven on the compiled tables, and used if the shoe is symmetric, too."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from operator import itemgetter

from feltworks.cards import DECK, Card, Suit
from feltworks.machine.tables import State, Tables

_SUITS = frozenset(Suit)
# Generators of all permutations of the suits: a transposition and a rotation
_CHANGES = ((1, 0, 2, 3), (1, 2, 3, 0))


class Suits:
    """Tracks which suits are interchangeable because none of their cards has been seen."""

    def __init__(self, tables: Tables, members: Sequence[Sequence[Card]], counts: Sequence[int]) -> None:
        """`members` are the cards of each kind; `counts` their numbers in the shoe."""
        self._counts = tuple(counts)
        suits = [{face.suit for face in faces} for faces in members]
        self.suit_of = [of_kind.pop() if len(of_kind) == 1 else None for of_kind in suits]
        kinds = dict(zip(tables.faces, tables.kinds, strict=True))
        self.held = {suit: tuple([counts[kinds[face]] for face in DECK[suit::4] if face in kinds]) for suit in Suit}
        is_told = any(faces and suit is None for faces, suit in zip(members, self.suit_of, strict=True))
        self.fresh = frozenset[Suit]() if is_told or not ignores_suits(tables) else _SUITS
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
