"""Which hands lie on a seat, and what the game calls them."""

from typing import Any

from msgspec import Struct

from feltworks.cards import Card
from feltworks.rules.game import Game
from feltworks.rules.round import Face, Round


class HeldHand(Struct, frozen=True):
    """Cards that are played together, and what they are called; no words where the game has none."""

    faces: tuple[Face, ...]
    words: str = ""


def alone(round_: Round, seat: int) -> Round:
    """The round as if this seat were the only one: its hand and the dealer's, nobody else's."""
    return Round((round_.seats[seat],), round_.dealer, round_.board, round_.meters)


def hands_of(game: Game[Any], round_: Round, seat: int) -> list[HeldHand]:
    """The hands lying on a seat: one, or as many as it was split into."""
    lying = round_.seats[seat]
    shown = any(isinstance(face, Card) for face in lying.cards)
    one = alone(round_, seat)
    parts = [game.part_cards(one, 0, wager) for wager in lying.wagers] if shown else []
    split = next((hands for hands in parts if len(hands) > 1), None)
    words = game.hand_words(one, 0) if shown else ()
    if split is None:
        return [HeldHand(lying.cards, words[0] if words else "")]
    named = words if len(words) == len(split) else [""] * len(split)
    return [HeldHand(tuple(faces), said) for faces, said in zip(split, named, strict=True)]


def dealers_words(game: Game[Any], round_: Round, seat: int) -> str:
    """What the dealer's hand is called once it is complete; nothing before."""
    if not any(isinstance(face, Card) for face in round_.dealer):
        return ""
    return game.dealer_words(alone(round_, seat))
