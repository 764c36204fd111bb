"""What every test may ask for: the command line, and games of one's own."""

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from feltworks import catalog
from feltworks.analysis.cache import CACHE
from feltworks.cli.main import main
from feltworks.house.journal.seals import FOLDER_VARIABLE
from feltworks.written import settle
from tests import databases as databases  # listens to every database that is opened
from tests.docs.pages import named_files
from tests.kernels import one_compiler as one_compiler

_KEYS = tempfile.TemporaryDirectory(prefix="felt-keys-")
os.environ.setdefault(FOLDER_VARIABLE, _KEYS.name)  # the keys of the tests' books end with the tests
os.environ[CACHE] = "off"  # tests compute, and leave the user's folder of kept answers alone
gc.set_threshold(50_000, 20, 50)  # a fifth of all time went into looking for garbage among what stays
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # so it is in the background of a script
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """What was collected stays to the end: nothing of it is looked at for garbage again."""
    gc.collect()
    gc.freeze()


class Output(NamedTuple):
    """What a command answered."""

    status: int
    out: str
    err: str


@pytest.fixture
def felt(capsys: pytest.CaptureFixture[str]) -> Callable[..., Output]:
    """Run a command of `felt` in this process."""

    def run(*words: str) -> Output:
        status = main(words)
        return Output(status, *capsys.readouterr())

    return run


@pytest.fixture
def own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the keys of this run, for a copy of books: copies note their seals under one name.

    The books have to be there before it is asked for, as their key would end with it.
    """
    folder = tmp_path / "keys"
    folder.mkdir()
    for key in Path(os.environ[FOLDER_VARIABLE]).glob("*.key"):
        os.link(key, folder / key.name)
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    return folder


@pytest.fixture
def own_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A designer's folder of games that the catalog looks into."""
    monkeypatch.setenv(catalog.GAME_FOLDERS, str(tmp_path))
    forget_games()
    yield tmp_path
    forget_games()


@pytest.fixture(scope="module")
def gallery() -> Iterator[None]:
    """The games of the gallery, for all tests of a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(catalog.GAME_FOLDERS, str(catalog.examples_folder()))
        forget_games()
        yield
    forget_games()


@pytest.fixture
def casino_war(own_games: Path) -> Path:
    """That folder with the game of docs/how-to/add-a-game.md in it, which no solver and no kernel knows."""
    for name, text in named_files("docs/how-to/add-a-game.md").items():
        (own_games / name).write_text(text, encoding="utf-8")
    return own_games


def forget_games() -> None:
    """Let the catalog look at its folders anew."""
    catalog.rulebook.cache_clear()
    catalog.games.cache_clear()
    catalog._shared_game.cache_clear()
    catalog.broken_books.cache_clear()
    settle._game.cache_clear()
    if orders := sys.modules.get("feltworks.web.tables.order"):
        orders._check.cache_clear()
    if approvals := sys.modules.get("feltworks.house.approvals"):
        approvals.definition_now.cache_clear()
    if blocks := sys.modules.get("feltworks.simulation.rounds.kernel"):
        blocks.kernel_of.cache_clear()
    if decisions := sys.modules.get("feltworks.simulation.rounds.decisions"):
        decisions._play.cache_clear()
        decisions._spots.cache_clear()
        decisions._tables.cache_clear()
    if made := sys.modules.get("feltworks.simulation.plan"):
        made.code_fingerprint.cache_clear()  # the rulebooks of one's own are in it
        made._read.cache_clear()
    if results := sys.modules.get("feltworks.simulation.result"):
        results._edges.cache_clear()
        results._figures_or_reason.cache_clear()
        results._solve_together.cache_clear()
    for name in [name for name in sys.modules if name.startswith("feltworks_own_")]:
        del sys.modules[name]
