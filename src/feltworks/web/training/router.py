"""HTTP routes of training: the trainer, which deals hands to a player, and the dealer's chair at a practice table.

The trainer's requests are stateless: the number and the choices so far determine the hand, so that a mistake can
be taken back, or the hand played again weeks later. A session has one practice table.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from functools import cache, lru_cache, partial
from random import Random, SystemRandom
from typing import Annotated, Final

from litestar import Router, get, post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from feltworks import catalog
from feltworks.analysis.shape import shoe_game_of
from feltworks.analysis.solvers.shoe_game.table import STRATEGIES
from feltworks.dealing.shoes import source_for
from feltworks.documents import document_of
from feltworks.errors import FeltError
from feltworks.money import Cents
from feltworks.reports.layout.design import Layout, layout_of
from feltworks.rules.steps import Decide, Say
from feltworks.table.events import Event
from feltworks.web.tables.clock import gentlest
from feltworks.web.tables.figures import Coach, coach_question
from feltworks.web.tables.messages import Advice, Name, StateMessage, TableEvent, TableView, encode_part
from feltworks.web.tables.order import usual_order
from feltworks.web.tables.room import Guest, Room
from feltworks.web.tables.router import TableDocument, table_document
from feltworks.web.tables.table_view import event_messages, events_for, player_view, public_view
from feltworks.web.training import lessons
from feltworks.web.training.lessons import EVERY, VERBS, ChairGame, Progress, Verb, chair_game, seat_of
from feltworks.web.training.practice import (
    Mistake,
    NoChair,
    Practice,
    Score,
    parts_of,
    practice_events,
    practice_game,
    practice_view,
)
from feltworks.web.visitors import Connection, ensure_session

NUMBERS: Final = 2**31
STACK: Final = 1000_00
MAIN_WAGER, BONUS_WAGER = 25_00, 5_00
MOST_TRIES: Final = 200  # hands dealt to find one of the drill
MOST_WEIGHED: Final = 6  # hands compared to find a close call
SAMPLE: Final = 150  # hands dealt to learn which choices a game has
ALL, CLOSE_CALLS = "all", "close"
TRAINEE: Final = Guest("trainee", "You")
_random = SystemRandom()


class TrainerChoice(Struct, frozen=True):
    """A choice made earlier in the hand."""

    name: Name
    about: Name = ""
    cents: int | None = None


class HandRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand by its number and the choices so far; without a number a new one of this drill is dealt."""

    number: Annotated[int, Meta(ge=0, lt=NUMBERS)] | None = None
    choices: Annotated[list[TrainerChoice], Meta(max_length=40)] = []
    drill: Name = ALL


class TrainerHand(Struct, frozen=True):
    """The hand as its player sees it, and what each open choice is worth; None once it is settled."""

    number: int
    state: StateMessage
    advice: Advice | None


class Drill(Struct, frozen=True):
    """A kind of hand to be trained: all, close calls, or those that offer a certain choice."""

    name: str
    title: str
    share: float | None  # of all hands


class TrainerTable(Struct, frozen=True):
    """The table of the trainer, and the drills of its game."""

    table: TableDocument
    drills: list[Drill]
    strategies: dict[str, list[str]]  # by wager that is played: the strategies to compare best play with


@get("/{game:str}", sync_to_thread=True)  # dealing the sample takes a second
def trainer_table(game: FromPath[str]) -> TrainerTable:
    """The table that a game is trained at, and its drills."""
    return TrainerTable(table_document(_seated_room(game, 0)), drills_of(game), strategies_of(game))


@post("/{game:str}/hand")
async def trainer_hand(state: State, game: FromPath[str], data: JSONBody[HandRequest]) -> TrainerHand:
    """A hand after these choices, with the exact worth of each that is open now."""
    coach: Coach = state.coach
    if data.number is not None:
        return await _weighed_hand(coach, _play(game, data.number, data.choices), data.number, len(data.choices))
    hands = [await _weighed_hand(coach, room, number, 0) for number, room in _matching_hands(game, data.drill)]
    if not hands:
        raise FeltError(f"no hand of this drill was dealt in {MOST_TRIES}; choose another drill")
    return min(hands, key=_distance) if data.drill == CLOSE_CALLS else hands[0]


def _matching_hands(game: str, drill: str) -> Iterator[tuple[int, Room]]:
    """Deal new hands of a drill: one, or several to choose the closest call from."""
    wanted = MOST_WEIGHED if drill == CLOSE_CALLS else 1
    for _ in range(MOST_TRIES):
        number = _random.randrange(NUMBERS)
        room = _play(game, number, [])
        if _is_of(drill, room.table.decisions):
            yield number, room
            wanted -= 1
        if not wanted:
            return


def _is_of(drill: str, decisions: tuple[Decide, ...]) -> bool:
    if not decisions:
        return False
    return drill in (ALL, CLOSE_CALLS) or drill in {offer.name for offer in decisions[0].offers}


def _distance(hand: TrainerHand) -> float:
    """How much less the second best choice is worth than the best; infinite without advice."""
    worth = [choice.value for choice in hand.advice.values] if hand.advice else []
    return worth[0] - worth[1] if len(worth) > 1 else float("inf")


