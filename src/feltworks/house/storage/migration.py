"""Creates and updates the tables of a database when the books are opened."""

from collections.abc import Mapping, Sequence
from functools import partial
from importlib.resources import files
from secrets import token_hex
from typing import Any, Final

from sqlalchemy import Connection, insert, inspect, select, text, update

from feltworks.errors import StorageTrouble
from feltworks.house.journal.book import is_stored
from feltworks.house.journal.seals import HouseKey, LastSeals, key_file, make_key, new_key, read_key
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import book, house

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


_FOLDER: Final = files("feltworks.house.storage") / "migrations"
_SCRIPTS: Final[Mapping[str, Sequence[str]]] = {
    "0001": ["0001_journal"],
    "0002": ["0002_tables", "0002_triggers"],
    "0003": ["0003_tables", "0003_triggers"],
    "0004": ["0004_append"],
    "0005": ["0005_guards"],
    "0006": ["0006_single"],
}
NEWEST: Final = max(_SCRIPTS)
# The table has this name in all books, since alembic once brought them up to date.
_VERSION_TABLE: Final = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"
_END: Final = "--;\n"  # ends a statement of a script


def migrate(connection: Connection) -> None:
    """Create the tables, or update them."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    version = _version(connection) or ""
    if version > NEWEST:
        raise StorageTrouble(f"these books are of version {version}; this Feltworks knows up to {NEWEST}")
    create_tables(connection, after=version)
    if not version:
        connection.execute(text(_VERSION_TABLE))
        connection.execute(text("INSERT INTO alembic_version VALUES ('')"))
    if version < "0003":  # the books get a name, under which their key is kept
        connection.execute(insert(house).values(id=1, books=token_hex(8)))
    connection.execute(text("UPDATE alembic_version SET version_num = :newest"), {"newest": NEWEST})


def create_tables(connection: Connection, *, after: str = "") -> None:
    """Run the scripts of every version after this one: NAME.sqlite.sql or NAME.postgresql.sql, then NAME.sql."""
    names = [name for version, scripts in _SCRIPTS.items() if version > after for name in scripts]
    suffixes = (f".{connection.dialect.name}.sql", ".sql")
    percent = "%" if connection.dialect.name == "sqlite" else "%%"  # psycopg reads a single one as a parameter
    for script in (_FOLDER / f"{name}{suffix}" for name in names for suffix in suffixes):
        for statement in script.read_text(encoding="utf-8").split(_END) if script.is_file() else ():
            if statement.strip():
                connection.exec_driver_sql(statement.replace("%", percent))
