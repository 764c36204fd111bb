"""HTTP routes of dealer training, with one practice table for each session."""

import threading
from collections import OrderedDict
from functools import cache
from random import Random
from typing import Annotated, Final

from litestar import Router, get, post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from feltworks import catalog
from feltworks.documents import document_of
from feltworks.money import Cents
from feltworks.reports.layout.design import Layout, layout_of
from feltworks.rules.steps import Say
from feltworks.table.events import Event
from feltworks.web.tables.messages import Name, TableEvent, TableView
from feltworks.web.training import lessons
from feltworks.web.training.felt import parts_of, practice_events, practice_view
from feltworks.web.training.lessons import EVERY, VERBS, ChairGame, Progress, Verb, chair_game
from feltworks.web.training.practice import Mistake, NoChair, Practice, Score, practice_game
from feltworks.web.training.steps import seat_of
from feltworks.web.visitors import Connection, ensure_session

MOST_PRACTICES: Final = 500
_ROUNDS: Final = 150


class Repertoire(Struct, frozen=True):
    """The announcements and the verbs of a game."""

    phrases: list[str]
    verbs: list[Verb]


@cache
def repertoire(game: str) -> Repertoire:
    """Deal some rounds to find every announcement, up to the word "with", and every verb."""
    practice = Practice(game, 3, "procedure", seed=1)
    table, mind = practice.table, Random(1)
    events: list[Event] = []
    for _ in range(_ROUNDS):
        while table.is_running:
            step = table.decisions[0]
            offer, seat = mind.choice(step.offers), table.seats[step.seat]
            table.choose(seat.player, seat.spot, offer.name, offer.least, step.about)
        events += practice.script.events
        practice.deal()
    used = {VERBS[type(event)] for event in events if type(event) in VERBS} | {"ask", "pay", "push"}
    phrases = {event.words.partition(" with ")[0] for event in events if isinstance(event, Say)}
    return Repertoire(sorted(phrases, key=_opening_first), [verb for verb in EVERY if verb in used])


def _opening_first(phrase: str) -> tuple[bool, str]:
    return phrase != "No more bets", phrase


class BeginPractice(Struct, frozen=True, forbid_unknown_fields=True):
    """A practice table: the game, how many play, and the lesson."""

    game: Name
    seats: Annotated[int, Meta(ge=1, le=9)] = 3
    lesson: Name = "procedure"


class MoveRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A move, and the number of the state in which it was made."""

    number: Annotated[int, Meta(ge=0, le=10**9)]
    move: lessons.AnyMove


class Prompt(Struct, frozen=True):
    """The next step in words, and its clause."""

    words: str
    clause: str
    because: str
    at: int | None  # the seat it is about


class PracticeState(Struct, frozen=True):
    """A practice table as the trainee sees it."""

    number: int
    game: str
    lesson: str
    guided: bool
    over: bool
    progress: Progress
    prompt: Prompt | None
    hint: str
    wrong: Mistake | None
    score: Score
    tray: Cents
    phrases: list[str]
    verbs: list[Verb]
    parts: dict[str, list[str]]
    view: TableView
    events: list[TableEvent]
    layout: Layout


class Practices:
    """The practice tables by session; the least recently used ones are dropped."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_session: OrderedDict[str, tuple[Practice, threading.Lock]] = OrderedDict()

    def put(self, session: str, practice: Practice) -> None:
        """Replace the practice table of a session."""
        with self._lock:
            self._by_session[session] = (practice, threading.Lock())
            self._by_session.move_to_end(session)
            if len(self._by_session) > MOST_PRACTICES:
                self._by_session.popitem(last=False)

    def of(self, session: str) -> tuple[Practice, threading.Lock]:
        """The practice table of a session, and a lock against two tabs dealing at once."""
        with self._lock:
            if session not in self._by_session:
                raise NoChair
            self._by_session.move_to_end(session)
            return self._by_session[session]


@post("/", status_code=200, sync_to_thread=True)
def begin(request: Connection, state: State, data: JSONBody[BeginPractice]) -> PracticeState:
    """Start a new practice table."""
    catalog.check_game(data.game)
    practice = Practice(data.game, data.seats, data.lesson)
    practices: Practices = state.practices
    practices.put(ensure_session(request).id, practice)
    return _state_of(practice)


@get("/", sync_to_thread=True)
def current_state(request: Connection, state: State) -> PracticeState | None:
    """The practice table of this session, if it has one."""
    practices: Practices = state.practices
    try:
        practice, lock = practices.of(ensure_session(request).id)
    except NoChair:
        return None
    with lock:
        return _state_of(practice)


@get("/{game:str}", sync_to_thread=True)
def chair_lessons(game: FromPath[str]) -> ChairGame:
    """The lessons of a game, its dealing procedure, and what is done when something goes wrong."""
    return chair_game(practice_game(game))


@post("/move", status_code=200, sync_to_thread=True)
def move(request: Connection, state: State, data: JSONBody[MoveRequest]) -> PracticeState:
    """Make a move; one against the rules is refused with the clause it breaks."""
    practices: Practices = state.practices
    practice, lock = practices.of(ensure_session(request).id)
    with lock:
        practice.do(data.number, data.move)
        return _state_of(practice)


def _state_of(practice: Practice) -> PracticeState:
    name = practice.game.terms.rulebook.name
    known = repertoire(name)
    return document_of(
        PracticeState,
        practice,
        game=name,
        lesson=practice.lesson.name,
        guided=practice.is_guided,
        over=practice.felt.is_over,
        prompt=_prompt(practice),
        phrases=known.phrases,
        verbs=[verb for verb in known.verbs if verb in practice.lesson.verbs],
        parts=parts_of(practice.game, practice.felt),
        view=practice_view(practice),
        events=practice_events(practice),
        layout=layout_of(practice.game, practice.table.seating.spots),
    )


def _prompt(practice: Practice) -> Prompt | None:
    """The next step if steps are prompted."""
    if not practice.is_guided or practice.felt.is_over:
        return None
    first = practice.next_steps[0]
    return Prompt(first.words, first.clause, first.because, seat_of(first.awaited))


router: Final = Router("/api/chair", route_handlers=[begin, current_state, chair_lessons, move], tags=["chair"])
