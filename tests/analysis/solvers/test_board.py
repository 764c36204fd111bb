"""Two hands and a shared board: against every deal of a short deck, played and settled one by one."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.question import UNIT, Question
from feltworks.analysis.solvers.board import solver as board_solver
from feltworks.analysis.solvers.board.solver import BoardSolver
from feltworks.analysis.solvers.board.tree import Boards, Deal, NoBoard
from feltworks.analysis.solvers.streets.tree import Street
from feltworks.analysis.strategy import board_charts
from feltworks.analysis.strategy.charts import Grid
from feltworks.analysis.strategy.report import strategy_report
from feltworks.cards import Card, Shoe, cards
from feltworks.hands.poker import STANDARD, HandValue, best_value
from tests.designs import short_board, write

WAGERS = {"ante": 100, "blind": 100}
Cards = tuple[Card, ...]


pytestmark = pytest.mark.usefixtures("gallery")


def short_deck() -> Shoe:
    """Three ranks of four suits: as few cards as a round takes, and suits alike."""
    return Shoe(dict.fromkeys([card for card in catalog.game("ultimate-holdem").terms.shoe if card.rank >= 12], 1))


class EveryDeal:
    """What best play brings, by walking every deal; the rules settle each pair of values."""

    def __init__(self, boards: Boards, deck: Cards) -> None:
        self.boards, self.deck = boards, deck
        self.value = cache(lambda held: best_value(STANDARD, tuple(held)))
        self.net = cache(self._net)

    def _net(self, end: Street, mine: HandValue, theirs: HandValue) -> Fraction:
        return sum((line.net for line in self.boards.valued_result(end, mine, theirs)), Fraction(0))

    def open_choices(self, street: Street, own: Cards, board: Cards) -> Iterable[tuple[str, Street]]:
        return street.choices

    def worth(self, street: Street, own: Cards, board: Cards) -> Fraction:
        """The sum over all ways to complete the board and to deal the dealer's cards."""
        left = [card for card in self.deck if card not in own and card not in board]
        if len(board) < street.seen:
            taken = combinations(left, street.seen - len(board))
            return sum((self.worth(street, own, (*board, *more)) for more in taken), Fraction(0))
        if street.choices:
            return max(self.worth(child, own, board) for _, child in self.open_choices(street, own, board))
        mine = self.value(frozenset((*own, *board)))
        theirs = [self.value(frozenset((*pair, *board))) for pair in combinations(left, 2)]
        return sum((self.net(street, mine, other) for other in theirs), Fraction(0))


class ByCharts(EveryDeal):
    """What play by the charts of the later streets brings; the cells are found from the cards themselves."""

    def __init__(self, boards: Boards, deck: Cards, grids: Sequence[Grid]) -> None:
        super().__init__(boards, deck)
        self.grids = {grid.title: grid for grid in grids}

    def open_choices(self, street: Street, own: Cards, board: Cards) -> Iterable[tuple[str, Street]]:
        choice = self.grids[street.about].cells[self.row(own, board), self.column(board)].choice
        return [(name, child) for name, child in street.choices if name == choice]

    def row(self, own: Cards, board: Cards) -> str:
        names = [category.name for category in STANDARD.categories]  # the best first
        made, of_board = self.value(frozenset((*own, *board))), self.equal_ranks(board)
        if names.index(made.category) < names.index(of_board):
            return made.words if made.category == "pair" else made.category
        shown, high = {card.rank for card in board}, max(card.rank for card in own)
        better = {card.rank for card in self.deck if card.rank > high} - shown
        return f"board alone, {('best', 'second', 'third')[len(better)]} kicker"

    def column(self, board: Cards) -> str:
        sets = self.equal_ranks(board)
        if sets not in ("high card", "pair"):
            return "two pair" if sets == "two pair" else "three alike or more"
        least = 2 if len(board) == 3 else 3
        is_suited = max(Counter(card.suit for card in board).values()) >= least
        return ("pair" if sets == "pair" else "no pair") + (f", {least} of a suit" if is_suited else "")

    def equal_ranks(self, board: Cards) -> str:
        counts = sorted(Counter(card.rank for card in board).values(), reverse=True)
        sets = {
            (2, 1, 1, 1): "pair",
            (2, 1): "pair",
            (2, 2, 1): "two pair",
            (3, 2): "full house",
            (4, 1): "four of a kind",
        }
        return sets.get(tuple(counts), "three of a kind" if counts[0] == 3 else "high card")


