"""Rounds of blackjack together with a wager that the dealer's completed hand decides.

The round is followed from every first three cards to the cards the player ends with; against those each of
the dealer's hands has its exact law, and given its values a hand is of one suit as `walk.Busts` says. The
hands of a split share the dealer's result as they do in `rounds`, whose spread they keep; and since each of
them comes out exactly with each of the dealer's hands, so does what the two wagers bring together on
average.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import perm

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.progress import Progress, Track
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.situations import Situation
from feltworks.analysis.solvers.first_deal import FirstDeal
from feltworks.analysis.solvers.numbers import Array, Ints, distinct
from feltworks.analysis.solvers.shoe_game.dealer import Counts, by_value
from feltworks.analysis.solvers.shoe_game.pays import HAND_OVER, NATURAL, OVER, PayRow, Pays
from feltworks.analysis.solvers.shoe_game.rounds import (
    Deals,
    Spread,
    dealers_part,
    pattern_spread,
    round_name,
    split_name,
)
from feltworks.analysis.solvers.shoe_game.solver import Plan, ShoeGame
from feltworks.analysis.solvers.shoe_game.splits import Pattern, SplitHandLaw, patterns, split_hand_law
from feltworks.analysis.solvers.shoe_game.walk import Busts, SuitsSeen, Walk
from feltworks.cards import Card, Suit
from feltworks.hands.blackjack import points
from feltworks.machine.walk import Settled
from feltworks.rules.round import face_up

_PLENTY = 4  # times what a column would have by its part: more than enough to take from
INSIDE, BEYOND, GIVEN_UP = range(3)  # the player's hand: inside the wager's limit, beyond it, surrendered
OutcomeKey = tuple[str, Fraction, Fraction, int]  # name, wagered, net; which of these the hand is
KeyedLaw = tuple[OutcomeKey, Array]  # how likely by column and kind


class Bonus(Struct, frozen=True):
    """How the wager comes out, by the player's hand and column: the results, then kinds of hands over 21.

    `columns` says of a total over 21, and the number of cards if they are of one suit, which column it is.
    """

    outcomes: tuple[tuple[str, ...], ...]
    columns: Mapping[tuple[int, int], int]
    limit: int | None  # the total from which on a hand is beyond it
    one_is_enough: bool  # of split hands; or all have to be

    @property
    def width(self) -> int:
        return len(self.outcomes[INSIDE])


class FirstHand(Struct, frozen=True):
    """First two cards and an up card: how likely with each kind, and as a pair that may be split."""

    row: int
    up: int
    seen: SuitsSeen | None
    hands: Array
    pairs: Array


class _Split(Struct, frozen=True):
    """A pair that is split: which of the table's, how likely with each kind, and what one hand comes to."""

    pair: int
    likely: Array
    brought: Array


class BonusRounds(Struct, frozen=True):
    """Every way a round comes out, without a split and with one: by column of the bonus wager and kind."""

    unsplit: dict[OutcomeKey, Array]
    split: dict[OutcomeKey, Array]

    def chance_beyond(self) -> Array:
        """How likely the player's hand is beyond the limit, by column."""
        every = [*self.unsplit.items(), *self.split.items()]
        chances: Array = sum(likely.sum(axis=1) for (*_, state), likely in every if state == BEYOND)
        return chances


def bonus_rounds(
    table: ShoeGame, plan: Plan, bonus: Bonus, begun: Sequence[FirstHand], progress: Progress | None = None
) -> BonusRounds:
    """The rounds that begin like this, played by a plan."""
    walk, pays = Walk(table, plan, bonus.limit), _widen_pays(table.pays, bonus.width)
    outcomes, split = BonusRounds({}, {}), list[_Split]()
    ups = distinct(np.array([each.up for each in begun]))
    for _, up in Track(progress).branches([(1, up) for up in ups]):
        rounds = _Rounds(walk, bonus, up, [each for each in begun if each.up == up])
        for key, likely in rounds.unsplit(pays):
            outcomes.unsplit[key] = outcomes.unsplit.get(key, 0) + likely
        split += rounds.split()
    for key, likely in _split_rounds(walk, bonus, pays, split) if split else ():
        outcomes.split[key] = outcomes.split.get(key, 0) + likely
    return outcomes


