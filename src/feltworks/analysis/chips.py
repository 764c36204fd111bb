"""The edge by wager size where a house pays in whole chips (M.1): every size played best for what it is paid.

An amount turns a rounded payment into odds of its own: $7 for a $5 blackjack are 7 to 5. So each size is the
same game with other odds, and every solver serves it.
"""

from collections.abc import Iterator, Mapping
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.analyze import analyze
from feltworks.analysis.figures import Figures
from feltworks.analysis.question import OPTIMAL, Question
from feltworks.analysis.shape import main_wager_of, shoe_game_of
from feltworks.analysis.shoe_game.pays import Pays, Row, pays_of
from feltworks.analysis.shoe_game.rounds import RoundFigures, figures
from feltworks.analysis.shoe_game.solver import ShoeGame
from feltworks.errors import BadOption
from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Pay
from feltworks.rules.round import Seat


class Sized(Struct, frozen=True):
    """A wager of one amount and its figures as the house really pays it."""

    cents: Cents
    figures: Figures | RoundFigures


def by_size(question: Question) -> Iterator[Sized]:
    """The figures for every amount asked about, decisions made anew for each."""
    for cents in question.sizes:
        asked = replace(question, opened=cents)
        known = shoe_game_of(question.game)
        if known and question.wager == main_wager_of(known):
            if question.strategy != OPTIMAL:
                raise BadOption(
                    "--strategy", question.strategy, f"{OPTIMAL} where the edge is asked for by size"
                )
            table = _InChips(known, question.shoe, cents)
            yield Sized(cents, figures(table, table.best_plan()))
        else:
            game = in_chips(question.game, asked.stakes)
            yield Sized(cents, analyze(replace(asked, game=game)).figures)


def in_chips(game: Game[Any], stakes: Mapping[str, Cents]) -> Game[Any]:
    """The game as it pays a spot of these amounts, with what follows from them at its largest."""
    table = copy(game)
    seat = Seat(dict(stakes))
    amounts = dict(stakes)
    for name, entry in game.terms.rulebook.wager.items():
        if entry.of in stakes and (offer := game.terms.offer(name, name, seat)):
            amounts[name] = offer.most
    table.pays = {name: _rounded(game, pays, amounts.get(name)) for name, pays in game.pays.items()}
    return table


def _rounded(game: Game[Any], pays: Mapping[str, Pay], cents: Cents | None) -> Mapping[str, Pay]:
    if cents is None:
        return pays
    breakage = game.terms.breakage
    return {
        outcome: Odds(pay.on(cents, breakage), cents) if isinstance(pay, Odds) else pay
        for outcome, pay in pays.items()
    }


class _InChips(ShoeGame):
    """A blackjack table that pays hands of one amount, doubled ones twice that, in whole chips."""

    def __init__(self, game: Any, shoe: Any, cents: Cents) -> None:
        super().__init__(game, shoe)
        self.cents = cents

    @cached_property
    def pays(self) -> Pays:
        return pays_of(self.rules).mapped(self._paid)

    def _paid(self, row: Row) -> Row:
        odds, breakage = self.game.pays[main_wager_of(self.game)], self.game.terms.breakage
        found = []
        for pay in row:
            known = odds.get(pay.outcome)
            if isinstance(known, Odds):
                net = Fraction(known.on(int(pay.wagered * self.cents), breakage), self.cents)
                pay = replace(pay, net=net)
            found.append(pay)
        return tuple(found)
