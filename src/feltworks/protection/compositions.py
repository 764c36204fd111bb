"""The exact edge of a wager at compositions met in real shoes: what one who knows every card can make."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.analysis.question import Question
from feltworks.analysis.shape import is_played_by_hand, waits_for_dealer
from feltworks.analysis.solvers.counts import tables_of
from feltworks.analysis.solvers.shoe_game.dealer import growths
from feltworks.analysis.solvers.shoe_game.dealer_bonus import NATURAL_MADE, bonus_rules
from feltworks.analysis.solvers.shoe_game.rules import HIGHEST
from feltworks.cards import Card, Suit
from feltworks.errors import FeltError
from feltworks.hands.blackjack import points
from feltworks.machine.felt import CardsRead
from feltworks.machine.sides import TooManyStates
from feltworks.machine.tables import State, Tables
from feltworks.machine.walk import Walk
from feltworks.protection.loops import composition_means
from feltworks.protection.removal import LETTERS, Removal, Tags

DECK_CARDS = 52
_SUIT_ROWS, _SUIT_DEALS = 2_000, 8
Floats = NDArray[np.float64]


class Compositions(Struct, frozen=True):
    """Compositions of the shoe as rounds begin."""

    faces: tuple[Card, ...]
    left: NDArray[np.int64]  # by composition and face
    whole: NDArray[np.int64]  # by face: the cards of a full shoe

    def true_counts(self, tags: Tags) -> NDArray[np.int64]:
        """The true count of each, rounded down as the counter at the table does."""
        by_face = np.array([tags.get(LETTERS[face.rank], 0) for face in self.faces])
        full = int(by_face @ self.whole)
        running = full - self.left @ by_face
        counts: NDArray[np.int64] = running * DECK_CARDS // self.left.sum(axis=1)
        return counts


def deal_suits(compositions: Compositions, generator: np.random.Generator) -> Compositions:
    """The same ranks left in each composition, with suits dealt anew."""
    left = np.zeros_like(compositions.left)
    for rank in dict.fromkeys(face.rank for face in compositions.faces):
        places = np.array([place for place, face in enumerate(compositions.faces) if face.rank is rank])
        numbers = compositions.left[:, places].sum(axis=1)
        for number in np.unique(numbers).tolist():
            rows = np.flatnonzero(numbers == number)
            dealt = generator.multivariate_hypergeometric(compositions.whole[places], number, len(rows))
            left[np.ix_(rows, places)] = dealt
    return Compositions(compositions.faces, left, compositions.whole)


def draw_compositions(
    depths: Sequence[int], shoe: Mapping[Card, int], number: int, generator: np.random.Generator
) -> Compositions:
    """Shoes of which as many cards are gone as rounds at the table found gone; any of them as likely.

    Every composition is of a shoe of its own, so each tells as much as a shoe that is dealt to its end.
    """
    faces, whole = tuple(shoe), np.array(list(shoe.values()))
    gone = generator.choice(np.array(depths), number)
    order = np.argsort(gone, kind="stable")
    left = np.zeros((number, len(faces)), np.int64)
    for depth in np.unique(gone).tolist():
        rows = order[np.searchsorted(gone[order], depth) : np.searchsorted(gone[order], depth, side="right")]
        left[rows] = whole - generator.multivariate_hypergeometric(whole, depth, len(rows))
    return Compositions(faces, left, whole)


class ExactEdge:
    """A wager's edge at any composition, by the compiled rules."""

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
        self._arrival = np.array([_net(state, group) for state in states])
        for place, state in enumerate(states):
            if state.after:
                self._after[place] = walk.rows[place]
            for n, (_, child) in enumerate(state.choices):
                self._choices[place, n] = child
        ends = np.array([state.is_end for state in states])
        self._is_last = (self._after[:, 0] >= 0) & ends[np.maximum(self._after, 0)].all(axis=1)

    def at(self, compositions: Compositions) -> Floats:
        """The edge at each composition."""
        by_kind = np.zeros((len(compositions.left), self._after.shape[1]), np.int64)
        kind = dict(zip(self.faces, self.kinds, strict=True))
        for place, face in enumerate(compositions.faces):
            by_kind[:, kind[face]] += compositions.left[:, place]
        means = np.zeros(len(by_kind))
        composition_means(self.start, by_kind, self._after, self._choices, self._arrival, self._is_last, means)
        return means / self._unit


