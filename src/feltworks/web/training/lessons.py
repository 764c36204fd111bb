"""The moves of a dealer, the lessons that train them, and the next steps with prompt, clause and procedure."""

import re
from collections.abc import Collection
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from feltworks.errors import FeltError, one_of
from feltworks.money import Cents, dollars
from feltworks.rules.game import Game
from feltworks.rules.guide import Chapter, dealing_procedure, irregularities
from feltworks.rules.round import BOARD, DEALER, Place, Round
from feltworks.rules.rulebook.sentences import HEADINGS, PROCEDURE
from feltworks.rules.steps import Burn, Decide, Discard, Say, Tuck
from feltworks.rules.wager import Line
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, LineSettled
from feltworks.table.wording import ordinal, title
from feltworks.web.tables.messages import Amount, Name, Spot

# As people count: the dealer is 0, seats count from 1 at the dealer's left, and the board is -1.
At = Annotated[int, Meta(ge=-1, le=99)]


class Move(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something the dealer does."""


class Announce(Move, frozen=True, tag="say"):
    """Say something aloud."""

    words: Annotated[str, Meta(max_length=80)]


class Deal(Move, frozen=True, tag="deal"):
    """Deal this many cards to a place; the dealer's own face up or face down."""

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
    """Moves an amount of a wager."""

    seat: Spot
    wager: Name
    cents: Amount
    part: Name = ""


class Take(MoneyMove, frozen=True, tag="take"):
    """Take this amount of a wager."""


class Pay(MoneyMove, frozen=True, tag="pay"):
    """Pay this amount on a wager."""


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


Awaited = CardsDealt | CardsTurned | CardPeeked | Say | Tuck | Burn | Discard | LineSettled | Decide
_COUNTED: Final = ("", "a card", "two cards", "three cards", "four cards", "five cards")


class NextStep(Struct, frozen=True):
    """A step that the rules allow now."""

    awaited: Awaited
    words: str  # of the prompt
    clause: str
    because: str = ""  # of a settlement: why the wager is taken or paid
    line: Line | None = None


class Citations:
    """The clauses that a game's written procedure cites; without a procedure, the main wager's clause."""

    def __init__(self, game: Game) -> None:
        wagers = game.terms.rulebook.wager
        self._main = next(entry.clause for entry in wagers.values() if entry.kind == "main")
        self._asked = {name: wagers[name].clause for name in game.wagers if name in wagers}
        self._chapters = dealing_procedure(game)

    def clause(self, awaited: Awaited, words: str, part: str) -> str:
        """The step's own clause, else that of the procedure's line with these words, else the first of its part."""
        own = self._asked.get(awaited.about, "") if isinstance(awaited, Decide) else getattr(awaited, "clause", "")
        if own:
            return own
        lines = [(chapter.part, line) for chapter in self._chapters for line in chapter.lines if line.clause]
        named = [line.clause for _, line in lines if words.casefold() in line.text.casefold()]
        return next(iter([*named, *(line.clause for of, line in lines if of == part), self._main]))


def step_words(game: Game, awaited: Awaited) -> str:
    """The prompt for a step."""
    if isinstance(awaited, LineSettled):
        return _settlement_words(game, awaited)
    match awaited:
        case Say():
            return f"Announce “{awaited.words}”"
        case CardsDealt():
            return _deal_words(awaited)
        case CardsTurned():
            which = "" if len(awaited.faces) > 1 else f" {ordinal(awaited.index)}"
            cards = "cards" if len(awaited.faces) > 1 else "card"
            return f"Turn over {_owner(at_of(awaited.at))}{which} {cards}"
        case CardPeeked():
            return "Check the hole card"
        case Decide():
            return f"Ask seat {awaited.seat + 1} to decide{_subject(game, awaited.about)}"
        case Tuck():
            under = title(game.terms, awaited.under)
            return f"Tuck the hand of seat {awaited.seat + 1} under the {under}"
        case Burn():
            return f"Burn {_owner(at_of(awaited.at))} {ordinal(awaited.index)} card"
        case Discard():
            return f"Clear the hand of seat {awaited.seat + 1} to the discard rack"


def seat_of(awaited: Awaited) -> int | None:
    """The number of the seat that a step is about; None for a step of the dealer."""
    match awaited:
        case CardsDealt():
            place = awaited.to
        case CardsTurned() | Burn():
            place = awaited.at
        case Decide() | Tuck() | Discard() | LineSettled():
            place = awaited.seat
        case _:
            return None
    return place + 1 if place >= 0 else None


def _subject(game: Game, about: str) -> str:
    """The words for what a decision is about; empty for a seat's first hand."""
    if about in game.wagers:
        return f" on {title(game.terms, about)}"
    return f" on {about}" if about and about != "hand 1" else ""


def _owner(at: int) -> str:
    return f"{place_name(at)}’s" if at else "your"


def _deal_words(event: CardsDealt) -> str:
    count = len(event.faces) + event.backs
    many = _COUNTED[count] if count < len(_COUNTED) else f"{count} cards"
    face = " face down" if event.backs else " face up" if event.to == DEALER else ""
    return f"Deal {many}{face} to {'yourself' if event.to == DEALER else place_name(at_of(event.to))}"


def _settlement_words(game: Game, event: LineSettled) -> str:
    part = f", {event.part}" if event.part else ""
    what = f"{title(game.terms, event.wager)} of seat {event.seat + 1}{part}"
    verb, cents = settlement_of(event)
    if verb == "push":
        return f"Leave the {what}: a push"
    return f"{'Pay' if verb == 'pay' else 'Take'} {dollars(cents)} on the {what}"


def settlement_of(event: LineSettled) -> tuple[str, Cents]:
    """The verb and amount of a settlement."""
    if event.paid:
        return "pay", event.paid
    return ("take", event.taken) if event.taken else ("push", 0)


def part_of(game: Game, r: Round, awaited: Awaited, to_come: Collection[object]) -> str:
    """The part of the procedure that a step belongs to; `to_come` are the decisions and events after it."""
    asks_more = any(isinstance(other, Decide) for other in to_come)
    has_asked = any(choice.about not in game.wagers for seat in r.seats for choice in seat.choices)
    if isinstance(awaited, Decide):
        return "bonus" if awaited.about in game.wagers else "decisions"
    if isinstance(awaited, LineSettled):
        is_last = not asks_more and not any(map(_is_dealers, to_come))
        return "settlement" if is_last else "decisions" if has_asked else "bonus"
    if not has_asked:
        return "wagers" if isinstance(awaited, Say) and not r.dealer else "deal"
    return "decisions" if asks_more or not _is_dealers(awaited) else "dealer"


def _is_dealers(step: object) -> bool:
    """Whether a step concerns the dealer's hand or the board."""
    match step:
        case CardsDealt():
            return step.to < 0
        case CardsTurned() | Burn():
            return step.at < 0
        case CardPeeked() | Say():
            return True
    return False


def difference(game: Game, expected: NextStep, move: DealerMove) -> str:
    """How a move differs from the step; empty if it is right."""
    awaited = expected.awaited
    match awaited, move:
        case Say(), Announce():
            return (
                "" if _is_same_announcement(awaited.words, move.words) else f"“{move.words}” is not what is announced"
            )
        case CardsDealt(), Deal():
            return _deal_differs(awaited, move)
        case CardsTurned(), TurnOver():
            return _place_differs(awaited.at, move.at, "turned over")
        case CardPeeked(), Check():
            return ""
        case Decide(), Ask():
            return _place_differs(awaited.seat, move.seat, "asked")
        case Tuck(), TuckHand():
            under = title(game.terms, move.under)
            wrong = "" if awaited.under == move.under else f"the hand does not go under the {under}"
            return _place_differs(awaited.seat, move.seat, "tucked") or wrong
        case Burn(), BurnCard():
            return _place_differs(awaited.at, move.at, "burned")
        case Discard(), Clear():
            return _place_differs(awaited.seat, move.seat, "cleared")
        case LineSettled(), Take() | Pay() | LeaveWager():
            return _settling_differs(game, awaited, move)
    return _out_of_order(move)


def _out_of_order(move: DealerMove) -> str:
    verb = {
        "say": "an announcement",
        "deal": "a card",
        "turn": "turning a card",
        "peek": "looking under the hole card",
        "ask": "a player’s decision",
        "tuck": "tucking a hand",
        "burn": "burning a card",
        "clear": "clearing a hand",
        "take": "taking a wager",
        "pay": "paying a wager",
        "push": "leaving a wager",
    }[str(type(move).__struct_config__.tag)]
    return f"{verb} is not what comes now"


def _deal_differs(event: CardsDealt, move: Deal) -> str:
    if event.to != place_of(move.to):
        return f"{place_name(move.to)} is not who is dealt to now"
    count = len(event.faces) + event.backs
    if move.count != count:
        return f"{_COUNTED[move.count] if move.count < len(_COUNTED) else move.count} is not what is dealt here"
    if event.to == DEALER and move.down is not None and move.down != bool(event.backs):
        return f"the card does not go face {'down' if move.down else 'up'}"
    return ""


def _place_differs(place: int, at: int, done: str) -> str:
    return "" if at_of(place) == at else f"{place_name(at)} is not the one to be {done} now"


def _settling_differs(game: Game, event: LineSettled, move: SettlingMove) -> str:
    what = title(game.terms, move.wager)
    if move.seat != event.seat + 1:
        return f"seat {move.seat} is not settled now: from the dealer’s right, hand by hand"
    if (move.wager, move.part) != (event.wager, event.part):
        return f"the {what} is not settled now: losers are taken before winners are paid"
    verb, cents = settlement_of(event)
    made = str(type(move).__struct_config__.tag)
    if made != verb:
        done = {"take": "taken", "pay": "paid", "push": "left as a push"}[made]
        return f"the {what} is not {done}"
    given = 0 if isinstance(move, LeaveWager) else move.cents
    return "" if given == cents else f"{dollars(given)} is not the right amount on the {what}"


_TOKEN: Final = re.compile(r"[a-z0-9]+")


def _is_same_announcement(wanted: str, announced: str) -> bool:
    """Whether an announcement has the right words; the part after "with" is optional."""
    words, given = _TOKEN.findall(wanted.casefold()), _TOKEN.findall(announced.casefold())
    short = _TOKEN.findall(wanted.casefold().partition(" with ")[0])
    return given == words[: len(given)] and len(given) >= len(short)
