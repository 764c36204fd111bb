"""The edge of a wager at shoe compositions from simulated play: what knowing every card left is worth."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from feltworks.analysis.question import Question
from feltworks.analysis.shape import is_played_by_hand, waits_for_dealer
from feltworks.analysis.solvers.counts import tables_of
from feltworks.analysis.solvers.shoe_game.bonus import NATURAL_MADE, bonus_rules
from feltworks.analysis.solvers.shoe_game.dealer import growths
from feltworks.analysis.solvers.shoe_game.rules import HIGHEST, Pay
from feltworks.cards import Card, Suit
from feltworks.errors import FeltError
from feltworks.hands.blackjack import points
from feltworks.machine.compiler import Flags, Floats, Ints, Number, compile_loop, inline
from feltworks.machine.felt import CardsRead
from feltworks.machine.node import TooManyStates
from feltworks.machine.streams import Stream
from feltworks.machine.tables import Tables
from feltworks.machine.walk import Walk
from feltworks.protection.removal import Removal, Tags, tag_of
from feltworks.simulation.rounds.machine import MachineKernel

DECK_CARDS = 52
_SUIT_ROWS, _SUIT_DEALS = 2_000, 8
Slopes = Mapping[tuple[str, str], Fraction]  # by wager and outcome: how much more it pays for one unit more on a row


class Edges(Struct, frozen=True):
    """The edge at each of some compositions."""

    fixed: Floats  # with the choices that are best in a full shoe
    best: Floats  # with the best choices for the cards left
    method: str  # "exact", or "linear": the effects of single cards added up


class Compositions(Struct, frozen=True):
    """Compositions of the shoe at the start of rounds."""

    faces: tuple[Card, ...]
    left: Ints  # by composition and face
    whole: Ints  # by face: the cards of a full shoe

    def true_counts(self, tags: Tags) -> Ints:
        """The true count of each, rounded down as the counter at the table does."""
        counts: Ints = self._running(tags) * DECK_CARDS // self.left.sum(axis=1)
        return counts

    def counts_per_deck(self, tags: Tags) -> Floats:
        """The true count of each, not rounded."""
        counts: Floats = self._running(tags) * DECK_CARDS / self.left.sum(axis=1)
        return counts

    def _running(self, tags: Tags) -> Ints:
        by_face = np.array([tag_of(face, tags) for face in self.faces])
        running: Ints = int(by_face @ self.whole) - self.left @ by_face
        return running

    @property
    def whole_shoe(self) -> "Compositions":
        """The full shoe, as the only composition."""
        return Compositions(self.faces, self.whole[None, :], self.whole)


def deal_suits(compositions: Compositions, generator: np.random.Generator) -> Compositions:
    """Keep the ranks left in each composition, and deal their suits again at random."""
    ranks = [face.rank for face in compositions.faces]
    kinds = np.array([ranks.index(rank) for rank in ranks])
    numbers = np.stack([compositions.left[:, kinds == kind].sum(axis=1) for kind in range(len(kinds))], axis=1)
    left = _deal_faces(numbers, kinds, compositions.whole, generator)
    return Compositions(compositions.faces, left, compositions.whole)


def _deal_faces(numbers: Ints, kinds: Ints, whole: Ints, generator: np.random.Generator) -> Ints:
    """Deal `numbers` cards of each kind by composition, every face of a kind equally likely; `kinds` by face."""
    dealt = np.zeros((len(numbers), len(kinds)), np.int64)
    for kind in np.unique(kinds).tolist():
        places = np.flatnonzero(kinds == kind)
        for number in np.unique(numbers[:, kind]).tolist():
            rows = np.flatnonzero(numbers[:, kind] == number)
            dealt[np.ix_(rows, places)] = generator.multivariate_hypergeometric(whole[places], number, len(rows))
    return dealt


def meet_compositions(
    kernel: MachineKernel, number: int, longest: int, stream: Stream, generator: np.random.Generator
) -> Compositions:
    """The unseen cards at the start of sampled rounds, each from a different shoe of at most `longest` rounds.

    Two rounds of one shoe would not be independent: the depth of the second depends on the cards of the first.
    """
    apart = generator.integers(longest, 2 * longest, number).tolist()
    seen = np.array([kinds for _, kinds in kernel.cards_seen(stream, apart)])
    numbers = dict(zip(kernel.cards, kernel.kinds_of_cards().tolist(), strict=True))
    shoe = kernel.game.terms.shoe
    faces, whole = tuple(numbers), np.array([shoe[face] for face in numbers])
    return Compositions(faces, whole - _deal_faces(seen, np.array(list(numbers.values())), whole, generator), whole)


class ExactEdge:
    """A wager's edge at any composition, computed from the compiled rules."""

    def __init__(self, question: Question) -> None:
        stakes, meters = tuple(question.stakes.items()), tuple(question.posted.items())
        tables: Tables = tables_of(question.game, stakes, meters)
        walk = Walk(tables, question.shoe)
        states, group, self._unit = tables.states, question.group, question.unit
        if any(state.wanted is not None or state.first >= 0 for state in states):
            raise FeltError("rounds in which the dealer looks at a card have no short form")
        self.faces, self.kinds, self.start = tables.faces, walk.kinds, tables.start
        most = max(1, *(len(state.choices) for state in states))
        width = len(walk.counts)
        self._after = np.full((len(states), width), -1)
        self._choices = np.full((len(states), most), -1)
        self._results = [[result for result in state.results if result.wager in group] for state in states]
        self._arrival = np.array([float(sum((line.exact for line in lines), Fraction(0))) for lines in self._results])
        for place, state in enumerate(states):
            if state.after:
                self._after[place] = walk.rows[place]
            for n, (_, child) in enumerate(state.choices):
                self._choices[place, n] = child
        self._fixed = self._choices if (self._choices < 0).all() else _fixed_choices(walk, self._choices)
        ends = np.array([state.is_end for state in states])
        self._is_last = (self._after[:, 0] >= 0) & ends[np.maximum(self._after, 0)].all(axis=1)

    def at(self, compositions: Compositions) -> Edges:
        """The edge at each composition."""
        best = self._means(compositions, self._choices, self._arrival)
        is_same = self._fixed is self._choices
        return Edges(best if is_same else self._means(compositions, self._fixed, self._arrival), best, "exact")

    def slope(self, compositions: Compositions, slopes: Slopes) -> Floats:
        """The value of one more unit on a pay table row at each composition, with full-shoe choices."""
        more = [
            sum(float(slopes.get((one.wager, one.outcome), 0)) * one.wagered for one in lines)
            for lines in self._results
        ]
        return self._means(compositions, self._fixed, np.array(more, np.float64))

    def _means(self, compositions: Compositions, choices: Ints, arrival: Floats) -> Floats:
        by_kind = np.zeros((len(compositions.left), self._after.shape[1]), np.int64)
        kind = dict(zip(self.faces, self.kinds, strict=True))
        for place, face in enumerate(compositions.faces):
            by_kind[:, kind[face]] += compositions.left[:, place]
        means = np.zeros(len(by_kind))
        composition_means(self.start, by_kind, self._after, choices, arrival, self._is_last, means)
        return means / self._unit


