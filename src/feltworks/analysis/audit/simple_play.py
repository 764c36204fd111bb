"""Ways to play that a person can say in one sentence, with their exact figures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, combinations
from operator import sub

from msgspec import Struct

from feltworks.analysis.counted import cost
from feltworks.analysis.shape import qualifier_of
from feltworks.analysis.showdown.solver import Showdown
from feltworks.cards import Rank
from feltworks.hands.poker import HIGH_CARD, PAIR, HandValue
from feltworks.machine.sights import Sight


class SimplePlay(Struct, frozen=True):
    """A rule in words, and what it costs exactly."""

    words: str
    house_edge: Fraction
    element_of_risk: Fraction


def always(counted: Sequence[Sight], wagers: Iterable[str], unit: int) -> Iterator[SimplePlay]:
    """One choice wherever it is open, and the best elsewhere; nothing where there is nothing to decide."""
    group = frozenset(wagers)
    for name in dict.fromkeys(name for each in counted for name in each.choices if name):
        played = cost(counted, group, unit, always=name)
        yield SimplePlay(f"always {name}", played.house_edge, played.element_of_risk)


class ByValue:
    """What raising rather than folding brings, and how often it can, with all hands of each value."""

    def __init__(
        self, solved: Showdown, worth: Mapping[str, list[int]], hands: list[int], divisor: int
    ) -> None:
        self.hands, self.values = hands, solved.classes.values
        self.factor = solved.game.terms.rulebook.wager["raise"].factor
        self.gains = list(map(sub, worth["raise"], worth["fold"]))
        self.folding, self.dealt = sum(worth["fold"]), sum(self.hands)
        self.divisor = divisor
        self.better = [_from_the_end(column) for column in (self.gains, self.hands)]

    def played(self, words: str, least: int, besides: Iterable[int] = ()) -> SimplePlay:
        """Raise with hands of a value or better and of some values besides, and fold the others."""
        places = list(besides)
        gained, raised = (
            better[least] + sum(map(column.__getitem__, places))
            for better, column in zip(self.better, (self.gains, self.hands), strict=True)
        )
        edge = -Fraction(self.folding + gained, self.divisor * self.dealt)
        wagered = 1 + self.factor * Fraction(raised, self.dealt)
        return SimplePlay(f"raise with {words}", edge, edge / wagered)


def _from_the_end(column: Sequence[int]) -> list[int]:
    """From each place on, the sum of all that follows."""
    return list(accumulate(reversed(column)))[::-1]


def poker_plays(solved: Showdown) -> Iterator[SimplePlay]:
    """Hands from so good on; and with no pair, so many cards that the house would qualify with.

    Only where the player raises or folds and sees no card of the dealer's.
    """
    if solved.has_up_card or "raise" not in solved.game.terms.rulebook.wager:
        return
    worth, hands, divisor = solved.worth_by_value()
    if worth.keys() != {"raise", "fold"}:
        return
    by_value, qualifier = ByValue(solved, worth, hands, divisor), qualifier_of(solved.game)
    weakest: dict[str, int] = {}
    for place, value in enumerate(by_value.values):
        weakest.setdefault(value.words, place)
    for words, place in weakest.items():
        yield by_value.played(f"{words} or better", place)
    if qualifier is not None and qualifier.category == PAIR.name:
        yield from _unpaired_plays(by_value, qualifier, weakest[qualifier.words], solved.classes.ranks)


def _unpaired_plays(
    by_value: ByValue, qualifier: HandValue, qualifying: int, ranks: Sequence[Rank]
) -> Iterator[SimplePlay]:
    """SP.8: cards of the rank that qualifies, or higher, keep the house from qualifying."""
    least = qualifier.ranks[0]
    unpaired = [
        (value.ranks[:2], place)
        for place, value in enumerate(by_value.values)
        if value.category == HIGH_CARD.name and sum(rank >= least for rank in value.ranks) >= 3
    ]
    for high, next_high in combinations(reversed(ranks), 2):
        words = f"a {qualifier.words} or better, or no pair, {high.word}-{next_high.word} high or better"
        besides = [place for highest, place in unpaired if highest >= (high, next_high)]
        words += f" and three cards {least.word} or higher"
        yield by_value.played(words, qualifying, besides)
