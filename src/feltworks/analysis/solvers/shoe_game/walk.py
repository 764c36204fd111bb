"""Hands played out by a plan against each of the dealer's hands, by what they began with.

As `hands.results`, but with every dealer's hand over 21 in a column of its own, or as they are gathered,
and with one more class of hands: those over 21 that are beyond a limit.

A player decides by values alone, so given the values of all cards any suits lie in the dealer's places as
likely as in others: what is left of a suit and of all cards says how often a hand is of one suit.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise
from math import perm

import numpy as np
from msgspec import Struct

from feltworks.analysis.solvers.numbers import Array, Ints, Numbers, distinct
from feltworks.analysis.solvers.shoe_game.dealer import MOST_CARDS, Counts, Dealing, HandGrowth, by_value
from feltworks.analysis.solvers.shoe_game.felts import DOUBLE, HIT, STAND, UPS
from feltworks.analysis.solvers.shoe_game.hands import Ends, Hands, chance, follow, pack_hands
from feltworks.analysis.solvers.shoe_game.pays import HAND_OVER
from feltworks.analysis.solvers.shoe_game.rules import HIGHEST
from feltworks.analysis.solvers.shoe_game.solver import Plan, ShoeGame
from feltworks.cards import Shoe, Suit


class SuitsSeen(Struct, frozen=True):
    """What the suits of the first three cards say; cards by value."""

    values: tuple[int, ...]  # the player's two
    alike: tuple[int, ...]  # those of them that are of the up card's suit
    suit: Counts  # what the whole shoe holds of the up card's suit


class Busts:
    """The hands over 21 that begin with an up card."""

    def __init__(self, dealing: Dealing, shoe: Shoe, up: int) -> None:
        self.dealing, self.shoe, self.up = dealing, shoe, up
        self._grown = [hand for hand in dealing.possible_hands(up, HIGHEST) if not 0 < hand.total < 22]
        self.hands: list[HandGrowth] = [hand for hand in self._grown if hand.total]

    def law(self, taken: Ints) -> Array:
        """How likely each hand is once each of these lots of cards, besides the up card, is gone."""
        law = self.dealing.numbers.zeros(len(self.hands), len(taken))
        orders = self.dealing.orders(taken)
        for place, (hand, ways) in enumerate(self.dealing.weigh(self._grown, taken)):
            law[place] = self.dealing.numbers.ratio(ways, orders[hand.cards - 1])
        return law.T

    @cached_property
    def _held(self) -> Ints:
        return np.array([hand.counts for hand in self.hands], np.int64).reshape(-1, 10)

    def suited_chance(self, seen: SuitsSeen | None) -> Array:
        """How likely each hand is of one suit, given its values and what has been seen of suits."""
        if seen is None:
            whole = by_value(self.shoe)
            every = [self._part(by_value(self.shoe, suit), whole, self._held) for suit in Suit]
            return sum(every, self.dealing.numbers.zeros(len(self.hands)))
        drawn = self._held.copy()
        drawn[:, self.up] -= 1
        whole = _remove(by_value(self.shoe), (*seen.values, self.up))
        return self._part(_remove(seen.suit, (*seen.alike, self.up)), whole, drawn)

    def _part(self, of: Counts, whole: Counts, drawn: Ints) -> Array:
        """How likely the cards drawn of a whole are all among those."""
        numbers = self.dealing.numbers
        part = numbers.whole(np.ones(len(drawn), np.int64))
        for value in range(10):
            part = part * _parts(numbers, of[value], whole[value])[drawn[:, value]]
        return part


def _remove(counts: Counts, gone: tuple[int, ...]) -> Counts:
    return tuple(count - gone.count(value) for value, count in enumerate(counts))


@cache
def _parts(numbers: Numbers, of: int, whole: int) -> Array:
    """For 0, 1, 2, … cards drawn of one value: how likely all of them are among those."""
    return numbers.of(
        [Fraction(perm(of, n), perm(whole, n)) if n <= whole else Fraction(0) for n in range(MOST_CARDS)]
    )


_NO_LIMIT = 99
_NOTHING_GONE = np.zeros(1, np.int64)


class _EndedHands(Struct, frozen=True):
    """Where hands ended, with the acts that led there."""

    hands: Hands
    acts: Ints
    ends: Ends
    gone: Ints


class _Lot(Struct, frozen=True):
    """Cards taken, row by row: how likely a hand ends with them in its class, and what of it went over 21.

    Both by kind and wagers on the hand; rows in the order of their classes.
    """

    taken: Ints
    held: Ints
    end: Array
    over: Array
    classes: int  # one more than the pays know: hands beyond the limit

    def against(self, law: Array) -> Array:
        """By kind, wagers, class and the dealer's hand; where kinds are many, few hands are of any one."""
        joint = np.zeros((*self.end.shape[1:], self.classes, law.shape[1]), law.dtype)
        live = (self.end != 0).any(axis=2) | (self.over != 0).any(axis=2)
        for kind, mine in enumerate(map(np.flatnonzero, live.T)):
            end, over, dealers = self.end[mine, kind].T, self.over[mine, kind].T, law[mine]
            begins = np.searchsorted(self.held[mine], np.arange(self.classes + 1)).tolist()
            for held, (first, last) in enumerate(pairwise(begins)):
                if last > first:
                    joint[kind, :, held] = end[:, first:last] @ dealers[first:last]
            if len(mine):
                joint[kind, :, HAND_OVER] += over @ dealers
        return joint