def _fixed_choices(walk: Walk, choices: Ints) -> Ints:
    """By state, the one choice that is best in a full shoe; simulated rounds are played the same way."""
    walk.law()
    fixed, places = np.full_like(choices, -1), dict[int, int]()
    for (state, *_), place in walk.best.items():
        if places.setdefault(state, place) != place:
            raise FeltError("a choice that cards seen before decide has no short form")
        fixed[state, 0] = choices[state, place]
    return fixed


class DealersEdge:
    """The edge of a wager on the dealer's completed hand at any composition, with a player who never busts."""

    def __init__(self, question: Question) -> None:
        self._bonus, self._wager = bonus_rules(question.game, question.wager), question.wager

    def at(self, compositions: Compositions) -> Edges:
        """The edge at each composition."""
        edges = self._means(compositions, lambda pay: float(pay.net))
        return Edges(edges, edges, "exact")

    def slope(self, compositions: Compositions, slopes: Slopes) -> Floats:
        """The value of one more unit on a pay table row at each composition."""
        return self._means(compositions, lambda pay: float(pay.wagered * slopes.get((self._wager, pay.outcome), 0)))

    def _means(self, compositions: Compositions, amount: Callable[[Pay], float]) -> Floats:
        """The mean of an amount over the dealer's hands: all suits together, then what one-suit hands add."""
        total = compositions.left.sum(axis=1).astype(np.float64)
        orders = [np.ones_like(total)]
        while len(orders) <= HIGHEST:
            orders.append(orders[-1] * np.maximum(total - len(orders) + 1, 1))
        means: Floats = np.zeros_like(total)
        for made, ways in self._weigh(compositions, None):
            means += amount(self._pay(*made)) * ways / orders[made[1]]
        for suit in Suit:
            for made, ways in self._weigh(compositions, suit):
                more = amount(self._pay(*made, is_suited=True)) - amount(self._pay(*made))
                means += more * ways / orders[made[1]]
        return means

    def _pay(self, total: int, size: int, *, is_suited: bool = False) -> Pay:
        """The pay for a dealer's hand; a total of 0 stands for a natural."""
        made = (total, size) if is_suited and total else (total, 0) if total else NATURAL_MADE
        return self._bonus.judge(self._bonus.standing_seat, made)

    def _weigh(self, compositions: Compositions, suit: Suit | None) -> Iterator[tuple[tuple[int, int], Floats]]:
        """By total and number of cards: the number of ordered dealer's hands, of one suit or of any."""
        left = np.zeros((10, len(compositions.left)))
        for place, face in enumerate(compositions.faces):
            if suit is None or face.suit is suit:
                left[points(face) - 1] += compositions.left[:, place]
        ways, grown = dict[tuple[int, int], Floats](), [np.ones(left.shape[1])] * (HIGHEST + 2)
        for hand in growths(None, self._bonus.rules.dealer):
            weight = grown[hand.cards - 1] * np.maximum(left[hand.value] - hand.held, 0)
            if not hand.total:
                grown[hand.cards] = weight
            else:
                made = 0 if hand.is_natural else hand.total, hand.cards
                ways[made] = ways[made] + weight * hand.ways if made in ways else weight * hand.ways
        yield from ways.items()