def test_every_holding_of_a_short_deck_is_worth_what_all_its_deals_bring() -> None:
    table, deck = catalog.game("ultimate-holdem"), short_deck()
    solver = BoardSolver(table, WAGERS, deck)
    every = EveryDeal(solver.boards, tuple(deck))
    early = [(name, child) for name, child in solver.boards.root.choices if name != "check"]
    for decision in solver.first_decisions():
        for name, child in early:  # C(10, 5) boards, C(5, 2) hands of the dealer
            assert every.worth(child, decision.cards, ()) / 2520 == decision.worth[name]
    check = dict(solver.boards.root.choices)["check"]
    suited = next(d for d in solver.first_decisions() if d.cards[0].suit is d.cards[1].suit)
    assert every.worth(check, suited.cards, ()) / 25200 == suited.worth["check"]  # each board by ten flops


def test_the_law_counts_every_deal_once() -> None:
    table = catalog.game("ultimate-holdem")
    solver = BoardSolver(table, WAGERS, short_deck())
    figures = solver.figures_of(frozenset(table.wagers), 100)
    best = sum(max(d.worth.values()) * d.holdings for d in solver.first_decisions()) / 66
    assert figures.expectation == best / 100


def test_a_wager_on_the_own_seven_cards_counts_hands_alone() -> None:
    table = catalog.game("ultimate-holdem")
    solver = BoardSolver(table, {"trips": 100}, short_deck())
    hands = [best_value(STANDARD, held).category for held in combinations(tuple(short_deck()), 7)]
    for outcome in solver.figures_of(frozenset(["trips"]), 100).outcomes:
        assert outcome.probability == Fraction(hands.count(outcome.name), len(hands))


def test_the_rules_settle_cards_as_their_values() -> None:
    table = catalog.game("ultimate-holdem")
    boards = Boards(table, WAGERS, {}, table.terms.shoe)
    played = next(end for end in boards.root.ends() if boards.is_shown(end))
    deal = Deal(cards("Ah Ad"), cards("As Kc 9d 4h 2s"), cards("Kh Kd"))
    mine, theirs = (best_value(STANDARD, (*own, *deal.board)) for own in (deal.seat, deal.dealer))
    assert boards.result(deal, played) == boards.valued_result(played, mine, theirs)


def test_a_game_without_a_board_is_left_to_others() -> None:
    table = catalog.game("three-card-poker")
    with pytest.raises(NoBoard):
        BoardSolver(table, {"ante": 100}, table.terms.shoe)


def test_a_board_of_three_cards_is_not_taken_for_one_of_five(own_games: Path) -> None:
    write(own_games, short_board(first=0))
    table = catalog.game("short-board")
    with pytest.raises(NoBoard, match="other numbers of cards than two each and a board of five"):
        Boards(table, WAGERS, {}, table.terms.shoe)


def test_charts_of_later_streets_cost_what_every_deal_loses_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    table, deck = catalog.game("ultimate-holdem"), short_deck()
    question = Question(table, "ante", exposed=tuple(card for card in table.terms.shoe if card not in deck))
    joined = strategy_report(question)
    monkeypatch.setattr(board_charts, "_join", lambda ways: [[row] for row in range(ways.shape[1])])
    report = strategy_report(question)
    assert joined.chart_edge == report.chart_edge  # rows that are played alike cost nothing to join
    later = report.grids[1:]
    assert ([grid.title for grid in later], report.left_out) == (["flop-play", "river-play"], "")
    assert all(sum(cell.shares.values()) == 1 for grid in later for cell in grid.cells.values())
    solver = BoardSolver(table, {"ante": UNIT, "blind": UNIT}, deck)
    follow, check = ByCharts(solver.boards, tuple(deck), later), dict(solver.boards.root.choices)["check"]
    total = Fraction(0)
    for decision in solver.first_decisions():
        goes_on = decision.best == "check"
        worth = follow.worth(check, decision.cards, ()) / 25200 if goes_on else decision.worth[decision.best]
        total += decision.holdings * worth
    assert report.chart_edge == -total / 66 / UNIT > report.house_edge


def test_copies_of_a_table_share_the_sweeps_over_its_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    law = BoardSolver(catalog.game("ultimate-holdem"), WAGERS, short_deck()).law
    monkeypatch.setattr(board_solver, "sweep_worth", None)
    monkeypatch.setattr(board_solver, "sweep_law", None)
    assert BoardSolver(catalog.game("ultimate-holdem"), WAGERS, short_deck()).law == law
