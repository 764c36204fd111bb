"""Replays against a log: each new event has to equal the logged one, and the cards come from the log."""

from collections.abc import Sequence

from feltworks.cards import cards
from feltworks.dealing.shoes import Commitment, Reveal
from feltworks.errors import LogError, brief
from feltworks.rules.round import FACE_DOWN, Back, Face
from feltworks.rules.steps import Chance, Draw, Peek
from feltworks.table.events import (
    CardPeeked,
    CardsDealt,
    CardsTurned,
    Ending,
    Event,
    RoundClosed,
    RoundOpened,
    RoundVoided,
)
from feltworks.table.log import Entry, Log, Sink, seal_of

ENDS_EARLY = "the log ends before the round is over"


class VerifiedLog(Log):
    """A log that compares each event written to it with the lines it was given, up to their end."""

    def __init__(
        self, lines: Sequence[bytes], logged: Sequence[Entry], *, past_end: bool, sink: Sink | None = None
    ) -> None:
        super().__init__(sink)
        self._number = logged[0].n - 1
        self._given, self._entries, self._past_end = lines, logged, past_end
        assert isinstance(logged[0].event, RoundOpened)
        self.opened: RoundOpened = logged[0].event

    @property
    def ahead(self) -> Event | None:
        """The next logged event; None at the end."""
        at = len(self.lines)
        return self._entries[at].event if at < len(self._entries) else None

    @property
    def events(self) -> list[Event]:
        return [entry.event for entry in self._entries]

    def error(self, what: object) -> LogError:
        """An error about the next line, or about the end of the log."""
        return LogError(f"line {min(len(self.lines) + 1, len(self._entries))} of the log: {what}")

    def begin_round(self, opened: RoundOpened) -> None:
        if self.lines:  # a later round, after the one that was resumed
            self._given, self._entries = (), ()
        if not self._matches(opened):
            super().begin_round(opened)

    def write(self, event: Event) -> None:
        if not self._matches(event):
            super().write(event)

    def end_round(self, ending: Ending) -> None:
        if not self._matches(ending):
            super().end_round(ending)

    def _matches(self, event: Event) -> bool:
        """Whether the event equals the next logged one; False past the end of the log."""
        ahead = self.ahead
        if ahead is None:
            if not self._past_end:
                raise self.error(ENDS_EARLY)
            return False
        if event != ahead:
            if isinstance(ahead, RoundVoided) and not isinstance(event, RoundVoided):
                raise RoundCalledOff(ahead.reason)
            raise self.error(_difference(ahead, event))
        line = self._given[len(self.lines)] + b"\n"
        self._text += line
        self._number, self._head = self._number + 1, seal_of(line)
        return True


class LoggedDealer:
    """Deals the cards that the log recorded."""

    def __init__(self, log: VerifiedLog) -> None:
        self._log = log

    def begin_round(self) -> Commitment:
        return self._log.opened.commitment

    def answer(self, step: Chance) -> tuple[Face, ...]:
        event = self._log.ahead
        if isinstance(event, CardsDealt) and isinstance(step, Draw):
            return (FACE_DOWN,) * step.count if step.down else cards(event.faces)
        if isinstance(event, CardsTurned):
            return cards(event.faces)
        if isinstance(event, CardPeeked) and isinstance(step, Peek):
            return cards([event.face]) if event.face else (Back(barring=step.wanted),)
        if isinstance(event, RoundVoided):
            raise RoundCalledOff(event.reason)
        mismatch = f"it says {event_name(event)} where the procedure awaits {type(step).__name__.lower()}"
        raise self._log.error(mismatch if event else ENDS_EARLY)

    def end_round(self) -> Reveal | None:
        event = self._log.ahead
        return event.reveal if isinstance(event, RoundClosed | RoundVoided) else None


class RoundCalledOff(Exception):
    """The logged round was voided at this point."""


def event_name(event: Event | None) -> str:
    """The name of an event in a sentence: its tag in the log."""
    return "nothing" if event is None else str(type(event).__struct_config__.tag)


def _difference(logged: Event, replayed: Event) -> str:
    """The first difference between a logged event and the one that the rules give."""
    if type(logged) is not type(replayed):
        return f"it says {event_name(logged)} where the rules give {event_name(replayed)}"
    for field in logged.__struct_fields__:
        theirs, ours = getattr(logged, field), getattr(replayed, field)
        if theirs != ours:
            return f"{event_name(logged)} says {field} {brief(theirs)} where the rules give {brief(ours)}"
    raise AssertionError("two events that differ in no field")
