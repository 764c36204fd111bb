"""How likely the dealer makes each hand while a player takes certain cards.

Cards lie in their places in any order, so the player's and the dealer's places are filled together, by
value; which suits (or ten-value ranks) then lie in them depends on nothing else. The cards in question are
those by which a player's hands end over a limit, or are surrendered.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from math import ceil, comb, perm, prod, sqrt

import numpy as np
from msgspec import Struct

from feltworks.analysis.progress import Progress, Track
from feltworks.analysis.solvers.numbers import Bools, Ints
from feltworks.analysis.solvers.shoe_game.chart import FixedPlay
from feltworks.analysis.solvers.shoe_game.dealer import Counts, HandGrowth, by_value, growths
from feltworks.analysis.solvers.shoe_game.dealer_bonus import Made
from feltworks.analysis.solvers.shoe_game.felts import DOUBLE, HIT, VALUES
from feltworks.analysis.solvers.shoe_game.hands import Hands
from feltworks.analysis.solvers.shoe_game.joint_draws import TakenCards, likely
from feltworks.analysis.solvers.shoe_game.solver import ShoeGame
from feltworks.analysis.solvers.shoe_game.tallies import Tally, pack, sum_tallies, tally
from feltworks.cards import Suit

Share = tuple[Fraction, Fraction]  # of the ways by value: what fits, and what is of one suit besides


class Kind(Struct, frozen=True):
    """Cards of one rank within a value, some of which the player has to hold: by suit, and how many held."""

    value: int
    by_suit: tuple[int, ...]
    held: int


class _Group(Struct, frozen=True):
    """The same cards taken against several up cards, each with the hands a dealer can make from it."""

    taken: TakenCards
    ends: list[HandGrowth]

    @property
    def effort(self) -> int:
        """About how long its law takes beside others'; more of the dealer's hands share much of the work."""
        return ceil(self.taken.effort * sqrt(len(self.ends)))


def joint_law(
    table: ShoeGame,
    drawn: Mapping[int, list[TakenCards]],
    *,
    only_over: bool,
    progress: Progress | None = None,
) -> dict[Made, Fraction]:
    """How likely the player takes, by up card, these cards while the dealer makes each hand.

    `only_over`: of the dealer's hands only those over 21.
    """
    groups, shares = _groups(table, drawn, 21 if only_over else 0), cache(partial(_share, table))
    track, law = Track(progress), dict[Made, Fraction]()
    for _, group in track.branches([(group.effort, group) for group in groups]):
        hands = list({hand.counts: None for hand in group.ends})
        codes = np.array([pack(hand) for hand in hands], np.int64)
        for ranked, chances in likely(group.taken, codes, table.counts, track).items():
            chance = dict(zip(hands, chances, strict=True))
            for hand in group.ends:
                _add(law, hand, chance[hand.counts] * hand.ways, shares(ranked, hand.counts))
    return law


def _groups(table: ShoeGame, drawn: Mapping[int, list[TakenCards]], above: int) -> list[_Group]:
    alike: dict[object, _Group] = {}
    for up, several in drawn.items():
        hands = growths(up, table.rules.dealer)
        ends = [hand for hand in hands if hand.total > above and _is_there(table, hand.counts)]
        for taken in several:
            alike.setdefault(taken.key, _Group(taken, [])).ends.extend(ends)
    return [group for group in alike.values() if group.ends]


def _is_there(table: ShoeGame, hand: Counts) -> bool:
    return all(held <= there for held, there in zip(hand, table.counts.tolist(), strict=True))


def _add(law: dict[Made, Fraction], hand: HandGrowth, chance: Fraction, share: Share) -> None:
    total = 0 if hand.is_natural else hand.total
    for size, part in ((0, share[0] - share[1]), (hand.cards if total else 0, share[1])):
        if chance and part:
            law[total, size] = law.get((total, size), Fraction(0)) + chance * part


def _share(table: ShoeGame, ranked: int, hand: Counts) -> Share:
    """Where so many of the player's cards are of one rank: the share of all ranks together."""
    kinds = [kind(ranked) for kind in _kinds(table)] if ranked else [None]
    every = [_ranks_and_suits(table, kind, hand) for kind in kinds]
    fitting, suited = (sum(parts, Fraction(0)) for parts in zip(*every, strict=True))
    return fitting, suited


def _ranks_and_suits(table: ShoeGame, kind: Kind | None, hand: Counts) -> tuple[Fraction, Fraction]:
    """Given the values: how likely the player's cards are of the kind, and the dealer's of one suit too."""
    whole = by_value(table.shoe)
    if kind is None:
        fitting, ways = Fraction(1), prod(map(perm, whole, hand))
    else:
        rank, value = sum(kind.by_suit), kind.value
        fitting = Fraction(perm(rank, kind.held), perm(whole[value], kind.held))
        ways = prod(perm(n, k) for v, (n, k) in enumerate(zip(whole, hand, strict=True)) if v != value)
        ways *= perm(whole[value], hand[value] + kind.held)
    suited = sum(_in_suit(by_value(table.shoe, suit), kind, suit, hand) for suit in Suit)
    return fitting, Fraction(suited, ways)


def _in_suit(counts: Counts, kind: Kind | None, suit: Suit, hand: Counts) -> int:
    """In how many ways the dealer's cards come from one suit, and the player's cards of the kind besides."""
    if kind is None:
        return prod(map(perm, counts, hand))
    value, alike, rank = kind.value, kind.by_suit[suit], sum(kind.by_suit)
    others = prod(perm(n, k) for v, (n, k) in enumerate(zip(counts, hand, strict=True)) if v != value)
    return others * sum(
        comb(hand[value], k)
        * perm(alike, k)
        * perm(counts[value] - alike, hand[value] - k)
        * perm(rank - k, kind.held)
        for k in range(min(hand[value], alike) + 1)
    )


