"""How three cards come out for a wager, by their ranks and which suits are alike: judged once, for all shoes.

What a shoe then adds is only how many cards there are of each kind; what a pay table adds is only the price.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from feltworks.analysis.options_read import WatchedTerms
from feltworks.cards import DECK, Card, Shoe, Suit
from feltworks.games.blackjack import BEFORE_UP_CARD, BlackjackStanding, DealersHand
from feltworks.hands.spot import Spot
from feltworks.money import Cents
from feltworks.rules.round import FACE_DOWN, Round, Seat
from feltworks.rules.settlement import facts_for
from feltworks.rules.wager import Wager

Judge = Wager[Any]
Pair = tuple[Card, Card]
Ints = npt.NDArray[np.int64]
_SPOT = Spot()
Alike = tuple[bool, bool, bool]  # the suits of the first and the second card; of each and the up card
Suits = tuple[int, int, int]  # of the first card, the second card, the up card
Pattern = Alike | Suits
SUIT_PATTERNS: tuple[Suits, ...] = ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2))  # an example each
EVERY_SUITS: tuple[Suits, ...] = tuple((a, b, c) for a in Suit for b in Suit for c in Suit)
_UNIT: Cents = 100_00  # enough that every derived wager has its whole range


def _alike(first: int, second: int, up: int) -> Alike:
    return first == second, first == up, second == up


@lru_cache(maxsize=64)
def tells_suits_apart(judge: Judge) -> bool:
    """Whether it matters to the wager which suits three cards have, and not only which are alike.

    The wagers that come with Feltworks do not ask; those of a designer's own are asked about every card.
    """
    if type(judge).__module__.startswith("feltworks."):
        return False
    examples = {_alike(*suits): suits for suits in SUIT_PATTERNS}
    pairs = (suits for suits in EVERY_SUITS if suits != examples[_alike(*suits)])
    return any(_verdicts(judge, suits) != _verdicts(judge, examples[_alike(*suits)]) for suits in pairs)


@lru_cache(maxsize=8)
def _verdicts(judge: Judge, suits: Suits) -> list[object]:
    """What the wager offers on every two cards of these suits and says of them with every up card."""
    one, other, up = suits
    found: list[object] = []
    for pair in product(DECK[one::4], DECK[other::4]):
        felt = Round((Seat({judge.name: _UNIT}, pair),))
        found.append(judge.asks(BEFORE_UP_CARD, felt, 0))
        verdicts = [judge.judge(facts(judge, pair, face)) for face in DECK[up::4]]
        found += [verdict and verdict.outcome for verdict in verdicts]
    return found


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
        self.tells_suits_apart = tells_suits_apart(judge)
        self._outcomes: dict[tuple[int, int, Pattern], list[str]] = {}
        for one, other, up in EVERY_SUITS if self.tells_suits_apart else SUIT_PATTERNS:
            ups = DECK[up::4]
            for pair in product(DECK[one::4], DECK[other::4]):
                key = pair[0].rank, pair[1].rank, self.pattern(one, other, up)
                self._outcomes[key] = list(_judged(again, pair, ups))
        self.deals, self.whole = cache(self._deals), cache(self._whole)

    def holds_for(self, judge: Judge) -> bool:
        """Whether another table's wager of the kind is judged by the same terms."""
        return self._terms.same_to_whom_asked(judge.terms)

    def _deals(self, shoe: Shoe) -> tuple[Deal, ...]:
        return tuple(_Shoe(shoe, self).deals())

    def _whole(self, shoe: Shoe) -> Deal:
        """All deals as one, with all the ways in which each outcome comes about."""
        held, (names, numbers) = _Shoe(shoe, self), self._numbered
        found = np.zeros(len(names), dtype=np.int64)  # three cards of a million come in less than 2**63 ways
        for (pattern, alike, *suits), times in held.suits_dealt().items():
            np.add.at(found, numbers[pattern], times * _ways(alike, *map(np.array, suits)))
        ways = zip(names, found.tolist(), strict=True)
        return Deal(held.first_pair(), 1, tuple((outcome, count) for outcome, count in ways if count))

    @cached_property
    def _numbered(self) -> tuple[list[str], dict[Pattern, Ints]]:
        """The outcomes there are, and by the pattern of suits, which of them any three ranks make."""
        names: dict[str, int] = {}
        numbers: dict[Pattern, list[int]] = {}
        for (_, _, suits), outcomes in self._outcomes.items():
            numbers.setdefault(suits, []).extend(names.setdefault(name, len(names)) for name in outcomes)
        return list(names), {suits: np.reshape(of, (13, 13, 13)) for suits, of in numbers.items()}

    def pattern(self, first: int, second: int, up: int) -> Pattern:
        """Which suits are alike, or the suits themselves where the wager tells them apart."""
        return (first, second, up) if self.tells_suits_apart else _alike(first, second, up)

    def outcomes(self, first: Card, second: Card, up: Suit) -> Sequence[str]:
        """The outcome with an up card of this suit, from the two to the ace."""
        assert first.suit is not None
        assert second.suit is not None
        return self._outcomes[first.rank, second.rank, self.pattern(first.suit, second.suit, up)]


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
    return facts_on(judge, Seat({}, pair), up_card)


