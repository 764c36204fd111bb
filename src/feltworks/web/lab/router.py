"""HTTP routes of the laboratory: figures, comparisons, strategies, the audit and papers."""

import datetime
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, cast

import msgspec
from litestar import Response, Router, get
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, QueryParameter
from msgspec import Struct
from msgspec.structs import asdict, replace

from feltworks import catalog
from feltworks.analysis.progress import Progress
from feltworks.documents import Rows
from feltworks.errors import BadOption, FeltError, UnknownName
from feltworks.web.lab import documents
from feltworks.web.lab.documents import AnyDocument
from feltworks.web.lab.jobs import WorkQueue, job_response, simulate
from feltworks.web.visitors import Connection

if TYPE_CHECKING:
    from feltworks.analysis.question import Question

PAPERS: Final = {
    "par": "the PAR sheet",
    "strategy-card": "the strategy card",
    "procedure": "the dealer's procedure",
    "submission": "the submission pack",
    "audit": "the audit",
}
Format = Literal["json", "csv"]
QueryWord = Annotated[str | None, QueryParameter(max_length=60)]
QueryWords = Annotated[list[str] | None, QueryParameter(max_items=40)]
Options = Annotated[list[str] | None, QueryParameter(name="set", max_items=40)]
Decks = Annotated[int | None, QueryParameter(ge=1, le=1000)]
Cents = Annotated[int | None, QueryParameter(ge=0, le=10**12)]
Seats = Annotated[int, QueryParameter(ge=1, le=100)]
Rules = Annotated[int, QueryParameter(ge=1, le=20)]
Target = Annotated[float, QueryParameter(ge=-100, le=100)]
Pace = Annotated[int, QueryParameter(ge=1, le=1000)]
Exposed = Annotated[str, QueryParameter(max_length=1300)]
Work = Callable[[Progress], AnyDocument]
Tables = Annotated[list[str] | None, QueryParameter(max_items=20)]
Rounds = Annotated[int, QueryParameter(ge=0, le=10**7)]
PaperFormat = Literal["html", "pdf"]
_LONGEST: Final = 200  # characters in one option


class Subject(Struct, frozen=True):
    """The wager that a question is about, and its title."""

    game: str
    wager: str
    title: str


class Terms(Struct, frozen=True):
    """The terms of an analysis, as the command line takes them."""

    pay_table: str | None
    decks: int | None
    chosen: list[str]
    beside: list[str] = []
    exposed: str = ""
    draft: list[str] | None = None  # changed pays; an empty list asks for the unchanged table with its rows


def subject_of(game: FromPath[str], wager: FromPath[str]) -> Subject:
    """The wager in a request's path; unknown names are refused."""
    catalog.check_game(game)
    book = catalog.rulebook(game)
    if wager not in book.wager:
        raise UnknownName("wager", wager, list(book.wager), of=book.title)
    return Subject(game, wager, f"{book.title}: {book.wager[wager].title}")


def plain_terms(pay_table: QueryWord = None, decks: Decks = None, chosen: Options = None) -> Terms:
    """The terms of a question about a single wager."""
    _check_lengths(chosen)
    return Terms(pay_table or None, decks, chosen or [])


def spot_terms(
    pay_table: QueryWord = None,
    decks: Decks = None,
    chosen: Options = None,
    beside: QueryWords = None,
    exposed: Exposed = "",
    draft: QueryWords = None,
) -> Terms:
    """The terms of a question about a whole spot, including a draft of its pays."""
    _check_lengths(chosen, beside, draft)
    return Terms(pay_table or None, decks, chosen or [], beside or [], exposed, draft)


ItsSubject = NamedDependency[Subject]
ItsTerms = NamedDependency[Terms]
_SUBJECT: Final = {"subject": Provide(subject_of, sync_to_thread=False)}
_WAGER: Final = {**_SUBJECT, "terms": Provide(plain_terms, sync_to_thread=False)}
_SPOT: Final = {**_SUBJECT, "terms": Provide(spot_terms, sync_to_thread=False)}


@get("/{game:str}/{wager:str}", dependencies=_SPOT)
async def analyze(
    request: Connection,
    subject: ItsSubject,
    terms: ItsTerms,
    jackpot: Cents = None,
    seats: Seats = 1,
    strategy: QueryWord = None,
    format: FromQuery[Format] = "json",
) -> Response[documents.Analysis]:
    """The exact figures of a wager, every outcome, and how it is played; `draft` changes pays: `pair=3 to 2`."""
    work = partial(_analyze, subject, terms, jackpot, strategy or "optimal", seats)
    return await _respond(request, f"Analysing {subject.title}", work, format, documents.outcome_rows)


@get("/{game:str}/{wager:str}/compare", dependencies=_SUBJECT)
async def compare(
    request: Connection, subject: ItsSubject, chosen: Options = None, format: FromQuery[Format] = "json"
) -> Response[documents.Comparison]:
    """The house edge of a wager under every pay table and deck count."""
    _check_lengths(chosen)
    work = partial(_compare, subject, chosen or [])
    return await _respond(request, f"Comparing {subject.title}", work, format, documents.comparison_rows)


