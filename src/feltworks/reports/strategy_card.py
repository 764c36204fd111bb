"""The pocket strategy card: charts and short rules of every wager with a decision."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.analyze import Question
from feltworks.errors import FeltError
from feltworks.reports.identity import Identity, identity
from feltworks.reports.order import Order
from feltworks.reports.play_sheet import PlaySheet, Rules, play_sheet
from feltworks.rules.pay_table import meters_of

_RULES: Final = 3


class CardSide(Struct, frozen=True):
    """One wager's play."""

    title: str
    pay_table: str
    play: PlaySheet


class StrategyCard(Struct, frozen=True):
    """A side for every wager with a decision."""

    identity: Identity
    sides: tuple[CardSide, ...]


def strategy_card(order: Order) -> StrategyCard:
    """The card of a table; refused where there is no decision."""
    sides = []
    for wager in order.offered:
        game = order.table_with(wager)
        if not meters_of(game.pays[wager].values()) and (play := play_sheet(Question(game, wager), _RULES)):
            title, table = order.book.wager[wager].title, game.terms.pay_tables[wager]
            sides.append(CardSide(title, table, replace(play, rules=cheapest(play.rules))))
    if not sides:
        raise FeltError(
            f"no wager of {order.book.title} asks for a decision, so there is no strategy to print"
        )
    return StrategyCard(identity(order), tuple(sides))


def cheapest(lists: tuple[Rules, ...]) -> tuple[Rules, ...]:
    """The cheapest list of each length; the lists come in order of falling cost."""
    return tuple({rules.number: rules for rules in lists}.values())
