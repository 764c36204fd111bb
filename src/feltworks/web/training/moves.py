"""The moves a trainee can make at the table: one record for each, tagged by its verb."""

from typing import Annotated

from msgspec import Meta, Struct

from feltworks.rules.round import BOARD, DEALER, Place

# As people count: the dealer is 0, seats count from 1 at the dealer's left, the board is -1.
At = Annotated[int, Meta(ge=-1, le=99)]
Spot = Annotated[int, Meta(ge=1, le=99)]
Name = Annotated[str, Meta(max_length=40)]
Cents = Annotated[int, Meta(ge=0, le=10**12)]


class Move(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something the dealer does."""


class Announce(Move, frozen=True, tag="say"):
    """Say something aloud."""

    words: Annotated[str, Meta(max_length=80)]


class Deal(Move, frozen=True, tag="deal"):
    """Deal so many cards to a place; the dealer's own face up or face down."""

    to: At
    count: Annotated[int, Meta(ge=1, le=9)] = 1
    down: bool | None = None


class TurnOver(Move, frozen=True, tag="turn"):
    """Turn over what lies face down next at a place."""

    at: At


class Check(Move, frozen=True, tag="peek"):
    """Look under the hole card."""


class Ask(Move, frozen=True, tag="ask"):
    """Ask a seat for its decision."""

    seat: Spot


class TuckHand(Move, frozen=True, tag="tuck"):
    """Tuck a seat's hand under one of its wagers."""

    seat: Spot
    under: Name


class BurnCard(Move, frozen=True, tag="burn"):
    """Burn the card of a place that is not needed."""

    at: At


class Clear(Move, frozen=True, tag="clear"):
    """Put a seat's hand into the discard rack."""

    seat: Spot


class Take(Move, frozen=True, tag="take"):
    """Take so much of a wager."""

    seat: Spot
    wager: Name
    cents: Cents
    part: Name = ""


class Pay(Move, frozen=True, tag="pay"):
    """Pay so much on a wager."""

    seat: Spot
    wager: Name
    cents: Cents
    part: Name = ""


class LeaveWager(Move, frozen=True, tag="push"):
    """Leave a wager to its player: it neither wins nor loses."""

    seat: Spot
    wager: Name
    part: Name = ""


class Next(Move, frozen=True, tag="next"):
    """Do what the prompt says, where the steps are prompted; after a round: begin another."""


class Hint(Move, frozen=True, tag="hint"):
    """Be told the next step; it counts as not known."""


SettlingMove = Take | Pay | LeaveWager
DealerMove = Announce | Deal | TurnOver | Check | Ask | TuckHand | BurnCard | Clear | SettlingMove
AnyMove = DealerMove | Next | Hint


def place_of(at: int) -> Place:
    """A place as the rules number it."""
    return at - 1 if at > 0 else DEALER if at == 0 else BOARD


def at_of(place: Place) -> int:
    """A place as people count."""
    return place + 1 if place >= 0 else 0 if place == DEALER else -1


def place_name(at: int) -> str:
    """A place in a sentence."""
    return f"seat {at}" if at > 0 else "the dealer" if at == 0 else "the board"
