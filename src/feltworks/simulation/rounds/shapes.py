"""Rounds that are settled by the values of poker hands: the order of their cards, and the choice for every sight.

One hand that grows or exchanges cards, a hand against the dealer's, or two hands with a board: the solver
of the shape makes every choice, and the rules settle the hands.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.analysis.shape import ranking_of
from feltworks.analysis.solvers.board.answer import board_solver
from feltworks.analysis.solvers.board.tree import OWN, SHARED, Boards, NoBoard
from feltworks.analysis.solvers.draw import NoDraw, draw_solver
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.cells import Cells
from feltworks.analysis.solvers.showdown.duel import Duel
from feltworks.analysis.solvers.showdown.hands import DealtHands, HandClasses, hand_classes
from feltworks.analysis.solvers.showdown.solver import Showdown, showdown
from feltworks.analysis.solvers.showdown.spot import NoShowdown, Spot
from feltworks.analysis.solvers.streets.solver import streets_solver
from feltworks.analysis.solvers.streets.tree import NoStreets, Street
from feltworks.cards import DECK, Card
from feltworks.errors import FeltError
from feltworks.machine.node import Results, result_of
from feltworks.machine.showdown import BOTH_VALUES, BYTE, OWN_VALUE, SUITS, Ends
from feltworks.money import Cents
from feltworks.rules.round import Choice, Round
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.strategies import check_followed, chooser_of, serving_of


class NoCourse(FeltError):
    """The rounds are not settled by the values of hands alone, and need another kernel."""


class Point(Struct, frozen=True):
    """A decision by the cards in sight: those that form a class up to suits, and the cards beside them."""

    after: tuple[int, ...]  # by choice: the next point, or ~ the number of an end
    sight: tuple[int, int, int, int]  # first card and number of cards of the class, then of those beside it
    picks: NDArray[np.uint8]  # packed by `_pack`
    cells: int  # for each class
    bits: int  # for each choice


class Shape(ABC):
    """A game's rounds as a solver sees them: cards, decision points, ends, and their settlement by the rules."""

    own: int
    board: int
    dealer: int
    ends: Sequence[tuple[Choice, ...]]  # the choices that lead to each
    points: list[Point]
    start: int
    drawn = 0  # the most cards that a seat may exchange
    classes: Any

    def __init__(self, plan: Plan, wagers: Mapping[str, Cents], classes: DealtHands) -> None:
        self.plan, self.wagers, self.classes = plan, wagers, classes
        self.game, self.shoe = plan.table, plan.table.terms.shoe
        self.serving = serving_of(plan.table, wagers, plan.strategy)
        self.follow = chooser_of(plan.table, wagers, plan.strategy)  # None: best play

    @abstractmethod
    def finish(self, end: int, mine: int, theirs: int) -> Round:
        """A finished round with hands of these values, given by index."""

    def settle(self) -> tuple[Ends, tuple[Results, ...]] | None:
        """The results of every end; None if the caller has to find the runs of values itself."""
        return None

    def discards(self, end: int) -> tuple[int, ...]:
        """The positions of the cards that are exchanged on the way to an end."""
        return ()

    def classes_of(self, held: int) -> DealtHands:
        """The classes of `held` cards."""
        return self.classes if held == self.classes.size else DealtHands(self.shoe, held, frozenset())

    def _follow(self, root: Street, point_of: Callable[[Street], tuple[Any, ...]]) -> None:
        """Number the points of a tree of choices; `point_of` gives a point's children and its other fields."""
        self.points, numbers = [], dict[int, int]()

        def visit(street: Street) -> int:
            if street.is_end:
                return ~street.leaf
            children, *form = point_of(street)
            after = tuple(child if isinstance(child, int) else visit(child) for child in children)
            numbers[id(street)] = len(self.points)
            self.points.append(Point(after, *form))
            return numbers[id(street)]

        self.start = visit(root)


