"""The outcome table of whole rounds under a plan, and the figures that follow from it.

Unsplit rounds are exact. The hands of a split share the dealer's result, and each hand's law given that result
and the number of hands is exact, too; given these, the hands are taken as independent. So the mean is exact, and
the variance of split rounds neglects the effect of cards that one hand takes from another.

With a wager on the dealer's completed hand, hands over 21 have separate columns: the joint law of each hand and
the dealer's is exact, and so is the mean of the product of both wagers.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import FigureTable, Number
from feltworks.analysis.progress import Progress, Track
from feltworks.analysis.solvers.numbers import EXACT, Array, distinct, plain
from feltworks.analysis.solvers.shoe_game.bonus import Bonus, FirstHand, UpColumns
from feltworks.analysis.solvers.shoe_game.hands import follow, joint_law
from feltworks.analysis.solvers.shoe_game.pays import HAND_OVER, NATURAL, OVER, PayRow, Pays
from feltworks.analysis.solvers.shoe_game.rules import STAND, UPS, Pay
from feltworks.analysis.solvers.shoe_game.solver import Plan, ShoeGame
from feltworks.analysis.solvers.shoe_game.splits import Pattern, SplitHandLaw, patterns, split_hand_law

_RESIDUE = 1e-14
INSIDE, BEYOND, GIVEN_UP = range(3)  # states of the player's hand: within a bonus wager's limit, beyond it, surrendered
_PLENTY = 4  # a factor on a column's share: more than the largest correction
_NOTHING_GONE = np.zeros(1, np.int64)
OutcomeKey = tuple[str, Fraction, Fraction, int]  # name, wagered, net, and one of these states
Law = dict[OutcomeKey, Array]  # probabilities by column of the dealer's hand and kind of deal
# By money wagered, net and number of hands beyond a limit: probabilities by pair and column.
Spread = dict[tuple[Fraction, Fraction, int], Array]


class RoundOutcome(Struct, frozen=True):
    """One outcome of a round, per unit of the opening wager."""

    name: str
    probability: Number
    net: Fraction
    wagered: Fraction


class RoundFigures(FigureTable[Number], frozen=True, dict=True):
    """The figures of the blackjack wager; decimals, unless the solver works in fractions."""

    outcomes: tuple[RoundOutcome, ...]

    def _sum(self, parts: Iterable[Number]) -> Number:
        return sum(parts)


class Deals(Struct, frozen=True):
    """The law of the first three cards: by hand and up card, and by pair that may be split; the last axis is the kind.

    A kind is anything else that these cards decide, such as the outcome of a bonus wager. `apart` lists them by
    the suits seen, if suits are needed.
    """

    hands: Array
    pairs: Array
    apart: tuple[FirstHand, ...] = ()


def residue(table: ShoeGame) -> float:
    """A bound on relative rounding errors of sums and differences: zero in fractions."""
    return 0 if table.numbers is EXACT else _RESIDUE


def all_deals(table: ShoeGame) -> Deals:
    """The law of all deals, with a single kind."""
    return Deals(table.deals[..., None], table.pairs.likely[:, None])


def figures(table: ShoeGame, plan: Plan) -> RoundFigures:
    """The figures of this plan, with the outcome table, best outcomes first."""
    gathered: dict[tuple[str, Fraction, Fraction], Number] = {}
    for (name, wagered, net, _), likely in play_rounds(table, plan, all_deals(table)).items():
        gathered[name, net, wagered] = gathered.get((name, net, wagered), 0) + plain(likely.sum())
    every = (RoundOutcome(name, p, net, wagered) for (name, net, wagered), p in gathered.items())
    rows = [row for row in every if row.probability > residue(table)]
    return RoundFigures(tuple(sorted(rows, key=lambda row: (-row.net, row.probability, row.name))))


class Rounds(Struct, frozen=True):
    """The laws of rounds without a split and with one."""

    unsplit: Law
    split: Law

    def items(self) -> list[tuple[OutcomeKey, Array]]:
        return [*self.unsplit.items(), *self.split.items()]


def play_rounds(
    table: ShoeGame, plan: Plan, deals: Deals, bonus: Bonus | None = None, progress: Progress | None = None
) -> Rounds:
    """The rounds after these deals; a bonus wager adds the columns that it distinguishes."""
    return _Play(table, plan, deals, bonus).rounds(progress)


class _Case(Struct, frozen=True):
    """A split pair: its rows among the table's pairs, its probability with each kind, and the law of one hand."""

    pair: int
    likely: Array
    brought: Array


