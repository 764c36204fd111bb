"""What a table can have to pay: its prizes by wager, the most of one deal, and what has to be kept for it."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Fixed


class Prize(Struct, frozen=True):
    """One row of a pay table at the highest wager."""

    wager: str
    outcome: str
    odds: Odds
    wagered: Cents
    cents: Cents


def prizes(game: Game[Any], highest: dict[str, Cents]) -> list[Prize]:
    """Every odds-based prize this table can owe, at the highest wagers, the largest first."""
    found = [prize for wager, most in highest.items() for prize in _prizes_of(game, wager, most)]
    return sorted(found, key=lambda prize: -prize.cents)


def _prizes_of(game: Game[Any], wager: str, most: Cents) -> Iterator[Prize]:
    table = game.terms.pay_table(game.wagers[wager].paid_by or wager)
    for outcome, pay in game.pays[wager].items():
        reachable = table.needs_decks.get(outcome, 1) <= game.terms.decks  # LL.4
        if isinstance(pay, Odds) and pay.win > 0 and reachable:
            yield Prize(wager, outcome, pay, most, pay.on(most, game.terms.breakage))


def top_odds(game: Game[Any], wager: str) -> Fraction:
    """The highest odds a wager can win by; nothing where it wins no odds."""
    return max((prize.odds.exact for prize in _prizes_of(game, wager, 1)), default=Fraction(0))


def most_of_a_spot(game: Game[Any], highest: dict[str, Cents]) -> Cents:
    """No deal pays one spot more than this: the best outcome of every wager, jackpots apart."""
    return sum(_most_paid(game, wager, most) for wager, most in highest.items())


def _most_paid(game: Game[Any], wager: str, most: Cents) -> Cents:
    """A single opening wager at its best odds, or all that choices can bring onto it at even money."""
    single = max((prize.cents for prize in _prizes_of(game, wager, most)), default=0)
    fixed = max((pay.cents for pay in game.pays[wager].values() if isinstance(pay, Fixed)), default=0)
    at_stake = game.most_at_stake(wager, most)
    return max(single, fixed, at_stake if at_stake > most else 0)


def reserve(found: Sequence[Prize], above: Cents) -> Cents:
    """WA.4, WAC 230-15-455: of several odds-based prizes above the line, the second highest is kept ready."""
    large = [prize.cents for prize in found if prize.cents > above]
    return sorted(large)[-2] if len(large) > 1 else 0
