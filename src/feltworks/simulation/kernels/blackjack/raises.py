"""Whether a seat raises its bonus wager on its first two cards (AD.7, AD.8)."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from feltworks.analysis.first_deal import FirstDeal
from feltworks.cards import DECK, Card
from feltworks.games.blackjack import BEFORE_UP_CARD, Blackjack
from feltworks.money import Cents
from feltworks.rules.round import Round, Seat, face_up
from feltworks.simulation.kernels.blackjack.three_cards import tells_suits_apart
from feltworks.simulation.plan import Strategy
from feltworks.simulation.strategies import choices_at

RAISE = "raise"
_UNIT: Cents = 100_00  # enough for the whole range of the raise


def raise_table(
    game: Blackjack, wager: str, opened: Mapping[str, Cents], strategy: Strategy
) -> NDArray[np.uint8]:
    """By first and second card: 1 where the seat raises."""
    found = list(FirstDeal(game, {wager: _UNIT}, game.terms.shoe).situations())
    said: dict[tuple[Card, Card] | tuple[int, int, bool], str] = {}
    kind = (lambda *pair: pair) if tells_suits_apart(game.wagers[wager]) else _kind
    for situation, choice in zip(
        found, choices_at(game, {wager: opened[wager]}, strategy, found), strict=True
    ):
        first, second = face_up(situation.shown.seats[0].cards)
        said[kind(first, second)] = choice
    raised = [[said.get(kind(first, second)) == RAISE for second in DECK] for first in DECK]
    may = {is_pair: _may_raise(game, wager, opened, is_pair) for is_pair in (False, True)}
    allowed = [[may[first.rank == second.rank] for second in DECK] for first in DECK]
    return np.logical_and(raised, allowed).astype(np.uint8).reshape(-1)


def _kind(first: Card, second: Card) -> tuple[int, int, bool]:
    return first.rank, second.rank, first.suit == second.suit


def _may_raise(game: Blackjack, wager: str, opened: Mapping[str, Cents], is_pair: bool) -> bool:
    """AD.12: at some tables a pair may not be raised."""
    felt = Round((Seat(opened, (DECK[0], DECK[1] if is_pair else DECK[4])),))
    return any(offer.name == RAISE for offer in game.wagers[wager].asks(BEFORE_UP_CARD, felt, 0))