class GrowingHand(Shape):
    """One hand that grows with choices on the way, alone or against a dealer's hand that may have an open card."""

    def __init__(self, plan: Plan, wagers: Mapping[str, Cents], classes: HandClasses) -> None:
        super().__init__(plan, wagers, classes)
        check_followed(plan.strategy, self.follow)
        self._solver = streets_solver(
            self.game, wagers, self.shoe, meters=plan.meters, serving=self.serving, strategy=self.follow
        )
        streets = self._solver.streets
        self.ends = [end.path for end in streets.ends]
        rounds = [self.finish(end.leaf, 0, 0) for end in streets.ends]
        self.own = max(len(r.seats[0].cards) for r in rounds)
        self.board, self.dealer = classes.size - self.own, classes.size if streets.has_dealer else 0
        if self.board and (self.dealer or any(len(r.seats[0].cards) != self.own for r in rounds)):
            raise NoCourse("cards come to the board before others that only some rounds deal")
        self._follow(streets.root, self._point)

    def _point(self, street: Street) -> tuple[Any, ...]:
        picks = self._solver.picks(street)
        packed, bits = _pack(picks, len(street.choices))
        sight = 0, street.seen, self.own, street.up
        return [child for _, child in street.choices], sight, packed, picks.shape[1], bits

    def finish(self, end: int, mine: int, theirs: int) -> Round:
        examples, streets = self.classes.examples, self._solver.streets
        return streets.finished_round(examples[mine], examples[theirs], streets.ends[end])


class OneDraw(Shape):
    """One hand of which some cards are exchanged once."""

    board = dealer = 0

    def __init__(self, plan: Plan, wagers: Mapping[str, Cents], classes: HandClasses) -> None:
        super().__init__(plan, wagers, classes)
        check_followed(plan.strategy, self.follow)
        self._solver = draw_solver(self.game, wagers, self.shoe, plan.meters, self.serving, self.follow)
        rounds, self.own = self._solver.rounds, classes.size
        self._offers, self.drawn = rounds.offers, max(len(offer.cards) for offer in rounds.offers)
        if len(plan.seats) * (self.own + self.drawn) > self.shoe.total:
            raise NoCourse("the deck can run out before all seats have drawn")
        self.ends = [(Choice(offer.name, offer.most, rounds.about),) for offer in self._offers]
        packed, bits = _pack(self._solver.picks, len(self.ends))
        leaves = tuple(~end for end in range(len(self.ends)))
        self.points, self.start = [Point(leaves, (0, self.own, 0, 0), packed, 1, bits)], 0

    def discards(self, end: int) -> tuple[int, ...]:
        return self._offers[end].cards

    def finish(self, end: int, mine: int, theirs: int) -> Round:
        return self._solver.rounds.finished_round(self.classes.examples[mine], self._solver.rounds.stand, ())

    def settle(self) -> tuple[Ends, tuple[Results, ...]]:
        """Only the final hand decides the pay, so all ends share the same results."""
        runs = self._solver.result_of_value
        _, examples = np.unique(runs, return_index=True)
        finished = [self.finish(0, value, 0) for value in examples.tolist()]
        emissions = tuple([tuple(map(result_of, self.game.settle(r))) for r in finished])
        numbers = np.tile(np.arange(len(emissions), dtype=np.int32)[:, None], (len(self.ends), 1, 1))
        needs, none = np.full(len(self.ends), OWN_VALUE, np.int64), np.zeros(1, np.int16)
        return Ends(needs, runs.astype(np.int16), none, numbers, np.zeros((1, 0), np.int64)), emissions


