"""A house with eventful days, copied for every attempt to falsify it behind the books' back."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from itertools import count
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.engine import Connection, make_url

from feltworks.house.closing import ClosingBook, parse_span
from feltworks.house.entries import RegisterEntry
from feltworks.house.journal.posting import Posting, seal
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.register import Register
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database
from feltworks.house.tables.acts import Stakes
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.tokes import TokeBook
from feltworks.house.verification import audit
from tests.house.desk import FLUSH, ROYALS, Desk, signed, terms
from tests.house.floor import BOTH, DAY, THREE, VOIDERS, Pit, approve, hire, order

_COPIES = count(1)


def eventful_house(url: str) -> None:
    """Two tables with counted boxes, a variance with its notice, wagers, tokes and a progressive."""
    database = open_database(url)
    hire(database)
    for game in ("fu-bacc", "spanish-poker"):
        approve(database, game)
    books = TableBooks(database)
    first, second = Pit(books), Pit(books)
    first.table, second.table = "A", "B"
    for pit in (first, second):
        pit.open(1_000_00)
        books.enter_wagers(pit.table, [Stakes("ante", 5_00, 200)], {"gambling": "flo"})
        books.void("fill", pit.fill(100_00).slip.serial, "a mistake", VOIDERS)
        pit.fill(300_00)
        pit.finish_day(900_00, 700_00)
    first.open(600_00, shift="2", signed=THREE)  # short by $300: a notice is due
    odd = order("spanish-poker", options={"offers": ["ante", "dos-pares"], "spanish-poker.wheel": True})
    books.open(odd, "C", 500_00, BOTH)  # not as approved
    TokeBook(database).take("A", 12_00, {"dealer": "dan", "witness": "flo"}, day=DAY)
    gran = Desk(Ledger.open(database, "gran", terms(), signed("opening")))
    gran.bring(460_000)
    gran.play(ROYALS[0], FLUSH)
    keep_register(Register(database))
    ClosingBook(database).close(parse_span("2008-07"), by="abe", second="amy")
    database.close()


def keep_register(register: Register) -> None:
    """Entries of the floor, one of them struck, and one that raises a task."""
    two = {"by": "flo", "second": "abe", "day": DAY}
    cage = {"by": "cara", "second": "abe", "day": DAY}
    register.add(RegisterEntry("licence", "dan", "68-1", until=date(2030, 1, 1)), **two)
    register.strike(register.add(RegisterEntry("excluded person", "A Player", "asked for it"), **two), "over", **two)
    register.add(RegisterEntry("rating", "B Player", "ante", table="B", cents=25_00, count=60), **two)
    register.add(RegisterEntry("transaction", "B Player", "cash in", cents=12_000_00), **two)
    register.add(RegisterEntry("transfer", "vault", "bank", pieces={100_00: 900}), **cage)
    register.add(RegisterEntry("transfer", "cage", "vault", pieces={100_00: 300}), **cage)
    register.add(RegisterEntry("cage count", "vault", "abe", pieces={100_00: 599}), **cage)


@contextmanager
def copy_of(url: str) -> Iterator[str]:
    """The URL of a copy of these books."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        original = Path(str(parsed.database))
        copy = original.with_name(f"copy{next(_COPIES)}.sqlite")
        shutil.copy(original, copy)
        yield f"sqlite:///{copy}"
        copy.unlink()
        return
    name = f"copy{next(_COPIES)}"
    server = create_engine(
        parsed.set(drivername="postgresql+psycopg", database="postgres"), isolation_level="AUTOCOMMIT"
    )
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {parsed.database}"))
        yield parsed.set(database=name).render_as_string(hide_password=False)
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    server.dispose()


@contextmanager
def behind_their_back(database: Database) -> Iterator[Connection]:
    """A transaction in which no trigger fires; afterwards every trigger is as before."""
    with database.transaction() as connection:
        if not database.is_sqlite:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
            yield connection
            return
        wanted = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = connection.execute(text(wanted)).all()
        for name, _ in triggers:
            connection.execute(text(f"DROP TRIGGER {name}"))
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        yield connection
        for _, sql in triggers:
            connection.exec_driver_sql(sql)


def faults(url: str, *statements: str) -> str:
    """What verification says after statements that no trigger saw."""
    database = open_database(url)
    with behind_their_back(database) as connection:
        for statement in statements:
            assert connection.execute(text(statement)).rowcount != 0, statement
    return verdict(database)


def verdict(database: Database) -> str:
    found = audit(database).faults
    database.close()
    return "\n".join(f"{each.book}: {each.fault}" for each in found)


def forge(connection: Connection, book: str, template: int, mark: bytes | None) -> None:
    """Append a copy of a posting without lines in another person's name, chained as the books do it."""
    head = connection.execute(text("SELECT id, number, hash FROM book WHERE name = :name"), {"name": book}).one()
    of = {"book": head.id, "number": template}
    row = connection.execute(
        text("SELECT * FROM posting WHERE book = :book AND number = :number"), of
    ).mappings().one()  # fmt: skip
    values = {**row, "number": head.number + 1, "key": "forged", "previous": bytes(head.hash), "mark": mark}
    lines: Sequence[object] = ()
    fields = {name: values[name] for name in Posting.__struct_fields__ if name in values}
    values["hash"] = seal(Posting(**{**fields, "entries": lines, "hash": b""}))
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    connection.execute(text(f"INSERT INTO posting ({names}) VALUES ({marks})"), values)
