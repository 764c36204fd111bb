"""The joint probability of the dealer's hand and of certain cards taken by the player.

All orders of the cards are equally likely, so the player's and the dealer's places are filled together, value
by value; given the values, the suits (or ten-value ranks) are independent of everything else. The player's cards
of interest are those that end hands over a limit, or that are surrendered.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from math import comb, perm, prod
from typing import Final

import numpy as np
from msgspec import Struct

from feltworks.analysis.progress import Progress, Track
from feltworks.analysis.solvers.numbers import Bools, Ints
from feltworks.analysis.solvers.shoe_game.bonus import Made, bonus_of
from feltworks.analysis.solvers.shoe_game.chart import Chart, codes_of, conduct_of
from feltworks.analysis.solvers.shoe_game.dealer import Counts, HandGrowth, by_value, growths
from feltworks.analysis.solvers.shoe_game.hands import Hands
from feltworks.analysis.solvers.shoe_game.rules import DOUBLE, HIGHEST, HIT, VALUES
from feltworks.analysis.solvers.shoe_game.solver import Conduct, ShoeGame
from feltworks.analysis.solvers.shoe_game.splits import patterns
from feltworks.cards import Shoe, Suit
from feltworks.errors import FeltError
from feltworks.rules.game import Game

MOST_SUMS: Final = 10_000_000  # combinations of two hands' cards
# Cards are packed into one number, so that a sum combines two hands: a field for each value, aces highest, of as
# many bits as four hands of up to 31 points need; above them the cards that must be of one rank, and the total.
_WIDTHS: Final = (7, 6, 6, 5, 5, 5, 5, 4, 4, 4)
_SHIFTS: Final = tuple(sum(_WIDTHS[value + 1 :]) for value in VALUES)
_RANKED, _OF_RANK, _SIZE = sum(_WIDTHS), (1 << 4) - 1, sum(_WIDTHS) + 4
Tally = dict[int, int]  # by packed cards: the number of their orders


class TooManyHands(FeltError):
    """Raised when the hands of a split can end over the limit in too many ways to count."""

    def __init__(self, sums: int) -> None:
        super().__init__(
            f"to count how all hands of a split end over the limit under this play takes about {sums:,} steps, more"
            f" than {MOST_SUMS:,}; `felt simulate` measures it, and a play that stands on hard 17 needs no count"
        )


def write_cards(held: Sequence[int], ranked: int = 0) -> int:
    """Pack cards by value, aces first, with the number of those that must be of one rank."""
    cards = sum(count << shift for count, shift in zip(held, _SHIFTS, strict=True))
    return cards + (ranked << _RANKED) + (sum(held) << _SIZE)


def sum_tallies(parts: Iterable[tuple[int, Tally]]) -> Tally:
    """The sum of tallies, each multiplied by its factor."""
    total: Tally = {}
    for times, part in parts:
        for cards, orders in part.items():
            total[cards] = total.get(cards, 0) + times * orders
    return {cards: orders for cards, orders in total.items() if orders}


def multiply(one: Tally, other: Tally) -> Tally:
    """The tally of the combined cards of several hands."""
    if (sums := len(one) * len(other)) > MOST_SUMS:
        raise TooManyHands(sums)
    if not sums:
        return {}
    is_small = max(map(abs, one.values())) * max(map(abs, other.values())) * sums < 2**62
    (codes, ways), (more, times) = (
        (np.fromiter(each, np.int64), np.array(list(each.values()), np.int64 if is_small else object))
        for each in (one, other)
    )
    cards, orders = np.add.outer(codes, more).ravel(), np.multiply.outer(ways, times).ravel()
    order = np.argsort(cards, kind="stable")
    cards, orders = cards[order], orders[order]
    starts = np.flatnonzero(np.append(True, cards[1:] != cards[:-1]))
    return dict(zip(cards[starts].tolist(), np.add.reduceat(orders, starts).tolist(), strict=True))


class TakenCards(Struct, frozen=True, eq=False):
    """The cards of one hand, or of each split hand: `free` and `closed` ones as in `splits`."""

    free: Tally
    closed: Tally = {}
    hands: int = 1  # the most hands; 1 without a split
    times: int = 1

    @property
    def key(self) -> tuple[object, ...]:
        """A key that is equal for equal cards."""
        return frozenset(self.free.items()), frozenset(self.closed.items()), self.hands, self.times

    def tally(self) -> Tally:
        """The tally of all hands together."""
        if self.hands == 1:
            return self.free

        @cache
        def fill(closed: int, free: int) -> Tally:
            """So many hands of each."""
            if not closed and not free:
                return {0: 1}
            return multiply(fill(closed, free - 1), self.free) if free else multiply(fill(closed - 1, 0), self.closed)

        return sum_tallies((end.orders, fill(end.closed, end.free)) for end in patterns(self.hands))


def likely(
    taken: TakenCards, hands: Sequence[Counts], counts: Counts, track: Track
) -> Iterator[tuple[Counts, int, Fraction]]:
    """The dealer's hands, the number of the player's cards that must be of one rank, and the joint probability."""
    rows, total, by_end = taken.tally(), sum(counts), dict[Counts, list[Counts]]()
    for hand in hands:
        by_end.setdefault(hand[-2:], []).append(hand)
    for _, alike in track.branches([(len(alike), alike) for alike in by_end.values()]):
        for hand, met in _fill_places(rows, alike, counts, len(counts) - 1):
            for label, ways in met.items():
                size = label >> _SIZE - _RANKED
                yield hand, label & _OF_RANK, Fraction(taken.times * ways, perm(total, size + sum(hand)))


def _fill_places(rows: Tally, hands: Sequence[Counts], counts: Counts, value: int) -> Iterator[tuple[Counts, Tally]]:
    """Each of the dealer's hands with the number of ways to fill its places and the player's.

    With n cards of a value in the shoe, t to the player and d to the dealer have n·(n−1)·… ways, t + d factors.
    Values are processed one by one, so that player's cards that differ only in processed values are merged.
    """
    if value < 0:
        yield hands[0], rows
        return
    width, count = _WIDTHS[value], counts[value]
    mask = (1 << width) - 1
    for held in sorted({hand[value] for hand in hands}):
        ways = [perm(count, held + more) for more in range(mask + 1)]
        next_tally: Tally = {}
        for cards, orders in rows.items():
            if times := ways[cards & mask]:
                rest = cards >> width
                next_tally[rest] = next_tally.get(rest, 0) + orders * times
        if next_tally:
            yield from _fill_places(next_tally, [hand for hand in hands if hand[value] == held], counts, value - 1)


class ByPlay(Struct, frozen=True):
    """The probability of each dealer's hand together with a player's hand that changes the wager's result."""

    surrendered: Mapping[Made, Fraction]
    beyond: Mapping[Made, Fraction]


