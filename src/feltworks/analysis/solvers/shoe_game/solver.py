"""Solves a table with a known shoe: the hands, the dealer's laws, and the best play.

Optimised: for every unsplit hand by its exact cards, whether to stand, hit, double, surrender or split. Fixed:
the hands of a split are all played by one rule that depends only on the hand's own cards, the best such rule for
a split into two (with the up card and both pair cards removed); pairs are split again up to the number of hands,
within the table's limit, that is worth most. The expectation of that play is exact with one exception: see
`splits.expectation` on a dealer who does not peek and takes only the original wager.
"""

from functools import cached_property, partial
from math import perm
from typing import Any

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import Number
from feltworks.analysis.solvers.numbers import EXACT, FLOATS, Array, Bools, Ints, distinct, plain
from feltworks.analysis.solvers.shoe_game.dealer import Dealing, by_value
from feltworks.analysis.solvers.shoe_game.hands import (
    Ends,
    Hands,
    LawOf,
    Open,
    Stakes,
    Values,
    follow,
    joint_law,
    open_choices,
    pack_hands,
    split_hands,
    unsplit_hands,
    values,
)
from feltworks.analysis.solvers.shoe_game.pays import NATURAL, PayRow, Pays, nets, pays_of
from feltworks.analysis.solvers.shoe_game.rules import HIGHEST, UPS, table_rules
from feltworks.analysis.solvers.shoe_game.splits import (
    Pairs,
    beginnings,
    expectation,
    most_gone,
    split_hand_law,
    splittable_pairs,
)
from feltworks.cards import Shoe
from feltworks.errors import ImpossibleRound
from feltworks.rules.game import Game

# A pair that loses this much by one split cannot gain by splitting again.
_HOPELESS = 0.05


class Conduct(Struct, frozen=True):
    """The acts of a player for every hand."""

    acts: Ints  # by unsplit hand and up card: stand, hit or double
    surrenders: Bools
    split_acts: Ints
    hands: Ints  # by pair: the most hands that it is split into, 0 if it is not split

    @property
    def key(self) -> tuple[bytes, ...]:
        """A key that is equal for equal conducts."""
        return tuple(part.tobytes() for part in (self.acts, self.surrenders, self.split_acts, self.hands))


class Plan(Conduct, frozen=True):
    """A conduct, with the worth of its splits."""

    split_law: Array  # the joint law of one split hand and the dealer: see `joint_law`
    split_values: Array  # by pair