class SharedBoard(Shape):
    """Two cards each and a board of five."""

    own, board, dealer = OWN, SHARED, OWN

    def __init__(self, plan: Plan, wagers: Mapping[str, Cents], classes: HandClasses) -> None:
        super().__init__(plan, wagers, classes)
        Boards(self.game, wagers, plan.meters, self.shoe)  # refuse before any work is done
        self._solver = board_solver(self.game, wagers, self.shoe, plan.meters, self.serving, self.follow)
        root = self._solver.boards.root
        self._streets = sorted(root.ends(), key=lambda end: end.leaf)
        self.ends = [end.path for end in self._streets]
        self._follow(root, self._point)

    def _point(self, street: Street) -> tuple[Any, ...]:
        solver, children = self._solver, [child for _, child in street.choices]
        pairs = len(self.shoe) * (len(self.shoe) - 1) // 2
        if street.seen == SHARED:
            leaves = [~leaf for leaf in solver.target(street)]
            packed, bits = solver.last_picks(street), solver.choice_bits
            return leaves, (OWN, SHARED, 0, OWN), packed.reshape(-1), packed.shape[1] * BYTE // bits, bits
        if street.seen:
            packed, bits = _pack(solver.flop_picks(street, self.classes_of(street.seen)), len(children))
            return children, (OWN, street.seen, 0, OWN), packed, pairs, bits
        packed, bits = _pack(solver.first_picks(self.classes_of(OWN)), len(children))
        return children, (0, OWN, 0, 0), packed, 1, bits

    def finish(self, end: int, mine: int, theirs: int) -> Round:
        values = self.classes.values
        return self._solver.boards.valued_round(self._streets[end], values[mine], values[theirs])


class CardInSight(Shape):
    """A hand against the dealer's, with one dealer's card open when the seat decides."""

    def __init__(self, plan: Plan, wagers: Mapping[str, Cents], classes: HandClasses) -> None:
        super().__init__(plan, wagers, classes)
        self._spot = Spot(self.game, wagers, plan.meters)
        if not self._spot.up_cards(classes.examples[0]):
            raise NoCourse("no card of the dealer's is in sight")
        cells = Cells(self._spot, classes)
        cells.check()
        self.own = self.dealer = classes.size
        self.board = 0
        choices = self._spot.choices(classes.examples[0], classes.examples[0])
        if any(run.choices != choices for run in cells.players):
            raise NoCourse("what is offered changes with the cards")
        self.ends = [(choice,) for choice in choices]
        served = {name: cents for name, cents in wagers.items() if name in self.serving}
        solved = showdown(self.game, wagers=served, strategy=self.follow, meters=plan.meters)
        faces = card_faces(classes)
        picks = np.stack([solved.picks(face) for face in faces], axis=1)
        packed, bits = _pack(picks, len(choices))
        leaves = tuple(~end for end in range(len(choices)))
        self.points, self.start = [Point(leaves, (0, self.own, self.own, 1), packed, len(faces), bits)], 0

    def finish(self, end: int, mine: int, theirs: int) -> Round:
        examples = self.classes.examples
        return self._spot.finished_round(examples[mine], self.ends[end][0], examples[theirs])


