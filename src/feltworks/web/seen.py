"""What one client is shown of a table: the seat's own view of it, with the words and totals of the felt."""

from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw, Struct

from feltworks.web.looking import Looked, Shown, codes, looked

if TYPE_CHECKING:
    from feltworks.web.room import Room

_encode = msgspec.json.Encoder().encode


class Public(Struct, frozen=True):
    """The table as everybody may know it, worked out once for all who look at it."""

    eyes: Looked
    seats: list[Raw]
    shown: Shown


def public(room: "Room") -> Public:
    """What a bystander sees."""
    eyes = looked(room, None)
    table, sealed = room.table, room.fair_deal.commitment(room.table)
    seats = [_seat(room, eyes, spot) for spot in range(1, table.seating.spots + 1)]
    shown: Shown = {
        "game": table.game.terms.rulebook.name,
        "name": room.name,
        "running": table.is_running,
        "you": None,
        "stack": None,
        "spots_of_you": [],
        "seats": seats,
        **_middle(room, eyes),
        "decisions": eyes.decisions,
        "to_act": sorted({table.seats[step.seat].spot for step in table.decisions}),
        "countdown": room.countdown.shown(),
        "meters": table.house.meters,
        "commitment": sealed.digest if sealed else None,
        "reveal": room.fair_deal.seed,
        "seeded": bool(table.is_seeded),
        "limits": room.limits,
        "seat_kept": round(room.times.away),
        "session": None,
        "as_approved": not table.game.terms.deviations,
    }
    return Public(eyes, seats, shown)


def personal(room: "Room", everybody: Public, player: str) -> Shown:
    """The table through one player's eyes: what everybody sees, and what only this seat may know."""
    eyes = looked(room, player)
    seated = room.table.seating.players[player]
    return {
        **everybody.shown,
        "you": player,
        "stack": seated.stack,
        "spots_of_you": seated.spots,
        "seats": _seats(room, everybody, eyes),
        **_middle(room, eyes),
        "decisions": eyes.decisions,
        "session": eyes.session,
    }


def _middle(room: "Room", eyes: Looked) -> Shown:
    """What lies and was said in the middle of the table; nothing where these eyes see a clean felt."""
    return {
        "round": room.table.rounds if eyes.round else None,
        "dealer": eyes.dealer,
        "board": codes(eyes.round.board) if eyes.round else [],
        "lines": eyes.lines,
        "says": room.says if eyes.round else None,
    }


def _seats(room: "Room", everybody: Public, eyes: Looked) -> list[Raw]:
    """The seats through one player's eyes: drawn up anew only where they see something else."""
    if eyes.round is None:
        return [_seat(room, eyes, spot) for spot in range(1, room.table.seating.spots + 1)]
    seats = list(everybody.seats)
    for seat, mine, theirs in zip(room.table.seats, eyes.played, everybody.eyes.played, strict=True):
        if mine is not theirs:
            seats[seat.spot - 1] = _seat(room, eyes, seat.spot)
    return seats


def _seat(room: "Room", eyes: Looked, spot: int) -> Raw:
    owner = room.table.seating.at.get(spot)
    if owner is None:
        return Raw(_encode({"spot": spot, "player": None}))
    number = next((n for n, seat in enumerate(room.table.seats) if seat.spot == spot), None)
    lying = room.table.seating.down.get(spot)
    shown: Shown = {
        "spot": spot,
        "player": owner.name,
        "stack": owner.stack,
        "away": room.is_away(owner.name),
        "leaving": owner.name in room.leaving,
        "wagers": lying.wagers if lying else {},
        "tokes": lying.tokes if lying else {},
        "cards": [],
        "status": None,
        "in_round": False,
        "ready": owner.name in room.ready,
        "net": None,
        "hands": None,
        "total": None,
        "tucked": None,
        "burned": [],
        "discarded": False,
    }
    is_newcomer = owner.name in room.newcomers  # what lies on the spot was somebody else's
    if number is not None and eyes.played and not is_newcomer and (room.table.is_running or not lying):
        shown |= eyes.played[number]
    return Raw(_encode(shown))
