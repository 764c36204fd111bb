"""Deals the rounds of a showdown shape in the compiled loop: its tables, and the kernel that counts their ends."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise, product
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.analysis.cache import load_or_compile
from feltworks.analysis.solvers.board.tree import SHARED
from feltworks.analysis.solvers.board.values import SevenCards
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.cells import find_cuts
from feltworks.analysis.solvers.showdown.hands import DealtHands, HandClasses
from feltworks.cards import Card
from feltworks.dealing.shoes import CutCardShoe, source_for
from feltworks.machine.node import Results, result_of
from feltworks.machine.program import Ledger
from feltworks.machine.showdown import (
    BOTH_VALUES,
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
from feltworks.rules.round import BOARD, DEALER, Choice, Place, Round
from feltworks.rules.steps import Decide
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.decisions import Seating
from feltworks.simulation.rounds.ends import Ends as RoundEnds
from feltworks.simulation.rounds.ends import Stretch
from feltworks.simulation.rounds.kernel import BLOCK, DealtLine, DealtRound
from feltworks.simulation.rounds.plain import deal_round
from feltworks.simulation.rounds.shapes import HandsAsRead, NoCourse, Shape, card_faces, shape_of
from feltworks.simulation.tally import Tally, add_tallies

_NO_ROWS: Final = np.zeros((0, 0), np.uint8)


class Tables(Struct, frozen=True):
    """The arrays that the compiled loop reads, and the meaning of the ends."""

    course: Course
    values: Values
    ends: Ends
    emissions: tuple[Results, ...]  # by number of a result
    paths: tuple[tuple[Choice, ...], ...]  # the choices that lead to each end
    drawn: tuple[int, ...]  # by end: the number of cards exchanged


def make_tables(shape: Shape) -> Tables:
    """Builds the arrays of a shape."""
    ends, emissions = shape.settle() or _settle(shape)
    sizes = {point.sight[1] for point in shape.points}
    if isinstance(shape, HandsAsRead):
        sizes |= {shape.own, shape.dealer}
        values = _values_by_class(shape, [shape.classes_of(held) for held in sizes])
    else:
        dealt = [shape.classes_of(held) for held in sizes]
        values = _value_arrays(shape.classes, dealt, with_two=shape.board == SHARED)
    drawn = tuple(len(shape.discards(end)) for end in range(len(shape.ends)))
    return Tables(_course(shape), values, ends, emissions, tuple(shape.ends), drawn)


def _course(shape: Shape) -> Course:
    points = shape.points
    width = max((len(point.after) for point in points), default=1)
    begins = np.cumsum([0, *(len(point.picks) for point in points)])
    discards = [sum(1 << place for place in shape.discards(end)) for end in range(len(shape.ends))]
    exchanges = np.zeros(1 << shape.own, np.int64)
    exchanges[discards] = np.arange(len(discards))
    return Course(
        shape.own,
        shape.board,
        shape.dealer,
        shape.start,
        np.array([[*point.after, *[0] * (width - len(point.after))] for point in points] or [[0]], np.int64),
        np.array([point.sight for point in points] or [(0,) * 4], np.int64),
        np.concatenate([np.zeros(0, np.uint8), *(point.picks for point in points)]),
        np.array([(b, p.cells, p.bits) for b, p in zip(begins, points, strict=False)] or [(0,) * 3], np.int64),
        shape.drawn,
        np.array(discards, np.int64),
        exchanges,
    )


def _settle(shape: Shape) -> tuple[Ends, tuple[Results, ...]]:
    """Lets the rules settle every end once for every pair of runs of values with the same results."""
    cache: dict[tuple[int, int, int], Results] = {}
    emissions: dict[Results, int] = {}
    values, places = shape.classes.values, range(len(shape.ends))

    def ask(end: int, mine: int, theirs: int) -> Results:
        key = end, mine, theirs if shape.dealer else 0
        if key not in cache:
            cache[key] = tuple([result_of(line) for line in shape.game.settle(shape.finish(*key))])
        return cache[key]

    own_cuts, cuts = find_cuts(values, places, ask)
    cuts = cuts if shape.dealer else []
    own_runs, runs = ([*pairwise([0, *inner, len(values)])] for inner in (own_cuts, cuts))
    numbers = np.full((len(places), len(own_runs), 3 * len(runs)), -1, np.int32)
    for end, row, column, order in product(places, range(len(own_runs)), range(len(runs)), range(3)):
        if (pair := _witness(own_runs[row], runs[column], order)) is not None:
            numbers[end, row, 3 * column + order] = emissions.setdefault(ask(end, *pair), len(emissions))
    needs = np.array([_fill(by_run) for by_run in numbers], np.int64)
    bounds = np.zeros((1, 0), np.int64)
    return Ends(needs, _runs(own_cuts, len(values)), _runs(cuts, len(values)), numbers, bounds), tuple(emissions)


def _witness(mine: tuple[int, int], theirs: tuple[int, int], order: int) -> tuple[int, int] | None:
    """Returns values from these runs with the dealer's worse, equal or better; None if there are none."""
    if order == 1:
        both = max(mine[0], theirs[0])
        return (both, both) if both < min(mine[1], theirs[1]) else None
    pair = (mine[1] - 1, theirs[0]) if order == 0 else (mine[0], theirs[1] - 1)
    return pair if (pair[1] < pair[0] if order == 0 else pair[1] > pair[0]) else None


