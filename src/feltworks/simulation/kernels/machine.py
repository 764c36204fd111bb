"""Rounds of any game whose rules are compiled: its tables, its strategy, and the loop that deals them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import gcd
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.cards import Card
from feltworks.errors import BadOption
from feltworks.machine.graph import Result
from feltworks.machine.play import Play
from feltworks.machine.program import Program, make_program
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Rest, Share, meters_of
from feltworks.rules.round import Round, Seat
from feltworks.simulation.kernel import DealtLine, DealtRound
from feltworks.simulation.kernels.decisions import play_of
from feltworks.simulation.kernels.replay import LaidShoe, PlainShoe, SeatRound, TableOrder, play_seat
from feltworks.simulation.plan import Plan
from feltworks.simulation.tally import Layout, Row, Tally, pairs, row_columns, row_of, tally_rows

_LARGEST: Final = 2**62  # what a sum of squares stays under, so that no 64-bit number wraps
_ROOM: Final = 256  # for rounds with shared prizes before the loop hands them over
Counts = NDArray[np.int64]
NO_ENDS: Final = np.zeros((0, 0), np.int32)


class PrizeRound(Struct, frozen=True):
    """A round with a prize from a meter: its number, who wins, and the round for the rules to deal."""

    number: int
    winners: tuple[str, ...]  # the outcome of each winning seat as if it were alone at the table
    dealt: DealtRound


class Stretch(Struct, frozen=True):
    """Rounds as the loop counted them; those with shared prizes are left out and listed."""

    rounds: int
    counts: Counts  # by end
    sums: Counts
    products: Counts
    prizes: Sequence[PrizeRound]


def kernel(plan: Plan) -> "MachineKernel":
    """The kernel of this plan; refuses a strategy that leaves a decision open."""
    return MachineKernel(plan)


class MachineKernel:
    """A plan's rounds on compiled tables; seats that wager alike share theirs.

    The tables know one seat alone. Prizes from a meter that several seats may win depend on who else wins:
    those rounds are rare, so the loop hands their cards over and the rules settle them.
    """

    def __init__(self, plan: Plan, *, lists_prizes: bool = False) -> None:
        """`lists_prizes`: whether rounds with prizes are listed also where nobody can share them."""
        self._plan, self.game = plan, plan.table
        kinds = sorted({tuple(seat.items()) for seat in plan.seats})
        self._seats = np.array([kinds.index(tuple(seat.items())) for seat in plan.seats], np.int32)
        self._plays = tuple(play_of(plan, dict(kind)) for kind in kinds)
        self._program = _program(self._plays)
        self.ends = [lines for _, lines in self._program.ends]
        rows = [_row(self.game, dict(kinds[kind]), lines) for kind, lines in self._program.ends]
        self._whole = [place for place, row in enumerate(rows) if row]
        opened = tuple(sum(seat.get(name, 0) for seat in plan.seats) for name in plan.wagers)
        listed = tuple(row for row in rows if row)
        self.layout = Layout(plan.wagers, listed, opened, joint=len(plan.seats) == 1)
        columns = [row_columns(self.layout, row) for row in listed]
        self._units = [gcd(*column) or 1 for column in zip(*columns, strict=True)]
        self._most_rounds = _summable(columns, self._units, len(plan.seats))
        self._nets = np.zeros((len(rows), self.layout.columns), np.int64)
        self._nets[self._whole] = np.array(columns, np.int64) // self._units
        self._prizes = _shared_wagers(plan, least=1 if lists_prizes else 2)
        rare = [any(map(self._is_prize, lines)) for lines in self.ends]
        self._rare = np.array(rare if self._prizes else [], np.bool_)
        every_round = plan.shuffle_every_round or self.game.terms.rulebook.cards.shuffle == "every round"
        cut = self.game.terms.shoe.total * plan.penetration // 100
        self._before_cut = 0 if every_round else max(1, cut)

    def _is_prize(self, result: Result) -> bool:
        """Whether a result is a prize from a meter that is watched."""
        pay = self.game.pays[result.wager][result.outcome]
        return result.wager in self._prizes and isinstance(pay, Share | Rest)

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds."""
        tally = Tally.empty(self.layout)
        for stretch in self.play(stream, [rounds]):
            counts, money = stretch.counts[self._whole], self._in_cents(stretch.sums, stretch.products)
            tally += Tally(stretch.rounds - len(stretch.prizes), counts, *money)
            if stretch.prizes:
                tally += tally_rows(self.layout, [self._rows(each.dealt) for each in stretch.prizes])
        return tally

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """What seat 1 is up after each round."""
        ends = np.zeros((rounds, len(self._seats)), np.int32)
        prizes = [prize for stretch in self.play(stream, [rounds], ends) for prize in stretch.prizes]
        nets: NDArray[np.int64] = (self._nets * self._units).sum(axis=1)[ends[:, 0]]
        for prize in prizes:
            nets[prize.number] = sum(line.net for line in prize.dealt.lines if not line.seat)
        return nets

    def dealt(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """The rounds card by card, as the live table deals them."""
        shoe = PlainShoe(self.game.terms.shoe.all_cards(), stream, self._before_cut)
        for _ in range(rounds):
            fresh = shoe.open_round()
            yield self._deal(shoe, fresh)[0]

    def play(
        self, stream: Stream, rounds: Sequence[int], ends: NDArray[np.int32] = NO_ENDS
    ) -> Iterator[Stretch]:
        """Run the compiled loop for some numbers of rounds, one after the other, from one shoe.

        A number comes in several stretches where sums could outgrow 64 bits or many prizes are won. `ends`
        gets the end of every seat in every round, as far as it has room.
        """
        shoe, where, before = self._shoe(), np.zeros(3, np.int64), 0
        for number in rounds:
            done = 0
            while done < number:
                some = number - done if self.layout.joint else min(self._most_rounds, number - done)
                stretch = self._stretch(stream, shoe, some, ends[before + done :], where, done)
                done += stretch.rounds
                yield stretch
            before += number

    def _stretch(
        self,
        stream: Stream,
        shoe: NDArray[np.uint8],
        rounds: int,
        ends: NDArray[np.int32],
        where: Counts,
        first: int,
    ) -> Stretch:
        from feltworks.machine.sample import play_rounds

        p, counts = self._program, np.zeros(len(self.ends), np.int64)
        nets = self._nets[:, :0] if self.layout.joint else self._nets  # of one seat the counts tell all
        columns, room = nets.shape[1], _ROOM if len(self._rare) else 0
        sums, products = np.zeros(columns, np.int64), np.zeros((columns, columns), np.int64)
        left, cards = np.zeros((room, 2), np.int64), np.zeros((room, len(shoe)), np.uint8)
        played, prizes = play_rounds(
            stream.handle, shoe, rounds, self._before_cut, self._seats, p.starts, p.shift, p.after,
            p.on_house, p.events, p.emissions, p.sums, p.marks, p.run_starts, p.run_rows, p.pieces,
            p.piece_events, p.widest, p.keys, p.values, counts, ends, where, np.ascontiguousarray(nets),
            sums, products, self._rare, left, cards,
        )  # fmt: skip
        listed = [
            self._prize_round(first + number, row[:count].tolist())
            for (number, count), row in zip(left[:prizes].tolist(), cards, strict=False)
        ]
        return Stretch(played, counts, sums, products, listed)

    def _shoe(self) -> NDArray[np.uint8]:
        """The whole shoe by kinds of cards, in the order of its cards."""
        number = dict(zip(self._plays[0].tables.faces, self._program.kinds, strict=True))
        return np.array([number[card] for card in self.game.terms.shoe.all_cards()], np.uint8)

    def _prize_round(self, number: int, kinds: Sequence[int]) -> PrizeRound:
        """The round in which cards of these kinds came, with faces of those kinds."""
        waiting = list(zip(self._shoe().tolist(), self.game.terms.shoe.all_cards(), strict=True))
        cards = [waiting.pop([kind for kind, _ in waiting].index(wanted))[1] for wanted in kinds]
        dealt, seats = self._deal(LaidShoe(cards, [card for _, card in waiting]), fresh=True)
        won = (line for seat in seats for line in seat.results if self._is_prize(line))
        return PrizeRound(number, tuple(line.outcome for line in won), dealt)

    def _deal(self, shoe: PlainShoe | LaidShoe, fresh: bool) -> tuple[DealtRound, list[SeatRound]]:
        """One round from a shoe, in the order of the live table, and what each seat came to by itself."""
        plan, house = self._plan, list[Card]()
        seats = [play_seat(self._plays[kind], shoe, house) for kind in self._seats.tolist()]
        spare = shoe.leave(sum(seat.unseen for seat in seats))
        table = TableOrder(self.game, seats, house, spare + shoe.behind())
        if plan.alone:  # no table would open such a round, but all that follows is the same
            opened = Round(tuple(Seat(dict(seat)) for seat in plan.seats), meters=plan.meters)
        else:
            opened = self.game.open_round(plan.seats, plan.meters)
        over = table.deal(opened)
        if any(self._is_prize(line) for seat in seats for line in seat.results):
            lines = [
                DealtLine(one.seat, one.wager, one.outcome, one.wagered, one.net)
                for one in self.game.settle(over)
            ]
        else:
            lines = [
                DealtLine(number, one.wager, one.outcome, one.wagered, one.net)
                for number, seat in enumerate(seats)
                for one in seat.results
            ]
        choices = tuple(table.choices)
        return DealtRound(plan.seats, table.cards(), choices, tuple(lines), plan.meters, fresh), seats

    def _rows(self, dealt: DealtRound) -> list[Row]:
        return [
            row_of(self.game, opened, [line for line in dealt.lines if line.seat == number])
            for number, opened in enumerate(dealt.seats)
        ]

    def _in_cents(self, sums: Counts, products: Counts) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Sums of nets and of their products, which were kept in units of each wager."""
        units = self._units[: len(sums)]
        return (
            tuple(int(total) * unit for total, unit in zip(sums, units, strict=True)),
            tuple(int(products[pair]) * units[pair[0]] * units[pair[1]] for pair in pairs(len(units))),
        )


@lru_cache(maxsize=4)
def _program(plays: tuple[Play, ...]) -> Program:
    """The arrays of some plays, made once for all tables at which seats play so."""
    return make_program(plays)


def _row(game: Game[Any], opened: Mapping[str, Cents], lines: Sequence[Result]) -> Row:
    """The row of a settled round; nothing where it is only part of the way."""
    return row_of(game, opened, lines) if {line.wager for line in lines} >= opened.keys() else ()


def _shared_wagers(plan: Plan, least: int) -> frozenset[str]:
    """The wagers that win from a meter which so many seats at least may win from."""
    meters = {name: meters_of(plan.table.pays[name].values()) for name in plan.wagers}
    riding = [frozenset().union(*(meters[name] for name in seat)) for seat in plan.seats]
    shared = {meter for some in riding for meter in some if sum(meter in each for each in riding) >= least}
    return frozenset(name for name, some in meters.items() if some & shared)


def _summable(columns: Sequence[Sequence[int]], units: Sequence[int], seats: int) -> int:
    """How many rounds can be summed up in units of each wager before a sum of squares could wrap."""
    largest = seats * max((abs(net) for row in columns for net in row), default=1)
    in_units = seats * max(
        (abs(net) // unit for row in columns for net, unit in zip(row, units, strict=True)), default=1
    )
    most = _LARGEST // max(1, in_units) ** 2
    if largest > _LARGEST or (seats > 1 and not most):
        raise BadOption(
            "wagers and jackpot", largest, "amounts with which a round moves less than $20,000,000"
        )
    return most
