"""Bonus wagers that stand alone, from a shoe shuffled every round: only cards that decide are dealt."""

from typing import Any

import numpy as np

from feltworks.machine.compiled import deal, lean, picked, surplus, word, woven
from feltworks.machine.streams import Handle
from feltworks.simulation.kernels.blackjack import places as p

_CARDS = 52
LANES = 4  # counts side by side, so that no round waits for the one before it
LANE = 256  # cells that one of them has room for
_AT_ONCE = 4
LONGEST = 16  # cards of a dealer's hand, with room to spare


@woven
def _thrown_away(left: int) -> Any:
    """Rests below this belong to words that would favour some places."""
    return surplus(np.uint64(left) * np.uint64(left - 1) * np.uint64(left - 2))


@woven
def _three(stream: Handle, left: int, thrown_away: Any) -> Any:
    """Three places of a shoe, all different, every choice as likely: from one word."""
    while True:
        one, rest = picked(word(stream), left)
        two, rest = picked(rest, left - 1)
        three, rest = picked(rest, left - 2)
        if rest >= thrown_away:
            break
    # Unsigned places are quicker to look up: nobody asks whether they count from the end.
    first, second, third = np.uint64(one), np.uint64(two), np.uint64(three)
    second += np.uint64(second >= first)
    third += np.uint64(third >= min(first, second))
    third += np.uint64(third >= max(first, second))
    return first, second, third


@woven
def _lane(number: int) -> Any:
    return np.uint64(number & (LANES - 1)) * np.uint64(LANE)


@lean
def count_threes(stream: Handle, rounds: int, shoe: Any, three: Any, counts: Any) -> None:
    """Count where the first two cards and the up card end, lane by lane."""
    cards, thrown_away = np.uint64(_CARDS), _thrown_away(len(shoe))
    for number in range(rounds):
        first, second, up = _three(stream, len(shoe), thrown_away)
        place = (np.uint64(shoe[first]) * cards + np.uint64(shoe[second])) * cards + np.uint64(shoe[up])
        counts[_lane(number) + np.uint64(three[place])] += 1


@lean
def count_raised(
    stream: Handle, rounds: int, shoe: Any, three: Any, raises: Any, ups: int, counts: Any
) -> None:
    """The same where the first two cards may be raised."""
    thrown_away = _thrown_away(len(shoe))
    for number in range(rounds):
        first, second, up = _three(stream, len(shoe), thrown_away)
        pair = (shoe[first] + 0) * _CARDS + shoe[second]
        cell = raises[pair] * ups + three[pair * _CARDS + shoe[up]]
        counts[_lane(number) + np.uint64(cell)] += 1


@lean
def record_threes(stream: Handle, shoe: Any, cards: Any) -> None:
    """The cards of such rounds, a row each: the first two and the up card."""
    thrown_away = _thrown_away(len(shoe))
    for number in range(len(cards)):
        first, second, up = _three(stream, len(shoe), thrown_away)
        cards[number, 0], cards[number, 1], cards[number, 2] = shoe[first], shoe[second], shoe[up]


@woven
def _dealers_hand(stream: Handle, shoe: Any, book: Any) -> Any:
    """LB.4: the dealer's hand from a whole shoe: how many cards, its total and its suited cards."""
    deal(stream, shoe, 0, _AT_ONCE)
    key, suits, cards = 0, 0, 0
    while cards < 2 or book[p.DRAWS + key]:
        if cards > 0 and cards % _AT_ONCE == 0:
            deal(stream, shoe, cards, _AT_ONCE)
        card = shoe[cards]
        weight = book[p.WEIGHT + card]
        key = (key + (weight & 31)) | (weight & p.ACE)
        suits |= 1 << (card & 3)
        cards += 1
    is_natural = cards == 2 and key == 11 + p.ACE
    dealer = p.BLACKJACK if is_natural else book[p.POINTS + key] - p.STANDS
    return cards, dealer, 0 if suits & (suits - 1) else min(cards, 5)


@lean
def count_breaks(stream: Handle, rounds: int, shoe: Any, book: Any, counts: Any) -> None:
    """Count how the dealer's hands come out for Lucky Break; the player's two cards keep its limit."""
    within = p.BROKEN + 2 * p.DEALERS * p.SUITED
    for number in range(rounds):
        _, dealer, suited = _dealers_hand(stream, shoe, book)
        counts[_lane(number) + np.uint64(book[within + dealer * p.SUITED + suited])] += 1


@lean
def record_breaks(stream: Handle, shoe: Any, book: Any, cards: Any, ends: Any) -> None:
    """The dealer's cards of such rounds; how many there are and where they end."""
    within = p.BROKEN + 2 * p.DEALERS * p.SUITED
    for number in range(len(ends)):
        length, dealer, suited = _dealers_hand(stream, shoe, book)
        ends[number, 0], ends[number, 1] = length, book[within + dealer * p.SUITED + suited]
        for place in range(length):
            cards[number, place] = shoe[place]
