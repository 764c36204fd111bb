"""The books' tables: what the migrations make is what the code expects, whoever comes first makes it."""

from concurrent.futures import ThreadPoolExecutor
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
