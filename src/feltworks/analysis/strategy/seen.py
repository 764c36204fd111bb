"""What a player sees when a decision comes: which sights are alike, and the facts a rule can speak of."""

from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from math import lcm
from typing import Any

from feltworks.analysis.shape import ranking_of
from feltworks.cards import JOKER, Card, Rank, Suit, cards
from feltworks.errors import FeltError
from feltworks.games.blackjack import Blackjack
from feltworks.games.fu_bacc import FuBacc
from feltworks.hands import baccarat
from feltworks.hands.poker import HandValue
from feltworks.hands.spread import spread
from feltworks.machine.tables import derive_kinds
from feltworks.rules.game import Game
from feltworks.rules.round import Round, Seat

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
    if isinstance(game, Blackjack):  # AD.9, AD.11: the ranks, and whether they are suited
        return tuple(sorted(face.rank for face in held)), len({face.suit for face in held}) == 1
    if ranking_of(game):  # suits have no names
        suits = [tuple(sorted(face.rank for face in held if face.suit is suit)) for suit in (*Suit, None)]
        return tuple(sorted(suits[:-1])), suits[-1], shown
    kinds = _kinds(game)
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
    held, shown = tuple(hand), tuple(dealer)
    if isinstance(game, FuBacc):
        own = {"total": baccarat.total(held), "monkeys": baccarat.MONKEYS.issuperset(held)}
        return {**own, "up": baccarat.points(shown[0])} if shown else own
    if isinstance(game, Blackjack):
        between, suited = spread(held[0].rank, held[1].rank), held[0].suit == held[1].suit
        return {"spread": between, "pair": between < 0, "suited": suited}
    if ranking := ranking_of(game):
        return {
            "hand": ranking.value(held),
            "six_or_higher": sum(
                face.rank >= Rank.SIX for face in held
            ),  # SP.8: what the house qualifies with
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
