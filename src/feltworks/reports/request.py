"""The request for a paper: everything that a command line says about it, so that it can be made again."""

import datetime
import shlex
from typing import Any, Literal

import msgspec
from msgspec import Struct

from feltworks.errors import FeltError
from feltworks.money import Cents
from feltworks.reports.order import Order
from feltworks.reports.posting import DISPUTE, EMPLOYEES, HouseSettings
from feltworks.reports.text import option_words

PaperName = Literal["par", "submission", "rack-card", "sign", "procedure", "strategy-card", "audit"]
_OF_HOUSE = ("sign", "rack-card")
_WITH_JACKPOT = ("par", "submission", "sign", "rack-card")
_SIMULATED = ("par", "submission")


class PaperRequest(Struct, frozen=True):
    """A paper by its name, the tables it is about, and what is said besides."""

    paper: PaperName
    orders: tuple[Order, ...]
    house: HouseSettings = HouseSettings()
    rounds: int | None = None  # of the simulation; None: as many as the paper has by default
    seed: int | None = None
    page: str = "letter"


def request_document(request: PaperRequest) -> dict[str, Any]:
    """The request as JSON holds it."""
    document: dict[str, Any] = msgspec.to_builtins(request)
    return document


def read_request(document: object) -> PaperRequest:
    """A request from a paper's proof; refused in one sentence where it is none."""
    try:
        request = msgspec.convert(document, PaperRequest)
    except msgspec.ValidationError as trouble:
        raise FeltError(f"the paper's request cannot be read: {trouble}") from None
    for order in request.orders:
        order.check()
    return request


def command_line(request: PaperRequest) -> str:
    """The command that makes the paper, with every value written out."""
    words = ["felt", "report", request.paper]
    day: datetime.date | None = None
    if request.paper != "audit" or len(request.orders) == 1:
        order = request.orders[0]
        words += [order.game, *_table_words(order)]
    for order in request.orders:
        day = order.day
    if request.paper in _WITH_JACKPOT and request.orders[0].jackpot is not None:
        words += ["--jackpot", amount_words(request.orders[0].jackpot)]
    if request.paper in _SIMULATED:
        words += [] if request.rounds is None else ["--rounds", str(request.rounds)]
        words += [] if request.seed is None else ["--seed", str(request.seed)]
    if request.paper in _OF_HOUSE:
        words += _house_words(request.house)
    words += ["--date", str(day)] if day else []
    words += ["--page", request.page] if request.page != "letter" else []
    return shlex.join(words)


def _table_words(order: Order) -> list[str]:
    words: list[str] = ["--tribal"] if order.house == "tribal operation" else []
    for wager, table in order.pay_tables.items():
        words += ["--pay-table", f"{wager}={table}"]
    for name, value in order.options.items():
        words += ["--set", f"{name}={option_words(value)}"]
    return words


def _house_words(house: HouseSettings) -> list[str]:
    words: list[str] = []
    for wager, limit in house.limits.items():
        words += ["--limit", f"{wager}={amount_words(limit.minimum or 0)}-{amount_words(limit.maximum or 0)}"]
    for wager, cents in house.aggregate.items():
        words += ["--aggregate", f"{wager}={amount_words(cents)}"]
    words += ["--house", house.name] if house.name != HouseSettings().name else []
    words += ["--dispute", house.dispute] if house.dispute != DISPUTE else []
    words += ["--employees", house.employees] if house.employees != EMPLOYEES else []
    return words


def amount_words(cents: Cents) -> str:
    """An amount as the command line takes it, in dollars.

    >>> amount_words(5_00), amount_words(12_345_67)
    ('5', '12345.67')
    """
    return str(cents // 100) if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02}"
