"""Creates and updates the tables of a database when the books are opened."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from feltworks.errors import StorageTrouble
from feltworks.house.storage.database import Database

NEWEST: Final = "0002"
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
                _migrate(connection)
    except BaseException:
        database.close()
        raise
    return database


def _version(connection: Connection) -> str | None:
    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables:
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if tables:
        raise StorageTrouble("this database holds other tables; give the books a database of their own")
    return None


def _migrate(connection: Connection) -> None:
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
    """Run NAME.sqlite.sql or NAME.postgresql.sql, then NAME.sql, where those files exist."""
    for suffix in (f".{connection.dialect.name}.sql", ".sql"):
        script = VERSIONS / f"{name}{suffix}"
        if script.is_file():
            for statement in script.read_text(encoding="utf-8").split(_END):
                if statement.strip():
                    connection.exec_driver_sql(statement.replace("%", _percent(connection)))


def _percent(connection: Connection) -> str:
    """psycopg takes a single percent sign for a parameter, so it is doubled."""
    return "%%" if connection.dialect.paramstyle in ("pyformat", "format") else "%"
