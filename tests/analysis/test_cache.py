"""Answers on disk: kept exactly, found again, not believed when damaged, no more than there is room for."""

import json
import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from feltworks.analysis import cache as keeping
from feltworks.analysis.cache import CACHE, answers_folder, load_or_compute

ANSWER = {
    "house_edge": Fraction(-(3**200), 7**150),
    "value": 0.1,
    "rows": [{"net": Fraction(3, 2), "cards": []}],
}


class Work:
    """Work that counts how often it was done."""

    def __init__(self, answer: object = ANSWER) -> None:
        self.answer, self.done = answer, 0

    def __call__(self) -> object:
        self.done += 1
        return self.answer


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of answers, in which quick work is worth keeping too."""
    monkeypatch.setenv(CACHE, str(tmp_path))
    monkeypatch.setattr(keeping, "WORTH_KEEPING_SECONDS", 0)
    return tmp_path / "answers"


def named(key: str) -> Callable[[], str]:
    return lambda: key


def test_work_is_done_once_and_fractions_survive_exactly() -> None:
    work = Work()
    assert load_or_compute(named("a"), work) == ANSWER
    assert load_or_compute(named("a"), work) == ANSWER
    assert work.done == 1


def test_the_first_answer_is_the_same_as_the_kept_one() -> None:
    work = Work({"offers": ("ante", "tie"), 5: None})
    assert (
        load_or_compute(named("a"), work) == load_or_compute(named("a"), work) == {"offers": ["ante", "tie"], "5": None}
    )


def test_another_key_is_another_answer() -> None:
    load_or_compute(named("a"), Work(1))
    assert load_or_compute(named("b"), Work(2)) == 2


def test_quick_work_is_not_worth_keeping(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "WORTH_KEEPING_SECONDS", 60)
    load_or_compute(named("a"), Work())
    assert not folder.exists()


def test_without_a_key_nothing_is_kept(folder: Path) -> None:
    work = Work()
    assert load_or_compute(lambda: None, work) == load_or_compute(lambda: None, work) == ANSWER
    assert work.done == 2
    assert not folder.exists()


def test_a_key_that_changed_during_the_work_is_not_trusted(folder: Path) -> None:
    found = iter(["before", "after"])
    assert load_or_compute(lambda: next(found), Work()) == ANSWER
    assert not folder.exists()


def test_off_keeps_nothing_and_finds_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_or_compute(named("a"), Work(1))
    monkeypatch.setenv(CACHE, "off")
    assert load_or_compute(named("a"), Work(2)) == 2
    assert len(list(folder.iterdir())) == 1


def test_the_folder_is_the_users_unless_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CACHE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert answers_folder() == tmp_path / "xdg" / "feltworks" / "answers"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert answers_folder() == tmp_path / ".cache" / "feltworks" / "answers"


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda whole: whole[:0],
    "cut off": lambda whole: whole[:-5],
    "a digit changed": lambda whole: whole.replace(b"0.1", b"0.2"),
    "no text": lambda whole: b"\xff\xfe" + whole,
    "the seal alone": lambda whole: whole.partition(b"\n")[0],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_entry_is_ignored_and_replaced(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    load_or_compute(named("a"), Work())
    whole = (folder / "a.json").read_bytes()
    assert damage(whole) != whole
    (folder / "a.json").write_bytes(damage(whole))
    again = Work()
    assert load_or_compute(named("a"), again) == ANSWER
    assert again.done == 1
    assert (folder / "a.json").read_bytes() == whole


def test_an_entry_under_the_name_of_another_is_not_believed(folder: Path) -> None:
    load_or_compute(named("a"), Work(1))
    (folder / "a.json").rename(folder / "b.json")
    assert load_or_compute(named("b"), Work(2)) == 2


def test_an_interruption_leaves_nothing_half_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_or_compute(named("a"), Work(1))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load_or_compute(named("b"), Work(2))
    assert [path.name for path in folder.iterdir()] == ["a.json"]
    assert load_or_compute(named("a"), Work(3)) == 1


def test_work_that_fails_keeps_nothing(folder: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        load_or_compute(named("a"), lambda: 1 // 0)
    assert not folder.exists()


def test_a_folder_that_cannot_be_used_costs_only_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(CACHE, str(tmp_path / "file"))
    assert load_or_compute(named("a"), Work()) == ANSWER


def test_the_longest_unused_go_when_there_is_no_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_BYTES", 10_000)
    for age, name in enumerate("edcba"):  # e is the oldest, but it is used again
        load_or_compute(named(name), Work("x" * 1_200))
        os.utime(folder / f"{name}.json", (1_000 + age, 1_000 + age))
    load_or_compute(named("e"), Work())
    for name in "fgh":
        load_or_compute(named(name), Work("y" * 1_200))
    left = {path.stem for path in folder.iterdir()}
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 10_000
    assert {"e", "f", "g", "h"} <= left
    assert "d" not in left


def test_an_answer_too_large_for_the_folder_pushes_nothing_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_or_compute(named("a"), Work(1))
    monkeypatch.setattr(keeping, "MOST_BYTES", 10_000)
    load_or_compute(named("b"), Work("x" * 5_000))
    assert [path.name for path in folder.iterdir()] == ["a.json"]


def test_what_a_dead_process_left_is_swept_away(folder: Path) -> None:
    load_or_compute(named("a"), Work(1))
    (folder / "dead.part").write_text("half")
    os.utime(folder / "dead.part", (1_000, 1_000))
    (folder / "alive.part").write_text("half")
    load_or_compute(named("b"), Work(2))
    assert {path.name for path in folder.iterdir()} == {"a.json", "b.json", "alive.part"}


def test_entries_are_plain_json_under_a_seal(folder: Path) -> None:
    load_or_compute(named("a"), Work())
    seal, answer = (folder / "a.json").read_text().split("\n")
    assert len(seal) == 64
    assert json.loads(answer)["rows"] == [{"net": {"exact fraction": "3/2"}, "cards": []}]


def test_what_is_no_document_is_refused() -> None:
    with pytest.raises(TypeError, match="does not belong in a document"):
        load_or_compute(named("a"), Work(object()))