def _runs(cuts: Sequence[int], values: int) -> NDArray[np.int16]:
    return np.searchsorted(np.array(cuts, np.int64), np.arange(values), side="right").astype(np.int16)


def _fill(numbers: NDArray[np.int32]) -> int:
    """Returns which values an end depends on, and fills the cells along values that it does not depend on."""
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
    own, places = shape.duel.classes.value.astype(np.int16), _holding_places(max(dealt, key=lambda hands: hands.size))
    by_ranks = none[0], none[0], none[0], none, none, none[0]
    return Values(*by_ranks, places, where, numbers, own, shape.dealer_values())


def _holding_places(classes: DealtHands) -> NDArray[np.int16]:
    """Returns a table from the ranks held in one suit, as bits, to their index among the holdings of a suit."""
    held = classes.holdings[0].held
    places = np.zeros(1 << len(classes.ranks), np.int16)
    places[(held << np.arange(len(classes.ranks))).sum(axis=1)] = np.arange(len(held))
    return places


def _grow(classes: HandClasses) -> NDArray[np.int16]:
    """Builds the transitions from the ranks so far and the next rank to new ranks, or to a whole hand's kind."""
    ranks = len(classes.ranks)
    kinds = {tuple(row): kind for kind, row in enumerate(classes.kinds[:, :ranks].tolist())}
    states: dict[tuple[int, ...], int] = {(0,) * ranks: 0}
    rows, queue = list[list[int]](), deque(states)
    while queue:
        held = queue.popleft()
        after = [(*held[:rank], held[rank] + 1, *held[rank + 1 :]) for rank in range(ranks)]
        if sum(held) == classes.size - 1:
            rows.append([kinds.get(more, 0) for more in after])
        else:
            queue.extend(more for more in after if max(more) <= SUITS and more not in states)
            rows.append([states.setdefault(more, len(states)) if max(more) <= SUITS else 0 for more in after])
    wide = np.zeros((len(rows), 1 << RANK_BITS), np.int16)
    wide[:, :ranks] = rows
    return wide.reshape(-1)


def _class_table(dealt: Sequence[DealtHands]) -> tuple[Ints, NDArray[np.int32]]:
    """Numbers the classes of hands of each size as a sum of two lookups: the two longest suits, and the others."""
    where, parts, begin = np.zeros((SHARED + 1, 4), np.int64), list[NDArray[np.int32]](), 0
    for hands in dealt:
        one, two, three, four = hands.holding.T
        widths = int(two.max()) + 1, int(four.max()) + 1
        long, short = one * widths[0] + two, three * widths[1] + four
        first = np.full(int(long.max()) + 1, len(hands), np.int32)
        np.minimum.at(first, long, np.arange(len(hands), dtype=np.int32))
        rest = np.zeros(int(short.max()) + 1, np.int32)
        rest[short] = np.arange(len(hands)) - first[long]
        if (first[long] + rest[short] != np.arange(len(hands))).any():
            raise NoCourse("classes of cards cannot be numbered by their suits")
        where[hands.size] = begin, widths[0], begin + len(first), widths[1]
        parts += [first, rest]
        begin += len(first) + len(rest)
    return where, np.concatenate([np.zeros(0, np.int32), *parts])


