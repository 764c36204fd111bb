"""A finding says what to do, and readings that move an edge are computed."""

from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.audit.audit import audit_figures
from feltworks.analysis.audit.readings import audit_readings, edge_with_suits
from tests.analysis.audit.test_planted import plant


@pytest.mark.clause("AD.10")
def test_a_finding_quotes_the_document_and_says_what_to_do() -> None:
    finding = next(figure.finding for figure in audit_figures("acey-deucey-21") if not figure.agrees)
    assert "reproduced by pay table 1B (2.9939%, rounded)" in finding
    assert "free rolling" in finding
    assert "As written the players win. What to do: approve only table 1B, or have the figure reprinted" in finding


@pytest.mark.clause("SP.25")
def test_money_goes_to_the_right_party_and_is_counted_on_the_right_wagers(own_games: Path) -> None:
    plant(own_games, "spanish-poker", 'figure = "43.76%"', 'figure = "44.76%"')
    findings = {(each.wager, each.quantity): each.finding for each in audit_figures("spanish-poker")}
    risk, returned = findings["ante", "element_of_risk"], findings["gran-progressive", "fixed_return"]
    assert "of $1,000 wagered in all the house keeps $19.83 rather than $20.20." in risk
    assert "of $100 wagered in all the fixed awards return $43.76 rather than $44.76." in returned


@pytest.mark.clause("LB.7", "LB.9")
def test_readings_that_move_an_edge_are_computed() -> None:
    readings = {each.reading.clause: each for each in audit_readings("lucky-break")}
    edges = {effect.words: float(effect.house_edge) for effect in readings["LB.7"].effects}
    assert round(edges["base pays 1 with multipliers 3"], 4) == 0.0029
    (within,) = readings["LB.9"].effects
    assert within.house_edge < 0 < within.house_edge_by_default


@pytest.mark.clause("LB.9")
@pytest.mark.parametrize("options", [{"decks": 1}, {"decks": 2, "soft17": "hit"}])
def test_the_law_of_suits_gives_the_usual_edge_exactly(options: dict[str, object]) -> None:
    game = catalog.game("lucky-break", options=options)
    exact = analyze(Question(game, "lucky-break")).figures.house_edge
    assert edge_with_suits(game, "lucky-break", is_whole_hand=True) == exact
