"""Migrations written in SQL: one file for both databases, and one for each where they differ."""

from importlib.resources import files
from typing import Final

from sqlalchemy import Connection

VERSIONS: Final = files("feltworks.house.storage") / "migrations" / "versions"
_END = "--;\n"


def run_scripts(connection: Connection, name: str) -> None:
    """Run NAME.sqlite.sql or NAME.postgresql.sql, then NAME.sql, as far as there are such files."""
    for suffix in (f".{connection.dialect.name}.sql", ".sql"):
        script = VERSIONS / f"{name}{suffix}"
        if script.is_file():
            for statement in script.read_text(encoding="utf-8").split(_END):
                if statement.strip():
                    connection.exec_driver_sql(statement.replace("%", _percent(connection)))


def _percent(connection: Connection) -> str:
    """psycopg reads a percent sign as a parameter unless it stands twice."""
    return "%%" if connection.dialect.paramstyle in ("pyformat", "format") else "%"
