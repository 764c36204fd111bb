"""How a round's hands come out, counted: by cells for each kind of seat, and as sums over whole rounds."""

from typing import Any

import numpy as np

from feltworks.machine.compiled import lean, woven
from feltworks.simulation.kernels.blackjack import places as p

_CARDS = 52
_WAGERED = 2 * p.MOST_HANDS  # wagers on the hands of a split, at most


@woven
def sizes_of(rules: Any) -> Any:
    """How many cells there are of each sort, read once for all rounds."""
    width, ups, breaks, columns = rules[p.WIDTH], rules[p.UP_CELLS], rules[p.BREAK_CELLS], rules[p.COLUMNS]
    insured = p.HAND_CELLS + (p.MOST_HANDS - 1) * _WAGERED * width
    side = 2 * ups * breaks
    has_side, own = rules[p.HAS_SIDE], rules[p.MAIN_COLUMN]
    return rules[p.SPOTS], width, insured, p.INSURED * insured, side, ups, breaks, columns, has_side, own


@woven
def settle_round(
    shoe: Any,
    at: Any,
    sizes: Any,
    seats: Any,
    book: Any,
    three: Any,
    raises: Any,
    nets: Any,
    counts: Any,
    hands: Any,
    sums: Any,
    up_card: Any,
    dealer: Any,
    suited: Any,
) -> Any:
    """Count every seat's cells; the answer is what the first seat is up."""
    spots, width, insured, main, side, ups, breaks, columns, has_side, own = sizes
    level, start, first_net = at[p.ROUND_LEVEL], at[p.START], 0
    for seat in range(spots):
        place, made = seat * p.SPOT, seat * p.SEAT
        money = seats[made + p.NETS] + level * (p.HAND_CELLS + main + side * (columns + 1))
        counted = seats[made + p.COUNTS] + level * (main + 2 * side)
        net, other = 0, 0
        if seats[made + p.MAIN]:
            cell = _main_cell(book, nets, hands, place, money, width, insured, dealer)
            counts[np.uint64(counted + cell)] += 1
            net = nets[np.uint64(money + p.HAND_CELLS + cell)]
        if has_side:
            pair = (shoe[start + seat] + 0) * _CARDS + shoe[start + spots + seat]
            cell = three[np.uint64(pair * _CARDS + up_card)] + 0
            if seats[made + p.RAISES]:
                raised = raises[(seats[made + p.RAISES] - 1) * _CARDS * _CARDS + pair]
                hands[place + p.RAISED] = raised
                cell += raised * ups
            cell = counted + main + cell * breaks
            if seats[made + p.BREAK]:
                standing = _limit(book, hands, place)
                cell += book[np.uint64(p.BROKEN + (standing * p.DEALERS + dealer) * p.SUITED + suited)]
            counts[np.uint64(cell)] += 1
            counts[np.uint64(cell + side)] += net
            begin = money + p.HAND_CELLS + cell - counted
            other = nets[np.uint64(begin)]
            if spots > 1:
                _add_up(nets, sums, begin + side, side, columns)
        if spots > 1:
            sums[own] += net
        if seat == 0:
            first_net = net + other
    if spots > 1:
        _square_up(sums, columns)
    return first_net


@woven
def _main_cell(
    book: Any, nets: Any, hands: Any, place: int, money: int, width: int, insured: int, dealer: Any
) -> Any:
    """The blackjack wager of a spot: its one hand's cell, or all hands of a split together."""
    begin = hands[place + p.INSURANCE_CELL] * insured
    made = hands[place + p.DEALT]
    if made == 1:
        return begin + book[np.uint64(p.SETTLED + hands[place + p.FIRST] * p.DEALERS + dealer)]
    over, wagered, net = 0, 0, width // 2
    for hand in range(made):
        code = hands[place + p.FIRST + hand]
        late = p.CODES if over < hand else 0
        cell = book[p.SETTLED + (late + code) * p.DEALERS + dealer]
        over += code & (p.DOUBLED - 1) > p.HIGHEST
        wagered += 2 if code & p.DOUBLED else 1
        net += nets[money + cell]
    return begin + p.HAND_CELLS + ((made - 2) * _WAGERED + wagered - 1) * width + net


@woven
def _limit(book: Any, hands: Any, place: int) -> Any:
    """LB.5, LB.12: whether no hand of the spot, some or all are within the limit; LB.13: surrendered."""
    made = hands[place + p.DEALT]
    if made == 1:
        code = hands[place + p.FIRST] & (p.DOUBLED - 1)
        return p.SURRENDERED_SPOT if code == p.SURRENDERED else 2 * book[p.WITHIN + code]
    some, every = 0, 1
    for hand in range(made):
        within = book[p.WITHIN + (hands[place + p.FIRST + hand] & (p.DOUBLED - 1))]
        some |= within
        every &= within
    return 2 if made == 0 else some + every


@woven
def _add_up(nets: Any, sums: Any, begin: int, side: int, columns: int) -> None:
    for column in range(columns):
        sums[column] += nets[begin + column * side]


@lean
def _square_up(sums: Any, columns: int) -> None:
    """Add what the round brought each wager to the sums, and the products of every two."""
    place = 2 * columns
    for one in range(columns):
        sums[columns + one] += sums[one]
        for two in range(one, columns):
            sums[place] += sums[one] * sums[two]
            place += 1
    for column in range(columns):
        sums[column] = 0
