"""The report of a game: a ladder of knowledge, what cards do, what a count gains and what stops it."""

from collections.abc import Iterator
from datetime import date

import pytest
from msgspec import convert

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import Question, parse_question
from feltworks.house.configuration import TableOrder, check_table
from feltworks.protection import remedies, report
from feltworks.protection.counting import CountTerms, Immune
from feltworks.protection.knowledge import Terms
from feltworks.protection.remedies import slips
from feltworks.protection.report import Report, face_up_statement, protection_report, wager_limits
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


# By hand from the rulebooks: the Play and the Raise are twice their Ante, the Gran Progressive is always $1
MOST = {
    "fu-bacc": {"ante": 200_00, "lucky-monkey": 400_00, "tie": 400_00},
    "acey-deucey-21": {"acey-deucey": 400_00, "war": 400_00, "blackjack": 400_00},
    "lucky-break": {"lucky-break": 400_00, "blackjack": 400_00},
    "spanish-poker": {"ante": 200_00, "dos-pares": 400_00, "joker-in-hand": 400_00, "gran-progressive": 1_00},
    "lucky-lucky": {"lucky-lucky": 400_00, "lucky-break": 400_00, "blackjack": 400_00},
}


@pytest.mark.clause("WA.1")
@pytest.mark.parametrize("game", MOST)
def test_each_wager_is_reckoned_at_the_most_that_its_table_takes(game: str) -> None:
    limits = wager_limits(catalog.game(game), 400_00, MOST[game])
    assert limits == MOST[game]
    table = check_table(TableOrder(game, date(2024, 1, 31), catalog.rulebook(game).offers_for(())))
    assert all(limits[one.wager] == one.most for one in table.wagers)


@pytest.mark.clause("SP.21")
def test_a_bonus_that_needs_the_ante_and_may_not_exceed_it_keeps_to_its_limit() -> None:
    for alone, most in (("dos-pares", 400_00), ("joker-in-hand", 200_00)):
        table = catalog.game("spanish-poker", options={"bonus-above-ante": False, "alone": alone})
        assert wager_limits(table, 400_00, ["dos-pares"]) == {"dos-pares": most}


@pytest.mark.usefixtures("gallery")
def test_wagers_of_equal_amounts_keep_to_the_smallest_limit() -> None:
    """Hold'em: the first raise is up to four times the Ante, and the Blind lies beside it for as much."""
    limits = wager_limits(catalog.game("ultimate-holdem"), 400_00, ["ante", "blind", "trips"])
    assert limits == {"ante": 100_00, "blind": 100_00, "trips": 400_00}