class _Rounds:
    """The rounds that begin against one up card."""

    def __init__(self, walk: Walk, bonus: Bonus, up: int, begun: Sequence[FirstHand]) -> None:
        self.table, self.plan, self.bonus, self.begun = walk.table, walk.plan, bonus, begun
        self.known = self.table.pays.width  # columns of the dealer's results
        self.busts = Busts(self.table.dealing, self.table.shoe, up)
        self.is_gathered = all(each.seen is None for each in begun)
        self.against = walk.against(self.busts, self._gather_columns(None) if self.is_gathered else None)

    def unsplit(self, pays: Pays) -> Iterator[KeyedLaw]:
        zeros, shape = self.table.numbers.zeros, (self.bonus.width, len(self.begun[0].hands))
        beyond = pays.hand_classes
        played, at_once = zeros(2, beyond + 1, *shape), [zeros(*shape), zeros(*shape)]
        for each in self.begun:
            deals = each.hands - sum(self._share(pair) * each.pairs for pair in self._pairs(each))
            is_natural = int(self.table.is_natural[each.row])
            if is_natural or self.plan.surrenders[each.row, each.up]:
                law = self._columns(self.against.first[each.row], each.seen)
                at_once[is_natural] += law[:, None] * deals
            else:
                law = self._columns(self.against.unsplit[each.row], each.seen)
                played += law[..., None] * deals
        yield from _pay_rows(pays.surrendered, at_once[0], GIVEN_UP)
        yield from _pay_rows(pays.natural, at_once[1], INSIDE)
        for wagers, rows in enumerate(pays.alone):
            for held, row in enumerate(rows):
                yield from _pay_rows(row, played[wagers, held], BEYOND if held == beyond else INSIDE)

    def split(self) -> Iterator[_Split]:
        values = self.table.pairs.value
        for each in self.begun:
            for pair in self._pairs(each):
                brought = self._columns(self.against.split[int(values[pair])], each.seen)
                yield _Split(pair, self._share(pair) * each.pairs, brought)

    def _pairs(self, each: FirstHand) -> list[int]:
        """The kinds of pair that it is, as far as they are split."""
        if not (len(self.plan.hands) and each.pairs.any()):
            return []
        mine = (self.table.pairs.up == each.up) & (self.table.pair_rows() == each.row)
        pairs: list[int] = np.flatnonzero(mine & (self.plan.hands > 0)).tolist()
        return pairs

    def _share(self, pair: int) -> Array:
        """The part this kind has in the pairs of its value: where ranks count there are several."""
        pairs = self.table.pairs
        alike = (pairs.value == pairs.value[pair]) & (pairs.up == pairs.up[pair])
        share: Array = pairs.likely[pair] / pairs.likely[alike].sum()
        return share

    def _columns(self, law: Array, seen: SuitsSeen | None) -> Array:
        """The dealer's hands over 21 gathered by what the bonus wager makes of them."""
        if self.is_gathered:
            return law
        return np.concatenate(
            [law[..., : self.known], law[..., self.known :] @ self._gather_columns(seen)], axis=-1
        )

    def _gather_columns(self, seen: SuitsSeen | None) -> Array:
        hands, suited = self.busts.hands, self.busts.suited_chance(seen)
        gathered, places = self.table.numbers.zeros(len(hands), self.bonus.width), np.arange(len(hands))
        gathered[places, self._one_column[0]] += 1 - suited
        gathered[places, self._one_column[1]] += suited
        return gathered[:, self.known :]

    @cached_property
    def _one_column(self) -> tuple[Ints, Ints]:
        """The column of each of the dealer's hands over 21: of several suits, and of one."""
        columns, hands = self.bonus.columns, self.busts.hands
        mixed = np.array([columns[hand.total, 0] for hand in hands], np.int64)
        return mixed, np.array([columns[hand.total, hand.cards] for hand in hands], np.int64)


