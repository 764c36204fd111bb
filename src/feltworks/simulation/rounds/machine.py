"""Rounds of any game whose rules are compiled: its tables, its strategy, and the loop that deals them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import gcd
from threading import Lock
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from feltworks.cards import Card
from feltworks.dealing.shoes import CutCardShoe, source_for
from feltworks.errors import BadOption, ImpossibleRound
from feltworks.machine.graph import Result
from feltworks.machine.program import Ledger, Program, Settled, make_program
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.rules.pay_table import Rest, Share, meters_of
from feltworks.rules.round import Round, Seat
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.decisions import Seating, seating_of
from feltworks.simulation.rounds.kernel import DealtLine, DealtRound
from feltworks.simulation.rounds.replay import PlainShoe, SeatRound, TableOrder, play_seats
from feltworks.simulation.rounds.store import load_or_make
from feltworks.simulation.tally import Cell, Layout, Row, Tally, pairs, row_of, tally_rows

_LARGEST: Final = 2**62  # what a sum of squares stays under, so that no 64-bit number wraps
_FEW_ROUNDS: Final = 1 << 16  # which are summed up at once at least
_ROOM: Final = 256  # for rounds with shared prizes before the loop hands them over
_TABLE_BITS: Final = 16  # of the table in which the ends of rounds are counted
Counts = NDArray[np.int64]
NO_ENDS: Final = np.zeros((0, 0), np.int64)


class PrizeRound(Struct, frozen=True):
    """A round with a prize from a meter: its number, who wins, and the round for the rules to deal."""

    number: int
    winners: tuple[str, ...]  # the outcome of each winning seat as if it were alone at the table
    dealt: DealtRound


class Stretch(Struct, frozen=True):
    """Rounds as the loop counted them; those with shared prizes are left out and listed."""

    rounds: int
    numbers: Counts  # how seats came out,
    counts: Counts  # and how often
    sums: Counts
    products: Counts
    prizes: Sequence[PrizeRound] = ()


class MachineKernel:
    """A plan's rounds on compiled tables; seats that wager alike share theirs.

    The tables know one seat alone. Prizes from a meter that several seats may win depend on who else wins:
    those rounds are rare, so the loop hands their cards over and the rules settle them.
    """

    def __init__(self, plan: Plan, *, lists_prizes: bool = False) -> None:
        """`lists_prizes`: whether rounds with prizes are listed also where nobody can share them."""
        self._plan, self.game = plan, plan.table
        game = plan.table
        self._seating, self._program = load_or_make(plan, lambda: _compile(plan))
        seating = self._seating
        self._ends = _Ends(plan, seating, self._program)
        self.layout = self._ends.layout
        source = source_for(game.terms, penetration=plan.penetration)
        self._before_cut = self._burned = 0
        self._reads_again = self._program.reads_again or len(plan.seats) > 1
        if isinstance(source, CutCardShoe) and not plan.shuffle_every_round:
            self._before_cut, self._burned = source.shoe.total - source.cut_card_at, source.burned
        is_whole = not self._before_cut and len(plan.seats) == 1
        self._takes_three = is_whole and self._program.takes_three()
        self._prizes = _shared_wagers(plan, least=1 if lists_prizes else 2)
        rare = [any(map(self._is_prize, lines)) for lines in self._program.emissions]
        self._rare = np.array(rare, np.bool_) if self._prizes else None

    def _is_prize(self, result: Result) -> bool:
        """Whether a result is a prize from a meter that is watched."""
        pay = self.game.pays[result.wager][result.outcome]
        return result.wager in self._prizes and isinstance(pay, Share | Rest)

    def lines(self, number: int) -> Sequence[Settled]:
        """How the wagers of a seat came out in a round of this number."""
        return self._ends.lines(number)

    @property
    def cards(self) -> Sequence[Card]:
        """The whole shoe before it is shuffled."""
        return self._plan.table.terms.shoe.all_cards()

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds."""
        tally = Tally.empty(self.layout)
        for stretch in self.play(stream, [rounds]):
            tally += self._ends.tally(stretch)
            if stretch.prizes:
                tally += tally_rows(self.layout, [self._rows(each.dealt) for each in stretch.prizes])
        return tally

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """What seat 1 is up after each round."""
        ends = np.zeros((rounds, len(self._plan.seats)), np.int64)
        prizes = [prize for stretch in self.play(stream, [rounds], ends) for prize in stretch.prizes]
        numbers, places = np.unique(ends[:, 0], return_inverse=True)
        each = [sum(line.net for line in self._ends.lines(number)) for number in numbers.tolist()]
        nets: NDArray[np.int64] = np.array(each, np.int64)[places]
        for prize in prizes:
            nets[prize.number] = sum(line.net for line in prize.dealt.lines if not line.seat)
        return nets

    def play(self, stream: Stream, rounds: Sequence[int], ends: Counts = NO_ENDS) -> Iterator[Stretch]:
        """Run the compiled loop for some numbers of rounds, one after the other, from one shoe.

        A number comes in several stretches where sums could outgrow 64 bits or many prizes are won. `ends`
        gets how every seat came out in every round, as far as it has room.
        """
        dealing, before = _Dealing(self, stream), 0
        for number in rounds:
            done = 0
            while done < number:
                some = min(self._ends.most_rounds, number - done)
                stretch = dealing.stretch(some, ends[before + done :], done)
                done += stretch.rounds
                yield stretch
            before += number

    def deal(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """The rounds card by card, as the live table deals them."""
        shoe = PlainShoe(self.cards, stream, self._before_cut, self._burned, self._seating.tags)
        shoe.takes_three = self._takes_three
        for _ in range(rounds):
            fresh = shoe.open_round()
            yield self._deal(shoe, fresh)[0]

    def prize_round(self, number: int, kinds: Sequence[int], stream: Stream) -> PrizeRound:
        """The round in which cards of these kinds came, with faces of those kinds."""
        waiting = list(zip(self.kinds_of_cards().tolist(), self.cards, strict=True))
        cards = [waiting.pop([kind for kind, _ in waiting].index(wanted))[1] for wanted in kinds]
        dealt, seats = self._deal(PlainShoe.stack(cards, [card for _, card in waiting], stream), fresh=True)
        won = (line for seat in seats for line in seat.results if self._is_prize(line))
        return PrizeRound(number, tuple(line.outcome for line in won), dealt)

    def kinds_of_cards(self) -> NDArray[np.uint8]:
        """The whole shoe by kinds of cards, in the order of its cards."""
        number = dict(zip(self._seating.plays[0].tables.faces, self._program.kinds, strict=True))
        return np.array([number[card] for card in self.cards], np.uint8)

    def _deal(self, shoe: PlainShoe, fresh: bool) -> tuple[DealtRound, list[SeatRound]]:
        """One round from a shoe, in the order of the live table, and what each seat came to by itself."""
        plan, seating, places = self._plan, self._seating, range(len(self._plan.seats))
        level = seating.level(shoe.true_count(seating.widest))
        opened = tuple(seating.opening(number, level) for number in places)
        seats, house = play_seats([seating.play(number, level) for number in places], shoe, seating.widest)
        lying = max(seat.house_cards for seat in seats)
        spare = shoe.leave(sum(seat.unseen for seat in seats) + max(0, lying - len(house)))
        table = TableOrder(self.game, seats, house, spare + shoe.behind())
        if plan.alone:  # no table would open such a round, but all that follows is the same
            r = Round(tuple(Seat(dict(wagers)) for wagers in opened), meters=plan.meters)
        else:
            r = self.game.open_round(opened, plan.meters)
        over = table.deal(r)
        settled = [(number, line) for number, seat in enumerate(seats) for line in seat.results]
        lines = [DealtLine(n, line.wager, line.outcome, line.wagered, line.net) for n, line in settled]
        if any(self._is_prize(line) for _, line in settled):
            whole = self.game.settle(over)
            lines = [DealtLine(one.seat, one.wager, one.outcome, one.wagered, one.net) for one in whole]
        dealt = DealtRound(opened, table.cards(), tuple(table.choices), tuple(lines), plan.meters, fresh)
        return dealt, seats

    def _rows(self, dealt: DealtRound) -> list[Row]:
        return [
            row_of(self.game, opened, [line for line in dealt.lines if line.seat == number])
            for number, opened in enumerate(dealt.seats)
        ]


def _compile(plan: Plan) -> tuple[Seating, Program]:
    seating = seating_of(plan)
    return seating, make_program(seating.plays, seating.tags)


class _Dealing:
    """A shoe that is dealt by the compiled loop, and the arrays that the loop writes to."""

    def __init__(self, kernel: MachineKernel, stream: Stream) -> None:
        from feltworks.machine.sample import WHERE

        self._kernel, self._stream, self._ends = kernel, stream, kernel._ends
        p, seating = kernel._program, kernel._seating
        number = dict(zip(seating.plays[0].tables.faces, p.kinds, strict=True))
        self._shoe = kernel.kinds_of_cards()
        tags = np.zeros(max(p.kinds) + 1, np.int64)
        for face, tag in seating.tags.items():
            tags[number[face]] = tag
        self._tags = tags if seating.tags else None
        self._seats = np.array(seating.kinds, np.int32)
        self._levels = np.array(seating.levels, np.int64) * seating.different
        self._where = np.zeros(WHERE, np.int64)
        small = self._ends.size <= 1 << _TABLE_BITS
        self._bits = 0 if small else 64 - _TABLE_BITS
        self._keys = np.full(1 << _TABLE_BITS, -1, np.int64)
        self._counts = np.zeros(1 << _TABLE_BITS, np.int64)
        self._on_house = p.on_house if kernel._reads_again else None
        self._lookup = p.keys if len(p.keys) > 2 else None
        self._nets = self._ends.emission_nets() if self._ends.many else None
        self._opening_nets = self._ends.opening_nets() if self._ends.many else None

    def stretch(self, rounds: int, ends: Counts, first: int) -> Stretch:
        """So many rounds more, or fewer; `first` is the number of the next one."""
        if self._kernel._takes_three:
            return self._threes(rounds, ends)
        from feltworks.machine.sample import USED, play_rounds

        p, kernel = self._kernel._program, self._kernel
        columns, room = self._ends.layout.columns, 0 if kernel._rare is None else _ROOM
        left, cards = np.zeros((room, 2), np.int64), np.zeros((room, len(self._shoe)), np.uint8)
        sums, products = np.zeros(columns, np.int64), np.zeros((columns, columns), np.int64)
        try:
            dealt, prizes = play_rounds(
                self._stream.handle, self._shoe, rounds, kernel._before_cut, kernel._burned,
                self._seats, self._ends.offsets, p.starts, p.shift, p.after, self._on_house,
                p.events, p.emits, p.marks, p.run_starts, p.run_rows, p.pieces, p.piece_events, p.widest,
                self._lookup, p.values, p.by_count, p.forks, p.families, p.apart, p.most_parts, p.traces,
                self._tags, self._levels, self._keys, self._counts, self._bits, ends, self._where, self._nets,
                self._opening_nets, sums, products, kernel._rare, left, cards,
            )  # fmt: skip
        except IndexError:
            raise ImpossibleRound(
                "a round took more cards than the shoe holds; deal to fewer seats or from more decks"
            ) from None
        taken = np.flatnonzero(self._counts)
        numbers, counts = self._keys[taken] if self._bits else taken, self._counts[taken]
        self._keys[taken], self._counts[taken], self._where[USED] = -1, 0, 0
        listed = [
            kernel.prize_round(first + number, row[:count].tolist(), self._stream)
            for (number, count), row in zip(left[:prizes].tolist(), cards, strict=False)
        ]
        return Stretch(dealt, numbers, counts, sums, products, listed)

    def _threes(self, rounds: int, ends: Counts) -> Stretch:
        """Rounds of three cards, which need no shoe in order."""
        from feltworks.machine.sample import LANES, play_threes

        p, size, none = self._kernel._program, self._ends.size, np.zeros(0, np.int64)
        lanes = np.zeros(LANES * size, np.int64)
        play_threes(
            self._stream.handle, self._shoe, rounds, int(p.starts[0]), p.shift, p.after, p.emits, lanes, ends
        )
        counts = lanes.reshape(LANES, size).sum(axis=0)
        met = np.flatnonzero(counts)
        return Stretch(rounds, met, counts[met], none, none)


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
        self._lock = Lock()
        self._places: dict[int, int] = {}  # of the rounds met so far, by their numbers
        self._met: list[tuple[list[int], list[int]]] = []  # their rows, and what they add to each column
        self._arrays: tuple[Counts, Counts] | None = None
        self._units = self._find_units()
        unit = dict(zip(self.layout.wagers, self._units, strict=False))
        largest = len(plan.seats) * max((abs(cell.net) for cell in rows), default=1)
        in_units = len(plan.seats) * max((abs(c.net) // unit[c.wager] for c in rows), default=1)
        self.most_rounds = _LARGEST // max(1, in_units) ** 2
        if largest > _LARGEST or (self.many and not self.most_rounds):
            raise BadOption("wager", largest, "amounts with which a round moves less than $20,000,000")
        # One seat's sums follow from its counts; Python's own whole numbers hold those of any size
        is_wide = not self.many and self.most_rounds < _FEW_ROUNDS
        self._numbers: Any = object if is_wide else np.int64
        self.most_rounds = _FEW_ROUNDS if is_wide else self.most_rounds

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
            ways: list[list[Settled | None]] = [list(ledger.cells(name))]
            ways += [[None, *ledger.cells(other)] for other in derived]
            for lines in product(*ways):
                yield self._cell(name, cents, [line for line in lines if line is not None])

    def _cell(self, name: str, cents: Cents, lines: Sequence[Settled]) -> Cell:
        named = [
            replace(line, outcome=_outcome(line, cents)) if line.wager == name else line for line in lines
        ]
        return row_of(self._game, {name: cents}, named)[0]

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

    def tally(self, stretch: Stretch) -> Tally:
        """The tally of rounds that came out so often in each way; those left to the rules are not in it."""
        counts, sums, products = stretch.counts, stretch.sums, stretch.products
        rows, columns = self._look_up(stretch.numbers.tolist())
        counted = np.zeros(len(self.layout.rows) + 1, np.int64)  # the last for wagers that were not made
        for column in rows.T:
            np.add.at(counted, column, counts)
        if not self.many:
            sums = columns.T @ counts
            products = columns.T @ (columns * counts[:, None])
        units = self._units
        return Tally(
            stretch.rounds - len(stretch.prizes),
            counted[:-1],
            tuple(int(total) * unit for total, unit in zip(sums.tolist(), units, strict=True)),
            tuple(int(products[pair]) * units[pair[0]] * units[pair[1]] for pair in pairs(len(units))),
        )

    def _look_up(self, numbers: Sequence[int]) -> tuple[Counts, Counts]:
        """The rows and columns of rounds of these numbers."""
        with self._lock:  # threads count rounds of one kernel at the same time
            for number in numbers:
                if number not in self._places:
                    self._places[number], self._arrays = len(self._met), None
                    self._met.append(self._read(number))
            if self._arrays is None:
                rows, columns = zip(*self._met, strict=True) if self._met else ((), ())
                shape = -1, len(self.layout.wagers)
                whole = np.array(columns, self._numbers).reshape(-1, self.layout.columns)
                self._arrays = np.array(rows, np.int64).reshape(shape), whole
            arrays = self._arrays
        places = np.array([self._places[number] for number in numbers], np.int64)
        return arrays[0][places], arrays[1][places]

    # Of several seats the loop itself sums up what a round brings them together

    def emission_nets(self) -> Counts:
        """What each emission adds to every column, in units of the column."""
        nets = np.zeros((len(self._emissions), self.layout.columns), np.int64)
        for place, lines in enumerate(self._emissions):
            for line in lines:
                nets[place, self.layout.wagers.index(self._opening(line.wager))] += line.net
        return np.asarray(nets // np.array(self._units))

    def opening_nets(self) -> Counts:
        """What each kind of seat adds to every column when it opens."""
        opened = [self._openings(self._seating.opened_by(place)) for place in range(len(self._ledgers))]
        return np.asarray(np.array(opened, np.int64) // np.array(self._units))


def _outcome(line: Settled, opened: Cents) -> str:
    """The outcome of a line; of a wager that a choice has made twice as large it says so."""
    is_doubled = line.parts == 1 and line.wagered == 2 * opened
    return f"{line.outcome}, doubled" if is_doubled else line.outcome


def _shared_wagers(plan: Plan, least: int) -> frozenset[str]:
    """The wagers that win from a meter which so many seats at least may win from."""
    meters = {name: meters_of(plan.table.pays[name].values()) for name in plan.wagers}
    riding = [frozenset().union(*(meters[name] for name in seat)) for seat in plan.seats]
    shared = {meter for some in riding for meter in some if sum(meter in each for each in riding) >= least}
    return frozenset(name for name, some in meters.items() if some & shared)
