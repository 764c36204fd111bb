"""The simulated players of a practice table: what they wager, and how they decide."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from feltworks.errors import FeltError
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Decide, Offer
from feltworks.table.rollouts import best_choice
from feltworks.table.table import Table
from feltworks.table.view import round_view
from feltworks.table.wording import single_seat

STACK: Final[Cents] = 5_000_00
_CHIP: Final[Cents] = 5_00
_MOST_CHIPS: Final = 10
_BESIDE: Final = 0.6  # how likely a bonus wager is made
_ON_A_WHIM: Final = 0.15  # so that a trainee meets every kind of choice
_TRIES: Final = 8
_CARE: Final = 1


def name_of(spot: int) -> str:
    """What a simulated player is called."""
    return f"Player {spot}"


def seat_players(table: Table, seats: int) -> None:
    """One player on each of the first seats."""
    for spot in range(1, seats + 1):
        table.sit(name_of(spot), spot, stack=STACK)


def put_wagers_down(table: Table, mind: Random) -> None:
    """Every player wagers something that the table takes."""
    for name, player in table.seating.players.items():
        if player.stack < STACK:
            table.buy_in(name, STACK - player.stack)
        for wagers in (_wagers(table, mind), _wagers(table, mind, beside=0)):
            try:
                table.wager(name, player.spots[0], wagers)
                break
            except FeltError:  # a wager that the rules do not take beside the others
                continue


def _wagers(table: Table, mind: Random, *, beside: float = _BESIDE) -> Mapping[str, Cents]:
    book, ranges = table.game.terms.rulebook, table.limits.ranges
    found = {}
    for name, span in ranges.items():
        if book.wager[name].kind == "main" or mind.random() < beside:
            wanted = mind.randint(1, _MOST_CHIPS) * _CHIP
            found[name] = max(span.least, min(wanted, span.most if span.most is not None else wanted))
    return found


def _in_chips(offer: Offer) -> Offer:
    """Players put down chips: not less than the smallest of them where they may choose."""
    least = min(max(offer.least, _CHIP), offer.most) if offer.least < offer.most else offer.least
    return Offer(offer.name, offer.wager, least, offer.most, offer.chip)


def decided(game: Game[Any], r: Round, step: Decide, mind: Random) -> Choice:
    """What the player of a seat decides, from what may be known there."""
    step = Decide(step.seat, tuple(map(_in_chips, step.offers)), step.about)
    if mind.random() < _ON_A_WHIM:
        return best_choice(game, r, step, mind, tries=0)
    known = single_seat(round_view(game, r, [step.seat]), step.seat)
    return best_choice(game, known, Decide(0, step.offers, step.about), mind, tries=_TRIES, tries_later=_CARE)