def linear_edges(removal: Removal, compositions: Compositions) -> Edges:
    """Estimates the edge at each composition by adding up the effects of the cards gone."""
    effects = np.array([float(removal.faces[face][1]) for face in compositions.faces])
    gone = compositions.whole - compositions.left
    shifts: Floats = gone @ effects * (compositions.whole.sum() - 1) / (compositions.left.sum(axis=1) - 1)
    return Edges(float(removal.edge) + shifts, float(removal.edge) + shifts, "linear")


def exact_form(question: Question) -> ExactEdge | DealersEdge | None:
    """A fast exact evaluator of a wager's edge at any composition; None if there is none."""
    if waits_for_dealer(question.game, question.wager):
        return DealersEdge(question)
    if not is_played_by_hand(question.game, question.wager):
        with suppress(CardsRead, TooManyStates, FeltError):
            return ExactEdge(question)
    return None


def edges_at(question: Question, removal: Removal, compositions: Compositions) -> Edges:
    """The edges at compositions: exact if possible, else estimated from the effects of single cards."""
    form = exact_form(question)
    return form.at(compositions) if form else linear_edges(removal, compositions)


def suit_gain(question: Question, removal: Removal, compositions: Compositions, edges: Floats, seed: int) -> float:
    """An upper bound on what knowing suits adds to knowing the ranks left, in units per 100 rounds.

    Where suits are interchangeable a single suit has no effect, so only their differences can be counted.
    The edge by ranks is a mean over suits dealt again; its sampling error can only raise the bound.
    """
    some = Compositions(compositions.faces, compositions.left[:_SUIT_ROWS], compositions.whole)
    generator, by_ranks = np.random.default_rng(seed), np.zeros(len(some.left))
    for _ in range(_SUIT_DEALS):
        by_ranks += edges_at(question, removal, deal_suits(some, generator)).best / _SUIT_DEALS
    known = edges[:_SUIT_ROWS]
    if np.allclose(known, by_ranks, rtol=0, atol=1e-12):
        return 0.0
    return 100 * float((np.maximum(known, 0.0) - np.where(by_ranks > 0, known, 0.0)).mean())