class _Play:
    def __init__(self, table: ShoeGame, plan: Plan, deals: Deals, bonus: Bonus | None) -> None:
        self.table, self.plan, self.deals, self.bonus = table, plan, deals, bonus
        self.limit = bonus.limit if bonus else None
        self.pays = table.pays if bonus is None else table.pays.widen(bonus.width)
        self.chosen = np.flatnonzero(plan.hands)  # indices of pairs that are split
        self.first = np.flatnonzero(table.hands.size == 2)
        at_once = table.is_natural[:, None] | plan.surrenders
        acts = np.where(at_once, STAND, plan.acts)
        self.ends = follow(table.dealing, table.hands, acts, self._start(), _NOTHING_GONE)
        if bonus and len(self.chosen):
            self.split_ends = table.split_ends(plan.split_acts, plan.hands > 0)

    def _start(self) -> Array:
        """The first hands of unsplit rounds: by kind, or by first two cards if suits are needed."""
        if self.deals.apart:
            start = self.table.numbers.zeros(len(self.table.hands.low), UPS, 1, len(self.first))
            start[self.first, :, 0, np.arange(len(self.first))] = 1
            return start
        start, pairs = self.deals.hands.copy(), self.table.pairs
        mine = self.table.pair_rows()[self.chosen], pairs.up[self.chosen]
        np.subtract.at(start, mine, self.deals.pairs[self.chosen])
        return start[:, :, None, :]

    def rounds(self, progress: Progress | None) -> Rounds:
        rounds, cases = Rounds({}, {}), list[_Case]()
        ups = np.flatnonzero(self.table.counts).tolist()
        unsplit: Array = 0  # type: ignore[assignment]
        for _, up in Track(progress).branches([(1, up) for up in ups]):
            columns = UpColumns(self.table, up, self.bonus, is_apart=bool(self.deals.apart))
            unsplit = unsplit + self._unsplit(up, columns)
            cases += self._split_cases(up, columns)
        rows = self._rows()
        for wagers, held in product(*map(range, unsplit.shape[:2])):
            for key, likely in self._pay(rows[wagers][held], unsplit[wagers, held], self._state(held)):
                _add(rounds.unsplit, key, likely)
        for key, likely in self._split(cases) if cases else ():
            _add(rounds.split, key, likely)
        return rounds

    def _rows(self) -> list[tuple[PayRow, ...]]:
        """The pays of unsplit hands by wagers and class, with those over the limit, naturals and surrendered ones."""
        pays = self.pays
        return [(*rows, pays.natural, pays.surrendered, rows[HAND_OVER]) for rows in pays.alone]

    def _state(self, held: int) -> int:
        natural = self.pays.hand_classes
        return {natural + 1: GIVEN_UP, natural + 2: BEYOND}.get(held, INSIDE)

    def _unsplit(self, up: int, columns: UpColumns) -> Array:
        """The law of unsplit hands by wagers, class, column and kind."""
        table, natural = self.table, self.pays.hand_classes
        classes = np.where(table.is_natural, natural, self.pays.class_of(table.hands.total))
        classes = np.where(self.plan.surrenders[:, up], natural + 1, classes)
        law = joint_law(table.dealing, self.ends, up, columns.law_of, classes, natural + 2, self.limit)[0, 0]
        if not self.deals.apart:
            return np.moveaxis(law, 0, -1)
        place = {row: number for number, row in enumerate(self.first.tolist())}
        unsplit = table.numbers.zeros(*law.shape[1:3], len(self.pays.natural), self.deals.hands.shape[-1])
        for each in self.deals.apart:
            if each.up == up:
                deals = each.hands - sum(likely for _, likely in self._pairs(each))
                unsplit += columns.gather(law[place[each.row]], each.seen)[..., None] * deals
        return unsplit

    def _pairs(self, each: FirstHand) -> list[tuple[int, Array]]:
        """The kinds of the pair that are split, with their probabilities."""
        if not (len(self.chosen) and each.pairs.any()):
            return []
        table = self.table
        mine = (table.pairs.up == each.up) & (table.pair_rows() == each.row) & (self.plan.hands > 0)
        return [(pair, table.pair_shares[pair] * each.pairs) for pair in np.flatnonzero(mine).tolist()]

    def _split_cases(self, up: int, columns: UpColumns) -> Iterator[_Case]:
        table, pairs = self.table, self.table.pairs
        mine = self.chosen[pairs.up[self.chosen] == up]
        if not len(mine):
            return
        if self.bonus is None:
            law = self.plan.split_law[up]
        else:
            law = table.split_law_against(up, self.split_ends, columns.law_of, self.limit)
        place = table.pair_places
        if not self.deals.apart:
            yield from (_Case(pair, self.deals.pairs[pair], law[place[pair]]) for pair in mine.tolist())
        for each in self.deals.apart:
            for pair, likely in self._pairs(each) if each.up == up else ():
                yield _Case(pair, likely, columns.gather(law[place[pair]], each.seen))

    def _split(self, cases: list[_Case]) -> Iterator[tuple[OutcomeKey, Array]]:
        chosen = np.array([each.pair for each in cases])
        brought, likely = (np.stack([getattr(each, name) for each in cases]) for name in ("brought", "likely"))
        law = split_hand_law(self.table.dealing, self.table.pairs.only(chosen), brought)
        hands = self.plan.hands[chosen]
        for most in distinct(hands):
            mine = np.where((hands == most)[:, None], likely, 0)
            for pattern in patterns(most):
                yield from self._pattern(law, pattern, pattern.orders * mine)

    def _pattern(self, law: SplitHandLaw, pattern: Pattern, likely: Array) -> Iterator[tuple[OutcomeKey, Array]]:
        """The law of a round with one pattern of split hands, including a dealer's blackjack before the split."""
        peeks, hands = self.table.rules.peeks, law.hands(pattern)
        dealer = hands[0][0].sum(axis=(1, 2))  # the probability of the pattern with each dealer's hand
        if peeks:
            naturals = np.where(np.arange(dealer.shape[1]) == NATURAL, dealer, 0)
            yield from self._pay(self.pays.first[0][HAND_OVER], naturals.T @ likely, INSIDE)
        spread, name = _pattern_spread(self.pays, hands, peeks), f"split into {pattern.hands} hands"
        if self.bonus:
            spread = spread_over_columns(spread, dealer, self.table.pays.width, residue(self.table))
        for (wagered, net, beyond), part in spread.items():
            least = 1 if self.bonus and self.bonus.one_is_enough else pattern.hands
            yield (name, wagered, net, BEYOND if beyond >= least else INSIDE), part.T @ likely

    def _pay(self, row: PayRow, likely: Array, state: int) -> Iterator[tuple[OutcomeKey, Array]]:
        """A hand's law by its pay; hands over 21 count only in the finer columns, if there are any."""
        for column, pay in enumerate(row):
            if np.any(likely[column]) and not (self.bonus and column == OVER):
                alone = np.zeros_like(likely)
                alone[column] = likely[column]
                yield (_name(pay), pay.wagered, pay.net, state), alone


