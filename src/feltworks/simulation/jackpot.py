"""A progressive jackpot over years: daily wagers, its sizes, hits, backups and seeds, and its money (SP.13–18).

A jackpot run by hand (SP.16): a day's additions are posted the next day, wins are deducted at once.
"""

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
from feltworks.money import Cents, dollars
from feltworks.rules.jackpot import BACKUP, JACKPOT, SECOND_BACKUP, SEED, Pot, PouringRules, pour
from feltworks.rules.pay_table import Fixed, Rest, Share, meters_of
from feltworks.rules.round import Choice
from feltworks.rules.rulebook.model import MeterEntry
from feltworks.simulation.plan import Plan, check_number
from feltworks.simulation.rounds.ends import PrizeRound
from feltworks.simulation.rounds.machine import MachineKernel
from feltworks.simulation.rounds.plain import deal_round
from feltworks.simulation.tally import SettledLine

PRIMARY = 0  # index of the posted jackpot in the list of amounts; its backups follow
_PLACES: Final[tuple[Pot, ...]] = (JACKPOT, BACKUP, SECOND_BACKUP)


class JackpotPolicy(Struct, frozen=True):
    """The decisions of a house about its jackpot."""

    seed: Cents | None = None  # SP.15: None means the smallest that the rules allow
    recovery: Fraction = Fraction(1)  # SP.17: the part of each addition that goes back until the seed is recovered
    fee: Fraction = Fraction(0)  # SP.16: a part of what is left in the box, if a fee is allowed
    backups: int = 2  # SP.18: the number of backups
    carries_shortfall: bool = False  # SP.16, the other reading: awards above the box wait for later boxes

    def check(self, meter: MeterEntry) -> None:
        """Refuses decisions that the rules do not allow."""
        if self.seed is not None and self.seed < meter.seed:
            raise BadOption("seed money", dollars(self.seed), f"at least {dollars(meter.seed)}")
        if not 0 <= self.recovery <= 1:
            raise BadOption("seed recovery", str(self.recovery), "a part of each addition from 0 to 1")
        if not 0 <= self.fee < 1:
            raise BadOption("fee", str(self.fee), "a part of each addition from 0 to below 1")
        if not 0 <= self.backups <= 2:
            raise BadOption("backups", self.backups, "0, 1 or 2")


# SP.17: both ways to recover the seed
SEED_FIRST: Final = JackpotPolicy()
SEED_BY_HALVES: Final = JackpotPolicy(recovery=Fraction(1, 2))


class Seeding(Struct):
    """Seed money that the house put up: the day, the amount, and the day when all of it was recovered."""

    day: int
    cents: Cents
    recovered: Cents = 0
    recovered_on: int | None = None


class Books(Struct):
    """The totals of all flows of money, in cents."""

    box: Cents = 0  # losing wagers
    tray: Cents = 0  # fixed awards the tray paid
    taken_back: Cents = 0  # out of the box for the tray
    fee: Cents = 0
    recovered: Cents = 0  # seed money taken back
    added: Cents = 0  # to the jackpot and its backups
    seeded: Cents = 0
    won: Cents = 0


class JackpotFund:
    """A jackpot with its backups, under the rules for its meter and a house's policy."""

    def __init__(self, policy: JackpotPolicy, meter: MeterEntry) -> None:
        policy.check(meter)
        self.policy, self.meter, self.books = policy, meter, Books()
        self._new_seed: Cents = meter.seed if policy.seed is None else policy.seed
        self.lying: list[Cents] = [0, 0, 0]
        self.seedings: list[Seeding] = []
        self.taken_over = 0  # how often a backup became the primary
        self._shortfall: Cents = 0
        self._recovered = 0  # the number of seedings recovered
        self._started = 0  # the number of backups that hold money
        self._rules = PouringRules(meter.backups, policy.backups, policy.recovery)
        self._seed(self._new_seed, day=0)

    @property
    def posted(self) -> Cents:
        return self.lying[PRIMARY]

    @property
    def owed(self) -> Cents:
        """Seed money not yet recovered."""
        return self.books.seeded - self.books.recovered

    def win(self, cents: Cents, *, day: int, empties: bool) -> None:
        """SP.16, SP.18: a win lowers the posted amount at once; an emptied primary is replaced."""
        assert 0 <= cents <= self.posted, "more was won than was posted"
        self.books.won += cents
        self.lying[PRIMARY] -= cents
        if empties:
            self._renew(day)

    def _renew(self, day: int) -> None:
        """SP.18: makes the first backup the primary, or puts up a new seed if there is no backup."""
        if not self._started:
            self._seed(self._new_seed, day)
            return
        left, *backups = self.lying  # four royals may leave a few cents
        self.lying = [left + backups[0], *backups[1:], 0]
        self._started -= 1
        self.taken_over += 1
        # SP.15: a jackpot starts from at least the smallest seed, even if the backup holds less
        self._seed(max(0, self.meter.seed - self.posted), day)

    def close_day(self, box: Cents, tray: Cents, *, day: int) -> None:
        """SP.16: takes what the tray paid out of the box and adds the rest, less the fee, to the jackpot."""
        due = tray + self._shortfall
        taken = min(box, due)
        self._shortfall = due - taken if self.policy.carries_shortfall else 0
        fee = int((box - taken) * self.policy.fee)
        self._add(box - taken - fee, day)
        for name, cents in (("box", box), ("tray", tray), ("taken_back", taken), ("fee", fee)):
            setattr(self.books, name, getattr(self.books, name) + cents)

    def _seed(self, cents: Cents, day: int) -> None:
        if cents:
            self.lying[PRIMARY] += cents
            self.books.seeded += cents
            self.seedings.append(Seeding(day, cents))

    def _add(self, addition: Cents, day: int) -> None:
        """SP.17, SP.18: divides an addition among seed, jackpot and backups."""
        held: dict[Pot, Cents] = {SEED: self.owed, **dict(zip(_PLACES, self.lying, strict=True))}
        poured = pour(addition, held, self._started, self._rules)
        recovered = int(poured.total(SEED))
        self._recover(recovered, day)
        self.books.added += addition - recovered
        self.lying = [lying + int(poured.total(pot)) for pot, lying in zip(_PLACES, self.lying, strict=True)]
        self._started = poured.started

    def _recover(self, cents: Cents, day: int) -> None:
        """Pays seed money back to the house, the oldest first."""
        left = cents
        while left:
            oldest = self.seedings[self._recovered]
            part = min(left, oldest.cents - oldest.recovered)
            oldest.recovered += part
            left -= part
            if oldest.recovered == oldest.cents:
                oldest.recovered_on = day
                self._recovered += 1
        self.books.recovered += cents


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
