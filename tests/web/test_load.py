"""The short form of `make load`: many seats play at once, and the server is killed under them."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHORT = ("--tables", "5", "--seconds", "1", "--thinking", "0.2", "--json")


def test_every_action_is_answered_and_every_seat_finds_its_table_again_after_a_kill() -> None:
    command = [sys.executable, str(ROOT / "benchmarks/load.py"), *SHORT]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    found = json.loads(ran.stdout)
    assert found["actions"] > found["seats"] == 25
    assert found["unanswered"] == 0
    assert found["seats_as_before"] == 25


def test_a_soak_compares_memory_with_that_after_the_first_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    soak = importlib.import_module("soak")
    assert soak.drift([50.0, 100.0, 104.0, 97.0], 2) == 0.04
    assert soak.drift([50.0, 100.0, 120.0, 100.0], 2) == 0.2
    assert soak.drift([50.0, 90.0, 100.0, 101.0], 3) == 0.01
