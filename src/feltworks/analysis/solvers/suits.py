"""Finds interchangeable suits for rules that cannot be compiled, by tests on random rounds.

For rules that read hands this is proven on their tables (`machine.suits`). Rules that read single cards play some
hundred random rounds, each again with suits exchanged; if anything changes, suits are not interchangeable.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from feltworks.analysis.shape import is_shipped
from feltworks.cards import DECK, Card, Shoe, Suit
from feltworks.errors import FeltError
from feltworks.money import Cents
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Back, Choice, Face, Place, Round, Seat
from feltworks.rules.steps import Chance, Decide, Draw, Peek

ROUNDS: Final = 300
_UNIT: Final[Cents] = 100_00  # large enough for the full range of every derived wager
_SWAPS: Final = tuple(zip(list(Suit)[:-1], list(Suit)[1:], strict=True))  # generators of all permutations

Patterns = Mapping[Suit, Hashable]


def are_suits_alike(game: Game, wagers: Iterable[str]) -> bool:
    """Whether exchanging suits changes nothing for a spot with these opening wagers.

    Tests check the result for all games that come with Feltworks.
    """
    placed = tuple(sorted(wagers))
    return is_shipped(game, placed) or try_on_rounds(game, placed, ROUNDS)


@lru_cache(maxsize=256)
def try_on_rounds(game: Game, wagers: tuple[str, ...], rounds: int) -> bool:
    """Whether suits may be exchanged in so many random rounds; the seed is fixed."""
    return all(_ignores_suits(game, wagers, Random(number), number) for number in range(rounds))


def _ignores_suits(game: Game, wagers: Sequence[str], chance: Random, number: int) -> bool:
    """Whether a random round is the same from a deck with two suits exchanged."""
    book = game.terms.rulebook.wager
    stakes = {name: book[name].least if book[name].fixed else _UNIT for name in wagers}
    meters = dict.fromkeys((m for name in wagers for m in meters_of(game.pays[name].values())), _UNIT)
    opened, deck = Round((Seat(stakes),), meters=meters), _shuffle(game, chance, number)
    choices: list[Choice] = []

    def decide(step: Decide) -> Choice:
        offer = chance.choice(step.offers)
        choices.append(Choice(offer.name, chance.choice((offer.least, offer.most)), step.about))
        return choices[-1]

    def again(swap: tuple[Suit, Suit]) -> list[Hashable] | None:
        answers = iter(choices)
        return _deal(game, opened, _exchange(deck, *swap), lambda _: next(answers))

    marks = _deal(game, opened, deck, decide)
    return marks is None or all(again(swap) == marks for swap in _SWAPS)


def _deal(game: Game, r: Round, deck: Sequence[Card], decide: Callable[[Decide], Choice]) -> list[Hashable] | None:
    """The steps of the round with their offers, and its lines; None if the cards run out."""
    marks, lying, used = list[Hashable](), dict[Place, list[int]](), 0
    try:
        while (step := game.awaits(r)) is not None:
            if isinstance(step, Decide):
                marks.append((step.seat, step.about, step.offers))
                r = advance(r, step, decide(step))
                continue
            if isinstance(step, Draw):
                lying.setdefault(step.to, []).extend(range(used, used + step.count))
                used += step.count
            answer = _answer(step, [deck[place] for place in _places(step, lying)])
            marks.append((type(step).__name__, step.to if isinstance(step, Draw) else step.at, len(answer)))
            r = advance(r, step, answer)
        lines = game.settle(r)
    except (FeltError, IndexError, StopIteration):
        return None
    return [*marks, tuple((one.seat, one.wager, one.part, one.wagered, one.outcome) for one in lines)]


def _places(step: Chance, lying: Mapping[Place, Sequence[int]]) -> Sequence[int]:
    if isinstance(step, Draw):
        return lying[step.to][-step.count :]
    count = 1 if isinstance(step, Peek) else step.count
    return lying[step.at][step.index : step.index + count]


def _answer(step: Chance, faces: Sequence[Card]) -> tuple[Face, ...]:
    if isinstance(step, Peek):
        return peek_answer(step, faces[0])
    return (FACE_DOWN,) * len(faces) if isinstance(step, Draw) and step.down else tuple(faces)


def _shuffle(game: Game, chance: Random, number: int) -> list[Card]:
    """A deck with two ranks, one suit or any cards on top, so that rare hands come up often."""
    deck = list(game.terms.shoe.all_cards())
    chance.shuffle(deck)
    ranks = chance.sample(sorted({face.rank for face in deck}), 2)
    suit = chance.choice(list(Suit))
    if number % 3 == 0:
        return sorted(deck, key=lambda face: face.rank not in ranks)
    return sorted(deck, key=lambda face: face.suit is not suit) if number % 3 == 1 else deck


def _exchange(deck: Sequence[Card], one: Suit, other: Suit) -> list[Card]:
    exchanged = {one: other, other: one}
    return [
        DECK[4 * (face.rank - 2) + exchanged.get(face.suit, face.suit)] if face.suit is not None else face
        for face in deck
    ]


def suit_patterns(r: Round, hidden: Shoe) -> Patterns:
    """The unseen and the cards_of cards of each suit, with places: suits with equal patterns are interchangeable.

    Exposed cards break the symmetry through the unseen cards. A back that bars only some suits of a rank would
    also break it, so then every suit has its own pattern.
    """
    cards_of = _cards_by_suit(r)
    if cards_of is None:
        return {suit: suit for suit in Suit}
    return {suit: (held, cards_of[suit]) for suit, held in _composition(hidden).items()}


def holds_suits_alike(shoe: Shoe) -> bool:
    """Whether a shoe has the same cards of every suit."""
    return len(set(_composition(shoe).values())) == 1


def put_suits_in_order(r: Round) -> Round:
    """The round with suits renamed in a canonical order, so that rounds which differ only in suits become equal."""
    cards_of = _cards_by_suit(r)
    if cards_of is None:
        return r
    names = dict(zip(sorted(Suit, key=lambda suit: cards_of[suit], reverse=True), Suit, strict=True))

    def rename(lying: tuple[Face, ...]) -> tuple[Face, ...]:
        return tuple(
            DECK[4 * (face.rank - 2) + names[face.suit]] if isinstance(face, Card) and face.suit is not None else face
            for face in lying
        )

    seats = tuple(Seat(seat.wagers, rename(seat.cards), seat.choices, seat.tokes) for seat in r.seats)
    return Round(seats, rename(r.dealer), rename(r.board), r.meters)


def _composition(shoe: Shoe) -> dict[Suit, tuple[tuple[int, int], ...]]:
    return {suit: tuple([(face.rank, count) for face, count in shoe.items() if face.suit is suit]) for suit in Suit}


def _cards_by_suit(r: Round) -> dict[Suit, tuple[tuple[int, int, int], ...]] | None:
    """The cards_of cards of each suit, with places; None if a back distinguishes suits."""
    cards_of: dict[Suit, list[tuple[int, int, int]]] = {suit: [] for suit in Suit}
    for place in (DEALER, BOARD, *range(len(r.seats))):
        for index, face in enumerate(r.at(place)):
            if isinstance(face, Back):
                if not _bars_whole_ranks(face):
                    return None
            elif face.suit is not None:
                cards_of[face.suit].append((place, index, face.rank))
    return {suit: tuple(cards) for suit, cards in cards_of.items()}


def _bars_whole_ranks(back: Back) -> bool:
    suits: dict[int, int] = {}
    for face in back.barring:
        suits[face.rank] = suits.get(face.rank, 0) + 1
    return all(count == len(Suit) for count in suits.values())


def group_kind(group: tuple[Card | Back, ...], patterns: Patterns) -> Hashable:
    """A key of a group of cards: groups with equal keys differ only by interchangeable suits."""
    ranks: dict[Suit, list[int]] = {}
    others = []
    for face in group:
        if isinstance(face, Card) and face.suit is not None:
            ranks.setdefault(face.suit, []).append(face.rank)
        else:
            others.append(face)
    suited = sorted(((repr(patterns[suit]), tuple(sorted(held))) for suit, held in ranks.items()))
    return tuple(suited), tuple(others)
