"""What happened at a table: one frozen record an event, tagged by its kind, as the log writes it."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Annotated

from msgspec import Meta, Struct

from feltworks.cards import Card
from feltworks.dealing.shoes import Commitment, Reveal
from feltworks.money import Cents
from feltworks.rules.round import Face, Place
from feltworks.rules.rulebook.model import OptionValue
from feltworks.rules.steps import Burn, Chance, Discard, Draw, Peek, Say, Tuck, Turn
from feltworks.table.house import House

_code = attrgetter("code")
Stack = Annotated[int, Meta(ge=0)]


class Record(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"):
    """What all events share: written small, and read back without a doubt."""


class SeatOpened(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A spot in action: whose it is and what was put down."""

    spot: int
    player: str
    wagers: Mapping[str, Cents]
    tokes: Mapping[str, Cents] = {}


class Seated(Struct, frozen=True, forbid_unknown_fields=True):
    """A player at the table, with what the stack held when the wagers were down."""

    player: str
    spots: tuple[int, ...]
    stack: Stack


class Opened(Record, frozen=True, tag="opened"):
    """A round begins: the table's terms, all its money, and what the house committed to."""

    round: int
    game: str
    options: Mapping[str, OptionValue]
    pay_tables: Mapping[str, str]
    limit: Cents | None
    seats: tuple[SeatOpened, ...]
    players: tuple[Seated, ...]
    house: House
    commitment: Commitment


class Dealt(Record, frozen=True, tag="dealt"):
    """Cards left the shoe for a place; of those dealt face down only the number is known."""

    to: Place
    faces: tuple[str, ...] = ()
    backs: int = 0


class Turned(Record, frozen=True, tag="turned"):
    """Cards that lay face down were turned over."""

    at: Place
    index: int
    faces: tuple[str, ...]


class Peeked(Record, frozen=True, tag="peeked"):
    """The dealer looked under a card, and turned it if it was one of those looked for."""

    at: Place
    index: int
    face: str | None


class Chosen(Record, frozen=True, tag="chosen"):
    """A seat decided."""

    seat: int
    name: str
    cents: Cents = 0
    about: str = ""


class Settled(Record, frozen=True, tag="settled"):
    """A line was taken or paid: what the house took, what it paid, and what of the wager went back."""

    seat: int
    wager: str
    outcome: str
    clause: str
    taken: Cents = 0
    paid: Cents = 0
    returned: Cents = 0
    part: str = ""
    toke: bool = False
    box: str = ""  # the drop box a loser went into; none: the tray
    meter: str = ""  # the meter a winner was paid from; none: the tray


class Closed(Record, frozen=True, tag="closed"):
    """The round is over; a seed from which nothing more is dealt is revealed."""

    reveal: Reveal | None = None


class Voided(Record, frozen=True, tag="voided"):
    """The round counts for nothing; every wager went back in full."""

    reason: str
    reveal: Reveal | None = None


Ending = Closed | Voided
Event = Opened | Dealt | Turned | Peeked | Chosen | Settled | Ending | Say | Tuck | Burn | Discard


def shown(step: Chance, answer: tuple[Face, ...]) -> Dealt | Turned | Peeked:
    """The event of a chance step that was answered so."""
    if type(step) is Draw:
        return Dealt(step.to, (), step.count) if step.down else Dealt(step.to, _codes(answer))
    if type(step) is Turn:
        return Turned(step.at, step.index, _codes(answer))
    assert type(step) is Peek
    seen = answer[0]
    return Peeked(step.at, step.index, seen.code if isinstance(seen, Card) else None)


def _codes(faces: tuple[Face, ...]) -> tuple[str, ...]:
    return tuple(map(_code, faces))
