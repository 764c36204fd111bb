"""The audit: which printed figures follow from their rules, and what reproduces those that do not."""

import pytest

from feltworks import catalog
from feltworks.analysis.audit import AuditedFigure, audit_figures, audit_readings


@pytest.fixture(scope="module")
def figures() -> list[AuditedFigure]:
    return list(audit_figures())


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
    effects = {(each.option, each.value, each.wager) for each in audit_readings("fu-bacc")}
    assert ("fu-bacc.rescue-ten", False, "ante") in effects
