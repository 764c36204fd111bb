"""The lessons of the dealer's chair, and how far a round has come through the dealing procedure."""

from collections.abc import Collection
from typing import Final, Literal

from msgspec import Struct

from feltworks.errors import FeltError, one_of
from feltworks.rules.game import Game
from feltworks.rules.guide import Chapter, dealing_procedure, irregularities
from feltworks.rules.round import Round
from feltworks.rules.rulebook.sentences import HEADINGS, PROCEDURE
from feltworks.rules.steps import Burn, Decide, Discard, Say, Tuck
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, LineSettled
from feltworks.web.training.steps import Awaited

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
    rounds: int  # in a row without a fault, until it is passed
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
    """The lesson of a name."""
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
    """The lessons of a game; those without a written procedure have its headings alone."""
    procedure = dealing_procedure(game)
    headings = HEADINGS[PROCEDURE].items()
    plain = tuple(Chapter(part, heading, ()) for part, heading in headings if part not in ("bonus", "clearing"))
    return ChairGame(game.terms.rulebook.name, LESSONS, procedure or plain, irregularities(game))


def part_of(game: Game, r: Round, awaited: Awaited, to_come: Collection[object]) -> str:
    """The part of the procedure that a step belongs to; to come are the decisions and events after it."""
    asks_more = any(isinstance(other, Decide) for other in to_come)
    has_asked = any(seat.choices for seat in r.seats)
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


class Progress(Struct, frozen=True):
    """How far the round has come: the parts that are done, the present one, and the seats done with it."""

    done: list[str]
    now: str
    seats: list[int]
    steps: int
    faults: int  # refused steps and hints