class HandsAsRead(Shape):
    """A hand against the dealer's, each read by the rules: of any size, in any order."""

    board = 0

    def __init__(self, plan: Plan, wagers: Mapping[str, Cents]) -> None:
        game = plan.table
        self.duel = Duel(game, wagers, plan.meters, game.terms.shoe)
        super().__init__(plan, wagers, self.duel.classes)
        self.own, self.dealer = self.duel.course.own, self.duel.course.dealer
        if self.dealer > SHARED or self.own > SHARED:
            raise NoCourse(f"hands have more than {SHARED} cards")
        self._choices = list(dict.fromkeys(choice for choices in self.duel.run_choices for choice in choices))
        self.ends = [(choice,) if choice.name else () for choice in self._choices]
        self.start = ~0
        self.points = [self._point()] if len(self._choices) > 1 else []
        self.start = 0 if self.points else ~0

    def _point(self) -> Point:
        served = {name: cents for name, cents in self.wagers.items() if name in self.serving}
        solved = showdown(self.game, wagers=served, strategy=self.follow, meters=self.plan.meters)
        faces = card_faces(self.classes) if solved.has_up_card else [None]
        picks = np.stack([self._leaves(solved, face) for face in faces], axis=1)
        packed, bits = _pack(picks, len(self._choices))
        sight = 0, self.own, self.own, len(faces) > 1
        return Point(tuple(~end for end in range(len(self._choices))), sight, packed, len(faces), bits)

    def _leaves(self, solved: Showdown, face: Card | None) -> Ints:
        """By class of hands: the number of its choice."""
        assert isinstance(solved.meetings, Duel)
        numbers = [[self._choices.index(choice) for choice in choices] for choices in solved.meetings.run_choices]
        width = max(map(len, numbers))
        table = np.array([[*each, *each[-1:] * (width - len(each))] for each in numbers])
        return table[solved.meetings.run_of, solved.picks(face)]

    def finish(self, end: int, mine: int, theirs: int) -> Round:
        raise NoCourse("hands are settled as the rules read them")

    def dealer_values(self) -> NDArray[np.int16]:
        """By class of the dealer's cards: the index of the hand."""
        dealt = self.classes_of(self.dealer)
        return self.duel.dealer_places([dealt.cards(row) for row in range(len(dealt))]).astype(np.int16)

    def settle(self) -> tuple[Ends, tuple[Results, ...]]:
        """The rules settle every run of hands once with each choice in each cell."""
        duel, emissions = self.duel, dict[Results, int]()
        numbers = np.zeros((len(self._choices), len(duel.runs), duel.bounds.shape[1] + 1), np.int32)
        _, examples = np.unique(duel.run_of_value, return_index=True)
        for run, value in enumerate(examples.tolist()):
            begins = [0, *duel.bounds[value].tolist()]
            for cell, place in enumerate(begins):
                for choice in duel.run_choices[run] if place < len(duel.dealers) else ():
                    results = tuple([result_of(line) for line in duel.lines(value, choice, place)])
                    number = emissions.setdefault(results, len(emissions))
                    numbers[self._choices.index(choice), run, cell] = number
        needs = np.full(len(self._choices), BOTH_VALUES, np.int64)
        runs = duel.run_of_value.astype(np.int16)
        return Ends(needs, runs, np.zeros(1, np.int16), numbers, duel.bounds), tuple(emissions)


def card_faces(classes: DealtHands) -> list[Card]:
    """The deck in the loop's numbering: by rank, then by suit in the order of the classes."""
    return [DECK[SUITS * (rank - 2) + suit] for rank in classes.ranks for suit in classes.suits]


def _pack(picks: Ints, choices: int) -> tuple[NDArray[np.uint8], int]:
    """Pack the indices of choices into bytes; returns them with the number of bits for each."""
    bits = next(bits for bits in (1, 2, 4, 8) if choices <= 1 << bits)
    a_byte = BYTE // bits
    cells = np.zeros(-(-picks.size // a_byte) * a_byte, np.uint8)
    cells[: picks.size] = picks.reshape(-1)
    shifts = np.arange(a_byte, dtype=np.uint8) * np.uint8(bits)
    return np.bitwise_or.reduce(cells.reshape(-1, a_byte) << shifts, axis=1), bits


def shape_of(plan: Plan, wagers: Mapping[str, Cents]) -> Shape:
    """The shape of a plan's rounds; refuses rounds that fit no shape."""
    ranking = ranking_of(plan.table)
    if ranking is not None and (ranking.wild or ranking.size > SHARED):
        raise NoCourse("hands are not natural poker hands")
    for shape in (GrowingHand, OneDraw, SharedBoard, CardInSight) if ranking is not None else ():
        with suppress(NoStreets, NoDraw, NoBoard, NoShowdown):
            return shape(plan, wagers, hand_classes(plan.table.terms.shoe, ranking))
    try:
        return HandsAsRead(plan, wagers)
    except NoShowdown:
        raise NoCourse("rounds are settled by more than the values of hands") from None
