"""Statements of the hot path: compiled once by SQLAlchemy and run by the driver within its transaction.

SQLAlchemy's own way of running a statement costs more than the statement itself.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import ARRAY, Column, ColumnElement, Connection, Select, Table, Text, any_, literal
from sqlalchemy.engine import Dialect
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.sql.compiler import SQLCompiler

Row = Sequence[Any]
FEW = 10  # up to so many rows INSERT is faster than COPY, which cannot be pipelined


class PreparedSelect:
    """A SELECT whose constants are placeholders for values given later, in the order of the statement."""

    def __init__(self, statement: Select[Any]) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, list[str] | None]] = {}

    def first(self, connection: Connection, *values: object) -> Row | None:
        row: Row | None = self.send(connection, *values).fetchone()
        return row

    def all(self, connection: Connection, *values: object) -> Sequence[Row]:
        rows: Sequence[Row] = self.send(connection, *values).fetchall()
        return rows

    def send(self, connection: Connection, *values: object) -> DBAPICursor:
        """Run the statement; its rows are fetched from the cursor."""
        cursor = connection.connection.cursor()
        cursor.execute(*self._compile(connection.dialect, values))
        return cursor

    def _compile(self, dialect: Dialect, values: Sequence[object]) -> tuple[str, Any]:
        if dialect.name not in self._compiled:
            compiled = self._statement.compile(dialect=dialect)
            assert isinstance(compiled, SQLCompiler)
            names = None if compiled.positional else list(compiled.bind_names.values())
            self._compiled[dialect.name] = str(compiled), names
        text, names = self._compiled[dialect.name]
        return text, tuple(values) if names is None else dict(zip(names, values, strict=True))


Read = tuple[PreparedSelect, *tuple[object, ...]]  # a selection and its values


def fetch_many(connection: Connection, *selects: Read) -> list[Sequence[Row]]:
    """Run several selections one after the other; on a server in one round trip."""
    with pipeline(connection):
        cursors = [statement.send(connection, *values) for statement, *values in selects]
    return [cursor.fetchall() for cursor in cursors]


@contextmanager
def pipeline(connection: Connection, *, commit: bool = False) -> Iterator[None]:
    """Send statements to a server in one round trip, with the end of the transaction if `commit` is set.

    The server runs them one by one; it skips those after the first error, which is raised at the end.
    """
    if connection.dialect.name == "sqlite":
        yield
        return
    driver: Any = connection.connection.driver_connection
    with driver.pipeline():
        yield
        if commit:
            driver.commit()


class Insert:
    """Inserts rows with all columns in order, in one statement, so that triggers run once."""

    def __init__(self, table: Table) -> None:
        columns = ", ".join(column.name for column in table.columns)
        self._width = len(table.columns)
        self._insert = f"INSERT INTO {table.name} ({columns}) VALUES"
        self._copy = f"COPY {table.name} ({columns}) FROM STDIN"
        self.of_one_row = f"{self._insert} {self._row('?')}"  # in the form for SQLite's driver

    def all(self, connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
        cursor: Any = connection.connection.cursor()
        if connection.dialect.name == "sqlite":
            cursor.executemany(self.of_one_row, rows)
        elif len(rows) <= FEW:
            cursor.execute(f"{self._insert} {', '.join([self._row('%s')] * len(rows))}", sum(rows, ()))
        else:
            with cursor.copy(self._copy) as copy:
                for row in rows:
                    copy.write_row(row)

    def _row(self, mark: str) -> str:
        return f"({', '.join([mark] * self._width)})"


def is_among(connection: Connection, column: Column[str], values: Sequence[str]) -> ColumnElement[bool]:
    """The condition that the column holds one of many values.

    PostgreSQL gets them as one array: its cached plan for hundreds of parameters would scan the table.
    """
    if connection.dialect.name == "sqlite":
        return column.in_(values)
    return column == any_(literal(list(values), ARRAY(Text)))
