"""Tables of users and of the table games' books; all but a user's own row are only ever added to."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, ForeignKeyConstraint, Integer, Table, Text
from sqlalchemy import UniqueConstraint as Unique

from feltworks.house.storage.tables import metadata


def _posted() -> tuple[Column[int], Column[int]]:
    """The posting that a row stands for."""
    return Column("book", Integer, nullable=False), Column("number", BigInteger, nullable=False)


def _of_posting() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["book", "number"], ["posting.book", "posting.number"])


person: Final = Table(
    "person",
    metadata,
    Column("name", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("active", Integer, nullable=False, server_default="1"),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("locked_until", Text),
)

# A drop period is one box at one table, from its opener to its count.
period: Final = Table(
    "period",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("table_name", Text, nullable=False),
    Column("day", Text, nullable=False),
    Column("shift", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("as_ordered", Text, nullable=False),
    Column("deviations", Text, nullable=False),
)

slip: Final = Table(
    "slip",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("serial", BigInteger, primary_key=True, autoincrement=False),
    *_posted(),
    Column("period", ForeignKey("period.id"), nullable=False),
    Column("cents", BigInteger, nullable=False),
    _of_posting(),
)

slip_void: Final = Table(
    "slip_void",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("serial", BigInteger, primary_key=True, autoincrement=False),
    *_posted(),
    ForeignKeyConstraint(["kind", "serial"], ["slip.kind", "slip.serial"]),
    _of_posting(),
)

signature: Final = Table(
    "signature",
    metadata,
    Column("book", Integer, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("position", Text, primary_key=True),
    Column("person", ForeignKey("person.name"), nullable=False),
    Column("role", Text, nullable=False),
    Unique("book", "number", "person", name="signs_once"),
    _of_posting(),
)

# Wagers of one size made in a drop period: how many, and how much each.
stake: Final = Table(
    "stake",
    metadata,
    Column("book", Integer, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("line", Integer, primary_key=True),
    Column("period", ForeignKey("period.id"), nullable=False),
    Column("wager", Text, nullable=False),
    Column("cents", BigInteger, nullable=False),
    Column("count", BigInteger, nullable=False),
    _of_posting(),
)

task: Final = Table(
    "task",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    *_posted(),
    Column("period", ForeignKey("period.id"), nullable=False),
    Column("raised_at", Text, nullable=False),
    Column("due_at", Text),
    Column("says", Text, nullable=False),
    _of_posting(),
)

task_done: Final = Table(
    "task_done",
    metadata,
    Column("task", ForeignKey("task.id"), primary_key=True, autoincrement=False),
    *_posted(),
    _of_posting(),
)
