"""The tables of the database: the columns, keys and references that queries use.

The migrations create them; only their scripts have the checks, defaults and guards. Days and times are ISO text and
money is whole cents on both databases.
"""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.schema import SchemaItem

metadata: Final = MetaData()


def _texts(*names: str) -> list[Column[str]]:
    return [Column(name, Text, nullable=False) for name in names]


def _numbers(*names: str) -> list[Column[int]]:
    return [Column(name, BigInteger, nullable=False) for name in names]


def _key(name: str, kind: Any = Text) -> Column[Any]:
    """A column of the primary key; the books assign its values, not the database."""
    return Column(name, kind, primary_key=True, autoincrement=False)


def _posting_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["book", "number"], ["posting.book", "posting.number"])


def _of_posting() -> list[SchemaItem]:
    """The columns that refer to the posting of a row."""
    return [Column("book", Integer, nullable=False), *_numbers("number"), _posting_key()]


# A book is a journal with its accounts; `number`, `hash` and `mark` are those of its last posting.
book: Final = Table(
    "book",
    metadata,
    Column("id", Integer, primary_key=True),
    *_texts("name", "kind"),
    *_numbers("number"),
    Column("hash", LargeBinary, nullable=False),
    Column("mark", LargeBinary),
    UniqueConstraint("name"),
)

# One row: the name under which the key of these books is stored, and its public part.
house: Final = Table("house", metadata, _key("id", Integer), *_texts("books"), Column("public_key", Text))

# Debits are positive and credits negative, so the accounts of a book always add up to zero.
account: Final = Table(
    "account", metadata, _key("book", ForeignKey("book.id")), _key("name"), *_texts("kind"), *_numbers("cents")
)

posting: Final = Table(
    "posting",
    metadata,
    _key("book", Integer),
    _key("number", BigInteger),
    *_texts("key", "kind", "day", "made_at", "made_by"),
    Column("witness", Text),
    *_texts("explanation", "facts"),
    Column("lines", Integer, nullable=False),
    Column("previous", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("mark", LargeBinary),  # made with the key of the house, which the database does not hold
    # On PostgreSQL the trigger that moves the end of the book refuses a posting without a book.
    ForeignKeyConstraint(["book"], ["book.id"]).ddl_if(dialect="sqlite"),
    UniqueConstraint("key", "book", name="posted_once"),
)

# One line moves cents from its credit account to its debit account, so every posting balances.
entry: Final = Table(
    "entry",
    metadata,
    _key("book", Integer),
    _key("number", BigInteger),
    _key("line", Integer),
    *_texts("debit", "credit"),
    *_numbers("cents"),
    Column("reason", Text),
    # Lines are written before the posting that seals them; without it the transaction fails.
    ForeignKeyConstraint(["book", "number"], ["posting.book", "posting.number"], deferrable=True, initially="DEFERRED"),
    # On PostgreSQL the trigger that adds up a statement's lines finds missing accounts too, in a tenth of the time.
    ForeignKeyConstraint(["book", "debit"], ["account.book", "account.name"]).ddl_if(dialect="sqlite"),
    ForeignKeyConstraint(["book", "credit"], ["account.book", "account.name"]).ddl_if(dialect="sqlite"),
)

# All reasons for which a prize account may be lowered, each with the accounts that it may debit and credit.
reason: Final = Table("reason", metadata, _key("name"), _key("debit"), _key("credit"))

progressive: Final = Table(
    "progressive",
    metadata,
    _key("book", ForeignKey("book.id")),
    *_texts("terms", "state"),
    Column("day", Text),
    *_texts("closed", "latest", "tested"),
    Column("started", Integer, nullable=False),
    Column("maximum", BigInteger),
    Column("noticed", Text),
)

person: Final = Table(
    "person",
    metadata,
    _key("name"),
    *_texts("role", "secret"),
    Column("active", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("locked_until", Text),
    Column("temporary", Integer, nullable=False),  # whether the password is changed at first use
)

# A drop period is one box at one table, from its opener to its count.
period: Final = Table(
    "period",
    metadata,
    _key("id", Integer),
    *_texts("table_name", "day", "shift", "game", "as_ordered", "deviations"),
)

slip: Final = Table(
    "slip",
    metadata,
    _key("kind"),
    _key("serial", BigInteger),
    *_of_posting(),
    Column("period", ForeignKey("period.id"), nullable=False),
    *_numbers("cents"),
)

slip_void: Final = Table(
    "slip_void",
    metadata,
    _key("kind"),
    _key("serial", BigInteger),
    *_of_posting(),
    ForeignKeyConstraint(["kind", "serial"], ["slip.kind", "slip.serial"]),
)

signature: Final = Table(
    "signature",
    metadata,
    _key("book", Integer),
    _key("number", BigInteger),
    _key("position"),
    Column("person", ForeignKey("person.name"), nullable=False),
    *_texts("role"),
    UniqueConstraint("book", "number", "person", name="signs_once"),
    _posting_key(),
)

# Wagers of one size made in a drop period: how many, and how much each.
stake: Final = Table(
    "stake",
    metadata,
    _key("book", Integer),
    _key("number", BigInteger),
    _key("line", Integer),
    Column("period", ForeignKey("period.id"), nullable=False),
    *_texts("wager"),
    *_numbers("cents", "count"),
    _posting_key(),
)

task: Final = Table(
    "task",
    metadata,
    _key("id", Integer),
    *_texts("kind"),
    *_of_posting(),
    Column("period", ForeignKey("period.id")),
    *_texts("subject", "raised_at"),  # `subject` is a table or a progressive
    Column("due_at", Text),
    *_texts("says"),
)

task_done: Final = Table("task_done", metadata, _key("task", ForeignKey("task.id")), *_of_posting())

# A closed day, month, quarter or year: nothing more is posted for its days.
closing: Final = Table("closing", metadata, _key("name"), *_texts("kind", "first", "last"), *_of_posting())
