"""The JSON documents of sessions and of a house's days: quantiles, risks and bankrolls, in cents."""

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

from feltworks.errors import BadOption
from feltworks.money import Cents
from feltworks.simulation.paths.play import DayStatistics, HouseDays, Sessions
from feltworks.simulation.paths.statistics import Histogram, PathStatistics, points_of
from feltworks.simulation.plan import Plan
from feltworks.simulation.result import exact_edges, table_document

PARTS: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
BANDS: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
SAFETIES: Final = (0.9, 0.95, 0.99, 0.999)
_SURE: Final = 1.96


def percent(part: float) -> str:
    """A part as a percentage.

    >>> percent(0.05), percent(0.999)
    ('5%', '99.9%')
    """
    return f"{100 * part:.10g}%"


def session_document(sessions: Sessions, statistics: PathStatistics, safety: float | None) -> dict[str, Any]:
    """The document of a player's sessions."""
    plan, bankroll, needed = sessions.plan, sessions.bankroll, sessions.needed
    expected = None if bankroll is not None else _expected(plan, plan.seats[:1], sessions.rounds)
    safeties = _safeties(safety, statistics.paths)
    return {
        "game": plan.game,
        "seed": sessions.seed,
        "session_rounds": sessions.rounds,
        "sessions": statistics.paths,
        "result": _result(statistics.result, expected),
        "ahead": 1 - statistics.result.share_below(1),
        "longest_losing_run": _quantiles(statistics.longest),
        "drawdown": _quantiles(statistics.drawdown),
        "needed": needed,
        "ruin": None
        if bankroll is None
        else {**_ruin(statistics, bankroll, needed), "rounds_lasted": _quantiles(statistics.lasted)},
        "bankroll_for": {percent(part): statistics.bankroll(part, needed) for part in safeties},
        "bands": _bands(statistics, sessions.rounds),
        **table_document(plan),
    }


def house_document(
    house: HouseDays, days: DayStatistics, more_than: Cents | None, safety: float | None
) -> dict[str, Any]:
    """The document of a house's days."""
    plan, losses, stretches = house.plan, days.wins.negate(), days.stretches
    wins = _result(days.wins, _expected(plan, plan.seats, house.rounds_per_day, for_house=True))
    return {
        "game": plan.game,
        "seed": house.seed,
        "days": days.wins.count,
        "rounds_per_day": house.rounds_per_day,
        "win": wins,
        "losing_days": days.wins.share_below(0),
        "loses_more_than": None
        if more_than is None
        else {"cents": more_than, **_share(days.wins.share_below(-more_than), days.wins.count)},
        "reserve_for": {percent(part): max(0, losses.quantile(part)) for part in _safeties(safety, losses.count)},
        "horizon": house.horizon,
        "stretches": stretches.paths if stretches else 0,
        **(_stretches(house, stretches, safety) if stretches else {}),
        **table_document(plan),
    }


def _stretches(house: HouseDays, stretches: PathStatistics, safety: float | None) -> dict[str, Any]:
    bankroll = house.bankroll
    return {
        "losing_stretches": stretches.result.share_below(0),
        "longest_losing_run": _quantiles(stretches.longest),
        "drawdown": _quantiles(stretches.drawdown),
        "ruin": None if bankroll is None else _ruin(stretches, bankroll, 0),
        "bankroll_for": {percent(part): stretches.bankroll(part) for part in _safeties(safety, stretches.paths)},
        "bands": _bands(stretches, house.horizon),
    }


def check_safety(safety: float | None, count: int, option: str) -> None:
    """Refuse a safety that so few sessions or stretches say nothing about."""
    if safety is not None and count * (1 - safety) < 1 - 1e-9:
        wanted = f"at least {round(1 / (1 - safety)):,} for a safety of {percent(safety)}"
        raise BadOption(option, count, wanted)


def _safeties(safety: float | None, count: int) -> list[float]:
    return sorted({part for part in (*SAFETIES, safety) if part and count * (1 - part) >= 1 - 1e-9})


def _expected(plan: Plan, seats: Sequence[dict[str, Cents]], rounds: int, *, for_house: bool = False) -> float | None:
    """What the exact edges come to; None where one of them is not known."""
    edges = exact_edges(plan)
    if any(edge is None for edge in edges.values()):
        return None
    won = sum(float(edges[name] or 0) * cents for seat in seats for name, cents in seat.items()) * rounds
    return won if for_house else -won


def _result(histogram: Histogram, expected: float | None) -> dict[str, Any]:
    error = histogram.deviation / sqrt(histogram.count)
    return {
        "mean": histogram.mean,
        "standard_error": error,
        "expected": expected,
        "z": None if expected is None or not error else (histogram.mean - expected) / error,
        "standard_deviation": histogram.deviation,
        **_quantiles(histogram),
    }


def _quantiles(histogram: Histogram) -> dict[str, int]:
    parts = {percent(part): histogram.quantile(part) for part in PARTS}
    return {"least": histogram.quantile(0), **parts, "most": histogram.quantile(1)}


def _ruin(statistics: PathStatistics, bankroll: Cents, needed: Cents) -> dict[str, Any]:
    return {"bankroll": bankroll, **_share(statistics.ruin_share(bankroll, needed), statistics.paths)}


def _share(share: float, count: int) -> dict[str, Any]:
    """A part of so many, and where it lies with 95 percent certainty (Wilson)."""
    square = _SURE**2 / count
    middle, width = share + square / 2, _SURE * sqrt(share * (1 - share) / count + square / (4 * count))
    low, high = ((middle + way * width) / (1 + square) for way in (-1, 1))
    return {"probability": share, "interval": [max(0.0, low), min(1.0, high)]}


def _bands(statistics: PathStatistics, length: int) -> list[dict[str, int]]:
    at = zip(points_of(length), statistics.bands, strict=True)
    return [{"after": point, **{percent(part): band.quantile(part) for part in BANDS}} for point, band in at]