class ShoeGame:
    """The rules of a table with the composition of its shoe."""

    def __init__(self, game: Game, shoe: Shoe | None = None, *, exact: bool = False) -> None:
        self.game: Any = game  # solvers of the up card require a narrower type
        self.rules = table_rules(game)
        self.shoe = game.terms.shoe if shoe is None else shoe
        self.numbers = EXACT if exact else FLOATS
        self.counts: Ints = np.array(by_value(self.shoe), np.int64)
        self.rules.goes_by_values  # noqa: B018  # raises if not
        self.most_hands = np.array(self.rules.most_hands)
        needed = HIGHEST * max(self.rules.most_hands) + max(end.total for end in self.rules.houses)
        points = int(self.counts @ np.arange(1, 11))
        if points <= needed:  # the laws assume that no round runs out of cards
            raise ImpossibleRound(f"the shoe holds {points} points; a round at this table can use up to {needed}")

    @cached_property
    def dealing(self) -> Dealing:
        return Dealing(self.counts, self.rules.dealer, self.pays, self.numbers)

    @cached_property
    def hands(self) -> Hands:
        return unsplit_hands(self.rules, self.counts)

    @cached_property
    def split_hands(self) -> Hands:
        """The hands of pairs that may be split; at most two cards if split cards take one card each."""
        able = np.flatnonzero((self.most_hands > 1) & (self.counts > 1))
        every = split_hands(self.hands, able)
        stuck = ~open_choices(self.rules, every).hit.any(axis=1) & (every.size == 2) & (every.total < 21)
        return split_hands(self.hands, able, short=np.array(distinct(every.origin[stuck]), np.int64))

    @cached_property
    def open(self) -> Open:
        return open_choices(self.rules, self.hands)

    @cached_property
    def split_open(self) -> Open:
        return open_choices(self.rules, self.split_hands)

    @cached_property
    def _laws(self) -> tuple[Ints, Array]:
        """The dealer's results by packed cards, for unsplit hands and hands of one split."""
        every = np.concatenate([self.hands.held, self.split_hands.taken(1)])
        codes, first = np.unique(pack_hands(every), return_index=True)
        return codes, np.stack([self.dealing.results(every[first], up) for up in range(UPS)], axis=1)

    def _known_laws(self, taken: Ints) -> Array:
        codes, law = self._laws
        known: Array = law[np.searchsorted(codes, pack_hands(taken))]
        return known

    def laws_against(self, up: int, taken: Ints) -> Array:
        """The dealer's results after each of these sets of cards is removed."""
        codes, law = self._laws
        mine = pack_hands(taken)
        place = np.minimum(np.searchsorted(codes, mine), len(codes) - 1)
        other = codes[place] != mine
        against: Array = law[place, up]
        if other.any():
            against[other] = self.dealing.results(taken[other], up)
        return against

    @cached_property
    def law(self) -> Array:
        """The dealer's results against every unsplit hand."""
        return self._known_laws(self.hands.held)

    @cached_property
    def pays(self) -> Pays:
        return pays_of(self.rules)

    @cached_property
    def nets(self) -> tuple[Array, Array, Array]:
        """The nets of hands: of an unsplit one, the first of a split, and later ones."""
        pays, numbers = self.pays, self.numbers
        return nets(pays.alone, numbers), nets(pays.first, numbers), nets(pays.later, numbers)

    @cached_property
    def pairs(self) -> Pairs:
        return splittable_pairs(self.rules, self.shoe, self.counts, self.numbers)

    @property
    def is_natural(self) -> Bools:
        return self.open.is_natural

    @cached_property
    def deals(self) -> Array:
        """The probability of each first two cards with each up card, by hand and up card; 0 for longer hands."""
        rows = np.flatnonzero(self.hands.size == 2)
        held, total = self.hands.held[rows], self.dealing.total
        ways = np.prod(np.where(held == 2, self.counts * (self.counts - 1), self.counts**held), axis=1)
        ways = ways * np.where(held.max(axis=1) == 2, 1, 2)
        deals = self.numbers.zeros(len(self.hands.low), UPS)
        deals[rows] = self.numbers.ratio(ways[:, None] * np.maximum(self.counts - held, 0), perm(total, 3))
        return deals

    @cached_property
    def surrender(self) -> Array:
        """The worth of surrendering, by hand and up card."""
        return self._against_dealer(self.pays.surrendered)

    @cached_property
    def natural(self) -> Array:
        """The worth of a blackjack, by up card."""
        return self._against_dealer(self.pays.natural)

    def _against_dealer(self, pays: PayRow) -> Array:
        worth: Array = (self.law * self.numbers.of([pay.net for pay in pays])).sum(axis=-1)
        return worth

    def values(self, acts: Ints | None = None) -> Values:
        """The worth of every choice of an unsplit hand, with later play best or by these acts."""
        return values(self.dealing, self.hands, Stakes(self.open, self.law, self.nets[0]), acts)

    def split_values(self, acts: Ints | None = None) -> Values:
        """As `values`, for one hand of a pair split once: the mean of the first hand and the other."""
        paid, law = (self.nets[1] + self.nets[2]) / 2, self._known_laws(self.split_hands.taken(1))
        return values(self.dealing, self.split_hands, Stakes(self.split_open, law, paid, gone=1), acts)

    def unsplit_worth(self, played: Values, surrenders: Bools) -> Array:
        """The worth of each unsplit hand, including blackjacks and surrender."""
        best = np.where(self.is_natural[:, None], self.natural, played.best)
        return np.where(surrenders, self.surrender, best)

    @cached_property
    def pair_row(self) -> Ints:
        """By value: the row of the unsplit hand of two such cards; 0, the empty hand, if the shoe has not two."""
        held = enumerate(self.counts)
        return np.array([self.hands.row(value, value) if count > 1 else 0 for value, count in held])

    def pair_rows(self) -> Ints:
        """The row of the unsplit hand of every pair that can be split."""
        return self.pair_row[self.pairs.value]

    def split_once(self, played: Values) -> Array:
        """The worth of splitting into exactly two hands, for each pair."""
        hands = self.split_hands
        roots = np.zeros(10, np.int64)
        for value in distinct(hands.origin):
            roots[value] = hands.row(value, origin=value)
        return 2 * played.hit[roots[self.pairs.value], self.pairs.up]

    def split_law(self, acts: Ints, wanted: Bools) -> Array:
        """The joint law of one hand of a split and the dealer, for the wanted pairs.

        Axes: up card, place of the pair's value among those that can be split, and those of `joint_law`.
        """
        ends = self.split_ends(acts, wanted)
        laws = (self.split_law_against(up, ends, partial(self.laws_against, up)) for up in range(UPS))
        return np.stack(list(laws))

    def split_law_against(self, up: int, ends: Ends, law_of: LawOf, limit: int | None = None) -> Array:
        classes = self.pays.class_of(self.split_hands.total)
        return joint_law(self.dealing, ends, up, law_of, classes, self.pays.hand_classes, limit)

    def split_ends(self, acts: Ints, wanted: Bools) -> Ends:
        """The ends of one hand of a split, by second card and number of pair cards gone."""
        hands, pairs = self.split_hands, self.pairs
        deepest = max([most_gone(int(self.most_hands[value])) for value in pairs.value[wanted]], default=0)
        gone = 1 + np.arange(deepest + 1)
        start = beginnings(self.dealing, hands, gone)
        chosen = np.zeros((10, UPS), bool)
        chosen[pairs.value[wanted], pairs.up[wanted]] = True
        start *= chosen[hands.origin][:, :, None, None]
        return follow(self.dealing, hands, acts, start, gone)

    @cached_property
    def pair_places(self) -> Ints:
        """The place of each pair's value among those that can be split."""
        return np.searchsorted(distinct(self.split_hands.origin), self.pairs.value)

    @cached_property
    def pair_shares(self) -> Array:
        """The part of each kind of pair in the pairs of its value, by up card."""
        pairs, every = self.pairs, self.numbers.zeros(10, UPS)
        np.add.at(every, (pairs.value, pairs.up), pairs.likely)
        return pairs.likely / every[pairs.value, pairs.up]

    def split_worth(self, split_law: Array, most: Ints) -> Array:
        """The worth of splitting each pair into at most so many hands."""
        law = split_hand_law(self.dealing, self.pairs, split_law[self.pairs.up, self.pair_places])
        worth = np.zeros_like(self.pairs.likely)
        for hands in distinct(most[most > 1]):
            value = expectation(law, self.nets[1], self.nets[2], hands)
            worth = np.where(most == hands, value, worth)
        return worth

    def best_plan(self) -> Plan:
        """The best play of this table and shoe (see the module's docstring)."""
        played = self.values()
        surrenders = self.open.surrender & (self.surrender > played.best)
        if not len(self.pairs.value):
            nothing = self.numbers.zeros(0)
            no_splits = np.zeros((0, UPS), np.int64), np.zeros(0, np.int64), nothing, nothing
            return Plan(played.acts, surrenders, *no_splits)
        split_played = self.split_values()
        unsplit = self.unsplit_worth(played, surrenders)[self.pair_rows(), self.pairs.up]
        law, worth, hands = self.split_best(split_played, unsplit)
        chosen = np.where(worth > unsplit, hands, 0)
        return Plan(played.acts, surrenders, split_played.acts, chosen, law, worth)

    def plan(self, conduct: Conduct) -> Plan:
        """The plan of a conduct, with the worth of its splits."""
        law, worth = self.numbers.zeros(0), self.numbers.zeros(len(conduct.hands))
        if conduct.hands.any():
            law = self.split_law(conduct.split_acts, conduct.hands > 0)
            worth = self.split_worth(law, conduct.hands)
        return Plan(conduct.acts, conduct.surrenders, conduct.split_acts, conduct.hands, law, worth)

    def hands_by_value(self, conduct: Conduct) -> Ints:
        """By value and up card: the most hands that a pair becomes, over all its kinds."""
        hands = np.zeros((10, UPS), np.int64)
        np.maximum.at(hands, (self.pairs.value, self.pairs.up), conduct.hands)
        return hands

    def split_best(self, played: Values, unsplit: Array) -> tuple[Array, Array, Ints]:
        """The law of split hands, the worth of splitting each pair, and the best number of hands.

        If one split is far worse than not splitting, further splits are not considered.
        """
        worth = self.split_once(played)
        hands, most = np.full(len(worth), 2), self.most_hands[self.pairs.value]
        hopeful = worth > unsplit - _HOPELESS
        law = self.split_law(played.acts, hopeful)
        worth = np.where(hopeful, self.split_worth(law, hands), worth)
        for number in range(3, int(most[hopeful].max(initial=2)) + 1):
            able = hopeful & (most >= number)
            more = self.split_worth(law, np.where(able, number, 0))
            gains = able & (more > worth)
            worth, hands = np.where(gains, more, worth), np.where(gains, number, hands)
        return law, worth, hands

    def without_blackjack(self, worth: Array, rows: Ints | slice = slice(None)) -> tuple[Array, Array]:
        """The part of a worth that is decided after the dealer's peek, and the probability of getting there."""
        if not self.rules.peeks:
            return worth, np.ones_like(worth)
        natural = self.law[rows, :, NATURAL]
        lost = self.nets[0][0, 0, NATURAL]
        return worth - natural * lost, 1 - natural

    def decision_frequencies(self, acts: Ints, start: Array) -> Array:
        """How often each unsplit hand has a decision, with these first hands."""
        gone = np.zeros(1, np.int64)
        return follow(self.dealing, self.hands, acts, start[:, :, None, None], gone).decided[:, :, 0, 0]

    def expectation(self, plan: Plan) -> Number:
        """The expectation of a round under this plan, per unit of the opening wager."""
        unsplit = self.unsplit_worth(self.values(plan.acts), plan.surrenders)
        total = (self.deals * unsplit).sum()
        gain = plan.split_values - unsplit[self.pair_rows(), self.pairs.up]
        return plain(total + np.where(plan.hands > 0, self.pairs.likely * gain, 0).sum())
