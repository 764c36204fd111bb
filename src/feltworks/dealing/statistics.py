"""Statistical tests of the randomness of a deal, with 99 % confidence for all tests together.

They compare it with the exact distribution of dealt cards.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from feltworks.cards import FACES, Card, Shoe, Suit
from feltworks.dealing.shoes import CardSource
from feltworks.errors import BadOption, ShoeExhausted

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]
_PRECISION = 1e-15  # relative
_NOTHING = 1e-9  # smaller eigenvalues, relative to the largest, count as zero


def joint_law(counts: Counts, draws: int) -> Numbers:
    """The chance of every sequence of classes in this many draws without replacement.

    >>> joint_law(np.array([2, 1]), 2).round(3).tolist()
    [[0.333, 0.333], [0.333, 0.0]]
    """
    law: Numbers = np.ones(())
    left: Numbers = counts.astype(float)
    for drawn in range(draws):
        law = law[..., None] * left / (counts.sum() - drawn)
        if drawn + 1 < draws:
            left = left[..., None, :] - np.eye(len(counts))
    return law


class Classes:
    """A shoe's cards sorted into classes, such as faces, ranks or suits."""

    def __init__(self, shoe: Shoe, sort: Callable[[Card], int]) -> None:
        self.names: Final = sorted({sort(face) for face in shoe})
        self.of_face: Final = np.array([self._place(sort(face)) for face in FACES])
        self.counts: Final = np.zeros(len(self.names), dtype=np.int64)
        for face, count in shoe.items():
            self.counts[self.of_face[face.index]] += count

    def _place(self, name: int) -> int:
        return self.names.index(name) if name in self.names else -1


class SharedShoes:
    """How many rounds share a shoe: cards are not replaced, so those rounds depend on each other."""

    def __init__(self, shoe_numbers: Counts) -> None:
        _, rounds = np.unique(shoe_numbers, return_counts=True)
        self.rounds: Final = int(rounds.sum())
        self.pairs: Final = int((rounds * (rounds - 1)).sum())  # ordered pairs of rounds from one shoe
        self.follows: Final = int((rounds - 1).sum())  # rounds that follow another one from their shoe
        self.chains: Final = int((2 * np.maximum(rounds - 2, 0)).sum())
        self.strangers: Final = int((np.maximum(rounds - 2, 0) * np.maximum(rounds - 3, 0)).sum())


class ChiSquare:
    """Pearson's test of the classes in one or several positions, every round counted once.

    Rounds of one shoe are not independent, so their exact covariance replaces Pearson's. Where every round
    has its own shuffle the two are the same.
    """

    def __init__(self, classes: Classes, sharing: SharedShoes, *, draws: int) -> None:
        self.law: Final = joint_law(classes.counts, draws).ravel()
        once = np.diag(self.law) - np.outer(self.law, self.law)
        twice = joint_law(classes.counts, 2 * draws).reshape(once.shape) - np.outer(self.law, self.law)
        spread, directions = np.linalg.eigh(sharing.rounds * once + sharing.pairs * twice)
        varying = spread > spread.max() * _NOTHING
        self._spread, self._directions = spread[varying], directions[:, varying]
        self._size: Final = len(classes.counts)
        self.degrees: Final = int(varying.sum())

    def statistic(self, *positions: Counts) -> float:
        """The distance of the classes in these positions from their law; infinite for an impossible deal."""
        cells = np.ravel_multi_index(positions, (self._size,) * len(positions))
        observed = np.bincount(cells, minlength=len(self.law))
        if observed[self.law == 0].any():
            return math.inf
        along = self._directions.T @ (observed - len(cells) * self.law)
        return float((along**2 / self._spread).sum())

    def p_value(self, statistic: float) -> float:
        """Two-sided: a deal that is too even is as suspicious as one that is too uneven."""
        return min(1.0, 2 * min(chi_square_tails(self.degrees, statistic)))


def chi_square_tails(degrees: int, statistic: float) -> tuple[float, float]:
    """The chances that a chi-square variable lies below and above a value.

    They are the regularised incomplete gamma functions at half of both: a power series up to about the mean
    and Lentz's continued fraction beyond it (Abramowitz and Stegun 6.5.29 and 6.5.31), so that the smaller
    tail is never a difference of two numbers near 1.

    >>> [round(tail, 4) for tail in chi_square_tails(2, 5.991)]
    [0.95, 0.05]
    """
    shape, value = degrees / 2, statistic / 2
    if value <= 0:
        return 0.0, 1.0
    if math.isinf(value):
        return 1.0, 0.0
    scale = math.exp(shape * math.log(value) - value - math.lgamma(shape))
    if value < shape + 1:
        below = scale * _gamma_series(shape, value)
        return below, 1 - below
    above = scale * _gamma_fraction(shape, value)
    return 1 - above, above


