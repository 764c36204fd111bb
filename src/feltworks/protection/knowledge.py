"""What a player knows beside the rules: a card, the group that a card is in, or the hands of neighbours."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from feltworks.cards import Card, Rank
from feltworks.errors import BadOption

DEALER, HIT, NEXT, BOARD, NEIGHBOURS, BURN = "dealer", "hit", "next", "board", "neighbours", "burn"
LAST: Final = -1
_OPTION: Final = "--sees"
_ALLOWED: Final = (
    "dealer, dealer:2, hole, hit, next, order:N (the next N cards), board:first, board:last, neighbours:N, burn, "
    "or a group of ranks at one of these cards such as group:QKA@dealer"
)
_MOST: Final = 10
_LETTERS: Final = {**{str(number): Rank(number) for number in range(2, 10)}} | {
    "T": Rank.TEN,
    "J": Rank.JACK,
    "Q": Rank.QUEEN,
    "K": Rank.KING,
    "A": Rank.ACE,
}


class Knowledge(Struct, frozen=True):
    """One thing that is known.

    `number` says how many cards of the dealer or how many neighbours; of the next card and of the board it
    says which one. `groups` of ranks: all that is known of the card is which of them it is in, or none.
    """

    text: str
    place: str
    number: int = 1
    groups: tuple[frozenset[Rank], ...] = ()

    def split(self, faces: Iterable[Card]) -> list[frozenset[Card]] | None:
        """The groups of faces that the player tells apart; None where he knows the card itself."""
        if not self.groups:
            return None
        left, parts = frozenset(faces), list[frozenset[Card]]()
        for ranks in self.groups:
            parts.append(frozenset([face for face in left if face.rank in ranks]))
            left -= parts[-1]
        return [part for part in [*parts, left] if part]


def parse_knowledge(text: str) -> Knowledge:
    """Reads one `--sees`.

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
        return Knowledge(text, known.place, known.number, _ranks(text, names))
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
    return Knowledge(text, DEALER if place == "hole" else place, int(number) if colon else 1)


def parse_sights(texts: Sequence[str]) -> list[Knowledge]:
    """Everything that is known at once; the order of the next cards is each of them.

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
    """Groups of ranks, separated by commas; a ten is T or 10."""
    groups = [group.replace("10", "T") for group in names.upper().split(",")]
    letters = [letter for group in groups for letter in group]
    if not all(groups) or len(letters) != len(set(letters)) or not set(letters) <= _LETTERS.keys():
        raise BadOption(_OPTION, text, "each rank once in a group, of A23456789TJQK")
    return tuple(frozenset([_LETTERS[letter] for letter in group]) for group in groups)


def group_words(groups: Sequence[frozenset[Rank]]) -> str:
    """Groups as the command line names them: the rest of the ranks is not written."""
    letter = {rank: name for name, rank in _LETTERS.items()}
    return ",".join("".join(letter[rank] for rank in sorted(group)) for group in groups)


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
