"""`felt settle` against the oracle: thousands of random rounds, legal and illegal, with fixed seeds.

`make oracle` deals 20,000 of every family.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.oracle import campaign

LEGAL = {"fu-bacc": 1_500, "spanish-poker": 1_500, "blackjack-family": 4_500}
ILLEGAL = dict.fromkeys(LEGAL, 600)


# The clauses whose effect on money the random rounds of each family reach.
CLAUSES = {
    "fu-bacc": ["M.1", *(f"FB.{n}" for n in range(2, 15))],
    "spanish-poker": [
        "M.1",
        *(f"SP.{n}" for n in (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 20, 21, 22, 26)),
    ],
    "blackjack-family": [
        "M.1",
        *(f"AD.{n}" for n in (3, 4, 5, 8, 9, 10, 11, 12, 15)),
        *(f"LB.{n}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14)),
        *(f"LL.{n}" for n in (2, 3, 4, 5, 7)),
        *(f"BJ.{n}" for n in (1, 4, 5)),
    ],
}


@pytest.mark.parametrize(
    "family", [pytest.param(name, marks=pytest.mark.clause(*CLAUSES[name])) for name in campaign.FAMILIES]
)
def test_every_line_agrees(family: str) -> None:
    cases = campaign.legal_cases(family, LEGAL[family], seed=20_210_525)
    collected = campaign.mismatches(cases)
    assert not collected, campaign.report(collected, len(cases))


@pytest.mark.parametrize("family", list(campaign.FAMILIES))
def test_every_impossible_round_is_refused(family: str) -> None:
    cases = campaign.illegal_cases(family, ILLEGAL[family], seed=20_080_731)
    collected = campaign.mismatches(cases)
    assert not collected, campaign.report(collected, len(cases))


@pytest.mark.parametrize("family", list(campaign.FAMILIES))
def test_whatever_a_round_holds_it_gets_one_answer(family: str) -> None:
    lines = campaign.junk_lines(family, 1_000, seed=3_017)
    odd = [
        (text, got)
        for text, got in zip(lines, campaign.settle(lines), strict=True)
        if ("error" in got) == ("seats" in got)
    ]
    assert not odd, odd[0]


def test_an_absurdly_large_amount_does_not_end_the_run() -> None:
    """30 to 1 on a number of 4,299 digits is a number longer than Python writes out by default."""
    document = {
        "game": "fu-bacc",
        "dealer": {"up": "9s", "hole": "3h", "third": "4d"},
        "seats": [{"wagers": {"lucky-monkey": 10**4_299 - 1}, "cards": ["Kh", "Qd"], "third": "2c", "choice": None}],
    }
    first, second = campaign.settle([json.dumps(document), "{}"])
    assert "error" in second
    assert ("error" in first) != ("seats" in first)


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
