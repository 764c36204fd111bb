"""What a rulebook or a law file of one's own has otherwise is named entry by entry, and nothing else is."""

from importlib.resources import files
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.audit.audit import Audit, audit_figures
from feltworks.analysis.audit.departures import departures
from feltworks.analysis.audit.readings import audit_readings, edge_with_suits

SHIPPED = Path(str(files("feltworks") / "rulebooks"))
PLANTED = [  # file, what is changed, into what, the entry that is named
    ("acey-deucey-21", 'title = "Acey Deucey 21"', 'title = "Acey Deucey"', "title is"),
    ("acey-deucey-21", 'figure = "2.99%"', 'figure = "2.89%"', "published[2].figure is"),
    ("acey-deucey-21", "date = 2008-02-19", "date = 2008-02-20", "approval.date is"),
    ("acey-deucey-21", '"higher" = "1 to 1"', '"higher" = "2 to 1"', "pay_table.war.1.pays.higher is"),
    (
        "acey-deucey-21",
        "A winning War pays 1 to 1.",
        "A winning War pays even money.",
        "reading[1].settles is",
    ),
    ("acey-deucey-21", "is free rolling", "may fold", "evidence[0].text is"),
    ("spanish-poker", 'smallest_seed = "$500"', 'smallest_seed = "$100"', "meter.jackpot.smallest_seed is"),
    ("spanish-poker", "most_wagers = 3", "most_wagers = 4", "most_wagers is"),
    ("fu-bacc", 'submission = "3049"', 'submission = "3050"', "approval.submission is"),
    ("fu-bacc", "the Ante loses and the Play pushes", "both push", "clause.FB.7 is"),
    (
        "fu-bacc",
        'values = ["stays", "loses"]',
        'values = ["loses", "stays"]',
        "option.fu-bacc.rescue-tie.values[0]",
    ),
    ("lucky-break", '"5+" = 50, "4" = 10, "3" = 2', '"5+" = 60, "4" = 10, "3" = 2', "factors.5+ is"),
    ("lucky-lucky", '"19" = "2 to 1"', '"19" = "3 to 1"', "pay_table.lucky-lucky.1.pays.19 is"),
    ("washington", 'value = "$400"', 'value = "$500"', "law.wager-limit["),
]


@pytest.mark.clause("WA.3")
@pytest.mark.parametrize(("name", "before", "after", "named"), PLANTED, ids=[each[3] for each in PLANTED])
def test_a_planted_change_is_named(own_games: Path, name: str, before: str, after: str, named: str) -> None:
    text = (SHIPPED / f"{name}.toml").read_text("utf-8")
    assert before in text
    (own_games / f"{name}.toml").write_text(text.replace(before, after, 1), "utf-8")
    found = departures(["fu-bacc"])  # whatever game is audited, the law is compared too
    found |= departures([name])
    assert any(named in words for words in found[name])
    assert not Audit((), (), (), {}, found).agrees


def test_an_untouched_tree_has_no_departure(own_games: Path) -> None:
    for name in ("fu-bacc", "washington"):
        (own_games / f"{name}.toml").write_text((SHIPPED / f"{name}.toml").read_text("utf-8"), "utf-8")
    assert departures(list(catalog.games())) == {}


@pytest.mark.clause("AD.10")
def test_a_finding_quotes_the_document_and_says_what_to_do() -> None:
    finding = next(figure.finding for figure in audit_figures("acey-deucey-21") if not figure.agrees)
    assert "reproduced by pay table 1B (2.9939%, rounded)" in finding
    assert "free rolling" in finding
    assert "As written the players win. What to do: approve only table 1B, or have the figure reprinted" in finding


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
