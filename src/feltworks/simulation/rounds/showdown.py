"""Rounds that are settled by the values of poker hands: one deck, one course of cards, choices in between.

One hand that grows, a hand against the dealer's with a card in sight, or two hands with a board: the solver
of the shape answers every choice, and the rules settle every pair of values once.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise, product
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.analysis.cache import load_or_compile
from feltworks.analysis.shape import ranking_of
from feltworks.analysis.solvers.board.answer import board_solver
from feltworks.analysis.solvers.board.tree import OWN, SHARED, Boards, NoBoard
from feltworks.analysis.solvers.board.values import SevenCards
from feltworks.analysis.solvers.showdown.cells import Cells, find_cuts
from feltworks.analysis.solvers.showdown.duel import Duel
from feltworks.analysis.solvers.showdown.hands import DealtHands, HandClasses, hand_classes
from feltworks.analysis.solvers.showdown.solver import Showdown, showdown
from feltworks.analysis.solvers.showdown.spot import NoShowdown, Spot
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.analysis.solvers.streets.tree import NoStreets, Street
from feltworks.cards import DECK, Card
from feltworks.dealing.shoes import CutCardShoe, source_for
from feltworks.errors import FeltError
from feltworks.machine.ledger import Ledger
from feltworks.machine.node import Results, result_of
from feltworks.machine.showdown import (
    BOTH_VALUES,
    BYTE,
    NO_VALUE,
    OWN_VALUE,
    RANK_BITS,
    SUITS,
    Course,
    Ends,
    Values,
    play_showdowns,
)
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import BOARD, DEALER, Choice, Place, Round, face_up
from feltworks.rules.steps import Decide
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.decisions import Seating
from feltworks.simulation.rounds.ends import Ends as RoundEnds
from feltworks.simulation.rounds.ends import Stretch
from feltworks.simulation.rounds.kernel import BLOCK, DealtLine, DealtRound
from feltworks.simulation.rounds.plain import deal_round
from feltworks.simulation.rounds.strategies import check_followed, chooser_of, serving_of
from feltworks.simulation.tally import Tally, add_tallies

_NO_ROWS: Final = np.zeros((0, 0), np.uint8)
Ints = NDArray[np.int64]


class NoCourse(FeltError):
    """Rounds that are not settled by the values of hands alone; another kernel deals them."""


class Point(Struct, frozen=True):
    """A choice by what is in sight: cards that make a class up to suits, and cards beside them."""

    after: tuple[int, ...]  # by choice: the next point, or ~ an end
    sight: tuple[int, int, int, int]  # where the class begins and how many cards, then those beside it
    picks: NDArray[np.uint8]  # packed
    cells: int  # of each class
    bits: int  # of each choice


class Shape(ABC):
    """A game's rounds as a solver sees them: cards, points of choice, ends and how the rules settle them."""

    own: int
    board: int
    dealer: int
    ends: Sequence[tuple[Choice, ...]]  # the choices that lead to each
    points: list[Point]
    start: int

    classes: Any

    def __init__(self, plan: Plan, wagers: Mapping[str, Cents], classes: DealtHands) -> None:
        self.plan, self.wagers, self.classes = plan, wagers, classes
        self.game, self.shoe = plan.table, plan.table.terms.shoe
        self.serving = serving_of(plan.table, wagers, plan.strategy)
        self.follow = chooser_of(plan.table, wagers, plan.strategy)  # None: best play

    @abstractmethod
    def finish(self, end: int, mine: int, theirs: int) -> Round:
        """A finished round with hands of these values, by their places."""

    def classes_of(self, held: int) -> DealtHands:
        """The classes of so many cards."""
        return self.classes if held == self.classes.size else DealtHands(self.shoe, held, frozenset())

    def _follow(self, root: Street, point_of: Callable[[Street], tuple[Any, ...]]) -> None:
        """Number the points of a tree of choices; `point_of` gives its sight, its choices and their form."""
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
    """One hand that grows, with choices on the way."""

    def __init__(self, plan: Plan, wagers: Mapping[str, Cents], classes: HandClasses) -> None:
        super().__init__(plan, wagers, classes)
        check_followed(plan.strategy, self.follow)
        self._solver = StreetsSolver(
            self.game, wagers, self.shoe, meters=plan.meters, serving=self.serving, strategy=self.follow
        )
        root = self._solver.streets.root
        self._streets = sorted(root.ends(), key=lambda end: end.leaf)
        self.ends = [end.path for end in self._streets]
        self.own, self.dealer = self._own_cards(), 0
        self.board = classes.size - self.own
        self._follow(root, self._point)

    def _own_cards(self) -> int:
        """How many cards the seat has; all of them come before anything is decided."""
        begun, *over = (self.finish_at(end, 0) for end in (Street(0), *self._streets))
        own = len(face_up(begun.seats[0].cards))
        if any(len(r.seats[0].cards) != own for r in over):
            raise NoCourse("cards come to the seat after its first choice")
        return own

    def _point(self, street: Street) -> tuple[Any, ...]:
        packed, bits = _pack(self._solver.picks(street), len(street.choices))
        return [child for _, child in street.choices], (0, street.seen, 0, 0), packed, 1, bits

    def finish(self, end: int, mine: int, theirs: int) -> Round:
        return self.finish_at(self._streets[end], mine)

    def finish_at(self, end: Street, mine: int) -> Round:
        return self._solver.streets.finished_round(self.classes.examples[mine], end)


