"""Writes the JSON document of a strategy: charts, lists of rules with their costs, and turning ratios."""

from typing import Any

from feltworks.analysis.documents import exact_number, table_fields
from feltworks.analysis.joint import TurningPoint
from feltworks.analysis.strategy.charts import Grid
from feltworks.analysis.strategy.optimal import SolvedSight
from feltworks.analysis.strategy.practical import PracticalStrategy
from feltworks.analysis.strategy.report import StrategyReport
from feltworks.rules.sights import PlayerView


def strategy_document(name: str, report: StrategyReport, *, values: bool = False) -> dict[str, Any]:
    """Writes the JSON document of a strategy."""
    document: dict[str, Any] = {
        **table_fields(name, report.question),
        "house_edge": exact_number(report.house_edge),
        "charts": [_chart(grid, values=values) for grid in report.grids],
        "practical": [_practical(strategy) for strategy in report.ladder.strategies],
        "least_cost": exact_number(report.ladder.least_cost),
        "remark": report.ladder.remark,
    }
    if report.streets:
        document["decisions"] = [
            {
                "decision": about,
                "practical": [_practical(strategy) for strategy in ladder.strategies],
                "least_cost": exact_number(ladder.least_cost),
                "remark": ladder.remark,
            }
            for about, ladder in report.streets
        ]
    if report.left_out:
        document["left_out"] = report.left_out
    if report.chart_edge is not None:
        document["chart_house_edge"] = exact_number(report.chart_edge)
        document["chart_cost"] = exact_number(report.chart_edge - report.house_edge)
    if report.question.beside:
        document["turning_ratios"] = [_turn(*each) for each in report.turns]
    if values and report.decided:
        document["situations"] = [_situation(each) for each in report.decided if len(each.values) > 1]
    return document


def _chart(grid: Grid, *, values: bool) -> dict[str, Any]:
    cells = []
    for (row, column), cell in grid.cells.items():
        entry: dict[str, Any] = {grid.down: row, grid.across: column, "choice": cell.choice}
        if cell.is_mixed:
            entry["shares"] = {name: exact_number(share) for name, share in cell.shares.items()}
        if cell.otherwise not in ("", cell.choice):
            entry["otherwise"] = cell.otherwise
        if values:
            entry["values"] = {name: exact_number(value) for name, value in cell.values.items()}
        cells.append(entry)
    axes = {"rows": grid.rows, "columns": grid.columns}
    return {
        "title": grid.title,
        "down": grid.down,
        "across": grid.across,
        **axes,
        "cells": cells,
        "notes": grid.notes,
    }


def _practical(strategy: PracticalStrategy) -> dict[str, Any]:
    return {
        "rules": [{"choice": rule.choice, "words": rule.phrase.words} for rule in strategy.rules],
        "otherwise": strategy.otherwise,
        "words": strategy.words,
        "to_remember": strategy.burden,
        "cost": exact_number(strategy.cost),
        "house_edge": exact_number(strategy.house_edge),
    }


def _turn(wager: str, turn: TurningPoint) -> dict[str, Any]:
    changes = [{**_sight_document(each.view), "below": each.before, "above": each.after} for each in turn.changes]
    return {"wager": wager, "ratio": exact_number(turn.ratio), "changes": changes}


def _sight_document(view: PlayerView) -> dict[str, Any]:
    return {"cards": list(map(str, view.cards)), "dealer": list(map(str, view.dealer))}


def _situation(sight: SolvedSight) -> dict[str, Any]:
    document = {
        **_sight_document(sight.view),
        "probability": exact_number(sight.probability),
        "choice": sight.choice,
    }
    if len(sight.best) > 1:
        document["shares"] = {name: exact_number(share) for name, share in sight.best.items()}
    return {**document, "values": {name: exact_number(value) for name, value in sight.values.items()}}
