"""A blackjack seat as `felt settle` reads it: which hands it played, in the order of play."""

from feltworks.errors import ImpossibleRound
from feltworks.rules.record import FinishedHand, FinishedSeat


def hands_in_order_of_play(finished: FinishedSeat) -> list[FinishedHand]:
    """The written hands as the felt has them: the pair's two cards outermost, resplits between."""
    if len(finished.cards) != 2:
        raise ImpossibleRound("a blackjack seat lists its first two cards, and its hands where it played on")
    if finished.hands is None:
        return [FinishedHand(finished.cards)]
    if len(finished.hands) == 1:
        if finished.hands[0].cards[:2] != finished.cards:
            raise ImpossibleRound("an unsplit hand begins with the seat's two cards")
        return finished.hands
    if not finished.hands or not all(hand.cards for hand in finished.hands):
        raise ImpossibleRound("a seat that lists its hands has at least one, and every hand has cards")
    rest = list(finished.hands)
    ends = [_beginning_with(rest, code) for code in finished.cards]
    return [ends[0], *rest, ends[1]]


def _beginning_with(hands: list[FinishedHand], code: str) -> FinishedHand:
    for hand in hands:
        if hand.cards[0] == code:
            hands.remove(hand)
            return hand
    raise ImpossibleRound(f"split hands begin with one card of the pair each; none begins with {code}")