class ShowdownKernel:
    """Plays a plan's rounds in the compiled loop for showdowns; all seats have the same wagers."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._wagers = plan, _wagers_of(plan)
        shoe = plan.table.terms.shoe
        self._faces = card_faces(_check_suits(DealtHands(shoe, 1, frozenset())))
        self._tables = load_or_compile(
            plan.table,
            ("showdown", plan.seats, plan.strategy, plan.meters),
            lambda: make_tables(shape_of(plan, self._wagers)),
        )
        emissions = self._tables.emissions
        ledger = Ledger([result for results in emissions for result in results], 1)
        self._numbers = np.array([ledger.number(results) for results in emissions], np.int64)
        seating = Seating((0,) * len(plan.seats), (self._wagers,), ())
        self._ends = RoundEnds(plan, seating, (ledger,), emissions)
        self.layout = self._ends.layout

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Counts this many rounds."""
        return add_tallies(self.layout, [self._ends.tally(self._count(out)) for out in self._play(stream, rounds)])

    def nets(self, stream: Stream, rounds: int) -> Ints:
        """Returns the net of seat 1 in each round."""
        net_of = np.array([sum(line.net for line in results) for results in self._tables.emissions], np.int64)
        return np.concatenate([np.zeros(0, np.int64), *(net_of[out[:, 0]] for out in self._play(stream, rounds))])

    def deal(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """Yields this many rounds card by card."""
        seats, tables = len(self._plan.seats), self._tables
        leaves, cards = np.zeros((rounds, seats), np.int32), np.zeros((rounds, self._cards), np.uint8)
        out = np.zeros((rounds, seats), np.int32)
        play_showdowns(stream.handle, self._deck(), tables.course, tables.values, tables.ends, out, leaves, cards)
        for row in zip(cards.tolist(), leaves.tolist(), out.tolist(), strict=True):
            yield self._round(*row)

    @property
    def _cards(self) -> int:
        course = self._tables.course
        return len(self._plan.seats) * (course.own + course.drawn) + course.board + course.dealer

    def _deck(self) -> NDArray[np.uint8]:
        return np.arange(len(self._plan.table.terms.shoe), dtype=np.uint8)

    def _play(self, stream: Stream, rounds: int) -> Iterator[NDArray[np.int32]]:
        """Yields the result of every seat in chunks of rounds."""
        t, deck, seats = self._tables, self._deck(), len(self._plan.seats)
        none, size = np.zeros((0, seats), np.int32), min(BLOCK, self._ends.most_rounds)
        for begin in range(0, rounds, size):
            out = np.zeros((min(size, rounds - begin), seats), np.int32)
            play_showdowns(stream.handle, deck, t.course, t.values, t.ends, out, none, _NO_ROWS)
            yield out

    def _count(self, out: NDArray[np.int32]) -> Stretch:
        counts = np.bincount(out.reshape(-1), minlength=len(self._numbers))
        results = np.flatnonzero(counts)
        sums = products = np.zeros(0, np.int64)
        if self._ends.many:  # the nets of a round, all seats together
            nets = self._ends.emission_nets()[out].sum(axis=1)
            sums, products = nets.sum(axis=0), nets.T @ nets
        return Stretch(len(out), self._numbers[results], counts[results], sums, products)

    def _round(self, cards: Sequence[int], leaves: Sequence[int], ends: Sequence[int]) -> DealtRound:
        """Replays a round in the order of the live table."""
        plan, course, seats = self._plan, self._tables.course, len(self._plan.seats)
        faces = [self._faces[card] for card in cards]
        own, left = course.own, iter(faces[seats * course.own :])
        lying: dict[Place, list[Card]] = {seat: faces[seat * own : (seat + 1) * own] for seat in range(seats)}
        lying |= {BOARD: list(islice(left, course.board)), DEALER: list(islice(left, course.dealer))}
        for seat, leaf in enumerate(leaves):
            lying[seat] += islice(left, self._tables.drawn[leaf])
        paths = [list(self._tables.paths[leaf]) for leaf in leaves]
        drawn, choices = list[Card](), list[Choice]()

        def draw(place: Place) -> Card:
            drawn.append(lying[place].pop(0))
            return drawn[-1]

        def choose(_round: Round, step: Decide) -> Choice:
            choices.append(paths[step.seat].pop(0))
            return choices[-1]

        deal_round(plan.table, plan.table.open_round(plan.seats, plan.meters), choose, draw)
        lines = [DealtLine.of(seat, line) for seat, end in enumerate(ends) for line in self._tables.emissions[end]]
        return DealtRound(plan.seats, tuple(drawn), tuple(choices), tuple(lines), plan.meters)


def _wagers_of(plan: Plan) -> Mapping[str, Cents]:
    """Returns the opening wagers of all seats; refuses plans without a whole deck or with shared prizes."""
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
    """Refuses cards that are not one deck with four equivalent suits."""
    if dealt.groups != (SUITS,) or any(dealt.shoe[face] > 1 or face.suit is None for face in dealt.shoe):
        raise NoCourse("cards are not one deck with four suits alike")
    return dealt
