"""The books' tables: what the migrations make is what the code expects, whoever comes first makes it."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.sql.ddl import DDLIf

from feltworks.errors import StorageTrouble
from feltworks.house import storage
from feltworks.house.storage import database as database_module
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import NEWEST, open_database
from feltworks.house.storage.schema import metadata


def test_the_migrations_make_the_tables_that_the_code_expects(books: Database) -> None:
    for module in iter_modules(storage.__path__):
        import_module(f"{storage.__name__}.{module.name}")  # whoever adds tables does so there
    with books.snapshot() as connection:
        dialect = connection.dialect.name
        due = {"include_object": lambda item, *_: getattr(item, "_ddl_if", None) in (None, DDLIf(dialect, None, None))}
        found = compare_metadata(MigrationContext.configure(connection, opts=due), metadata)
    assert [change for change in found if change[0] != "remove_index"] == []  # indexes change no meaning


def test_several_who_open_new_books_at_once_find_the_same(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new.sqlite'}"
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: open_database(url), range(4)))
    with found[0].snapshot() as connection:
        assert connection.execute(text("SELECT count(*) FROM alembic_version")).scalar() == 1
    for database in found:
        database.close()


def test_a_database_with_other_tables_is_left_alone(tmp_path: Path) -> None:
    other = Database(f"sqlite:///{tmp_path / 'other.sqlite'}")
    with other.transaction() as connection:
        connection.execute(text("CREATE TABLE recipes (name TEXT)"))
    other.close()
    with pytest.raises(StorageTrouble, match="other tables"):
        open_database(str(tmp_path / "other.sqlite"))


def test_books_of_a_later_version_are_left_alone(tmp_path: Path) -> None:
    path = str(tmp_path / "later.sqlite")
    later = open_database(path)
    with later.transaction() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    later.close()
    with pytest.raises(StorageTrouble, match=f"knows up to {NEWEST}"):
        open_database(path)


def test_what_sqlite_acknowledges_is_on_disk(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "durable.sqlite"))
    with database.snapshot() as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
        synchronous = connection.exec_driver_sql("PRAGMA synchronous").scalar()
    assert (mode, synchronous) == ("wal", 2)
    database.close()


def note(database: Database) -> None:
    with database.transaction() as connection:
        connection.execute(text("INSERT INTO book (name, kind, hash) VALUES ('a book', 'test', x'00')"))


def noted(path: Path) -> object:
    """How often the note stands in a copy of the database file alone."""
    copy = path.with_name("copy.sqlite")
    shutil.copy(path, copy)
    with closing(sqlite3.connect(copy)) as connection:
        return connection.execute("SELECT count(*) FROM book WHERE name = 'a book'").fetchone()[0]


def test_closed_books_are_whole_in_one_file_although_somebody_else_has_them_open(tmp_path: Path) -> None:
    path = tmp_path / "books.sqlite"
    ours, other = open_database(str(path)), open_database(str(path))
    note(ours)
    ours.close()
    assert noted(path) == 1
    other.close()
    assert [each.name for each in tmp_path.glob("books.sqlite*")] == ["books.sqlite"]


def test_books_are_closed_soon_although_somebody_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "books.sqlite"
    ours, other = open_database(str(path)), open_database(str(path))
    with other.snapshot() as connection:
        connection.execute(text("SELECT * FROM book")).all()
        note(ours)
        begun = time.monotonic()
        ours.close()
        assert time.monotonic() - begun < 10
    other.close()
    assert noted(path) == 1


def test_books_that_were_never_used_are_closed_without_a_file(tmp_path: Path) -> None:
    Database(str(tmp_path / "books.sqlite")).close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("version", ["9999", None])
def test_books_that_are_refused_are_let_go_of(tmp_path: Path, version: str | None) -> None:
    path = tmp_path / "books.sqlite"
    later = open_database(str(path))
    with later.transaction() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        if version is None:
            connection.execute(text("DROP TABLE alembic_version"))
    later.close()
    with pytest.raises(StorageTrouble):
        open_database(str(path))
    assert [each.name for each in tmp_path.iterdir()] == ["books.sqlite"]


def test_books_are_readable_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    path = tmp_path / "books.sqlite"
    try:
        database = open_database(str(path))
        note(database)
        found = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()}
        database.close()
    finally:
        os.umask(before)
    assert found == {"books.sqlite": 0o600, "books.sqlite-wal": 0o600, "books.sqlite-shm": 0o600}


def test_books_that_others_could_read_are_tightened_when_they_are_opened(tmp_path: Path) -> None:
    path = tmp_path / "books.sqlite"
    database = open_database(str(path))
    note(database)
    for each in tmp_path.iterdir():
        each.chmod(0o644)
    again = open_database(str(path))
    assert {each.stat().st_mode & 0o777 for each in tmp_path.iterdir()} == {0o600}
    database.close()
    again.close()
    assert tmp_path.stat().st_mode & 0o777 == 0o700  # as pytest makes it: the folder is not the books'


def test_opening_books_takes_no_lock_from_others_in_this_process(tmp_path: Path) -> None:
    """POSIX drops all locks of a process on a file when any handle of that file is closed."""
    path = tmp_path / "books.sqlite"
    ours = open_database(str(path))
    with ours.snapshot() as connection:
        connection.execute(text("SELECT count(*) FROM book")).scalar()
        again = open_database(str(path))
        leaving = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM book').fetchall()"
        subprocess.run([sys.executable, "-c", leaving, path], check=True)
        # Without our lock the other process takes itself for the last one, and takes the log with it.
        assert path.with_name("books.sqlite-wal").exists()
        again.close()
    ours.close()


def test_a_connection_whose_server_went_away_is_made_anew(postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "_SURELY_ALIVE", 0.0)
    ours, other = Database(postgresql_url), Database(postgresql_url)
    with ours.snapshot() as connection:
        before = connection.execute(text("SELECT pg_backend_pid()")).scalar()
    with other.transaction() as connection:
        connection.execute(text(f"SELECT pg_terminate_backend({before}, 5000)"))
    with ours.snapshot() as connection:
        assert connection.execute(text("SELECT pg_backend_pid()")).scalar() != before
    ours.close()
    other.close()
