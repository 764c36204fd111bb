"""The tables of the database. Days and times are ISO text and money is whole cents on both databases."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
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

metadata: Final = MetaData()

# A book is a journal with its accounts; `number` and `hash` are those of its last posting.
book: Final = Table(
    "book",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("number", BigInteger, nullable=False, server_default="0"),
    Column("hash", LargeBinary, nullable=False),
    Column("mark", LargeBinary),  # of the last posting
)

# One row: the name under which the key of these books is kept, and its public part.
house: Final = Table(
    "house",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("books", Text, nullable=False),
    Column("public_key", Text),
    CheckConstraint("id = 1", name="one_house"),
)

# Debits count up and credits down, so the accounts of a book always add up to zero.
account: Final = Table(
    "account",
    metadata,
    Column("book", ForeignKey("book.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("cents", BigInteger, nullable=False, server_default="0"),
    CheckConstraint("kind IN ('asset', 'cost', 'prize', 'owed', 'income', 'house')", name="known_kind"),
    CheckConstraint("kind NOT IN ('asset', 'cost') OR cents >= 0", name="held_is_not_negative"),
    CheckConstraint("kind NOT IN ('prize', 'owed', 'income') OR cents <= 0", name="owed_is_not_negative"),
    sqlite_with_rowid=False,
)

posting: Final = Table(
    "posting",
    metadata,
    Column("book", Integer, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("key", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("day", Text, nullable=False),
    Column("made_at", Text, nullable=False),
    Column("made_by", Text, nullable=False),
    Column("witness", Text),
    Column("explanation", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Column("lines", Integer, nullable=False),
    Column("previous", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("mark", LargeBinary),  # made with the key of the house, which the database does not hold
    # On PostgreSQL the trigger that moves the end of the book refuses a posting of none.
    ForeignKeyConstraint(["book"], ["book.id"]).ddl_if(dialect="sqlite"),
    UniqueConstraint("key", "book", name="posted_once"),
    CheckConstraint("length(day) = 10", name="day_is_a_day"),
    CheckConstraint("made_by <> '' AND witness <> '' AND witness <> made_by", name="two_different_persons"),
    CheckConstraint("trim(explanation) <> ''", name="explained"),
    sqlite_with_rowid=False,
)

# One line moves cents from its credit account to its debit account, so every posting balances.
entry: Final = Table(
    "entry",
    metadata,
    Column("book", Integer, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("line", Integer, primary_key=True),
    Column("debit", Text, nullable=False),
    Column("credit", Text, nullable=False),
    Column("cents", BigInteger, nullable=False),
    Column("reason", Text),
    # Lines are written before the posting that seals them; without it the transaction fails.
    ForeignKeyConstraint(["book", "number"], ["posting.book", "posting.number"], deferrable=True, initially="DEFERRED"),
    # On PostgreSQL the trigger that adds up a statement's lines finds a missing account too, at a tenth of the price.
    ForeignKeyConstraint(["book", "debit"], ["account.book", "account.name"]).ddl_if(dialect="sqlite"),
    ForeignKeyConstraint(["book", "credit"], ["account.book", "account.name"]).ddl_if(dialect="sqlite"),
    CheckConstraint("cents > 0", name="moves_something"),
    CheckConstraint("debit <> credit", name="moves_somewhere"),
    sqlite_with_rowid=False,
)

# The closed list of reasons for which a prize account may be lowered, and in favour of which account.
reason: Final = Table(
    "reason",
    metadata,
    Column("name", Text, primary_key=True),
    Column("debit", Text, primary_key=True),
    Column("credit", Text, primary_key=True),
    sqlite_with_rowid=False,
)

progressive: Final = Table(
    "progressive",
    metadata,
    Column("book", ForeignKey("book.id"), primary_key=True),
    Column("terms", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("day", Text),
    Column("closed", Text, nullable=False),
    Column("latest", Text, nullable=False),
    Column("tested", Text, nullable=False),
    Column("started", Integer, nullable=False, server_default="0"),
    Column("maximum", BigInteger),
    Column("noticed", Text),
    CheckConstraint("state IN ('in play', 'stopped', 'removed')", name="known_state"),
    CheckConstraint("started BETWEEN 0 AND 2", name="two_backups_at_most"),
)


def _posting_columns() -> tuple[Column[int], Column[int]]:
    """The columns that name the posting of a row."""
    return Column("book", Integer, nullable=False), Column("number", BigInteger, nullable=False)


def _posting_key() -> ForeignKeyConstraint:
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
    Column("temporary", Integer, nullable=False, server_default="0"),  # to be changed at first use
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
    *_posting_columns(),
    Column("period", ForeignKey("period.id"), nullable=False),
    Column("cents", BigInteger, nullable=False),
    _posting_key(),
)

slip_void: Final = Table(
    "slip_void",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("serial", BigInteger, primary_key=True, autoincrement=False),
    *_posting_columns(),
    ForeignKeyConstraint(["kind", "serial"], ["slip.kind", "slip.serial"]),
    _posting_key(),
)

signature: Final = Table(
    "signature",
    metadata,
    Column("book", Integer, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("position", Text, primary_key=True),
    Column("person", ForeignKey("person.name"), nullable=False),
    Column("role", Text, nullable=False),
    UniqueConstraint("book", "number", "person", name="signs_once"),
    _posting_key(),
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
    _posting_key(),
)

task: Final = Table(
    "task",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    *_posting_columns(),
    Column("period", ForeignKey("period.id")),
    Column("subject", Text, nullable=False),  # the table or the progressive it is about
    Column("raised_at", Text, nullable=False),
    Column("due_at", Text),
    Column("says", Text, nullable=False),
    _posting_key(),
)

task_done: Final = Table(
    "task_done",
    metadata,
    Column("task", ForeignKey("task.id"), primary_key=True, autoincrement=False),
    *_posting_columns(),
    _posting_key(),
)

# A closed day, month, quarter or year: nothing more is posted for its days.
closing: Final = Table(
    "closing",
    metadata,
    Column("name", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("first", Text, nullable=False),
    Column("last", Text, nullable=False),
    *_posting_columns(),
    _posting_key(),
)
