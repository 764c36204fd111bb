"""Rounds of any game whose rules are compiled: its tables, its strategy, and the loop that deals them."""

from collections.abc import Iterator, Mapping, Sequence
from math import gcd
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from feltworks.cards import Card
from feltworks.errors import BadOption
from feltworks.machine.graph import Result
from feltworks.machine.program import make_program
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Round, Seat
from feltworks.simulation.kernel import DealtLine, DealtRound
from feltworks.simulation.kernels.decisions import play_of
from feltworks.simulation.kernels.replay import PlainShoe, SeatRound, TableOrder, play_seat
from feltworks.simulation.plan import Plan
from feltworks.simulation.settled_rows import SettledLine, row_of
from feltworks.simulation.tally import Layout, Row, Tally, pairs, row_columns

_LARGEST: Final = 2**62  # what a sum of squares stays under, so that no 64-bit number wraps
Counts = NDArray[np.int64]


def kernel(plan: Plan) -> "MachineKernel":
    """The kernel of this plan; refuses a strategy that leaves a decision open."""
    return MachineKernel(plan)


class MachineKernel:
    """A plan's rounds on compiled tables; seats that wager alike share theirs."""

    def __init__(self, plan: Plan) -> None:
        self._plan, game = plan, plan.table
        kinds = list(dict.fromkeys(tuple(seat.items()) for seat in plan.seats))
        self._seats = np.array([kinds.index(tuple(seat.items())) for seat in plan.seats], np.int32)
        self._plays = [play_of(plan, dict(kind)) for kind in kinds]
        self._program = make_program(self._plays)
        rows = [_row(game, dict(kinds[kind]), lines) for kind, lines in self._program.ends]
        self._whole = [place for place, row in enumerate(rows) if row]
        opened = tuple(sum(seat.get(name, 0) for seat in plan.seats) for name in plan.wagers)
        listed = tuple(row for row in rows if row)
        self.layout = Layout(plan.wagers, listed, opened, joint=len(plan.seats) == 1)
        columns = [row_columns(self.layout, row) for row in listed]
        self._units = [gcd(*column) or 1 for column in zip(*columns, strict=True)]
        self._nets = np.zeros((len(rows), self.layout.columns), np.int64)
        self._nets[self._whole] = np.array(columns, np.int64) // self._units
        self._most_rounds = _summable(self._nets, len(plan.seats))
        cards = game.terms.rulebook.cards
        every_round = plan.shuffle_every_round or cards.shuffle == "every round"
        self._before_cut = 0 if every_round else max(1, game.terms.shoe.total * plan.penetration // 100)

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds."""
        return self._play(stream, rounds, np.zeros((0, len(self._seats)), np.int32))

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """What seat 1 is up after each round."""
        ends = np.zeros((rounds, len(self._seats)), np.int32)
        self._play(stream, rounds, ends)
        whole: NDArray[np.int64] = (self._nets * self._units).sum(axis=1)[ends[:, 0]]
        return whole

    def dealt(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """The rounds card by card, as the live table deals them."""
        shoe = PlainShoe(self._plan.table.terms.shoe.all_cards(), stream, self._before_cut)
        for _ in range(rounds):
            fresh, house = shoe.open_round(), list[Card]()
            seats = [play_seat(self._plays[kind], shoe, house) for kind in self._seats.tolist()]
            yield self._in_table_order(seats, house, shoe, fresh)

    def _in_table_order(
        self, seats: Sequence[SeatRound], house: list[Card], shoe: PlainShoe, fresh: bool
    ) -> DealtRound:
        plan, game = self._plan, self._plan.table
        spare = shoe.leave(sum(seat.unseen for seat in seats))
        table = TableOrder(game, seats, house, spare + shoe.behind())
        if plan.alone:  # no table would open such a round, but all that follows is the same
            opened = Round(tuple(Seat(dict(seat)) for seat in plan.seats))
        else:
            opened = game.open_round(plan.seats, plan.meters)
        cards = table.cards(opened)
        lines = tuple(
            DealtLine(number, line.wager, line.outcome, line.wagered, line.net)
            for number, seat in enumerate(seats)
            for line in seat.results
        )
        return DealtRound(plan.seats, cards, tuple(table.choices), lines, plan.meters, fresh)

    def _play(self, stream: Stream, rounds: int, ends: NDArray[np.int32]) -> Tally:
        """Run the compiled loop, in stretches that no sum can outgrow."""
        shoe, where = self._shoe(), np.zeros(3, np.int64)
        most = rounds if self.layout.joint else self._most_rounds
        tally = Tally.empty(self.layout)
        for begin in range(0, rounds, max(1, most)):
            tally += self._stretch(stream, shoe, min(most, rounds - begin), ends[begin:], where)
        return tally

    def _shoe(self) -> NDArray[np.uint8]:
        """The whole shoe by kinds of cards, in the order of its cards."""
        number = dict(zip(self._plays[0].tables.faces, self._program.kinds, strict=True))
        return np.array([number[card] for card in self._plan.table.terms.shoe.all_cards()], np.uint8)

    def _stretch(
        self, stream: Stream, shoe: NDArray[np.uint8], rounds: int, ends: NDArray[np.int32], where: Counts
    ) -> Tally:
        from feltworks.machine.sample import play_rounds

        p, counts = self._program, np.zeros(len(self._program.ends), np.int64)
        nets = self._nets[:, :0] if self.layout.joint else self._nets  # of one seat the counts tell all
        columns = nets.shape[1]
        sums, products = np.zeros(columns, np.int64), np.zeros((columns, columns), np.int64)
        play_rounds(
            stream.handle, shoe, rounds, self._before_cut, self._seats, p.starts, p.shift, p.after,
            p.on_house, p.events, p.emissions, p.sums, p.marks, p.run_starts, p.run_rows, p.pieces,
            p.piece_events, p.widest, p.keys, p.values, counts, ends, where, np.ascontiguousarray(nets),
            sums, products,
        )  # fmt: skip
        return Tally(rounds, counts[self._whole], *self._in_cents(sums, products))

    def _in_cents(self, sums: Counts, products: Counts) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Sums of nets and of their products, which were kept in units of each wager."""
        units = self._units[: len(sums)]
        return (
            tuple(int(total) * unit for total, unit in zip(sums, units, strict=True)),
            tuple(int(products[pair]) * units[pair[0]] * units[pair[1]] for pair in pairs(len(units))),
        )


def _row(game: Game[Any], opened: Mapping[str, Cents], lines: Sequence[Result]) -> Row:
    """The row of a settled round; nothing where it is only part of the way."""
    settled = [SettledLine(line.wager, line.outcome, line.wagered, line.net) for line in lines]
    return row_of(game, opened, settled) if {line.wager for line in lines} >= opened.keys() else ()


def _summable(nets: Counts, seats: int) -> int:
    """How many rounds can be summed up before a sum of squares could wrap."""
    largest = int(np.abs(nets).max(initial=1)) * seats
    most = _LARGEST // largest**2
    if not most:
        raise BadOption("wager", largest, "amounts with which a round moves less than $20,000,000")
    return most
