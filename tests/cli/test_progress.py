"""Long work at a terminal: a bar with the time left, gone when it is over, and a clean stop by Ctrl-C."""

import json
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from feltworks.analysis import cache as keeping
from feltworks.analysis import cache as keys
from feltworks.cli import main, progress
from tests.cli.terminal_screen import FELT, at_a_terminal
from tests.conftest import Output

BLACKJACK = ("compare", "lucky-break", "--wager", "blackjack", "--json")
TIME_LEFT = re.compile(r"\d:\d\d left")
Felt = Callable[..., Output]


def test_long_work_shows_the_time_left_and_leaves_no_trace_in_its_answer() -> None:
    seen = at_a_terminal(*BLACKJACK, env={keeping.CACHE: "off"})
    assert seen.status == 0
    assert "Comparing" in seen.screen
    assert TIME_LEFT.search(seen.screen)
    assert len(json.loads(seen.out)["compared"]) == 8
    assert seen.screen.rstrip().endswith("\x1b[2K")  # the bar's line is wiped


def test_ctrl_c_stops_long_work_with_one_line_and_status_130(tmp_path: Path) -> None:
    seen = at_a_terminal(*BLACKJACK, env={keeping.CACHE: str(tmp_path)}, stop_at="left")
    assert (seen.status, seen.out) == (main.INTERRUPTED, "")
    assert seen.screen.endswith("felt: stopped\r\n")
    assert "Traceback" not in seen.screen
    assert list(tmp_path.rglob("*")) == []


def test_nobody_at_a_terminal_sees_no_bar() -> None:
    done = subprocess.run([FELT, "compare", "fu-bacc", "--wager", "tie"], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_work_that_is_soon_over_shows_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress.progress_bar("Counting") as tell:
        assert tell is not None
        tell(1, 2)
    assert capsys.readouterr().err == ""


def test_a_bar_appears_while_work_that_tells_nothing_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    with progress.progress_bar("Counting"):
        time.sleep(0.5)
    assert "Counting" in capsys.readouterr().err


def test_an_interrupted_command_says_one_line(felt: Felt, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("feltworks.catalog.games", interrupted)
    assert felt("games") == (main.INTERRUPTED, "", "felt: stopped\n")


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["for people", "as JSON"])
@pytest.mark.parametrize("command", ["analyze", "compare"])
def test_a_second_answer_is_found_and_says_the_same(
    felt: Felt, command: str, form: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(keeping.CACHE, str(tmp_path))
    monkeypatch.setattr(keeping, "WORTH_KEEPING_SECONDS", 0)
    monkeypatch.setattr(keys, "_BEGAN", time.time() + 3600)
    words = (command, "spanish-poker", "--wager", "dos-pares", *form)
    first = felt(*words)
    assert first.status == 0
    assert len(list(tmp_path.rglob("*.json"))) == 1
    monkeypatch.setattr("feltworks.analysis.analyze.analyze", None)
    assert felt(*words) == first
