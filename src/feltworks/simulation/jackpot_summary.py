"""A jackpot's history in a few numbers, as one JSON document holds them; amounts in cents."""

from typing import Any

from msgspec.structs import asdict

from feltworks.simulation.jackpot_years import JackpotHistory, Spread


def summary(history: JackpotHistory) -> dict[str, Any]:
    """What there is to say of a history."""
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
