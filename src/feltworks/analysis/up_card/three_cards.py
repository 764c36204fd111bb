"""How three cards come out for a wager, by their ranks and which suits are alike: judged once, for all shoes.

What a shoe then adds is only how many cards there are of each kind; what a pay table adds is only the price.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from feltworks.analysis.options_read import WatchedTerms
from feltworks.cards import DECK, Card, Shoe, Suit
from feltworks.games.blackjack import BlackjackStanding, DealersHand
from feltworks.hands.spot import Spot
from feltworks.rules.round import FACE_DOWN, Round, Seat
from feltworks.rules.settlement import facts_for
from feltworks.rules.wager import Wager

Judge = Wager[Any]
Pair = tuple[Card, Card]
Ints = npt.NDArray[np.int64]
_SPOT = Spot()
Alike = tuple[bool, bool, bool]  # the suits of the first and the second card; of each and the up card
# Which suits are alike, each as suits of an example: first card, second card, up card.
_SUITS: dict[Alike, tuple[int, int, int]] = {
    (True, True, True): (0, 0, 0),
    (True, False, False): (0, 0, 1),
    (False, True, False): (0, 1, 0),
    (False, False, True): (0, 1, 1),
    (False, False, False): (0, 1, 2),
}


class Deal(Struct, frozen=True):
    """A player's first two cards, in how many ways they come, and how many up cards make which outcome."""

    pair: Pair
    ways: int
    outcomes: tuple[tuple[str, int], ...]


class ThreeCards:
    """The verdicts of one wager on every three cards, and what it asked of its terms for them."""

    def __init__(self, judge: Judge) -> None:
        self._terms = WatchedTerms(judge.terms)
        again = type(judge)(self._terms)
        self._outcomes: dict[tuple[int, int, bool, bool, bool], list[str]] = {}
        for alike, (one, other, up) in _SUITS.items():
            ups = DECK[up::4]
            for pair in product(DECK[one::4], DECK[other::4]):
                key = (pair[0].rank, pair[1].rank, *alike)
                self._outcomes[key] = list(_judged(again, pair, ups))
        self.deals, self.whole = cache(self._deals), cache(self._whole)

    def holds_for(self, judge: Judge) -> bool:
        """Whether another table's wager of the kind is judged by the same terms."""
        return self._terms.same_to_whom_asked(judge.terms)

    def _deals(self, shoe: Shoe) -> tuple[Deal, ...]:
        return tuple(_Shoe(shoe).deals(self))

    def _whole(self, shoe: Shoe) -> Deal:
        """All deals as one, with all the ways in which each outcome comes about."""
        held, (names, numbers) = _Shoe(shoe), self._numbered
        found = np.zeros(len(names), dtype=np.int64)  # three cards of a million come in less than 2**63 ways
        for (alike, *suits), times in held.suits_dealt().items():
            np.add.at(found, numbers[alike], times * _ways(alike, *map(np.array, suits)))
        ways = zip(names, found.tolist(), strict=True)
        return Deal(held.first_pair(), 1, tuple((outcome, count) for outcome, count in ways if count))

    @cached_property
    def _numbered(self) -> tuple[list[str], dict[Alike, Ints]]:
        """The outcomes there are, and by which suits are alike, which of them any three ranks make."""
        names: dict[str, int] = {}
        numbers: dict[Alike, list[int]] = {}
        for key, outcomes in self._outcomes.items():
            numbers.setdefault(key[2:], []).extend(names.setdefault(name, len(names)) for name in outcomes)
        return list(names), {alike: np.reshape(of, (13, 13, 13)) for alike, of in numbers.items()}

    def outcomes(self, first: Card, second: Card, up: Suit) -> Sequence[str]:
        """The outcome with an up card of this suit, from the two to the ace."""
        alike = first.suit == second.suit, first.suit == up, second.suit == up
        return self._outcomes[(first.rank, second.rank, *alike)]


_KNOWN: dict[type[Judge], list[ThreeCards]] = {}


