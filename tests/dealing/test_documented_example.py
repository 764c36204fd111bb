"""The example worked by hand in docs/explanation/dealing.md comes out as printed there."""

import re
import subprocess
import sys
from pathlib import Path

from feltworks import catalog
from feltworks.dealing.seed import Commitment, verify
from feltworks.dealing.shoes import source_for

PAGE = (Path(__file__).parents[2] / "docs" / "explanation" / "dealing.md").read_text(encoding="utf-8")
PRINTED = "Ts Jh 2h 4c Qs Ah"


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


def printed_hashes() -> tuple[str, str]:
    commitment, seed = re.findall(r"`([0-9a-f]{64})`", PAGE)
    return commitment, seed


def test_the_shell_command_prints_the_commitment() -> None:
    done = subprocess.run(["sh", "-c", block("sh")], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == printed_hashes()[0]


def test_the_program_without_our_code_prints_the_cards() -> None:
    assert "feltworks" not in block("python")
    done = subprocess.run([sys.executable, "-c", block("python")], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == PRINTED
    assert f"It prints `{PRINTED}`" in PAGE


def test_the_number_42_gives_the_shoe_on_the_page() -> None:
    digest, seed = printed_hashes()
    terms = catalog.game("fu-bacc").terms
    source = source_for(terms, seed=42)
    commitment = source.begin_round()
    assert commitment == Commitment(digest, 1, 0, True, 52)
    assert source.secret == seed
    assert " ".join(face.code for face in verify(commitment, seed, terms.shoe)[:6]) == PRINTED
