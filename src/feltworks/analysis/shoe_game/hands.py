"""The hands a player can hold, by value: what each is worth and which hand follows with which card."""

from functools import cached_property

import numpy as np
from msgspec import Struct

from feltworks.analysis.shoe_game.numbers import Bools, Ints, distinct
from feltworks.analysis.shoe_game.rules import TableRules
from feltworks.analysis.shoe_game.seats import DOUBLE, HIT, SPLIT, SURRENDER, UPS, VALUES

UNSPLIT = -1
_PLACES = 32 ** np.arange(10, dtype=np.int64)  # a hand packed into one number


class Hands(Struct, frozen=True, dict=True):
    """All hands of 21 or less, one row each; `after` names the row a card leads to, −1 where there is none.

    Hands of a split stand apart for every value the pair can have: `origin`, and −1 for unsplit hands.
    """

    held: Ints  # how many of each value
    low: Ints  # the total with every ace as one
    total: Ints
    soft: Bools
    origin: Ints
    after: Ints

    @cached_property
    def size(self) -> Ints:
        cards: Ints = self.held.sum(axis=1)
        return cards

    @cached_property
    def layers(self) -> list[Ints]:
        """The rows by low total, from 0 to 21: a card always leads to a later layer."""
        return _layers(self.low)

    def taken(self, gone: int) -> Ints:
        """The cards of each hand with those of its origin's value that lie with other hands of the split."""
        taken = self.held.copy()
        split = np.flatnonzero(self.origin >= 0)
        taken[split, self.origin[split]] += gone
        return taken

    def row(self, *values: int, origin: int = UNSPLIT) -> int:
        """The row of a hand of these values (0 an ace, 9 a ten)."""
        held = np.bincount(np.array(values, np.int64), minlength=10)
        return int(np.flatnonzero((self.held == held).all(axis=1) & (self.origin == origin))[0])


def packed(held: Ints) -> Ints:
    """Hands, or any cards taken from a shoe, as one number each."""
    codes: Ints = held @ _PLACES
    return codes


def unsplit_hands(rules: TableRules, counts: Ints) -> Hands:
    """Every hand of 21 or less that a shoe can make, the empty one included, counted by the rules."""
    held, low = np.zeros((1, 10), np.int64), np.zeros(1, np.int64)
    for value in range(9, -1, -1):
        most = min(int(counts[value]), 21 // (value + 1))
        fitting = [low + taken * (value + 1) <= 21 for taken in range(most + 1)]
        grown = [held[fits] for fits in fitting]
        for taken, hands in enumerate(grown):
            hands[:, value] = taken
        low = np.concatenate([low[fits] + n * (value + 1) for n, fits in enumerate(fitting)])
        held = np.concatenate(grown)
    order = np.argsort(packed(held))
    held, low = held[order], low[order]
    after = _after(held)
    states = rules.totals.follow(_layers(low), after)
    leaves = rules.totals.is_over[rules.totals.after[states]] == (after < 0)
    if rules.totals.is_over[states].any() or not leaves[held < counts].all():
        raise rules.felts.refuse("a hand is over by another total than 21")
    total, soft = rules.totals.total[states], rules.totals.soft[states]
    return Hands(held, low, total, soft, np.full(len(low), UNSPLIT), after)


def _layers(low: Ints) -> list[Ints]:
    return [np.flatnonzero(low == points) for points in range(22)]


def _after(held: Ints) -> Ints:
    codes = packed(held)
    wanted = codes[:, None] + _PLACES
    rows = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    return np.where(codes[rows] == wanted, rows, -1)


def split_hands(hands: Hands, values: Ints, short: Ints | None = None) -> Hands:
    """The hands that splitting a pair of each of these values can lead to, from the single card on.

    Of the values in `short` there are hands of one and two cards only.
    """
    longest = np.where(np.isin(values, [] if short is None else short), 2, 21)
    rows = [
        np.flatnonzero((hands.held[:, value] > 0) & (hands.size <= most))
        for value, most in zip(values, longest, strict=True)
    ]
    begin, after = 0, [np.zeros((0, 10), np.int64)]
    for mine in rows:
        place = np.full(len(hands.low) + 1, -1)  # the last one stands for a card that leads nowhere
        place[mine] = np.arange(begin, begin + len(mine))
        after.append(place[hands.after[mine]])
        begin += len(mine)
    chosen = np.concatenate([np.zeros(0, np.int64), *rows])
    origin = np.repeat(values, [len(mine) for mine in rows])
    held, low, total, soft = (part[chosen] for part in (hands.held, hands.low, hands.total, hands.soft))
    return Hands(held, low, total, soft, origin, np.concatenate(after))


class Open(Struct, frozen=True):
    """What each hand may do against each up card."""

    hit: Bools
    double: Bools
    surrender: Bools
    is_natural: Bools  # by hand: two cards that nothing is asked of


def open_to(rules: TableRules, hands: Hands) -> Open:
    """What the rules offer to each hand; a lone card is always drawn to."""
    states = _states(rules, hands)
    offers = np.array([*rules.seats.offers, np.zeros((UPS, SPLIT + 1), np.bool_)])[states]
    offers[hands.size < 2, :, HIT] = True
    hit, double, surrender = (offers[:, :, act] for act in (HIT, DOUBLE, SURRENDER))
    if surrender[(hands.size != 2) | (hands.origin != UNSPLIT)].any():
        raise rules.felts.refuse("surrender is offered to more than first two cards")
    naturals = [lying.hand(0).is_blackjack and lying.spot.active is None for lying in rules.seats.lying]
    is_natural = np.array([*naturals, False])[states] & (hands.size == 2) & (hands.origin == UNSPLIT)
    return Open(hit, double, surrender, is_natural)


def _states(rules: TableRules, hands: Hands) -> Ints:
    """The state of a seat for every hand that play can come to, −1 for others."""
    seats = rules.seats
    roots = {UNSPLIT: rules.empty, **rules.split_roots}
    known = [state for root in roots.values() for state in seats.reached(root)]
    after = np.full((len(seats.lying) + 1, 10), -1)
    after[known] = [seats.follow(state) for state in known]
    states = np.full(len(hands.low), -1)
    for origin in distinct(hands.origin):
        states[hands.row(*([] if origin == UNSPLIT else [origin]), origin=origin)] = roots[origin]
    for rows in hands.layers:
        for value in VALUES:
            then = hands.after[rows, value]
            state = after[states[rows], value]
            there = (then >= 0) & (state >= 0)
            then, state = then[there], state[there]
            if ((states[then] >= 0) & (states[then] != state)).any():
                raise rules.felts.refuse("the order of a hand's cards counts")
            states[then] = state
    return states
