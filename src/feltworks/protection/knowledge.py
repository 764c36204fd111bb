"""What a player may know about the cards, and its worth: the edge without and with it, and money per hour."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from typing import Any, Final, Literal

import numpy as np
from msgspec import Struct

from feltworks.analysis.progress import Progress, Track
from feltworks.cards import Card, Rank, Shoe
from feltworks.errors import BadOption, FeltError
from feltworks.machine.compiler import Floats, Ints
from feltworks.money import Cents

DEALER, HIT, NEXT, BOARD, NEIGHBOURS, BURN = "dealer", "hit", "next", "board", "neighbours", "burn"
LAST: Final = -1
_OPTION: Final = "--sees"
_ALLOWED: Final = (
    "dealer, dealer:2, hole, hit, next, order:N (the next N cards), board:first, board:last, neighbours:N, burn, "
    "or a group of ranks at one of these cards such as group:QKA@dealer"
)
_MOST: Final = 10
_MOST_GROUPINGS: Final = 10_000
ROUNDS_AN_HOUR: Final = 40  # a reading: the pace of a full table of these games
_LETTERS: Final = {rank.letter: rank for rank in Rank if rank is not Rank.JOKER}


Groups = Sequence[frozenset[Card]]


class Knowledge(Struct, frozen=True):
    """One thing that is known.

    `number` counts the dealer's cards or the neighbours; for the next cards and the board it is the position.
    With `groups` of ranks, the player knows only which group the card is in, or that it is in none.
    """

    text: str
    place: str
    number: int = 1
    groups: tuple[frozenset[Rank], ...] = ()
    is_hole: bool = False  # the dealer's card that is dealt face down

    def split(self, faces: Iterable[Card]) -> list[frozenset[Card]] | None:
        """The groups of faces that the player can tell apart; None if he knows the card itself."""
        if not self.groups:
            return None
        left, parts = frozenset(faces), list[frozenset[Card]]()
        for ranks in self.groups:
            parts.append(frozenset([face for face in left if face.rank in ranks]))
            left -= parts[-1]
        return [part for part in [*parts, left] if part]


def parse_knowledge(text: str) -> Knowledge:
    """Parses one value of `--sees`.

    >>> parse_knowledge("group:QKA@dealer").groups[0] == {Rank.QUEEN, Rank.KING, Rank.ACE}
    True
    >>> parse_knowledge("neighbours:3").number
    3
    """
    if text.startswith("group:"):
        names, at, card = text.removeprefix("group:").partition("@")
        known = parse_knowledge(card) if at else None
        if known is None or known.place in (NEIGHBOURS, BURN) or known.groups:
            raise BadOption(_OPTION, text, _ALLOWED)
        if known.place == DEALER and known.number != 1:
            raise BadOption(_OPTION, text, "the group of one card")
        return Knowledge(text, known.place, known.number, _ranks(text, names), known.is_hole)
    place, colon, number = text.partition(":")
    if place == "board":
        place_of = {"first": 1, "last": LAST, "": 1}
        if number not in place_of:
            raise BadOption(_OPTION, text, _ALLOWED)
        return Knowledge(text, BOARD, place_of[number])
    if place not in (DEALER, "hole", HIT, NEXT, NEIGHBOURS, BURN) or (bool(colon) and not _is_number(number)):
        raise BadOption(_OPTION, text, _ALLOWED)
    if colon and place in ("hole", HIT, BURN):
        raise BadOption(_OPTION, text, _ALLOWED)
    is_hole = place == "hole"
    return Knowledge(text, DEALER if is_hole else place, int(number) if colon else 1, is_hole=is_hole)


def parse_sights(texts: Sequence[str]) -> list[Knowledge]:
    """Parses everything that is known at once; `order:N` becomes each of the next N cards.

    >>> [known.number for known in parse_sights(["order:3"])]
    [1, 2, 3]
    """
    known: list[Knowledge] = []
    for text in texts:
        place, _, number = text.partition(":")
        if place != "order":
            known.append(parse_knowledge(text))
        elif _is_number(number):
            known += [Knowledge(text, NEXT, card) for card in range(1, int(number) + 1)]
        else:
            raise BadOption(_OPTION, text, _ALLOWED)
    if sum(one.place == NEIGHBOURS for one in known) > 1:
        raise BadOption(_OPTION, ", ".join(texts), "neighbours:N once, with all of them")
    return list(dict.fromkeys(known))


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 3 and 1 <= int(text) <= _MOST


def _ranks(text: str, names: str) -> tuple[frozenset[Rank], ...]:
    """Parses groups of ranks, separated by commas; a ten is T or 10."""
    groups = [group.replace("10", "T") for group in names.upper().split(",")]
    letters = [letter for group in groups for letter in group]
    if not all(groups) or len(letters) != len(set(letters)) or not set(letters) <= _LETTERS.keys():
        raise BadOption(_OPTION, text, "each rank once in a group, of A23456789TJQK")
    return tuple(frozenset([_LETTERS[letter] for letter in group]) for group in groups)


def group_words(groups: Sequence[frozenset[Rank]]) -> str:
    """The groups as written on the command line; the remaining ranks are left out."""
    return ",".join("".join(rank.letter for rank in sorted(group)) for group in groups)


_WORDS: Final = {
    DEALER: "a hidden card of the dealer",
    HIT: "the dealer's hit card",
    NEXT: "the next card",
    "board:first": "the first card of the board",
    "board:last": "the last card of the board",
}


def words_of(sees: str) -> str:
    """What is known, in words."""
    if sees.startswith("neighbours:"):
        number = sees.partition(":")[2]
        return "the hand of one neighbour" if number == "1" else f"the hands of {number} neighbours"
    return _WORDS.get(sees, sees)


class Terms(Struct, frozen=True):
    """The conditions at the table that a report is about."""

    decks: int | None = None
    chosen: tuple[str, ...] = ()
    limit: Cents = 0  # the most on one wager
    rounds_an_hour: int = ROUNDS_AN_HOUR
    seed: int = 1
    pay_tables: Mapping[str, str] = {}
    wagers: tuple[str, ...] = ()  # those the report is about; all, unless given

    def per_hour(self, edge: float) -> Cents:
        """The value of an edge per hour at the limit."""
        return round(edge * self.limit * self.rounds_an_hour)


class Unfit(FeltError):
    """The game has no such card, or no method can follow it."""


class Worth(Struct, frozen=True):
    """The player's edge per unit of the wager; `edge` is a sampled mean if `method` says so."""

    baseline: Fraction
    edge: Fraction
    method: Literal["exact", "sampled"] = "exact"
    standard_error: float = 0.0
    samples: int = 0
    note: str = ""
    has_fraction: bool = True  # False if it was computed in floating point

    @property
    def gain(self) -> Fraction:
        """What the knowledge adds to the edge."""
        return self.edge - self.baseline

    def document(self) -> dict[str, Any]:
        """The worth as a JSON document."""
        return {
            "baseline": number_document(self.baseline, is_exact=self.has_fraction),
            "player_edge": number_document(self.edge, is_exact=self.has_fraction and self.method == "exact"),
            "gain": float(self.gain),
            "method": self.method,
            "standard_error": self.standard_error,
            **({"samples": self.samples} if self.samples else {}),
            **({"note": self.note} if self.note else {}),
        }


