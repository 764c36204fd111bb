"""Poker hands by a ranking that is data: the order of hands, the ranks that connect, the wild cards.

A hand may also be the best of more cards, exchange cards once, or count only by the row of a pay table.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import combinations
from typing import Self

from msgspec import Struct

from feltworks.cards import FACES, JOKER, Card, Rank
from feltworks.hands.hand import Hand, chosen_cards

# A hand is stored as one number: the count of each rank in four bits, and whether the hand is suited.
_DIGIT = 4
_SUITED = 1 << 60
_RANK_DIGITS = _SUITED - 1
# A hand with cards missing also stores how many cards it has, and four bits for its suits.
_HELD = 60
_ALL_SUITS = 15
# The shape: the counts of the natural ranks in any order, the number of wild cards, whether suited.
_Shape = tuple[tuple[int, ...], int, bool]


class Category(Struct, frozen=True):
    """A kind of hand: the equal ranks it needs, and whether its cards are suited and connected."""

    name: str
    words: str  # {0}, {1}: the ranks of the sets, in the plural; {high}: the highest rank
    sets: tuple[int, ...] = ()
    suited: bool = False
    connected: bool = False
    topmost: bool = False  # only the highest straight


FIVE_OF_A_KIND = Category("five of a kind", "five {0}", sets=(5,))
ROYAL_FLUSH = Category("royal flush", "royal flush", suited=True, connected=True, topmost=True)
STRAIGHT_FLUSH = Category("straight flush", "{high}-high straight flush", suited=True, connected=True)
FOUR_OF_A_KIND = Category("four of a kind", "four {0}", sets=(4,))
FULL_HOUSE = Category("full house", "full house of {0} over {1}", sets=(3, 2))
FLUSH = Category("flush", "{high}-high flush", suited=True)
STRAIGHT = Category("straight", "{high}-high straight", connected=True)
THREE_OF_A_KIND = Category("three of a kind", "three {0}", sets=(3,))
TWO_PAIR = Category("two pair", "two pair, {0} and {1}", sets=(2, 2))
PAIR = Category("pair", "pair of {0}", sets=(2,))
HIGH_CARD = Category("high card", "{high} high")


class HandValue(Struct, frozen=True, order=True, gc=False, cache_hash=True):
    """The value of a hand, compared by strength; deciding ranks come in falling order of weight."""

    strength: int
    category: str
    ranks: tuple[Rank, ...]
    words: str

    @property
    def detail(self) -> str:
        """The words with every rank that can break a tie.

        >>> from feltworks.cards import cards
        >>> STANDARD.value(cards("6c 6d Kh 5s 2c")).detail
        'pair of sixes (6 K 5 2)'
        """
        return f"{self.words} ({' '.join(rank.letter for rank in self.ranks)})"

    @property
    def phrase(self) -> str:
        """The words within a sentence, with an article where one hand is spoken of.

        >>> from feltworks.cards import cards
        >>> [STANDARD.value(cards(hand)).phrase for hand in ("7c 7d Kh 5s 2c", "8h 7h 5h 3h 2h", "Kc Kd Kh Ks 2c")]
        ['a pair of sevens', 'an eight-high flush', 'four kings']
        """
        if self.words.endswith(" high") or self.words.split()[0] in ("two", "three", "four", "five"):
            return self.words
        return f"{'an' if self.words[0] in 'ae' else 'a'} {self.words}"


class Ranking(Struct, frozen=True, dict=True, cache_hash=True):
    """The order of poker hands as data. A hand is the best category that its cards fit.

    >>> from feltworks.cards import cards
    >>> SPANISH.value(cards("5c 6d 7h Js Qc")).words, SPANISH.value(cards("Ah Kh 6h 3h Jo")).detail
    ('queen-high straight', 'ace-high flush (A K Q 6 3)')
    >>> SPANISH.value(cards("2h 4h 5h 6h Jh")) > SPANISH.value(cards("As Ad Ac Ks Kd"))
    True
    """

    categories: tuple[Category, ...]  # best first
    ranks: tuple[Rank, ...]  # lowest first; adjacent ranks connect in a straight
    wheel: bool = False  # whether the highest rank also plays below the lowest in a straight
    wild: frozenset[Rank] = frozenset()
    size: int = 5

    def __post_init__(self) -> None:
        if self.categories[-1] != HIGH_CARD:
            raise ValueError("a ranking ends with the high card, so that every hand is worth something")

    def value(self, hand: Iterable[Card]) -> HandValue:
        """The best value of these cards, wild cards used for the best hand."""
        ranks, suits = 0, _ALL_SUITS
        for card in hand:
            rank, suit = self.adds[card]
            ranks += rank
            suits &= suit
        return self.value_of(ranks, suits)

    def value_of(self, ranks: int, suits: int) -> HandValue:
        """The value of cards from the sums of what each card adds."""
        kind = ranks & _RANK_DIGITS
        if suits:
            kind |= _SUITED
        return self._values.get(kind) or self._make_value(kind)

    @cached_property
    def adds(self) -> dict[Card, tuple[int, int]]:
        """What each card adds to the ranks of a hand, and the suits in which a flush stays possible."""
        one, fits = 1 << _HELD, _ALL_SUITS if any(category.suited for category in self.categories) else 0
        return {face: (one + (1 << _DIGIT * face.rank), fits & self._suits(face)) for face in FACES}

    def _suits(self, face: Card) -> int:
        """A wild card has every suit."""
        return _ALL_SUITS if face.suit is None or face.rank in self.wild else 1 << face.suit

    @cached_property
    def _values(self) -> dict[int, HandValue]:
        """Cached values: only ranks and suitedness count, so a few thousand cover all hands."""
        return {}

    @cached_property
    def _straights(self) -> tuple[tuple[Rank, frozenset[Rank]], ...]:
        """Every straight, best first: its high rank and its ranks."""
        runs = [self.ranks[low : low + self.size] for low in range(len(self.ranks) - self.size + 1)]
        if self.wheel:
            runs.insert(0, (self.ranks[-1], *self.ranks[: self.size - 1]))
        return tuple((run[-1], frozenset(run)) for run in reversed(runs))

    @property
    def straights(self) -> list[frozenset[Rank]]:
        """The ranks of every straight, best first."""
        return [ranks for _, ranks in self._straights]

    def straights_with(self, ranks: frozenset[Rank]) -> int:
        """How many straights contain all of these ranks.

        >>> STANDARD.straights_with(frozenset([Rank.NINE, Rank.TEN, Rank.JACK, Rank.QUEEN]))
        2
        """
        return sum(ranks <= straight for _, straight in self._straights)

    def _make_value(self, kind: int) -> HandValue:
        counts = {rank: count for rank, digit in self._digits if (count := kind >> digit & 15)}
        if sum(counts.values()) != self.size or kind & self._foreign:
            raise ValueError(f"a hand of this ranking has {self.size} cards of its ranks and wild cards only")
        wild = sum(counts.pop(rank, 0) for rank in self.wild)
        return self._values.setdefault(kind, self._best(counts, wild, suited=bool(kind & _SUITED)))

    @cached_property
    def _digits(self) -> tuple[tuple[Rank, int], ...]:
        """The position of each rank's count in the number of a hand, the highest rank first."""
        known = dict.fromkeys([*reversed(self.ranks), *self.wild])  # a natural rank can be wild too
        return tuple((rank, _DIGIT * rank) for rank in known)

    @cached_property
    def _foreign(self) -> int:
        """The digits of ranks that do not occur in this ranking."""
        return _RANK_DIGITS ^ sum(15 << digit for _, digit in self._digits)

    def _best(self, counts: Mapping[Rank, int], wild: int, *, suited: bool) -> HandValue:
        """The best value of this hand; every hand fits the high card."""
        shape = (tuple(sorted(counts.values())), wild, suited)
        for place, category in self._open_to.get(shape) or self._open_straights(shape, counts):
            if category.connected:
                ranks = self._highest_straight(category, counts)
            else:
                ranks = self._highest_sets(category.sets, counts, wild)
            if ranks:
                return self._valued(place, category, ranks)
        raise AssertionError("a ranking ends with the high card")

    @cached_property
    def _open_to(self) -> dict[_Shape, tuple[tuple[int, Category], ...]]:
        """The categories possible for hands of a shape, best first, each with its index."""
        return {}

    def _open_straights(self, shape: _Shape, counts: Mapping[Rank, int]) -> tuple[tuple[int, Category], ...]:
        """Straights above the best category of sets, which depends on how many ranks are equal, not on which."""
        _, wild, suited = shape
        found = []
        for place, category in enumerate(self.categories):
            if category.suited and not suited:
                continue
            if category.connected:
                if max(counts.values(), default=0) <= 1:
                    found.append((place, category))
            elif self._highest_sets(category.sets, counts, wild):
                found.append((place, category))
                break
        return self._open_to.setdefault(shape, tuple(found))

    def _highest_straight(self, category: Category, counts: Mapping[Rank, int]) -> tuple[Rank, ...] | None:
        for top, ranks in self._straights[: 1 if category.topmost else None]:
            if counts.keys() <= ranks:  # wild cards fill the gaps
                return (top,)
        return None

    def _highest_sets(self, sets: tuple[int, ...], counts: Mapping[Rank, int], wild: int) -> tuple[Rank, ...] | None:
        """The highest ranks of the sets that natural and wild cards can fill, then the other cards."""
        if not sets:
            return self._kickers(counts, wild)
        size, fewest = sets[0], sets[0] - wild
        for rank in reversed(self.ranks) if fewest <= 0 else counts:  # in falling order
            held = counts.get(rank, 0)
            if held >= fewest:
                natural = min(held, size)
                rest = self._highest_sets(sets[1:], {**counts, rank: held - natural}, wild - size + natural)
                if rest is not None:
                    return (rank, *rest)
        return None

    def _kickers(self, counts: Mapping[Rank, int], wild: int) -> tuple[Rank, ...]:
        """The cards outside the sets; SP.5: a wild one is the highest rank not already in the hand."""
        natural = [rank for rank, count in counts.items() for _ in range(count)]
        if not wild:
            return tuple(natural)
        absent = [rank for rank in reversed(self.ranks) if rank not in counts]
        return tuple(sorted(natural + absent[:wild], key=self.ranks.index, reverse=True))

    @cached_property
    def _worth(self) -> dict[Rank, int]:
        return {rank: place for place, rank in enumerate(self.ranks, 1)}

    def _valued(self, place: int, category: Category, ranks: tuple[Rank, ...]) -> HandValue:
        strength = len(self.categories) - place
        for rank in ranks:
            strength = strength * (len(self.ranks) + 1) + self._worth[rank]
        strength *= (len(self.ranks) + 1) ** (self.size - len(ranks))
        return HandValue(strength, category.name, ranks, self._words(category, ranks))

    def _words(self, category: Category, ranks: tuple[Rank, ...]) -> str:
        key = (category.words, ranks[: len(category.sets) or 1])
        return self._words_known.get(key) or self._words_known.setdefault(
            key, category.words.format(*(rank.plural for rank in key[1]), high=ranks[0].word)
        )

    @cached_property
    def _words_known(self) -> dict[tuple[str, tuple[Rank, ...]], str]:
        """Cached words, which many hands share."""
        return {}


