"""Files that come to their place whole, and are known to be writable before the work."""

from pathlib import Path

import pytest

from feltworks.simulation.run import check_writable, replace_file

_TOO_LONG = "n" * 252  # for a file that is first written beside its place


def test_a_file_replaces_what_lay_there_and_leaves_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    for written in (b"one", b"another"):
        check_writable(path)
        replace_file(path, written)
        assert path.read_bytes() == written
    assert list(tmp_path.iterdir()) == [path]


def test_looking_whether_a_file_can_be_written_leaves_it_alone(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    check_writable(path)
    assert not path.exists()
    path.write_bytes(b"old")
    check_writable(path)
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("name", "why"),
    [("nowhere/result.json", "No such file"), (_TOO_LONG, "too long")],
    ids=["nowhere", "long"],
)
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, name: str, why: str) -> None:
    path = tmp_path / name
    with pytest.raises(OSError, match=why) as looked:
        check_writable(path)
    with pytest.raises(OSError, match=why) as written:
        replace_file(path, b"new")
    assert looked.value.filename == written.value.filename == str(path)
    assert not list(tmp_path.iterdir())


def test_a_link_stays_a_link_to_the_file_it_leads_to(tmp_path: Path) -> None:
    path, link = tmp_path / "result.json", tmp_path / "latest.json"
    link.symlink_to(path)
    replace_file(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_a_device_is_written_to_and_never_replaced() -> None:
    null = Path("/dev/null")
    check_writable(null)
    replace_file(null, b"gone")
    assert null.is_char_device()
