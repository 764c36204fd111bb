"""What a player does with every hand, free of what it is worth: of a chart, or of a plan."""

import numpy as np
from msgspec import Struct

from feltworks.analysis.shoe_game.chart import SPLIT, Codes, split_acts, unsplit_acts
from feltworks.analysis.shoe_game.numbers import Bools, Ints
from feltworks.analysis.shoe_game.rules import UPS
from feltworks.analysis.shoe_game.solver import Plan, ShoeGame


class Conduct(Struct, frozen=True, eq=False):
    """Acts by hand and up card, and what becomes of pairs; equal where all of it is."""

    acts: Ints
    surrenders: Bools
    split_acts: Ints
    hands: Ints  # by value and up card: how many a pair becomes at most, 0 where it is not split

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Conduct) and self._code == other._code

    def __hash__(self) -> int:
        return hash(self._code)

    @property
    def _code(self) -> tuple[bytes, ...]:
        return tuple(part.tobytes() for part in (self.acts, self.surrenders, self.split_acts, self.hands))


def conduct_of(table: ShoeGame, codes: Codes) -> Conduct:
    """A chart's: pairs it splits are split again as often as the table allows."""
    chosen = (codes.pair == SPLIT) & ((table.pair_row > 0) & (table.most_hands > 1))[:, None]
    hands = np.where(chosen, table.most_hands[:, None], 0)
    return Conduct(*unsplit_acts(table, codes), split_acts(table, codes), hands)


def plans_conduct(table: ShoeGame, plan: Plan) -> Conduct:
    """A plan's; where ranks count, pairs of ten-value cards are all split as the most split kind of them."""
    hands = np.zeros((10, UPS), np.int64)
    if len(plan.hands):
        np.maximum.at(hands, (table.pairs.value, table.pairs.up), plan.hands)
    return Conduct(plan.acts, plan.surrenders, plan.split_acts, hands)