@get("/{game:str}/{wager:str}/design", dependencies=_WAGER)
async def design(
    request: Connection,
    subject: ItsSubject,
    terms: ItsTerms,
    target: Target,
    keep: QueryWords = None,
    format: FromQuery[Format] = "json",
) -> Response[documents.Design]:
    """The pay tables nearest to a house edge in percent; rows named by `keep` stay as they are."""
    _check_lengths(keep)
    work = partial(_design, subject, terms, target, keep or [])
    return await _respond(request, f"Searching pay tables of {subject.title}", work, format, documents.design_rows)


@get("/{game:str}/{wager:str}/strategy", dependencies=_SPOT)
async def find_strategy(
    request: Connection,
    subject: ItsSubject,
    terms: ItsTerms,
    rules: Rules = 8,
    values: FromQuery[bool] = False,
    format: FromQuery[Format] = "json",
) -> Response[documents.Strategy]:
    """Best play as charts, and the shortest lists of rules that come close to it."""
    work = partial(_find_strategy, subject, terms, rules, values)
    return await _respond(request, f"Searching for rules of {subject.title}", work, format, documents.strategy_rows)


@get("/protection/{game:str}")
async def protect(
    request: Connection,
    game: FromPath[str],
    decks: Decks = None,
    chosen: Options = None,
    limit: Cents = None,
    rounds_an_hour: Pace = 40,
    format: FromQuery[Format] = "json",
) -> Response[documents.Protection]:
    """What knowing and counting cards is worth in a game, what errors cost, and what stops them."""
    catalog.check_game(game)
    _check_lengths(chosen)
    work = partial(_protect, game, decks, tuple(chosen or ()), limit, rounds_an_hour)
    title = f"Weighing what can be known in {catalog.rulebook(game).title}"
    return await _respond(request, title, work, format, documents.ladder_rows)


@get("/{game:str}/{wager:str}/knowledge", dependencies=_WAGER)
async def know(
    request: Connection,
    subject: ItsSubject,
    terms: ItsTerms,
    sees: QueryWords = None,
    exposed: Exposed = "",
    format: FromQuery[Format] = "json",
) -> Response[documents.KnownWorth]:
    """What it is worth to know these cards of a wager, as `felt protect --sees` takes them."""
    _check_lengths(sees)
    work = partial(_know, subject, replace(terms, exposed=exposed), tuple(sees or ()))
    return await _respond(request, f"Weighing a known card of {subject.title}", work, format, documents.ladder_rows)


@get("/audit")
async def audit(
    request: Connection, game: QueryWord = None, format: FromQuery[Format] = "json"
) -> Response[documents.Audit]:
    """Every figure printed in the approved documents beside the computed one."""
    if game:
        catalog.check_game(game)
    work = partial(_audit, game or None)
    return await _respond(request, "Auditing the printed figures", work, format, documents.audit_rows)


@get("/progress", sync_to_thread=False)
def progress(state: State, of: Annotated[str, QueryParameter(max_length=4000)] = "") -> documents.WorkProgress | None:
    """The progress of the answer at an address of the laboratory; null where it is not being computed."""
    queue: WorkQueue = state.work_queue
    return queue.progress(of)


async def _respond(
    request: Connection, title: str, work: Work, format: Format, rows: Callable[[AnyDocument], Rows]
) -> Response[Any]:
    """Run the work and respond with its document as JSON, or with one of its tables as CSV."""
    job = partial(_encode, work, format, rows)
    if format == "json":
        return await job_response(request, title, job, "application/json")
    name = request.url.path.removeprefix("/api/lab/").replace("/", "-")
    return await job_response(request, title, job, "text/csv", saved_as=f"feltworks-{name}.csv")


# The work itself. It runs in a worker process, so that the server need not import the analysis.


def _analyze(
    subject: Subject, terms: Terms, jackpot: int | None, strategy: str, seats: int, progress: Progress
) -> AnyDocument:
    from feltworks.analysis.design.document import draft_answer
    from feltworks.analysis.documents import cached_answer

    question = _question(subject, terms, jackpot=jackpot, strategy=strategy, seats=seats)
    if terms.draft is not None:
        return draft_answer(subject.game, question, terms.draft, progress)
    return cached_answer(subject.game, question, progress)


def _question(subject: Subject, terms: Terms, **more: Any) -> "Question":
    """The analysis question for these terms, without the draft."""
    from feltworks.analysis.question import parse_question

    fields = asdict(terms)
    del fields["draft"]
    return parse_question(subject.game, subject.wager, **fields, **more)


def _design(subject: Subject, terms: Terms, target: float, keep: list[str], _: Progress) -> AnyDocument:
    from feltworks.analysis.design.document import DesignRequest, design_document

    edge = Fraction(str(target)) / 100
    tables, decks, chosen = terms.pay_table, terms.decks, terms.chosen
    request = DesignRequest(subject.game, subject.wager, edge, tables, decks, chosen, keep=keep, pieces=False)
    return design_document(request)


