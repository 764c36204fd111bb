"""A table against a known shoe: the hands, the dealer's laws, and the best way to play.

What is optimised: every unsplit hand by its exact cards, and whether to stand, hit, double, surrender or
split. What is held fixed: the hands of a split are all played by one rule that looks at the hand's own
cards, the best such rule for a split into two (the up card and both pair cards gone); pairs are split
again up to the number of hands, within the table's, that brings most. For that play the expectation is exact,
but for one thing: see `splits.expectation` on a dealer who does not peek and takes the original wager only.
"""

from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import Number
from feltworks.analysis.solvers.numbers import EXACT, FLOATS, Array, Bools, Ints, distinct, plain
from feltworks.analysis.solvers.shoe_game.dealer import Dealing, by_value
from feltworks.analysis.solvers.shoe_game.felts import UPS
from feltworks.analysis.solvers.shoe_game.hands import (
    Ends,
    Hands,
    Open,
    Values,
    follow,
    open_choices,
    pack_hands,
    results,
    split_hands,
    unsplit_hands,
    values,
)
from feltworks.analysis.solvers.shoe_game.pays import NATURAL, PayRow, Pays, nets, pays_of
from feltworks.analysis.solvers.shoe_game.rules import HIGHEST, table_rules
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

# A pair that loses this much by one split gains nothing by splitting again.
_HOPELESS = 0.05


class Plan(Struct, frozen=True):
    """How a spot is played, and what splitting brings by that play."""

    acts: Ints  # unsplit hand by up card: stand, hit or double
    surrenders: Bools
    split_acts: Ints
    hands: Ints  # of each pair: how many hands it is split into at most, 0 where it is not split
    split_law: Array  # the joint law of one split hand and the dealer: see `results`
    split_values: Array  # of each pair