def law_by_play(game: Game, shoe: Shoe, strategy: Chart | Conduct, progress: Progress | None = None) -> ByPlay:
    """How often hands under this conduct are surrendered or end beyond the limit."""
    table = ShoeGame(game, shoe, exact=True)
    conduct = strategy if isinstance(strategy, Conduct) else conduct_of(table, codes_of(strategy))
    known = _laws(game, shoe, conduct.key)
    if not known:
        known.append(_law_by_play(table, conduct, progress))
    return known[0]


@lru_cache(maxsize=4)
def _laws(*_: object) -> list[ByPlay]:
    """The cache for the law of each conduct."""
    return []


def _law_by_play(table: ShoeGame, conduct: Conduct, progress: Progress | None) -> ByPlay:
    bonus, ups = bonus_of(table.game), np.flatnonzero(table.counts).tolist()
    given_up, beyond = dict[Made, Fraction](), dict[Made, Fraction]()
    if bonus.surrendered_seat:
        law = law_of_draws(table, {up: surrender_draws(table, conduct, up) for up in ups}, only_over=False)
        # A blackjack found by the dealer's peek ends the round before anyone can surrender
        given_up = {made: p for made, p in law.items() if made[0] or not table.rules.peeks}
    if limit := bonus.limit:
        over, enough = range(limit.total, HIGHEST + 1), limit.one_is_enough
        drawn = {up: over_limit_draws(table, conduct, up, over, one_is_enough=enough) for up in ups}
        beyond = law_of_draws(table, drawn, only_over=True, progress=progress)
    return ByPlay(given_up, beyond)


Share = tuple[Fraction, Fraction]  # parts of the ways by value: those that fit, and those also of one suit


class Kind(Struct, frozen=True):
    """Cards of one rank of a value: their number in each suit, and how many the player must hold."""

    value: int = 0
    by_suit: tuple[int, ...] = (0,) * len(Suit)
    held: int = 0