class Path(NamedTuple):
    """Work arrays for the path to a state: by step the state, the card or choice taken, and a sum."""

    node: Ints
    place: Ints
    sums: Floats


@inline
def _last_card(state: Number, at: int, path: Path, after: Ints, choices: Ints, arrival: Floats, dots: Floats) -> float:
    """The total over the last card: that of the whole composition, less the cards taken on the path."""
    value = dots[state]
    for before in range(at):
        if choices[path.node[before], 0] < 0:
            value -= arrival[after[state, path.place[before]]]
    return float(value)


@compile_loop
def _mean_from(
    start: int, counts: Ints, after: Ints, choices: Ints, arrival: Floats, dots: Floats, path: Path
) -> float:
    """The mean result of a round under the best choices, from a state and a composition on.

    `dots` holds the total over the whole composition for states after which any card ends the round, and NaN
    for other states. `path` is an explicit stack, because recursion is twice as slow.
    """
    node, place, sums = path
    left, at, value, is_back = counts.sum(), 0, 0.0, False
    node[0], place[0], sums[0] = start, 0, 0.0
    while True:
        state, following = node[at], np.int64(-1)
        is_choice = choices[state, 0] >= 0
        if is_back:  # the value of a card or choice is known: add it and take the next one
            if is_choice:
                sums[at] = max(sums[at], value)
            else:
                counts[place[at]] += 1
                left += 1
                sums[at] += counts[place[at]] * value
            place[at] += 1
        elif is_choice:
            sums[at] = -np.inf
        if is_choice:
            if place[at] < choices.shape[1]:
                following = choices[state, place[at]]
            value = arrival[state] + sums[at]
        elif after[state, 0] < 0:
            value = arrival[state]
        elif not np.isnan(dots[state]):
            value = arrival[state] + _last_card(state, at, path, after, choices, arrival, dots) / left
        else:
            while place[at] < len(counts) and counts[place[at]] == 0:
                place[at] += 1
            value = arrival[state] + sums[at] / left
            if place[at] < len(counts):
                following = after[state, place[at]]
                counts[place[at]] -= 1
                left -= 1
        is_back = bool(following < 0)
        if not is_back:
            at += 1
            node[at], place[at], sums[at] = following, 0, 0.0
        elif at == 0:
            return float(value)
        else:
            at -= 1


@compile_loop
def composition_means(
    start: int, compositions: Ints, after: Ints, choices: Ints, arrival: Floats, is_last: Flags, means: Floats
) -> None:
    """Fills `means` with the mean result of a round from each composition of the shoe."""
    dots = np.full(len(after), np.nan)
    path = Path(np.zeros(64, np.int64), np.zeros(64, np.int64), np.zeros(64, np.float64))
    for row in range(len(compositions)):
        counts = compositions[row].copy()
        for state in range(len(after)):
            if is_last[state]:
                total = 0.0
                for kind in range(len(counts)):
                    total += counts[kind] * arrival[after[state, kind]]
                dots[state] = total
        means[row] = _mean_from(start, counts, after, choices, arrival, dots, path)