def _split_rounds(walk: Walk, bonus: Bonus, pays: Pays, split: Sequence[_Split]) -> Iterator[KeyedLaw]:
    chosen = np.array([each.pair for each in split])
    brought = np.stack([each.brought for each in split])
    law = split_hand_law(walk.table.dealing, walk.table.pairs.only(chosen), brought)
    hands, likely = walk.plan.hands[chosen], np.stack([each.likely for each in split])
    for most in distinct(hands):
        mine = np.where((hands == most)[:, None], likely, 0)
        for pattern in patterns(most):
            yield from _pattern(walk.table, bonus, pays, law, pattern, pattern.orders * mine)


def _pattern(
    table: ShoeGame, bonus: Bonus, pays: Pays, law: SplitHandLaw, pattern: Pattern, likely: Array
) -> Iterator[KeyedLaw]:
    """All hands of one pattern together, and what a dealer's blackjack takes before there are any."""
    peeks, dealer = table.rules.peeks, dealers_part(law, pattern)
    if peeks:
        naturals = np.where(np.arange(bonus.width) == NATURAL, dealer, 0)
        yield from _pay_rows(pays.first[0][HAND_OVER], naturals.T @ likely, INSIDE)
    spread = pattern_spread(pays, law, pattern, peeks)
    for (wagered, net, beyond), part in _spread_over_columns(spread, dealer, table.pays.width).items():
        is_beyond = beyond > 0 if bonus.one_is_enough else beyond == pattern.hands
        yield (split_name(pattern), wagered, net, BEYOND if is_beyond else INSIDE), part.T @ likely


def _spread_over_columns(spread: Spread, dealer: Array, known: int) -> Spread:
    """The same spread with a dealer's hand over 21 in its own column, all such hands together as before.

    Between the hands of a split a finer result of the dealer's carries over more than `rounds` does. What
    that adds is taken back from the columns that have it: each wager keeps its law, both together their mean.
    """
    parts = np.stack(list(spread.values()))
    over = parts[:, :, known:]
    more = parts[:, :, OVER] - over.sum(axis=2)
    room = np.where((more < 0)[:, :, None], over / np.where(more < 0, -more, 1)[:, :, None], _PLENTY)
    share = dealer[:, known:] / np.where(dealer[:, OVER] == 0, 1, dealer[:, OVER])[:, None]
    share = np.minimum(room.min(axis=0), _PLENTY * share)
    every = share.sum(axis=1)[:, None]
    over += more[:, :, None] * (share / np.where(every == 0, 1, every))
    parts[:, :, OVER] = 0
    return dict(zip(spread, parts, strict=True))


def _pay_rows(row: PayRow, likely: Array, state: int) -> Iterator[KeyedLaw]:
    """A hand's law by what it is paid; a dealer's hand over 21 counts in its own column alone."""
    for column, pay in enumerate(row):
        if column != OVER and np.any(likely[column]):
            alone = np.zeros_like(likely)
            alone[column] = likely[column]
            yield (round_name(pay), pay.wagered, pay.net, state), alone


def _widen_pays(pays: Pays, width: int) -> Pays:
    """The same pays with all columns, and with hands beyond the limit as those over 21."""
    wider = pays.map_rows(lambda row: row + (row[OVER],) * (width - len(row)))
    alone, first, later = (
        tuple((*rows, rows[HAND_OVER]) for rows in by_wagers)
        for by_wagers in (wider.alone, wider.first, wider.later)
    )
    return replace(wider, alone=alone, first=first, later=later)


HandKey = tuple[int, int, SuitsSeen | None]  # row, up card, and what the suits say where that is asked


class FirstCards(Struct, frozen=True):
    """In how many ways first two cards, up card and the others' results come: as hands, and pairs of them."""

    hands: Counter[tuple[HandKey, Settled]]
    pairs: Counter[tuple[HandKey, Settled]]

    @property
    def kinds(self) -> list[Settled]:
        return sorted({kind for _, kind in self.hands})


