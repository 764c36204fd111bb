"""The short form of `make fuzz`: whatever a file holds, the command ends with a sentence."""

import importlib
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_spoilt_logs_rulebooks_rounds_and_strategies_end_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    monkeypatch.setattr(os, "environ", os.environ.copy())
    fuzz = importlib.import_module("fuzz")
    statuses = []
    plain_run = fuzz.run

    def run(arguments: list[str]) -> tuple[int, str, float]:
        statuses.append(plain_run(arguments))
        return statuses[-1]

    monkeypatch.setattr(fuzz, "run", run)
    assert list(fuzz.fuzz(inputs=60, seed=2)) == []
    texts = [text for _, text, _ in statuses]
    assert {status for status, *_ in statuses} == {0, 2}
    assert len({text for text in texts if ".toml: " in text}) > 5  # each is read anew