def number_document(number: Fraction, *, is_exact: bool = True) -> dict[str, Any]:
    """A number as a fraction and as a decimal; a sampled one has no fraction."""
    return {"exact": str(number) if is_exact else None, "value": float(number)}


def part_neighbours(known: Sequence[Knowledge]) -> tuple[int, list[Knowledge]]:
    """Split what is known into the number of neighbours and everything else."""
    cards = [one for one in known if one.place != NEIGHBOURS]
    return sum(one.number for one in known if one.place == NEIGHBOURS), cards


def group_numbers(deck: Sequence[Card], groups: Groups) -> Ints:
    """By card of the deck: the number of its group."""
    return np.array([next(number for number, group in enumerate(groups) if card in group) for card in deck])


def places_in(deck: Sequence[Card], hand: Sequence[Card]) -> list[int]:
    """The places of cards in a deck; equal faces, which lie side by side, take a place each."""
    return [deck.index(card) + hand[:at].count(card) for at, card in enumerate(hand)]


def parts_of(deck: Sequence[Card], unseen: Ints, number: int, groups: Groups | None) -> Iterator[Ints]:
    """Lots of `number` unseen cards, one in each row, that a player cannot tell apart; one lot each without groups."""
    lots = np.array(list(combinations(unseen.tolist(), number)), np.int64).reshape(comb(len(unseen), number), number)
    if groups is None:
        yield from lots[:, None]
        return
    group_of = group_numbers(deck, groups)[lots[:, 0]]
    yield from (lots[group_of == group] for group in np.unique(group_of))


