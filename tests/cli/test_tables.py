"""Tables and sentences fit the terminal: nothing beyond its width, no number and no word broken in two."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from feltworks.cli.output import Cell, Table, wrap
from tests.cli.terminal_screen import FELT, shown_at
from tests.conftest import Output

NARROW, WIDE = 80, 140
COMMANDS = [
    ("audit", "acey-deucey-21"),
    ("games",),
    ("games", "lucky-lucky"),
    ("analyze", "fu-bacc", "--wager", "tie", "--beside", "ante=1/3"),
    ("analyze", "spanish-poker", "--wager", "gran-progressive"),
    ("compare", "lucky-lucky", "--wager", "lucky-lucky"),
    ("strategy", "fu-bacc", "--wager", "ante", "--values"),
    ("simulate", "fu-bacc", "--rounds", "1000", "--seed", "1"),
    ("trace",),
    ("house", "profile", "--date", "2024-01-31"),
    ("house", "check-table", "lucky-lucky", "--date", "2024-01-31"),
]


def lines_of(table: Table, width: int | None) -> list[str]:
    return ["".join(text for text, _ in line).rstrip() for line in table.lines(width)]


def prose() -> Table:
    table = Table("game", "figure", "what it means", "edge")
    for game in ("fu-bacc", "lucky-lucky"):
        for number in (1, 2):
            table.add_row(game, f"figure {number}", "a sentence of some length " * 3, "5.0498 %")
    return table


def test_a_table_with_room_is_as_wide_as_it_needs() -> None:
    lines = lines_of(prose(), None)
    assert len(lines) == 8  # blank, heading, rule, four rows, blank
    assert max(map(len, lines)) > 100


@pytest.mark.parametrize("width", [100, 80, 60, 40])
def test_a_narrow_table_breaks_no_number_and_no_word(width: int) -> None:
    lines = lines_of(prose(), width)
    assert max(map(len, lines)) <= width
    assert sum("5.0498 %" in line for line in lines) == 4
    assert " ".join(" ".join(lines).split()).count("sentence") == 12


def test_a_first_column_that_repeats_becomes_headings() -> None:
    lines = lines_of(prose(), 50)
    assert [line for line in lines if line in ("fu-bacc", "lucky-lucky")] == ["fu-bacc", "lucky-lucky"]


def test_a_row_that_fits_no_grid_is_a_list_of_its_cells() -> None:
    table = Table("option", "default", "meaning")
    table.add_row("lucky-break.player-limit", "twenty-seven", "what the player's total may be at most")
    lines = lines_of(table, 40)
    assert lines[1] == "lucky-break.player-limit"
    assert lines[2].split() == ["default", "twenty-seven"]
    assert max(map(len, lines)) <= 40


def test_only_a_number_longer_than_the_line_is_cut_and_marked() -> None:
    table = Table("figure", "exact", "value")
    table.add_row("house edge", f"{'1' * 90}/{'7' * 90}", Cell("1.5 %", "bold"))
    lines = lines_of(table, 80)
    assert max(map(len, lines)) <= 80
    assert any("…" in line and "1.5 %" in line for line in lines)


def test_odds_and_percentages_stay_in_one_piece() -> None:
    assert wrap("pays 3 to 2", 8) == ["pays", "3 to 2"]
    assert wrap("edge 5.0498 %", 9) == ["edge", "5.0498 %"]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_terminal_of_eighty_columns_shows_every_word_and_number_whole(
    words: tuple[str, ...], felt: Callable[..., Output], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    narrow = shown_at(NARROW, words, tmp_path)
    assert max(map(len, narrow.splitlines())) <= NARROW
    missing = _words(felt(*words).out) - _words(narrow)
    assert missing <= {"game", "Option", "Subject", "Wager"}  # over names that stand alone when it is narrow


def test_a_wider_terminal_gets_the_wide_form(tmp_path: Path) -> None:
    narrow, wide = (shown_at(columns, ("games",), tmp_path).splitlines() for columns in (NARROW, WIDE))
    assert NARROW < max(map(len, wide)) <= WIDE
    assert len(wide) < len(narrow)


def _words(shown: str) -> set[str]:
    timed = re.compile(r"\d[\d,.]* (?:s|rounds/s)\b|─+")  # differs from run to run, and with the width
    return set(timed.sub("", shown).split())


def test_a_pipe_gets_unwrapped_lines(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = subprocess.run(
        [FELT, "games", "fu-bacc"], capture_output=True, text=True, check=True, env=environment, cwd=tmp_path
    )
    assert "Whether a ten counts as a monkey for the rescue, as it does for Lucky Monkey." in done.stdout
    assert "\x1b" not in done.stdout
