"""Fu Bacc at machine speed: who draws is restated here (FB.4, FB.5), what is paid comes from the game.

A hand is decided by ranks alone. A seat's first two and the up card's say by which table of results it is
settled; its total and the dealer's say where in that table the round ends.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltworks.cards import DECK
from feltworks.errors import BadOption
from feltworks.games.fu_bacc import FuBacc
from feltworks.rules.round import Choice
from feltworks.simulation.kernel import DealtLine, DealtRound
from feltworks.simulation.kernels.compiled import compiled, deal, deal_six, inlined
from feltworks.simulation.kernels.fu_bacc_tables import (
    RANKS,
    TOTALS,
    Rows,
    SpotTables,
    dealer_totals,
    hand_totals,
    spot_tables,
)
from feltworks.simulation.plan import Plan
from feltworks.simulation.settled_rows import row_of
from feltworks.simulation.streams import Handle, Stream
from feltworks.simulation.tally import Layout, Tally, pairs, row_columns

_EACH = 3  # FB.17: three cards to every live spot, and three to the dealer
_SIX = 2 * _EACH
_LARGEST = 2**62  # what a sum of squares stays under, so that no 64-bit number wraps


def kernel(plan: Plan) -> "FuBaccKernel":
    """The kernel of this plan; a strategy that leaves a situation open is refused here."""
    assert isinstance(plan.table, FuBacc)
    return FuBaccKernel(plan, plan.table)


class FuBaccKernel:
    """Fu Bacc's rounds, every seat playing by the plan's strategy with its own wagers."""

    def __init__(self, plan: Plan, game: FuBacc) -> None:
        self._plan = plan
        rows: Rows = {}
        kinds = [plan.seats.index(wagers) for wagers in plan.seats]  # seats with the same wagers share rows
        made = {kind: spot_tables(plan, game, rows, kind) for kind in dict.fromkeys(kinds)}
        spots = [made[kind] for kind in kinds]
        self._choices = [spot.choices for spot in spots]
        self._tables = *_stacked(spots), hand_totals(), dealer_totals()
        self._settled = [lines for _, lines in rows]
        opened = tuple(sum(seat.get(name, 0) for seat in plan.seats) for name in plan.wagers)
        cells = tuple(row_of(game, plan.seats[kind], lines) for kind, lines in rows)
        self.layout = Layout(plan.wagers, cells, opened, joint=len(spots) == 1)
        self._nets = np.array([row_columns(self.layout, row) for row in cells], np.int64)
        self._most_rounds = _summable(self._nets, len(spots))

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds."""
        deck, counts = _whole_deck(), np.zeros(len(self.layout.rows), np.int64)
        if self.layout.joint:
            _count_one(stream.handle, deck, rounds, *self._tables, counts)
            return Tally(rounds, counts)
        tally = Tally.empty(self.layout)
        for begin in range(0, rounds, self._most_rounds):
            tally += self._counted(stream, deck, min(self._most_rounds, rounds - begin))
        return tally

    def _counted(self, stream: Stream, deck: NDArray[np.uint8], rounds: int) -> Tally:
        columns = self.layout.columns
        counts, sums = np.zeros(len(self.layout.rows), np.int64), np.zeros(columns, np.int64)
        products = np.zeros((columns, columns), np.int64)
        _count_many(stream.handle, deck, rounds, *self._tables, self._nets, counts, sums, products)
        return Tally(
            rounds, counts, tuple(sums.tolist()), tuple(int(products[pair]) for pair in pairs(columns))
        )

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """What seat 1 is up after each round."""
        _, rows = self._recorded(stream, rounds)
        whole: NDArray[np.int64] = self._nets.sum(axis=1)[rows[:, 0]]
        return whole

    def dealt(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """The rounds card by card, as the live table deals them: seat by seat, then the dealer."""
        cards, rows = self._recorded(stream, rounds)
        for indices, ends in zip(cards.tolist(), rows.tolist(), strict=True):
            faces = tuple(DECK[index] for index in indices)
            yield DealtRound(self._plan.seats, faces, self._chosen(indices), tuple(self._lines(ends)))

    def _recorded(self, stream: Stream, rounds: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        seats = len(self._plan.seats)
        cards = np.zeros((rounds, _EACH * (seats + 1)), np.uint8)
        rows = np.zeros((rounds, seats), np.int64)
        _record(stream.handle, _whole_deck(), *self._tables, cards, rows)
        return cards, rows

    def _chosen(self, indices: list[int]) -> tuple[Choice, ...]:
        up = indices[-_EACH] // 4
        for_seats = zip(self._choices, indices[::_EACH], indices[1::_EACH], strict=False)
        names = [choices[first // 4, second // 4, up] for choices, first, second in for_seats]
        return tuple(Choice(name) for name in names if name)

    def _lines(self, ends: list[int]) -> Iterator[DealtLine]:
        for seat, end in enumerate(ends):
            for line in self._settled[end]:
                yield DealtLine(seat, line.wager, line.outcome, line.wagered, line.net)


def _whole_deck() -> NDArray[np.uint8]:
    return np.arange(len(DECK), dtype=np.uint8)


def _stacked(spots: list[SpotTables]) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """All seats' arrays, a row a seat; shorter ones are filled up."""
    longest = max(len(spot.results) for spot in spots)
    filled = [np.pad(spot.results, (0, longest - len(spot.results))) for spot in spots]
    return np.stack([spot.tables for spot in spots]), np.stack(filled)


def _summable(nets: NDArray[np.int64], seats: int) -> int:
    """How many rounds can be summed up before a sum of squares could wrap."""
    largest = int(np.abs(nets).max()) * seats
    most = _LARGEST // max(largest, 1) ** 2
    if not most:
        raise BadOption("wager", largest, "amounts with which a round moves less than $20,000,000")
    return most


@inlined
def _end(
    first: Any, second: Any, third: Any, up: Any, dealer: Any, tables: Any, results: Any, hands: Any
) -> Any:
    """The layout's row in which a seat with these cards ends against the up card and the dealer's total."""
    pair = ((first >> 2) * RANKS + (second >> 2)) * RANKS
    table = tables[pair + (up >> 2)]
    own = hands[table & 1, pair + (third >> 2)]
    return results[(table * TOTALS + own) * TOTALS + dealer]


@inlined
def _dealer(up: Any, hole: Any, third: Any, dealers: Any) -> Any:
    return dealers[((up >> 2) * RANKS + (hole >> 2)) * RANKS + (third >> 2)]


@compiled
def _count_one(
    stream: Handle, deck: Any, rounds: int, tables: Any, results: Any, hands: Any, dealers: Any, counts: Any
) -> None:
    table, result = tables[0], results[0]
    for _ in range(rounds):
        first, second, third, up, hole, last = deal_six(stream, deck, 0)
        dealer = _dealer(up, hole, last, dealers)
        counts[_end(first, second, third, up, dealer, table, result, hands)] += 1


@inlined
def _deal_round(stream: Handle, deck: Any, cards: int) -> None:
    """Six cards from each random word, as where there is one seat, and what is over from the last."""
    for begin in range(0, cards - _SIX + 1, _SIX):
        deal_six(stream, deck, begin)
    if cards % _SIX:
        deal(stream, deck, cards - cards % _SIX, cards % _SIX)


@inlined
def _seat_end(deck: Any, seat: int, seats: int, tables: Any, results: Any, hands: Any, dealers: Any) -> Any:
    at, theirs = _EACH * seat, _EACH * seats
    dealer = _dealer(deck[theirs], deck[theirs + 1], deck[theirs + 2], dealers)
    first, second, third = deck[at], deck[at + 1], deck[at + 2]
    return _end(first, second, third, deck[theirs], dealer, tables[seat], results[seat], hands)


@compiled
def _count_many(
    stream: Handle,
    deck: Any,
    rounds: int,
    tables: Any,
    results: Any,
    hands: Any,
    dealers: Any,
    nets: Any,
    counts: Any,
    sums: Any,
    products: Any,
) -> None:
    seats, columns = len(tables), len(sums)
    net = np.zeros(columns, np.int64)
    for _ in range(rounds):
        _deal_round(stream, deck, _EACH * (seats + 1))
        net[:] = 0
        for seat in range(seats):
            end = _seat_end(deck, seat, seats, tables, results, hands, dealers)
            counts[end] += 1
            for column in range(columns):
                net[column] += nets[end, column]
        for column in range(columns):
            sums[column] += net[column]
            for other in range(column, columns):
                products[column, other] += net[column] * net[other]


@compiled
def _record(
    stream: Handle, deck: Any, tables: Any, results: Any, hands: Any, dealers: Any, cards: Any, rows: Any
) -> None:
    seats = len(tables)
    for number in range(len(rows)):
        _deal_round(stream, deck, _EACH * (seats + 1))
        cards[number] = deck[: _EACH * (seats + 1)]
        for seat in range(seats):
            rows[number, seat] = _seat_end(deck, seat, seats, tables, results, hands, dealers)
