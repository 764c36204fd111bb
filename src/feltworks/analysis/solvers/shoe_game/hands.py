"""The player's hands by value: transitions by cards, the worth of each choice, and where play ends."""

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.solvers.numbers import Array, Bools, Ints, distinct
from feltworks.analysis.solvers.shoe_game.dealer import Dealing
from feltworks.analysis.solvers.shoe_game.pays import HAND_OVER, NATURAL, OVER
from feltworks.analysis.solvers.shoe_game.rules import DOUBLE, HIT, SPLIT, STAND, SURRENDER, UPS, VALUES, TableRules

UNSPLIT = -1
_PLACES = 32 ** np.arange(10, dtype=np.int64)  # weights that pack a hand into one number


class Hands(Struct, frozen=True, dict=True):
    """All hands of 21 or less, one row each; `after` has the row after each card, −1 if there is none.

    Hands of a split have separate rows for every value of the pair: `origin`, which is −1 for unsplit hands.
    """

    held: Ints  # the number of cards of each value
    low: Ints  # the total with all aces as one
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
        """The rows by low total, from 0 to 21: every card leads to a later layer."""
        return [np.flatnonzero(self.low == points) for points in range(22)]

    def taken(self, gone: Ints | int, rows: Ints | slice = slice(None)) -> Ints:
        """The cards of hands, with so many pair cards that are in other hands of the split."""
        taken, origin = self.held[rows].copy(), self.origin[rows]
        split = np.flatnonzero(origin >= 0)
        taken[split, origin[split]] += (gone + np.zeros_like(origin))[split]
        return taken

    def row(self, *values: int, origin: int = UNSPLIT) -> int:
        """The row of a hand of these values (0 an ace, 9 a ten)."""
        held = np.bincount(np.array(values, np.int64), minlength=10)
        return int(np.flatnonzero((self.held == held).all(axis=1) & (self.origin == origin))[0])


def pack_hands(held: Ints) -> Ints:
    """Hands, or any cards taken from a shoe, as one number each."""
    codes: Ints = held @ _PLACES
    return codes


