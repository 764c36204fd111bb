"""The messages of a table's WebSocket: the actions of clients, the answers, and the view of the table."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeVar, cast

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from feltworks.errors import FeltError
from feltworks.money import Cents

MOST_BYTES: Final = 4096  # of an action; a longer message is not read
MOST_ID: Final = 10**9
Spot = Annotated[int, Meta(ge=1, le=99)]
Amount = Annotated[int, Meta(ge=0, le=10**12)]
Wagers = Mapping[Annotated[str, Meta(max_length=40)], Amount]
Name = Annotated[str, Meta(max_length=40)]
Code = str | None  # of a card; None is face down
Money = Mapping[str, Cents]
Limits = Mapping[str, tuple[Cents, Cents]]
T = TypeVar("T")

# Actions.


class Action(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """An action of a client; the answer carries its `id`."""

    id: Annotated[int, Meta(ge=0, le=MOST_ID)]


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
    """Put down all wagers of a spot; `cut` is random text of the player's that enters the next shuffle."""

    spot: Spot
    wagers: Wagers
    tokes: Wagers = {}
    cut: Annotated[str, Meta(pattern="^[0-9A-Za-z]{0,64}$")] = ""


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take the wagers of a spot back."""

    spot: Spot


class Ready(Action, frozen=True, tag="ready"):
    """Agree to deal now."""


class Choose(Action, frozen=True, tag="choose"):
    """Answer a decision of the round in progress."""

    spot: Spot
    round: int
    name: Name
    about: Name = ""
    cents: Annotated[int, Meta(ge=-(10**12), le=10**12)] | None = None


class AskCoach(Action, frozen=True, tag="coach"):
    """Ask what each choice of a spot is worth."""

    spot: Spot


class Pause(Action, frozen=True, tag="pause"):
    """Stop the countdown of a practice table, or let it go on."""


TableAction = Sit | Leave | Stay | Buy | PutDown | Withdraw | Ready | Choose | AskCoach | Pause

# The view of a table. A field without a value (UNSET) is left out of the message.


class HandView(Struct, frozen=True):
    """One hand of a seat that has split."""

    cards: list[Code]
    total: str | None


class SeatView(Struct, frozen=True, kw_only=True):
    """A spot; a free one has no other field."""

    spot: int
    player: str | None
    stack: Cents | UnsetType = UNSET
    away: bool | UnsetType = UNSET
    leaving: bool | UnsetType = UNSET  # the player gets up after this hand
    wagers: Money | UnsetType = UNSET
    opened: Money | UnsetType = UNSET  # the wagers before the deal, without what choices added or took back
    tokes: Money | UnsetType = UNSET
    cards: list[Code] | UnsetType = UNSET
    status: str | UnsetType | None = UNSET
    by_clock: bool | UnsetType = UNSET  # the last choice was made when the time was up
    in_round: bool | UnsetType = UNSET
    ready: bool | UnsetType = UNSET
    net: Cents | UnsetType | None = UNSET
    hands: list[HandView] | UnsetType | None = UNSET
    total: str | UnsetType | None = UNSET
    tucked: str | UnsetType | None = UNSET  # the wager under which the cards lie
    burned: list[int] | UnsetType = UNSET  # the cards discarded without being shown
    discarded: bool | UnsetType = UNSET


class DealerView(Struct, frozen=True):
    """The dealer's cards."""

    cards: list[Code]
    total: str | None
    burned: list[int]


class OfferView(Struct, frozen=True):
    """A choice with its words, its clauses and its key."""

    name: str
    wager: str
    least: Cents
    most: Cents
    chip: Cents
    sizes: tuple[Cents, ...]  # the only amounts allowed, if they are few
    cards: tuple[int, ...]  # the positions of the seat's cards that it chooses
    title: str
    consequence: str
    clauses: list[str]
    key: str


class DecisionView(Struct, frozen=True):
    """A decision of the viewer's own spot."""

    spot: int
    about: str
    subject: str
    offers: list[OfferView]
    unanswered: str  # the choice that is made when the time is up


class LineView(Struct, frozen=True, kw_only=True):
    """A settled wager."""

    spot: int
    wager: str
    title: str
    part: str
    wagered: Cents
    outcome: str | UnsetType = UNSET
    result: Literal["win", "lose", "push"]
    net: Cents
    because: str
    clause: str
    toke: bool


class CountdownView(Struct, frozen=True, rename={"purpose": "for"}):
    """The clock: what it is for, the seconds left, and the seconds in all."""

    purpose: Literal["wagers", "decisions"]
    ends_in: float
    of: float
    paused: bool


class ResultsView(Struct, frozen=True):
    """A player's results since sitting down; the expectation where the edges of all wagers are known."""

    rounds: int
    net: Cents
    history: Sequence[Cents]  # the result after each round
    expected: Cents | UnsetType = UNSET
    deviation: Cents | UnsetType = UNSET


