"""A writer may die at any moment: what was acknowledged is there, once, and every balance verifies."""

import subprocess
import sys
from pathlib import Path

from feltworks.house.storage.database import Database

ROOT = Path(__file__).parents[2]


def test_killed_writers_lose_and_double_nothing(books: Database, books_url: str) -> None:
    command = [sys.executable, "-m", "tests.house.faults", books_url, "--kills", "25", "--seconds", "4"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing is missing and nothing is doubled" in done.stdout
    assert books.url.get_backend_name() in ("sqlite", "postgresql")
