"""Deals the rounds of any game with compiled rules: its tables, its strategy, and the compiled loop."""

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
from feltworks.machine.node import Result
from feltworks.machine.play import Play
from feltworks.machine.program import Program, WagerResult, make_program
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

_ROOM: Final = 256  # the most rounds with shared prizes in one call of the loop
_TABLE_BITS: Final = 16  # the size of the table that counts the ends of rounds
NO_ENDS: Final = np.zeros((0, 0), np.int64)


class MachineKernel:
    """Plays a plan's rounds on compiled tables, which seats with the same wagers share.

    A table covers one seat only. Prizes from a meter that several seats may win depend on who else wins; such
    rounds are rare, so the loop returns their cards and the rules settle them.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        lists_prizes: bool = False,
        tags: Mapping[Card, int] | None = None,
        cut_card: int | None = None,
    ) -> None:
        """`lists_prizes` lists rounds with prizes even if no two seats can share them.

        `tags` of cards make every true count a separate kind of seat, so that ends identify the count.
        `cut_card` is the number of cards behind the cut card and overrides the plan's percentage.
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
        """Builds the faster tables of short rounds, if each is dealt from a whole shoe and settled by itself."""
        is_plain = not self._before_cut and not self._reads_again and self._rare is None and not self._seating.tags
        if not is_plain or self._ends.size > 1 << _TABLE_BITS:
            return None
        return fixed_rounds(self._program, tuple(np.bincount(self.kinds_of_cards()).tolist()))

    @property
    def batch(self) -> int:
        """The number of cards dealt from one random word."""
        if self._fixed is None:
            return BATCH
        return len(self._fixed.cards if isinstance(self._fixed, ShortRounds) else self._fixed.own + self._fixed.house)

    def _is_prize(self, result: Result) -> bool:
        """Whether a result is a prize of one of the wagers in `_prizes`."""
        pay = self.game.pays[result.wager][result.outcome]
        return result.wager in self._prizes and isinstance(pay, Share | Rest)

    def lines(self, number: int) -> Sequence[WagerResult]:
        """Returns the results of a seat's wagers in a round of this number."""
        return self._ends.lines(number)

    def true_count(self, number: int) -> int:
        """Returns the true count at which a round of this number began, if cards are counted."""
        place = int(np.searchsorted(self._ends.offsets, number, side="right")) - 1
        return place // self._seating.different - self._seating.widest

    def opened(self, wager: str) -> Cents:
        """Returns the opening amount of a wager at the first seat."""
        return self._plan.seats[0][wager]

    @property
    def cards_behind(self) -> int:
        """The number of cards behind the cut card."""
        return len(self.cards) - self._before_cut

    @property
    def cards(self) -> Sequence[Card]:
        """The whole shoe before it is shuffled."""
        return self._plan.table.terms.shoe.all_cards()

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Counts this many rounds."""
        stretches = list(self.play(stream, [rounds]))
        prizes = [prize.dealt.cells(self.game) for stretch in stretches for prize in stretch.prizes]
        by_rules = [count_rounds(self.layout, prizes)] if prizes else []
        return add_tallies(self.layout, [*map(self._ends.tally, stretches), *by_rules])

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """Returns the net of seat 1 in each round."""
        ends = np.zeros((rounds, len(self._plan.seats)), np.int64)
        prizes = [prize for stretch in self.play(stream, [rounds], ends) for prize in stretch.prizes]
        numbers, places = np.unique(ends[:, 0], return_inverse=True)
        by_number = [sum(line.net for line in self._ends.lines(number)) for number in numbers.tolist()]
        nets: NDArray[np.int64] = np.array(by_number, np.int64)[places]
        for prize in prizes:
            nets[prize.number] = prize.dealt.net(0)
        return nets

    def play(self, stream: Stream, rounds: Sequence[int], ends: Counts = NO_ENDS) -> Iterator[Stretch]:
        """Runs the compiled loop for each number of rounds, one after the other, from one shoe.

        Splits a number into several stretches if sums could exceed 64 bits or many prizes are won. Writes the
        result of every seat in every round to `ends`, as far as it has room.
        """
        dealing, before = _Dealing(self, stream), 0
        for number in rounds:
            done = 0
            while done < number:
                size = min(self._ends.most_rounds, number - done)
                stretch = dealing.stretch(size, ends[before + done :], done)
                done += stretch.rounds
                yield stretch
            before += number

    def cards_seen(self, stream: Stream, rounds: Iterable[int]) -> Iterator[tuple[bool, Counts]]:
        """Yields, after each number of rounds, whether a fresh shoe follows and how many cards of each kind have
        been seen.
        """
        dealing = _Dealing(self, stream)
        for number in rounds:
            done = 0
            while done < number:
                done += dealing.stretch(number - done, NO_ENDS, done).rounds
            yield dealing.cards_seen()

    def prize_round(self, number: int, kinds: Sequence[int]) -> PrizeRound:
        """Replays the round in which cards of these kinds came, using any cards of those kinds."""
        left = list(zip(self.kinds_of_cards().tolist(), self.cards, strict=True))
        cards = [left.pop([kind for kind, _ in left].index(wanted))[1] for wanted in kinds]
        dealt, seats = self.deal_round(LaidShoe([*cards, *(card for _, card in left)]))
        won = (line for seat in seats for line in seat.results if self._is_prize(line))
        return PrizeRound(number, tuple(line.outcome for line in won), dealt)

    def kinds_of_cards(self) -> NDArray[np.uint8]:
        """Returns the kind of every card of the whole shoe."""
        number = dict(zip(self._seating.plays[0].tables.faces, self._program.kinds, strict=True))
        return np.array([number[card] for card in self.cards], np.uint8)

    def deal_round(self, shoe: LaidShoe, *, fresh: bool = True) -> tuple[DealtRound, list[SeatRound]]:
        """Deals one round from a shoe in the order of the live table; also returns each seat's own round."""
        plan, seating, places = self._plan, self._seating, range(len(self._plan.seats))
        level = seating.level(shoe.true_count(seating.widest))
        opened = tuple(seating.opening(number, level) for number in places)
        seats, house = play_seats([seating.play(number, level) for number in places], shoe, seating.widest)
        house_cards = max(seat.house_cards for seat in seats)
        spare = shoe.leave(sum(seat.unseen for seat in seats) + max(0, house_cards - len(house)))
        table = TableOrder(self.game, seats, house, spare + shoe.behind())
        if plan.alone:  # open_round would refuse these wagers, but the rest of the round is the same
            r = Round(tuple(Seat(dict(wagers)) for wagers in opened), meters=plan.meters)
        else:
            r = self.game.open_round(opened, plan.meters)
        r = table.deal(r)
        lines = [DealtLine.of(number, line) for number, seat in enumerate(seats) for line in seat.results]
        if any(self._is_prize(line) for seat in seats for line in seat.results):
            lines = [DealtLine.of(line.seat, line) for line in self.game.settle(r)]
        dealt = DealtRound(opened, table.cards(), tuple(table.choices), tuple(lines), plan.meters, fresh)
        return dealt, seats


