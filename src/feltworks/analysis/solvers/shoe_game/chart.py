"""Strategy charts: what to do with a total, soft or hard, or a pair, against an up card.

A hand of two equal cards looks under "pair" first. A choice that is not open to the hand gives way: of a
pair to what the chart says of its total, of a total to `otherwise`, which is always stand or hit.
"""

from collections.abc import Callable, Mapping

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import Number
from feltworks.analysis.solvers.numbers import Bools, Ints
from feltworks.analysis.solvers.shoe_game.felts import DOUBLE, HIT, SPLIT, STAND, SURRENDER, UPS
from feltworks.analysis.solvers.shoe_game.hands import Hands, Open
from feltworks.analysis.solvers.shoe_game.rules import DealerRules
from feltworks.analysis.solvers.shoe_game.solver import Plan, ShoeGame
from feltworks.errors import UnknownName

CHOICES = ("stand", "hit", "double", "surrender", "split")  # the words of a chart, in the order of the acts
KINDS = ("hard", "soft", "pair")
Key = tuple[str, int, int]  # the kind, its total (of a pair the value of one card), the up card; an ace is 1


class Advice(Struct, frozen=True):
    """What to do, what to do where that is not open, and what every choice is worth on average."""

    choice: str
    otherwise: str = CHOICES[STAND]
    values: Mapping[str, Number] = {}


Chart = Mapping[Key, Advice]


class Codes(Struct):
    """A chart as arrays: by soft or hard, total and up card; pairs by value and up card."""

    first: Ints
    later: Ints
    pair: Ints

    def same_as(self, other: "Codes") -> bool:
        mine, theirs = (self.first, self.later, self.pair), (other.first, other.later, other.pair)
        return all(np.array_equal(one, two) for one, two in zip(mine, theirs, strict=True))


def no_codes() -> Codes:
    """A chart that says nothing yet."""
    first, later = (np.zeros((2, 22, UPS), np.int64) for _ in range(2))
    return Codes(first, later, np.full((10, UPS), -1))


def codes_of(chart: Chart) -> Codes:
    """Read a chart; a total it does not mention stands, a pair it does not mention is played as its total."""
    codes = no_codes()
    for (kind, total, up), advice in chart.items():
        if kind == "pair":
            codes.pair[total - 1, up - 1] = code(advice.choice)
        else:
            codes.first[KINDS.index(kind), total, up - 1] = code(advice.choice)
            codes.later[KINDS.index(kind), total, up - 1] = code(advice.otherwise)
    return codes


def code(choice: str) -> int:
    """The number of a choice."""
    if choice not in CHOICES:
        raise UnknownName("choice", choice, CHOICES)
    return CHOICES.index(choice)


def unsplit_acts(table: ShoeGame, codes: Codes) -> tuple[Ints, Bools]:
    """What a chart does with every unsplit hand, and which hands it surrenders.

    Where only equal ranks are pairs, ten-value cards that are not split are played as 20.
    """
    hands = table.hands
    kind = hands.soft.astype(np.int64)
    later = codes.later[kind, hands.total]
    said = np.where((hands.size == 2)[:, None], codes.first[kind, hands.total], later)
    for value, row in enumerate(table.pair_row):
        if row and not table.rules.is_told_apart(value):
            of_pair = codes.pair[value]
            said[row] = np.where((of_pair < 0) | (of_pair == SPLIT), said[row], of_pair)
    return _possible(said, later, hands, table.open), table.may_surrender & (said == SURRENDER)


def split_acts(table: ShoeGame, codes: Codes) -> Ints:
    """What a chart does with the hands of a split: by their totals, a pair that stays one too."""
    hands = table.split_hands
    kind = hands.soft.astype(np.int64)
    later = codes.later[kind, hands.total]
    said = np.where((hands.size == 2)[:, None], codes.first[kind, hands.total], later)
    return _possible(said, later, hands, table.split_open)


def _possible(said: Ints, otherwise: Ints, hands: Hands, open_: Open) -> Ints:
    """Choices that are not open give way; a lone card is always drawn to."""
    doubles = (said == DOUBLE) & open_.double
    acts = np.where(doubles, DOUBLE, np.where(said > HIT, otherwise, said))
    acts = np.where((acts == HIT) & ~open_.hit, STAND, acts)
    return np.where((hands.size < 2)[:, None], HIT, acts)


def plan_of(table: ShoeGame, codes: Codes) -> Plan:
    """The plan of a chart: pairs it splits are split again as often as the table allows."""
    acts, surrenders = unsplit_acts(table, codes)
    pairs = table.pairs
    chosen = codes.pair[pairs.value, pairs.up] == SPLIT
    if not chosen.any():
        return table.plan_without_splits(acts, surrenders)
    hands = np.where(chosen, table.most_hands[pairs.value], 0)
    playing = split_acts(table, codes)
    law = table.split_law(playing, chosen)
    return Plan(acts, surrenders, playing, hands, law, table.split_worth(law, hands))


def chart_of(rule: Callable[[str, int, int], str]) -> Chart:
    """A chart without doubles, splits and surrenders: stand or hit by kind, total and up card."""
    keys = [("hard", total) for total in range(4, 22)] + [("soft", total) for total in range(12, 22)]
    rows = {(kind, total, up): rule(kind, total, up) for kind, total in keys for up in range(1, UPS + 1)}
    return {key: Advice(choice, choice) for key, choice in rows.items()}


def mimic_the_dealer(rules: DealerRules) -> Chart:
    """Draw as the dealer does."""
    return chart_of(
        lambda kind, total, _: CHOICES[HIT if rules.draws(total, soft=kind == KINDS[1]) else STAND]
    )


def never_bust() -> Chart:
    """Draw only where no card can bring the hand over 21, and stand on soft 18 or more."""
    stands = {"hard": 12, "soft": 18}
    return chart_of(lambda kind, total, _: CHOICES[STAND if total >= stands[kind] else HIT])


class FixedPlay(Struct, frozen=True, eq=False):
    """What a player does with every hand, free of what it is worth; equal where all of it is."""

    acts: Ints
    surrenders: Bools
    split_acts: Ints
    hands: Ints  # by value and up card: how many a pair becomes at most, 0 where it is not split

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FixedPlay) and self._code == other._code

    def __hash__(self) -> int:
        return hash(self._code)

    @property
    def _code(self) -> tuple[bytes, ...]:
        return tuple(part.tobytes() for part in (self.acts, self.surrenders, self.split_acts, self.hands))


def play_of_chart(table: ShoeGame, codes: Codes) -> FixedPlay:
    """A chart's: pairs it splits are split again as often as the table allows."""
    chosen = (codes.pair == SPLIT) & ((table.pair_row > 0) & (table.most_hands > 1))[:, None]
    hands = np.where(chosen, table.most_hands[:, None], 0)
    return FixedPlay(*unsplit_acts(table, codes), split_acts(table, codes), hands)


def play_of_plan(table: ShoeGame, plan: Plan) -> FixedPlay:
    """A plan's; where ranks count, pairs of ten-value cards are all split as the most split kind of them."""
    hands = np.zeros((10, UPS), np.int64)
    if len(plan.hands):
        np.maximum.at(hands, (table.pairs.value, table.pairs.up), plan.hands)
    return FixedPlay(plan.acts, plan.surrenders, plan.split_acts, hands)
