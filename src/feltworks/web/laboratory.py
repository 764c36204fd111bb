"""The laboratory over HTTP: figures, comparisons, strategies and the audit, as the command line has them."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, Router, get
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, QueryParameter

from feltworks import catalog
from feltworks.analysis.progress import Progress
from feltworks.errors import FeltError, UnknownName
from feltworks.spreadsheet import Rows
from feltworks.web.answering import Connection, answered
from feltworks.web.desk import Desk
from feltworks.web.papers import paper
from feltworks.web.simulating import simulate
from feltworks.web.spreadsheet import audit_rows, comparison_rows, outcome_rows, strategy_rows, written

MOST_RULES = 20
Format = Literal["json", "csv"]
Word = Annotated[str | None, QueryParameter(max_length=60)]
Words = Annotated[list[str] | None, QueryParameter(max_items=40)]
Chosen = Annotated[list[str] | None, QueryParameter(name="set", max_items=40)]
Decks = Annotated[int | None, QueryParameter(ge=1, le=1000)]
Cents = Annotated[int | None, QueryParameter(ge=0, le=10**12)]
Seats = Annotated[int, QueryParameter(ge=1, le=100)]
Rules = Annotated[int, QueryParameter(ge=1, le=MOST_RULES)]
Exposed = Annotated[str, QueryParameter(max_length=1300)]
Work = Callable[[Progress], Any]
_LONGEST = 200  # characters of one option


@get("/{game:str}/{wager:str}")
async def analyze(
    request: Connection,
    state: State,
    game: FromPath[str],
    wager: FromPath[str],
    pay_table: Word = None,
    decks: Decks = None,
    chosen: Chosen = None,
    beside: Words = None,
    exposed: Exposed = "",
    jackpot: Cents = None,
    seats: Seats = 1,
    strategy: Word = None,
    format: FromQuery[Format] = "json",
) -> Response[Any]:
    """The exact figures of a wager, every outcome, and how it is played."""
    title = _title(game, wager)
    _check_words(chosen, beside)

    question = {
        "pay_table": pay_table or None,
        "decks": decks,
        "chosen": chosen or [],
        "beside": beside or [],
        "exposed": exposed,
        "jackpot": jackpot,
        "strategy": strategy or "optimal",
        "seats": seats,
    }
    work = partial(_analyze, game, wager, question)
    return await _answered(request, state, f"Analysing {title}", work, format, outcome_rows)


@get("/{game:str}/{wager:str}/compare")
async def compare(
    request: Connection,
    state: State,
    game: FromPath[str],
    wager: FromPath[str],
    chosen: Chosen = None,
    format: FromQuery[Format] = "json",
) -> Response[Any]:
    """The house edge of a wager under every pay table and deck count."""
    title = _title(game, wager)
    _check_words(chosen)

    work = partial(_compare, game, wager, chosen or [])
    return await _answered(request, state, f"Comparing {title}", work, format, comparison_rows)


@get("/{game:str}/{wager:str}/strategy")
async def strategy_of(
    request: Connection,
    state: State,
    game: FromPath[str],
    wager: FromPath[str],
    pay_table: Word = None,
    decks: Decks = None,
    chosen: Chosen = None,
    beside: Words = None,
    exposed: Exposed = "",
    rules: Rules = 8,
    values: FromQuery[bool] = False,
    format: FromQuery[Format] = "json",
) -> Response[Any]:
    """Best play as charts, and the shortest lists of rules that come close to it."""
    title = _title(game, wager)
    _check_words(chosen, beside)

    question = {
        "pay_table": pay_table or None,
        "decks": decks,
        "chosen": chosen or [],
        "beside": beside or [],
        "exposed": exposed,
    }
    work = partial(_find_strategy, game, wager, question, rules, values)
    return await _answered(request, state, f"Searching for rules of {title}", work, format, strategy_rows)


@get("/audit")
async def audit(
    request: Connection, state: State, game: Word = None, format: FromQuery[Format] = "json"
) -> Response[Any]:
    """Every figure printed in the approved documents, computed afresh."""
    if game:
        catalog.check_game(game)

    return await _answered(
        request, state, "Auditing the printed figures", partial(_audit, game or None), format, audit_rows
    )


@get("/progress", sync_to_thread=False)
def progress(state: State, of: Annotated[str, QueryParameter(max_length=4000)] = "") -> dict[str, Any] | None:
    """How far the answer at an address of the laboratory has come; nothing where it is not worked on."""
    desk: Desk = state.desk
    return desk.progress(of)


async def _answered(
    request: Connection,
    state: State,
    words: str,
    work: Work,
    format: Format,
    rows: Callable[[Any], Rows],
) -> Response[Any]:
    """The document of some work, or one of its tables for a spreadsheet."""

    job = partial(_write, work, format, rows)
    if format == "json":
        return await answered(request, state, words, job, "application/json")
    name = request.url.path.removeprefix("/api/lab/").replace("/", "-")
    return await answered(request, state, words, job, "text/csv", saved_as=f"feltworks-{name}.csv")


# The work itself, done by a worker process, which alone loads what it needs.


def _analyze(game: str, wager: str, question: dict[str, Any], progress: Progress) -> Any:
    from feltworks.analysis.documents.answer import cached_answer
    from feltworks.analysis.documents.request import parse_question

    return cached_answer(game, parse_question(game, wager, **question), progress)


def _compare(game: str, wager: str, chosen: list[str], progress: Progress) -> Any:
    from feltworks.analysis.documents.comparison import compare, comparison_document

    return comparison_document(game, wager, compare(game, wager, chosen, progress))


def _find_strategy(
    game: str, wager: str, question: dict[str, Any], rules: int, values: bool, progress: Progress
) -> Any:
    from feltworks.analysis.documents.request import parse_question
    from feltworks.analysis.documents.strategy import strategy_document
    from feltworks.analysis.strategy.report import strategy_report

    found = strategy_report(parse_question(game, wager, **question), rules, progress)
    return strategy_document(game, found, values=values)


def _audit(game: str | None, progress: Progress) -> Any:
    from feltworks.analysis.audit.audit import audit as audited
    from feltworks.analysis.audit.audit import audit_document

    return audit_document(audited(game, progress))


def _write(work: Work, format: Format, rows: Callable[[Any], Rows], progress: Progress) -> bytes:
    """The document of some work as it is sent."""
    document = work(progress)
    return written(rows(document)) if format == "csv" else msgspec.json.encode(document, enc_hook=str)


def _title(game: str, wager: str) -> str:
    """What the work is about, in the rulebook's words; refuses a game or wager there is not."""
    catalog.check_game(game)
    book = catalog.rulebook(game)
    if wager not in book.wager:
        raise UnknownName("wager", wager, list(book.wager), of=book.title)
    return f"{book.title}: {book.wager[wager].title}"


def _check_words(*lists: list[str] | None) -> None:
    if any(len(word) > _LONGEST for words in lists for word in words or ()):
        raise FeltError(f"an option with its value has at most {_LONGEST} characters")


router = Router("/api/lab", route_handlers=[analyze, compare, strategy_of, audit, progress, paper, simulate])