class SharedBoard(Shape):
    """Two cards each and a board of five."""

    own, board, dealer = OWN, SHARED, OWN

    def __init__(self, plan: Plan, wagers: Mapping[str, Cents], classes: HandClasses) -> None:
        super().__init__(plan, wagers, classes)
        Boards(self.game, wagers, plan.meters, self.shoe)  # refused before any work
        self._solver = board_solver(
            self.game, wagers, self.shoe, plan.meters, self.serving, self.follow, keeps_choices=True
        )
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
    """A hand against the dealer's, one card of which lies open when the seat decides."""

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
    """A hand against the dealer's, each as the rules read it: of any size, in any order."""

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
        """By class of hands: the number of the choice that it makes."""
        assert isinstance(solved.meetings, Duel)
        numbers = [[self._choices.index(choice) for choice in choices] for choices in solved.meetings.run_choices]
        width = max(map(len, numbers))
        table = np.array([[*each, *each[-1:] * (width - len(each))] for each in numbers])
        return table[solved.meetings.run_of, solved.picks(face)]

    def finish(self, end: int, mine: int, theirs: int) -> Round:
        raise NoCourse("hands are settled as the rules read them")

    def dealer_values(self) -> NDArray[np.int16]:
        """By class of the dealer's cards: the place of the hand."""
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
    """The deck as the loop numbers it: rank by rank, in each the suits in the order of the classes."""
    return [DECK[SUITS * (rank - 2) + suit] for rank in classes.ranks for suit in classes.suits]


