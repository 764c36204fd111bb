"""Take and pay: in which order lines are settled at the table, and where each cent goes."""

from collections.abc import Iterable, Iterator
from typing import Any

from feltworks.rules.game import Game
from feltworks.rules.pay_table import Rest, Share
from feltworks.rules.wager import Line
from feltworks.table.events import Movement, Paid, Returned, Taken
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


def movements(line: Line, *, box: str, keeps_stake: bool) -> Iterator[Movement]:
    """The money a line moves: what is taken, what is paid, and what of the wager goes back."""
    award = line.award
    won = award.cents if award else max(line.net, 0)
    lost = (line.wagered if keeps_stake else 0) if award else max(-line.net, 0)
    seat, wager, part, toke, clause = line.seat, line.wager, line.part, line.toke, line.clauses[0]
    if lost:
        yield Taken(seat, wager, lost, line.outcome, clause, part, toke, box)
    if won:
        meter = award.source if award and award.source != "tray" else ""
        yield Paid(seat, wager, won, line.outcome, clause, part, toke, meter)
    if lost < line.wagered:
        yield Returned(seat, wager, line.wagered - lost, part, toke)


def move(event: Movement, house: House, player: Player) -> None:
    """Carry the money; what a toke wins or brings back is the dealers' (LB.10)."""
    cents = event.cents
    if isinstance(event, Taken):
        if event.box:
            house.boxes[event.box] = house.boxes.get(event.box, 0) + cents
        else:
            house.tray += cents
        return
    if isinstance(event, Paid):
        if event.meter:
            house.meters[event.meter] -= cents  # SP.16: a win lowers the posted amount at once
        else:
            house.tray -= cents
    if event.toke:
        house.tokes += cents
    else:
        player.stack += cents
