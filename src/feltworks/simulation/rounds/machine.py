"""Rounds of any game whose rules are compiled: its tables, its strategy, and the loop that deals them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.analysis.cache import load_or_compile
from feltworks.cards import Card
from feltworks.dealing.shoes import CutCardShoe, source_for
from feltworks.errors import ImpossibleRound
from feltworks.machine.fixed import Duels, ShortRounds, fixed_rounds
from feltworks.machine.ledger import WagerResult
from feltworks.machine.node import Result
from feltworks.machine.play import Play
from feltworks.machine.program import Program, make_program
from feltworks.machine.streams import BATCH, Stream
from feltworks.money import Cents
from feltworks.rules.pay_table import Rest, Share, meters_of
from feltworks.rules.round import Round, Seat
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.decisions import Seating, by_true_count, seating_of
from feltworks.simulation.rounds.ends import Counts, Ends, PrizeRound, Stretch
from feltworks.simulation.rounds.kernel import DealtLine, DealtRound
from feltworks.simulation.rounds.replay import LaidShoe, SeatRound, TableOrder, play_seats
from feltworks.simulation.tally import Tally, add_tallies, count_rounds

_ROOM: Final = 256  # for rounds with shared prizes before the loop hands them over
_TABLE_BITS: Final = 16  # of the table in which the ends of rounds are counted
NO_ENDS: Final = np.zeros((0, 0), np.int64)


class MachineKernel:
    """A plan's rounds on compiled tables; seats that wager alike share theirs.

    The tables know one seat alone. Prizes from a meter that several seats may win depend on who else wins:
    those rounds are rare, so the loop hands their cards over and the rules settle them.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        lists_prizes: bool = False,
        tags: Mapping[Card, int] | None = None,
        cut_card: int | None = None,
    ) -> None:
        """`lists_prizes`: whether rounds with prizes are listed also where nobody can share them.

        `tags` of cards make every true count a kind of seat of its own, so that ends tell the count.
        `cut_card` says how many cards lie behind it, where the plan's percentage does not.
        """
        self._plan, self.game = plan, plan.table
        game = plan.table
        self._seating, self._program = load_or_compile(
            game, ("machine", plan.seats, plan.strategy, plan.meters), lambda: _compile(plan)
        )
        if tags is not None:
            self._seating = by_true_count(self._seating, tags)
            self._program = make_program(self._seating.plays, self._seating.tags)
        seating = self._seating
        self._ends = Ends(plan, seating, self._program.ledgers, self._program.emissions)
        self.layout = self._ends.layout
        source = source_for(game.terms, penetration=plan.penetration)
        self._before_cut = self.burned = 0
        self._reads_again = self._program.reads_again or len(plan.seats) > 1
        if isinstance(source, CutCardShoe) and not plan.shuffle_every_round:
            self._before_cut, self.burned = source.shoe.total - source.cut_card_at, source.burned
            if cut_card is not None:
                self._before_cut = source.shoe.total - cut_card
        self._prizes = _shared_wagers(plan, least=1 if lists_prizes else 2)
        rare = [any(map(self._is_prize, lines)) for lines in self._program.emissions]
        self._rare = np.array(rare, np.bool_) if self._prizes else None
        self._fixed = self._fixed_rounds()

    def _fixed_rounds(self) -> ShortRounds | Duels | None:
        """The tables of short rounds, where every one is dealt from a whole shoe and settled by itself."""
        is_plain = not self._before_cut and not self._reads_again and self._rare is None and not self._seating.tags
        if not is_plain or self._ends.size > 1 << _TABLE_BITS:
            return None
        return fixed_rounds(self._program, tuple(np.bincount(self.kinds_of_cards()).tolist()))

    @property
    def batch(self) -> int:
        """How many cards are dealt by one random word."""
        if self._fixed is None:
            return BATCH
        return len(self._fixed.cards if isinstance(self._fixed, ShortRounds) else self._fixed.own + self._fixed.house)

    def _is_prize(self, result: Result) -> bool:
        """Whether a result is a prize from a meter that is watched."""
        pay = self.game.pays[result.wager][result.outcome]
        return result.wager in self._prizes and isinstance(pay, Share | Rest)

    def lines(self, number: int) -> Sequence[WagerResult]:
        """How the wagers of a seat came out in a round of this number."""
        return self._ends.lines(number)

    def true_count(self, number: int) -> int:
        """The true count at which a round of this number began, where cards are counted."""
        place = int(np.searchsorted(self._ends.offsets, number, side="right")) - 1
        return place // self._seating.different - self._seating.widest

    def opened(self, wager: str) -> Cents:
        """What the first seat opens a wager with."""
        return self._plan.seats[0][wager]

    @property
    def cards_behind(self) -> int:
        """How many cards lie behind the cut card."""
        return len(self.cards) - self._before_cut

    @property
    def cards(self) -> Sequence[Card]:
        """The whole shoe before it is shuffled."""
        return self._plan.table.terms.shoe.all_cards()

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds."""
        stretches = list(self.play(stream, [rounds]))
        prizes = [prize.dealt.cells(self.game) for stretch in stretches for prize in stretch.prizes]
        by_rules = [count_rounds(self.layout, prizes)] if prizes else []
        return add_tallies(self.layout, [*map(self._ends.tally, stretches), *by_rules])

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """What seat 1 is up after each round."""
        ends = np.zeros((rounds, len(self._plan.seats)), np.int64)
        prizes = [prize for stretch in self.play(stream, [rounds], ends) for prize in stretch.prizes]
        numbers, places = np.unique(ends[:, 0], return_inverse=True)
        each = [sum(line.net for line in self._ends.lines(number)) for number in numbers.tolist()]
        nets: NDArray[np.int64] = np.array(each, np.int64)[places]
        for prize in prizes:
            nets[prize.number] = prize.dealt.net(0)
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

    def cards_seen(self, stream: Stream, rounds: Iterable[int]) -> Iterator[tuple[bool, Counts]]:
        """After some numbers of rounds, one after the other: whether a fresh shoe follows, and else how many
        cards of each kind a counter has seen.
        """
        dealing = _Dealing(self, stream)
        for number in rounds:
            done = 0
            while done < number:
                done += dealing.stretch(number - done, NO_ENDS, done).rounds
            yield dealing.cards_seen()

    def prize_round(self, number: int, kinds: Sequence[int]) -> PrizeRound:
        """The round in which cards of these kinds came, with faces of those kinds."""
        waiting = list(zip(self.kinds_of_cards().tolist(), self.cards, strict=True))
        cards = [waiting.pop([kind for kind, _ in waiting].index(wanted))[1] for wanted in kinds]
        dealt, seats = self.deal_round(LaidShoe([*cards, *(card for _, card in waiting)]))
        won = (line for seat in seats for line in seat.results if self._is_prize(line))
        return PrizeRound(number, tuple(line.outcome for line in won), dealt)

    def kinds_of_cards(self) -> NDArray[np.uint8]:
        """The whole shoe by kinds of cards, in the order of its cards."""
        number = dict(zip(self._seating.plays[0].tables.faces, self._program.kinds, strict=True))
        return np.array([number[card] for card in self.cards], np.uint8)

    def deal_round(self, shoe: LaidShoe, *, fresh: bool = True) -> tuple[DealtRound, list[SeatRound]]:
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
        lines = [DealtLine.of(number, line) for number, seat in enumerate(seats) for line in seat.results]
        if any(self._is_prize(line) for seat in seats for line in seat.results):
            lines = [DealtLine.of(line.seat, line) for line in self.game.settle(over)]
        dealt = DealtRound(opened, table.cards(), tuple(table.choices), tuple(lines), plan.meters, fresh)
        return dealt, seats


def _compile(plan: Plan) -> tuple[Seating, Program]:
    seating = seating_of(plan)
    return seating, make_program(seating.plays, seating.tags) if seating.tags else _program(seating.plays)


@lru_cache(maxsize=4)
def _program(plays: tuple[Play, ...]) -> Program:
    """The arrays of plays: tables with the same kinds of seats, however many there are, share them."""
    return make_program(plays)


class _ForSome(NamedTuple):
    """What the loop needs for some games only, and leaves out of its code where it is None."""

    on_house: NDArray[np.bool_] | None
    keys: NDArray[np.uint64] | None
    tags: NDArray[np.int64] | None
    nets: NDArray[np.int64] | None
    rare: NDArray[np.bool_] | None


class _Dealing:
    """A shoe that is dealt by the compiled loop, and the arrays that the loop writes to."""

    def __init__(self, kernel: MachineKernel, stream: Stream) -> None:
        from feltworks.machine.sample import KINDS, Seats, Shoe

        self._kernel, self._stream, self._ends = kernel, stream, kernel._ends
        p, seating, many = kernel._program, kernel._seating, kernel._ends.many
        number = dict(zip(seating.plays[0].tables.faces, p.kinds, strict=True))
        self._shoe = Shoe(kernel.kinds_of_cards(), kernel._before_cut, kernel.burned)
        tags = np.zeros(max(p.kinds) + 1, np.int64)
        for face, tag in seating.tags.items():
            tags[number[face]] = tag
        levels = np.array(seating.levels, np.int64) * seating.different
        self._seats = Seats(np.array(seating.kinds, np.int32), self._ends.offsets, levels)
        self._where = np.zeros(KINDS + len(tags), np.int64)
        small = self._ends.size <= 1 << _TABLE_BITS
        self._bits = 0 if small else 64 - _TABLE_BITS
        self._keys = np.full(1 << _TABLE_BITS, -1, np.int64)
        self._counts = np.zeros(1 << _TABLE_BITS, np.int64)
        # Rounds that are seldom asked for take more than they need, so that fewer loops are compiled
        counts, has_prizes = bool(seating.tags), kernel._rare is not None
        adds = many or has_prizes
        self._opening_nets = self._ends.opening_nets() if adds else np.zeros((0, 0), np.int64)
        self._for_some = _ForSome(
            on_house=p.on_house if kernel._reads_again or counts or has_prizes else None,
            keys=p.keys if len(p.keys) > 2 or (adds and not counts) else None,
            tags=tags if counts else None,
            nets=self._ends.emission_nets() if adds else None,
            rare=kernel._rare,
        )

    def cards_seen(self) -> tuple[bool, Counts]:
        """Whether the next round begins a shoe, and how many cards of each kind have been seen and counted."""
        from feltworks.machine.sample import AT, CUT, KINDS

        is_fresh = bool(self._where[AT] >= self._where[CUT])
        return is_fresh, self._where[KINDS:] * (not is_fresh)

    def stretch(self, rounds: int, ends: Counts, first: int) -> Stretch:
        """So many rounds more, or fewer; `first` is the number of the next one."""
        if self._kernel._fixed is not None:
            return self._play_fixed(self._kernel._fixed, rounds, ends)
        from feltworks.machine.sample import USED, Counter, RareRounds, Sums, Table, play_rounds

        kernel, columns = self._kernel, self._ends.layout.columns
        room, cards = 0 if kernel._rare is None else _ROOM, len(self._shoe.cards)
        left = RareRounds(np.zeros((room, 2), np.int64), np.zeros((room, cards), np.uint8))
        sums = Sums(self._opening_nets, np.zeros(columns, np.int64), np.zeros((columns, columns), np.int64))
        counter = Counter(self._keys, self._counts, self._bits, ends)
        table = Table(self._shoe, self._seats, kernel._program.code, counter, sums, left)
        try:
            dealt, prizes = play_rounds(self._stream.handle, rounds, table, self._where, *self._for_some)
        except IndexError:
            raise ImpossibleRound(
                "a round took more cards than the shoe holds; deal to fewer seats or from more decks"
            ) from None
        taken = np.flatnonzero(self._counts)
        numbers, counts = self._keys[taken] if self._bits else taken, self._counts[taken]
        self._keys[taken], self._counts[taken], self._where[USED] = -1, 0, 0
        listed = [
            kernel.prize_round(first + number, row[:count].tolist())
            for (number, count), row in zip(left.rounds[:prizes].tolist(), left.cards, strict=False)
        ]
        return Stretch(dealt, numbers, counts, sums.totals, sums.products, listed)

    def _play_fixed(self, tables: ShortRounds | Duels, rounds: int, ends: Counts) -> Stretch:
        """Rounds of few cards, each from a whole shoe."""
        from feltworks.machine.sample import LANES, play_duels, play_short

        size, none = self._ends.size, np.zeros(0, np.int64)
        lanes = np.zeros(LANES * size, np.int64)
        if isinstance(tables, ShortRounds):
            play_short(self._stream.handle, rounds, self._shoe.cards, tables, lanes, ends)
        else:
            play_duels(self._stream.handle, rounds, self._shoe.cards, tables, lanes, ends)
        counts = lanes.reshape(LANES, size).sum(axis=0)
        met = np.flatnonzero(counts)
        return Stretch(rounds, met, counts[met], none, none)


def _shared_wagers(plan: Plan, least: int) -> frozenset[str]:
    """The wagers that win from a meter which so many seats at least may win from."""
    meters = {name: meters_of(plan.table.pays[name].values()) for name in plan.wagers}
    riding = [frozenset().union(*(meters[name] for name in seat)) for seat in plan.seats]
    shared = {meter for some in riding for meter in some if sum(meter in each for each in riding) >= least}
    return frozenset(name for name, some in meters.items() if some & shared)
