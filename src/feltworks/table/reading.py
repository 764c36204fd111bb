"""What a hand is called: read off the facts its wagers are judged by, whatever the game."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.blackjack import total
from feltworks.hands.poker import HandValue
from feltworks.hands.spot import Spot, SpotHand
from feltworks.rules.game import Game
from feltworks.rules.round import Face, Round, face_up


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
    words = _called(game.standing(one, 0), split or [face_up(lying.cards)]) if shown else []
    if split is None:
        return [HeldHand(lying.cards, words[0] if words else "")]
    named = words if len(words) == len(split) else [""] * len(split)
    return [HeldHand(tuple(faces), said) for faces, said in zip(split, named, strict=True)]


def dealers_words(game: Game[Any], round_: Round, seat: int) -> str:
    """What the dealer's hand is called once it is complete; nothing before."""
    if not any(isinstance(face, Card) for face in round_.dealer):
        return ""
    standing = game.standing(alone(round_, seat), 0)
    dealer = getattr(standing, "dealer", None)
    if isinstance(dealer, HandValue):
        return dealer.words
    if getattr(dealer, "has_blackjack", None):
        return "blackjack"
    total = getattr(dealer, "total", getattr(standing, "dealer_total", None))
    if not isinstance(total, int):
        return ""
    return f"{total}, over 21" if hasattr(dealer, "has_blackjack") and total > 21 else str(total)


def _called(standing: object, held: Sequence[tuple[Card, ...]]) -> list[str]:
    """The words of a standing's own hands, and of these cards of theirs; a game without totals has none."""
    spot, hand, total = (getattr(standing, name, None) for name in ("spot", "hand", "total"))
    if isinstance(spot, Spot):
        return [_blackjack_words(*hand) for hand in zip(spot.hands, held, strict=False)]
    if isinstance(hand, HandValue):
        return [hand.words]
    return [f"total {total}"] if isinstance(total, int) else []


def _blackjack_words(hand: SpotHand, held: tuple[Card, ...]) -> str:
    if hand.is_blackjack:
        return "blackjack"
    said = f"{hand}, over 21" if hand.is_over else str(total(held))
    return f"{said}, doubled" if hand.is_doubled else said
