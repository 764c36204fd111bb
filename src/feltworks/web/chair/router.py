"""The dealer's chair over HTTP: one practice table a session, seen and dealt by nobody else."""

import threading
from collections import OrderedDict
from typing import Annotated, Any, Final

from litestar import Request, Response, Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody
from msgspec import Meta, Struct

from feltworks import catalog
from feltworks.errors import FeltError
from feltworks.web.chair import moves
from feltworks.web.chair.practice import Mistake, Practice, Score
from feltworks.web.chair.rehearsing import repertoire
from feltworks.web.chair.seen import events_seen, parts_of, view
from feltworks.web.guests import greeted

MOST_CHAIRS: Final = 500
Connection = Request[Any, Any, Any]


class NoChair(FeltError):
    """No practice table is set up in this session."""

    def __init__(self) -> None:
        super().__init__("no practice table is set up here, or it was cleared away; begin one")


class Begin(Struct, frozen=True, forbid_unknown_fields=True):
    """A practice table: the game, how many play, and whether the next step is prompted."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[int, Meta(ge=1, le=9)] = 3
    guided: bool = True


class Made(Struct, frozen=True, forbid_unknown_fields=True):
    """A move, made at the state of this number."""

    number: Annotated[int, Meta(ge=0, le=10**9)]
    move: moves.Asked


class Prompt(Struct, frozen=True):
    """The next step in words, and the clause it is done by."""

    words: str
    clause: str
    because: str


class ChairTold(Struct, frozen=True):
    """A practice table as the trainee may see it."""

    number: int
    game: str
    guided: bool
    over: bool
    prompt: Prompt | None
    hint: str
    wrong: Mistake | None
    score: Score
    phrases: list[str]
    verbs: list[str]
    parts: dict[str, list[str]]
    view: dict[str, Any]
    events: list[dict[str, Any]]


class Chairs:
    """The practice tables by session; the one longest unused makes room for a new one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_session: OrderedDict[str, tuple[Practice, threading.Lock]] = OrderedDict()

    def put(self, session: str, practice: Practice) -> None:
        """Set a practice table up in place of the one before."""
        with self._lock:
            self._by_session[session] = (practice, threading.Lock())
            self._by_session.move_to_end(session)
            if len(self._by_session) > MOST_CHAIRS:
                self._by_session.popitem(last=False)

    def of(self, session: str) -> tuple[Practice, threading.Lock]:
        """The practice table of a session, and what keeps two tabs from dealing at once."""
        with self._lock:
            if session not in self._by_session:
                raise NoChair
            self._by_session.move_to_end(session)
            return self._by_session[session]


@post("/", status_code=200, sync_to_thread=True)
def begin(request: Connection, state: State, data: JSONBody[Begin]) -> ChairTold:
    """Sit down in the dealer's chair of a new practice table."""
    catalog.check_game(data.game)
    practice = Practice(data.game, data.seats, guided=data.guided)
    chairs: Chairs = state.chairs
    chairs.put(greeted(request)["id"], practice)
    return _told(practice)


@get("/", sync_to_thread=True)
def stand(request: Connection, state: State) -> ChairTold:
    """One's own practice table as it stands."""
    chairs: Chairs = state.chairs
    practice, lock = chairs.of(greeted(request)["id"])
    with lock:
        return _told(practice)


@post("/move", status_code=200, sync_to_thread=True)
def move(request: Connection, state: State, data: JSONBody[Made]) -> ChairTold:
    """Do something; what is not by the rules is refused with the clause it breaks."""
    chairs: Chairs = state.chairs
    practice, lock = chairs.of(greeted(request)["id"])
    with lock:
        practice.do(data.number, data.move)
        return _told(practice)


def _told(practice: Practice) -> ChairTold:
    name = practice.game.terms.rulebook.name
    known = repertoire(name)
    return ChairTold(
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
        view=view(practice),
        events=events_seen(practice),
    )


def _prompt(practice: Practice) -> Prompt | None:
    """The next step, told only where steps are prompted."""
    if not practice.guided or practice.felt.is_over:
        return None
    first = practice.expected[0]
    return Prompt(first.words, first.clause, first.because)


def _nowhere(_: Connection, trouble: NoChair) -> Response[dict[str, Any]]:
    return Response({"error": str(trouble), "kind": "NoChair", "field": None}, status_code=404)


router: Final = Router(
    "/api/chair",
    route_handlers=[begin, stand, move],
    exception_handlers={NoChair: _nowhere},
    tags=["chair"],
)
