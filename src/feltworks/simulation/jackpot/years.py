"""Simulates a progressive jackpot over years: daily wagers, its sizes, hits, backups and seeds (SP.13–18)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict, replace
from numpy.typing import NDArray

from feltworks import catalog
from feltworks.analysis.solvers.progressive import Progressive
from feltworks.errors import BadOption, one_of
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.rules.pay_table import Fixed, Rest, Share, meters_of
from feltworks.rules.round import Choice
from feltworks.simulation.jackpot.fund import Books, JackpotFund, JackpotPolicy, Seeding
from feltworks.simulation.plan import Plan, check_number
from feltworks.simulation.rounds.ends import PrizeRound
from feltworks.simulation.rounds.machine import MachineKernel
from feltworks.simulation.rounds.plain import deal_round
from feltworks.simulation.tally import SettledLine

DAYS_A_YEAR: Final = 365
MOST_YEARS: Final = 10_000
MOST_ROUNDS_A_DAY: Final = 100_000


class DayOfPlay(Struct, frozen=True):
    """One day: the losing wagers in the box, the awards paid from the tray, and the hits in order."""

    box: Cents
    tray: Cents
    hits: tuple[PrizeRound, ...]


class ProgressiveTable:
    """A table with a progressive wager at some of its seats, reduced to what affects the jackpot."""

    def __init__(self, plan: Plan) -> None:
        self.game, book = plan.table, plan.table.terms.rulebook
        if not book.progressives:
            known = [name for name in catalog.games() if catalog.rulebook(name).progressives]
            raise BadOption("--years", plan.game, f"a game with a progressive jackpot, which is {one_of(known)}")
        names = [name for name in book.progressives if any(name in seat for seat in plan.seats)]
        if not names:
            wanted = f"{one_of(book.progressives)} among the wagers of some seat"
            raise BadOption("--wager", ", ".join(plan.wagers), wanted)
        replace(plan, jackpot=plan.jackpot or 0).check()
        self.wager = names[0]
        self.title, self.meter = book.wager[self.wager].title, book.meter_of(self.wager)
        self.seats = sum(self.wager in seat for seat in plan.seats)
        self._pays = self.game.pays[self.wager]
        (self._meter,) = meters_of(self._pays.values())
        stake = book.wager[self.wager].least
        self._flows: dict[int, tuple[Cents, Cents]] = {}
        # Other wagers of a seat do not affect the jackpot
        self._plan = replace(plan, seats=({self.wager: stake},) * self.seats, jackpot=0)

    @cached_property
    def _kernel(self) -> MachineKernel:
        return MachineKernel(self._plan, lists_prizes=True)

    def payment(self, hit: PrizeRound, posted: Cents) -> tuple[Cents, bool]:
        """SP.13, SP.14: returns what a hit takes of the posted jackpot, and whether it takes all of it."""
        cards, choices = iter(hit.dealt.cards), iter(hit.dealt.choices)

        def decide(*_: object) -> Choice:
            return next(choices)

        opened = self.game.open_round(hit.dealt.seats, {self._meter: posted})
        lines = self.game.settle(deal_round(self.game, opened, decide, lambda _place: next(cards)))
        awards = [line.award for line in lines if line.award and line.award.source == self._meter]
        return sum(award.cents for award in awards), sum(award.share or 0 for award in awards) == 1

    def days(self, days: int, rounds_per_day: int, stream: Stream) -> Iterator[DayOfPlay]:
        """Yields this many days of play."""
        rounds, day = 0, DayOfPlay(0, 0, ())
        for stretch in self._kernel.play(stream, [rounds_per_day] * days):
            rounds += stretch.rounds
            flows = [(1, self._flow(prize.dealt.lines)) for prize in stretch.prizes]
            ends = zip(stretch.numbers.tolist(), stretch.counts.tolist(), strict=True)
            flows += [(count, self._flow_of(number)) for number, count in ends]
            day = DayOfPlay(
                day.box + sum(count * box for count, (box, _) in flows),
                day.tray + sum(count * tray for count, (_, tray) in flows),
                (*day.hits, *stretch.prizes),
            )
            if rounds == rounds_per_day:
                yield day
                rounds, day = 0, DayOfPlay(0, 0, ())

    def _flow_of(self, number: int) -> tuple[Cents, Cents]:
        """Returns the cached flow of a round with this number, which determines its results."""
        if number not in self._flows:
            self._flows[number] = self._flow(self._kernel.lines(number))
        return self._flows[number]

    def _flow(self, lines: Iterable[SettledLine]) -> tuple[Cents, Cents]:
        """Returns what lines of this wager leave in the box and take from the tray."""
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
    """Yields years of play day by day; each year has its own random stream."""
    check_years(plan, years, rounds_per_day)
    year = partial(_year, plan.to_json(), rounds_per_day, seed)
    days_by_year = executor.map(year, range(years)) if executor else map(year, range(years))
    return (day for days in days_by_year for day in days)


def check_years(plan: Plan, years: int, rounds_per_day: int) -> None:
    """Refuses numbers out of range, and a plan without a progressive wager."""
    check_number("--years", years, MOST_YEARS)
    check_number("--rounds-per-day", rounds_per_day, MOST_ROUNDS_A_DAY)
    ProgressiveTable(plan)


def _year(plan: bytes, rounds_per_day: int, seed: int, number: int) -> list[DayOfPlay]:
    return list(_table(plan).days(DAYS_A_YEAR, rounds_per_day, Stream(seed, number)))


@lru_cache(maxsize=2)
def _table(plan: bytes) -> ProgressiveTable:
    """Caches the table, so that a worker compiles it once for all its years."""
    return ProgressiveTable(Plan.from_json(plan))


_PARTS: Final = {"least": 0.0, "5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95, "most": 1.0}


def spread_of(numbers: Sequence[float] | NDArray[np.int64]) -> dict[str, float]:
    """Returns the count and the quantiles of numbers; every quantile is one of the numbers.

    >>> spread_of([4, 1, 3, 2])["median"]
    2
    """
    if not len(numbers):
        return {"count": 0}
    quantiles = np.quantile(np.asarray(numbers), list(_PARTS.values()), method="inverted_cdf").tolist()
    return {"count": len(numbers), **dict(zip(_PARTS, quantiles, strict=True))}


class PaidHit(Struct, frozen=True):
    """A hit: its day, its round since the first day, the winning hands, and the amounts posted and paid."""

    day: int
    round: int
    winners: tuple[str, ...]
    posted: Cents
    paid: Cents
    by_backup: bool  # whether a backup replaced the emptied primary


class JackpotHistory(Struct, frozen=True):
    """The history of a jackpot: each day's close, every hit, every seeding, and the books."""

    policy: JackpotPolicy
    title: str  # of the wager
    seats: int
    rounds_per_day: int
    closes: NDArray[np.int64]  # by day: primary, backup, second backup, seed money not yet recovered
    hits: tuple[PaidHit, ...]
    seedings: tuple[Seeding, ...]
    books: Books
    expected: Mapping[str, Fraction]  # the exact expected number of hits of each winning hand

    @property
    def days(self) -> int:
        return len(self.closes)

    def hits_of(self, hand: str) -> list[PaidHit]:
        """Returns the hits with this winning hand."""
        return [hit for hit in self.hits if hand in hit.winners]

    def days_between(self, hand: str) -> NDArray[np.float64]:
        """Returns the days from one hit with this hand to the next, with fractions of a day."""
        rounds = np.array([hit.round for hit in self.hits_of(hand)], np.int64)
        return np.diff(rounds) / self.rounds_per_day

    @property
    def days_to_recover(self) -> list[int]:
        """The days until each seeding was recovered, for those that have been."""
        return [s.recovered_on - s.day for s in self.seedings if s.recovered_on is not None]


