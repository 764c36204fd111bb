"""Readings of the audit that several games have alike, word and figure: told once, with the games named."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.audit.readings import AuditedReading


class Readings(Struct, frozen=True):
    """Readings as the report tells them, of one game or of several alike."""

    games: tuple[str, ...]
    all: tuple[AuditedReading, ...]

    @property
    def open(self) -> list[AuditedReading]:
        """Those whose other ways to read change an edge."""
        return [each for each in self.all if each.effects]

    @property
    def quiet(self) -> list[AuditedReading]:
        return [each for each in self.all if not each.effects]


def by_games(found: Iterable[AuditedReading]) -> list[Readings]:
    """The readings by the games that have them, in the order in which the games come."""
    alike: dict[str, list[AuditedReading]] = {}
    for each in found:
        alike.setdefault(_told(each), []).append(each)
    together: dict[tuple[str, ...], list[AuditedReading]] = {}
    for same in alike.values():
        together.setdefault(tuple(each.game for each in same), []).append(same[0])
    return [Readings(games, tuple(readings)) for games, readings in together.items()]


def of(game: str, found: Sequence[Readings]) -> Readings:
    """What one game alone reads so."""
    return next((each for each in found if each.games == (game,)), Readings((game,), ()))


def _told(each: AuditedReading) -> str:
    """All that is said of a reading but the game: where an edge differs, two readings are not alike."""
    return repr((each.reading, [replace(effect, game="") for effect in each.effects]))