def _gamma_series(shape: float, value: float) -> float:
    term = total = 1 / shape
    step = shape
    while term > total * _PRECISION:
        step += 1
        term *= value / step
        total += term
    return total


def _gamma_fraction(shape: float, value: float) -> float:
    odd = value + 1 - shape
    upper, lower = math.inf, 1 / odd
    total, factor, step = lower, 0.0, 0
    while abs(factor - 1) > _PRECISION:
        step += 1
        numerator = step * (shape - step)
        odd += 2
        lower = 1 / (numerator * lower + odd)
        upper = odd + numerator / upper
        factor = upper * lower
        total *= factor
    return total


class Correlation:
    """The correlation of two positions' scores, as a standard normal variable, from the exact moments."""

    def __init__(self, classes: Classes, sharing: SharedShoes) -> None:
        centred = np.array(classes.names) - np.average(classes.names, weights=classes.counts)
        self.scores: Final = centred / math.sqrt(np.average(centred**2, weights=classes.counts))
        self._sharing: Final = sharing
        law, z, any_ = joint_law(classes.counts, 4), self.scores, np.ones(len(centred))
        self._mean: Final = _expectation(law, z, z, any_, any_)
        square = self._mean**2
        self._alone: Final = _expectation(law, z**2, z**2, any_, any_) - square
        self._chained: Final = _expectation(law, z, z**2, z, any_) - square
        self._apart: Final = _expectation(law, z, z, z, z) - square

    def within(self, first: Counts, second: Counts) -> float:
        """Two positions of the same round."""
        sharing = self._sharing
        variance = sharing.rounds * self._alone + sharing.pairs * self._apart
        return self._standardise(first, second, sharing.rounds, variance)

    def between(self, position: Counts) -> float:
        """One position in consecutive rounds, of the same shoe or of two."""
        sharing = self._sharing
        across = len(position) - 1 - sharing.follows  # factors from two shoes are independent: variance 1
        shared = sharing.follows * self._alone + sharing.chains * self._chained + sharing.strangers * self._apart
        return self._standardise(position[:-1], position[1:], sharing.follows, across + shared)

    def _standardise(self, first: Counts, second: Counts, shared: int, variance: float) -> float:
        products = float((self.scores[first] * self.scores[second]).sum())
        return (products - shared * self._mean) / math.sqrt(variance)

    @staticmethod
    def p_value(statistic: float) -> float:
        """Two-sided."""
        return math.erfc(abs(statistic) / math.sqrt(2))


def _expectation(law: Numbers, *factors: Numbers) -> float:
    """The mean of a product of functions of four successive cards."""
    return float(np.einsum("abcd,a,b,c,d", law, *factors))


LEVEL: Final = 0.01  # an honest shuffle fails the whole check once in a hundred runs
LEAST_EXPECTED: Final = 5  # the expected count that chi-square needs in every class


class DealtRound(Struct, frozen=True, gc=False):
    """The cards of one round in the order they were dealt, and the shoe they came from."""

    shoe_number: int
    seeded: bool
    cards: tuple[Card, ...]


Deal = Callable[[], DealtRound]


def rounds_from(source: CardSource, *, cards: int) -> Deal:
    """A function that deals rounds of this many cards as a table does."""

    def deal() -> DealtRound:
        commitment = source.begin_round()
        dealt = source.deal(cards)
        source.end_round()
        return DealtRound(commitment.shoe_number, commitment.seeded, dealt)

    return deal


class Finding(Struct, frozen=True):
    """One test: what it examined, and the chance of a result at least as extreme."""

    kind: str
    where: str
    statistic: float
    degrees: int | None  # None: the statistic is a standard normal variable
    p_value: float
    adjusted: float = 1.0  # Holm's p-value, corrected for all the tests made

    @property
    def passed(self) -> bool:
        return self.adjusted >= LEVEL


class Findings(Struct, frozen=True):
    """All tests of one run, and the verdict on them together."""

    rounds: int
    cards: int
    shoes: int
    seeded: bool
    tests: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        return all(test.passed for test in self.tests)


