"""Golden transcripts: whole rounds of every approved game, told word for word as they were when last read."""

import re
from pathlib import Path

import pytest

from tests.golden.transcript import FOLDER, Heading, transcript

TRANSCRIPTS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_playthrough_is_told_as_it_was(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert transcript(Heading.of(text)) == text, "if the change is meant: python -m tests.golden.record"


@pytest.mark.parametrize("name", ["fu-bacc", "acey-deucey-21", "lucky-break", "spanish-poker", "lucky-lucky"])
def test_every_approved_game_has_a_transcript(name: str) -> None:
    assert name in {Heading.of(path.read_text(encoding="utf-8")).game for path in TRANSCRIPTS}


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_every_wager_on_the_felt_is_settled_once(path: Path) -> None:
    for text in path.read_text(encoding="utf-8").split("\nRound ")[1:]:
        told = re.findall(r"^  = (seat \d [\w-]+(?: toke|, hand \d)?) \$", text, re.MULTILINE)
        assert told
        assert len(told) == len(set(told))