def _compare(subject: Subject, chosen: list[str], progress: Progress) -> AnyDocument:
    from feltworks.analysis.documents import compare, comparison_document

    rows = compare(subject.game, subject.wager, chosen, progress)
    return comparison_document(subject.game, subject.wager, rows)


def _find_strategy(subject: Subject, terms: Terms, rules: int, values: bool, progress: Progress) -> AnyDocument:
    from feltworks.analysis.design.drafts import Drafts
    from feltworks.analysis.documents import strategy_document
    from feltworks.analysis.strategy.report import strategy_report

    question = _question(subject, terms)
    if terms.draft:
        drafts = Drafts(question)
        question = drafts.question_with(drafts.changed_by(terms.draft))
    return strategy_document(subject.game, strategy_report(question, rules, progress), values=values)


def _protect(
    game: str, decks: int | None, chosen: tuple[str, ...], limit: int | None, pace: int, progress: Progress
) -> AnyDocument:
    from feltworks.house.law import profile_on
    from feltworks.protection.knowledge import Terms as ReportTerms
    from feltworks.protection.report import protection_report

    most = limit or profile_on(datetime.date.today()).wager_limit
    return protection_report(game, ReportTerms(decks, chosen, most, pace), progress).document()


def _know(subject: Subject, terms: Terms, sees: tuple[str, ...], _: Progress) -> AnyDocument:
    from feltworks.protection.protect import worth_of

    worth = worth_of(_question(subject, terms), sees)
    return {"game": subject.game, "wager": subject.wager, "sees": list(sees), **worth.document()}


def _audit(game: str | None, progress: Progress) -> AnyDocument:
    from feltworks.analysis.audit.audit import audit as audit_games
    from feltworks.analysis.audit.audit import audit_document

    return audit_document(audit_games(game, progress))


def _encode(work: Work, format: Format, rows: Callable[[AnyDocument], Rows], progress: Progress) -> bytes:
    document = work(progress)
    return documents.csv_bytes(rows(document)) if format == "csv" else msgspec.json.encode(document, enc_hook=str)


def _check_lengths(*lists: list[str] | None) -> None:
    if any(len(word) > _LONGEST for words in lists for word in words or ()):
        raise FeltError(f"an option with its value has at most {_LONGEST} characters")


# Papers.


class PaperOrder(Struct, frozen=True):
    """A paper to be made: its name, its game and its terms."""

    name: str
    game: str
    day: datetime.date
    options: dict[str, str | int]
    pay_tables: dict[str, str]
    jackpot: int | None
    rounds: int
    format: PaperFormat


@get("/papers/{name:str}/{game:str}")
async def paper(
    request: Connection,
    name: FromPath[str],
    game: FromPath[str],
    pay_table: Tables = None,
    decks: Decks = None,
    chosen: Options = None,
    jackpot: Cents = None,
    rounds: Rounds = 1_000_000,
    day: FromQuery[datetime.date | None] = None,
    format: FromQuery[PaperFormat] = "html",
) -> Response[Any]:
    """A paper of a game under these terms; its figures are computed for the occasion."""
    if name not in PAPERS:
        raise UnknownName("paper", name, PAPERS)
    catalog.check_game(game)
    options: dict[str, str | int] = {**_pairs("set", chosen), **({"decks": decks} if decks else {})}
    tables = _pairs("pay_table", pay_table)
    order = PaperOrder(name, game, day or datetime.date.today(), options, tables, jackpot, rounds, format)

    job = partial(_print, order)
    title = f"Printing {PAPERS[name]} of {catalog.rulebook(game).title}"
    if format == "html":
        return await job_response(request, title, job, "text/html")
    return await job_response(request, title, job, "application/pdf", saved_as=f"{name}-{game}.pdf")


def _print(paper: PaperOrder, progress: Progress) -> bytes:
    """Make the paper as HTML or PDF; runs in a worker process."""
    from feltworks.reports.order import Order, PaperName, PaperRequest
    from feltworks.reports.paper import make_paper, pdf

    order = Order(paper.game, paper.day, dict(paper.options), paper.pay_tables, paper.jackpot)
    request = PaperRequest(cast("PaperName", paper.name), (order.check(),), rounds=paper.rounds)
    text = make_paper(request, progress).html()
    return pdf(text) if paper.format == "pdf" else text.encode()


def _pairs(option: str, words: list[str] | None) -> dict[str, str]:
    """Parse names with their values, such as `war=2`."""
    pairs: dict[str, str] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or len(word) > _LONGEST:
            raise BadOption(option, word, "a name and its value, such as war=2")
        pairs[name] = value
    return pairs


HANDLERS: Final = [analyze, compare, design, find_strategy, protect, know, audit, progress, paper, simulate]
router: Final = Router("/api/lab", route_handlers=HANDLERS)
