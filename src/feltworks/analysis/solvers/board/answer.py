"""Answers questions about wagers on two hands that share a board, under best play or a strategy file."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from feltworks.analysis.progress import Progress
from feltworks.analysis.question import OPTIMAL, Answer, Question
from feltworks.analysis.solvers.board.solver import BoardSolver
from feltworks.analysis.solvers.board.sweep import SUITS, value_boards
from feltworks.analysis.solvers.board.tree import OWN, SHARED, Boards
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.streets.tree import Street
from feltworks.analysis.strategy.decisions import Follower, Rows, chooser
from feltworks.analysis.strategy.facts import CardFacts, hand_facts
from feltworks.analysis.strategy.file import Chooser, Row
from feltworks.cards import Card, Shoe, cards
from feltworks.errors import BadOption, FeltError
from feltworks.machine.compiler import Bytes
from feltworks.machine.deck import COLUMNS
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.sights import PlayerView

_BOARDS = 256  # boards per batch
_BYTE = 8


class BoardByFile(BoardSolver):
    """The exact law of a spot under a strategy file."""

    def __init__(
        self,
        game: Game,
        wagers: Mapping[str, Cents],
        shoe: Shoe,
        follow: Follower,
        *,
        meters: Mapping[str, Cents] | None = None,
        serving: frozenset[str] | None = None,
    ) -> None:
        self._follow, self._wagers = follow, dict(wagers)
        facts = hand_facts(game)
        assert isinstance(facts, CardFacts)
        self._facts = facts
        super().__init__(game, wagers, shoe, meters=meters, serving=serving)

    def _decide(self) -> None:
        decisions = list(self.boards.root.decisions())
        self._points = [street for street in decisions if street.seen == 3]
        then = [self._flop_targets(point) for point in self._points]
        self._then = np.stack(then) if then else np.zeros((1, 1, len(self._alike.pairs)), np.int64)
        self._first = self._first_targets()
        for street in decisions:
            if street.seen == SHARED:
                self._fill_last(street)

    def _view(self, street: Street) -> PlayerView:
        """The view of a player at a point of the round, without cards."""
        choices = sorted(street.choices, key=lambda each: each[1].path[-1].cents or 0)
        money = sum(self._wagers.values()) + sum(choice.cents or 0 for choice in street.path)
        wagered = Fraction(money, next(iter(self._wagers.values())))
        return PlayerView((), (), tuple(name for name, _ in choices), (), street.about, wagered)

    def _first_targets(self) -> Ints:
        root, kinds = self.boards.root, self._alike.kind_of
        if root.seen or not root.choices:
            return self._decide_first(np.zeros((0, 0), np.int64))
        goes, view = np.zeros(int(kinds.max()) + 1, np.int64), self._view(root)
        after = {name: self._goes_to(child) for name, child in root.choices}
        for kind in range(len(goes)):
            one, other = self._alike.pairs[np.flatnonzero(kinds == kind)[0]].tolist()
            goes[kind] = after[self._follow(replace(view, cards=(self._face(other), self._face(one))))]
        return goes[kinds]

    def _flop_targets(self, point: Street) -> Ints:
        """The target of the choice by flop and holding."""
        own, board = self.flop_views()
        described = self._describe(point, own, board)
        value = self.five_card_values(np.hstack([own, board]), described[:, COLUMNS.index("flush_cards")])
        view, column = self._view(point), self._facts.column(described, value, self._classes.values)
        picks = self._follow.pick_all(view, len(own), column, lambda rows: self._flop_rows(rows, view))
        self._check_silence(view, picks, own, board)
        after = dict(point.choices)
        goes = np.array([self._target_of[id(after[name])] for name in view.offers])
        targets: Ints = goes[picks].reshape(-1, len(self._alike.pairs))
        return targets

    def _describe(self, street: Street, own: Ints, board: Ints) -> Ints:
        used = self._follow.fact_names(street.about)
        return self.describe(self._facts, own, board, with_draws=any("straight" in name for name in used))

    def _fill_last(self, street: Street) -> None:
        """Store the choices as packed bits, by board and holding, at a point where the whole board is seen."""
        view, targets = self._view(street), self.target(street)
        after = dict(street.choices)
        if any(not child.is_end for child in after.values()):
            raise FeltError(f"{self.game.terms.rulebook.title}: files decide once when the whole board is seen")
        place_of = np.array([targets.index(after[name].leaf) for name in view.offers], np.uint8)
        packed, by_board = self.last_picks(street), self._river_rows(view)
        for begin in range(0, len(packed), _BOARDS):
            picks = self._river_picks(street, view, by_board, begin)
            packed[begin : begin + _BOARDS] = self._pack(place_of[picks])

    def _river_picks(
        self, street: Street, view: PlayerView, by_board: Mapping[int, list[tuple[int, Row]]], begin: int
    ) -> NDArray[np.int8]:
        boards, pairs = self._spot.boards[begin : begin + _BOARDS], self._alike.pairs
        shape = len(boards), len(pairs)
        own, value = np.zeros((*shape, OWN), np.int64), np.zeros(shape, np.int64)
        outs = np.zeros(shape, np.int64)
        value_boards(self._spot, begin, self._with_one, own, value, outs)
        held, board = own.reshape(-1, OWN), np.repeat(boards, len(pairs), axis=0)
        described = self._describe(street, held, board)
        column = self._facts.column(described, value.reshape(-1), self._classes.values, outs.reshape(-1))

        def rows(known: Rows) -> Iterator[tuple[Row, Ints]]:
            mine = {id(row) for by_money in known.values() for row in by_money.values()}
            for place in range(len(boards)):
                for holding, row in by_board.get(begin + place, ()):
                    if id(row) in mine:
                        yield row, np.array([place * len(pairs) + holding])

        picks = self._follow.pick_all(view, len(held), column, rows)
        picks[value.reshape(-1) < 0] = 0
        self._check_silence(view, picks, held, board)
        return picks.reshape(shape)

    def _pack(self, places: Bytes) -> Bytes:
        bits = self.choice_bits
        a_byte = _BYTE // bits
        cells = np.zeros((len(places), -(-places.shape[1] // a_byte) * a_byte), np.uint8)
        cells[:, : places.shape[1]] = places
        shifts = np.arange(a_byte, dtype=np.uint8) * np.uint8(bits)
        packed: Bytes = np.bitwise_or.reduce(cells.reshape(len(places), -1, a_byte) << shifts, axis=2)
        return packed

    def _check_silence(self, view: PlayerView, picks: NDArray[np.int8], own: Ints, board: Ints) -> None:
        """Refuse a file without a choice for some cards; holdings that share a card with the board are ignored."""
        for row in np.flatnonzero(picks < 0).tolist():
            held, shared = ([self._face(card) for card in cards[row].tolist()] for cards in (own, board))
            if not {*held} & {*shared}:
                self._follow(replace(view, cards=tuple(held), board=tuple(shared)))  # raises the error
            picks[row] = 0

    # Rows of a file

    def _flop_rows(self, rows: Rows, view: PlayerView) -> Iterator[tuple[Row, Ints]]:
        alike = self._alike
        for row in _rows_for(rows, view, 3):
            a, b, c = (self._number(card) for card in cards(row.board))
            one, other = (self._number(card) for card in cards(row.cards))
            flop, changed = int(alike.flop_of[a, b, c]), alike.changed[alike.change_of[a, b, c]]
            holding = changed[alike.holding_of[one, other]]
            every = {int(alike.changed[change][holding]) for change in alike.stable[flop]}
            yield row, flop * len(alike.pairs) + np.array(sorted(every))

    def _river_rows(self, view: PlayerView) -> dict[int, list[tuple[int, Row]]]:
        """By board: the holdings that rows of the file mention, and these rows."""
        by_board: dict[int, list[tuple[int, Row]]] = {}
        for reading in self._follow.readings(view.about):
            for row in _rows_for(reading.rows, view, SHARED):
                place, _ = self._classes.class_of(cards(row.board))
                own = {self._number(card) for card in self._classes.cards(place)}
                holdings = {
                    int(self._alike.holding_of[tuple(self._change(cards(row.cards), suits))])
                    for suits in permutations(range(SUITS))
                    if {*self._change(cards(row.board), suits)} == own
                }
                by_board.setdefault(place, []).extend((holding, row) for holding in sorted(holdings))
        return by_board

    def _change(self, held: tuple[Card, ...], suits: tuple[int, ...]) -> list[int]:
        """The numbers of cards after a permutation of suits."""
        numbers = [self._number(card) for card in held]
        return [number // SUITS * SUITS + suits[number % SUITS] for number in numbers]


def _rows_for(rows: Rows, view: PlayerView, shared: int) -> Iterator[Row]:
    """The rows of the file for so many board cards and the money on the spot."""
    for by_money in rows.values():
        row = by_money.get(view.wagered) or by_money.get(None)
        if row is not None and len(cards(row.board)) == shared:
            yield row


def board_answer(question: Question, progress: Progress | None = None) -> Answer:
    """The figures of one wager of the spot with those that come with it or follow from it."""
    boards = Boards(question.game, question.stakes, question.posted, question.shoe)  # refuses before any work
    follow = chooser(question) if boards.root.choices else None
    solved = board_solver(
        question.game, question.stakes, question.shoe, question.posted, question.serving, follow, progress
    )
    figures = solved.figures_of(question.group, question.unit)
    law = solved.law if question.beside else None
    return Answer(figures, notes={"board": solved}, law=law)


def board_solver(
    game: Game,
    wagers: Mapping[str, Cents],
    shoe: Shoe,
    meters: Mapping[str, Cents],
    serving: Iterable[str],
    follow: Chooser | None,
    progress: Progress | None = None,
) -> BoardSolver:
    """The solver of a spot under best play, or under a strategy file."""
    served = frozenset(serving)
    if follow is None:
        return BoardSolver(game, wagers, shoe, meters=meters, serving=served, progress=progress)
    if not isinstance(follow, Follower):
        raise BadOption("--strategy", "this one", f"{OPTIMAL} or a file where hands share a board")
    return BoardByFile(game, wagers, shoe, follow, meters=meters, serving=served)