def three_cards(judge: Judge) -> ThreeCards:
    """The verdicts of a wager, remembered: every pay table and deck count may use them."""
    known = _KNOWN.setdefault(type(judge), [])
    for found in known:
        if found.holds_for(judge):
            return found
    known.append(ThreeCards(judge))
    return known[-1]


def facts(judge: Judge, pair: Pair, up_card: Card) -> Any:
    """What a wager is judged by with three cards open."""
    felt = Round((Seat({}, pair),), (FACE_DOWN, up_card))
    return facts_for(judge, felt, 0, BlackjackStanding(felt.hand(0, _SPOT), DealersHand(None, None, felt)))


def _judged(judge: Judge, pair: Pair, ups: Iterable[Card]) -> Iterator[str]:
    for up_card in ups:
        verdict = judge.judge(facts(judge, pair, up_card))
        assert verdict is not None
        yield verdict.outcome


def _ways(alike: Alike, first: Ints, second: Ints, up: Ints) -> Ints:
    """In how many ways three cards of these suits come, by their ranks; a card dealt does not come again."""
    gone = np.eye(13, dtype=np.int64)
    seconds = second - alike[0] * gone
    ups = up - alike[1] * gone[:, None, :] - alike[2] * gone[None, :, :]
    ways: Ints = (first[:, None] * seconds)[..., None] * ups
    return ways


class _Shoe:
    """A shoe's cards suit by suit, those of each rank."""

    def __init__(self, shoe: Shoe) -> None:
        self.total = shoe.total
        self.held = {suit: [shoe[DECK[4 * rank + suit]] for rank in range(13)] for suit in Suit}
        self.alike = cache(self._alike)

    def deals(self, verdicts: ThreeCards) -> Iterator[Deal]:
        for first, firsts in self.drawable(()):
            for second, seconds in self.drawable((first,)):
                outcomes = self.outcomes((first, second), verdicts)
                yield Deal((first, second), firsts * seconds, tuple(outcomes.items()))

    def first_pair(self) -> Pair:
        """Two cards that can be dealt."""
        first, _ = next(self.drawable(()))
        return first, next(self.drawable((first,)))[0]

    def suits_dealt(self) -> Counter[tuple[Alike, Sequence[int], Sequence[int], Sequence[int]]]:
        """Which suits three cards can have: which are alike, what each holds, and how many do the same."""
        held = {suit: tuple(counts) for suit, counts in self.held.items()}
        return Counter(
            ((one == other, one == up, other == up), held[one], held[other], held[up])
            for one, other, up in product(Suit, repeat=3)
        )

    def drawable(self, gone: tuple[Card, ...]) -> Iterator[tuple[Card, int]]:
        """The next card, one for each kind, and how many there are of the kind."""
        for suits in self.alike(*{face.suit for face in gone}):
            for rank, left in enumerate(self.left(suits[0], gone)):
                if left > 0:
                    yield DECK[4 * rank + suits[0]], left * len(suits)

    def outcomes(self, pair: Pair, verdicts: ThreeCards) -> dict[str, int]:
        """How many up cards make each outcome."""
        found: dict[str, int] = {}
        for suits in self.alike(*{face.suit for face in pair}):
            outcomes = verdicts.outcomes(*pair, suits[0])
            for outcome, left in zip(outcomes, self.left(suits[0], pair), strict=True):
                if left:
                    found[outcome] = found.get(outcome, 0) + left * len(suits)
        return found

    def left(self, suit: Suit, gone: tuple[Card, ...]) -> Sequence[int]:
        """How many cards of a suit are left, from the two to the ace."""
        taken = [face.rank - 2 for face in gone if face.suit is suit]
        if not taken:
            return self.held[suit]
        left = list(self.held[suit])
        for rank in taken:
            left[rank] -= 1
        return left

    def _alike(self, *shown: Suit | None) -> list[list[Suit]]:
        """Suits that may stand for each other: not yet shown, and of equal composition."""
        alike: dict[object, list[Suit]] = {}
        for suit in Suit:
            alike.setdefault(suit if suit in shown else tuple(self.held[suit]), []).append(suit)
        return list(alike.values())
