"""`felt settle` against the oracle: thousands of random rounds, legal and illegal, with fixed seeds."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.oracle import campaign

LEGAL = {"fu-bacc": 3_000, "spanish-poker": 3_000, "blackjack-family": 6_000}
ILLEGAL = {"fu-bacc": 1_000, "spanish-poker": 1_000, "blackjack-family": 2_500}


@pytest.mark.parametrize("family", list(campaign.FAMILIES))
def test_every_line_agrees(family: str) -> None:
    cases = campaign.legal_cases(family, LEGAL[family], seed=20_210_525)
    collected = campaign.mismatches(cases)
    assert not collected, campaign.report(collected, len(cases))


@pytest.mark.parametrize("family", list(campaign.FAMILIES))
def test_every_impossible_round_is_refused(family: str) -> None:
    cases = campaign.illegal_cases(family, ILLEGAL[family], seed=20_080_731)
    collected = campaign.mismatches(cases)
    assert not collected, campaign.report(collected, len(cases))


def test_refusals_leave_their_neighbours_alone() -> None:
    cases = [case for family in campaign.FAMILIES for case in campaign.mixed_cases(family, 200, seed=3_049)]
    collected = campaign.mismatches(cases)
    assert not collected, campaign.report(collected, len(cases))


def test_file_and_standard_input_give_the_same(tmp_path: Path) -> None:
    cases = [case for family in campaign.FAMILIES for case in campaign.mixed_cases(family, 40, seed=3_062)]
    given = tmp_path / "rounds.jsonl"
    given.write_text("".join(case.text + "\n" for case in cases), encoding="utf-8")
    from_file = subprocess.run(
        [campaign.felt(), "settle", str(given)], capture_output=True, text=True, check=False
    ).stdout
    piped = subprocess.run(
        [campaign.felt(), "settle", "-"],
        input=given.read_text(encoding="utf-8"),
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    assert from_file == piped
    assert len(from_file.splitlines()) == len(cases)