def _compile(plan: Plan) -> tuple[Seating, Program]:
    seating = seating_of(plan)
    return seating, make_program(seating.plays, seating.tags) if seating.tags else _program(seating.plays)


@lru_cache(maxsize=4)
def _program(plays: tuple[Play, ...]) -> Program:
    """Caches the arrays of plays, which do not depend on the number of seats of each kind."""
    return make_program(plays)


class _OptionalArrays(NamedTuple):
    """Arrays that the loop needs only for some games; for None the compiler omits the code that uses them."""

    on_house: NDArray[np.bool_] | None
    keys: NDArray[np.uint64] | None
    tags: NDArray[np.int64] | None
    nets: NDArray[np.int64] | None
    rare: NDArray[np.bool_] | None


class _Dealing:
    """The shoe that the compiled loop deals from, and the arrays that it writes to."""

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
        # Rare kinds of plans get arrays that they do not need, so that fewer variants of the loop are compiled
        counts, has_prizes = bool(seating.tags), kernel._rare is not None
        adds = many or has_prizes
        self._opening_nets = self._ends.opening_nets() if adds else np.zeros((0, 0), np.int64)
        self._optional = _OptionalArrays(
            on_house=p.on_house if kernel._reads_again or counts or has_prizes else None,
            keys=p.keys if len(p.keys) > 2 or (adds and not counts) else None,
            tags=tags if counts else None,
            nets=self._ends.emission_nets() if adds else None,
            rare=kernel._rare,
        )

    def cards_seen(self) -> tuple[bool, Counts]:
        """Returns whether the next round begins a shoe, and how many cards of each kind have been seen."""
        from feltworks.machine.sample import AT, CUT, KINDS

        is_fresh = bool(self._where[AT] >= self._where[CUT])
        return is_fresh, self._where[KINDS:] * (not is_fresh)

    def stretch(self, rounds: int, ends: Counts, first: int) -> Stretch:
        """Deals at most this many more rounds; `first` is the number of the next one."""
        if self._kernel._fixed is not None:
            return self._play_fixed(self._kernel._fixed, rounds, ends)
        from feltworks.machine.sample import USED, Counter, RareRounds, Sums, Table, play_rounds

        kernel, columns = self._kernel, self._ends.layout.columns
        room, cards = 0 if kernel._rare is None else _ROOM, len(self._shoe.cards)
        rare = RareRounds(np.zeros((room, 2), np.int64), np.zeros((room, cards), np.uint8))
        sums = Sums(self._opening_nets, np.zeros(columns, np.int64), np.zeros((columns, columns), np.int64))
        counter = Counter(self._keys, self._counts, self._bits, ends)
        table = Table(self._shoe, self._seats, kernel._program.code, counter, sums, rare)
        try:
            dealt, prizes = play_rounds(self._stream.handle, rounds, table, self._where, *self._optional)
        except IndexError:
            raise ImpossibleRound(
                "a round took more cards than the shoe holds; deal to fewer seats or from more decks"
            ) from None
        slots = np.flatnonzero(self._counts)
        numbers, counts = self._keys[slots] if self._bits else slots, self._counts[slots]
        self._keys[slots], self._counts[slots], self._where[USED] = -1, 0, 0
        prize_rounds = [
            kernel.prize_round(first + number, row[:count].tolist())
            for (number, count), row in zip(rare.rounds[:prizes].tolist(), rare.cards, strict=False)
        ]
        return Stretch(dealt, numbers, counts, sums.totals, sums.products, prize_rounds)

    def _play_fixed(self, tables: ShortRounds | Duels, rounds: int, ends: Counts) -> Stretch:
        """Deals rounds of few cards, each from a whole shoe."""
        from feltworks.machine.sample import LANES, play_duels, play_short

        size, none = self._ends.size, np.zeros(0, np.int64)
        lanes = np.zeros(LANES * size, np.int64)
        if isinstance(tables, ShortRounds):
            play_short(self._stream.handle, rounds, self._shoe.cards, tables, lanes, ends)
        else:
            play_duels(self._stream.handle, rounds, self._shoe.cards, tables, lanes, ends)
        counts = lanes.reshape(LANES, size).sum(axis=0)
        numbers = np.flatnonzero(counts)
        return Stretch(rounds, numbers, counts[numbers], none, none)


def _shared_wagers(plan: Plan, least: int) -> frozenset[str]:
    """Returns the wagers that can win from a meter which at least this many seats play for."""
    meters = {name: meters_of(plan.table.pays[name].values()) for name in plan.wagers}
    by_seat = [frozenset().union(*(meters[name] for name in seat)) for seat in plan.seats]
    shared = {meter for own in by_seat for meter in own if sum(meter in other for other in by_seat) >= least}
    return frozenset(name for name, own in meters.items() if own & shared)
