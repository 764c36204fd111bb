"""A progressive jackpot over years: its sizes, the time between hits, backups and seeds (SP.13–18)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict
from numpy.typing import NDArray

from feltworks.analysis.solvers.progressive import Progressive
from feltworks.money import Cents
from feltworks.simulation.jackpot.fund import Books, JackpotFund, JackpotPolicy, Seeding
from feltworks.simulation.jackpot.play import DAYS_A_YEAR, DayOfPlay, JackpotHit, ProgressiveTable, play_years
from feltworks.simulation.plan import Plan

_PARTS: Final = {"5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95}


class Spread(Struct, frozen=True):
    """How a number was spread over all that was seen of it: how many, the least, quantiles, the most."""

    count: int
    quantiles: Mapping[str, float]

    @classmethod
    def of(cls, numbers: Sequence[float] | NDArray[np.int64]) -> "Spread":
        """Quantiles are numbers that were seen, none in between.

        >>> Spread.of([4, 1, 3, 2]).quantiles["median"]
        2
        """
        if not len(numbers):
            return cls(0, {})
        parts = {"least": 0.0, **_PARTS, "most": 1.0}
        quantiles = np.quantile(np.asarray(numbers), list(parts.values()), method="inverted_cdf").tolist()
        return cls(len(numbers), dict(zip(parts, quantiles, strict=True)))


class PaidHit(Struct, frozen=True):
    """A hit with its money: the day, the round since the first day, the winning hands, posted and paid."""

    day: int
    round: int
    winners: tuple[str, ...]
    posted: Cents
    paid: Cents
    by_backup: bool  # whether a backup stood ready when the primary was emptied


class JackpotHistory(Struct, frozen=True):
    """All that happened to a jackpot: each day's close, every hit, every seeding, and the books."""

    policy: JackpotPolicy
    title: str  # of the wager
    seats: int
    rounds_per_day: int
    closes: NDArray[np.int64]  # by day: primary, backup, second backup, seed money not yet recovered
    hits: tuple[PaidHit, ...]
    seedings: tuple[Seeding, ...]
    books: Books
    expected: Mapping[str, Fraction]  # hits of each winning hand that exact counting leads to expect

    @property
    def days(self) -> int:
        return len(self.closes)

    def hits_of(self, hand: str) -> list[PaidHit]:
        """The hits with this winning hand."""
        return [hit for hit in self.hits if hand in hit.winners]

    @property
    def posted(self) -> Spread:
        """The jackpot as it stood at the close of each day, in cents."""
        return Spread.of(self.closes[:, 0])

    def sizes(self, hand: str) -> Spread:
        """The jackpot posted when this hand hit it, in cents."""
        return Spread.of([hit.posted for hit in self.hits_of(hand)])

    def days_between(self, hand: str) -> Spread:
        """Days from one hit to the next, to the round."""
        rounds = np.array([hit.round for hit in self.hits_of(hand)], np.int64)
        return Spread.of((np.diff(rounds) / self.rounds_per_day).tolist())

    @property
    def days_to_recover(self) -> Spread:
        """How long the house waited for its seed money, where it has it back."""
        return Spread.of([s.recovered_on - s.day for s in self.seedings if s.recovered_on is not None])

    def days_with_backups(self, count: int) -> int:
        """Days that closed with so many backups at least."""
        return int((self.closes[:, count] > 0).sum())

    @property
    def taken_over(self) -> int:
        """How often a backup stood ready when the primary was emptied."""
        return sum(hit.by_backup for hit in self.hits)