def layers(generator: np.random.Generator, number: int) -> Floats:
    """A random point in each of `number` equal parts of 0 to 1; even spacing reduces the sampling error."""
    return (np.arange(number) + generator.random(number)) / number


def layered_error(gains: Floats) -> float:
    """The standard error of a mean over layers with one sample each, from differences of adjacent layers."""
    if len(gains) < 2:
        return float("inf")
    return float(sqrt((np.diff(gains) ** 2).mean() / 2 / len(gains)))


def mean_error(values: Floats) -> float:
    """The standard error of a mean of independent values."""
    return float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else float("inf")


def sampled_worth(
    base: Fraction, gains: Floats, error: Callable[[Floats], float] = layered_error, note: str = ""
) -> Worth:
    """The worth when the gain is the mean of samples, with its standard error."""
    return Worth(base, base + Fraction(float(gains.mean())), "sampled", error(gains), len(gains), note)


def worth_beside_neighbours(
    base: Fraction,
    gain: Callable[[Sequence[Card]], float],
    shoe: Shoe,
    taken: int,
    samples: int,
    seed: int,
    progress: Progress | None,
) -> Worth:
    """The worth of knowing the neighbours' cards: the mean gain over samples of that many cards."""
    generator, deck, gains = np.random.default_rng(seed), shoe.all_cards(), list[float]()
    for _ in Track(progress).branches([(1, 0)] * samples):
        gains.append(gain([deck[place] for place in generator.choice(len(deck), taken, replace=False)]))
    return sampled_worth(base, np.array(gains), mean_error)


class Grouping(Struct, frozen=True):
    """A way for edge sorters to mark card backs: these ranks against all others."""

    ranks: frozenset[Rank]
    edge: float
    gain: float


def best_subsets(ways: Iterable[tuple[int, ...]], worths: Iterable[float], most: int) -> list[tuple[int, ...]]:
    """The subsets worth most, one of each size, the best first."""
    best: dict[int, tuple[float, tuple[int, ...]]] = {}
    for worth, way in zip(worths, ways, strict=True):
        best[len(way)] = max(best.get(len(way), (worth, way)), (worth, way))
    return [way for _, way in sorted(best.values(), reverse=True)[:most]]


def subsets(size: int) -> list[tuple[int, ...]]:
    """Every way to split `size` kinds of cards into two groups, each listed once."""
    ways = [
        chosen
        for number in range(1, size // 2 + 1)
        for chosen in combinations(range(size), number)
        if 2 * number < size or 0 in chosen
    ]
    if len(ways) > _MOST_GROUPINGS:
        raise Unfit(f"there are more than {_MOST_GROUPINGS:,} ways to sort the cards")
    return ways
