"""Rounds of any game whose rules are compiled: its tables, its strategy, and the loop that deals them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import gcd
from typing import Final

import numpy as np
from numpy.typing import NDArray

from feltworks.cards import Card
from feltworks.dealing.shoes import CutCardShoe, source_for
from feltworks.errors import BadOption, ImpossibleRound
from feltworks.machine.program import EMITS_FROM, EMITS_MASK, Ledger, Program, Settled, make_program
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.rules.round import Round, Seat
from feltworks.simulation.kernel import DealtLine, DealtRound
from feltworks.simulation.kernels.decisions import Seating, seating_of
from feltworks.simulation.kernels.replay import PlainShoe, SeatRound, TableOrder, play_seats
from feltworks.simulation.plan import Plan
from feltworks.simulation.settled_rows import SettledLine, row_of
from feltworks.simulation.tally import Cell, Layout, Tally, pairs

_LARGEST: Final = 2**62  # what a sum of squares stays under, so that no 64-bit number wraps
_TABLE_BITS: Final = 16  # of the table in which the ends of rounds are counted
Counts = NDArray[np.int64]


def kernel(plan: Plan) -> "MachineKernel":
    """The kernel of this plan; refuses a strategy that leaves a decision open."""
    return MachineKernel(plan)


class MachineKernel:
    """A plan's rounds on compiled tables; seats that wager alike share theirs."""

    def __init__(self, plan: Plan) -> None:
        self._plan, game = plan, plan.table
        self._seating = seating = seating_of(plan)
        self._program = make_program(seating.plays, seating.tags)
        self._ends = _Ends(plan, seating, self._program)
        self.layout = self._ends.layout
        source = source_for(game.terms, penetration=plan.penetration)
        self._before_cut = self._burned = 0
        self._reads_again = self._program.reads_again or len(plan.seats) > 1
        if isinstance(source, CutCardShoe) and not plan.shuffle_every_round:
            self._before_cut, self._burned = source.shoe.total - source.cut_card_at, source.burned
        is_whole = not self._before_cut and len(plan.seats) == 1
        self._takes_three = is_whole and self._program.takes_three()

    @property
    def cards(self) -> Sequence[Card]:
        """The whole shoe before it is shuffled."""
        return self._plan.table.terms.shoe.all_cards()

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds."""
        return _Dealing(self, stream).tally(rounds)

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """What seat 1 is up after each round."""
        ends = np.zeros((rounds, len(self._plan.seats)), np.int64)
        _Dealing(self, stream).tally(rounds, ends)
        numbers, places = np.unique(ends[:, 0], return_inverse=True)
        nets = [sum(line.net for line in self._ends.lines(number)) for number in numbers.tolist()]
        whole: NDArray[np.int64] = np.array(nets, np.int64)[places]
        return whole

    def dealt(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """The rounds card by card, as the live table deals them."""
        shoe = PlainShoe(self.cards, stream, self._before_cut, self._burned, self._seating.tags)
        shoe.takes_three = self._takes_three
        for _ in range(rounds):
            fresh = shoe.open_round()
            level = self._seating.level(shoe.true_count(self._seating.widest))
            opened = tuple(self._seating.opened(number, level) for number in range(len(self._plan.seats)))
            plays = [self._seating.play(number, level) for number in range(len(self._plan.seats))]
            seats, house = play_seats(plays, shoe, self._seating.widest)
            yield self._in_table_order(opened, seats, house, shoe, fresh)

    def _in_table_order(
        self,
        opened: tuple[Mapping[str, Cents], ...],
        seats: Sequence[SeatRound],
        house: list[Card],
        shoe: PlainShoe,
        fresh: bool,
    ) -> DealtRound:
        plan, game = self._plan, self._plan.table
        lying = max(seat.house_cards for seat in seats)
        spare = shoe.leave(sum(seat.unseen for seat in seats) + max(0, lying - len(house)))
        table = TableOrder(game, seats, house, spare + shoe.behind())
        if plan.alone:  # no table would open such a round, but all that follows is the same
            r = Round(tuple(Seat(dict(wagers)) for wagers in opened))
        else:
            r = game.open_round(opened, plan.meters)
        cards = table.cards(r)
        lines = tuple(
            DealtLine(number, line.wager, line.outcome, line.wagered, line.net)
            for number, seat in enumerate(seats)
            for line in seat.results
        )
        return DealtRound(opened, cards, tuple(table.choices), lines, plan.meters, fresh)


class _Dealing:
    """A shoe that is dealt by the compiled loop, and the arrays that the loop writes to."""

    def __init__(self, kernel: MachineKernel, stream: Stream) -> None:
        from feltworks.machine.sample import WHERE

        self._kernel, self._stream, self._ends = kernel, stream, kernel._ends
        p, seating = kernel._program, kernel._seating
        number = dict(zip(seating.plays[0].tables.faces, p.kinds, strict=True))
        self._shoe = np.array([number[card] for card in kernel.cards], np.uint8)
        self._tags = np.zeros(max(p.kinds) + 1, np.int64)
        for face, tag in seating.tags.items():
            self._tags[number[face]] = tag
        self._seats = np.array(seating.kinds, np.int32)
        self._levels = np.array(seating.levels, np.int64) * seating.different
        self._where = np.zeros(WHERE, np.int64)
        small = self._ends.size <= 1 << _TABLE_BITS
        self._bits = 0 if small else 64 - _TABLE_BITS
        self._keys = np.full(1 << _TABLE_BITS, -1, np.int64)
        self._counts = np.zeros(1 << _TABLE_BITS, np.int64)
        self._nets = self._ends.emission_nets() if self._ends.many else _NO_NETS
        self._opening_nets = self._ends.opening_nets() if self._ends.many else _NO_NETS

    def tally(self, rounds: int, ends: Counts | None = None) -> Tally:
        """So many rounds more, in stretches that no sum can outgrow."""
        tally, done = Tally.empty(self._ends.layout), 0
        ends = np.zeros((0, len(self._seats)), np.int64) if ends is None else ends
        if self._kernel._takes_three:
            return self._threes(rounds, ends)
        while done < rounds:
            dealt, part = self._stretch(min(rounds - done, self._ends.most_rounds), ends[done:])
            tally, done = tally + part, done + dealt
        return tally

    def _threes(self, rounds: int, ends: Counts) -> Tally:
        """Rounds of three cards, which need no shoe in order."""
        from feltworks.machine.sample import LANES, play_threes

        p, kernel, size = self._kernel._program, self._kernel, self._ends.size
        lanes = np.zeros(LANES * size, np.int64)
        numbers = p.emits[p.events >> EMITS_FROM & EMITS_MASK]
        play_threes(
            self._stream.handle, self._shoe, rounds, int(p.starts[0]), p.shift, p.after, numbers, lanes, ends
        )
        counts = lanes.reshape(LANES, size).sum(axis=0)
        met, none = np.flatnonzero(counts), np.zeros(0, np.int64)
        return kernel._ends.tally(rounds, met, counts[met], none, none)

    def _stretch(self, rounds: int, ends: Counts) -> tuple[int, Tally]:
        from feltworks.machine.sample import USED, play_rounds

        p, kernel, columns = self._kernel._program, self._kernel, self._nets.shape[1]
        sums, products = np.zeros(columns, np.int64), np.zeros((columns, columns), np.int64)
        try:
            dealt = play_rounds(
                self._stream.handle, self._shoe, rounds, kernel._before_cut, kernel._burned,
                kernel._reads_again, self._seats,
                self._ends.offsets, p.starts, p.shift, p.after, p.on_house, p.events, p.emits, p.marks,
                p.run_starts, p.run_rows, p.pieces, p.piece_events, p.widest, p.keys, p.values, p.by_count,
                p.forks, p.families, p.apart, p.most_parts, p.traces, self._tags, self._levels, self._keys,
                self._counts, self._bits, ends, self._where, self._nets,
                self._opening_nets, sums, products,
            )  # fmt: skip
        except IndexError:
            raise ImpossibleRound(
                "a round took more cards than the shoe holds; deal to fewer seats or from more decks"
            ) from None
        taken = np.flatnonzero(self._counts)
        numbers = self._keys[taken] if self._bits else taken
        tally = self._ends.tally(dealt, numbers, self._counts[taken], sums, products)
        self._keys[taken], self._counts[taken], self._where[USED] = -1, 0, 0
        return dealt, tally


_NO_NETS: Final = np.zeros((1, 0), np.int64)


class _Ends:
    """How the rounds of a plan can come out, and how counts of them become a tally."""

    def __init__(self, plan: Plan, seating: Seating, program: Program) -> None:
        self._game, self._seating, ledgers = plan.table, seating, program.ledgers
        self._ledgers, self._emissions = ledgers, program.emissions
        self.many = len(plan.seats) > 1
        sizes = [ledger.size for ledger in ledgers]
        self.offsets = np.cumsum([0, *sizes[:-1]], dtype=np.int64)
        self.size = sum(sizes)
        rows: dict[Cell, int] = {}
        for place, ledger in enumerate(ledgers):
            for cell in self._cells(seating.opened_by(place), ledger):
                rows.setdefault(cell, len(rows))
        self._rows, varies = rows, len(set(seating.levels)) > 1
        opened = tuple(sum(seat.get(name, 0) for seat in plan.seats) for name in plan.wagers)
        listed = tuple((cell,) for cell in rows)
        self.layout = Layout(plan.wagers, listed, None if varies else opened, joint=False)
        self._places: dict[int, int] = {}  # of the rounds met so far, by their numbers
        self._met: list[tuple[list[int], list[int]]] = []  # their rows, and what they add to each column
        self._arrays: tuple[Counts, Counts] | None = None
        self._units = self._find_units()
        largest = max((abs(cell.net) for cell in rows), default=1) // min(self._units) * len(plan.seats)
        self.most_rounds = _LARGEST // max(1, largest) ** 2
        if not self.most_rounds:
            raise BadOption("wager", largest, "amounts with which a round moves less than $20,000,000")

    def _find_units(self) -> list[int]:
        """What all amounts of a column are multiples of."""
        nets: dict[str, int] = dict.fromkeys(self.layout.wagers, 0)
        for lines in self._emissions:
            for line in lines:
                nets[self._opening(line.wager)] = gcd(nets[self._opening(line.wager)], line.net)
        units = [net or 1 for net in nets.values()]
        if self.layout.opened is not None:
            return units
        return units + [gcd(*(c.opened for c in self._rows if c.wager == n)) or 1 for n in self.layout.wagers]

    def _opening(self, wager: str) -> str:
        """The opening wager that a line belongs to."""
        followed = self._game.terms.rulebook.wager[wager].of
        return wager if wager in self.layout.wagers or followed is None else followed

    def _cells(self, opened: Mapping[str, Cents], ledger: Ledger) -> Iterator[Cell]:
        """Every way in which each opening wager can come out, with those that follow from it."""
        book = self._game.terms.rulebook.wager
        for name, cents in opened.items():
            derived = [other for other in ledger.wagers if book[other].of == name]
            ways = [list(ledger.cells(name)), *([None, *ledger.cells(other)] for other in derived)]
            for lines in product(*ways):
                yield self._cell(name, cents, [line for line in lines if line is not None])

    def _cell(self, name: str, cents: Cents, lines: Sequence[Settled]) -> Cell:
        settled = [
            SettledLine(
                line.wager,
                _outcome(line, cents) if line.wager == name else line.outcome,
                line.wagered,
                line.net,
            )
            for line in lines
        ]
        return row_of(self._game, {name: cents}, settled)[0]

    def lines(self, number: int) -> list[Settled]:
        """How the wagers of a seat came out in a round of this number."""
        place = int(np.searchsorted(self.offsets, number, side="right")) - 1
        return list(self._ledgers[place].lines(number - int(self.offsets[place])))

    def _read(self, number: int) -> tuple[list[int], list[int]]:
        """The rows of a round, and what it adds to every column in units of it."""
        place = int(np.searchsorted(self.offsets, number, side="right")) - 1
        opened, lines = self._seating.opened_by(place), self.lines(number)
        book, rows = self._game.terms.rulebook.wager, [-1] * len(self.layout.wagers)
        columns = self._openings(opened)
        for name, cents in opened.items():
            own = [line for line in lines if name in (line.wager, book[line.wager].of)]
            column = self.layout.wagers.index(name)
            rows[column] = self._rows[self._cell(name, cents, own)]
            columns[column] = sum(line.net for line in own)
        return rows, [amount // unit for amount, unit in zip(columns, self._units, strict=True)]

    def _openings(self, opened: Mapping[str, Cents]) -> list[int]:
        """What the opening wagers of a seat add to every column."""
        openings = [opened.get(name, 0) for name in self.layout.wagers]
        return [0] * len(openings) + (openings if self.layout.opened is None else [])

    def tally(self, rounds: int, numbers: Counts, counts: Counts, sums: Counts, products: Counts) -> Tally:
        """The tally of rounds that came out so often in each way."""
        rows, columns = self._look_up(numbers.tolist())
        counted = np.zeros(len(self.layout.rows) + 1, np.int64)  # the last for wagers that were not made
        for column in rows.T:
            np.add.at(counted, column, counts)
        if not self.many:
            sums = columns.T @ counts
            products = columns.T @ (columns * counts[:, None])
        units = self._units
        return Tally(
            rounds,
            counted[:-1],
            tuple(int(total) * unit for total, unit in zip(sums.tolist(), units, strict=True)),
            tuple(int(products[pair]) * units[pair[0]] * units[pair[1]] for pair in pairs(len(units))),
        )

    def _look_up(self, numbers: Sequence[int]) -> tuple[Counts, Counts]:
        """The rows and columns of rounds of these numbers."""
        for number in numbers:
            if number not in self._places:
                self._places[number], self._arrays = len(self._met), None
                self._met.append(self._read(number))
        if self._arrays is None:
            rows, columns = zip(*self._met, strict=True)
            self._arrays = np.array(rows, np.int64), np.array(columns, np.int64)
        places = [self._places[number] for number in numbers]
        return self._arrays[0][places], self._arrays[1][places]

    # Of several seats the loop itself sums up what a round brings them together

    def emission_nets(self) -> Counts:
        """What each emission adds to every column, in units of the column."""
        nets = np.zeros((len(self._emissions), self.layout.columns), np.int64)
        for place, lines in enumerate(self._emissions):
            for line in lines:
                nets[place, self.layout.wagers.index(self._opening(line.wager))] += line.net
        return nets // np.array(self._units)

    def opening_nets(self) -> Counts:
        """What each kind of seat adds to every column when it opens."""
        opened = [self._openings(self._seating.opened_by(place)) for place in range(len(self._ledgers))]
        return np.array(opened, np.int64) // np.array(self._units)


def _outcome(line: Settled, opened: Cents) -> str:
    """The outcome of a line; of a wager that a choice has made twice as large it says so."""
    is_doubled = line.parts == 1 and line.wagered == 2 * opened
    return f"{line.outcome}, doubled" if is_doubled else line.outcome
