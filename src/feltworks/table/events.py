"""The events of a table as its log records them: one frozen record each, tagged by its kind."""

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
from feltworks.table.seating import House

_code = attrgetter("code")
Stack = Annotated[int, Meta(ge=0)]


class Record(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"):
    """The base of all events: defaults are omitted, and unknown fields are refused."""


class OpeningSeat(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A spot in action: its player and the opening wagers."""

    spot: int
    player: str
    wagers: Mapping[str, Cents]
    tokes: Mapping[str, Cents] = {}


class SeatedPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player at the table, with the stack after the opening wagers."""

    player: str
    spots: tuple[int, ...]
    stack: Stack


class RoundOpened(Record, frozen=True, tag="opened"):
    """A round begins: the terms of the table, all its money, and the commitment to the shoe."""

    round: int
    game: str
    options: Mapping[str, OptionValue]
    pay_tables: Mapping[str, str]
    limit: Cents | None
    seats: tuple[OpeningSeat, ...]
    players: tuple[SeatedPlayer, ...]
    house: House
    commitment: Commitment


class CardsDealt(Record, frozen=True, tag="dealt"):
    """Cards were dealt to a place; for cards face down only their number is recorded."""

    to: Place
    faces: tuple[str, ...] = ()
    backs: int = 0


class CardsTurned(Record, frozen=True, tag="turned"):
    """Cards that were face down were turned over."""

    at: Place
    index: int
    faces: tuple[str, ...]


class CardPeeked(Record, frozen=True, tag="peeked"):
    """The dealer peeked at a card, and turned it if it was one of the wanted ones."""

    at: Place
    index: int
    face: str | None


class ChoiceMade(Record, frozen=True, tag="chosen"):
    """A seat made a choice."""

    seat: int
    name: str
    cents: Cents = 0
    about: str = ""


class LineSettled(Record, frozen=True, tag="settled"):
    """A wager was taken or paid: the house's gain, the amount paid, and the amount returned."""

    seat: int
    wager: str
    outcome: str
    clause: str
    taken: Cents = 0
    paid: Cents = 0
    returned: Cents = 0
    part: str = ""
    toke: bool = False
    box: str = ""  # the drop box a losing wager went into; empty: the tray
    meter: str = ""  # the meter a win was paid from; empty: the tray


class RoundClosed(Record, frozen=True, tag="closed"):
    """The round is over; the seed of a finished shoe is revealed."""

    reveal: Reveal | None = None


class RoundVoided(Record, frozen=True, tag="voided"):
    """The round was voided; every wager was returned in full."""

    reason: str
    reveal: Reveal | None = None


Ending = RoundClosed | RoundVoided
Gesture = Say | Tuck | Burn | Discard
Event = RoundOpened | CardsDealt | CardsTurned | CardPeeked | ChoiceMade | LineSettled | Ending | Gesture


def chance_event(step: Chance, answer: tuple[Face, ...]) -> CardsDealt | CardsTurned | CardPeeked:
    """The event that records the answer to a chance step."""
    if type(step) is Draw:
        return CardsDealt(step.to, (), step.count) if step.down else CardsDealt(step.to, _codes(answer))
    if type(step) is Turn:
        return CardsTurned(step.at, step.index, _codes(answer))
    assert type(step) is Peek
    face = answer[0]
    return CardPeeked(step.at, step.index, face.code if isinstance(face, Card) else None)


def _codes(faces: tuple[Face, ...]) -> tuple[str, ...]:
    return tuple(map(_code, faces))
