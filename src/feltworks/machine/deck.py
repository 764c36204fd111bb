"""A deck as the loop over its cards reads it, and what that says of cards; to name them compiles nothing."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SUITS = 4
# What a row of the result holds, in this order; behind them the cards from each of the tiers' ranks on
COLUMNS = (
    "sets",
    "pair",
    "own_pair",
    "higher",
    "lower",
    "over_cards",
    "flush_cards",
    "flush_high",
    "straight_cards",
    "straight_ways",
    "straight_flush_cards",
    "straight_flush_ways",
)
NO_SET, ONE_PAIR, TWO_PAIR, THREE, FULL_HOUSE, FOUR = range(6)  # equal ranks, each better than the one before


class Deck(NamedTuple):
    """The ranks of a deck as the loop reads them."""

    ranks: NDArray[np.int64]  # by place: the number of the rank, the ace's highest
    straights: NDArray[np.int64]  # by straight: its ranks as bits
    tiers: NDArray[np.int64]  # the places of ranks from which on cards are counted
