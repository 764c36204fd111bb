"""Pay tables by design: known tables are found again, nothing on a small grid is nearer, edges are exact."""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.design.drafts import Drafts
from feltworks.analysis.design.search import (
    Between,
    Goal,
    Grid,
    default_range,
    nearest_tables,
    pay_step,
    pieces_of,
    read_range,
)
from feltworks.analysis.question import Question
from feltworks.errors import BadOption, UnknownName
from tests.conftest import Output

Felt = Callable[..., Output]


pytestmark = pytest.mark.usefixtures("gallery")


def drafts_of(name: str, wager: str, table: str = "1") -> Drafts:
    return Drafts(Question(catalog.game(name, pay_tables={wager: table}), wager))


def whole(*numbers: int) -> list[Fraction]:
    return [Fraction(number) for number in numbers]


BONUSES = {"bonus straight flush": whole(3, 4, 5), "bonus three of a kind": whole(2, 3, 4)}


@pytest.mark.parametrize(
    ("name", "wager", "table", "within"),
    [
        ("lucky-lucky", "lucky-lucky", "2", {"suited 21": whole(10, 12, 15), "19": whole(1, 2)}),
        ("lucky-lucky", "lucky-lucky", "3", {"suited 21": whole(10, 12, 15), "19": whole(1, 2)}),
        ("lucky-break", "lucky-break", "4", {"26": whole(2, 3, 4), "25": whole(1, 2, 3)}),
        ("three-card-poker", "pair-plus", "2", {"flush": whole(3, 4, 5), "straight": whole(5, 6, 7)}),
        ("three-card-poker", "ante", "3", BONUSES),
    ],
)  # fmt: skip
def test_the_table_of_a_document_is_found_by_its_edge(
    name: str, wager: str, table: str, within: dict[str, list[Fraction]]
) -> None:
    wanted = drafts_of(name, wager, table)
    drafts = drafts_of(name, wager)
    target = wanted.solve(wanted.pays).figures.house_edge
    found = nearest_tables(drafts, Grid(drafts, within, ()), Goal(target))
    assert found.tables[0].figures.house_edge == target
    assert found.tables[0].pays == wanted.pays


GAMES = ("fu-bacc", "acey-deucey-21", "lucky-break", "spanish-poker", "lucky-lucky")
_JACKPOT = "gran-progressive"  # pays a posted amount, which is no row of a table


def document_wagers() -> list[tuple[str, str]]:
    """Every wager of the five documents that is placed by itself and has a pay table."""
    return [
        (name, wager)
        for name in GAMES
        for wager in catalog.rulebook(name).pay_table
        if catalog.rulebook(name).wager[wager].kind in ("main", "bonus") and wager not in ("blackjack", _JACKPOT)
    ]


@pytest.mark.parametrize(("name", "wager"), document_wagers())
def test_the_edge_of_every_document_table_is_met_within_a_step_from_another(name: str, wager: str) -> None:
    """And of a small grid about that other table, each analysed from its first card, none is nearer."""
    first, *others = (drafts_of(name, wager, table) for table in catalog.rulebook(name).pay_table[wager])
    check_nearest(first, [edge_of(other) for other in others or [first]])
    for second in others[:1]:
        check_nearest(second, [edge_of(first)])


def edge_of(drafts: Drafts) -> Fraction:
    return drafts.solve(drafts.pays).figures.house_edge


def check_nearest(drafts: Drafts, targets: list[Fraction]) -> None:
    """From a table, every target is met within a step of pays, and no neighbour of the table is nearer to it."""
    weights = drafts.solve(drafts.pays).weights
    step = min(weight * pay_step(drafts.pays[row]) for row, weight in weights.items() if weight and row in drafts.rows)
    rows = sorted(drafts.rows, key=lambda row: -weights[row])[:2]
    grid = Grid(drafts, {row: default_range(drafts.pays[row], 1) for row in rows}, ())
    around = [
        analyze(Question(drafts.game_with(pays), drafts.question.wager)).figures.house_edge
        for pays in map(grid.table, range(grid.size))
    ]
    for target in targets:
        best = nearest_tables(drafts, Grid(drafts, {}, ()), Goal(target), wanted=1).tables[0]
        assert abs(best.figures.house_edge - target) <= step
        nearest = nearest_tables(drafts, grid, Goal(target), wanted=1).tables[0]
        assert abs(nearest.figures.house_edge - target) == min(abs(edge - target) for edge in around)


def test_nothing_on_a_small_grid_is_nearer() -> None:
    drafts = drafts_of("three-card-poker", "ante")
    within = {"higher": [Fraction(9, 10), Fraction(1), Fraction(11, 10)], "bonus straight": whole(1, 2)}
    grid, target = Grid(drafts, within, ()), Fraction(3, 100)
    found = nearest_tables(drafts, grid, Goal(target), wanted=1)
    edges = [
        analyze(Question(drafts.game_with(pays), "ante")).figures.house_edge
        for pays in map(grid.table, range(grid.size))
    ]
    assert len(edges) == grid.size == 6
    assert abs(found.tables[0].figures.house_edge - target) == min(abs(edge - target) for edge in edges)


