"""A table as it was when the server went: the same stacks, the same wagers down, the same round."""

from typing import TYPE_CHECKING

from feltworks.table.log import Log, decode_line
from feltworks.table.replay import resume
from feltworks.table.storage import InterruptedRound
from feltworks.table.table import Table
from feltworks.web.keeping import Kept, RoomKeeping

if TYPE_CHECKING:
    from feltworks.web.room import Room


def restored(room: "Room", keeping: RoomKeeping, kept: Kept) -> Table:
    """The table between two rounds or within one, with everybody who sat there."""
    room.members = {member.session: member.name for member in kept.members}
    room.sessions = {member.name: member.results for member in kept.members}
    _count_absences(room, kept)
    interrupted = keeping.interrupted(kept)
    if interrupted is None:
        return _seated_again(room, keeping, kept)
    return _resumed(room, keeping, interrupted)


def _count_absences(room: "Room", kept: Kept) -> None:
    """Nobody is there yet: absences that had begun go on, all others begin now."""
    now, times = room.clock(), room.times
    room.away_since = {m.name: times.since(m.away_since, now, times.away) for m in kept.members}
    unused = times.unused_private if room.new.private else times.unused
    room.unused_since = times.since(kept.unused_since, now, unused)


def _resumed(room: "Room", keeping: RoomKeeping, interrupted: InterruptedRound) -> Table:
    """In the middle of a round, or at its end where the seats had not been written down yet."""
    table = resume(
        interrupted.lines,
        room.source(room.game.terms),
        interrupted.secret,
        game=room.game,
        limits=room.posted,
        sink=room.note,
        vault=keeping.vault,
    )
    for line in table.log.lines:
        room.take_in(decode_line(line, 0).event)
    if not table.is_running:
        table.log = Log(room.note, after=keeping.last_line)
    return table


def _seated_again(room: "Room", keeping: RoomKeeping, kept: Kept) -> Table:
    """Between two rounds: everybody sits where they sat, with what was theirs."""
    table = room.set_up(kept.house, Log(room.note, after=keeping.last_line))
    table.rounds = kept.round
    if shoe := keeping.spent():
        room.fair_deal.abandon(shoe)
    for member in kept.members:
        down = sum(sum((*seat.wagers.values(), *seat.tokes.values())) for seat in member.down.values())
        table.sit(member.name, *member.spots, stack=member.stack + down)
        for spot, seat in member.down.items():
            table.wager(member.name, spot, seat.wagers, seat.tokes)
    return table