def _kinds(table: ShoeGame) -> list[Callable[[int], Kind]]:
    """The kinds of pair of a value that has several, each to be called with how many the player holds."""
    return [
        partial(Kind, value, tuple(sum(table.shoe[f] for f in kind if f.suit is suit) for suit in Suit))
        for value in VALUES
        if table.rules.is_told_apart(value)
        for kind in table.rules.kinds[value]
    ]


OrdersByCards = Mapping[Counts, int]  # cards a player takes, by value: in how many orders


def over_limit_draws(
    table: ShoeGame, conduct: FixedPlay, up: int, over: range, *, one_is_enough: bool
) -> list[TakenCards]:
    """The cards by which a player of this conduct ends over the limit against this up card.

    LB.12: of split hands all have to be over it, or one is enough.
    """
    start, unlike = _unsplit(table, conduct, up, ~conduct.surrenders[:, up])
    acts = conduct.acts[:, up]
    ends = [_ends(table.hands, acts, rows, over) for rows in (start, unlike)]
    draws = [TakenCards(sum_tallies([(1, _tally(ends[0])), (1, _tally(ends[1], 2))]))]
    for value in np.flatnonzero(conduct.hands[:, up]).tolist():
        draws += _split_over(table, conduct, up, over, value, one_is_enough)
    return [taken for taken in draws if len(taken.free.codes)]


def surrender_draws(table: ShoeGame, conduct: FixedPlay, up: int) -> list[TakenCards]:
    """The first two cards that a player of this conduct surrenders."""
    parts = _unsplit(table, conduct, up, conduct.surrenders[:, up])
    ways = [{_held(table.hands, row): orders for row, orders in rows.items()} for rows in parts]
    taken = sum_tallies([(1, _tally(ways[0])), (1, _tally(ways[1], 2))])
    return [TakenCards(taken)] if len(taken.codes) else []


def _tally(ways: OrdersByCards, of_rank: int = 0) -> Tally:
    return tally({pack(held, of_rank): orders for held, orders in ways.items()})


def _unsplit(
    table: ShoeGame, conduct: FixedPlay, up: int, wanted: Bools
) -> tuple[dict[int, int], dict[int, int]]:
    """First two cards that are wanted and not split, with their orders.

    Where only equal ranks are split, ten-value pairs stay among them; what to take off of each rank comes
    second.
    """
    start, unlike = _first_cards(table, wanted), {}
    for value in np.flatnonzero(conduct.hands[:, up]).tolist():
        row = int(table.pair_row[value])
        if table.rules.is_told_apart(value):
            unlike = {row: -start[row]} if row in start else {}
        else:
            start.pop(row, None)
    return start, unlike


def _first_cards(table: ShoeGame, wanted: Bools) -> dict[int, int]:
    """First two cards with the orders they can come in; a blackjack is none of them."""
    hands = table.hands
    rows = np.flatnonzero((hands.size == 2) & ~table.is_natural & wanted)
    return {int(row): 1 if hands.held[row].max() == 2 else 2 for row in rows}


def _held(hands: Hands, row: int) -> Counts:
    return tuple(int(count) for count in hands.held[row])


def _ends(hands: Hands, acts: Ints, start: Mapping[int, int], over: range) -> OrdersByCards:
    """From these beginnings: the cards of hands that end with a total in this range, by their orders."""
    waiting, ends = dict(start), Counter[Counts]()
    for rows in hands.layers:
        for row in rows.tolist():
            ways = waiting.pop(row, 0)
            if not ways or acts[row] not in (HIT, DOUBLE):
                continue
            for value, then in enumerate(hands.after[row].tolist()):
                if int(hands.low[row]) + value + 1 in over:
                    held = _held(hands, row)
                    ends[*held[:value], held[value] + 1, *held[value + 1 :]] += ways
                elif then >= 0 and acts[row] == HIT:
                    waiting[then] = waiting.get(then, 0) + ways
    return dict(ends)


def _split_over(
    table: ShoeGame, conduct: FixedPlay, up: int, over: range, value: int, one_is_enough: bool
) -> list[TakenCards]:
    """A pair split: those hands over the limit that the reading asks for.

    A closed hand had another second card than the pair's: any second card less the pair's. Where only equal
    ranks are split, these cards of the pair have to be of one rank.
    """
    hands, acts, most = table.split_hands, conduct.split_acts[:, up], int(conduct.hands[value, up])
    rank = int(table.rules.is_told_apart(value))
    after = hands.after[hands.row(value, origin=value)].tolist()
    any_second = _ends(hands, acts, {row: 1 for row in after if row >= 0}, over)
    paired = _ends(hands, acts, {after[value]: 1} if after[value] >= 0 else {}, over)
    free = _tally(any_second, rank)
    closed = sum_tallies([(1, free), (-1, _tally(paired, 2 * rank))])
    if not one_is_enough or not any_second:
        return [TakenCards(free, closed, most)]
    # One is enough: all ways less those in which no hand is over it.
    pair = [tuple(cards * (place == value) for place in range(10)) for cards in (1, 2)]
    any_free = _tally({pair[0]: 1}, rank)
    any_closed = sum_tallies([(1, any_free), (-1, _tally({pair[1]: 1}, 2 * rank))])
    none_over = sum_tallies([(1, any_free), (-1, free)]), sum_tallies([(1, any_closed), (-1, closed)])
    return [TakenCards(any_free, any_closed, most), TakenCards(*none_over, most, times=-1)]
