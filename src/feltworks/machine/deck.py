"""The arrays that `draws` reads a deck from, and the columns of its result; importing them compiles nothing."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SUITS = 4
# The columns of a row of the result, in order; after them, for each tier, the number of cards from its rank up
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
NO_SET, ONE_PAIR, TWO_PAIR, THREE, FULL_HOUSE, FOUR = range(6)  # sets of equal ranks, worst first


class Deck(NamedTuple):
    """The ranks of a deck as arrays for the compiled loop."""

    ranks: NDArray[np.int64]  # by place: the number of the rank; the ace's is highest
    straights: NDArray[np.int64]  # by straight: a bit mask of its ranks
    tiers: NDArray[np.int64]  # by tier: the place of the lowest rank that counts
