"""How whole rounds come out under a plan: the outcome table, and the figures that follow from it.

Unsplit rounds are exact. The hands of a split share the dealer's result, and each hand's law given that
result and the number of hands is exact too; between hands of one split nothing else is carried over. So the
mean is that of the plan, and the spread of split rounds leaves out the cards one hand takes from another.

A wager on the dealer's completed hand tells hands over 21 apart: each hand comes out exactly with each of
the dealer's hands, and so does what both wagers bring together on average.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import FigureTable, Number
from feltworks.analysis.progress import Progress, Track
from feltworks.analysis.solvers.numbers import EXACT, Array, distinct, plain
from feltworks.analysis.solvers.shoe_game.columns import Bonus, FirstHand, UpColumns
from feltworks.analysis.solvers.shoe_game.felts import STAND, UPS, Pay
from feltworks.analysis.solvers.shoe_game.hands import follow, joint_law
from feltworks.analysis.solvers.shoe_game.pays import HAND_OVER, NATURAL, OVER, PayRow, Pays
from feltworks.analysis.solvers.shoe_game.solver import Plan, ShoeGame
from feltworks.analysis.solvers.shoe_game.splits import Pattern, SplitHandLaw, patterns, split_hand_law

_RESIDUE = 1e-14
INSIDE, BEYOND, GIVEN_UP = range(3)  # the player's hand: inside a bonus wager's limit, beyond it, surrendered
_PLENTY = 4  # times what a column would have by its part: more than enough to take from
_NOTHING_GONE = np.zeros(1, np.int64)
OutcomeKey = tuple[str, Fraction, Fraction, int]  # name, wagered, net; which of these the hand is
Law = dict[OutcomeKey, Array]  # how likely, by column of the dealer's hand and kind of deal
# By what was wagered, what is won and how many hands are beyond a limit: pair by pair, by column.
Spread = dict[tuple[Fraction, Fraction, int], Array]


class RoundOutcome(Struct, frozen=True):
    """One way a round can come out, per unit opened with."""

    name: str
    probability: Number
    net: Fraction
    wagered: Fraction


class RoundFigures(FigureTable[Number], frozen=True, dict=True):
    """The figures of the blackjack wager; in decimals, unless its solver works in fractions."""

    outcomes: tuple[RoundOutcome, ...]

    def _sum(self, parts: Iterable[Number]) -> Number:
        return sum(parts)


class Deals(Struct, frozen=True):
    """How likely the first three cards are: by hand and up card, and by pair that may be split; by kind last.

    A kind is whatever else these cards decide, such as the outcome of a bonus wager. `apart` lists them by
    what their suits say, where that is asked.
    """

    hands: Array
    pairs: Array
    apart: tuple[FirstHand, ...] = ()


def residue(table: ShoeGame) -> float:
    """What adding and taking away can leave of nothing, as a part of all: nothing in fractions."""
    return 0 if table.numbers is EXACT else _RESIDUE


def all_deals(table: ShoeGame) -> Deals:
    """Where nothing else is decided: all of one kind."""
    return Deals(table.deals[..., None], table.pairs.likely[:, None])


def figures(table: ShoeGame, plan: Plan) -> RoundFigures:
    """The outcome table of this plan, best outcomes first."""
    gathered: dict[tuple[str, Fraction, Fraction], Number] = {}
    for (name, wagered, net, _), likely in play_rounds(table, plan, all_deals(table)).items():
        gathered[name, net, wagered] = gathered.get((name, net, wagered), 0) + plain(likely.sum())
    every = (RoundOutcome(name, p, net, wagered) for (name, net, wagered), p in gathered.items())
    rows = [row for row in every if row.probability > residue(table)]
    return RoundFigures(tuple(sorted(rows, key=lambda row: (-row.net, row.probability, row.name))))


class Rounds(Struct, frozen=True):
    """Every way a round comes out, without a split and with one."""

    unsplit: Law
    split: Law

    def items(self) -> list[tuple[OutcomeKey, Array]]:
        return [*self.unsplit.items(), *self.split.items()]


def play_rounds(
    table: ShoeGame, plan: Plan, deals: Deals, bonus: Bonus | None = None, progress: Progress | None = None
) -> Rounds:
    """The rounds that begin like this; a bonus wager adds the columns that it tells apart."""
    return _Play(table, plan, deals, bonus).rounds(progress)


class _Case(Struct, frozen=True):
    """A pair that is split: which of the table's, how likely with each kind, and what one hand comes to."""

    pair: int
    likely: Array
    brought: Array


