"""Charts of play where two hands share a board: two cards, the flop, and the whole board.

A row is what the own cards add to the board, a column what the board shows by itself. Cells in which cards decide
differently say how often each choice is best; what play by their commonest choice costs is exact.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import percent
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.board.solver import BoardSolver, CellTotals
from feltworks.analysis.solvers.board.sweep import SUITS, CellLabels
from feltworks.analysis.solvers.board.tree import SHARED
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.streets.tree import Street
from feltworks.analysis.strategy.charts import Cell, Grid, run_name
from feltworks.analysis.strategy.facts import CardFacts, hand_facts
from feltworks.cards import Card
from feltworks.hands.poker import PAIR
from feltworks.machine.deck import COLUMNS, FOUR, ONE_PAIR, THREE, TWO_PAIR

_SETS, _FLUSH, _FLUSH_HIGH, _STRAIGHT = map(COLUMNS.index, ("sets", "flush_cards", "flush_high", "straight_cards"))
_FLOP: Final = 3
_PLACES: Final = (
    *("best", "second", "third", "fourth", "fifth", "sixth", "seventh"),
    *("eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth"),
)


def board_charts(question: Question, solved: BoardSolver) -> tuple[list[Grid], Fraction]:
    """Builds the chart of every decision, and computes the exact loss per unit of a player who follows all."""
    charts = _BoardCharts(question, solved)
    root = solved.boards.root
    grids = _holding_grids(question, solved) if not root.seen and root.choices else []
    return [*grids, *charts.flops(), *charts.boards()], charts.lost


class _Rows(Struct, frozen=True):
    """The rows of a chart, the worst first, and where they begin."""

    names: tuple[str, ...]
    of_value: Ints  # by value: the row of a hand of a better category than the board's own
    draws: int  # the row of a straight draw; flush draws follow by their highest own card


class _BoardCharts:
    """The charts of the decisions on the flop and on the whole board."""

    def __init__(self, question: Question, solved: BoardSolver) -> None:
        facts = hand_facts(question.game)
        assert isinstance(facts, CardFacts)
        self._question, self._solved, self._facts = question, solved, facts
        self._values, self._ranks = solved.classes.values, solved.classes.ranks
        self._categories = facts.categories
        self._category_of: Ints = np.array([self._categories.index(value.category) for value in self._values])
        self._rows = self._name_rows()
        self._then = solved.flop_play([])
        self.lost = Fraction(0)

    def _name_rows(self) -> _Rows:
        words = [rank.word for rank in self._ranks]
        draws = [f"{SHARED - 1} to a straight", *(f"{SHARED - 1} to a flush, {word} high" for word in words)]
        pairs = [f"pair of {rank.plural}" for rank in self._ranks]
        kickers = [f"board alone, {place} kicker" for place in reversed(_PLACES[: len(words)])]
        names = [*kickers, *draws, *pairs, *self._categories]
        place = {name: number for number, name in enumerate(names)}
        of_value = [
            place[f"pair of {value.ranks[0].plural}" if value.category == PAIR.name else value.category]
            for value in self._values
        ]
        return _Rows(tuple(names), np.array(of_value), len(words))

    def flops(self) -> list[Grid]:
        """The charts of the decisions on the flop; the later ones are played after them."""
        streets = self._solved.flop_decisions
        if not streets:
            return []
        columns, column_of, row_of = self._flop_labels()
        cell_of = column_of * len(self._rows.names) + row_of
        grids, picks = [], []
        for street in streets:
            totals = self._solved.flop_cells(street, cell_of, len(columns) * len(self._rows.names))
            grids.append(self._grid(street, columns, totals))
            picks.append(totals.commonest[cell_of])
        self._then = self._solved.flop_play(picks)
        return grids

    def boards(self) -> list[Grid]:
        """The charts of the decisions on the whole board."""
        streets = [street for street in self._solved.boards.root.decisions() if street.seen == SHARED]
        boards, classes = self._solved.boards_up_to_suits, self._solved.classes
        described = self._solved.describe(self._facts, boards[:, :0], boards, with_draws=False)
        columns, column_of = _textures(described, SHARED)
        labels = CellLabels(
            len(self._rows.names),
            column_of,
            classes.value.astype(np.int64),
            self._category_of,
            self._rows.of_value,
            self._kicker_rows(boards),
        )
        return [self._grid(street, columns, self._solved.last_cells(street, self._then, labels)) for street in streets]

    def _flop_labels(self) -> tuple[list[str], Ints, Ints]:
        """The columns of the flop, and the column and row by class of flops and holding."""
        own, board = self._solved.flop_views()
        described = self._solved.describe(self._facts, own, board, with_draws=True)
        alone = self._solved.describe(self._facts, own[:, :0], board, with_draws=False)
        value = self._solved.five_card_values(np.hstack([own, board]), described[:, _FLUSH])
        of_board = np.array([self._categories.index(self._facts.category_of_sets(sets)) for sets in range(FOUR + 1)])[
            alone[:, _SETS]
        ]
        rank_places = np.zeros(int(max(self._ranks)) + 1, np.int64)
        rank_places[[int(rank) for rank in self._ranks]] = np.arange(len(self._ranks))
        flush_row = self._rows.draws + 1 + rank_places[described[:, _FLUSH_HIGH]]
        row_of = np.select(
            [
                self._category_of[value] > of_board,
                described[:, _FLUSH] == SHARED - 1,
                described[:, _STRAIGHT] == SHARED - 1,
            ],
            [self._rows.of_value[value], flush_row, np.full(len(own), self._rows.draws)],
            np.take_along_axis(self._kicker_rows(board), own.max(axis=1, keepdims=True) // SUITS, 1)[:, 0],
        )
        columns, column_of = _textures(alone, _FLOP)
        shape = -1, len(self._solved.pairs)
        return columns, column_of.reshape(shape), row_of.reshape(shape)

    def _kicker_rows(self, boards: Ints) -> Ints:
        """By board and rank of the higher own card: the row by the higher ranks that the board does not show."""
        is_missing = np.ones((len(boards), len(self._ranks)), np.int64)
        np.put_along_axis(is_missing, boards // SUITS, 0, 1)
        higher: Ints = is_missing[:, ::-1].cumsum(axis=1)[:, ::-1] - is_missing
        return len(self._ranks) - 1 - higher

    def _grid(self, street: Street, columns: Sequence[str], totals: CellTotals) -> Grid:
        """Builds a chart, the best hands first; neighbours whose cells are played alike share a row."""
        unit, names = self._question.unit, [name for name, _ in street.choices]
        rows, choices = len(self._rows.names), len(names)
        ways, worth = (each.reshape(-1, rows, choices) for each in (totals.ways, totals.worth))
        runs = _join(ways)
        listed = [self._rows.names[row] for run in runs for row in run]
        cells: dict[tuple[str, str], Cell] = {}
        labels = [run_name([self._rows.names[row] for row in run], listed) for run in runs]
        for label, run in zip(labels, runs, strict=True):
            for place, column in enumerate(columns):
                counts, sums = (each[place, run].sum(axis=0).tolist() for each in (ways, worth))
                if whole := sum(counts):
                    shares = {name: Fraction(n, whole) for name, n in zip(names, counts, strict=True) if n}
                    values = {
                        name: each / (whole * totals.divisor * unit) for name, each in zip(names, sums, strict=True)
                    }
                    cells[label, column] = Cell(shares, values)
        lost = totals.loss / (self._solved.deal_worth * unit)
        self.lost += lost
        note = f"play by this chart alone costs {percent(lost, 5)}; a kicker counts by higher ranks not on the board"
        used = tuple(column for column in columns if any(key[1] == column for key in cells))
        return Grid(self._title(street), "own cards add", "board", tuple(labels), used, cells, (note,))

    def _title(self, street: Street) -> str:
        alike = [each for each in self._solved.boards.root.decisions() if each.about == street.about]
        money = sum(self._question.stakes.values()) + sum(choice.cents or 0 for choice in street.path)
        wagered = f", {Fraction(money, self._question.unit)}× wagered" if len(alike) > 1 else ""
        return f"{street.about or 'Best play'}{wagered}"


def _textures(board: Ints, shown: int) -> tuple[list[str], Ints]:
    """The columns of a chart, and the column of each board: its equal ranks, and the cards of a suit it shows."""
    suited = shown - 2 if shown > _FLOP else 2  # as few as make a flush or a draw with two cards
    columns = [
        *(f"{sets}{suits}" for sets in ("no pair", "pair") for suits in ("", f", {suited} of a suit")),
        "two pair",
        "three alike or more",
    ]
    of_sets = np.minimum(board[:, _SETS], THREE)
    has_suit = (board[:, _FLUSH] >= suited) & (of_sets <= ONE_PAIR)
    column_of: Ints = 2 * of_sets - (of_sets > TWO_PAIR) + has_suit
    return columns, column_of


def _join(ways: Ints) -> list[list[int]]:
    """Runs of neighbouring rows with the same commonest choice in every column that both have, the best first."""
    runs: list[tuple[Ints, list[int]]] = []
    for row in reversed(range(ways.shape[1])):
        here = ways[:, row].sum(axis=1) > 0
        commonest = np.where(here, ways[:, row].argmax(axis=1), -1)
        if not here.any():
            continue
        if runs and ((runs[-1][0] == commonest) | (runs[-1][0] < 0) | ~here).all():
            runs[-1] = np.maximum(runs[-1][0], commonest), [*runs[-1][1], row]
        else:
            runs.append((commonest, [row]))
    return [run for _, run in runs]


def _holding_grids(question: Question, solved: BoardSolver) -> list[Grid]:
    """Builds the chart of two cards before the board is turned."""
    decisions = {decision.cards: decision for decision in solved.first_decisions()}
    ranks = sorted({card.rank for cards in decisions for card in cards}, reverse=True)
    cells: dict[tuple[str, str], Cell] = {}
    for (one, other), decision in decisions.items():
        values = {name: worth / question.unit for name, worth in decision.worth.items()}
        cells[_holding_row(one, other), other.rank.letter] = Cell({decision.best: Fraction(1)}, values)
    kinds = ["suited", "offsuit"]
    rows = [f"{rank.letter} {kind}" for rank in ranks for kind in kinds]
    rows = [row for row in rows if any(place[0] == row for place in cells)]
    title = solved.boards.root.about or "Best play"
    return [Grid(title, "higher card", "lower card", tuple(rows), tuple(r.letter for r in ranks), cells)]


def _holding_row(one: Card, other: Card) -> str:
    return f"{one.rank.letter} {'suited' if one.suit is other.suit else 'offsuit'}"