class PokerHand(Hand, frozen=True, gc=False):
    """A hand of a ranking. Until it is complete it keeps the count of each rank and the suits in which a flush
    is still possible; then only its value.

    >>> from feltworks.cards import cards
    >>> hand = PokerHand(SPANISH)
    >>> for card in cards("Ah Kh Jo 3h 6h"):
    ...     hand = hand.add(card)
    >>> hand.held, hand.value.detail
    (5, 'ace-high flush (A K Q 6 3)')
    """

    any_order = True

    ranking: Ranking
    ranks: int = 0  # four bits for each rank, and above them the number of cards
    suits: int = _ALL_SUITS  # a bit for each suit; none once the hand is mixed
    value: HandValue | None = None  # None until the hand is complete

    @property
    def held(self) -> int:
        return self.ranks >> _HELD

    @property
    def is_whole(self) -> bool:
        return self.value is not None

    @property
    def words(self) -> str:
        return self.value.words if self.value else ""

    def add(self, card: Card) -> Self:
        ranking = self.ranking
        rank, suit = ranking.adds[card]
        ranks, suits = self.ranks + rank, self.suits & suit
        held = ranks >> _HELD
        if held < ranking.size:
            return type(self)(ranking, ranks, suits)
        return type(self)(ranking, held << _HELD, 0, ranking.value_of(ranks, suits))


