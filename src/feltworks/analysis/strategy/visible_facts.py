"""What a player sees at a decision: which sights are alike, and which facts a rule can test."""

from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from math import lcm
from typing import Any

from feltworks.analysis.shape import high_rank_of, ranking_of
from feltworks.cards import JOKER, Card, Suit, cards
from feltworks.errors import FeltError
from feltworks.hands.poker import HandValue
from feltworks.machine.tables import derive_kinds
from feltworks.rules.game import Game
from feltworks.rules.round import Round, Seat
from feltworks.rules.sights.sight import Seen

Fact = int | bool | str | HandValue


def kind_of(game: Game[Any], hand: Iterable[Card], dealer: Iterable[Card] = ()) -> Hashable:
    """The same for all sights between which a strategy makes no difference.

    >>> from feltworks import catalog
    >>> from feltworks.cards import cards
    >>> table = catalog.game("fu-bacc")
    >>> kind_of(table, cards("Kh 5d"), cards("9s")) == kind_of(table, cards("5c Jd"), cards("9h"))
    True
    """
    held, shown = tuple(hand), tuple(dealer)
    sights = game.sights
    if sights and sights.kind:
        return sights.kind(Seen(held, shown))
    if ranking_of(game):  # suits have no names
        suits = [tuple(sorted(face.rank for face in held if face.suit is suit)) for suit in (*Suit, None)]
        return tuple(sorted(suits[:-1])), suits[-1], shown
    kinds = {} if game.has_spots else _kinds(game)  # spots are too many to compile for this
    if kinds:
        return tuple(sorted(kinds[face] for face in held)), tuple(kinds[face] for face in shown)
    return tuple(sorted(held)), shown


@lru_cache(maxsize=16)
def _kinds(game: Game[Any]) -> Mapping[Card, int]:
    """The cards that the compiled rules never tell apart, whatever is wagered."""
    wagers = {name: lcm(max(opening.least, 100), 100) for name, opening in game.terms.openings.items()}
    return derive_kinds(game, Round((Seat(wagers),)))


def facts_of(game: Game[Any], hand: Iterable[Card], dealer: Iterable[Card] = ()) -> Mapping[str, Fact]:
    """The facts of a sight by name, as rules of a strategy file speak of them.

    >>> from feltworks import catalog
    >>> from feltworks.cards import cards
    >>> facts_of(catalog.game("acey-deucey-21"), cards("5h 9h"))
    {'spread': 3, 'pair': False, 'suited': True}
    """
    held = tuple(hand)
    if sights := game.sights:
        return sights.facts(Seen(held, tuple(dealer)))
    if ranking := ranking_of(game):
        high = high_rank_of(game, ranking)
        return {
            "hand": ranking.value(held),
            f"{high.word}_or_higher": sum(face.rank >= high for face in held),
            "joker": JOKER in held,
        }
    return {}


def bound(game: Game[Any], fact: str, written: object) -> Any:
    """A value that a rule compares a fact with; a poker hand is written as an example of it."""
    ranking = ranking_of(game)
    if fact == "hand" and ranking and isinstance(written, str):
        example, shoe = cards(written), game.terms.shoe
        shoe.check_holds(example)
        if len(example) != ranking.size:
            raise FeltError(
                f"{written!r} is no hand of {game.terms.rulebook.title}: it takes {ranking.size} cards"
            )
        return ranking.value(example)
    return written
