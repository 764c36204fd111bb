"""Packages that only some users need: without one, a command says in one sentence which extra brings it."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from feltworks.errors import MissingExtra
from feltworks.extras import EXTRAS, ExtraName, require

PROJECT = Path(__file__).parents[1]
# A finder in front of all others: for this process the modules of the extras are not installed.
PLAIN = f"""
import sys
from importlib.abc import MetaPathFinder

class NotInstalled(MetaPathFinder):
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {sorted(extra.module for extra in EXTRAS.values())}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, NotInstalled())
from feltworks.cli.main import run
run()
"""
SIMULATE = ["simulate", "fu-bacc", "--rounds", "1000"]


def felt(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command in a process in which none of the extras can be imported."""
    return subprocess.run(
        [sys.executable, "-c", PLAIN, *words], capture_output=True, text=True, check=False, cwd=folder
    )


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("cluster", [*SIMULATE, "--cluster", "tcp://127.0.0.1:1"]),
        ("pdf", ["report", "sign", "fu-bacc", "--date", "2024-01-31", "--output", "sign.pdf"]),
        ("plots", [*SIMULATE, "--plot", "convergence.svg"]),
        ("postgresql", ["house", "verify", "--database", "postgresql://nobody@127.0.0.1:1/books"]),
    ],
)
def test_a_missing_extra_is_named_in_one_sentence(extra: ExtraName, words: list[str], tmp_path: Path) -> None:
    done = felt(tmp_path, *words)
    lacks = EXTRAS[extra]
    assert done.returncode == 2, done.stderr
    sentence = f"felt: {lacks.purpose} needs {lacks.package}; install it with: pip install 'feltworks[{extra}]'"
    assert done.stderr.splitlines()[-1] == sentence


@pytest.mark.parametrize(
    "words",
    [
        ["games"],
        ["analyze", "fu-bacc", "--wager", "ante"],
        ["trace", "FB.4"],
        SIMULATE,
        ["house", "check-table", "fu-bacc"],
    ],
)
def test_the_plain_install_is_enough_for_everything_else(words: list[str], tmp_path: Path) -> None:
    done = felt(tmp_path, *words)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_broken_extra_is_not_called_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A package that is installed and lacks one of its own is not cured by installing it again."""
    (tmp_path / "weasyprint.py").write_text("import no_such_module_anywhere")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "weasyprint", raising=False)
    with pytest.raises(ModuleNotFoundError, match="no_such_module_anywhere"):
        require("pdf")
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(MissingExtra):
        require("pdf")


def test_the_project_declares_each_extra_and_all_of_them() -> None:
    declared = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(declared) == {*EXTRAS, "all", "dev"}
    assert sorted(declared["all"]) == sorted(package for extra in EXTRAS for package in declared[extra])
