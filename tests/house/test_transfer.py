"""Backup, restore and the move to another server: the same books afterwards, seal by seal."""

import os
import shutil
import stat
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from feltworks.errors import NotNow, NotPermitted, PostingRefused, StorageTrouble
from feltworks.house.closing import ClosingBook
from feltworks.house.duties import check_signatures
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database, open_to_read
from feltworks.house.storage.transfer import back_up, restore
from feltworks.house.tables.tokes import TokeBook
from feltworks.house.verification import audit
from tests.house.falsify import eventful_house
from tests.house.floor import DAY


@pytest.fixture(scope="module")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("eventful") / "books.sqlite"
    eventful_house(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="module")
def server(postgresql_url: str) -> str:
    """An empty database on a server."""
    url = make_url(postgresql_url)
    engine = create_engine(url.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("CREATE DATABASE moved"))
    engine.dispose()
    return url.set(database="moved").render_as_string(hide_password=False)


def seals(database: Database) -> dict[str, tuple[int, str]]:
    found = audit(database)
    assert found.faults == []
    return {book.book: (book.postings, book.hash) for book in found.books}


def test_books_are_restored_from_a_backup_and_go_on(eventful: Path, tmp_path: Path) -> None:
    books, file = open_database(str(eventful)), tmp_path / "backup"
    back_up(books, file)
    before = seals(books)
    books.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(StorageTrouble, match="exists; give the backup a name of its own"):
        back_up(books, file)
    restored = Database(str(tmp_path / "restored.sqlite"))
    restore(file, restored)
    assert seals(restored) == before
    TokeBook(restored).take("A", 1_00, {"dealer": "dan", "witness": "flo"}, day=DAY)
    assert audit(restored).faults == []
    with pytest.raises(StorageTrouble, match="holds books already"):
        restore(file, restored)
    restored.close()


def test_books_move_from_a_file_to_a_server_and_back(eventful: Path, tmp_path: Path, server: str) -> None:
    books = open_database(str(eventful))
    before = seals(books)
    back_up(books, tmp_path / "backup")
    books.close()
    moved = Database(server)
    restore(tmp_path / "backup", moved)
    assert seals(moved) == before
    TokeBook(moved).take("A", 1_00, {"dealer": "dan", "witness": "flo"}, day=DAY)
    back_up(moved, tmp_path / "again")
    moved.close()
    again = open_to_read(str(tmp_path / "again"))
    assert seals(again)["house tokes"][0] == before["house tokes"][0] + 1
    again.close()


def test_books_on_a_medium_that_cannot_be_written_are_verified(eventful: Path, tmp_path: Path) -> None:
    books = open_database(str(eventful))
    medium = tmp_path / "medium"
    medium.mkdir()
    back_up(books, medium / "books.sqlite")
    books.close()
    (medium / "books.sqlite").chmod(0o400)
    medium.chmod(0o500)
    try:
        reading = open_to_read(str(medium / "books.sqlite"))
        assert audit(reading).faults == []
        with pytest.raises(StorageTrouble, match=r"readonly|read-only"), reading.transaction() as connection:
            connection.execute(text("DELETE FROM alembic_version"))
        reading.close()
        assert os.listdir(medium) == ["books.sqlite"]
    finally:
        medium.chmod(0o700)


def test_a_backup_that_is_none_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    target = Database(str(tmp_path / "target.sqlite"))
    with pytest.raises(StorageTrouble, match="there is no backup"):
        restore(tmp_path / "nowhere", target)
    (tmp_path / "text").write_text("no database", encoding="utf-8")
    with pytest.raises(StorageTrouble):
        restore(tmp_path / "text", target)
    target.close()


def test_a_backup_in_place_of_newer_books_is_recorded_with_what_is_lost(eventful: Path, own_keys: Path) -> None:
    tmp_path = own_keys.parent
    path, file = tmp_path / "books.sqlite", tmp_path / "backup"
    shutil.copy(eventful, path)
    books = open_database(str(path))
    back_up(books, file)
    TokeBook(books).take("A", 1_00, {"dealer": "dan", "witness": "flo"}, day=DAY)
    books.close()
    path.unlink()
    restored = Database(str(path))
    restore(file, restored)
    missing = "house tokes has no posting 2, whose seal was noted"
    assert [fault.fault for fault in audit(restored).faults] == [missing]
    closings = ClosingBook(restored)
    with pytest.raises(PostingRefused, match=r"the signature of accounting .*house rule"):
        check_signatures("restoration", {"administrator": "admin"}, {"admin": "administrator"})
    with pytest.raises(NotPermitted, match="flo"):
        closings.record_restoration("the disk died", by="flo", second="abe")
    (lost,) = closings.record_restoration("the disk died", by="admin", second="abe").lost
    assert lost.startswith("house tokes:2:")
    verified = audit(restored)
    assert verified.faults == []
    assert [note for book in verified.books for note in book.notes if "(the disk died) without house tokes:2" in note]
    with pytest.raises(NotNow, match="nothing is lost twice"):
        closings.record_restoration("again", by="admin", second="abe")
    TokeBook(restored).take("A", 2_00, {"dealer": "dan", "witness": "flo"}, day=DAY)  # another posting 2
    assert audit(restored).faults == []
    restored.close()
