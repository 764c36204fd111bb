"""Statements of the hot path: built once with SQLAlchemy, then handed to the driver as they are.

Inside a transaction of SQLAlchemy's; its own way of running a statement costs more than the statement.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ARRAY, Column, ColumnElement, Connection, Select, Table, Text, any_, literal
from sqlalchemy.engine import Dialect
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.sql.compiler import SQLCompiler

Row = Sequence[Any]
_FEW = 10  # rows that go over faster as a plain statement


class PreparedSelect:
    """A selection whose constants stand for the values given later, in the order of the statement."""

    def __init__(self, statement: Select[Any]) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, list[str] | None]] = {}

    def first(self, connection: Connection, *values: object) -> Row | None:
        found: Row | None = self.sent(connection, *values).fetchone()
        return found

    def all(self, connection: Connection, *values: object) -> Sequence[Row]:
        found: Sequence[Row] = self.sent(connection, *values).fetchall()
        return found

    def sent(self, connection: Connection, *values: object) -> DBAPICursor:
        """The statement on its way; its rows are fetched from the cursor."""
        cursor = connection.connection.cursor()
        cursor.execute(*self._spoken(connection.dialect, values))
        return cursor

    def _spoken(self, dialect: Dialect, values: Sequence[object]) -> tuple[str, Any]:
        if dialect.name not in self._compiled:
            compiled = self._statement.compile(dialect=dialect)
            assert isinstance(compiled, SQLCompiler)
            names = None if compiled.positional else list(compiled.bind_names.values())
            self._compiled[dialect.name] = str(compiled), names
        said, names = self._compiled[dialect.name]
        return said, tuple(values) if names is None else dict(zip(names, values, strict=True))


def fetch_many(connection: Connection, *asked: tuple[PreparedSelect, object]) -> list[Sequence[Row]]:
    """Several selections of one value each; to a server they are one journey."""
    if connection.dialect.name == "sqlite":
        return [statement.all(connection, value) for statement, value in asked]
    driver: Any = connection.connection.driver_connection
    with driver.pipeline():
        cursors = [statement.sent(connection, value) for statement, value in asked]
    return [cursor.fetchall() for cursor in cursors]


class Insert:
    """Rows into a table, all columns in order, in one statement where the database's triggers look at it."""

    def __init__(self, table: Table) -> None:
        columns = ", ".join(column.name for column in table.columns)
        self._width = len(table.columns)
        self._insert = f"INSERT INTO {table.name} ({columns}) VALUES"
        self._copy = f"COPY {table.name} ({columns}) FROM STDIN"

    def all(self, connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
        cursor: Any = connection.connection.cursor()
        if connection.dialect.name == "sqlite":
            cursor.executemany(f"{self._insert} {self._row('?')}", rows)
        elif len(rows) <= _FEW:
            cursor.execute(f"{self._insert} {', '.join([self._row('%s')] * len(rows))}", sum(rows, ()))
        else:
            with cursor.copy(self._copy) as copy:
                for row in rows:
                    copy.write_row(row)

    def _row(self, mark: str) -> str:
        return f"({', '.join([mark] * self._width)})"


def is_among(connection: Connection, column: Column[str], values: Sequence[str]) -> ColumnElement[bool]:
    """Whether a column holds one of many values.

    PostgreSQL gets them as one array: a plan for hundreds of parameters, once it is kept, reads the table.
    """
    if connection.dialect.name == "sqlite":
        return column.in_(values)
    return column == any_(literal(list(values), ARRAY(Text)))