def jackpot_policies(
    plan: Plan,
    policies: Mapping[str, JackpotPolicy],
    *,
    years: int,
    rounds_per_day: int,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, JackpotHistory]:
    """Simulates the jackpot of a table over years of 365 days, under several policies by their names.

    Every seat of the plan with the progressive wager plays every round; its other wagers do not affect the
    jackpot. The same seed gives the same play under every policy and on any executor. `progress` gets the days
    played and all days.
    """
    table = ProgressiveTable(plan)
    for policy in policies.values():
        policy.check(table.meter)
    days = []
    for day in play_years(plan, years=years, rounds_per_day=rounds_per_day, seed=seed, executor=executor):
        days.append(day)
        if progress is not None and len(days) % DAYS_A_YEAR == 0:
            progress(len(days), years * DAYS_A_YEAR)
    exact = Progressive(table.game, wager=table.wager)
    rounds = len(days) * rounds_per_day
    hands = [outcome for outcome in table.game.pays[table.wager] if outcome in exact.winning_hands]
    expected = {hand: rounds / exact.rounds_between(hand, table.seats) for hand in hands}
    return {name: history_of(table, days, policy, rounds_per_day, expected) for name, policy in policies.items()}


def history_of(
    table: ProgressiveTable,
    days: Iterable[DayOfPlay],
    policy: JackpotPolicy,
    rounds_per_day: int,
    expected: Mapping[str, Fraction],
) -> JackpotHistory:
    """Computes the history of the jackpot over these days under a policy."""
    fund, hits, closes = JackpotFund(policy, table.meter), [], []
    for number, day in enumerate(days):
        for hit in day.hits:
            posted, before = fund.posted, fund.taken_over
            paid, empties = table.payment(hit, posted)
            fund.win(paid, day=number, empties=empties)
            round_ = number * rounds_per_day + hit.number
            hits.append(PaidHit(number, round_, hit.winners, posted, paid, fund.taken_over > before))
        fund.close_day(day.box, day.tray, day=number)
        closes.append((*fund.lying, fund.owed))
    seedings, amounts = tuple(fund.seedings), np.array(closes, np.int64)
    return JackpotHistory(
        policy, table.title, table.seats, rounds_per_day, amounts, tuple(hits), seedings, fund.books, expected
    )


def summary(history: JackpotHistory) -> dict[str, Any]:
    """Writes the JSON document of a history, with amounts in cents."""
    policy = asdict(history.policy)
    primary, backup, second_backup, _ = history.closes.T
    return {
        "days": history.days,
        "rounds": history.days * history.rounds_per_day,
        "rounds_per_day": history.rounds_per_day,
        "seats": history.seats,
        "policy": {**policy, "recovery": str(policy["recovery"]), "fee": str(policy["fee"])},
        "posted": spread_of(primary),
        "hits": {hand: _hits(history, hand) for hand in history.expected},
        "backups": {
            "days_with_one": int((backup > 0).sum()),
            "days_with_two": int((second_backup > 0).sum()),
            "taken_over": sum(hit.by_backup for hit in history.hits),
            "largest": int(backup.max()),
        },
        "seeds": {
            "put_up": len(history.seedings),
            "cents": history.books.seeded,
            "recovered": history.books.recovered,
            "days_to_recover": spread_of(history.days_to_recover),
        },
        "books": asdict(history.books),
    }


def _hits(history: JackpotHistory, hand: str) -> dict[str, Any]:
    hits = history.hits_of(hand)
    return {
        "count": len(hits),
        "expected": float(history.expected[hand]),
        "posted": spread_of([hit.posted for hit in hits]),
        "paid": spread_of([hit.paid for hit in hits]),
        "days_between": spread_of(history.days_between(hand).tolist()),
    }
