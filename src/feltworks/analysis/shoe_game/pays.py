"""What a hand brings against each of the dealer's results, laid out for the game itself to judge and pay."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from feltworks.analysis.shoe_game.dealer import BLACKJACK, OVER, RESULTS
from feltworks.cards import Card, cards
from feltworks.games.blackjack import Blackjack, BlackjackStanding, DealersHand
from feltworks.hands.spot import Spot
from feltworks.money import Odds

# Hands that stand for all of their class: 16 or less, 17 to 21, over 21.
_CLASSES = tuple(map(cards, ["Th 6d", "Th 7d", "Th 8d", "Th 9d", "Th Jd", "7h 7d 7c", "Th 6d 9c"]))
CLASSES, HAND_OVER = len(_CLASSES), len(_CLASSES) - 1
_UNIT = 2  # cents on a hand, to be divided by again


class Pay(Struct, frozen=True):
    """How one hand came out: in the game's words, what it nets and what lay on it, a hand's wager being 1."""

    outcome: str
    net: Fraction
    wagered: Fraction


Row = tuple[Pay, ...]  # by the dealer's result


class Pays(Struct, frozen=True):
    """Pays by what lies on the hand (one wager, doubled), the hand's class and the dealer's result.

    `first` is the first hand that is not over 21, `later` any hand a split adds after that one. Where the
    dealer peeks, a blackjack ends the round at once: it meets the one original wager and nothing else.
    """

    first: tuple[tuple[Row, ...], ...]
    later: tuple[tuple[Row, ...], ...]
    natural: Row
    surrendered: Row


def pays_of(game: Blackjack) -> Pays:
    """The pays of this table, every one of them out of its own settlement."""
    return Pays(
        first=tuple(tuple(_row(game, held, last, 0) for held in _CLASSES) for last in ("stand", "double")),
        later=tuple(tuple(_row(game, held, last, 1) for held in _CLASSES) for last in ("stand", "double")),
        natural=_row(game, cards("Ah Kd"), "", 0),
        surrendered=_row(game, _CLASSES[0], "surrender", 0),
    )


def _row(game: Blackjack, held: tuple[Card, ...], last: str, place: int) -> Row:
    make = game.spot_rules.hand
    hand = make(held, is_split=place > 0, last=last)
    hands = (make(_CLASSES[0], is_split=True, last="stand"), hand) if place else (hand,)
    paid = [_paid(game, Spot(hands, None), dealer, place) for dealer in _dealers()]
    if game.peeks:
        asked = Spot((make(held[:2]),), None)
        paid[BLACKJACK] = (
            _paid(game, asked, _dealer_blackjack(), 0)
            if not place
            else Pay("never split", Fraction(0), Fraction(0))
        )
    return tuple(paid)


def _paid(game: Blackjack, spot: Spot, dealer: DealersHand, place: int) -> Pay:
    wagered = sum(_UNIT * (1 + hand.is_doubled) for hand in spot.hands)
    part = list(game.wagers["blackjack"].parts(BlackjackStanding(spot, dealer), wagered))[place]
    assert part.verdict is not None
    pay = game.pays["blackjack"][part.verdict.outcome]
    assert isinstance(pay, Odds)
    return Pay(part.verdict.outcome, pay.exact * part.wagered / _UNIT, Fraction(part.wagered, _UNIT))


def _dealers() -> Iterator[DealersHand]:
    for column in range(RESULTS - 1):
        total = 26 if column == OVER else 17 + column
        yield DealersHand(total, has_blackjack=False)
    yield _dealer_blackjack()


def _dealer_blackjack() -> DealersHand:
    return DealersHand(21, has_blackjack=True)