class Against(Struct, frozen=True):
    """Hands played out against one up card: last by wagers on the hand, class, and the dealer's hand."""

    first: dict[int, Array]  # the dealer's hands alone, with each first two cards gone
    unsplit: dict[int, Array]  # by first two cards
    split: dict[int, Array]  # by value: one hand of such a pair, by pair cards gone and second card


class Walk:
    """The hands of a table as a plan plays them; `limit` is the total from which on they are beyond it."""

    def __init__(self, table: ShoeGame, plan: Plan, limit: int | None) -> None:
        self.table, self.plan, self.limit = table, plan, limit
        self.first = np.flatnonzero(table.hands.size == 2)
        start = table.numbers.zeros(len(table.hands.low), UPS, 1, len(self.first))
        for place, row in enumerate(self.first):
            start[row, ~plan.surrenders[row] & ~table.is_natural[row], 0, place] = 1
        ends = follow(table.dealing, table.hands, plan.acts, start, _NOTHING_GONE)
        self._unsplit = _EndedHands(table.hands, plan.acts, ends, _NOTHING_GONE)
        if plan.hands.any():
            split_ends, gone = table.split_ends(plan.split_acts, plan.hands > 0)
            self._split = _EndedHands(table.split_hands, plan.split_acts, split_ends, gone)

    def against(self, busts: Busts, gathered: Array | None = None) -> Against:
        """All hands against an up card; `gathered` says how the dealer's hands over 21 go together."""
        every = np.arange(len(self.table.hands.low))
        unsplit = self._lot(self._unsplit, every, 0, busts.up)
        split = dict(self._split_lots(busts.up))
        first = self.table.hands.held[self.first]
        taken = [first, unsplit.taken, *(lot.taken for lot in split.values())]
        law_of = self._laws(busts, np.concatenate(taken), gathered)
        by_value: dict[int, list[Array]] = {}
        for (value, _), lot in split.items():
            by_value.setdefault(value, []).append(lot.against(law_of(lot.taken)))
        rows = self.first.tolist()
        return Against(
            dict(zip(rows, law_of(first), strict=True)),
            dict(zip(rows, unsplit.against(law_of(unsplit.taken)), strict=True)),
            {value: np.stack(parts) for value, parts in by_value.items()},
        )

    def _laws(self, busts: Busts, every: Ints, gathered: Array | None) -> Callable[[Ints], Array]:
        """The dealer's results, then the hands over 21, once each of these lots of cards is gone."""
        codes, first = np.unique(pack_hands(every), return_index=True)
        known, over = self.table.dealing.results(every[first], busts.up), busts.law(every[first])
        law = np.concatenate([known, over if gathered is None else over @ gathered], axis=1)
        return lambda taken: law[np.searchsorted(codes, pack_hands(taken))]

    def _split_lots(self, up: int) -> Iterator[tuple[tuple[int, int], _Lot]]:
        pairs = self.table.pairs
        if len(self.plan.hands):
            for value in distinct(pairs.value[(pairs.up == up) & (self.plan.hands > 0)]):
                rows = np.flatnonzero(self.table.split_hands.origin == value)
                for place in range(len(self._split.gone)):
                    yield (value, place), self._lot(self._split, rows, place, up)

    def _lot(self, ended: _EndedHands, rows: Ints, place: int, up: int) -> _Lot:
        end, entry = (each[rows, up, place] for each in (ended.ends.end, ended.ends.entry))
        live = ((end != 0) | (entry != 0)).any(axis=(1, 2))
        mine, taken = rows[live], ended.hands.cards_gone(int(ended.gone[place]))
        pays = self.table.pays
        classes = pays.class_of(ended.hands.total[mine])
        parts = [(taken[mine], classes, end[live], (entry - end)[live])]
        for cards, weight in self._cards_beyond(ended, rows, place, up):
            parts.append((cards, np.full(len(cards), pays.hand_classes), weight, -weight))
        whole = [np.concatenate(part) for part in zip(*parts, strict=True)]
        order = np.argsort(whole[1], kind="stable")
        cards, held, ended_, over = (part[order] for part in whole)
        return _Lot(cards, held, ended_, over, pays.hand_classes + 1)

    def _cards_beyond(
        self, ended: _EndedHands, rows: Ints, place: int, up: int
    ) -> Iterator[tuple[Ints, Array]]:
        """Cards of hands that end beyond the limit, and how likely, by kind and wagers."""
        hands, limit, decided = ended.hands, self.limit or _NO_LIMIT, ended.ends.decided[:, up, place]
        draws = (ended.acts[rows, up] != STAND) & (hands.low[rows] + 10 >= limit) & decided[rows].any(axis=1)
        for value in range(10) if draws.any() else ():
            mine = rows[draws & (hands.low[rows] + value + 1 >= limit)]
            drawn = chance(self.table.dealing, hands, mine, value, ended.gone[place : place + 1])[:, up]
            acts = ended.acts[mine, up, None]
            weight = np.stack(
                [np.where(acts == act, decided[mine] * drawn, 0) for act in (HIT, DOUBLE)], axis=-1
            )
            live = weight.any(axis=(1, 2))
            taken = hands.cards_gone(int(ended.gone[place]))[mine[live]]
            taken[:, value] += 1
            yield taken, weight[live]
