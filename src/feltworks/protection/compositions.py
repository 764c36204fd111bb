"""The exact edge of a wager at compositions met in real shoes: what one who knows every card can make."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.analysis.question import Question
from feltworks.analysis.shape import is_played_by_hand
from feltworks.analysis.solvers.counts import tables_of
from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.machine.felt import CardsRead
from feltworks.machine.sides import TooManyStates
from feltworks.machine.tables import State, Tables
from feltworks.machine.walk import Walk
from feltworks.protection.loops import composition_means
from feltworks.protection.removal import LETTERS, Removal, Tags

DECK_CARDS = 52
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


def linear_edges(removal: Removal, compositions: Compositions) -> Floats:
    """The edge at each composition by the effects of the cards gone: near, where no exact form is short."""
    effects = np.array([float(removal.effects[LETTERS[face.rank]]) for face in compositions.faces])
    gone = compositions.whole - compositions.left
    shifts: Floats = gone @ effects * (compositions.whole.sum() - 1) / (compositions.left.sum(axis=1) - 1)
    return float(removal.edge) + shifts


def edges_at(question: Question, removal: Removal, compositions: Compositions) -> tuple[Floats, str]:
    """The edges at compositions, and whether they are exact or follow the effects of single cards."""
    if not is_played_by_hand(question.game, question.wager):
        try:
            return ExactEdge(question).at(compositions), "exact"
        except (CardsRead, TooManyStates, FeltError):
            pass
    return linear_edges(removal, compositions), "linear"


def mean_error(values: Floats) -> float:
    """The standard error of a mean of independent values."""
    return float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else float("inf")
