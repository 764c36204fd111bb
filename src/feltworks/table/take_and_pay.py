"""Take and pay: in which order lines are settled at the table, and where each cent goes."""

from collections.abc import Iterable
from typing import Any

from feltworks.rules.game import Game
from feltworks.rules.pay_table import Rest, Share
from feltworks.rules.wager import Line
from feltworks.table.events import Settled
from feltworks.table.house import House
from feltworks.table.seating import Player


def in_order(lines: Iterable[Line]) -> list[Line]:
    """FB.18, SP.23, LL.5: from the dealer's right; of each seat losers, then pushes, then winners."""
    return sorted(lines, key=lambda line: (-line.seat, (line.net > 0) - (line.net < 0)))


def boxes(game: Game[Any]) -> dict[str, str]:
    """SP.15: the wagers whose losers go into a drop box of their own, and the meter that box feeds."""
    return {
        name: pay.meter
        for name, pays in game.pays.items()
        for pay in pays.values()
        if isinstance(pay, Share | Rest)
    }


def settled(line: Line, *, box: str, keeps_stake: bool) -> Settled:
    """The money a line moves: what is taken, what is paid, and what of the wager goes back."""
    award, net = line.award, line.net
    if award is None:
        taken, paid, meter = (0, net, "") if net > 0 else (-net, 0, "")
    else:
        taken, paid = line.wagered if keeps_stake else 0, award.cents
        meter = award.source if paid and award.source != "tray" else ""
    return Settled(
        line.seat,
        line.wager,
        line.outcome,
        line.clauses[0],
        taken,
        paid,
        line.wagered - taken,
        line.part,
        line.toke,
        box if taken else "",
        meter,
    )


def move(event: Settled, house: House, player: Player) -> None:
    """Carry the money; what a toke wins or brings back is the dealers' (LB.10)."""
    if event.box:
        house.boxes[event.box] = house.boxes.get(event.box, 0) + event.taken
    else:
        house.tray += event.taken
    if event.meter:
        house.meters[event.meter] -= event.paid  # SP.16: a win lowers the posted amount at once
    else:
        house.tray -= event.paid
    if event.toke:
        house.tokes += event.paid + event.returned
    else:
        player.stack += event.paid + event.returned
