"""How a wager is played, as others rely on it: charts, lists of rules with their costs, turning ratios."""

from typing import Any

from feltworks.analysis.documents import number_document
from feltworks.analysis.strategy.optimal import SolvedSight, Turn
from feltworks.analysis.strategy.practical import PracticalStrategy
from feltworks.analysis.strategy.report import Grid, StrategyReport
from feltworks.rules.sights.sight import Seen


def strategy_document(name: str, found: StrategyReport, *, values: bool = False) -> dict[str, Any]:
    """The strategy as others rely on it."""
    question = found.question
    terms = question.game.terms
    said: dict[str, Any] = {
        "game": name,
        "wager": question.wager,
        "pay_table": terms.pay_tables[question.wager],
        "decks": terms.decks,
        "options": terms.options,
        "house_edge": number_document(found.house_edge),
        "charts": [_chart(grid, values=values) for grid in found.grids],
        "practical": [_practical(each) for each in found.ladder.strategies],
        "least_cost": number_document(found.ladder.least_cost),
        "remark": found.ladder.remark,
    }
    if found.chart_edge is not None:
        said["chart_house_edge"] = number_document(found.chart_edge)
        said["chart_cost"] = number_document(found.chart_edge - found.house_edge)
    if question.beside:
        said["turning_ratios"] = [_turn(*each) for each in found.turns]
    if values and found.decided:
        said["situations"] = [_situation(each) for each in found.decided if len(each.values) > 1]
    return said


def _chart(grid: Grid, *, values: bool) -> dict[str, Any]:
    cells = []
    for (row, column), cell in grid.cells.items():
        told: dict[str, Any] = {grid.down: row, grid.across: column, "choice": cell.choice}
        if cell.is_mixed:
            told["shares"] = {name: number_document(share) for name, share in cell.shares.items()}
        if cell.otherwise not in ("", cell.choice):
            told["otherwise"] = cell.otherwise
        if values:
            told["values"] = {name: number_document(value) for name, value in cell.values.items()}
        cells.append(told)
    axes = {"rows": grid.rows, "columns": grid.columns}
    return {
        "title": grid.title,
        "down": grid.down,
        "across": grid.across,
        **axes,
        "cells": cells,
        "notes": grid.notes,
    }


def _practical(each: PracticalStrategy) -> dict[str, Any]:
    return {
        "rules": [{"choice": rule.choice, "words": rule.phrase.words} for rule in each.rules],
        "otherwise": each.otherwise,
        "words": each.words,
        "to_remember": each.burden,
        "cost": number_document(each.cost),
        "house_edge": number_document(each.house_edge),
    }


def _turn(wager: str, turn: Turn) -> dict[str, Any]:
    changes = [
        {**_sight_document(each.seen), "below": each.before, "above": each.after} for each in turn.changes
    ]
    return {"wager": wager, "ratio": number_document(turn.ratio), "changes": changes}


def _sight_document(seen: Seen) -> dict[str, Any]:
    return {"cards": list(map(str, seen.cards)), "dealer": list(map(str, seen.dealer))}


def _situation(each: SolvedSight) -> dict[str, Any]:
    told = {
        **_sight_document(each.seen),
        "probability": number_document(each.probability),
        "choice": each.choice,
    }
    if len(each.best) > 1:
        told["shares"] = {name: number_document(share) for name, share in each.best.items()}
    return {**told, "values": {name: number_document(value) for name, value in each.values.items()}}
