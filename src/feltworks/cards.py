"""Cards, ranks, suits, and the shoe as a composition: how many of each card, without their order."""

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Final

from feltworks.errors import BadCard, ShoeExhausted

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
_RANK_WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_RANK_WORDS += ["jack", "queen", "king", "ace"]
_SUIT_WORDS = ["clubs", "diamonds", "hearts", "spades"]


class Rank(IntEnum):
    """A rank with the ace high; the joker is below all others until a game gives it a value.

    >>> Rank.TEN.letter, Rank.SIX.word, Rank.SIX.plural
    ('T', 'six', 'sixes')
    """

    JOKER = 0
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    __hash__ = int.__hash__  # an Enum's own hash is a slow Python call, and ranks are dictionary keys in hot code
    letter: str
    word: str
    plural: str

    def __init__(self, value: int) -> None:
        self.letter = RANKS[value - 2] if value else "Jo"
        self.word = _RANK_WORDS[value - 2] if value else "joker"
        self.plural = self.word + ("es" if value == 6 else "s")


class Suit(IntEnum):
    """One of the four suits; the joker has none."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    __hash__ = int.__hash__
    letter: str
    word: str

    def __init__(self, value: int) -> None:
        self.letter, self.word = SUITS[value], _SUIT_WORDS[value]


class Card:
    """One of the 53 card faces. Faces are singletons: two sevens of hearts are the same `Card`."""

    __slots__ = ("code", "index", "rank", "suit")

    def __init__(self, rank: Rank, suit: Suit | None, index: int) -> None:
        self.rank: Final = rank
        self.suit: Final = suit
        self.index: Final = index
        self.code: Final = rank.letter + (suit.letter if suit is not None else "")

    def __repr__(self) -> str:
        return f"card({self.code!r})"

    def __str__(self) -> str:
        return self.code

    def __lt__(self, other: "Card") -> bool:
        return self.index < other.index

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (self.code,)


DECK: Final = tuple(Card(rank, suit, 4 * (rank - 2) + suit) for rank in Rank if rank is not Rank.JOKER for suit in Suit)
JOKER: Final = Card(Rank.JOKER, None, 52)
FACES: Final = (*DECK, JOKER)
_BY_CODE: Final = {face.code: face for face in FACES}
_face: Final = _BY_CODE.__getitem__


def card(code: str) -> Card:
    """Return the card with this code: rank, then suit.

    >>> card("Th").rank.word, card("Jo") is JOKER
    ('ten', True)
    """
    try:
        return _BY_CODE[code]
    except (KeyError, TypeError):
        raise BadCard(code) from None


def cards(codes: str | Iterable[str]) -> tuple[Card, ...]:
    """Return several cards, from a list of codes or from one line.

    >>> cards("7h 7d Ac")
    (card('7h'), card('7d'), card('Ac'))
    """
    listed = codes if type(codes) is list else codes.split() if isinstance(codes, str) else tuple(codes)
    try:
        return tuple(map(_face, listed))
    except (KeyError, TypeError):
        return tuple(map(card, listed))  # whose error names the bad code


class Shoe:
    """The number of each card left. Immutable; removing cards returns another shoe."""

    __slots__ = ("_counts", "_fewest", "total")

    def __init__(self, counts: Mapping[Card, int]) -> None:
        self._counts: Final = {face: counts[face] for face in sorted(counts) if counts[face]}
        self._fewest: Final = min(self._counts.values(), default=0)  # the smallest count of any card it holds
        self.total: Final = sum(self._counts.values())

    def __getitem__(self, face: Card) -> int:
        return self._counts.get(face, 0)

    def __iter__(self) -> Iterator[Card]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shoe) and self._counts == other._counts

    def __hash__(self) -> int:
        return hash(tuple(self._counts.items()))

    def __repr__(self) -> str:
        return f"Shoe({' '.join(face.code for face in self.all_cards())})"

    def items(self) -> Iterable[tuple[Card, int]]:
        return self._counts.items()

    def all_cards(self) -> tuple[Card, ...]:
        """Every card, one by one, in a fixed order: the shoe before it is shuffled."""
        return tuple(face for face, count in self._counts.items() for _ in range(count))

    def check_holds(self, taken: Iterable[Card]) -> None:
        """Refuse cards that this shoe cannot hold together."""
        if self._fewest == 1:  # a single deck: mostly every card occurs once
            taken = list(taken)
            if len(distinct := set(taken)) == len(taken) and distinct <= self._counts.keys():
                return
        seen: dict[Card, int] = {}
        for face in taken:
            seen[face] = count = seen.get(face, 0) + 1
            if count > self._fewest and count > self._counts.get(face, 0):
                raise ShoeExhausted(face.code, self[face])
        if strange := sorted(seen.keys() - self._counts.keys()):
            raise ShoeExhausted(strange[0].code, 0)

    def without(self, taken: Iterable[Card]) -> "Shoe":
        """The shoe without these cards.

        >>> standard_shoe(decks=2).without(cards("7h 7h"))[card("7h")]
        0
        """
        counts = dict(self._counts)
        for face in taken:
            if not counts.get(face):
                raise ShoeExhausted(face.code, self[face])
            counts[face] -= 1
        return Shoe(counts)


def standard_shoe(*, decks: int = 1, without: Iterable[Rank] = (), jokers: int = 0) -> Shoe:
    """Whole decks without some ranks, with jokers added to each.

    >>> standard_shoe(without=[Rank.EIGHT, Rank.NINE, Rank.TEN], jokers=1).total
    41
    """
    removed = frozenset(without)
    counts = {face: decks for face in DECK if face.rank not in removed}
    return Shoe({**counts, JOKER: jokers * decks})
