"""Are the books whole? Every book is recomputed; progressives, tables and users are looked at closely."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from sqlalchemy import select

from feltworks.errors import UnknownName
from feltworks.house.accounting.chart import KIND as TABLES
from feltworks.house.accounting.checking import verify_tables, verify_tokes
from feltworks.house.accounting.tokes import KIND as TOKES
from feltworks.house.journal.verify import Verified, verify
from feltworks.house.progressive.checking import verify_progressive
from feltworks.house.progressive.opening import KIND as PROGRESSIVE
from feltworks.house.storage.database import Database
from feltworks.house.storage.tables import book
from feltworks.house.user_checking import verify_users
from feltworks.house.users import KIND as USERS


def verify_books(database: Database, names: Sequence[str] = ()) -> list[Verified]:
    """Recompute these books, or all of them."""
    with database.reading() as connection:
        rows = connection.execute(select(book.c.name, book.c.kind).order_by(book.c.id))
        kinds: dict[str, str] = dict(map(tuple, rows))
    for name in names:
        if name not in kinds:
            raise UnknownName("book", name, kinds)
    return [_verified(database, name, kinds[name]) for name in names or kinds]


_CLOSELY: Final[Mapping[str, Callable[[Database, str], Verified]]] = {
    PROGRESSIVE: verify_progressive,
    TABLES: verify_tables,
    TOKES: verify_tokes,
    USERS: verify_users,
}


def _verified(database: Database, name: str, kind: str) -> Verified:
    if kind in _CLOSELY:
        return _CLOSELY[kind](database, name)
    with database.reading() as connection:
        return verify(connection, name)
