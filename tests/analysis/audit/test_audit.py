"""The audit: which printed figures follow from their rules, and what reproduces those that do not."""

from fractions import Fraction
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.audit.audit import (
    AuditedFigure,
    ComputedFigure,
    audit,
    audit_figures,
    audit_unprinted,
)
from feltworks.analysis.audit.readings import AuditedReading, Effect, audit_readings
from feltworks.analysis.figures import percent
from tests.designs import COUPLE, write


@pytest.fixture(scope="module")
def figures() -> list[AuditedFigure]:
    return list(audit_figures())


def effects_of(game: str) -> list[Effect]:
    return [effect for reading in audit_readings(game) for effect in reading.effects]


def found(figures: list[AuditedFigure], game: str, wager: str) -> list[AuditedFigure]:
    return [each for each in figures if (each.game, each.wager) == (game, wager)]


def test_every_printed_figure_is_audited(figures: list[AuditedFigure]) -> None:
    printed = [figure for name in catalog.games() for figure in catalog.rulebook(name).published]
    assert len(figures) == len(printed) == 28


@pytest.mark.clause("LL.6")
def test_all_fifteen_edges_of_lucky_lucky_follow(figures: list[AuditedFigure]) -> None:
    assert [each.match for each in found(figures, "lucky-lucky", "lucky-lucky")] == ["rounded"] * 15


@pytest.mark.clause("AD.13")
def test_acey_deuceys_edges_are_those_of_the_tables_without_raised_pairs(
    figures: list[AuditedFigure],
) -> None:
    for each, table in zip(found(figures, "acey-deucey-21", "acey-deucey"), ("1B", "2B", "3B"), strict=True):
        assert not each.agrees
        assert each.computed < 0
        assert f"reproduced by pay table {table}" in each.finding
        assert "In money" in each.finding


@pytest.mark.clause("AD.13")
def test_wars_second_edge_is_cut_off_rather_than_rounded(figures: list[AuditedFigure]) -> None:
    assert [each.match for each in found(figures, "acey-deucey-21", "war")] == ["rounded", "truncated"]


@pytest.mark.clause("SP.25")
def test_spanish_pokers_bonus_figures_follow_and_its_ante_figures_need_a_weaker_play(
    figures: list[AuditedFigure],
) -> None:
    for wager in ("dos-pares", "joker-in-hand", "gran-progressive"):
        assert all(each.agrees for each in found(figures, "spanish-poker", wager))
    for each in found(figures, "spanish-poker", "ante"):
        assert not each.agrees
        assert "queen-jack high or better and three cards six or higher" in each.finding


def test_other_readings_are_told_with_what_they_would_mean() -> None:
    effects = {(each.option, each.value, each.wager) for each in effects_of("fu-bacc")}
    assert ("fu-bacc.rescue-ten", False, "ante") in effects


# What no document prints


@pytest.fixture(scope="module")
def computed() -> list[ComputedFigure]:
    return list(audit_unprinted())


@pytest.mark.clause("FB.19", "LB.15")
def test_games_that_print_no_figure_have_all_theirs_computed(computed: list[ComputedFigure]) -> None:
    edges = {
        (each.game, each.wager, each.beside, each.pay_table, each.decks)
        for each in computed
        if each.quantity == "house_edge"
    }
    assert {
        ("fu-bacc", "ante", "", "1", 1),
        ("fu-bacc", "lucky-monkey", "", "1", 1),
        ("fu-bacc", "tie", "", "1", 1),
        ("fu-bacc", "tie", "ante", "1", 1),
    } <= edges
    for table in ("1", "2", "3", "4"):
        for decks in (1, 2, 4, 6, 8):
            assert ("lucky-break", "lucky-break", "", table, decks) in edges


@pytest.mark.clause("AD.12", "AD.13")
def test_tables_without_a_printed_figure_are_computed_and_printed_ones_are_not(
    computed: list[ComputedFigure],
) -> None:
    tables = [each.pay_table for each in computed if each.wager == "acey-deucey"]
    assert tables == ["1B", "1B", "2B", "2B", "3B", "3B"]  # house edge and element of risk
    assert not [each for each in computed if each.wager in ("war", "lucky-lucky", "dos-pares")]


# Readings


@pytest.fixture(scope="module")
def readings() -> list[AuditedReading]:
    return [reading for name in ("acey-deucey-21", "fu-bacc") for reading in audit_readings(name)]


def test_every_reading_is_told_of(readings: list[AuditedReading]) -> None:
    books = [catalog.rulebook(name) for name in ("acey-deucey-21", "fu-bacc")]
    assert [each.reading for each in readings] == [reading for book in books for reading in book.reading]
    assert all(each.finding for each in readings)


def clause(readings: list[AuditedReading], name: str) -> AuditedReading:
    return next(each for each in readings if each.reading.clause == name)


@pytest.mark.clause("FB.12")
def test_a_tie_that_goes_with_the_rescue_matters_beside_an_ante(readings: list[AuditedReading]) -> None:
    (effect,) = clause(readings, "FB.12").effects
    assert (effect.wager, effect.beside, effect.value) == ("tie", "ante", "loses")
    assert effect.house_edge > effect.house_edge_by_default
    assert effect.money == 325  # cents in a hundred rounds of $10
    assert "100 rounds of $10 wagers bring the house +$180.48 rather than +$177.23" in str(effect)


@pytest.mark.clause("SP.13")
def test_a_progressive_is_told_of_in_rounds_of_its_own_dollar() -> None:
    effects = effects_of("spanish-poker")
    kept = next(each for each in effects if each.value == "kept")
    assert (kept.wager, kept.stake, kept.money) == ("gran-progressive", 100, 49)


@pytest.mark.clause("AD.5")
def test_letting_half_of_war_play_on_would_not_give_the_printed_figure(
    readings: list[AuditedReading],
) -> None:
    (effect,) = clause(readings, "AD.5").effects
    assert percent(effect.house_edge, 2) == "3.96%"
    assert percent(effect.house_edge_by_default, 2) == "3.70%"


@pytest.mark.clause("AD.11", "SP.12")
def test_pays_for_1_would_cost_far_more_than_is_printed(readings: list[AuditedReading]) -> None:
    assert clause(readings, "AD.11").effects[0].house_edge > Fraction(1, 3)
    joker = next(each for each in audit_readings("spanish-poker") if each.reading.clause == "SP.12")
    assert joker.effects[0].house_edge == Fraction(6, 41)


def test_a_reading_that_changes_no_edge_says_so(readings: list[AuditedReading]) -> None:
    assert clause(readings, "AD.15").finding == "By the default rules no edge of the wagers audited here changes."
    assert clause(readings, "AD.9").finding.startswith("The alternative is no option of the game")
    assert clause(readings, "FB.2").finding == "No other reading is declared."


def test_the_whole_audit_tells_how_far_it_has_come() -> None:
    told: list[tuple[float, float]] = []
    found = audit("lucky-lucky", lambda done, total: told.append((done, total)))
    assert len(found.figures) == 15
    assert len(found.readings) == len(catalog.rulebook("lucky-lucky").reading)
    assert told[-1][0] == told[-1][1]
    assert told == sorted(told)


def test_a_wager_that_a_table_does_not_offer_by_default_is_audited_too(own_games: Path) -> None:
    write(own_games, COUPLE)
    edges = {each.wager: each.computed for each in audit("couple").computed if each.quantity == "house_edge"}
    assert edges == {"ante": Fraction(-29, 221), "blind": Fraction(111, 221), "ace": Fraction(1, 13)}