class _Play:
    def __init__(self, table: ShoeGame, plan: Plan, deals: Deals, bonus: Bonus | None) -> None:
        self.table, self.plan, self.deals, self.bonus = table, plan, deals, bonus
        self.limit = bonus.limit if bonus else None
        self.pays = table.pays if bonus is None else table.pays.widen(bonus.width)
        self.chosen = np.flatnonzero(plan.hands)  # pairs that are split
        self.first = np.flatnonzero(table.hands.size == 2)
        at_once = table.is_natural[:, None] | plan.surrenders
        acts = np.where(at_once, STAND, plan.acts)
        self.ends = follow(table.dealing, table.hands, acts, self._start(), _NOTHING_GONE)
        if bonus and len(self.chosen):
            self.split_ends = table.split_ends(plan.split_acts, plan.hands > 0)

    def _start(self) -> Array:
        """Where hands start that are not split: by kind, or by first two cards where suits are asked for."""
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
        """The pays of unsplit hands by wagers and class: hands over the limit, naturals, surrendered ones."""
        pays = self.pays
        return [(*rows, pays.natural, pays.surrendered, rows[HAND_OVER]) for rows in pays.alone]

    def _state(self, held: int) -> int:
        natural = self.pays.hand_classes
        return {natural + 1: GIVEN_UP, natural + 2: BEYOND}.get(held, INSIDE)

    def _unsplit(self, up: int, columns: UpColumns) -> Array:
        """By wagers, class, column and kind."""
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
        """The kinds of pair that it is, as far as they are split, and how likely."""
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
        """All hands of one pattern together, and what a dealer's blackjack takes before there are any."""
        peeks, hands = self.table.rules.peeks, law.hands(pattern)
        dealer = hands[0][0].sum(axis=(1, 2))  # how likely the pattern is with each of the dealer's hands
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
        """A hand's law by what it is paid; in finer columns a dealer's hand over 21 counts in those alone."""
        for column, pay in enumerate(row):
            if np.any(likely[column]) and not (self.bonus and column == OVER):
                alone = np.zeros_like(likely)
                alone[column] = likely[column]
                yield (_name(pay), pay.wagered, pay.net, state), alone


def _add(law: Law, key: OutcomeKey, likely: Array) -> None:
    law[key] = law[key] + likely if key in law else likely


def _name(pay: Pay) -> str:
    """What a round is called that was paid like this."""
    return pay.outcome + (", doubled" if pay.wagered > 1 else "")


def _pattern_spread(pays: Pays, hands: list[tuple[Array, int]], peeks: bool) -> Spread:
    """All hands of one pattern together: the first that is left answers for the original wager."""
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
    """A hand that goes over 21, or is the first that does not, and any hand after that one.

    Each by what it wagers and wins, given the dealer's result: pair by pair.
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
    """The same spread with a dealer's hand over 21 in its own column, all such hands together as before.

    Between the hands of a split a finer result of the dealer's carries over more than the result alone. What
    that adds is taken back from the columns that have it: each wager keeps its law, both together their mean.
    """
    parts = np.stack(list(spread.values()))
    over = parts[:, :, known:]
    more = parts[:, :, OVER] - over.sum(axis=2)
    less = more < -faint  # what rounding leaves of nothing takes nothing back
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