class Joker(Hand, frozen=True, gc=False):
    """Whether the joker is one of the cards."""

    is_held: bool = False

    def add(self, card: Card) -> Self:
        return type(self)(True) if card is JOKER else self


STANDARD = Ranking(
    categories=(
        ROYAL_FLUSH,
        STRAIGHT_FLUSH,
        FOUR_OF_A_KIND,
        FULL_HOUSE,
        FLUSH,
        STRAIGHT,
        THREE_OF_A_KIND,
        TWO_PAIR,
        PAIR,
        HIGH_CARD,
    ),
    ranks=tuple(rank for rank in Rank if rank is not Rank.JOKER),
    wheel=True,
)

SPANISH = Ranking(
    # SP.2: a flush beats a full house, and five of a kind (Cincos) beats everything
    categories=(
        FIVE_OF_A_KIND,
        ROYAL_FLUSH,
        STRAIGHT_FLUSH,
        FOUR_OF_A_KIND,
        FLUSH,
        FULL_HOUSE,
        STRAIGHT,
        THREE_OF_A_KIND,
        TWO_PAIR,
        PAIR,
        HIGH_CARD,
    ),
    # SP.3: with the 8s, 9s and 10s gone the 7 connects to the jack
    ranks=tuple(rank for rank in STANDARD.ranks if not Rank.EIGHT <= rank <= Rank.TEN),
    wheel=False,  # SP.4: the ace is high only
    wild=frozenset([Rank.JOKER]),  # SP.26: the joker takes whatever value makes the best hand
)