def facts_on(judge: Judge, seat: Seat, up_card: Card) -> Any:
    """The same of a seat, which reads its own hand once for all up cards."""
    felt = Round((seat,), (FACE_DOWN, up_card))
    return facts_for(judge, felt, 0, BlackjackStanding(felt.hand(0, _SPOT), DealersHand(None, None, felt)))


def _judged(judge: Judge, pair: Pair, ups: Iterable[Card]) -> Iterator[str]:
    seat = Seat({}, pair)
    for up_card in ups:
        verdict = judge.judge(facts_on(judge, seat, up_card))
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

    def __init__(self, shoe: Shoe, verdicts: ThreeCards) -> None:
        self.total, self.verdicts = shoe.total, verdicts
        self.held = {suit: [shoe[DECK[4 * rank + suit]] for rank in range(13)] for suit in Suit}
        self.alike = cache(self._alike)

    def deals(self) -> Iterator[Deal]:
        for first, firsts in self.drawable(()):
            for second, seconds in self.drawable((first,)):
                outcomes = self.outcomes((first, second))
                yield Deal((first, second), firsts * seconds, tuple(outcomes.items()))

    def first_pair(self) -> Pair:
        """Two cards that can be dealt."""
        first, _ = next(self.drawable(()))
        return first, next(self.drawable((first,)))[0]

    def suits_dealt(self) -> Counter[tuple[Pattern, Alike, Sequence[int], Sequence[int], Sequence[int]]]:
        """Which suits three cards can have: which are alike, what each holds, and how many do the same."""
        held, pattern = {suit: tuple(counts) for suit, counts in self.held.items()}, self.verdicts.pattern
        return Counter(
            (pattern(one, other, up), _alike(one, other, up), held[one], held[other], held[up])
            for one, other, up in product(Suit, repeat=3)
        )

    def drawable(self, gone: tuple[Card, ...]) -> Iterator[tuple[Card, int]]:
        """The next card, one for each kind, and how many there are of the kind."""
        for suits in self.alike(*{face.suit for face in gone}):
            for rank, left in enumerate(self.left(suits[0], gone)):
                if left > 0:
                    yield DECK[4 * rank + suits[0]], left * len(suits)

    def outcomes(self, pair: Pair) -> dict[str, int]:
        """How many up cards make each outcome."""
        found: dict[str, int] = {}
        for suits in self.alike(*{face.suit for face in pair}):
            outcomes = self.verdicts.outcomes(*pair, suits[0])
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
            stands_alone = self.verdicts.tells_suits_apart or suit in shown
            alike.setdefault(suit if stands_alone else tuple(self.held[suit]), []).append(suit)
        return list(alike.values())
