"""A dealer's moves, named by verbs, and the lessons with the verbs that each one trains."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from feltworks.errors import FeltError, one_of
from feltworks.rules.game import Game
from feltworks.rules.guide import Chapter, dealing_procedure, irregularities
from feltworks.rules.round import BOARD, DEALER, Place
from feltworks.rules.rulebook.sentences import HEADINGS, PROCEDURE
from feltworks.rules.steps import Burn, Decide, Discard, Say, Tuck
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, LineSettled
from feltworks.web.tables.messages import Amount, Name, Spot

# As people count: the dealer is 0, seats count from 1 at the dealer's left, and the board is -1.
At = Annotated[int, Meta(ge=-1, le=99)]


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


class MoneyMove(Move, frozen=True):
    """Moving so much of a wager."""

    seat: Spot
    wager: Name
    cents: Amount
    part: Name = ""


class Take(MoneyMove, frozen=True, tag="take"):
    """Take so much of a wager."""


class Pay(MoneyMove, frozen=True, tag="pay"):
    """Pay so much on a wager."""


class LeaveWager(Move, frozen=True, tag="push"):
    """Leave a wager to its player: it neither wins nor loses."""

    seat: Spot
    wager: Name
    part: Name = ""


class Next(Move, frozen=True, tag="next"):
    """Do what the prompt says, where the steps are prompted; after a round: begin another."""


class Hint(Move, frozen=True, tag="hint"):
    """Show the next step; it counts as a fault."""


SettlingMove = Take | Pay | LeaveWager
DealerMove = Announce | Deal | TurnOver | Check | Ask | TuckHand | BurnCard | Clear | SettlingMove
AnyMove = DealerMove | Next | Hint


def place_of(at: int) -> Place:
    """Convert a number as people count to a place as the rules number it."""
    return at - 1 if at > 0 else DEALER if at == 0 else BOARD


def at_of(place: Place) -> int:
    """Convert a place to a number as people count."""
    return place + 1 if place >= 0 else 0 if place == DEALER else -1


def place_name(at: int) -> str:
    """The name of a place, for sentences."""
    return f"seat {at}" if at > 0 else "the dealer" if at == 0 else "the board"


Verb = Literal["say", "deal", "turn", "peek", "ask", "tuck", "burn", "clear", "take", "pay", "push"]
VERBS: Final[dict[type, Verb]] = {
    Say: "say",
    CardsDealt: "deal",
    CardsTurned: "turn",
    CardPeeked: "peek",
    Decide: "ask",
    Tuck: "tuck",
    Burn: "burn",
    Discard: "clear",
    LineSettled: "take",
}


class Lesson(Struct, frozen=True):
    """A part of a dealer's work; the steps of other verbs are done for the trainee."""

    name: str
    title: str
    text: str
    verbs: tuple[Verb, ...]
    rounds: int  # to pass it: in a row, without a fault
    is_prompted: bool = False


EVERY: Final[tuple[Verb, ...]] = (*VERBS.values(), "pay", "push")
LESSONS: Final = (
    Lesson("procedure", "The procedure", "Every step is prompted with its clause.", EVERY, 1, is_prompted=True),
    Lesson("deal", "Announce and deal", "Announcements, cards and the order of the deal.", EVERY[:4], 3),
    Lesson("decisions", "Players’ decisions", "Ask each seat in turn; tuck, burn and clear.", EVERY[4:8], 3),
    Lesson("settle", "Take and pay", "Every wager is taken, paid or left, to the cent.", EVERY[8:], 5),
    Lesson("round", "The whole round", "Every step from the first announcement to the last payout.", EVERY, 5),
)


def lesson_of(name: str) -> Lesson:
    """The lesson with this name."""
    lessons = {lesson.name: lesson for lesson in LESSONS}
    if name not in lessons:
        raise FeltError(f"there is no lesson {name!r}; it may be {one_of(lessons)}")
    return lessons[name]


class ChairGame(Struct, frozen=True):
    """What the chair teaches of a game: its lessons, its procedure, and what the floor decides."""

    game: str
    lessons: tuple[Lesson, ...]
    procedure: tuple[Chapter, ...]
    cases: tuple[Chapter, ...]


def chair_game(game: Game) -> ChairGame:
    """The lessons of a game; without a written procedure there are only its headings."""
    procedure = dealing_procedure(game)
    headings = HEADINGS[PROCEDURE].items()
    plain = tuple(Chapter(part, heading, ()) for part, heading in headings if part not in ("bonus", "clearing"))
    return ChairGame(game.terms.rulebook.name, LESSONS, procedure or plain, irregularities(game))


class Progress(Struct, frozen=True):
    """How far the round has come: the parts that are done, the present one, and the seats done with it."""

    done: list[str]
    now: str
    seats: list[int]
    steps: int
    faults: int  # refused steps and hints