def law_of_draws(
    table: ShoeGame, drawn: Mapping[int, list[TakenCards]], *, only_over: bool, progress: Progress | None = None
) -> dict[Made, Fraction]:
    """The probability that the player takes these cards, by up card, and the dealer makes each hand.

    `only_over`: only for dealer's hands over 21.
    """
    groups, shares = _groups(table, drawn, 21 if only_over else 0), cache(partial(_share, table))
    track, law = Track(progress), dict[Made, Fraction]()
    efforts = [len(taken.free) ** taken.hands for taken, _ in groups]
    for _, (taken, ends) in track.branches(zip(efforts, groups, strict=True)):
        by_cards: dict[Counts, list[HandGrowth]] = {}
        for end in ends:
            by_cards.setdefault(end.counts, []).append(end)
        for counts, ranked, chance in likely(taken, list(by_cards), by_value(table.shoe), track):
            for end in by_cards[counts]:
                _add(law, end, chance * end.ways, shares(ranked, counts))
    return law


def _groups(
    table: ShoeGame, drawn: Mapping[int, list[TakenCards]], above: int
) -> list[tuple[TakenCards, list[HandGrowth]]]:
    """The distinct sets of cards taken, with the dealer's hands from all up cards that share the set."""
    alike: dict[object, tuple[TakenCards, list[HandGrowth]]] = {}
    for up, several in drawn.items():
        hands = [hand for hand in growths(up, table.rules.dealer) if hand.total > above]
        ends = [hand for hand in hands if (np.array(hand.counts) <= table.counts).all()]
        for taken in several:
            alike.setdefault(taken.key, (taken, []))[1].extend(ends)
    return [group for group in alike.values() if group[1]]


def _add(law: dict[Made, Fraction], hand: HandGrowth, chance: Fraction, share: Share) -> None:
    total = 0 if hand.is_natural else hand.total
    for size, part in ((0, share[0] - share[1]), (hand.cards if total else 0, share[1])):
        if chance and part:
            law[total, size] = law.get((total, size), Fraction(0)) + chance * part


def _share(table: ShoeGame, ranked: int, hand: Counts) -> Share:
    """The part of the ways with so many of the player's cards of one rank, summed over ranks."""
    kinds = [kind(ranked) for kind in _kinds(table)] if ranked else [Kind()]
    fitting, suited = zip(*(_ranks_and_suits(table, kind, hand) for kind in kinds), strict=True)
    return sum(fitting, Fraction(0)), sum(suited, Fraction(0))


def _ranks_and_suits(table: ShoeGame, kind: Kind, hand: Counts) -> Share:
    """Given the values: the probability of the player's kind of cards, and that with the dealer's of one suit."""
    whole, value, rank = by_value(table.shoe), kind.value, sum(kind.by_suit)
    fitting = Fraction(perm(rank, kind.held), perm(whole[value], kind.held))
    ways = _others(whole, hand, value) * perm(whole[value], hand[value] + kind.held)
    return fitting, Fraction(sum(_in_suit(by_value(table.shoe, suit), kind, suit, hand) for suit in Suit), ways)


def _others(counts: Counts, hand: Counts, value: int) -> int:
    """The number of ways for the dealer's cards of other values."""
    return prod(perm(n, k) for v, (n, k) in enumerate(zip(counts, hand, strict=True)) if v != value)


def _in_suit(counts: Counts, kind: Kind, suit: Suit, hand: Counts) -> int:
    """The number of ways for the dealer's cards from one suit and the player's of the kind from the rest."""
    value, alike, rank = kind.value, kind.by_suit[suit], sum(kind.by_suit)
    return _others(counts, hand, value) * sum(
        comb(hand[value], k) * perm(alike, k) * perm(counts[value] - alike, hand[value] - k) * perm(rank - k, kind.held)
        for k in range(min(hand[value], alike) + 1)
    )


def _kinds(table: ShoeGame) -> list[Callable[[int], Kind]]:
    """The kinds of pair of a value with several; each function takes the number of cards that the player holds."""
    return [
        partial(Kind, value, tuple(sum(table.shoe[f] for f in kind if f.suit is suit) for suit in Suit))
        for value in VALUES
        if table.rules.is_told_apart(value)
        for kind in table.rules.kinds[value]
    ]


OrdersByCards = Mapping[Counts, int]  # by the cards a player takes, by value: the number of their orders


