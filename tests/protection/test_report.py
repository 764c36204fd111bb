"""The report of a game: a ladder of knowledge, what cards do, what a count gains and what stops it."""

from collections.abc import Iterator

import pytest

from feltworks import catalog
from feltworks.protection import report
from feltworks.protection.counting import Immune
from feltworks.protection.report import Report, Terms, protection_report
from tests.conftest import forget_games


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Report]:
    monkeypatch.setenv(catalog.GAME_FOLDERS, str(catalog.examples_folder()))
    monkeypatch.setattr(report, "_COUNT_ROUNDS", 200_000)
    monkeypatch.setattr(report, "_COMPOSITIONS", 300)
    monkeypatch.setattr(report, "_WALK_SAMPLES", 3)
    forget_games()
    yield protection_report("red-dog", Terms(limit=10_000))
    forget_games()


def test_a_report_says_what_each_thing_is_worth_and_what_stops_it(made: Report) -> None:
    seen = [rung.sees for rung in made.ladder]
    gains = [rung.worth.gain for rung in made.ladder]
    assert "next" in seen
    assert gains == sorted(gains)
    assert all(gain >= 0 for gain in gains)
    best = made.ladder[-1]
    assert best.per_hour == round(best.worth.gain * 10_000 * 40)
    assert any("next card" in risk for risk, _ in made.remedies)
    assert "face up its wagers cost what they cost face down" in made.face_up  # its spots hold no cards
    (counted,) = made.counting.values()
    assert not isinstance(counted, Immune)
    behind = [cards for cards, _ in made.depths["ante"]]
    assert behind == sorted(behind, reverse=True)

    document = made.document()
    parts = {"ladder", "edge_sorting", "removal", "counting", "cut_card", "remedies", "face_up"}
    assert parts <= document.keys()
    assert {"sees", "player_edge", "gain", "method", "per_hour"} <= document["ladder"][0].keys()