async def _weighed_hand(coach: Coach, room: Room, number: int, choices: int) -> TrainerHand:
    steps = room.table.decisions
    spot = room.table.seats[steps[0].seat].spot if steps else 0
    advice = await coach.answer(coach_question(room, TRAINEE, spot)) if steps else None
    return TrainerHand(number, _state(room, choices + 1), advice)


def _state(room: Room, number: int) -> StateMessage:
    events = event_messages(room, room.fresh)
    view = player_view(room, public_view(room), TRAINEE.name)
    return encode_part(StateMessage(number, view, events_for(room, events, TRAINEE.name)))


def _seated_room(game: str, number: int) -> Room:
    """Make a table that is dealt from a number, with the trainee in the middle seat."""
    catalog.rulebook(game)  # raises for an unknown game
    room = Room("trainer", usual_order(game), source=partial(source_for, seed=number))
    room.sit(TRAINEE, (room.table.seating.spots + 1) // 2, STACK)
    room.count_tabs(TRAINEE.name, 1)
    return room


def _play(game: str, number: int, choices: list[TrainerChoice]) -> Room:
    """Play the hand of a number with these choices."""
    room = _seated_room(game, number)
    spot = room.table.seating.players[TRAINEE.name].spots[0]
    room.wager(TRAINEE, spot, _wagers(room), {})
    room.deal()
    for choice in choices:
        room.fresh.clear()
        room.choose(TRAINEE, spot, room.table.rounds, choice.name, choice.cents, choice.about)
    return room


def _wagers(room: Room) -> dict[str, int]:
    """The amounts of the main wager and of the bonus wagers that have a decision of their own."""
    book = room.game.terms.rulebook.wager
    asking = {entry.of for entry in book.values() if entry.of}
    sizes = {"main": MAIN_WAGER, "bonus": BONUS_WAGER}
    return {
        name: min(max(sizes[book[name].kind], least), most)
        for name, (least, most) in room.limits.items()
        if book[name].kind == "main" or (book[name].kind == "bonus" and name in asking)
    }


@lru_cache(maxsize=32)
def drills_of(game: str) -> list[Drill]:
    """The drills: all hands, close calls, and each choice that under two thirds of a sample of hands offer."""
    counts: dict[str, int] = {}
    for number in range(SAMPLE):
        decisions = _play(game, number, []).table.decisions
        for offer in decisions[0].offers if decisions else ():
            counts[offer.name] = counts.get(offer.name, 0) + 1
    rare = {name: count for name, count in counts.items() if count < SAMPLE * 2 // 3}
    named = [
        Drill(name, f"{name.capitalize().replace('-', ' ')} is open", count / SAMPLE)
        for name, count in sorted(rare.items(), key=lambda entry: -entry[1])
    ]
    return [Drill(ALL, "All hands", None), Drill(CLOSE_CALLS, "Close calls", None), *named]


@lru_cache(maxsize=32)
def strategies_of(game: str) -> dict[str, list[str]]:
    """By wager: each choice that all its decisions offer, or in a shoe game the usual strategies."""
    names: dict[str, list[str]] = {}
    for number in range(SAMPLE):
        room = _seated_room(game, number)
        spot = room.table.seating.players[TRAINEE.name].spots[0]
        room.wager(TRAINEE, spot, {name: least for name, (least, _) in room.limits.items()}, {})
        room.deal()
        while steps := room.table.decisions:
            _note_strategies(room, steps[0], names)
            choice = gentlest(steps[0])
            room.choose(TRAINEE, spot, room.table.rounds, choice.name, None, steps[0].about)
    return {wager: row for wager, row in names.items() if row and wager in room.limits}


def _note_strategies(room: Room, step: Decide, names: dict[str, list[str]]) -> None:
    """For each wager that the decision is about, keep only the choices that this decision offers too."""
    is_bonus = step.about in room.game.wagers
    settled = {line.wager for line in room.table.lines}
    offered = [f"always-{offer.name}" for offer in step.offers]
    usual = list(STRATEGIES) if shoe_game_of(room.game) and not is_bonus else offered
    for wager in [step.about] if is_bonus else room.game.terms.offers - settled:
        names[wager] = [name for name in names.get(wager, usual) if name in usual]


trainer: Final = Router("/api/trainer", route_handlers=[trainer_table, trainer_hand], tags=["trainer"])


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
    return Repertoire(
        sorted(phrases, key=lambda phrase: (phrase != "No more bets", phrase)), [verb for verb in EVERY if verb in used]
    )


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
    return _chair_state(practice)


@get("/", sync_to_thread=True)
def current_state(request: Connection, state: State) -> PracticeState | None:
    """The practice table of this session, if it has one."""
    practices: Practices = state.practices
    try:
        practice, lock = practices.of(ensure_session(request).id)
    except NoChair:
        return None
    with lock:
        return _chair_state(practice)


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
        return _chair_state(practice)


def _chair_state(practice: Practice) -> PracticeState:
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


chair: Final = Router("/api/chair", route_handlers=[begin, current_state, chair_lessons, move], tags=["chair"])