def jackpot_years(
    plan: Plan,
    *,
    years: int,
    rounds_per_day: int,
    seed: int = 0,
    policy: JackpotPolicy | None = None,
    executor: Executor | None = None,
) -> JackpotHistory:
    """The jackpot of the plan's table over so many years of 365 days, from its first seed on.

    The seats of the plan with the progressive wager are dealt to in every round; what else they wager does
    not touch the jackpot. The same seed gives the same play under every policy and on any executor.
    """
    policy = policy or JackpotPolicy()
    histories = jackpot_policies(
        plan,
        {"": policy},
        years=years,
        rounds_per_day=rounds_per_day,
        seed=seed,
        executor=executor,
    )
    return histories[""]


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
    """The same play under several policies, by their names; `progress` gets the days played and all days."""
    table = ProgressiveTable(plan)
    for policy in policies.values():
        policy.check(table.meter)
    played = play_years(plan, years=years, rounds_per_day=rounds_per_day, seed=seed, executor=executor)
    days = []
    for day in played:
        days.append(day)
        if progress is not None and len(days) % DAYS_A_YEAR == 0:
            progress(len(days), years * DAYS_A_YEAR)
    exact = Progressive(table.game, wager=table.wager)
    rounds = len(days) * rounds_per_day
    hands = [outcome for outcome in table.game.pays[table.wager] if outcome in exact.winning_hands]
    expected = {hand: rounds / exact.rounds_between(hand, table.seats) for hand in hands}
    return {
        name: history_of(table, days, policy, rounds_per_day, expected) for name, policy in policies.items()
    }


def history_of(
    table: ProgressiveTable,
    days: Iterable[DayOfPlay],
    policy: JackpotPolicy,
    rounds_per_day: int,
    expected: Mapping[str, Fraction],
) -> JackpotHistory:
    """The books of these days under a policy."""
    fund, hits, closes = JackpotFund(policy, table.meter), [], []
    for number, day in enumerate(days):
        hits += [_pay_hit(table, fund, hit, number, rounds_per_day) for hit in day.hits]
        fund.close_day(day.box, day.tray, day=number)
        closes.append((*fund.lying, fund.owed))
    return JackpotHistory(
        policy,
        table.title,
        table.seats,
        rounds_per_day,
        np.array(closes, np.int64),
        tuple(hits),
        tuple(fund.seedings),
        fund.books,
        expected,
    )


def _pay_hit(
    table: ProgressiveTable, fund: JackpotFund, hit: JackpotHit, day: int, rounds_per_day: int
) -> PaidHit:
    posted, before = fund.posted, fund.taken_over
    paid, empties = table.payment(hit, posted)
    fund.win(paid, day=day, empties=empties)
    return PaidHit(
        day,
        day * rounds_per_day + hit.round,
        hit.winners,
        posted,
        paid,
        fund.taken_over > before,
    )


def summary(history: JackpotHistory) -> dict[str, Any]:
    """The JSON document of a history, amounts in cents."""
    return {
        "days": history.days,
        "rounds": history.days * history.rounds_per_day,
        "rounds_per_day": history.rounds_per_day,
        "seats": history.seats,
        "policy": _policy(history),
        "posted": _spread(history.posted),
        "hits": {hand: _hits(history, hand) for hand in history.expected},
        "backups": {
            "days_with_one": history.days_with_backups(1),
            "days_with_two": history.days_with_backups(2),
            "taken_over": history.taken_over,
            "largest": int(history.closes[:, 1].max()),
        },
        "seeds": {
            "put_up": len(history.seedings),
            "cents": history.books.seeded,
            "recovered": history.books.recovered,
            "days_to_recover": _spread(history.days_to_recover),
        },
        "books": asdict(history.books),
    }


def _policy(history: JackpotHistory) -> dict[str, Any]:
    policy = asdict(history.policy)
    return {**policy, "recovery": str(policy["recovery"]), "fee": str(policy["fee"])}


def _hits(history: JackpotHistory, hand: str) -> dict[str, Any]:
    hits = history.hits_of(hand)
    return {
        "count": len(hits),
        "expected": float(history.expected[hand]),
        "posted": _spread(history.sizes(hand)),
        "paid": _spread(Spread.of([hit.paid for hit in hits])),
        "days_between": _spread(history.days_between(hand)),
    }


def _spread(spread: Spread) -> dict[str, Any]:
    return {"count": spread.count, **spread.quantiles}
