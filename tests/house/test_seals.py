"""The last seals beside the key: each process notes its own, and none takes back what another has noted."""

from pathlib import Path

import pytest

from feltworks.house.journal.posting import BEGINNING
from feltworks.house.journal.seals import FOLDER_VARIABLE, LastSeals, NotedSeal, parse_seal

ONE, TWO, THREE, FOUR = (bytes([number]) * 32 for number in range(1, 5))


class Book:
    """The seals that the database has, by their numbers."""

    def __init__(self, *stored: bytes) -> None:
        self.stored = dict(enumerate(stored, 1))

    def open(self) -> LastSeals:
        return LastSeals("books", "here", self.is_stored)

    def is_stored(self, noted: NotedSeal) -> bool:
        return self.stored.get(noted.number, b"").hex() == noted.seal


@pytest.fixture(autouse=True)
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))


def numbers(seals: LastSeals) -> list[int]:
    return sorted(parse_seal(line).number for line in seals.all())


def test_a_late_note_of_one_process_takes_nothing_from_another() -> None:
    book = Book(ONE, TWO, THREE)
    slow, fast = book.open(), book.open()
    slow.note("gran", 1, ONE, BEGINNING)
    fast.note("gran", 3, THREE, TWO)  # posted and noted while the other has stored posting 2 and not noted it yet
    slow.note("gran", 2, TWO, ONE)
    assert numbers(slow) == [2, 3]


def test_of_two_threads_the_later_posting_stays_noted() -> None:
    seals = Book(ONE, TWO, THREE).open()
    for number, seal, follows in ((1, ONE, BEGINNING), (3, THREE, TWO), (2, TWO, ONE)):
        seals.note("gran", number, seal, follows)
    assert numbers(seals) == [3]


def test_the_next_process_takes_the_file_over_and_renews_its_line() -> None:
    book = Book(ONE, TWO)
    first = book.open()
    first.note("gran", 1, ONE, BEGINNING)
    first.close()
    second = book.open()
    second.note("gran", 2, TWO, ONE)
    assert numbers(second) == [2]


@pytest.mark.parametrize("is_same_process", [True, False])
def test_a_line_stays_where_its_posting_was_cut_off(is_same_process: bool) -> None:
    book = Book(ONE, TWO, THREE)
    seals = book.open()
    seals.note("gran", 3, THREE, TWO)
    book.stored = {1: ONE, 2: TWO, 3: FOUR}  # posting 3 was cut off, and another one made
    if not is_same_process:
        seals.close()
        seals = book.open()
    seals.note("gran", 3, FOUR, TWO)
    assert seals.all() == [f"gran:3:{THREE.hex()}", f"gran:3:{FOUR.hex()}"]
