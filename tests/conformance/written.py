"""A played round written down as somebody else would for `felt settle`: the words of each kind of game."""

from collections.abc import Callable
from typing import Any

from feltworks import catalog
from feltworks.cards import Card
from feltworks.games.blackjack import Blackjack
from feltworks.hands.spot import SpotHand
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import BOARD, DEALER
from feltworks.rules.wager import WrittenForm
from tests.conformance.play import Play
from tests.conformance.variants import Variant

Document = dict[str, Any]
Shape = Callable[[Play, Document], None]


def written(variant: Variant, play: Play) -> Document:
    """The round as one JSON document."""
    document: Document = {
        "game": variant.game,
        "options": {n: list(v) if isinstance(v, tuple) else v for n, v in variant.options},
        "pay_tables": dict(variant.pay_tables),
        "limit": variant.limit,
        "seats": [{"wagers": dict(s.wagers), "tokes": dict(s.tokes)} for s in play.opened.seats],
    }
    if "jackpot" in play.opened.meters:
        document["jackpot"] = play.opened.meters["jackpot"]
    shape = shape_of(play.game)
    assert shape is not None
    shape(play, document)
    return document


def shape_of(game: Game[Any]) -> Shape | None:
    """How this game is written down; None where it has words of its own that nobody told us."""
    known = _SHAPES.get(game.terms.rulebook.game)
    own_words = game.written != WrittenForm() or any(hasattr(game, name) for name in _WORDS)
    other_meters = {m for pays in game.pays.values() for m in meters_of(pays.values())} - {"jackpot"}
    return known or (None if own_words or other_meters else _plain)


def written_games() -> list[str]:
    """The games whose rounds can be written down here."""
    return [name for name in catalog.games() if shape_of(catalog.game(name))]


def codes(cards: tuple[Card, ...]) -> list[str]:
    return [face.code for face in cards]


def _plain(play: Play, document: Document) -> None:
    document["dealer"] = {"cards": codes(play.dealt.get(DEALER, ()))}
    document["board"] = codes(play.dealt.get(BOARD, ()))
    for number, seat in enumerate(document["seats"]):
        seat["cards"] = codes(play.dealt.get(number, ()))
        spoken = play.end.seats[number].choices
        seat["choices"] = [{"name": choice.name, "cents": choice.cents} for choice in spoken]


def _fu_bacc(play: Play, document: Document) -> None:
    document["dealer"] = dict(zip(("up", "hole", "third"), codes(play.dealt[DEALER]), strict=True))
    for number, seat in enumerate(document["seats"]):
        *seat["cards"], seat["third"] = codes(play.dealt[number])
        seat["choice"] = next((choice.name for choice in play.end.seats[number].choices), None)


def _blackjack(play: Play, document: Document) -> None:
    assert isinstance(play.game, Blackjack)
    hole, up_card, *draws = codes(play.dealt[DEALER])
    document["dealer"] = {"hole": hole, "up": up_card, "draws": draws}
    for number, seat in enumerate(document["seats"]):
        on = play.end.seats[number]
        seat["cards"] = codes(play.dealt[number][:2])
        seat |= {name: on.wagers[name] for name in ("raise", "insurance") if name in on.wagers}
        hands = on.hand(play.game.spot).hands
        if len(play.dealt[number]) > 2 or hands[0].last in ("double", "surrender"):
            held = play.game.part_cards(play.end, number, "blackjack")
            seat["hands"] = [_hand(*hand) for hand in zip(hands, held, strict=True)]


def _hand(hand: SpotHand, held: tuple[Card, ...]) -> Document:
    return {"cards": codes(held), "doubled": hand.is_doubled, "surrendered": hand.is_surrendered}


def _spanish_poker(play: Play, document: Document) -> None:
    document["dealer"] = {"cards": codes(play.dealt[DEALER])}
    for number, seat in enumerate(document["seats"]):
        seat["cards"] = codes(play.dealt[number])
        seat["choice"] = next((choice.name for choice in play.end.seats[number].choices), None)


_WORDS = ("dealer_cards", "seat_cards", "answer", "unanswered")
_SHAPES: dict[str, Shape] = {
    "fu_bacc": _fu_bacc,
    "blackjack": _blackjack,
    "spanish_poker": _spanish_poker,
}
