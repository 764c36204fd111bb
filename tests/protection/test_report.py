"""The report of a game: a ladder of knowledge, what cards do, what a count gains and what stops it."""

from collections.abc import Iterator

import pytest
from msgspec import convert

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import Question, parse_question
from feltworks.protection import remedies, report
from feltworks.protection.counting import CountTerms, Immune
from feltworks.protection.knowledge import Terms
from feltworks.protection.remedies import slips
from feltworks.protection.report import Report, face_up_statement, protection_report
from feltworks.web.lab import documents
from tests.conftest import forget_games


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Report]:
    monkeypatch.setenv(catalog.GAME_FOLDERS, str(catalog.examples_folder()))
    monkeypatch.setattr(report, "_COUNT", CountTerms(rounds=50_000, compositions=500))
    monkeypatch.setattr(remedies, "_COMPOSITIONS", 300)
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
    assert any(one.risk.startswith("Ante, the next card: the player wins $") for one in made.remedies)
    assert "face up its wagers cost what they cost face down" in made.face_up  # its spots hold no cards
    (counted,) = made.counting.values()
    assert not isinstance(counted, Immune)
    behind = [cards for cards, _ in made.depths["ante"]]
    assert behind == sorted(behind, reverse=True)

    document = made.document()
    parts = {"ladder", "edge_sorting", "removal", "counting", "cut_card", "errors", "remedies", "face_up", "deviations"}
    assert parts <= document.keys()
    assert {"sees", "player_edge", "gain", "method", "per_hour"} <= document["ladder"][0].keys()
    assert convert(document, documents.Protection).title == made.title  # the browser's types follow this record


def test_face_up_blackjack_is_not_said_to_be_decided_without_the_other_hands() -> None:
    wagers = ("blackjack", "lucky-lucky")
    statement = face_up_statement({wager: parse_question("lucky-lucky", wager) for wager in wagers}, [])
    assert "--wager blackjack --sees neighbours:5" in statement
    alone = face_up_statement({"lucky-lucky": parse_question("lucky-lucky", "lucky-lucky")}, [])
    assert "cost what they cost face down" in alone


def test_errors_cost_what_the_pays_and_chances_say() -> None:
    question = parse_question("fu-bacc", "lucky-monkey")
    outcomes = [line for line in analyze(question).figures.outcomes if line.net >= 0]
    found = slips("fu-bacc", question, 100_00, 40)
    order = sum(line.probability * line.net for line in outcomes)
    assert [slip.per_hour for slip in found] == sorted((slip.per_hour for slip in found), reverse=True)
    assert round(order * 100_00 * 40) in [slip.per_hour for slip in found]
    names = {line.name: line for line in outcomes}
    wrong = [slip for slip in found if " paid as " in slip.error]
    assert wrong
    for slip in wrong:
        line, above = (names[name] for name in slip.error.split(" paid as "))
        assert slip.per_hour == round(line.probability * (above.net - line.net) * 100_00 * 40)


def test_a_raise_above_its_limit_costs_what_the_cap_keeps() -> None:
    question = parse_question("acey-deucey-21", "acey-deucey")
    found = slips("acey-deucey-21", question, 400_00, 40)
    (missed,) = [slip for slip in found if "above the limit" in slip.error]
    capped = catalog.game("acey-deucey-21", limit=400_00)
    held = analyze(Question(capped, "acey-deucey", opened=400_00)).figures.house_edge
    assert missed.per_hour == round((held - analyze(question).figures.house_edge) * 400_00 * 40) > 0
