"""Papers over HTTP: PAR sheet, strategy card and the others, as HTML for a screen and PDF for a printer."""

import datetime
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, QueryParameter

from feltworks import catalog
from feltworks.analysis.progress import Progress
from feltworks.errors import BadOption, UnknownName
from feltworks.web.answering import Connection, answered

PAPERS = {
    "par": "the PAR sheet",
    "strategy-card": "the strategy card",
    "procedure": "the dealer's procedure",
    "submission": "the submission pack",
    "audit": "the audit",
}
Words = Annotated[list[str] | None, QueryParameter(name="set", max_items=40)]
Tables = Annotated[list[str] | None, QueryParameter(max_items=20)]
Decks = Annotated[int | None, QueryParameter(ge=1, le=1000)]
Cents = Annotated[int | None, QueryParameter(ge=0, le=10**12)]
Rounds = Annotated[int, QueryParameter(ge=0, le=10**7)]


@get("/papers/{name:str}/{game:str}")
async def paper(
    request: Connection,
    state: State,
    name: FromPath[str],
    game: FromPath[str],
    pay_table: Tables = None,
    decks: Decks = None,
    chosen: Words = None,
    jackpot: Cents = None,
    rounds: Rounds = 1_000_000,
    day: FromQuery[datetime.date | None] = None,
    format: FromQuery[Literal["html", "pdf"]] = "html",
) -> Response[Any]:
    """A paper of a game under these terms, every figure computed when it is printed."""
    if name not in PAPERS:
        raise UnknownName("paper", name, PAPERS)
    catalog.check_game(game)
    options: dict[str, object] = {**_pairs("set", chosen), **({"decks": decks} if decks else {})}
    tables = _pairs("pay_table", pay_table)

    order = game, day or datetime.date.today(), options, tables, jackpot
    job = partial(_print, name, order, rounds, format)
    words = f"Printing {PAPERS[name]} of {catalog.rulebook(game).title}"
    if format == "html":
        return await answered(request, state, words, job, "text/html")
    return await answered(request, state, words, job, "application/pdf", saved_as=f"{name}-{game}.pdf")


def _print(name: str, order: tuple[Any, ...], rounds: int, format: str, _: Progress) -> bytes:
    """The paper itself: HTML, or PDF made of it."""
    from feltworks.reports.order import Order
    from feltworks.reports.printing import pdf

    text = _gathering(name, rounds)(Order(*order).check()).html()
    return pdf(text) if format == "pdf" else text.encode()


def _gathering(name: str, rounds: int) -> Callable[[Any], Any]:
    """Who gathers the facts of a paper."""
    from feltworks.reports import catalogue

    return {
        "par": lambda order: catalogue.par_sheet(order, rounds=rounds),
        "strategy-card": catalogue.pocket_strategy,
        "procedure": catalogue.procedure_card,
        "submission": lambda order: catalogue.submission_pack(order, rounds=rounds),
        "audit": lambda order: catalogue.audit_paper([order]),
    }[name]


def _pairs(option: str, said: list[str] | None) -> dict[str, str]:
    """Names with their values, as `war=2`."""
    found: dict[str, str] = {}
    for each in said or ():
        name, equals, value = each.partition("=")
        if not equals or len(each) > 200:
            raise BadOption(option, each, "a name and its value, such as war=2")
        found[name] = value
    return found