def _pack(picks: Ints, choices: int) -> tuple[NDArray[np.uint8], int]:
    """Places of choices, so many bits each, in bytes; and how many bits."""
    bits = next(bits for bits in (1, 2, 4, 8) if choices <= 1 << bits)
    a_byte = BYTE // bits
    cells = np.zeros(-(-picks.size // a_byte) * a_byte, np.uint8)
    cells[: picks.size] = picks.reshape(-1)
    shifts = np.arange(a_byte, dtype=np.uint8) * np.uint8(bits)
    return np.bitwise_or.reduce(cells.reshape(-1, a_byte) << shifts, axis=1), bits


class Tables(Struct, frozen=True):
    """All that the compiled loop reads, and what the ends stand for."""

    course: Course
    values: Values
    ends: Ends
    emissions: tuple[Results, ...]  # by number of an end
    paths: tuple[tuple[Choice, ...], ...]  # by end of the choices


def make_tables(shape: Shape) -> Tables:
    """The arrays of a shape."""
    sizes = {point.sight[1] for point in shape.points}
    if isinstance(shape, HandsAsRead):
        (ends, emissions), sizes = shape.settle(), sizes | {shape.own, shape.dealer}
        values = _values_by_class(shape, [shape.classes_of(held) for held in sizes])
    else:
        ends, emissions = _settle(shape)
        dealt = [shape.classes_of(held) for held in sizes]
        values = _value_arrays(shape.classes, dealt, with_two=shape.board == SHARED)
    return Tables(_course(shape), values, ends, emissions, tuple(shape.ends))


def _course(shape: Shape) -> Course:
    points = shape.points
    width = max((len(point.after) for point in points), default=1)
    begins = np.cumsum([0, *(len(point.picks) for point in points)])
    return Course(
        shape.own,
        shape.board,
        shape.dealer,
        shape.start,
        np.array([[*point.after, *[0] * (width - len(point.after))] for point in points] or [[0]], np.int64),
        np.array([point.sight for point in points] or [(0,) * 4], np.int64),
        np.concatenate([np.zeros(0, np.uint8), *(point.picks for point in points)]),
        np.array([(b, p.cells, p.bits) for b, p in zip(begins, points, strict=False)] or [(0,) * 3], np.int64),
    )


def _settle(shape: Shape) -> tuple[Ends, tuple[Results, ...]]:
    """The rules settle every end for every run of values once."""
    known: dict[tuple[int, int, int], Results] = {}
    emissions: dict[Results, int] = {}
    values, places = shape.classes.values, range(len(shape.ends))

    def ask(end: int, mine: int, theirs: int) -> Results:
        key = end, mine, theirs if shape.dealer else 0
        if key not in known:
            known[key] = tuple([result_of(line) for line in shape.game.settle(shape.finish(*key))])
        return known[key]

    own_cuts, cuts = find_cuts(values, places, ask)
    cuts = cuts if shape.dealer else []
    own_runs, runs = ([*pairwise([0, *each, len(values)])] for each in (own_cuts, cuts))
    numbers = np.full((len(places), len(own_runs), 3 * len(runs)), -1, np.int32)
    for end, row, column, order in product(places, range(len(own_runs)), range(len(runs)), range(3)):
        if (pair := _witness(own_runs[row], runs[column], order)) is not None:
            numbers[end, row, 3 * column + order] = emissions.setdefault(ask(end, *pair), len(emissions))
    needs = np.array([_fill(each) for each in numbers], np.int64)
    bounds = np.zeros((1, 0), np.int64)
    return Ends(needs, _runs(own_cuts, len(values)), _runs(cuts, len(values)), numbers, bounds), tuple(emissions)


def _witness(mine: tuple[int, int], theirs: tuple[int, int], order: int) -> tuple[int, int] | None:
    """Two values of these runs of which the dealer's is worse, equal or better; None where there are none."""
    if order == 1:
        both = max(mine[0], theirs[0])
        return (both, both) if both < min(mine[1], theirs[1]) else None
    pair = (mine[1] - 1, theirs[0]) if order == 0 else (mine[0], theirs[1] - 1)
    return pair if (pair[1] < pair[0] if order == 0 else pair[1] > pair[0]) else None


def _runs(cuts: Sequence[int], values: int) -> NDArray[np.int16]:
    return np.searchsorted(np.array(cuts, np.int64), np.arange(values), side="right").astype(np.int16)


def _fill(numbers: NDArray[np.int32]) -> int:
    """Which values an end is settled by; where one is not needed, its first cells answer for all."""
    if len(np.unique(numbers[numbers >= 0])) == 1:
        numbers[:] = numbers.max()
        return NO_VALUE
    if all(len(np.unique(row[row >= 0])) == 1 for row in numbers):
        numbers[:] = numbers.max(axis=1, keepdims=True)
        return OWN_VALUE
    return BOTH_VALUES


def _value_arrays(classes: HandClasses, dealt: Sequence[DealtHands], *, with_two: bool) -> Values:
    seven = SevenCards(classes) if with_two else None
    none = np.zeros((1, 1), np.int16)
    where, numbers = _class_table(dealt)
    return Values(
        _grow(classes),
        classes.mixed_value.astype(np.int16),
        classes.suited_value.astype(np.int16),
        none if seven is None else seven.by_ranks.astype(np.int16),
        none if seven is None else seven.pair_of.astype(np.int16),
        none[0] if seven is None else seven.by_suit.astype(np.int16),
        _holding_places(classes),
        where,
        numbers,
        none[0, :0],
        none[0, :0],
    )


def _values_by_class(shape: HandsAsRead, dealt: Sequence[DealtHands]) -> Values:
    none = np.zeros((1, 1), np.int16)
    where, numbers = _class_table(dealt)
    own, places = shape.duel.classes.value.astype(np.int16), _holding_places(max(dealt, key=lambda each: each.size))
    by_ranks = none[0], none[0], none[0], none, none, none[0]
    return Values(*by_ranks, places, where, numbers, own, shape.dealer_values())


def _holding_places(classes: DealtHands) -> NDArray[np.int16]:
    """By the ranks of one suit, as bits: the place among all that is held of a suit."""
    held = classes.holdings[0].held
    places = np.zeros(1 << len(classes.ranks), np.int16)
    places[(held << np.arange(len(classes.ranks))).sum(axis=1)] = np.arange(len(held))
    return places


def _grow(classes: HandClasses) -> NDArray[np.int16]:
    """By ranks so far and the next rank: the ranks with it; of a whole hand its kind."""
    ranks = len(classes.ranks)
    kinds = {tuple(row): kind for kind, row in enumerate(classes.kinds[:, :ranks].tolist())}
    states: dict[tuple[int, ...], int] = {(0,) * ranks: 0}
    rows, waiting = list[list[int]](), deque(states)
    while waiting:
        held = waiting.popleft()
        after = [(*held[:rank], held[rank] + 1, *held[rank + 1 :]) for rank in range(ranks)]
        if sum(held) == classes.size - 1:
            rows.append([kinds.get(more, 0) for more in after])
        else:
            waiting.extend(more for more in after if max(more) <= SUITS and more not in states)
            rows.append([states.setdefault(more, len(states)) if max(more) <= SUITS else 0 for more in after])
    wide = np.zeros((len(rows), 1 << RANK_BITS), np.int16)
    wide[:, :ranks] = rows
    return wide.reshape(-1)


def _class_table(dealt: Sequence[DealtHands]) -> tuple[Ints, NDArray[np.int32]]:
    """The numbers of all classes of so many cards, in two parts: the two longest suits, and the others."""
    where, parts, begin = np.zeros((SHARED + 1, 4), np.int64), list[NDArray[np.int32]](), 0
    for each in dealt:
        one, two, three, four = each.holding.T
        widths = int(two.max()) + 1, int(four.max()) + 1
        long, short = one * widths[0] + two, three * widths[1] + four
        first = np.full(int(long.max()) + 1, len(each), np.int32)
        np.minimum.at(first, long, np.arange(len(each), dtype=np.int32))
        rest = np.zeros(int(short.max()) + 1, np.int32)
        rest[short] = np.arange(len(each)) - first[long]
        if (first[long] + rest[short] != np.arange(len(each))).any():
            raise NoCourse("classes of cards cannot be numbered by their suits")
        where[each.size] = begin, widths[0], begin + len(first), widths[1]
        parts += [first, rest]
        begin += len(first) + len(rest)
    return where, np.concatenate([np.zeros(0, np.int32), *parts])


class ShowdownKernel:
    """A plan's rounds, dealt by the loop for rounds of one course; all seats wager alike."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._wagers = plan, _wagers_of(plan)
        shoe = plan.table.terms.shoe
        self._faces = card_faces(_check_suits(DealtHands(shoe, 1, frozenset())))
        self._tables = load_or_compile(
            plan.table,
            ("showdown", plan.seats, plan.strategy, plan.meters),
            lambda: make_tables(_shape_of(plan, self._wagers)),
        )
        emissions = self._tables.emissions
        ledger = Ledger([result for results in emissions for result in results], 1)
        self._numbers = np.array([ledger.number(results) for results in emissions], np.int64)
        seating = Seating((0,) * len(plan.seats), (self._wagers,), ())
        self._ends = RoundEnds(plan, seating, (ledger,), emissions)
        self.layout = self._ends.layout

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds."""
        return add_tallies(self.layout, [self._ends.tally(self._count(out)) for out in self._play(stream, rounds)])

    def nets(self, stream: Stream, rounds: int) -> Ints:
        """What seat 1 is up after each round."""
        each = np.array([sum(line.net for line in results) for results in self._tables.emissions], np.int64)
        return np.concatenate([np.zeros(0, np.int64), *(each[out[:, 0]] for out in self._play(stream, rounds))])

    def deal(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """The rounds card by card."""
        seats, tables = len(self._plan.seats), self._tables
        leaves, cards = np.zeros((rounds, seats), np.int32), np.zeros((rounds, self._cards), np.uint8)
        out = np.zeros((rounds, seats), np.int32)
        play_showdowns(stream.handle, self._deck(), tables.course, tables.values, tables.ends, out, leaves, cards)
        for row in zip(cards.tolist(), leaves.tolist(), out.tolist(), strict=True):
            yield self._round(*row)

    @property
    def _cards(self) -> int:
        course = self._tables.course
        return len(self._plan.seats) * course.own + course.board + course.dealer

    def _deck(self) -> NDArray[np.uint8]:
        return np.arange(len(self._plan.table.terms.shoe), dtype=np.uint8)

    def _play(self, stream: Stream, rounds: int) -> Iterator[NDArray[np.int32]]:
        """How every seat came out, some rounds at a time."""
        t, deck, seats = self._tables, self._deck(), len(self._plan.seats)
        none, some = np.zeros((0, seats), np.int32), min(BLOCK, self._ends.most_rounds)
        for begin in range(0, rounds, some):
            out = np.zeros((min(some, rounds - begin), seats), np.int32)
            play_showdowns(stream.handle, deck, t.course, t.values, t.ends, out, none, _NO_ROWS)
            yield out

    def _count(self, out: NDArray[np.int32]) -> Stretch:
        counts = np.bincount(out.reshape(-1), minlength=len(self._numbers))
        met = np.flatnonzero(counts)
        sums = products = np.zeros(0, np.int64)
        if self._ends.many:  # what a round brings all seats together
            nets = self._ends.emission_nets()[out].sum(axis=1)
            sums, products = nets.sum(axis=0), nets.T @ nets
        return Stretch(len(out), self._numbers[met], counts[met], sums, products)

    def _round(self, cards: Sequence[int], leaves: Sequence[int], ends: Sequence[int]) -> DealtRound:
        """A round in the order of the live table."""
        plan, course, seats = self._plan, self._tables.course, len(self._plan.seats)
        faces = [self._faces[card] for card in cards]
        own, board = course.own, seats * course.own
        lying: dict[Place, list[Card]] = {seat: faces[seat * own : (seat + 1) * own] for seat in range(seats)}
        lying |= {BOARD: faces[board : board + course.board], DEALER: faces[board + course.board :]}
        waiting = [list(self._tables.paths[leaf]) for leaf in leaves]
        drawn, choices = list[Card](), list[Choice]()

        def draw(place: Place) -> Card:
            drawn.append(lying[place].pop(0))
            return drawn[-1]

        def choose(_round: Round, step: Decide) -> Choice:
            choices.append(waiting[step.seat].pop(0))
            return choices[-1]

        deal_round(plan.table, plan.table.open_round(plan.seats, plan.meters), choose, draw)
        lines = [DealtLine.of(seat, line) for seat, end in enumerate(ends) for line in self._tables.emissions[end]]
        return DealtRound(plan.seats, tuple(drawn), tuple(choices), tuple(lines), plan.meters)


def _wagers_of(plan: Plan) -> Mapping[str, Cents]:
    """What all seats open with, where they play from a whole deck and share no prize."""
    game, wagers = plan.table, plan.seats[0]
    keeps_shoe = isinstance(source_for(game.terms, penetration=plan.penetration), CutCardShoe)
    if keeps_shoe and not plan.shuffle_every_round:
        raise NoCourse("rounds are dealt from one shoe")
    if any(seat != wagers for seat in plan.seats):
        raise NoCourse("seats wager differently")
    if any(meters_of(game.pays[name].values()) for name in wagers):
        raise NoCourse("prizes come from a meter")
    return wagers


def _check_suits(dealt: DealtHands) -> DealtHands:
    """Refuse cards that are not one deck with four suits alike."""
    if dealt.groups != (SUITS,) or any(dealt.shoe[face] > 1 or face.suit is None for face in dealt.shoe):
        raise NoCourse("cards are not one deck with four suits alike")
    return dealt


def _shape_of(plan: Plan, wagers: Mapping[str, Cents]) -> Shape:
    """The shape of a plan's rounds; refused where they have none of them."""
    ranking = ranking_of(plan.table)
    if ranking is not None and (ranking.wild or ranking.size > SHARED):
        raise NoCourse("hands are not natural poker hands")
    for shape in (GrowingHand, SharedBoard, CardInSight) if ranking is not None else ():
        with suppress(NoStreets, NoBoard, NoShowdown):
            return shape(plan, wagers, hand_classes(plan.table.terms.shoe, ranking))
    try:
        return HandsAsRead(plan, wagers)
    except NoShowdown:
        raise NoCourse("rounds are settled by more than the values of hands") from None
