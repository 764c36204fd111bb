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
from feltworks.simulation.jackpot.play import DAYS_A_YEAR, DayOfPlay, ProgressiveTable, play_years
from feltworks.simulation.plan import Plan

_PARTS: Final = {"least": 0.0, "5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95, "most": 1.0}


def spread_of(numbers: Sequence[float] | NDArray[np.int64]) -> dict[str, float]:
    """How many numbers there are, and their quantiles, each a number that is among them.

    >>> spread_of([4, 1, 3, 2])["median"]
    2
    """
    if not len(numbers):
        return {"count": 0}
    quantiles = np.quantile(np.asarray(numbers), list(_PARTS.values()), method="inverted_cdf").tolist()
    return {"count": len(numbers), **dict(zip(_PARTS, quantiles, strict=True))}


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

    def days_between(self, hand: str) -> NDArray[np.float64]:
        """Days from one hit with this hand to the next, to the round."""
        rounds = np.array([hit.round for hit in self.hits_of(hand)], np.int64)
        return np.diff(rounds) / self.rounds_per_day

    @property
    def days_to_recover(self) -> list[int]:
        """How long the house waited for its seed money, where it has it back."""
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
    """The jackpot of a table over years of 365 days, under several policies by their names.

    The seats of the plan with the progressive wager are dealt to in every round; what else they wager does
    not touch the jackpot. The same seed gives the same play under every policy and on any executor.
    `progress` gets the days played and all days.
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
    """The books of these days under a policy."""
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
    """The JSON document of a history, amounts in cents."""
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
