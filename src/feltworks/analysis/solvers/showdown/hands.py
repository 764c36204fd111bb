"""Lists the hands of a deck as classes up to equal suits, each with its exact number of hands.

A hand is its holding of each suit and its wild cards. Two hands are in one class if a permutation of suits
with equal compositions turns one into the other. Exposed cards make suits unequal, which only lengthens the
list.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, groupby, pairwise, permutations, product
from math import comb, factorial

import numpy as np

from feltworks.analysis.solvers.numbers import Bools, Ints
from feltworks.analysis.strategy.file import Cards
from feltworks.cards import DECK, Card, Rank, Shoe, Suit
from feltworks.errors import FeltError
from feltworks.hands.poker import HandValue, Ranking

_DIGIT = 4  # bits of a rank in the packed counts of a hand's ranks
_DIGITS = 15
_LARGEST = 2**63 - 1


def choose_table(most: int, size: int) -> Ints:
    """Binomial coefficients: row n, column k."""
    return np.array([[comb(n, k) for k in range(size + 1)] for n in range(most + 1)], dtype=np.int64)


def ways_to_hold(counts: Sequence[int], size: int) -> Ints:
    """Every way to hold `size` cards from so many of each rank, one in each row.

    >>> ways_to_hold([2, 1], 2).tolist()
    [[2, 0], [1, 1]]
    """
    picks = list(combinations_with_replacement(range(len(counts)), size))
    held = np.zeros((len(picks), len(counts)), dtype=np.int64)
    for column in np.array(picks, dtype=np.int64).reshape(len(picks), size).T:
        held[np.arange(len(picks)), column] += 1
    possible: Ints = held[(held <= np.array(counts, dtype=np.int64)).all(axis=1)]
    return possible


def rank_codes(held: Ints) -> Ints:
    """Pack each way to hold cards into one number."""
    shifts = _DIGIT * np.arange(held.shape[1], dtype=np.int64)
    summed: Ints = (held << shifts).sum(axis=1)
    return summed


class Holdings:
    """The possible holdings of one suit, smallest first, with the number of ways to each."""

    def __init__(self, counts: tuple[int, ...], most: int) -> None:
        self.counts = counts
        by_size = [ways_to_hold(counts, size) for size in range(most + 1)]
        self.starts = [0, *np.cumsum([len(rows) for rows in by_size]).tolist()]
        self.held: Ints = np.concatenate(by_size)
        self.codes = rank_codes(self.held)
        table = choose_table(max(counts, default=0), most)
        ways = [table[count][self.held[:, column]] for column, count in enumerate(counts)]
        self.ways: Ints = np.prod(ways, axis=0, dtype=np.int64) if ways else np.ones(1, dtype=np.int64)

    def span_of(self, size: int) -> tuple[int, int]:
        """The range of the holdings of a size."""
        return self.starts[size], self.starts[size + 1]


class DealtHands:
    """The classes of hands of one shoe as arrays of equal length, without their values."""

    def __init__(self, shoe: Shoe, size: int, wild: frozenset[Rank]) -> None:
        self.shoe, self.size, self.wild_ranks = shoe, size, wild
        if shoe.total < size:
            raise FeltError(f"a hand takes {size} cards and the shoe holds {shoe.total}")
        if comb(shoe.total, size) > _LARGEST:
            raise FeltError(f"{shoe.total} cards give more hands than can be counted")
        self._faces: dict[tuple[int, int], Cards] = {}
        self._compose()
        self._enumerate()

    def __len__(self) -> int:
        return len(self.kind)

    def _compose(self) -> None:
        """Count the shoe's cards as the ranking reads them: by natural rank and suit, and wild cards."""
        natural = [face for face in self.shoe if face.rank not in self.wild_ranks]
        self.ranks = tuple(rank for rank in Rank if any(face.rank is rank for face in natural))
        self.wild_faces = [face for face in self.shoe.all_cards() if face.rank in self.wild_ranks]
        of_suit = {
            suit: tuple(self.shoe[face] for face in _faces(self.ranks, suit)) if self.ranks else () for suit in Suit
        }
        # Equal suits are adjacent and share their holdings.
        self.suits = tuple(sorted(Suit, key=lambda suit: (of_suit[suit], suit)))
        alike = [list(suits) for _, suits in groupby(self.suits, key=of_suit.__getitem__)]
        self.groups = tuple(len(suits) for suits in alike)
        self.holdings = [
            shared for suits in alike for shared in [Holdings(of_suit[suits[0]], self.size)] for _ in suits
        ]
        of_rank = [sum(column) for column in zip(*of_suit.values(), strict=True)]
        self.counts = (*of_rank, len(self.wild_faces))  # wild cards are one more rank, the last

    def _enumerate(self) -> None:
        self.kinds = ways_to_hold(self.counts, self.size)
        shapes = [self._holdings_of_shape(wild, sizes) for wild, sizes in self._shapes()]
        self.wild: Ints = np.concatenate([np.full(len(rows), wild) for wild, rows in shapes])
        self.holding: Ints = np.concatenate([rows for _, rows in shapes])
        codes = self.wild << _DIGIT * len(self.ranks)
        for column, holdings in enumerate(self.holdings):
            codes = codes + holdings.codes[self.holding[:, column]]
        kind_codes = rank_codes(self.kinds)
        order = np.argsort(kind_codes)
        self.kind: Ints = order[np.searchsorted(kind_codes[order], codes)]
        self.is_suited = (self.holding > 0).sum(axis=1) <= 1  # holding 0 of a suit is empty
        self.hands = self._multiplicities()

    def _shapes(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The numbers of wild cards and of cards of each suit, non-increasing within equal suits."""
        firsts = {sum(self.groups[:place]) for place in range(len(self.groups))}
        for wild in range(min(self.size, len(self.wild_faces)) + 1):
            for sizes in product(range(self.size - wild, -1, -1), repeat=len(self.suits)):
                if sum(sizes) == self.size - wild and all(
                    a >= b or place in firsts for place, (a, b) in enumerate(pairwise(sizes), 1)
                ):
                    yield wild, sizes

    def _holdings_of_shape(self, wild: int, sizes: tuple[int, ...]) -> tuple[int, Ints]:
        """All holdings of these sizes; for equal suits in one order only."""
        firsts = {sum(self.groups[:place]) for place in range(len(self.groups))}
        rows = np.zeros((1, 0), dtype=np.int64)
        for column, size in enumerate(sizes):
            begin, end = self.holdings[column].span_of(size)
            ends = np.full(len(rows), end)
            if column not in firsts and size == sizes[column - 1]:
                ends = rows[:, -1] + 1
            rows = _extend_rows(rows, begin, ends)
        return wild, rows

    def _multiplicities(self) -> Ints:
        hands = np.array([comb(len(self.wild_faces), w) for w in range(self.size + 1)])[self.wild]
        for column, holdings in enumerate(self.holdings):
            hands = hands * holdings.ways[self.holding[:, column]]
        begin = 0
        for suits in self.groups:  # permutations of equal suits that make another hand
            hands, equal = hands * factorial(suits), np.ones(len(hands), dtype=np.int64)
            for column in range(begin + 1, begin + suits):
                same = self.holding[:, column] == self.holding[:, column - 1]
                equal = np.where(same, equal + 1, 1)
                hands = hands // equal
            begin += suits
        return hands

    def cards(self, row: int) -> Cards:
        """A hand of a class."""
        faces: list[Card] = []
        for column, place in enumerate(self.holding[row].tolist()):
            if place:
                faces += self._held_faces(column, place)
        return (*faces, *self.wild_faces[: int(self.wild[row])])

    def _held_faces(self, column: int, place: int) -> Cards:
        """The cards of a holding."""
        key = (column, place)
        if key not in self._faces:
            held = self.holdings[column].held[place].tolist()
            faces = _faces(self.ranks, self.suits[column])
            self._faces[key] = tuple(f for f, count in zip(faces, held, strict=True) for _ in range(count))
        return self._faces[key]

    def faces_of(self, row: int) -> frozenset[Cards]:
        """The hands of a class, as faces."""
        held = [face for face in self.cards(row) if face.rank not in self.wild_ranks]
        wild = set(combinations(self.wild_faces, int(self.wild[row])))
        alike = dict(zip(self.suits, map(id, self.holdings), strict=True))
        exchanges = [dict(zip(self.suits, suits, strict=True)) for suits in permutations(self.suits)]
        return frozenset(
            (*sorted(in_suit(face, to) for face in held), *more)
            for to in exchanges
            if all(alike[suit] == alike[other] for suit, other in to.items())
            for more in wild
        )

    def class_of(self, hand: Cards) -> tuple[int, dict[Suit, Suit]]:
        """The class of a hand, and the map of its suits to those of the class's example."""
        self.shoe.check_holds(hand)
        if len(hand) != self.size:
            raise FeltError(f"a hand has {self.size} cards, not {len(hand)}")
        held = [self._holding_of(hand, column) for column in range(len(self.suits))]
        order: list[int] = []
        for suits in self.groups:
            begin = len(order)
            order += sorted(range(begin, begin + suits), key=held.__getitem__, reverse=True)
        wild = sum(face.rank in self.wild_ranks for face in hand)
        same = (self.holding == np.array([held[column] for column in order])).all(axis=1)
        exchanged = {self.suits[column]: suit for column, suit in zip(order, self.suits, strict=True)}
        return int(np.flatnonzero(same & (self.wild == wild))[0]), exchanged

    def _holding_of(self, hand: Cards, column: int) -> int:
        suit, wild = self.suits[column], self.wild_ranks
        mine = [face.rank for face in hand if face.suit is suit and face.rank not in wild]
        code = sum(1 << _DIGIT * self.ranks.index(rank) for rank in mine)
        return int(np.flatnonzero(self.holdings[column].codes == code)[0])


@lru_cache(maxsize=2)
def _dealt_hands(shoe: Shoe, size: int, wild: frozenset[Rank]) -> DealtHands:
    return DealtHands(shoe, size, wild)


class HandClasses(DealtHands):
    """The classes of hands of one shoe with their values under one ranking.

    >>> from feltworks.cards import standard_shoe
    >>> from feltworks.hands.poker import STANDARD
    >>> classes = HandClasses(standard_shoe(), STANDARD)
    >>> len(classes), int(classes.hands.sum())
    (134459, 2598960)
    """

    def __init__(self, shoe: Shoe, ranking: Ranking) -> None:
        vars(self).update(vars(_dealt_hands(shoe, ranking.size, ranking.wild)))
        self.ranking = ranking
        self._value_kinds()

    def _value_kinds(self) -> None:
        """The value of each kind in mixed suits and in one suit; equal if it cannot be in one suit."""
        suited_hands, mixed_hands = self._examples_of_kinds()
        mixed = [self.ranking.value(hand) for hand in mixed_hands]
        self.suitable = self._can_be_suited()
        suited = {row: self.ranking.value(suited_hands[row]) for row in np.flatnonzero(self.suitable).tolist()}
        known: dict[int, tuple[HandValue, Cards]] = {}
        for row, value in suited.items():
            known.setdefault(value.strength, (value, suited_hands[row]))
        for hand, value in zip(mixed_hands, mixed, strict=True):
            known.setdefault(value.strength, (value, hand))
        ordered = sorted(known)
        self.values = tuple(known[strength][0] for strength in ordered)
        self.examples = tuple(known[strength][1] for strength in ordered)  # one hand of each value
        place = {strength: number for number, strength in enumerate(ordered)}
        self.mixed_value: Ints = np.array([place[value.strength] for value in mixed])
        self.suited_value: Ints = self.mixed_value.copy()
        for row, value in suited.items():
            self.suited_value[row] = place[value.strength]
        self.value: Ints = np.where(self.is_suited, self.suited_value[self.kind], self.mixed_value[self.kind])

    def _can_be_suited(self) -> Bools:
        natural = self.kinds[:, :-1]
        fits = [(natural <= np.array(holdings.counts)).all(axis=1) for holdings in self.holdings]
        suitable: Bools = np.any(fits, axis=0)
        return suitable

    def _examples_of_kinds(self) -> tuple[list[Cards], list[Cards]]:
        """A hand of each kind with its natural cards of one suit, and one with alternating suits."""
        ranks, kinds = len(self.counts), len(self.kinds)
        columns = np.repeat(np.tile(np.arange(ranks), kinds), self.kinds.ravel())
        picks: list[list[int]] = columns.reshape(kinds, self.size).tolist()
        wild = self.wild_faces[:1]
        faces = [_faces(self.ranks, Suit(place % 4)) + wild for place in range(self.size)]
        suited = [tuple([faces[0][column] for column in pick]) for pick in picks]
        return suited, [tuple([faces[t][column] for t, column in enumerate(pick)]) for pick in picks]


@lru_cache(maxsize=2)
def hand_classes(shoe: Shoe, ranking: Ranking) -> HandClasses:
    """The classes of hands of a shoe, cached because all pay tables and options share them."""
    return HandClasses(shoe, ranking)


def in_suit(face: Card, exchanged: Mapping[Suit, Suit]) -> Card:
    """The card with its suit replaced."""
    return face if face.suit is None else DECK[4 * (face.rank - 2) + exchanged[face.suit]]


def _faces(ranks: Iterable[Rank], suit: Suit) -> list[Card]:
    return [DECK[4 * (rank - 2) + suit] for rank in ranks]


def _extend_rows(rows: Ints, begin: int, ends: Ints) -> Ints:
    """Each row extended by every number from `begin` up to its own end."""
    repeats = ends - begin
    before = np.cumsum(repeats) - repeats
    last = np.arange(int(repeats.sum())) - np.repeat(before - begin, repeats)
    return np.column_stack([np.repeat(rows, repeats, axis=0), last])
