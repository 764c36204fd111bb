"""What a card counter knows: the cards that lie open, as a running count and a true count."""

from typing import Any

from feltworks.machine.compiled import lean
from feltworks.simulation.kernels.blackjack import places as p

_DECK = 52


@lean
def block_by_count(shoe: Any, at: Any, rules: Any, book: Any) -> Any:
    """The block of choices for the true count: the running count per deck unseen, rounded down."""
    running, seen = at[p.RUNNING], at[p.SEEN]
    hole = at[p.START] + 2 * rules[p.SPOTS]
    for place in range(at[p.START], at[p.POSITION]):
        if place != hole:
            running += book[p.TAG + shoe[place]] - p.NO_TAG
            seen += 1
    widest = rules[p.WIDEST]
    true = min(max(running * _DECK // (len(shoe) - seen), -widest), widest)
    return rules[p.STATES] + (true + widest) * rules[p.BLOCK_SIZE]


@lean
def count_round(
    shoe: Any, at: Any, rules: Any, book: Any, seats: Any, hands: Any, waits: bool, is_natural: bool
) -> None:
    """Keep the count of the cards that lie open when the round is over; a hole card may stay unseen."""
    spots = rules[p.SPOTS]
    hole = at[p.START] + 2 * spots
    turned = waits or _is_turned(rules, seats, hands, spots, book[p.VALUE + shoe[hole + 1]], is_natural)
    for place in range(at[p.START], at[p.POSITION]):
        if place != hole or turned:
            at[p.RUNNING] += book[p.TAG + shoe[place]] - p.NO_TAG
            at[p.SEEN] += 1


@lean
def _is_turned(rules: Any, seats: Any, hands: Any, spots: int, up: Any, is_natural: bool) -> bool:
    """BJ.5: where no hand waits, the hole card is shown only for a check or a wager on its blackjack."""
    if rules[p.PEEKS] or (up != 1 and up != 10):
        return is_natural
    for seat in range(spots):
        first = hands[seat * p.SPOT + p.FIRST] & (p.DOUBLED - 1)
        unknown = first == p.NATURAL or first == p.SURRENDERED or hands[seat * p.SPOT + p.INSURANCE_CELL]
        if seats[seat * p.SEAT + p.MAIN] and unknown:
            return True
    return False
