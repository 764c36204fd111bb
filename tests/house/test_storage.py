"""The books' tables: what the migrations make is what the code expects, whoever comes first makes it."""

import shutil
import sqlite3
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

from feltworks.errors import StorageTrouble
from feltworks.house import storage
from feltworks.house.storage import database as database_module
from feltworks.house.storage import migrating
from feltworks.house.storage.database import Database
from feltworks.house.storage.migrating import opened
from feltworks.house.storage.tables import metadata


def test_the_migrations_make_the_tables_that_the_code_expects(books: Database) -> None:
    for module in iter_modules(storage.__path__):
        import_module(f"{storage.__name__}.{module.name}")  # whoever adds tables does so there
    with books.reading() as connection:
        found = compare_metadata(MigrationContext.configure(connection), metadata)
    assert [change for change in found if change[0] != "remove_index"] == []  # indexes change no meaning


def test_several_who_open_new_books_at_once_find_the_same(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new.sqlite'}"
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: opened(url), range(4)))
    with found[0].reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM alembic_version")).scalar() == 1
    for database in found:
        database.close()


def test_a_database_with_other_tables_is_left_alone(tmp_path: Path) -> None:
    other = Database(f"sqlite:///{tmp_path / 'other.sqlite'}")
    with other.writing() as connection:
        connection.execute(text("CREATE TABLE recipes (name TEXT)"))
    other.close()
    with pytest.raises(StorageTrouble, match="other tables"):
        opened(str(tmp_path / "other.sqlite"))


def test_books_of_a_later_version_are_left_alone(tmp_path: Path) -> None:
    path = str(tmp_path / "later.sqlite")
    later = opened(path)
    with later.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    later.close()
    with pytest.raises(StorageTrouble, match=f"knows up to {migrating.NEWEST}"):
        opened(path)


def test_what_sqlite_acknowledges_is_on_disk(tmp_path: Path) -> None:
    database = opened(str(tmp_path / "durable.sqlite"))
    with database.reading() as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
        synchronous = connection.exec_driver_sql("PRAGMA synchronous").scalar()
    assert (mode, synchronous) == ("wal", 2)
    database.close()


def note(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(text("INSERT INTO book (name, kind, hash) VALUES ('a book', 'test', x'00')"))


def noted(path: Path) -> object:
    """How often the note stands in a copy of the database file alone."""
    copy = path.with_name("copy.sqlite")
    shutil.copy(path, copy)
    with closing(sqlite3.connect(copy)) as connection:
        return connection.execute("SELECT count(*) FROM book WHERE name = 'a book'").fetchone()[0]


def test_closed_books_are_whole_in_one_file_although_somebody_else_has_them_open(tmp_path: Path) -> None:
    path = tmp_path / "books.sqlite"
    ours, other = opened(str(path)), opened(str(path))
    note(ours)
    ours.close()
    assert noted(path) == 1
    other.close()
    assert [each.name for each in tmp_path.glob("books.sqlite*")] == ["books.sqlite"]


def test_books_are_closed_soon_although_somebody_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "books.sqlite"
    ours, other = opened(str(path)), opened(str(path))
    with other.reading() as connection:
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
    later = opened(str(path))
    with later.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        if version is None:
            connection.execute(text("DROP TABLE alembic_version"))
    later.close()
    with pytest.raises(StorageTrouble):
        opened(str(path))
    assert [each.name for each in tmp_path.iterdir()] == ["books.sqlite"]


def test_a_connection_whose_server_went_away_is_made_anew(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "_SURELY_ALIVE", 0.0)
    ours, other = Database(postgresql_url), Database(postgresql_url)
    with ours.reading() as connection:
        before = connection.execute(text("SELECT pg_backend_pid()")).scalar()
    with other.writing() as connection:
        connection.execute(text(f"SELECT pg_terminate_backend({before}, 5000)"))
    with ours.reading() as connection:
        assert connection.execute(text("SELECT pg_backend_pid()")).scalar() != before
    ours.close()
    other.close()