def _net(state: State, group: frozenset[str]) -> float:
    return float(sum((result.exact for result in state.results if result.wager in group), Fraction(0)))


class DealersEdge:
    """The edge of a wager on the dealer's completed hand at any composition, the player keeping its limit."""

    def __init__(self, question: Question) -> None:
        self._bonus = bonus_rules(question.game, question.wager)

    def at(self, compositions: Compositions) -> Floats:
        """The edge at each composition: every hand of the dealer weighed by value, and suit by suit."""
        total = compositions.left.sum(axis=1).astype(np.float64)
        orders = [np.ones_like(total)]
        while len(orders) <= HIGHEST:
            orders.append(orders[-1] * np.maximum(total - len(orders) + 1, 1))
        edges = sum(self._net(*made) * ways / orders[made[1]] for made, ways in self._weigh(compositions, None))
        for suit in Suit:
            for made, ways in self._weigh(compositions, suit):
                edges = edges + (self._net(*made, is_suited=True) - self._net(*made)) * ways / orders[made[1]]
        return np.asarray(edges)

    def _net(self, total: int, size: int, *, is_suited: bool = False) -> float:
        """What a dealer's hand pays; a total of 0 is a natural."""
        made = (total, size) if is_suited and total else (total, 0) if total else NATURAL_MADE
        return float(self._bonus.judge(self._bonus.standing_seat, made).net)

    def _weigh(self, compositions: Compositions, suit: Suit | None) -> Iterator[tuple[tuple[int, int], Floats]]:
        """By total and number of cards: the ordered ways to the dealer's hands, of one suit or of any."""
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


def linear_edges(removal: Removal, compositions: Compositions) -> Floats:
    """The edge at each composition by the effects of the cards gone: near, where no exact form is short."""
    effects = np.array([float(removal.effects[LETTERS[face.rank]]) for face in compositions.faces])
    gone = compositions.whole - compositions.left
    shifts: Floats = gone @ effects * (compositions.whole.sum() - 1) / (compositions.left.sum(axis=1) - 1)
    return float(removal.edge) + shifts


def edges_at(question: Question, removal: Removal, compositions: Compositions) -> tuple[Floats, str]:
    """The edges at compositions, and whether they are exact or follow the effects of single cards."""
    if waits_for_dealer(question.game, question.wager):
        return DealersEdge(question).at(compositions), "exact"
    if not is_played_by_hand(question.game, question.wager):
        try:
            return ExactEdge(question).at(compositions), "exact"
        except (CardsRead, TooManyStates, FeltError):
            pass
    return linear_edges(removal, compositions), "linear"


def suit_gain(question: Question, removal: Removal, compositions: Compositions, edges: Floats, seed: int) -> float:
    """What one who knows suits makes above one who knows the ranks left: units per 100 rounds, at most.

    A single card's suit has no effect by itself where suits are alike, so only their differences can be
    counted. What the ranks say is the mean over suits dealt anew, whose error is in favour of the suits.
    """
    some = Compositions(compositions.faces, compositions.left[:_SUIT_ROWS], compositions.whole)
    generator, by_ranks = np.random.default_rng(seed), np.zeros(len(some.left))
    for _ in range(_SUIT_DEALS):
        by_ranks += edges_at(question, removal, deal_suits(some, generator))[0] / _SUIT_DEALS
    known = edges[:_SUIT_ROWS]
    if np.allclose(known, by_ranks, rtol=0, atol=1e-12):
        return 0.0
    return 100 * float((np.maximum(known, 0.0) - np.where(by_ranks > 0, known, 0.0)).mean())


def mean_error(values: Floats) -> float:
    """The standard error of a mean of independent values."""
    return float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else float("inf")