def over_limit_draws(
    table: ShoeGame, conduct: Conduct, up: int, over: range, *, one_is_enough: bool
) -> list[TakenCards]:
    """The cards with which a player of this conduct ends over the limit against this up card.

    LB.12: for a split, either all hands have to be over it, or one is enough.
    """
    parts = _unsplit(table, conduct, up, ~conduct.surrenders[:, up])
    draws = [_unsplit_draws([_ends(table.hands, conduct.acts[:, up], rows, over) for rows in parts])]
    for value in np.flatnonzero(table.hands_by_value(conduct)[:, up]).tolist():
        draws += _split_over(table, conduct, up, over, value, one_is_enough)
    return [taken for taken in draws if taken.free]


def surrender_draws(table: ShoeGame, conduct: Conduct, up: int) -> list[TakenCards]:
    """The first two cards that a player of this conduct surrenders."""
    parts = _unsplit(table, conduct, up, conduct.surrenders[:, up])
    taken = _unsplit_draws([{_cards_of(table.hands, row): n for row, n in rows.items()} for rows in parts])
    return [taken] if taken.free else []


def _unsplit_draws(ways: Sequence[OrdersByCards]) -> TakenCards:
    return TakenCards(sum_tallies([(1, _tally(ways[0])), (1, _tally(ways[1], 2))]))


def _tally(ways: OrdersByCards, of_rank: int = 0) -> Tally:
    return {write_cards(held, of_rank): orders for held, orders in ways.items()}


def _unsplit(table: ShoeGame, conduct: Conduct, up: int, wanted: Bools) -> tuple[dict[int, int], dict[int, int]]:
    """The wanted first two cards that are not split, with their orders, without blackjacks.

    If only equal ranks are split, ten-value pairs are included, and the second result has what to subtract for
    each rank.
    """
    hands, unlike = table.hands, dict[int, int]()
    rows = np.flatnonzero((hands.size == 2) & ~table.is_natural & wanted).tolist()
    start = {row: 1 if hands.held[row].max() == 2 else 2 for row in rows}
    for value in np.flatnonzero(table.hands_by_value(conduct)[:, up]).tolist():
        row = int(table.pair_row[value])
        if table.rules.is_told_apart(value):
            unlike = {row: -start[row]} if row in start else {}
        else:
            start.pop(row, None)
    return start, unlike


def _cards_of(hands: Hands, row: int) -> Counts:
    return tuple(hands.held[row].tolist())


def _ends(hands: Hands, acts: Ints, start: Mapping[int, int], over: range) -> OrdersByCards:
    """The cards of hands with these first cards that end with a total in this range, with their orders."""
    waiting, ends = dict(start), Counter[Counts]()
    for rows in hands.layers:
        for row in rows.tolist():
            ways = waiting.pop(row, 0)
            if not ways or acts[row] not in (HIT, DOUBLE):
                continue
            for value, then in enumerate(hands.after[row].tolist()):
                if int(hands.low[row]) + value + 1 in over:
                    held = _cards_of(hands, row)
                    ends[*held[:value], held[value] + 1, *held[value + 1 :]] += ways
                elif then >= 0 and acts[row] == HIT:
                    waiting[then] = waiting.get(then, 0) + ways
    return dict(ends)


def _split_over(
    table: ShoeGame, conduct: Conduct, up: int, over: range, value: int, one_is_enough: bool
) -> list[TakenCards]:
    """The cards of a split pair with all hands, or one hand, over the limit, as the reading asks.

    A closed hand's second card is not the pair's: the tally of any second card less that of the pair's. If only
    equal ranks are split, these cards of the pair must be of one rank.
    """
    hands, acts, most = (table.split_hands, conduct.split_acts[:, up], int(table.hands_by_value(conduct)[value, up]))
    rank = int(table.rules.is_told_apart(value))
    after = hands.after[hands.row(value, origin=value)].tolist()
    any_second = _ends(hands, acts, {row: 1 for row in after if row >= 0}, over)
    paired = _ends(hands, acts, {after[value]: 1} if after[value] >= 0 else {}, over)
    free = _tally(any_second, rank)
    closed = sum_tallies([(1, free), (-1, _tally(paired, 2 * rank))])
    if not one_is_enough or not any_second:
        return [TakenCards(free, closed, most)]
    # If one is enough: all ways less those with no hand over it.
    pair = [tuple(cards * (place == value) for place in range(10)) for cards in (1, 2)]
    any_free = _tally({pair[0]: 1}, rank)
    any_closed = sum_tallies([(1, any_free), (-1, _tally({pair[1]: 1}, 2 * rank))])
    none_over = sum_tallies([(1, any_free), (-1, free)]), sum_tallies([(1, any_closed), (-1, closed)])
    return [TakenCards(any_free, any_closed, most), TakenCards(*none_over, most, times=-1)]