def unsplit_hands(rules: TableRules, counts: Ints) -> Hands:
    """Every hand of 21 or less that a shoe can make, including the empty one."""
    held, low = np.zeros((1, 10), np.int64), np.zeros(1, np.int64)
    for value in range(9, -1, -1):
        most = min(int(counts[value]), 21 // (value + 1))
        fitting = [low + taken * (value + 1) <= 21 for taken in range(most + 1)]
        grown = [held[fits] for fits in fitting]
        for taken, hands in enumerate(grown):
            hands[:, value] = taken
        low = np.concatenate([low[fits] + n * (value + 1) for n, fits in enumerate(fitting)])
        held = np.concatenate(grown)
    order = np.argsort(pack_hands(held))
    held, low = held[order], low[order]
    soft = (held[:, 0] > 0) & (low <= 11)
    return _count_by_rules(rules, Hands(held, low, low + 10 * soft, soft, np.full(len(low), UNSPLIT), _after(held)))


def _count_by_rules(rules: TableRules, hands: Hands) -> Hands:
    """The hands with the totals that the rules count, if play can reach them.

    A complete hand no longer shows whether it is soft.
    """
    states, seats = _states(rules, hands), rules.seats
    every = range(len(seats.states))
    points = np.array([*(seats.hand(state).points for state in every), 0])[states]
    soft = np.array([*(seats.hand(state).soft if seats.is_active(state) else -1 for state in every), -1])[states]
    return replace(
        hands, total=np.where(states >= 0, points, hands.total), soft=np.where(soft >= 0, soft > 0, hands.soft)
    )


def _after(held: Ints) -> Ints:
    codes = pack_hands(held)
    wanted = codes[:, None] + _PLACES
    rows = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    return np.where(codes[rows] == wanted, rows, -1)


def split_hands(hands: Hands, values: Ints, short: Ints | None = None) -> Hands:
    """The possible hands of a split pair of each of these values, from the single card on.

    For the values in `short`, only hands of one and two cards.
    """
    longest = np.where(np.isin(values, [] if short is None else short), 2, 21)
    rows = [
        np.flatnonzero((hands.held[:, value] > 0) & (hands.size <= most))
        for value, most in zip(values, longest, strict=True)
    ]
    begin, after = 0, [np.zeros((0, 10), np.int64)]
    for mine in rows:
        place = np.full(len(hands.low) + 1, -1)  # the last entry is for cards that lead nowhere
        place[mine] = np.arange(begin, begin + len(mine))
        after.append(place[hands.after[mine]])
        begin += len(mine)
    chosen = np.concatenate([np.zeros(0, np.int64), *rows])
    origin = np.repeat(values, [len(mine) for mine in rows])
    held, low, total, soft = (part[chosen] for part in (hands.held, hands.low, hands.total, hands.soft))
    return Hands(held, low, total, soft, origin, np.concatenate(after))


class Open(Struct, frozen=True):
    """The choices open to each hand against each up card."""

    hit: Bools
    double: Bools
    surrender: Bools
    is_natural: Bools  # by hand: a blackjack, which has no decision


def open_choices(rules: TableRules, hands: Hands) -> Open:
    """The offers of the rules to each hand; a single card is always drawn to."""
    states = _states(rules, hands)
    offers = np.array([*rules.seats.offers, np.zeros((UPS, SPLIT + 1), np.bool_)])[states]
    offers[hands.size < 2, :, HIT] = True
    hit, double, surrender = (offers[:, :, act] for act in (HIT, DOUBLE, SURRENDER))
    if surrender[(hands.size != 2) | (hands.origin != UNSPLIT)].any():
        raise rules.felts.refuse("surrender is offered to more than first two cards")
    naturals = [rules.seats.is_natural(state) for state in range(len(rules.seats.states))]
    is_natural = np.array([*naturals, False])[states] & (hands.size == 2) & (hands.origin == UNSPLIT)
    return Open(hit, double, surrender, is_natural)


def _states(rules: TableRules, hands: Hands) -> Ints:
    """The state of a seat for every hand that play can reach, −1 for others."""
    seats = rules.seats
    roots = {UNSPLIT: rules.empty, **rules.split_roots}
    known = [state for root in roots.values() for state in seats.reachable(root)]
    after = np.full((len(seats.states) + 1, 10), -1)
    after[known] = [seats.follow(state) for state in known]
    states = np.full(len(hands.low), -1)
    for origin in distinct(hands.origin):
        states[hands.row(*([] if origin == UNSPLIT else [origin]), origin=origin)] = roots[origin]
    is_over = np.array([seats.hand(state).is_over for state in range(len(seats.states))])
    for low, rows in enumerate(hands.layers):
        for value in VALUES:
            then = hands.after[rows, value]
            state = after[states[rows], value]
            if (is_over[state[state >= 0]] != (low + value >= 21)).any():
                raise rules.felts.refuse("a hand is over by another total than 21")
            there = (then >= 0) & (state >= 0)
            then, state = then[there], state[there]
            if ((states[then] >= 0) & (states[then] != state)).any():
                raise rules.felts.refuse("the order of a hand's cards counts")
            states[then] = state
    return states


_UP = np.arange(UPS)


class Values(Struct, frozen=True):
    """The worth of standing, hitting and doubling, by hand and up card; `acts` are the acts, `best` their worth.

    A dealer's blackjack is included, with the money that it takes.
    """

    stand: Array
    hit: Array
    double: Array
    acts: Ints
    best: Array


class Ends(Struct, frozen=True):
    """How often a hand has a decision, is reached (`entry`), and is stood on or doubled into (`end`).

    By hand, up card, cards gone and kind; the last axis of `entry` and `end` is one wager or two on it.
    """

    hands: Hands
    acts: Ints
    gone: Ints
    decided: Array
    entry: Array
    end: Array


def chance(dealing: Dealing, hands: Hands, rows: Ints, value: int, gone: Ints) -> Array:
    """The probability of this next card: by hand, up card, and pair cards gone to other hands of the split."""
    mine = hands.origin[rows] == value
    left = (dealing.counts[value] - hands.held[rows, value])[:, None, None]
    left = left - np.equal(_UP, value)[:, None] - gone * mine[:, None, None]
    unseen = (dealing.total - 1 - hands.size[rows])[:, None, None] - gone
    return dealing.numbers.ratio(np.maximum(left, 0), np.maximum(unseen, 1))


class Stakes(Struct, frozen=True):
    """What determines the worth of hands: the open choices, the dealer's law, and the pays of classes."""

    open: Open
    law: Array
    pays: Array
    gone: int = 0  # pair cards in other hands of the split


def values(dealing: Dealing, hands: Hands, stakes: Stakes, acts: Ints | None = None) -> Values:
    """The worth of every choice, with later play best, or by `acts` if given."""
    paid = stakes.pays[:, dealing.pays.class_of(hands.total)]
    stand, doubled = ((stakes.law * paid[wagers][:, None, :]).sum(axis=-1) for wagers in (0, 1))
    hit, double, best = (np.zeros_like(stand) for _ in range(3))
    done = np.zeros(stand.shape, np.int64) if acts is None else acts
    for rows in reversed(hands.layers):
        if len(rows):
            hit[rows], double[rows] = _draw_worth(dealing, hands, stakes, rows, best, doubled)
            if acts is None:
                done[rows] = _best_acts(stand[rows], hit[rows], double[rows], stakes.open, rows, hands)
            best[rows] = np.choose(done[rows], [stand[rows], hit[rows], double[rows]])
    return Values(stand, hit, double, done, best)


def _draw_worth(
    dealing: Dealing, hands: Hands, stakes: Stakes, rows: Ints, best: Array, doubled: Array
) -> tuple[Array, Array]:
    """The worth of one card for each of these hands, if played on and if doubled.

    Cards that bring the hand over 21 take the probability that the others leave, and likewise for blackjacks.
    """
    over, over_natural = np.ones_like(best[rows]), stakes.law[rows, :, NATURAL]
    hit, double = np.zeros_like(over), np.zeros_like(over)
    for value in _fitting_values(dealing, hands, rows):
        then = hands.after[rows, value]
        likely = chance(dealing, hands, rows, value, np.array([stakes.gone]))[:, :, 0]
        over = over - likely
        over_natural = over_natural - likely * stakes.law[then, :, NATURAL]
        hit += likely * best[then]
        double += likely * doubled[then]
    lost = [(over - over_natural) * row[OVER] + over_natural * row[NATURAL] for row in stakes.pays[:, HAND_OVER]]
    return hit + lost[0], double + lost[1]


def _fitting_values(dealing: Dealing, hands: Hands, rows: Ints) -> list[int]:
    """The values in the shoe that bring no hand of this layer over 21."""
    return [value for value in range(min(10, 21 - int(hands.low[rows[0]]))) if dealing.counts[value]]


def _best_acts(stand: Array, hit: Array, double: Array, open_: Open, rows: Ints, hands: Hands) -> Ints:
    """The best acts; of equal ones that with less money. A single card of a split is always drawn to."""
    hits = open_.hit[rows] & ((hit > stand) | (hands.size[rows] < 2)[:, None])
    one_wager = np.where(hits, hit, stand)
    doubles = open_.double[rows] & (double > one_wager)
    return np.where(doubles, DOUBLE, np.where(hits, HIT, STAND))


def follow(dealing: Dealing, hands: Hands, acts: Ints, start: Array, gone: Ints) -> Ends:
    """Follow the acts from these first hands (by hand, up card, cards gone, kind) to their ends."""
    weight = start.copy()
    end = np.zeros((*start.shape, 2), start.dtype)
    entry = np.zeros_like(end)
    for rows in hands.layers:
        live = rows[(weight[rows] != 0).any(axis=(1, 2, 3))] if len(rows) else rows
        if not len(live):
            continue
        here = weight[live]
        by_act = [np.where((acts[live] == act)[:, :, None, None], here, 0) for act in (STAND, HIT, DOUBLE)]
        end[live, ..., 0] += by_act[STAND]
        entry[live, ..., 1] = by_act[DOUBLE]
        draws = by_act[HIT].any(), by_act[DOUBLE].any()
        for value in _fitting_values(dealing, hands, live) if any(draws) else ():
            then = hands.after[live, value]
            likely = chance(dealing, hands, live, value, gone)[..., None]
            if draws[0]:
                weight[then] += by_act[HIT] * likely
            if draws[1]:
                end[then, ..., 1] += by_act[DOUBLE] * likely
    entry[..., 0] = start - entry[..., 1]
    return Ends(hands, acts, gone, weight, entry, end)


LawOf = Callable[[Ints], Array]  # the dealer's law after each of these sets of cards is removed
_EndRows = tuple[Ints, Ints, Ints, Ints, Array]  # origin, place of the cards gone, cards taken, class, weight


def joint_law(
    dealing: Dealing, ends: Ends, up: int, law_of: LawOf, classes: Ints, number: int, limit: int | None = None
) -> Array:
    """The joint law of a hand's class and the dealer's hand against one up card.

    Axes: place of the origin, cards gone, kind, wagers on it, class, dealer's hand. Hands over 21 are those that
    were begun and have no end: their law is the law of first hands less that of ends. `classes`: by hand, below
    `number`; hands that end with the limit or more have an additional class.
    """
    hands, origins, most = ends.hands, distinct(ends.hands.origin), number + (limit is not None)
    row, place = np.nonzero(((ends.end[:, up] != 0) | (ends.entry[:, up] != 0)).any(axis=(2, 3)))
    taken, end = hands.taken(ends.gone[place], row), ends.end[row, up, place]
    over = np.full(len(row), HAND_OVER)
    parts: list[_EndRows] = [
        (hands.origin[row], place, taken, classes[row], end),
        (hands.origin[row], place, taken, over, ends.entry[row, up, place] - end),
    ]
    for origin, gone, cards, weight in _beyond(dealing, ends, up, limit) if limit else ():
        parts.append((origin, gone, cards, np.full(len(cards), most - 1), weight))
        parts.append((origin, gone, cards, np.full(len(cards), HAND_OVER), -weight))
    origin, place, taken, held, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
    _, first, lot = np.unique(pack_hands(taken), return_index=True, return_inverse=True)
    law = law_of(taken[first])
    keys = (np.searchsorted(origins, origin) * len(ends.gone) + place) * most + held
    shape = len(origins), len(ends.gone), most, weight.shape[1], 2, law.shape[1]
    joint = np.zeros((shape[0] * shape[1] * most, *shape[3:]), law.dtype)
    order = np.argsort(keys, kind="stable")
    for kind in range(shape[3]):  # if there are many kinds, each has few hands
        mine = order[(weight[order, kind] != 0).any(axis=1)]
        for some in np.split(mine, np.flatnonzero(np.diff(keys[mine])) + 1) if len(mine) else ():
            joint[keys[some[0]], kind] = weight[some, kind].T @ law[lot[some]]
    return np.moveaxis(joint.reshape(shape), 2, 4)


def _beyond(dealing: Dealing, ends: Ends, up: int, limit: int) -> Iterator[tuple[Ints, Ints, Ints, Array]]:
    """Hands that one card brings to the limit: their origins, cards gone, cards, and probabilities."""
    hands, decided, acts = ends.hands, ends.decided[:, up], ends.acts[:, up]
    drawn_to = (acts != STAND) & decided.any(axis=(1, 2))
    for value in VALUES:
        rows = np.flatnonzero(drawn_to & (hands.low + value + 1 >= limit))
        if len(rows):
            drawn = decided[rows] * chance(dealing, hands, rows, value, ends.gone)[:, up, :, None]
            by_act = [np.where((acts[rows] == act)[:, None, None], drawn, 0) for act in (HIT, DOUBLE)]
            weight = np.stack(by_act, axis=-1)
            live, place = np.nonzero(weight.any(axis=(2, 3)))
            taken = hands.taken(ends.gone[place], rows[live])
            taken[:, value] += 1
            yield hands.origin[rows[live]], place, taken, weight[live, place]