def first_cards(
    question: Question, answer: Answer, table: ShoeGame, decided: Sequence[str], *, suits: bool
) -> FirstCards:
    """All of them, the wagers that ask before the up card being answered as the answer plays them."""
    first = FirstCards(Counter(), Counter())
    spot = FirstDeal(table.game, {name: question.stakes[name] for name in decided}, table.shoe)
    first_two = perm(spot.shoe.total, 2)
    by_suit: dict[Suit | None, Counts] = {suit: by_value(table.shoe, suit) for suit in Suit}
    for situation, choice in _choices(question, answer, spot):
        seat = spot.seats_by_choice(situation.shown)[choice]
        one, two = face_up(seat.cards)
        values = tuple(sorted((points(one) - 1, points(two) - 1)))
        row, ways = table.hands.row(*values), int(situation.probability * first_two)
        is_pair = _is_pair(table, one, two)
        for up_card, count in spot.drawable((one, two)):
            settled = spot.settlement(seat, dict(spot.outcomes((one, two), up_card)))
            alike = tuple(sorted(points(face) - 1 for face in (one, two) if face.suit is up_card.suit))
            seen = SuitsSeen(values, alike, by_suit[up_card.suit]) if suits else None
            key = (row, points(up_card) - 1, seen), settled
            first.hands[key] += ways * count
            if is_pair:
                first.pairs[key] += ways * count
    return first


def _choices(question: Question, answer: Answer, spot: FirstDeal) -> Iterator[tuple[Situation, str]]:
    """The first two cards and what is answered to the wagers that ask there, as the answer plays them."""
    if answer.situations and answer.situations[0].shown.seats[0].cards:
        yield from zip(answer.situations, answer.choices, strict=True)
        return
    for situation in spot.situations():
        yield situation, situation.best(question.serving)


def _is_pair(table: ShoeGame, first: Card, second: Card) -> bool:
    """Whether these two make a pair that may be split."""
    return any({first, second} <= kind for kind in table.rules.kinds[points(first) - 1])


def deals_of(first: FirstCards, table: ShoeGame) -> Deals:
    """By hand and pair, for a round to begin with."""
    place = {kind: index for index, kind in enumerate(first.kinds)}
    hands = np.zeros((*table.deals.shape, len(place)), np.int64)
    values = np.zeros_like(hands)
    for ways, counted in ((hands, first.hands), (values, first.pairs)):
        for ((row, up, _), kind), number in counted.items():
            ways[row, up, place[kind]] = number
    pairs, whole = table.pairs, table.numbers.whole
    every = whole(np.full(1, hands.sum()))
    of_value = table.numbers.ratio(whole(values[table.pair_rows(), pairs.up]), every)
    return Deals(table.numbers.ratio(whole(hands), every), of_value * _shares(table)[:, None])


def _shares(table: ShoeGame) -> Array:
    """The part each kind of pair has in the pairs of its value against an up card."""
    pairs = table.pairs
    every = table.numbers.zeros(10, table.deals.shape[1])
    np.add.at(every, (pairs.value, pairs.up), pairs.likely)
    return pairs.likely / every[pairs.value, pairs.up]


def first_hands(first: FirstCards, table: ShoeGame) -> list[FirstHand]:
    """By hand and what its suits say, for a round with a bonus wager on the dealer's hand to begin with."""
    place = {kind: index for index, kind in enumerate(first.kinds)}
    every, whole = np.full(1, first.hands.total()), table.numbers.whole
    counts: dict[HandKey, Array] = {}
    for number, counted in enumerate((first.hands, first.pairs)):
        for (hand, kind), ways in counted.items():
            counts.setdefault(hand, np.zeros((2, len(place)), np.int64))[number, place[kind]] = ways
    return [
        FirstHand(*hand, *table.numbers.ratio(whole(ways), whole(every))) for hand, ways in counts.items()
    ]


def all_first_hands(table: ShoeGame) -> list[FirstHand]:
    """The same where no other wager is there: every hand and up card, of one kind."""
    pairs = table.numbers.zeros(*table.deals.shape)
    np.add.at(pairs, (table.pair_rows(), table.pairs.up), table.pairs.likely)
    rows, ups = np.nonzero(table.deals)
    return [
        FirstHand(row, up, None, table.deals[row, up : up + 1], pairs[row, up : up + 1])
        for row, up in zip(rows.tolist(), ups.tolist(), strict=True)
    ]