def test_the_edge_of_every_piece_is_the_edge_under_best_play() -> None:
    drafts = drafts_of("let-it-ride", "base")
    pieces = pieces_of(drafts, "flush", Fraction(7), Fraction(10))
    assert (pieces[0].least, pieces[-1].most) == (7, 10)
    assert len(pieces) == 3
    for piece in pieces:
        middle = (piece.least + piece.most) / 2
        assert piece.edge(middle) == drafts.solve({**drafts.pays, "flush": middle}).figures.house_edge
    assert all(one.slope >= other.slope for one, other in pairwise(pieces))


def test_other_figures_may_be_asked_for_besides() -> None:
    drafts = drafts_of("three-card-poker", "pair-plus")
    goal = Goal(Fraction(5, 100), deviation=Between(None, Fraction(28, 10)))
    found = nearest_tables(drafts, Grid(drafts, {}, ["pair"]), goal)
    assert found.tables
    assert all(table.figures.standard_deviation <= 2.8 for table in found.tables)
    assert all(table.pays["pair"] == 1 for table in found.tables)


@pytest.mark.parametrize("text", ["flush", "flush: 8", "flush: 9..8", ": 1..2", "flush: 1..2 by 0"])
def test_a_range_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match="a row and its range"):
        read_range(text)


def test_a_row_that_is_not_there_is_refused() -> None:
    drafts = drafts_of("three-card-poker", "pair-plus")
    with pytest.raises(UnknownName, match="royal"):
        Grid(drafts, {}, ["royal"])


def test_the_command_shows_tables_rows_and_rules(felt: Felt) -> None:
    asked = ("design", "red-dog", "--wager", "ante", "--target-edge", "2.5%", "--no-pieces")
    said = felt(*asked, "--within", "spread 1: 4..6", "--what-if", "decks=1", "--tables", "1")
    assert said.status == 0
    assert "3.1554%" in said.out
    assert felt(*asked, "--keep", "pair").status == 2


def test_the_document_gives_the_slope_of_every_row(felt: Felt) -> None:
    asked = ("design", "three-card-poker", "--wager", "pair-plus", "--no-pieces", "--json")
    slopes = json.loads(felt(*asked).out)["slopes"]
    hands = {"straight flush": 48, "three of a kind": 52, "straight": 720, "flush": 1096, "pair": 3744}
    assert {row: Fraction(slope["exact"]) for row, slope in slopes.items()} == {
        row: Fraction(-count, 22100) for row, count in hands.items()
    }


def test_a_draft_is_compared_with_the_tables_of_the_rulebook(tmp_path: Path, felt: Felt) -> None:
    drafts = drafts_of("three-card-poker", "pair-plus", "2")
    draft = tmp_path / "cheap.toml"
    draft.write_text(drafts.toml(drafts.pays), encoding="utf-8")
    asked = ("compare", "three-card-poker", "--wager", "pair-plus", "--draft", str(draft))
    compared = json.loads(felt(*asked, "--json").out)["compared"]
    edges = {row["pay_table"]: row["house_edge"]["exact"] for row in compared}
    assert list(edges) == ["1", "2", "cheap"]
    assert edges["cheap"] == edges["2"] != edges["1"]
    assert "table cheap" in felt(*asked).out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[pay_table", "cannot be used"),
        ("[pay_table.ante.draft]\nclause = 'TC.5'\npays = {}", "has to hold one pay table of pair-plus"),
        ("[pay_table.pair-plus.draft]\nclause = 'TC.5'\npays = { 'pair' = '1 to 1' }", "may be"),
        ("[pay_table.pair-plus.draft]\nclause = 'TC.5'\npays = { 'pair' = 'much' }", "much"),
    ],
)
def test_a_draft_that_does_not_fit_is_refused(text: str, sentence: str, tmp_path: Path, felt: Felt) -> None:
    draft = tmp_path / "draft.toml"
    draft.write_text(text, encoding="utf-8")
    said = felt("compare", "three-card-poker", "--wager", "pair-plus", "--draft", str(draft))
    assert (said.status, sentence in said.err) == (2, True), said.err


def test_progress_counts_the_solved_tables() -> None:
    done: list[float] = []
    question = Question(catalog.game("casino-war"), "ante")
    drafts = Drafts(question, lambda part, whole: done.append(part / whole), expected=3)
    for pay in (1, 2):
        drafts.solve({**drafts.pays, "higher": Fraction(pay)})
    assert done == sorted(done)
    assert done[-1] == 2 / 3
