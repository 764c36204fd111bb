"""Best play when the hole card is known only to be in a group: one strategy for all cards of the group.

Each hole card has its own table, dealt from the shoe without it. A choice is the best one for all tables
together, each weighted by how many such cards are left; its value is then taken table by table. Choices are
improved against the later ones until none changes. That is best play, because a hand only grows.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from feltworks.analysis.solvers.numbers import Array, Bools, Ints
from feltworks.analysis.solvers.shoe_game.hands import Hands, Open, Values
from feltworks.analysis.solvers.shoe_game.rules import DOUBLE, HIT, STAND, UPS
from feltworks.analysis.solvers.shoe_game.solver import ShoeGame

_HOPELESS: Final = 0.05  # same as in the solver: a split that is further behind is not examined
_MOST_TURNS: Final = 30  # more iterations than a hand has cards


class Table(Struct, frozen=True):
    """A table with one hole card, its probability, and the value of insurance by hand and up card."""

    game: ShoeGame
    likely: float
    insurance: Array
    hole: int


def group_edge(tables: Sequence[Table]) -> float:
    """The value of a round with one of these hole cards, times the probability of that."""
    first = tables[0].game
    _, played = _shared_acts(tables, first.hands, first.open, lambda game, acts: game.values(acts), 0)
    weights = [_weights(table, first.hands.held) for table in tables]
    gain = sum(w * (table.game.surrender - one.best) for w, table, one in zip(weights, tables, played, strict=True))
    surrenders = first.open.surrender & (gain > 0)
    unsplit = [table.game.unsplit_worth(one, surrenders) for table, one in zip(tables, played, strict=True)]
    edge = sum(t.likely * float((t.game.deals * worth).sum()) for t, worth in zip(tables, unsplit, strict=True))
    insured = sum(table.likely * table.insurance for table in tables)
    return edge + float(np.clip(insured, 0, None).sum()) + _split_gain(tables, unsplit)


def first_choices(lots: Sequence[Sequence[Table]]) -> Array:
    """The value by lot of tables, choice and first hand with up card; later choices do not use the knowledge."""
    tables = [table for lot in lots for table in lot]
    first = tables[0].game
    _, played = _shared_acts(tables, first.hands, first.open, lambda game, acts: game.values(acts), 0)
    rows = np.flatnonzero((first.hands.size == 2) & ~first.is_natural)
    brought = {id(table): _choices(table, one, rows) for table, one in zip(tables, played, strict=True)}
    return np.array([sum(brought[id(table)] for table in lot) for lot in lots])


def _choices(table: Table, played: Values, rows: Ints) -> Array:
    """The values of standing, hitting, doubling and surrendering; that of standing if one is not offered."""
    game, may = table.game, table.game.open
    worth = [
        played.stand[rows],
        np.where(may.hit[rows], played.hit[rows], played.stand[rows]),
        np.where(may.double[rows], played.double[rows], played.stand[rows]),
        np.where(may.surrender[rows], game.surrender[rows], played.stand[rows]),
    ]
    brought: Array = table.likely * game.deals[rows] * np.array(worth)
    return brought.reshape(len(worth), -1)


def _weights(table: Table, taken: Ints) -> Array:
    """By hand and up card: the table's probability times the fraction left of cards like its hole card."""
    left = table.game.counts[table.hole] + 1 - taken[:, table.hole, None] - (np.arange(UPS) == table.hole)
    weights: Array = table.likely * np.maximum(left, 0) / (table.game.counts[table.hole] + 1)
    return weights


def _shared_acts(
    tables: Sequence[Table], hands: Hands, may: Open, values: Callable[[ShoeGame, Ints | None], Values], gone: int
) -> tuple[Ints, list[Values]]:
    """The acts that are best for all tables together, and their values at each."""
    weights = [_weights(table, hands.taken(gone)) for table in tables]
    acts = values(tables[0].game, None).acts
    for _ in range(_MOST_TURNS):
        played = [values(table.game, acts) for table in tables]
        worth = [w * np.stack((one.stand, one.hit, one.double)) for w, one in zip(weights, played, strict=True)]
        stand, hit, double = np.sum(worth, axis=0)
        better = _best(stand, hit, double, may, hands.size < 2)
        if (better == acts).all():
            break
        acts = better
    return acts, played


def _best(stand: Array, hit: Array, double: Array, may: Open, is_lone: Bools) -> Ints:
    """Choose as the solver does: the smaller wager on a tie; always draw to the lone card of a split."""
    hits = may.hit & ((hit > stand) | is_lone[:, None])
    doubles = may.double & (double > np.where(hits, hit, stand))
    return np.where(doubles, DOUBLE, np.where(hits, HIT, STAND))


def _split_gain(tables: Sequence[Table], unsplit: Sequence[Array]) -> float:
    """The gain from splitting each pair into the number of hands that is best for all tables together."""
    first = tables[0].game
    if not len(first.pairs.value):
        return 0.0
    acts, played = _shared_acts(
        tables, first.split_hands, first.split_open, lambda game, acts: game.split_values(acts), 1
    )
    most, once = int(first.most_hands.max()), np.zeros((10, UPS))
    gains = np.zeros((most + 1, 10, UPS))
    for table, one, worth in zip(tables, played, unsplit, strict=True):
        _add(once, table, table.game.split_once(one) - _unsplit_worth(table.game, worth) + _HOPELESS)
    hopeful = once > 0  # if one split is far behind, so are more splits
    for table, worth in zip(tables, unsplit, strict=True):
        game, pairs = table.game, table.game.pairs
        wanted = hopeful[pairs.value, pairs.up]
        law = game.split_law(acts, wanted)
        for number in range(2, most + 1):
            able = wanted & (game.most_hands[pairs.value] >= number)
            gain = game.split_worth(law, np.where(able, number, 0)) - _unsplit_worth(game, worth)
            _add(gains[number], table, np.where(able, gain, 0))
    return float(gains.max(axis=0).sum())


def _unsplit_worth(game: ShoeGame, unsplit: Array) -> Array:
    """The value of each pair when it is not split."""
    kept: Array = unsplit[game.pair_rows(), game.pairs.up]
    return kept


def _add(sums: Array, table: Table, worth: Array) -> None:
    """Add the values of pairs at a table, by card value and up card."""
    pairs = table.game.pairs
    np.add.at(sums, (pairs.value, pairs.up), table.likely * pairs.likely * worth)