class TableView(Struct, frozen=True, kw_only=True):
    """A table as one viewer sees it."""

    game: str
    name: str
    round: int | None
    running: bool
    you: str | None
    stack: Cents | None
    spots_of_you: Sequence[int]
    seats: list[SeatView]
    dealer: DealerView
    board: list[Code]
    decisions: list[DecisionView]
    to_act: list[int]
    countdown: CountdownView | None
    lines: list[LineView]
    says: str | None
    meters: Money
    commitment: str | None
    sealed: str | None = None  # the commitment to the next round's shoe, made before its wagers
    reveal: str | None
    seeded: bool
    limits: Limits
    seat_kept: int | UnsetType = UNSET  # seconds a seat is kept for a player who is away
    session: ResultsView | None
    as_approved: bool


# Events, for the animation. Seats of the round count from 0; -1 is the dealer, -2 the board.


class EventView(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Something that happened at the table; `spot` is the spot of the seat it is about."""

    spot: int | UnsetType = UNSET


class DealEvent(EventView, frozen=True, kw_only=True, tag="dealt"):
    """Cards were dealt to a place."""

    to: int
    faces: list[Code]


class TurnEvent(EventView, frozen=True, kw_only=True, tag="turned"):
    """Cards of a place were turned over."""

    at: int
    index: int
    count: int


class PeekEvent(EventView, frozen=True, kw_only=True, tag="peeked"):
    """The dealer looked under a card."""

    at: int


class TuckEvent(EventView, frozen=True, kw_only=True, tag="tucked"):
    """A hand was tucked under a wager."""

    seat: int
    under: str


class BurnEvent(EventView, frozen=True, kw_only=True, tag="burned"):
    """A card went to the discards unseen."""

    at: int
    index: int


class DiscardEvent(EventView, frozen=True, kw_only=True, tag="discarded"):
    """A hand went to the discard rack."""

    seat: int


class SpeechEvent(EventView, frozen=True, kw_only=True, tag="said"):
    """The dealer announced something."""

    text: str


class SettlementEvent(EventView, frozen=True, kw_only=True, tag="settled"):
    """A wager was taken or paid."""

    seat: int
    wager: str
    taken: Cents
    paid: Cents


class ChoiceEvent(EventView, frozen=True, kw_only=True, tag="chosen"):
    """A player decided."""

    seat: int
    name: str
    cents: Cents


TableEvent = (
    DealEvent
    | TurnEvent
    | PeekEvent
    | TuckEvent
    | BurnEvent
    | DiscardEvent
    | SpeechEvent
    | SettlementEvent
    | ChoiceEvent
)

# Messages of the server.


class StateMessage(Struct, frozen=True, tag_field="type", tag="state"):
    """The table as the client sees it now, and the events that led to it."""

    n: int
    view: TableView
    events: list[TableEvent]


class DoneMessage(Struct, frozen=True, tag_field="type", tag="done"):
    """The action with this id was carried out."""

    id: int


class ActionRefusal(Struct, frozen=True, tag_field="type", tag="refused"):
    """The action with this id changed nothing."""

    id: int | None
    kind: str
    error: str


class ChoiceWorth(Struct, frozen=True):
    """What a choice is worth to the player."""

    name: str
    value: float
    exact: str | None


class Advice(Struct, frozen=True):
    """The coach's answer: the best choice and the worth of each, or a hint why there is none."""

    best: str | None
    values: list[ChoiceWorth]
    hint: str | UnsetType = UNSET


class AdviceMessage(Advice, frozen=True, kw_only=True, tag_field="type", tag="coach"):
    """The answer to a question to the coach."""

    id: int
    spot: int


ServerMessage = StateMessage | DoneMessage | ActionRefusal | AdviceMessage
_decoder: Final[msgspec.json.Decoder[TableAction]] = msgspec.json.Decoder(TableAction)
_encoder: Final = msgspec.json.Encoder()


class BadMessage(FeltError):
    """A message that is not a valid action."""


def read_action(text: str | bytes) -> TableAction:
    """Decode an action at a table."""
    return read_message(_decoder, text, "Not a valid action")


def read_message(decoder: msgspec.json.Decoder[T], text: str | bytes, refusal: str) -> T:
    """Decode a client's message; one that is too long or invalid is refused."""
    if len(text) > MOST_BYTES:
        raise BadMessage(f"a message has at most {MOST_BYTES} bytes")
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(f"{refusal}: {error}") from None


def id_of(text: str | bytes) -> int | None:
    """The id of an invalid message, so that the refusal can name it."""
    try:
        message: Any = msgspec.json.decode(text[:MOST_BYTES])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    id_ = message.get("id") if isinstance(message, dict) else None
    return id_ if type(id_) is int and 0 <= id_ <= MOST_ID else None


def refusal_message(id_: int | None, error: FeltError, sentence: str = "") -> bytes:
    """The encoded answer to a refused action."""
    return encode_message(ActionRefusal(id_, type(error).__name__, sentence or str(error)))


def encode_message(message: Struct) -> bytes:
    """Encode a message for the socket."""
    return _encoder.encode(message)


def encode_part(part: T) -> T:
    """Encode a part of a message once for all clients; for the type checker it keeps its type."""
    return cast(T, Raw(_encoder.encode(part)))
