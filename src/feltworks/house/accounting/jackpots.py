"""May a table offer a wager that feeds a jackpot? Not while that jackpot's game is stopped."""

from sqlalchemy import Connection

from feltworks.errors import NotNow
from feltworks.house.configuration import TableCheck
from feltworks.house.journal.page import glance
from feltworks.house.progressive.fund import REMOVED, Fund
from feltworks.house.progressive.opening import names, read_terms
from feltworks.house.progressive.play import stopped_because
from feltworks.house.progressive.standing import read_standing


def check_jackpots(connection: Connection, found: TableCheck) -> None:
    """WAC 230-15-455: games whose progressive is short of its funds are not operated.

    SP.15 allows an approved system of a third party too, so books without the jackpot say nothing.
    """
    offered = {each.wager for each in found.wagers}
    fed: dict[str, str] = {}
    for name in names(connection):
        terms = read_terms(connection, name)
        if terms.game == found.order.game and terms.wager in offered:
            book, _, balances = glance(connection, name)
            fund = Fund(terms, read_standing(connection, book), balances)
            if fund.standing.state != REMOVED:
                fed[name] = stopped_because(fund, found.order.date)
    if fed and all(fed.values()):
        name, why = next(iter(fed.items()))
        raise NotNow(f"{found.order.game} feeds the progressive {name}; {why}")