class BestHand(Hand, frozen=True, gc=False, cache_hash=True):
    """The best hand that can be chosen from `of` cards; it has a value as soon as there are enough cards.

    Once all cards are dealt only the value is kept. Before that the hand keeps its cards, sorted, since any
    of them may become part of the best hand.

    >>> from feltworks.cards import cards
    >>> from feltworks.hands.poker import STANDARD
    >>> hand = BestHand(STANDARD, of=7)
    >>> for card in cards("Ah Kh 2c 3d Qh Jh Th"):
    ...     hand = hand.add(card)
    >>> hand.words, hand.held
    ('royal flush', 7)
    """

    any_order = True

    ranking: Ranking
    of: int
    cards: tuple[Card, ...] = ()
    value: HandValue | None = None
    held: int = 0

    def add(self, card: Card) -> Self:
        cards, held, ranking = tuple(sorted((*self.cards, card))), self.held + 1, self.ranking
        if held < ranking.size:
            return type(self)(ranking, self.of, cards, None, held)
        value = best_value(ranking, cards)
        return type(self)(ranking, self.of, cards if held < self.of else (), value, held)

    @property
    def is_whole(self) -> bool:
        """Whether all its cards are dealt."""
        return self.held >= self.of

    @property
    def words(self) -> str:
        return self.value.words if self.value else ""


def best_value(ranking: Ranking, cards: tuple[Card, ...]) -> HandValue:
    """The value of the best hand among these cards."""
    return max(map(ranking.value, combinations(cards, ranking.size)))


class DrawHand(Hand, frozen=True, gc=False, cache_hash=True):
    """Cards in their order until some are discarded; the hand has a value once those are replaced.

    >>> from feltworks.cards import cards
    >>> from feltworks.hands.poker import STANDARD
    >>> hand = DrawHand(STANDARD, about="draw")
    >>> for card in cards("Ah Kh 2c Qh Jh"):
    ...     hand = hand.add(card)
    >>> hand.choose("discard 3").add(*cards("Th")).words
    'royal flush'
    """

    keeps_cards = True

    ranking: Ranking
    about: str  # the decision that chooses the discards
    cards: tuple[Card, ...] = ()
    has_chosen: bool = False

    def add(self, card: Card) -> Self:
        return type(self)(self.ranking, self.about, (*self.cards, card), self.has_chosen)

    @property
    def wants_card(self) -> bool:
        return len(self.cards) < self.ranking.size

    def takes(self, about: str) -> bool:
        return about == self.about

    def choose(self, name: str) -> Self:
        discards = chosen_cards(name)
        left = tuple(card for place, card in enumerate(self.cards) if place not in discards)
        return type(self)(self.ranking, self.about, left, has_chosen=True)

    @property
    def value(self) -> HandValue | None:
        """The value of the hand; None before the draw."""
        return self.ranking.value(self.cards) if self.has_chosen and not self.wants_card else None

    @property
    def words(self) -> str:
        return "" if self.wants_card else self.ranking.value(self.cards).words


class PaidRows(Struct, frozen=True):
    """The rows of a pay table under a ranking; rows of pairs start at a rank each, the highest first.

    >>> from feltworks.cards import cards
    >>> from feltworks.hands.poker import STANDARD
    >>> rows = PaidRows(STANDARD, ((Rank.JACK, "jacks or better"), (Rank.TWO, "low pair")))
    >>> rows.row(STANDARD.value(cards("Tc Td 9h 4s 2c")))
    'low pair'
    """

    ranking: Ranking
    pairs: tuple[tuple[Rank, str], ...]

    @property
    def names(self) -> frozenset[str]:
        """Every row."""
        categories = {category.name for category in self.ranking.categories} - {PAIR.name}
        return frozenset([*categories, *(name for _, name in self.pairs)])

    def row(self, value: HandValue) -> str:
        """The row of a complete hand."""
        if value.category != PAIR.name:
            return value.category
        return next(name for lowest, name in self.pairs if value.ranks[0] >= lowest)


class PaidHand(Hand, frozen=True):
    """Cards in their order; the complete hand keeps only its row."""

    any_order = True

    rows: PaidRows
    cards: PokerHand | None = None
    row: str = ""

    def add(self, card: Card) -> Self:
        cards = (self.cards or PokerHand(self.rows.ranking)).add(card)
        if cards.value is None:
            return type(self)(self.rows, cards)
        return type(self)(self.rows, None, self.rows.row(cards.value))