def check_deal(deal: Deal, shoe: Shoe, *, rounds: int = 20_000) -> Findings:
    """Deal rounds from a shoe of this composition and test them."""
    faces = Classes(shoe, lambda face: face.index)
    ranks, suits = Classes(shoe, lambda face: face.rank), Classes(shoe, _suit)
    _check_rounds(rounds, faces, ranks, suits)
    dealt, numbers, seeded = _deal_rounds(deal, shoe, rounds)
    sharing = SharedShoes(numbers)
    results = [
        *_positions(dealt, faces, sharing),
        *_pairs("pair by rank", dealt, ranks, sharing),
        *_pairs("pair by suit", dealt, suits, sharing),
        *_correlations(dealt, ranks, sharing),
    ]
    shoes = len(set(numbers.tolist()))
    return Findings(rounds, dealt.shape[1], shoes, seeded, _adjust(results))


def _suit(face: Card) -> int:
    return len(Suit) if face.suit is None else face.suit


def _check_rounds(rounds: int, faces: "Classes", *paired: "Classes") -> None:
    laws = [joint_law(faces.counts, 1), *(joint_law(classes.counts, 2) for classes in paired)]
    rarest = min(float(law[law > 0].min()) for law in laws)
    least = int(-(-LEAST_EXPECTED // rarest))
    if rounds < least:
        raise BadOption("rounds", rounds, f"{least:,} or more for this shoe")


def _deal_rounds(deal: Deal, shoe: Shoe, rounds: int) -> tuple["Counts", "Counts", bool]:
    """The index of every card, a row for each round; the shoe of each round; whether test mode was used."""
    indices, numbers, widths, seeded = bytearray(), np.zeros(rounds, dtype=np.int64), set(), False
    for number in range(rounds):
        dealt = deal()
        indices.extend([face.index for face in dealt.cards])
        numbers[number] = dealt.shoe_number
        widths.add(len(dealt.cards))
        seeded = seeded or dealt.seeded
    if len(widths) > 1 or min(widths) < 2:
        raise BadOption("cards", sorted(widths), "2 or more, the same number in every round")
    for strange in set(indices) - {face.index for face in shoe}:
        raise ShoeExhausted(FACES[strange].code, 0)
    return np.frombuffer(indices, dtype=np.uint8).reshape(rounds, -1).astype(np.int64), numbers, seeded


def _positions(dealt: "Counts", faces: "Classes", sharing: "SharedShoes") -> Iterator[Finding]:
    """Each position alone: every card of the shoe is equally likely."""
    test = ChiSquare(faces, sharing, draws=1)
    for number, position in enumerate(faces.of_face[dealt].T, start=1):
        yield _chi_square("position", f"card {number}", test, position)


def _pairs(kind: str, dealt: "Counts", classes: "Classes", sharing: "SharedShoes") -> Iterator[Finding]:
    """Neighbouring positions: the second card comes from the shoe without the first."""
    test = ChiSquare(classes, sharing, draws=2)
    for number, positions in enumerate(pairwise(classes.of_face[dealt].T), start=1):
        yield _chi_square(kind, f"cards {number}, {number + 1}", test, *positions)


def _chi_square(kind: str, where: str, test: "ChiSquare", *positions: "Counts") -> Finding:
    statistic = test.statistic(*positions)
    return Finding(kind, where, statistic, test.degrees, test.p_value(statistic))


def _correlations(dealt: "Counts", ranks: "Classes", sharing: "SharedShoes") -> Iterator[Finding]:
    """Any two positions of a round, and each position with itself in the next round."""
    test = Correlation(ranks, sharing)
    positions = list(enumerate(ranks.of_face[dealt].T, start=1))
    for (first, earlier), (second, later) in combinations(positions, 2):
        z = test.within(earlier, later)
        yield Finding("within rounds", f"cards {first}, {second}", z, None, test.p_value(z))
    for number, position in positions:
        z = test.between(position)
        yield Finding("between rounds", f"card {number}", z, None, test.p_value(z))


def _adjust(results: Sequence[Finding]) -> tuple[Finding, ...]:
    """Holm's correction: the chance that an honest shuffle fails any of the tests stays within the level."""
    ordered = sorted(range(len(results)), key=lambda index: results[index].p_value)
    adjusted, highest = dict.fromkeys(ordered, 1.0), 0.0
    for rank, index in enumerate(ordered):
        highest = max(highest, min(1.0, (len(results) - rank) * results[index].p_value))
        adjusted[index] = highest
    return tuple(replace(test, adjusted=adjusted[index]) for index, test in enumerate(results))
