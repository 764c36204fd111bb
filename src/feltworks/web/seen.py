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
        "round": table.rounds if table.live else None,
        "running": table.is_running,
        "you": None,
        "stack": None,
        "spots_of_you": [],
        "seats": seats,
        "dealer": eyes.dealer,
        "board": codes(eyes.round.board) if eyes.round else [],
        "decisions": eyes.decisions,
        "to_act": sorted({table.seats[step.seat].spot for step in table.decisions}),
        "countdown": room.countdown.shown(),
        "lines": eyes.lines,
        "says": room.says,
        "meters": table.house.meters,
        "commitment": sealed.digest if sealed else None,
        "reveal": room.fair_deal.seed,
        "seeded": bool(table.is_seeded),
        "limits": room.limits,
        "session": None,
        "as_approved": not table.game.terms.deviations,
    }
    return Public(eyes, seats, shown)


def personal(room: "Room", everybody: Public, player: str) -> Shown:
    """The table through one player's eyes: what everybody sees, and what only this seat may know."""
    eyes, before = looked(room, player), everybody.eyes
    seats = list(everybody.seats)
    for seat, mine, theirs in zip(room.table.seats, eyes.played, before.played, strict=True):
        if mine is not theirs:
            seats[seat.spot - 1] = _seat(room, eyes, seat.spot)
    seated = room.table.seating.players[player]
    return {
        **everybody.shown,
        "you": player,
        "stack": seated.stack,
        "spots_of_you": seated.spots,
        "seats": seats,
        "decisions": eyes.decisions,
        "lines": eyes.lines,
        "session": eyes.session,
    }


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
    if number is not None and eyes.played and (room.table.is_running or not lying):
        shown |= eyes.played[number]
    return Raw(_encode(shown))
