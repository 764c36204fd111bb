"""How three cards come out for a wager, and whether it tells suits apart: for the kernels of blackjack."""

from functools import lru_cache
from itertools import product
from typing import Any

from feltworks.cards import DECK, Card, Suit
from feltworks.games.blackjack import BEFORE_UP_CARD, BlackjackStanding, DealersHand
from feltworks.hands.spot import Spot
from feltworks.money import Cents
from feltworks.rules.round import FACE_DOWN, Round, Seat
from feltworks.rules.settlement import facts_for
from feltworks.rules.wager import Wager

Judge = Wager[Any]
Pair = tuple[Card, Card]
_SPOT = Spot()
Alike = tuple[bool, bool, bool]  # the suits of the first and the second card; of each and the up card
Suits = tuple[int, int, int]  # of the first card, the second card, the up card
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


def facts(judge: Judge, pair: Pair, up_card: Card) -> Any:
    """What a wager is judged by with three cards open."""
    felt = Round((Seat({}, pair),), (FACE_DOWN, up_card))
    return facts_for(judge, felt, 0, BlackjackStanding(felt.hand(0, _SPOT), DealersHand(None, None, felt)))
