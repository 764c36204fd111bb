"""Statistical tests of the randomness of a deal, with 99 % confidence for all tests together."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.cards import FACES, Card, Shoe, Suit
from feltworks.dealing.shoes import CardSource
from feltworks.errors import BadOption, ShoeExhausted

if TYPE_CHECKING:
    from feltworks.dealing.laws import ChiSquare, Classes, Counts, SharedShoes

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

    def __str__(self) -> str:
        degrees = "" if self.degrees is None else self.degrees
        verdict = "passed" if self.passed else "FAILED"
        named = f"{self.kind:<16} {self.where:<14} {self.statistic:>10.3f} {degrees:>4}"
        return f"{named} {self.p_value:>9.2e} {self.adjusted:>9.2e} {verdict}"


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

    def __str__(self) -> str:
        heading = f"{'test':<16} {'of':<14} {'statistic':>10} {'df':>4} {'p':>9} {'adjusted':>9} verdict"
        return "\n".join([heading, *map(str, self.tests)])


def check_deal(deal: Deal, shoe: Shoe, *, rounds: int = 20_000) -> Findings:
    """Deal rounds from a shoe of this composition and test them."""
    from feltworks.dealing.laws import Classes, SharedShoes

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
    from feltworks.dealing.laws import joint_law

    laws = [joint_law(faces.counts, 1), *(joint_law(classes.counts, 2) for classes in paired)]
    rarest = min(float(law[law > 0].min()) for law in laws)
    least = int(-(-LEAST_EXPECTED // rarest))
    if rounds < least:
        raise BadOption("rounds", rounds, f"{least:,} or more for this shoe")


def _deal_rounds(deal: Deal, shoe: Shoe, rounds: int) -> tuple["Counts", "Counts", bool]:
    """The index of every card, a row for each round; the shoe of each round; whether test mode was used."""
    import numpy as np

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
    from feltworks.dealing.laws import ChiSquare

    test = ChiSquare(faces, sharing, draws=1)
    for number, position in enumerate(faces.of_face[dealt].T, start=1):
        yield _chi_square("position", f"card {number}", test, position)


def _pairs(kind: str, dealt: "Counts", classes: "Classes", sharing: "SharedShoes") -> Iterator[Finding]:
    """Neighbouring positions: the second card comes from the shoe without the first."""
    from feltworks.dealing.laws import ChiSquare

    test = ChiSquare(classes, sharing, draws=2)
    for number, positions in enumerate(pairwise(classes.of_face[dealt].T), start=1):
        yield _chi_square(kind, f"cards {number}, {number + 1}", test, *positions)


def _chi_square(kind: str, where: str, test: "ChiSquare", *positions: "Counts") -> Finding:
    statistic = test.statistic(*positions)
    return Finding(kind, where, statistic, test.degrees, test.p_value(statistic))


def _correlations(dealt: "Counts", ranks: "Classes", sharing: "SharedShoes") -> Iterator[Finding]:
    """Any two positions of a round, and each position with itself in the next round."""
    from feltworks.dealing.laws import Correlation

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