class ShoeGame:
    """The rules of a table with the composition of its shoe."""

    def __init__(self, game: Game[Any], shoe: Shoe | None = None, *, exact: bool = False) -> None:
        self.game: Any = game  # solvers of the up card beside it ask for a type of their own
        self.rules = table_rules(game)
        self.shoe = game.terms.shoe if shoe is None else shoe
        self.numbers = EXACT if exact else FLOATS
        self.counts: Ints = np.array(by_value(self.shoe), np.int64)
        self.rules.goes_by_values  # noqa: B018  # or it is refused
        self.most_hands = np.array(self.rules.most_hands)
        self._check_whole_round()

    def _check_whole_round(self) -> None:
        """No round may run out of cards: the laws here know no such round."""
        dealer = max(end.total for end in self.rules.houses)
        needed = HIGHEST * max(self.rules.most_hands) + dealer
        points = int(self.counts @ np.arange(1, 11))
        if points <= needed:
            raise ImpossibleRound(
                f"the shoe holds {points} points; a round at this table can use up to {needed}"
            )

    @cached_property
    def dealing(self) -> Dealing:
        return Dealing(self.counts, self.rules.dealer, self.pays, self.numbers)

    @cached_property
    def hands(self) -> Hands:
        return unsplit_hands(self.rules, self.counts)

    @cached_property
    def split_hands(self) -> Hands:
        """Hands of pairs that may be split; where split cards take one card each, none is longer."""
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
    def _laws(self) -> tuple[Array, Array]:
        """The dealer's results against every unsplit hand, and every hand of two that split a pair."""
        taken = np.concatenate([self.hands.cards_gone(0), self.split_hands.cards_gone(1)])
        _, first, back = np.unique(pack_hands(taken), return_index=True, return_inverse=True)
        law = np.stack([self.dealing.results(taken[first], up) for up in range(UPS)], axis=1)
        parts = np.split(back, [len(self.hands.low)])
        return law[parts[0]], law[parts[1]]

    @property
    def law(self) -> Array:
        return self._laws[0]

    @cached_property
    def pays(self) -> Pays:
        return pays_of(self.rules)

    @cached_property
    def alone_nets(self) -> Array:
        return nets(self.pays.alone, self.numbers)

    @cached_property
    def first_nets(self) -> Array:
        return nets(self.pays.first, self.numbers)

    @cached_property
    def later_nets(self) -> Array:
        return nets(self.pays.later, self.numbers)

    @cached_property
    def pairs(self) -> Pairs:
        return splittable_pairs(self.rules, self.shoe, self.counts, self.numbers)

    @property
    def is_natural(self) -> Bools:
        return self.open.is_natural

    @cached_property
    def deals(self) -> Array:
        """How likely each first two cards are with each up card, by hand and up card; 0 for longer hands."""
        rows = np.flatnonzero(self.hands.size == 2)
        held, total = self.hands.held[rows], self.dealing.total
        ways = np.prod([_falling(self.counts[v], held[:, v]) for v in range(10)], axis=0)
        ways = ways * np.where(held.max(axis=1) == 2, 1, 2)
        whole = self.numbers.whole(ways[:, None] * np.maximum(self.counts - held, 0))
        deals = self.numbers.zeros(len(self.hands.low), UPS)
        every = np.full(whole.shape, total * (total - 1) * (total - 2))
        deals[rows] = self.numbers.ratio(whole, self.numbers.whole(every))
        return deals

    @cached_property
    def surrender(self) -> Array:
        """What surrendering brings: by hand and up card."""
        return self._against_dealer(self.pays.surrendered)

    @cached_property
    def natural(self) -> Array:
        """What a blackjack brings."""
        return self._against_dealer(self.pays.natural)

    def _against_dealer(self, pays: PayRow) -> Array:
        worth: Array = (self.law * self.numbers.of([pay.net for pay in pays])).sum(axis=-1)
        return worth

    def values(self, acts: Ints | None = None) -> Values:
        """Every choice of an unsplit hand, played on best or by these acts."""
        return values(self.dealing, self.hands, self.law, self.alone_nets, self.open, acts=acts)

    def split_values(self, acts: Ints | None = None) -> Values:
        """The same for one hand of a pair split once: the mean of the first hand and the other."""
        nets = (self.first_nets + self.later_nets) / 2
        law, open_ = self._laws[1], self.split_open
        return values(self.dealing, self.split_hands, law, nets, open_, gone=1, acts=acts)

    def unsplit_worth(self, played: Values, surrenders: Bools) -> Array:
        """The worth of each hand that is not split, blackjacks and surrender included."""
        best = np.where(self.is_natural[:, None], self.natural, played.best)
        return np.where(surrenders, self.surrender, best)

    @property
    def may_surrender(self) -> Bools:
        """Which hands may be surrendered, by up card."""
        return self.open.surrender

    @cached_property
    def pair_row(self) -> Ints:
        """The unsplit hand that two cards of each value are; 0, the empty hand, where there are not two."""
        held = enumerate(self.counts)
        return np.array([self.hands.row(value, value) if count > 1 else 0 for value, count in held])

    def pair_rows(self) -> Ints:
        """The same for every pair that can be split."""
        return self.pair_row[self.pairs.value]

    def split_once(self, played: Values) -> Array:
        """What splitting into exactly two hands brings, for each pair."""
        hands = self.split_hands
        roots = np.zeros(10, np.int64)
        for value in distinct(hands.origin):
            roots[value] = hands.row(value, origin=value)
        return 2 * played.hit[roots[self.pairs.value], self.pairs.up]

    def split_law(self, acts: Ints, wanted: Bools) -> Array:
        """The joint law of one hand of a split and the dealer, for the wanted pairs.

        By place of the pair's value among those that can be split, up card, and as `results` goes on.
        """
        ends, gone = self.split_ends(acts, wanted)
        return results(self.dealing, self.split_hands, ends, gone)

    def split_ends(self, acts: Ints, wanted: Bools) -> tuple[Ends, Ints]:
        """Where one hand of a split ends, by second card, and with how many pair cards gone."""
        hands, pairs = self.split_hands, self.pairs
        deepest = max([most_gone(int(self.most_hands[value])) for value in pairs.value[wanted]], default=0)
        gone = 1 + np.arange(deepest + 1)
        start = beginnings(self.dealing, hands, gone)
        chosen = np.zeros((10, UPS), bool)
        chosen[pairs.value[wanted], pairs.up[wanted]] = True
        start *= chosen[hands.origin][:, :, None, None]
        return follow(self.dealing, hands, acts, start, gone), gone

    def of_pairs(self, split_law: Array) -> Array:
        """The law of each pair's split hands, pair by pair."""
        place = np.searchsorted(distinct(self.split_hands.origin), self.pairs.value)
        law: Array = split_law[place, self.pairs.up]
        return law

    def split_worth(self, split_law: Array, most: Ints) -> Array:
        """What splitting each pair brings where it may become so many hands."""
        law = split_hand_law(self.dealing, self.pairs, self.of_pairs(split_law))
        worth = np.zeros_like(self.pairs.likely)
        for hands in distinct(most[most > 1]):
            brought = expectation(law, self.first_nets, self.later_nets, hands)
            worth = np.where(most == hands, brought, worth)
        return worth

    def best_plan(self) -> Plan:
        """The best play of this table and shoe (see the module's first words)."""
        played = self.values()
        surrenders = self.may_surrender & (self.surrender > played.best)
        if not len(self.pairs.value):
            return self.plan_without_splits(played.acts, surrenders)
        split_played = self.split_values()
        unsplit = self.unsplit_worth(played, surrenders)[self.pair_rows(), self.pairs.up]
        law, worth, hands = self.split_best(split_played, unsplit)
        chosen = np.where(worth > unsplit, hands, 0)
        return Plan(played.acts, surrenders, split_played.acts, chosen, law, worth)

    def plan_without_splits(self, acts: Ints, surrenders: Bools) -> Plan:
        nothing = self.numbers.zeros(0)
        return Plan(acts, surrenders, np.zeros((0, UPS), np.int64), np.zeros(0, np.int64), nothing, nothing)

    def split_best(self, played: Values, unsplit: Array) -> tuple[Array, Array, Ints]:
        """The law of split hands, what splitting each pair brings, and into how many hands it brings most.

        Where one split is far behind not splitting, that one split is the answer.
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
        """The part of a worth that is decided once the dealer has peeked, and how likely it comes to that."""
        if not self.rules.peeks:
            return worth, np.ones_like(worth)
        natural = self.law[rows, :, NATURAL]
        lost = self.alone_nets[0, 0, NATURAL]
        return worth - natural * lost, 1 - natural

    def decision_frequencies(self, acts: Ints, start: Array) -> Array:
        """How often each unsplit hand comes up to be decided on, play beginning like this."""
        gone = np.zeros(1, np.int64)
        return follow(self.dealing, self.hands, acts, start[:, :, None, None], gone).decided[:, :, 0, 0]

    def expectation(self, plan: Plan) -> Number:
        """What a round brings by this plan, a wager of 1 being opened with."""
        kept = self.unsplit_worth(self.values(plan.acts), plan.surrenders)
        total = (self.deals * kept).sum()
        if len(plan.hands):
            gain = plan.split_values - kept[self.pair_rows(), self.pairs.up]
            total += np.where(plan.hands > 0, self.pairs.likely * gain, 0).sum()
        return plain(total)


def _falling(count: int, taken: Ints) -> Ints:
    return np.where(taken == 0, 1, np.where(taken == 1, count, count * (count - 1)))
