"""What only its owner may read: made so, and made so again when it is opened."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.private_files import make_private_folder, open_private, restrict


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """Files are readable for everybody unless something is done about it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_new_file_is_its_owners(tmp_path: Path) -> None:
    with open(tmp_path / "log", "ab", opener=open_private) as file:
        file.write(b"a line\n")
    assert mode(tmp_path / "log") == 0o600


@pytest.mark.parametrize(("before", "after"), [(0o644, 0o600), (0o660, 0o600), (0o700, 0o700), (0o400, 0o400)])
def test_an_old_file_is_tightened_and_never_widened(tmp_path: Path, before: int, after: int) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"an old line\n")
    path.chmod(before)
    with open(path, "rb", opener=open_private) as file:
        assert file.read() == b"an old line\n"
    assert mode(path) == after


def test_a_device_is_left_as_it_is() -> None:
    before = mode(Path(os.devnull))
    with open(os.devnull, "ab", opener=open_private) as file:
        file.write(b"nothing\n")
    restrict(Path(os.devnull))
    assert mode(Path(os.devnull)) == before == 0o666


def test_folders_are_made_for_their_owner_with_those_above_them(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path / "data" / "tables" / "one")
    assert [mode(tmp_path / name) for name in ("data", "data/tables", "data/tables/one")] == [0o700] * 3
    assert mode(tmp_path) == 0o755


def test_a_folder_that_is_there_is_tightened(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path)
    assert mode(tmp_path) == 0o700


def test_a_folder_that_everybody_shares_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    make_private_folder(tmp_path)
    assert tmp_path.stat().st_mode & 0o7777 == 0o1777


def test_what_is_not_there_is_not_made(tmp_path: Path) -> None:
    restrict(tmp_path / "nothing")
    assert list(tmp_path.iterdir()) == []
