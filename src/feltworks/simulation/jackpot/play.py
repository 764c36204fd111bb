"""What players bring to a progressive jackpot day by day: losing wagers, awards from the tray, and hits.

The play does not depend on what the house does with the money, so that policies can be compared on it.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from functools import cached_property, lru_cache, partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks import catalog
from feltworks.errors import BadOption, one_of
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.rules.pay_table import Fixed, Rest, Share, meters_of
from feltworks.rules.round import Choice
from feltworks.simulation.plan import Plan, check_number
from feltworks.simulation.rounds.ends import PrizeRound
from feltworks.simulation.rounds.machine import MachineKernel
from feltworks.simulation.rounds.plain import deal_round
from feltworks.simulation.tally import SettledLine

DAYS_A_YEAR: Final = 365
MOST_YEARS: Final = 10_000
MOST_ROUNDS_A_DAY: Final = 100_000


class DayOfPlay(Struct, frozen=True):
    """One day: what losing wagers left in the box, what the tray paid, and the hits in their order."""

    box: Cents
    tray: Cents
    hits: tuple[PrizeRound, ...]


class ProgressiveTable:
    """A table with a progressive wager at some of its seats, as its jackpot sees it."""

    def __init__(self, plan: Plan) -> None:
        self.game, book = plan.table, plan.table.terms.rulebook
        if not book.progressives:
            known = [name for name in catalog.games() if catalog.rulebook(name).progressives]
            raise BadOption("--years", plan.game, f"a game with a progressive jackpot, which is {one_of(known)}")
        riding = [name for name in book.progressives if any(name in seat for seat in plan.seats)]
        if not riding:
            wanted = f"{one_of(book.progressives)} among the wagers of some seat"
            raise BadOption("--wager", ", ".join(plan.wagers), wanted)
        replace(plan, jackpot=plan.jackpot or 0).check()
        self.wager = riding[0]
        self.title, self.meter = book.wager[self.wager].title, book.meter_of(self.wager)
        self.seats = sum(self.wager in seat for seat in plan.seats)
        self._pays = self.game.pays[self.wager]
        (self._meter,) = meters_of(self._pays.values())
        stake = book.wager[self.wager].least
        self._flows: dict[int, tuple[Cents, Cents]] = {}
        # What else a seat wagers does not touch the jackpot
        self._plan = replace(plan, seats=({self.wager: stake},) * self.seats, jackpot=0)

    @cached_property
    def _kernel(self) -> MachineKernel:
        return MachineKernel(self._plan, lists_prizes=True)

    def payment(self, hit: PrizeRound, posted: Cents) -> tuple[Cents, bool]:
        """SP.13, SP.14: what a hit takes of the jackpot posted when its round began, and if that is all."""
        cards, choices = iter(hit.dealt.cards), iter(hit.dealt.choices)

        def decide(*_: object) -> Choice:
            return next(choices)

        opened = self.game.open_round(hit.dealt.seats, {self._meter: posted})
        lines = self.game.settle(deal_round(self.game, opened, decide, lambda _place: next(cards)))
        awards = [line.award for line in lines if line.award and line.award.source == self._meter]
        return sum(award.cents for award in awards), sum(award.share or 0 for award in awards) == 1

    def days(self, days: int, rounds_per_day: int, stream: Stream) -> Iterator[DayOfPlay]:
        """So many days of play."""
        played, day = 0, DayOfPlay(0, 0, ())
        for stretch in self._kernel.play(stream, [rounds_per_day] * days):
            played += stretch.rounds
            flows = [(1, self._flow(prize.dealt.lines)) for prize in stretch.prizes]
            ends = zip(stretch.numbers.tolist(), stretch.counts.tolist(), strict=True)
            flows += [(count, self._flow_of(number)) for number, count in ends]
            day = DayOfPlay(
                day.box + sum(count * left for count, (left, _) in flows),
                day.tray + sum(count * paid for count, (_, paid) in flows),
                (*day.hits, *stretch.prizes),
            )
            if played == rounds_per_day:
                yield day
                played, day = 0, DayOfPlay(0, 0, ())

    def _flow_of(self, number: int) -> tuple[Cents, Cents]:
        """The same for a round of this number; rounds of one number come out alike."""
        if number not in self._flows:
            self._flows[number] = self._flow(self._kernel.lines(number))
        return self._flows[number]

    def _flow(self, lines: Iterable[SettledLine]) -> tuple[Cents, Cents]:
        """What lines of this wager leave in the box and take from the tray."""
        box = tray = 0
        for line in lines:
            pay = self._pays[line.outcome]
            if isinstance(pay, Fixed):
                tray += pay.cents
            elif not isinstance(pay, Share | Rest):
                box -= line.net  # SP.15: losing wagers, and no others, go to the box
        return box, tray


def play_years(
    plan: Plan, *, years: int, rounds_per_day: int, seed: int, executor: Executor | None = None
) -> Iterator[DayOfPlay]:
    """Years of play, one day after the other; each year has a random stream of its own."""
    check_years(plan, years, rounds_per_day)
    year = partial(_year, plan.to_json(), rounds_per_day, seed)
    mapped = executor.map(year, range(years)) if executor else map(year, range(years))
    return (day for days in mapped for day in days)


def check_years(plan: Plan, years: int, rounds_per_day: int) -> None:
    """Refuse numbers out of range, and a plan without a progressive wager."""
    check_number("--years", years, MOST_YEARS)
    check_number("--rounds-per-day", rounds_per_day, MOST_ROUNDS_A_DAY)
    ProgressiveTable(plan)


def _year(plan: bytes, rounds_per_day: int, seed: int, number: int) -> list[DayOfPlay]:
    return list(_table(plan).days(DAYS_A_YEAR, rounds_per_day, Stream(seed, number)))


@lru_cache(maxsize=2)
def _table(plan: bytes) -> ProgressiveTable:
    """A worker compiles the table once for all its years."""
    return ProgressiveTable(Plan.from_json(plan))
