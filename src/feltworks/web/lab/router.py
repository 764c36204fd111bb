"""The laboratory over HTTP: figures, comparisons, strategies and the audit, as the command line has them."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import Response, Router, get
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, QueryParameter
from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.progress import Progress
from feltworks.errors import FeltError, UnknownName
from feltworks.spreadsheet import Rows, csv_text
from feltworks.web.lab import documents
from feltworks.web.lab.papers import paper
from feltworks.web.lab.queue import Connection, WorkQueue, job_response
from feltworks.web.lab.simulation import simulate

Format = Literal["json", "csv"]
Document = dict[str, Any]  # as the analysis makes it; documents.py has its fields
QueryWord = Annotated[str | None, QueryParameter(max_length=60)]
QueryWords = Annotated[list[str] | None, QueryParameter(max_items=40)]
Options = Annotated[list[str] | None, QueryParameter(name="set", max_items=40)]
Decks = Annotated[int | None, QueryParameter(ge=1, le=1000)]
Cents = Annotated[int | None, QueryParameter(ge=0, le=10**12)]
Seats = Annotated[int, QueryParameter(ge=1, le=100)]
Rules = Annotated[int, QueryParameter(ge=1, le=20)]
Exposed = Annotated[str, QueryParameter(max_length=1300)]
Work = Callable[[Progress], Document]
_LONGEST: Final = 200  # characters of one option


class Terms(Struct, frozen=True):
    """Under which terms a wager is analysed, as the command line takes them."""

    pay_table: str | None
    decks: int | None
    chosen: list[str]
    beside: list[str]
    exposed: str


@get("/{game:str}/{wager:str}")
async def analyze(
    request: Connection,
    state: State,
    game: FromPath[str],
    wager: FromPath[str],
    pay_table: QueryWord = None,
    decks: Decks = None,
    chosen: Options = None,
    beside: QueryWords = None,
    exposed: Exposed = "",
    jackpot: Cents = None,
    seats: Seats = 1,
    strategy: QueryWord = None,
    format: FromQuery[Format] = "json",
) -> Response[documents.Analysis]:
    """The exact figures of a wager, every outcome, and how it is played."""
    title = _title(game, wager)
    _check_lengths(chosen, beside)

    terms = Terms(pay_table or None, decks, chosen or [], beside or [], exposed)
    work = partial(_analyze, game, wager, terms, jackpot, strategy or "optimal", seats)
    return await _respond(request, state, f"Analysing {title}", work, format, outcome_rows)


@get("/{game:str}/{wager:str}/compare")
async def compare(
    request: Connection,
    state: State,
    game: FromPath[str],
    wager: FromPath[str],
    chosen: Options = None,
    format: FromQuery[Format] = "json",
) -> Response[documents.Comparison]:
    """The house edge of a wager under every pay table and deck count."""
    title = _title(game, wager)
    _check_lengths(chosen)

    work = partial(_compare, game, wager, chosen or [])
    return await _respond(request, state, f"Comparing {title}", work, format, comparison_rows)


@get("/{game:str}/{wager:str}/strategy")
async def find_strategy(
    request: Connection,
    state: State,
    game: FromPath[str],
    wager: FromPath[str],
    pay_table: QueryWord = None,
    decks: Decks = None,
    chosen: Options = None,
    beside: QueryWords = None,
    exposed: Exposed = "",
    rules: Rules = 8,
    values: FromQuery[bool] = False,
    format: FromQuery[Format] = "json",
) -> Response[documents.Strategy]:
    """Best play as charts, and the shortest lists of rules that come close to it."""
    title = _title(game, wager)
    _check_lengths(chosen, beside)

    terms = Terms(pay_table or None, decks, chosen or [], beside or [], exposed)
    work = partial(_find_strategy, game, wager, terms, rules, values)
    return await _respond(request, state, f"Searching for rules of {title}", work, format, strategy_rows)


@get("/audit")
async def audit(
    request: Connection, state: State, game: QueryWord = None, format: FromQuery[Format] = "json"
) -> Response[documents.Audit]:
    """Every figure printed in the approved documents beside the computed one."""
    if game:
        catalog.check_game(game)

    work = partial(_audit, game or None)
    return await _respond(request, state, "Auditing the printed figures", work, format, audit_rows)


@get("/progress", sync_to_thread=False)
def progress(
    state: State, of: Annotated[str, QueryParameter(max_length=4000)] = ""
) -> documents.WorkProgress | None:
    """The progress of the answer at an address of the laboratory; null where it is not being computed."""
    queue: WorkQueue = state.work_queue
    return queue.progress(of)


async def _respond(
    request: Connection,
    state: State,
    title: str,
    work: Work,
    format: Format,
    rows: Callable[[Document], Rows],
) -> Response[Any]:
    """The document of some work as JSON, or one of its tables as CSV."""
    job = partial(_encode, work, format, rows)
    if format == "json":
        return await job_response(request, state, title, job, "application/json")
    name = request.url.path.removeprefix("/api/lab/").replace("/", "-")
    return await job_response(request, state, title, job, "text/csv", saved_as=f"feltworks-{name}.csv")


# The work itself: it runs in a worker process, so the server does not import what it needs.


def _analyze(
    game: str,
    wager: str,
    terms: Terms,
    jackpot: int | None,
    strategy: str,
    seats: int,
    progress: Progress,
) -> Document:
    from feltworks.analysis.documents.answer import cached_answer
    from feltworks.analysis.documents.request import parse_question

    fields = msgspec.structs.asdict(terms)
    question = parse_question(game, wager, **fields, jackpot=jackpot, strategy=strategy, seats=seats)
    return cached_answer(game, question, progress)


def _compare(game: str, wager: str, chosen: list[str], progress: Progress) -> Document:
    from feltworks.analysis.documents.comparison import compare, comparison_document

    return comparison_document(game, wager, compare(game, wager, chosen, progress))


def _find_strategy(
    game: str, wager: str, terms: Terms, rules: int, values: bool, progress: Progress
) -> Document:
    from feltworks.analysis.documents.request import parse_question
    from feltworks.analysis.documents.strategy import strategy_document
    from feltworks.analysis.strategy.report import strategy_report

    question = parse_question(game, wager, **msgspec.structs.asdict(terms))
    return strategy_document(game, strategy_report(question, rules, progress), values=values)


def _audit(game: str | None, progress: Progress) -> Document:
    from feltworks.analysis.audit.audit import audit as audit_games
    from feltworks.analysis.audit.audit import audit_document

    return audit_document(audit_games(game, progress))


def _encode(work: Work, format: Format, rows: Callable[[Document], Rows], progress: Progress) -> bytes:
    document = work(progress)
    return csv_bytes(rows(document)) if format == "csv" else msgspec.json.encode(document, enc_hook=str)


def _title(game: str, wager: str) -> str:
    """The game and wager by their titles; refuses unknown names."""
    catalog.check_game(game)
    book = catalog.rulebook(game)
    if wager not in book.wager:
        raise UnknownName("wager", wager, list(book.wager), of=book.title)
    return f"{book.title}: {book.wager[wager].title}"


def _check_lengths(*lists: list[str] | None) -> None:
    if any(len(word) > _LONGEST for words in lists for word in words or ()):
        raise FeltError(f"an option with its value has at most {_LONGEST} characters")


# Documents as rows for a spreadsheet.


def csv_bytes(rows: Rows) -> bytes:
    """Rows as CSV, with the byte order mark by which spreadsheets know the encoding."""
    return csv_text(rows).encode("utf-8-sig")


def outcome_rows(document: Document) -> Rows:
    """Every outcome of a wager."""
    yield ["outcome", "net", "wagered", "probability", "exact", "ways", "of"]
    for row in document["outcomes"]:
        probability = row["probability"]
        cells = [row["outcome"], row["net"], row["wagered"], probability["value"], probability["exact"]]
        yield [*cells, row.get("ways", ""), row.get("of", "")]


def comparison_rows(document: Document) -> Rows:
    """A wager by pay table and decks."""
    yield ["pay table", "decks", "house edge", "exact"]
    for row in document["compared"]:
        yield [row["pay_table"], row["decks"], row["house_edge"]["value"], row["house_edge"]["exact"]]


def strategy_rows(document: Document) -> Rows:
    """Every cell of every chart, with the value of each choice where the document has it."""
    cells = [cell for chart in document["charts"] for cell in chart["cells"]]
    names = list(dict.fromkeys(name for cell in cells for name in cell.get("values", ())))
    yield ["chart", "row", "column", "choice", "otherwise", *names]
    for chart in document["charts"]:
        for cell in chart["cells"]:
            place = [chart["title"], cell[chart["down"]], cell[chart["across"]]]
            values = cell.get("values", {})
            numbers = [values[name]["value"] if name in values else "" for name in names]
            yield [*place, cell["choice"], cell.get("otherwise", ""), *numbers]


def audit_rows(document: Document) -> Rows:
    """Every printed figure beside the computed one."""
    fields = ["game", "wager", "pay_table", "decks", "quantity", "published"]
    yield [*fields, "computed", "exact", "match", "clause", "finding"]
    for row in document["figures"]:
        computed = row["computed"]
        cells = [row[key] for key in fields]
        yield [*cells, computed["value"], computed["exact"], row["match"], row["clause"], row["finding"]]


router: Final = Router(
    "/api/lab", route_handlers=[analyze, compare, find_strategy, audit, progress, paper, simulate]
)
