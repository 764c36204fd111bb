"""The pocket strategy card: charts and short rules of every wager with a decision."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.figures import Number
from feltworks.errors import FeltError
from feltworks.reports.identity import Identity, identity
from feltworks.reports.order import Order
from feltworks.reports.play_sheet import PlaySheet, Rules, play_sheet
from feltworks.rules.guide import GuideLine, house_rules
from feltworks.rules.pay_table import meters_of

_RULES: Final = 3


class Aside(Struct, frozen=True):
    """A wager that a player may decline while the hand is played, and what it costs on average."""

    title: str
    house_edge: Number

    @property
    def advice(self) -> str:
        return "decline it" if self.house_edge > 0 else "take it"


class CardSide(Struct, frozen=True):
    """One wager's play."""

    title: str
    pay_table: str
    play: PlaySheet
    asides: tuple[Aside, ...] = ()


class StrategyCard(Struct, frozen=True):
    """A side for every wager with a decision, and the rules of the table it holds for."""

    identity: Identity
    rules: tuple[GuideLine, ...]
    sides: tuple[CardSide, ...]


def strategy_card(order: Order) -> StrategyCard:
    """The card of a table; refused where there is no decision."""
    sides = []
    for wager in order.offered:
        game = order.table_with(wager)
        if not meters_of(game.pays[wager].values()) and (play := play_sheet(Question(game, wager), _RULES)):
            title, table = order.book.wager[wager].title, game.terms.pay_tables[wager]
            play = replace(play, rules=cheapest(play.rules))
            sides.append(CardSide(title, table, play, tuple(_asides(order, wager))))
    if not sides:
        raise FeltError(f"no wager of {order.book.title} asks for a decision, so there is no strategy to print")
    return StrategyCard(identity(order), house_rules(order.table), tuple(sides))


def _asides(order: Order, wager: str) -> Iterator[Aside]:
    """The wagers that an option of the house offers beside this one during the round (BJ.4)."""
    for name in order.group(wager)[1:]:
        entry = order.book.wager[name]
        if entry.offered_by:
            edge = analyze(Question(order.table_with(wager), name)).figures.house_edge
            yield Aside(entry.title, edge)


def cheapest(lists: tuple[Rules, ...]) -> tuple[Rules, ...]:
    """The cheapest list of each length; the lists come in order of falling cost."""
    return tuple({rules.number: rules for rules in lists}.values())
