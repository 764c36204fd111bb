"""Books other than a progressive's: opened with their accounts when something is first posted."""

from collections.abc import Mapping

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import Insert
from sqlalchemy.sql.schema import Table

from feltworks.house.journal.page import Page
from feltworks.house.journal.posting import BEGINNING
from feltworks.house.storage.tables import account, book


def page_of(connection: Connection, name: str, kind: str, accounts: Mapping[str, str] | None = None) -> Page:
    """The page of this book, locked, which has these accounts, each of its kind."""
    if connection.execute(select(book.c.id).where(book.c.name == name)).scalar() is None:
        connection.execute(_once(connection, book).values(name=name, kind=kind, hash=BEGINNING))
    page = Page(connection, name)
    missing = (accounts or {}).keys() - page.balances().keys()
    for each in sorted(missing):
        row = {"book": page.book, "name": each, "kind": (accounts or {})[each]}
        connection.execute(_once(connection, account).values(**row))
    return page


def _once(connection: Connection, table: Table) -> Insert:
    """Two who open the same book at once open it once."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    return postgresql.insert(table).on_conflict_do_nothing()
