"""The shoe at machine speed: dealt to its cut card or shuffled for every round, always from what is left."""

from typing import Any

import numpy as np

from feltworks.machine.compiled import deal as deal_some
from feltworks.machine.compiled import deal_six, lean, woven
from feltworks.machine.streams import Handle
from feltworks.simulation.kernels.blackjack.places import CUT, POSITION, READY, RUNNING, SEEN, START

_AT_ONCE = 6  # cards from one random word


@lean
def shuffle_on(stream: Handle, shoe: Any, at: Any) -> None:
    """Make the next cards ready: any card that is left is as likely as any other."""
    if at[READY] == len(shoe):
        _take_discards(shoe, at)
    left = len(shoe) - at[READY]
    if left >= _AT_ONCE:
        deal_six(stream, shoe, at[READY])
        at[READY] += _AT_ONCE
    else:
        deal_some(stream, shoe, at[READY], left)
        at[READY] += left


@lean
def _take_discards(shoe: Any, at: Any) -> None:
    """A shoe that runs out within a round goes on with the cards of earlier rounds, and ends with it."""
    start = at[START]
    if start == 0:
        raise IndexError("the round took more cards than the shoe holds")
    _turn_around(shoe, 0, start)
    _turn_around(shoe, start, len(shoe))
    _turn_around(shoe, 0, len(shoe))
    at[POSITION] -= start
    at[READY] -= start
    at[START], at[CUT], at[RUNNING], at[SEEN] = 0, 0, 0, 0


@lean
def _turn_around(shoe: Any, begin: int, end: int) -> None:
    for step in range((end - begin) // 2):
        shoe[begin + step], shoe[end - 1 - step] = shoe[end - 1 - step], shoe[begin + step]


@woven
def deal(stream: Handle, shoe: Any, at: Any) -> Any:
    """The next card."""
    if at[POSITION] >= at[READY]:
        shuffle_on(stream, shoe, at)
    position = at[POSITION]
    at[POSITION] = position + 1
    return shoe[np.uint64(position)]


@woven
def begin_round(
    stream: Handle, shoe: Any, at: Any, before_cut: int, burned: int, ahead: int, cards: int
) -> None:
    """Shuffle where the cut card has come out, and deal the first cards of the round."""
    if at[POSITION] >= at[CUT]:
        at[POSITION], at[READY], at[CUT], at[RUNNING], at[SEEN] = burned, 0, before_cut, 0, 0
        while at[READY] < ahead:
            shuffle_on(stream, shoe, at)
    at[START] = at[POSITION]
    while at[READY] < at[POSITION] + cards:
        shuffle_on(stream, shoe, at)
    at[POSITION] += cards
