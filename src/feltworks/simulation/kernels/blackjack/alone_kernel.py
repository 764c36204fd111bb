"""A seat of bonus wagers alone, from a shoe shuffled every round: cards that decide nothing are not drawn.

Where a round is told card by card, they are any cards that are left in the shoe.
"""

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from feltworks.cards import DECK, Card
from feltworks.machine.streams import Stream
from feltworks.rules.round import Choice
from feltworks.simulation.kernel import DealtRound
from feltworks.simulation.kernels.blackjack import places as p
from feltworks.simulation.kernels.blackjack.layout import Counting
from feltworks.simulation.kernels.blackjack.settling import LUCKY_BREAK
from feltworks.simulation.kernels.blackjack.table import TableArrays
from feltworks.simulation.tally import Tally

_CARDS = 52
_NO_SUMS = np.zeros(0, np.int64)


class UpCardKernel:
    """Wagers that the first two cards and the up card decide."""

    def __init__(self, table: TableArrays) -> None:
        self._table, self._counting = table, Counting(table)
        self.layout = self._counting.layout

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds."""
        from feltworks.simulation.kernels.blackjack.alone import LANE, LANES, count_raised, count_threes

        table, lanes = self._table, np.zeros(LANES * LANE, np.int64)
        if table.raising:
            tables = table.three, table.raises, table.shape.ups
            count_raised(stream.handle, rounds, table.cards(), *tables, lanes)
        else:
            count_threes(stream.handle, rounds, table.cards(), table.three, lanes)
        return counted_alone(self._counting, table, rounds, lanes.reshape(LANES, LANE))

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """What the seat is up after each round."""
        return nets_alone(self._table, self._cells(self._recorded(stream, rounds)))

    def dealt(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """The rounds card by card."""
        cards = self._recorded(stream, rounds)
        for indices, cell in zip(cards.tolist(), self._cells(cards).tolist(), strict=True):
            first, second, up_card = (DECK[index] for index in indices)
            hole = next(_left_over(self._table, (first, second, up_card)))
            yield dealt_alone(self._table, (first, second, hole, up_card), cell)

    def _recorded(self, stream: Stream, rounds: int) -> NDArray[np.uint8]:
        from feltworks.simulation.kernels.blackjack.alone import record_threes

        cards = np.zeros((rounds, 3), np.uint8)
        record_threes(stream.handle, self._table.cards(), cards)
        return cards

    def _cells(self, cards: NDArray[np.uint8]) -> NDArray[np.int64]:
        first, second, up_card = cards.astype(np.int64).T
        pair = first * _CARDS + second
        cells: NDArray[np.int64] = self._table.three[pair * _CARDS + up_card].astype(np.int64)
        if self._table.raising:
            cells += self._table.raises[pair].astype(np.int64) * self._table.shape.ups
        return cells


class LuckyBreakKernel:
    """Lucky Break by itself: the dealer's hand decides, the player's two cards keep within its limit."""

    def __init__(self, table: TableArrays) -> None:
        self._table, self._counting = table, Counting(table)
        self.layout = self._counting.layout

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds."""
        from feltworks.simulation.kernels.blackjack.alone import LANE, LANES, count_breaks

        table, lanes = self._table, np.zeros(LANES * LANE, np.int64)
        count_breaks(stream.handle, rounds, table.cards(), table.book, lanes)
        return counted_alone(self._counting, table, rounds, lanes.reshape(LANES, LANE))

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """What the seat is up after each round."""
        return nets_alone(self._table, self._recorded(stream, rounds)[2])

    def dealt(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """The rounds card by card."""
        cards, lengths, cells = self._recorded(stream, rounds)
        for indices, length, cell in zip(cards.tolist(), lengths.tolist(), cells.tolist(), strict=True):
            dealer = tuple(DECK[index] for index in indices[:length])
            held = tuple(islice(_left_over(self._table, dealer), 2))
            yield dealt_alone(self._table, (*held, *dealer), cell)

    def _recorded(
        self, stream: Stream, rounds: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
        from feltworks.simulation.kernels.blackjack.alone import LONGEST, record_breaks

        cards, ends = np.zeros((rounds, LONGEST), np.uint8), np.zeros((rounds, 2), np.int64)
        record_breaks(stream.handle, self._table.cards(), self._table.book, cards, ends)
        return cards, ends[:, 0], ends[:, 1]


def _left_over(table: TableArrays, taken: tuple[Card, ...]) -> Iterator[Card]:
    return iter(table.game.terms.shoe.without(taken).all_cards())


def counted_alone(counting: Counting, table: TableArrays, rounds: int, lanes: NDArray[np.int64]) -> Tally:
    """The tally of cells that were counted lane by lane."""
    counts, shape = np.zeros(table.cells, np.int64), table.shape
    counts[shape.main : shape.main + shape.side] = lanes.sum(axis=0)[: shape.side]
    return counting.tally(rounds, counts, _NO_SUMS)


def nets_alone(table: TableArrays, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """What the seat is up in each of these cells."""
    begin = p.HAND_CELLS + table.shape.main
    nets: NDArray[np.int64] = table.nets[begin : begin + table.shape.side][cells]
    return nets


def dealt_alone(table: TableArrays, cards: tuple[Card, ...], cell: int) -> DealtRound:
    """A round of bonus wagers alone, in the rules' words."""
    purse, shape = table.purses[0][0], table.shape
    raised, up, broken = (int(part) for part in np.unravel_index(cell, (2, shape.ups, shape.breaks)))
    outcomes = dict(zip(table.made.up_wagers, table.made.ups[up], strict=True)) if shape.ups > 1 else {}
    outcomes[LUCKY_BREAK] = table.made.breaks[broken]
    lines, choices = [], []
    for wager, cents in purse.opened.items():
        lines.append(purse.line(0, wager, outcomes[wager], cents))
        if wager == table.raising.get(0):
            follows, more = purse.raised[wager]
            choices.append(Choice(follows, more) if raised else Choice("check"))
            lines += [purse.line(0, follows, outcomes[wager], more)] if raised else []
    return DealtRound((purse.opened,), cards, tuple(choices), tuple(lines))