def _add(law: Law, key: OutcomeKey, likely: Array) -> None:
    law[key] = law[key] + likely if key in law else likely


def _name(pay: Pay) -> str:
    """The name of a round with these pays."""
    return pay.outcome + (", doubled" if pay.wagered > 1 else "")


def _pattern_spread(pays: Pays, hands: list[tuple[Array, int]], peeks: bool) -> Spread:
    """The total of all hands of one pattern; the first hand not over 21 answers for the original wager."""
    dealer = hands[0][0].sum(axis=(1, 2))
    if peeks:
        dealer[:, NATURAL] = 0
    owed: Spread = {(Fraction(0), Fraction(0), 0): dealer}
    paid: Spread = {}
    for hand, number in hands:
        over, left, later = _spreads(pays, hand)
        for _ in range(number):
            owed, paid = _join(owed, over), _merge(_join(owed, left), _join(paid, later))
    return _merge(owed, paid)


def _spreads(pays: Pays, law: Array) -> tuple[Spread, ...]:
    """The spreads of a hand over 21 or the first that is not, and of any hand after that one.

    Each by money wagered and net, given the dealer's result, for each pair.
    """
    beyond = pays.hand_classes
    given = law.sum(axis=(1, 2))
    given = np.where(given == 0, 1, given)
    spreads: tuple[Spread, ...] = {}, {}, {}
    for wagers, held, result in product(range(2), range(law.shape[2]), range(law.shape[-1])):
        likely = law[:, wagers, held, result]
        if likely.any():
            paid = HAND_OVER if held == beyond else held
            first = spreads[0 if paid == HAND_OVER else 1]
            for spread, rows in ((first, pays.first), (spreads[2], pays.later)):
                pay = rows[wagers][paid][result]
                key = pay.wagered, pay.net, int(held == beyond)
                part = spread.setdefault(key, np.zeros_like(given))
                part[:, result] += likely / given[:, result]
    return spreads


def spread_over_columns(spread: Spread, dealer: Array, known: int, faint: float) -> Spread:
    """Distribute a spread over the finer columns of dealer's hands over 21, without changing its sum.

    Hands of a split that are combined column by column depend more on each other than by the result alone. The
    difference is subtracted from the finer columns, so that each wager keeps its law and the joint mean is exact.
    """
    parts = np.stack(list(spread.values()))
    over = parts[:, :, known:]
    more = parts[:, :, OVER] - over.sum(axis=2)
    less = more < -faint  # ignores rounding errors
    room = np.where(less[:, :, None], over / np.where(less, -more, 1)[:, :, None], _PLENTY)
    share = dealer[:, known:] / np.where(dealer[:, OVER] == 0, 1, dealer[:, OVER])[:, None]
    share = np.minimum(room.min(axis=0), _PLENTY * share)
    every = share.sum(axis=1)[:, None]
    over += more[:, :, None] * (share / np.where(every == 0, 1, every))
    parts[:, :, OVER] = 0
    return dict(zip(spread, parts, strict=True))


def _merge(one: Spread, other: Spread) -> Spread:
    spread = dict(one)
    for key, likely in other.items():
        spread[key] = spread[key] + likely if key in spread else likely
    return spread


def _join(one: Spread, other: Spread) -> Spread:
    spread: Spread = {}
    for (wagered, net, beyond), likely in one.items():
        for (more_wagered, more_net, more_beyond), given in other.items():
            key = wagered + more_wagered, net + more_net, beyond + more_beyond
            part = likely * given
            spread[key] = spread[key] + part if key in spread else part
    return spread
