"""What the rules have to happen next at a practice table: a real table's events, kept until done."""

from collections.abc import Iterator
from typing import Final

from feltworks.rules.steps import Burn, Tuck
from feltworks.table.events import Ending, Event, LineSettled, RoundOpened
from feltworks.table.log import Log


class Script(Log):
    """A log that is not written down but played: the dealer's steps in the order of the procedure."""

    def __init__(self) -> None:
        super().__init__()
        self.events: Final[list[Event]] = []

    def begin_round(self, opened: RoundOpened) -> None:
        self.events.append(opened)

    def write(self, event: Event) -> None:
        self.events.append(event)

    def end_round(self, ending: Ending) -> None:
        self.events.append(ending)

    def open_to_do(self) -> Iterator[int]:
        """Which events may be done now: the first, and those that no rule puts after it."""
        for index, event in enumerate(self.events):
            if index and not _together(self.events[0], event):
                return
            yield index


def _together(first: Event, other: Event) -> bool:
    """Losers of one hand are taken in any order, as are its winners paid; so are one seat's gestures made."""
    if isinstance(first, LineSettled) and isinstance(other, LineSettled):
        return first.seat == other.seat and _class(first) == _class(other)
    if isinstance(first, Tuck | Burn) and isinstance(other, Tuck | Burn):
        return _place(first) == _place(other)
    return False


def _class(event: LineSettled) -> int:
    return (event.paid > 0) - (event.taken > 0 and not event.paid)


def _place(event: Tuck | Burn) -> int:
    return event.seat if isinstance(event, Tuck) else event.at
