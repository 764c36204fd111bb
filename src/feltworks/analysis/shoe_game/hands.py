"""The hands a player can hold, by value: what each is worth and which hand follows with which card."""

from functools import cached_property

import numpy as np
from msgspec import Struct

from feltworks.analysis.shoe_game.numbers import Bools, Ints

UNSPLIT = -1
_PLACES = 32 ** np.arange(10, dtype=np.int64)  # a hand packed into one number


class Hands(Struct, frozen=True, dict=True):
    """All hands of 21 or less, one row each; `after` names the row a card leads to, −1 where there is none.

    Hands of a split stand apart for every value the pair can have: `origin`, and −1 for unsplit hands.
    """

    held: Ints  # how many of each value
    low: Ints  # the total with every ace as one
    origin: Ints
    after: Ints

    @cached_property
    def size(self) -> Ints:
        cards: Ints = self.held.sum(axis=1)
        return cards

    @cached_property
    def soft(self) -> Bools:
        return (self.held[:, 0] > 0) & (self.low <= 11)

    @cached_property
    def total(self) -> Ints:
        return self.low + 10 * self.soft

    @cached_property
    def layers(self) -> list[Ints]:
        """The rows by low total, from 0 to 21: a card always leads to a later layer."""
        return [np.flatnonzero(self.low == low) for low in range(22)]

    def taken(self, gone: int) -> Ints:
        """The cards of each hand with those of its origin's value that lie with other hands of the split."""
        taken = self.held.copy()
        split = np.flatnonzero(self.origin >= 0)
        taken[split, self.origin[split]] += gone
        return taken

    def row(self, *values: int, origin: int = UNSPLIT) -> int:
        """The row of a hand of these values (0 an ace, 9 a ten)."""
        held = np.bincount(np.array(values, np.int64), minlength=10)
        return int(np.flatnonzero((self.held == held).all(axis=1) & (self.origin == origin))[0])


def packed(held: Ints) -> Ints:
    """Hands, or any cards taken from a shoe, as one number each."""
    codes: Ints = held @ _PLACES
    return codes


def unsplit_hands(counts: Ints) -> Hands:
    """Every hand of 21 or less that a shoe can make, the empty one included."""
    held, low = np.zeros((1, 10), np.int64), np.zeros(1, np.int64)
    for value in range(9, -1, -1):
        most = min(int(counts[value]), 21 // (value + 1))
        fitting = [low + taken * (value + 1) <= 21 for taken in range(most + 1)]
        grown = [held[fits] for fits in fitting]
        for taken, hands in enumerate(grown):
            hands[:, value] = taken
        low = np.concatenate([low[fits] + n * (value + 1) for n, fits in enumerate(fitting)])
        held = np.concatenate(grown)
    order = np.argsort(packed(held))
    held, low = held[order], low[order]
    return Hands(held, low, np.full(len(low), UNSPLIT), _after(held))


def _after(held: Ints) -> Ints:
    codes = packed(held)
    wanted = codes[:, None] + _PLACES
    rows = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    return np.where(codes[rows] == wanted, rows, -1)


def split_hands(hands: Hands, values: Ints, short: Ints | None = None) -> Hands:
    """The hands that splitting a pair of each of these values can lead to, from the single card on.

    Of the values in `short` there are hands of one and two cards only.
    """
    longest = np.where(np.isin(values, [] if short is None else short), 2, 21)
    rows = [
        np.flatnonzero((hands.held[:, value] > 0) & (hands.size <= most))
        for value, most in zip(values, longest, strict=True)
    ]
    begin, after = 0, [np.zeros((0, 10), np.int64)]
    for mine in rows:
        place = np.full(len(hands.low) + 1, -1)  # the last one stands for a card that leads nowhere
        place[mine] = np.arange(begin, begin + len(mine))
        after.append(place[hands.after[mine]])
        begin += len(mine)
    chosen = np.concatenate([np.zeros(0, np.int64), *rows])
    origin = np.repeat(values, [len(mine) for mine in rows])
    return Hands(hands.held[chosen], hands.low[chosen], origin, np.concatenate(after))
