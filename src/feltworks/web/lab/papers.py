"""Papers over HTTP: PAR sheet, strategy card and the others, as HTML for a screen and PDF for a printer."""

import datetime
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final, Literal

from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, QueryParameter
from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.progress import Progress
from feltworks.errors import BadOption, UnknownName
from feltworks.web.lab.queue import Connection, job_response

PAPERS: Final = {
    "par": "the PAR sheet",
    "strategy-card": "the strategy card",
    "procedure": "the dealer's procedure",
    "submission": "the submission pack",
    "audit": "the audit",
}
PaperOptions = Annotated[list[str] | None, QueryParameter(name="set", max_items=40)]
Tables = Annotated[list[str] | None, QueryParameter(max_items=20)]
Decks = Annotated[int | None, QueryParameter(ge=1, le=1000)]
Cents = Annotated[int | None, QueryParameter(ge=0, le=10**12)]
Rounds = Annotated[int, QueryParameter(ge=0, le=10**7)]
PaperFormat = Literal["html", "pdf"]
_LONGEST: Final = 200  # characters of one option


class PaperOrder(Struct, frozen=True):
    """A paper to be made: which one, of which game, under which terms."""

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
    state: State,
    name: FromPath[str],
    game: FromPath[str],
    pay_table: Tables = None,
    decks: Decks = None,
    chosen: PaperOptions = None,
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
        return await job_response(request, state, title, job, "text/html")
    return await job_response(request, state, title, job, "application/pdf", saved_as=f"{name}-{game}.pdf")


def _print(paper: PaperOrder, _: Progress) -> bytes:
    """The paper as HTML, or as PDF made of it; runs in a worker process."""
    from feltworks.reports import catalogue
    from feltworks.reports.order import Order
    from feltworks.reports.paper import Paper
    from feltworks.reports.printing import pdf

    makers: dict[str, Callable[[Order], Paper]] = {
        "par": partial(catalogue.par_sheet, rounds=paper.rounds),
        "strategy-card": catalogue.pocket_strategy,
        "procedure": catalogue.procedure_card,
        "submission": partial(catalogue.submission_pack, rounds=paper.rounds),
        "audit": lambda order: catalogue.audit_paper([order]),
    }
    terms = Order(paper.game, paper.day, dict(paper.options), paper.pay_tables, paper.jackpot)
    text = makers[paper.name](terms.check()).html()
    return pdf(text) if paper.format == "pdf" else text.encode()


def _pairs(option: str, words: list[str] | None) -> dict[str, str]:
    """Names with their values, such as `war=2`."""
    pairs: dict[str, str] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or len(word) > _LONGEST:
            raise BadOption(option, word, "a name and its value, such as war=2")
        pairs[name] = value
    return pairs
