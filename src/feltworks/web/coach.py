"""The coach beside a seat: what each choice is worth, worked out away from the table so that play goes on."""

import asyncio
from fractions import Fraction
from typing import Any

from feltworks.analysis.strategy.advice import advice as worked_out
from feltworks.errors import NotNow
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide
from feltworks.web import wire
from feltworks.web.room import Guest, Room


async def advice(room: Room, guest: Guest, asked: wire.Coach) -> bytes:
    """The worth of every open choice of a spot, from what its player may know."""
    player = room.player_of(guest)
    view = room.table.view(player) if player else None
    steps = view.decisions if view else ()
    step = next((s for s in steps if room.table.seats[s.seat].spot == asked.spot), None)
    if view is None or view.round is None or step is None:
        raise NotNow("there is nothing to decide on that spot now")
    told = await asyncio.to_thread(_told, room.game, view.round, step)
    return wire.written({"type": "coach", "id": asked.id, "spot": asked.spot, **told})


def _told(game: Game[Any], r: Round, step: Decide) -> dict[str, Any]:
    found = worked_out(game, r, step)
    values = [
        {
            "name": name,
            "value": float(worth),
            "exact": f"{worth.numerator}/{worth.denominator}" if isinstance(worth, Fraction) else None,
        }
        for name, worth in sorted(found.worth.items(), key=lambda item: -item[1])
    ]
    return {"best": found.best, "values": values}
