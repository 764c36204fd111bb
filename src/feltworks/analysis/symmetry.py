"""Suit symmetry: suits that have shown the same so far, from equal compositions, may stand for each other."""

from collections.abc import Hashable, Mapping

from feltworks.cards import DECK, Card, Shoe, Suit
from feltworks.rules.round import BOARD, DEALER, Back, Face, Round, Seat

Patterns = Mapping[Suit, Hashable]


def suit_patterns(r: Round, hidden: Shoe) -> Patterns:
    """What each suit still holds unseen and what it has shown, where.

    Exposed cards break the symmetry through what is unseen; a back that bars some suits of a rank would
    break it too, so then every suit stands for itself.
    """
    shown: dict[Suit, list[tuple[int, int, int]]] = {suit: [] for suit in Suit}
    for place in (DEALER, BOARD, *range(len(r.seats))):
        for index, face in enumerate(r.at(place)):
            if isinstance(face, Back):
                if not _bars_whole_ranks(face):
                    return {suit: suit for suit in Suit}
            elif face.suit is not None:
                shown[face.suit].append((place, index, face.rank))
    held: dict[Suit, list[tuple[int, int]]] = {suit: [] for suit in Suit}
    for face, count in hidden.items():
        if face.suit is not None:
            held[face.suit].append((face.rank, count))
    return {suit: (tuple(held[suit]), tuple(shown[suit])) for suit in Suit}


def holds_suits_alike(shoe: Shoe) -> bool:
    """Whether a shoe has the same cards of every suit."""
    held: dict[Suit, list[tuple[int, int]]] = {suit: [] for suit in Suit}
    for face, count in shoe.items():
        if face.suit is not None:
            held[face.suit].append((face.rank, count))
    return all(found == held[Suit.CLUBS] for found in held.values())


def with_suits_in_order(r: Round) -> Round:
    """The round with its suits renamed by what they show: rounds that differ in suits alone become one."""
    shown: dict[Suit, list[tuple[int, int, int]]] = {suit: [] for suit in Suit}
    for place in (DEALER, BOARD, *range(len(r.seats))):
        for index, face in enumerate(r.at(place)):
            if isinstance(face, Back):
                if not _bars_whole_ranks(face):
                    return r
            elif face.suit is not None:
                shown[face.suit].append((place, index, face.rank))
    named = dict(zip(sorted(Suit, key=lambda suit: shown[suit], reverse=True), Suit, strict=True))

    def renamed(lying: tuple[Face, ...]) -> tuple[Face, ...]:
        return tuple(
            DECK[4 * (face.rank - 2) + named[face.suit]]
            if isinstance(face, Card) and face.suit is not None
            else face
            for face in lying
        )

    seats = tuple(Seat(seat.wagers, renamed(seat.cards), seat.choices, seat.tokes) for seat in r.seats)
    return Round(seats, renamed(r.dealer), renamed(r.board), r.meters)


def _bars_whole_ranks(back: Back) -> bool:
    suits: dict[int, int] = {}
    for face in back.barring:
        suits[face.rank] = suits.get(face.rank, 0) + 1
    return all(count == len(Suit) for count in suits.values())


def group_kind(group: tuple[Card | Back, ...], patterns: Patterns) -> Hashable:
    """Groups of one kind differ only by suits that may stand for each other."""
    ranks: dict[Suit, list[int]] = {}
    others = []
    for face in group:
        if isinstance(face, Card) and face.suit is not None:
            ranks.setdefault(face.suit, []).append(face.rank)
        else:
            others.append(face)
    suited = sorted(((repr(patterns[suit]), tuple(sorted(held))) for suit, held in ranks.items()))
    return tuple(suited), tuple(others)
