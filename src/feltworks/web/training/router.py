"""Dealer training over HTTP: one practice table for each session."""

import threading
from collections import OrderedDict
from functools import cache
from random import Random
from typing import Annotated, Final, Literal

from litestar import Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody
from msgspec import Meta, Struct

from feltworks import catalog
from feltworks.reports.layout.design import Layout, layout_of
from feltworks.rules.steps import Burn, Discard, Say, Tuck
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, Event, LineSettled
from feltworks.web.tables.messages import TableEvent, TableView
from feltworks.web.training import moves
from feltworks.web.training.felt import parts_of, practice_events, practice_view
from feltworks.web.training.practice import Mistake, NoChair, Practice, Score, name_of, place_wagers
from feltworks.web.visitors import Connection, ensure_session

MOST_PRACTICES: Final = 500
_ROUNDS: Final = 150
Verb = Literal["say", "deal", "turn", "peek", "ask", "tuck", "burn", "clear", "take", "pay", "push"]
_VERBS: Final[dict[type, Verb]] = {
    Say: "say",
    CardsDealt: "deal",
    CardsTurned: "turn",
    CardPeeked: "peek",
    Tuck: "tuck",
    Burn: "burn",
    Discard: "clear",
    LineSettled: "take",
}


class Repertoire(Struct, frozen=True):
    """The announcements and the verbs of a game."""

    phrases: list[str]
    verbs: list[Verb]


@cache
def repertoire(game: str) -> Repertoire:
    """Every announcement up to the word "with", and every verb, found by dealing some rounds."""
    practice = Practice(game, 3, guided=True, seed=1)
    table, script, mind = practice.table, practice.script, Random(1)
    events: list[Event] = []
    for _ in range(_ROUNDS):
        while table.is_running:
            step = table.decisions[0]
            offer, spot = mind.choice(step.offers), step.seat + 1
            table.choose(name_of(spot), spot, offer.name, offer.least, step.about)
        events += script.events
        script.events.clear()
        place_wagers(table, mind)
        table.deal()
    used = {_VERBS[type(event)] for event in events if type(event) in _VERBS}
    phrases = {event.words.partition(" with ")[0] for event in events if isinstance(event, Say)}
    verbs = [verb for verb in dict.fromkeys(_VERBS.values()) if verb in used]
    return Repertoire(sorted(phrases, key=_opening_first), [*verbs, "pay", "push", "ask"])


def _opening_first(phrase: str) -> tuple[bool, str]:
    return phrase != "No more bets", phrase


class BeginPractice(Struct, frozen=True, forbid_unknown_fields=True):
    """A practice table: the game, how many play, and whether the next step is prompted."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[int, Meta(ge=1, le=9)] = 3
    guided: bool = True


class MoveRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A move, and the number of the state in which it was made."""

    number: Annotated[int, Meta(ge=0, le=10**9)]
    move: moves.AnyMove


class Prompt(Struct, frozen=True):
    """The next step in words, and its clause."""

    words: str
    clause: str
    because: str


class PracticeState(Struct, frozen=True):
    """A practice table as the trainee sees it."""

    number: int
    game: str
    guided: bool
    over: bool
    prompt: Prompt | None
    hint: str
    wrong: Mistake | None
    score: Score
    phrases: list[str]
    verbs: list[Verb]
    parts: dict[str, list[str]]
    view: TableView
    events: list[TableEvent]
    layout: Layout


class Practices:
    """The practice tables by session; the least recently used one makes room for a new one."""

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
        """The practice table of a session, and the lock that keeps two tabs from dealing at once."""
        with self._lock:
            if session not in self._by_session:
                raise NoChair
            self._by_session.move_to_end(session)
            return self._by_session[session]


@post("/", status_code=200, sync_to_thread=True)
def begin(request: Connection, state: State, data: JSONBody[BeginPractice]) -> PracticeState:
    """Start a new practice table."""
    catalog.check_game(data.game)
    practice = Practice(data.game, data.seats, guided=data.guided)
    practices: Practices = state.practices
    practices.put(ensure_session(request)["id"], practice)
    return _state_of(practice)


@get("/", sync_to_thread=True)
def current_state(request: Connection, state: State) -> PracticeState:
    """The practice table of this session."""
    practices: Practices = state.practices
    practice, lock = practices.of(ensure_session(request)["id"])
    with lock:
        return _state_of(practice)


@post("/move", status_code=200, sync_to_thread=True)
def move(request: Connection, state: State, data: JSONBody[MoveRequest]) -> PracticeState:
    """Make a move; one against the rules is refused with the clause it breaks."""
    practices: Practices = state.practices
    practice, lock = practices.of(ensure_session(request)["id"])
    with lock:
        practice.do(data.number, data.move)
        return _state_of(practice)


def _state_of(practice: Practice) -> PracticeState:
    name = practice.game.terms.rulebook.name
    known = repertoire(name)
    return PracticeState(
        number=practice.number,
        game=name,
        guided=practice.guided,
        over=practice.felt.is_over,
        prompt=_prompt(practice),
        hint=practice.hint,
        wrong=practice.wrong,
        score=practice.score,
        phrases=known.phrases,
        verbs=known.verbs,
        parts=parts_of(practice.game, practice.felt),
        view=practice_view(practice),
        events=practice_events(practice),
        layout=layout_of(practice.game, practice.table.seating.spots),
    )


def _prompt(practice: Practice) -> Prompt | None:
    """The next step, where steps are prompted."""
    if not practice.guided or practice.felt.is_over:
        return None
    first = practice.next_steps[0]
    return Prompt(first.words, first.clause, first.because)


router: Final = Router("/api/chair", route_handlers=[begin, current_state, move], tags=["chair"])
