"""What goes over a table's WebSocket: the actions a client may send, and what it is answered."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from feltworks.errors import FeltError
from feltworks.money import Cents

MOST_BYTES = 4096  # an action is small; what is larger is not read
Spot = Annotated[int, Meta(ge=1, le=99)]
Amount = Annotated[int, Meta(ge=0, le=10**12)]
Wagers = Mapping[Annotated[str, Meta(max_length=40)], Amount]
Name = Annotated[str, Meta(max_length=40)]


class Action(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Something a client asks for; `id` comes back with the answer."""

    id: Annotated[int, Meta(ge=0, le=10**9)]


class Sit(Action, frozen=True, tag="sit"):
    """Take a spot with so much play money."""

    spot: Spot
    stack: Amount = 500_00


class Leave(Action, frozen=True, tag="leave"):
    """Get up; `after_hand` waits for the end of the round in progress."""

    after_hand: bool = False


class Stay(Action, frozen=True, tag="stay"):
    """Keep the seat after this hand after all."""


class Buy(Action, frozen=True, tag="buy"):
    """Bring more play money."""

    cents: Amount


class PutDown(Action, frozen=True, tag="wager"):
    """Put down all wagers of a spot."""

    spot: Spot
    wagers: Wagers
    tokes: Wagers = {}


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take the wagers of a spot back."""

    spot: Spot


class Ready(Action, frozen=True, tag="ready"):
    """Deal, as far as I am concerned."""


class Choose(Action, frozen=True, tag="choose"):
    """Answer a decision of the round in progress."""

    spot: Spot
    round: int
    name: Name
    about: Name = ""
    cents: Annotated[int, Meta(ge=-(10**12), le=10**12)] | None = None


class Coach(Action, frozen=True, tag="coach"):
    """What is each of my choices worth?"""

    spot: Spot


class Pause(Action, frozen=True, tag="pause"):
    """Stop the countdown of a practice table, or let it go on."""


Asked = Sit | Leave | Stay | Buy | PutDown | Withdraw | Ready | Choose | Coach | Pause

_decoder: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Asked)
_encoder = msgspec.json.Encoder()


class BadMessage(FeltError):
    """A message that is no action."""


def read_action(text: str | bytes) -> Asked:
    """Read what a client sent; refuses what is too long or no action."""
    if len(text) > MOST_BYTES:
        raise BadMessage(f"a message has at most {MOST_BYTES} bytes")
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as damaged:
        raise BadMessage(f"the message is no action: {damaged}") from None


def id_of(text: str | bytes) -> int | None:
    """The id of a message that is otherwise no action, so that its sender knows which one was refused."""
    try:
        found = msgspec.json.decode(text[:MOST_BYTES])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    said = found.get("id") if isinstance(found, dict) else None
    return said if type(said) is int and 0 <= said <= 10**9 else None


def refused(id_: int | None, trouble: FeltError, sentence: str = "") -> bytes:
    """The answer to an action that changed nothing."""
    said = sentence or str(trouble)
    return written({"type": "refused", "id": id_, "kind": type(trouble).__name__, "error": said})


def done(id_: int) -> bytes:
    """The answer to an action that was carried out."""
    return written({"type": "done", "id": id_})


def written(message: Mapping[str, Any]) -> bytes:
    """A message as it goes over the wire."""
    return _encoder.encode(message)


Money = Mapping[str, Cents]
