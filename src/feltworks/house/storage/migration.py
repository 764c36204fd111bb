"""Creates and updates the tables of a database when the books are opened."""

from collections.abc import Callable
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, inspect, select, text, update

from feltworks.errors import StorageTrouble
from feltworks.house.journal.book import is_stored
from feltworks.house.journal.seals import HouseKey, LastSeals, key_file, make_key, new_key, read_key
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import book, house

NEWEST: Final = "0006"
_LOCK: Final = 2_300_150_695  # the advisory lock under which one process migrates


def open_database(url: str) -> Database:
    """Open the books at this URL, and create or update their tables.

    >>> open_database("sqlite://").is_sqlite
    True
    """
    database = Database(url)
    try:
        with database.snapshot() as connection:
            version = _version(connection)
        if version != NEWEST:
            with database.transaction() as connection:
                migrate(connection)
                _begin_key(database, connection)
        find_key(database)
    except BaseException:
        database.close()
        raise
    return database


def open_to_read(url: str) -> Database:
    """Open existing books only for reading, also from a medium that cannot be written.

    Their tables have to be of this version, since they cannot be updated.
    """
    database = Database(url, read_only=True)
    try:
        with database.snapshot() as connection:
            version = _version(connection)
            if version != NEWEST:
                raise StorageTrouble(f"these books are of version {version}; this Feltworks reads {NEWEST}")
            books = read_house(connection).books
        _keep_key(database, books, read_key(books))
    except BaseException:
        database.close()
        raise
    return database


def read_house(connection: Connection) -> Any:
    """The name under which the key of these books is stored, and its public part."""
    row = connection.execute(select(house.c.books, house.c.public_key).where(house.c.id == 1)).one_or_none()
    if row is None:
        raise StorageTrouble("these books have lost the name of their key; restore them from a backup")
    return row


def _begin_key(database: Database, connection: Connection) -> None:
    """Make the key of new books, or of books from before there were keys.

    This is done only when their tables are created or updated. Otherwise somebody who removed the key from the books
    would get a new one, with which all earlier postings are accepted without marks.
    """
    books, public = read_house(connection)
    if public is None:
        heads = connection.execute(select(book.c.name, book.c.number))
        key = new_key() if database.is_in_memory else make_key(books, dict(map(tuple, heads)))
        connection.execute(update(house).values(public_key=key.public))
        database.engine.update_execution_options(house_key=key)


def find_key(database: Database) -> None:
    """Find the key of the books; without it they can only be read."""
    with database.snapshot() as connection:
        books, public = read_house(connection)
    known = database.engine.get_execution_options().get("house_key")
    key: HouseKey | None = known if database.is_in_memory else read_key(books)
    if key is not None and key.public != public:
        raise StorageTrouble(f"{key_file(books)} is not the key with which these books were marked")
    _keep_key(database, books, key)


def _keep_key(database: Database, books: str, key: HouseKey | None) -> None:
    """Set the key that marks postings, and note the last seals beside it."""
    if key is not None and not database.is_in_memory:
        database.last_seals = LastSeals(books, database.place, partial(is_stored, database))
    database.engine.update_execution_options(house_key=key)


def _version(connection: Connection) -> str | None:
    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables:
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if tables:
        raise StorageTrouble("this database holds other tables; give the books a database of their own")
    return None


def migrate(connection: Connection) -> None:
    """Create the tables, or update them."""
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    version = _version(connection)
    if version == NEWEST:
        return
    if version is not None and version > NEWEST:
        raise StorageTrouble(f"these books are of version {version}; this Feltworks knows up to {NEWEST}")
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


VERSIONS: Final = files("feltworks.house.storage") / "migrations" / "versions"
_END = "--;\n"


def run_scripts(connection: Connection, name: str) -> None:
    """Run NAME.sqlite.sql or NAME.postgresql.sql, then NAME.sql, if those files exist."""
    for suffix in (f".{connection.dialect.name}.sql", ".sql"):
        script = VERSIONS / f"{name}{suffix}"
        if script.is_file():
            for statement in script.read_text(encoding="utf-8").split(_END):
                if statement.strip():
                    connection.exec_driver_sql(statement.replace("%", _percent(connection)))


def upgrade_by(*names: str) -> Callable[[], None]:
    """The function that alembic calls to update the tables with these scripts."""

    def upgrade() -> None:
        from alembic import op

        for name in names:
            run_scripts(op.get_bind(), name)

    return upgrade


_SCRIPTS: Final = (
    *("0001_journal", "0002_tables", "0002_triggers", "0003_tables", "0003_triggers"),
    *("0004_append", "0005_guards", "0006_single"),
)


def create_tables(connection: Connection) -> None:
    """Create every table and trigger of the newest version, as all migrations together do."""
    for name in _SCRIPTS:
        run_scripts(connection, name)


def _percent(connection: Connection) -> str:
    """The percent sign for statements: doubled for psycopg, which reads a single one as a parameter."""
    return "%%" if connection.dialect.paramstyle in ("pyformat", "format") else "%"
