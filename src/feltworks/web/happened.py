"""What happened at a table since its clients were told last, for the eye: each sees what it may know."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw, Struct

from feltworks.rules.round import Place
from feltworks.rules.steps import Burn, Discard, Say, Tuck
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, ChoiceMade, Event, LineSettled
from feltworks.web.looking import looked

if TYPE_CHECKING:
    from feltworks.web.room import Room

_GESTURES: Mapping[type, str] = {Tuck: "tucked", Burn: "burned", Discard: "discarded"}
_PLACES = ("seat", "to", "at")
_encode = msgspec.json.Encoder().encode


class Happened(Struct, frozen=True):
    """An event as it is told to those who see the hand it is about, and to all others."""

    about: Place
    known: Raw
    hidden: Raw


def happened(room: "Room", events: Iterable[Event]) -> list[Happened]:
    """What is told of these events, worked out once for all who look."""
    return [_happened(room, event, said) for event in events if (said := _said(event)) is not None]


def events_seen(room: "Room", events: Sequence[Happened], player: str | None) -> list[Raw]:
    """The events through one pair of eyes: faces of hands that are not theirs to see stay backs."""
    if not events or looked(room, player).round is None:
        return []
    unseen = _unseen(room, player)
    return [event.hidden if event.about in unseen else event.known for event in events]


def _unseen(room: "Room", player: str | None) -> set[Place]:
    """The seats whose cards lie open to others and not to these eyes."""
    lying, seen = room.table.round, looked(room, player).round
    if lying is None or seen is None:
        return set()
    pairs = zip(lying.seats, seen.seats, strict=True)
    return {number for number, (there, mine) in enumerate(pairs) if there.cards != mine.cards}


def _happened(room: "Room", event: Event, said: dict[str, Any]) -> Happened:
    place: Place = next((said[key] for key in _PLACES if key in said), -1)
    if 0 <= place < len(room.table.seats):
        said["spot"] = room.table.seats[place].spot
    known = hidden = Raw(_encode(said))
    if isinstance(event, CardsDealt):
        hidden = Raw(_encode(said | {"faces": [None] * len(said["faces"])}))
    return Happened(place, known, hidden)


def _said(event: Event) -> dict[str, Any] | None:
    match event:
        case CardsDealt():
            return {"type": "dealt", "to": event.to, "faces": [*event.faces, *[None] * event.backs]}
        case CardsTurned():
            return {"type": "turned", "at": event.at, "index": event.index, "count": len(event.faces)}
        case ChoiceMade():
            return {"type": "chosen", "seat": event.seat, "name": event.name, "cents": event.cents}
        case CardPeeked():
            return {"type": "peeked", "at": event.at}
        case Say():
            return {"type": "said", "text": event.words}
        case LineSettled():
            moved = {"taken": event.taken, "paid": event.paid}
            return {"type": "settled", "seat": event.seat, "wager": event.wager, **moved}
        case Tuck() | Burn() | Discard():
            return {"type": _GESTURES[type(event)], **msgspec.structs.asdict(event)}
    return None
