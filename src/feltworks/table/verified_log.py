"""A log that is followed: each event has to be the one that stands there, and the cards come from it."""

from collections.abc import Sequence

from feltworks.cards import cards
from feltworks.dealing.shoes import Commitment, Reveal
from feltworks.errors import LogError, brief
from feltworks.rules.round import FACE_DOWN, Back, Face
from feltworks.rules.steps import Chance, Draw, Peek
from feltworks.table.events import Closed, Dealt, Ending, Event, Opened, Peeked, Turned, Voided
from feltworks.table.log import Entry, Log, Sink, seal_of

ENDS_EARLY = "the log ends before the round is over"


class FollowedLog(Log):
    """A log that is being relived: every event has to be the one that stands there, up to its end."""

    def __init__(
        self, lines: Sequence[bytes], read: Sequence[Entry], *, past_end: bool, sink: Sink | None = None
    ) -> None:
        super().__init__(sink)
        self._number = read[0].n - 1
        self._given, self._entries, self._past_end = lines, read, past_end
        assert isinstance(read[0].event, Opened)
        self.opened: Opened = read[0].event

    @property
    def ahead(self) -> Event | None:
        """The event that comes next; None at the end."""
        at = len(self.lines)
        return self._entries[at].event if at < len(self._entries) else None

    @property
    def events(self) -> list[Event]:
        return [entry.event for entry in self._entries]

    def trouble(self, what: object) -> LogError:
        """What is wrong with the line that comes next, or with the end of the log."""
        return LogError(f"line {min(len(self.lines) + 1, len(self._entries))} of the log: {what}")

    def begin_round(self, opened: Opened) -> None:
        if self.lines:  # a later round, after the one that was resumed
            self._given, self._entries = (), ()
        if not self._follows(opened):
            super().begin_round(opened)

    def write(self, event: Event) -> None:
        if not self._follows(event):
            super().write(event)

    def end_round(self, ending: Ending) -> None:
        if not self._follows(ending):
            super().end_round(ending)

    def _follows(self, event: Event) -> bool:
        """Whether the event stands in the log; False past its end."""
        ahead = self.ahead
        if ahead is None:
            if not self._past_end:
                raise self.trouble(ENDS_EARLY)
            return False
        if event != ahead:
            if isinstance(ahead, Voided) and not isinstance(event, Voided):
                raise CalledOff(ahead.reason)
            raise self.trouble(_difference(ahead, event))
        line = self._given[len(self.lines)] + b"\n"
        self._text += line
        self._number, self._head = self._number + 1, seal_of(line)
        return True


class LoggedDealer:
    """Deals what the log says was dealt."""

    def __init__(self, log: FollowedLog) -> None:
        self._log = log

    def begin_round(self) -> Commitment:
        return self._log.opened.commitment

    def answer(self, step: Chance) -> tuple[Face, ...]:
        event = self._log.ahead
        if isinstance(event, Dealt) and isinstance(step, Draw):
            return (FACE_DOWN,) * step.count if step.down else cards(event.faces)
        if isinstance(event, Turned):
            return cards(event.faces)
        if isinstance(event, Peeked) and isinstance(step, Peek):
            return cards([event.face]) if event.face else (Back(barring=step.wanted),)
        if isinstance(event, Voided):
            raise CalledOff(event.reason)
        awaited = f"it says {kind(event)} where the procedure awaits {type(step).__name__.lower()}"
        raise self._log.trouble(awaited if event else ENDS_EARLY)

    def end_round(self) -> Reveal | None:
        event = self._log.ahead
        return event.reveal if isinstance(event, Closed | Voided) else None


class CalledOff(Exception):
    """The followed round was voided at this point."""


def kind(event: Event | None) -> str:
    """An event's name in a sentence."""
    return type(event).__name__.lower()


def _difference(said: Event, given: Event) -> str:
    """What the log says and what the rules give, as short as it can be said."""
    if type(said) is not type(given):
        return f"it says {kind(said)} where the rules give {kind(given)}"
    for field in said.__struct_fields__:
        theirs, ours = getattr(said, field), getattr(given, field)
        if theirs != ours:
            return f"{kind(said)} says {field} {brief(theirs)} where the rules give {brief(ours)}"
    raise AssertionError("two events that differ in no field")
