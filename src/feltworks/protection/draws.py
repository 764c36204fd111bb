"""The worth of known cards where some cards of a hand are exchanged: the next cards, or the hands of neighbours.

For every set of cards, the nets of all whole hands that contain it are summed once. Inclusion and exclusion then
gives the total of the hands that hold the cards kept, the known cards that replace discards, and no discard.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import comb, lcm, perm
from typing import Final

import numpy as np

from feltworks.analysis.progress import Progress
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.draw import DrawSolver
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.hands import choose_table
from feltworks.machine.compiler import Floats, compile_loop
from feltworks.protection.hands import hand_values
from feltworks.protection.knowledge import (
    NEXT,
    Groups,
    Knowledge,
    Unfit,
    Worth,
    group_numbers,
    mean_error,
    part_neighbours,
    places_in,
)
from feltworks.protection.loops import MOST_CARDS, next_choice, place_of

_MOST_HANDS: Final = 20_000_000  # whole hands of a deck, whose nets are kept in memory
_MOST_LOTS: Final = 20_000_000  # own hands with known cards that are followed one by one: about half a minute
_HANDS: Final = 200  # own hands in a batch, which has one lot of neighbours' cards
_SAMPLES: Final = 60_000


class DrawWorth:
    """The worth of known cards in a game with a draw."""

    has_decision = True

    def __init__(self, question: Question, progress: Progress | None = None) -> None:
        shoe, group = question.shoe, frozenset(question.group)
        self._question, self._tell, self._deck = question, progress or (lambda *_: None), shoe.all_cards()
        self._solved = DrawSolver(question.game, question.stakes, shoe, meters=question.posted, serving=group)
        self._size, cards = self._solved.size, len(self._deck)
        if comb(cards, self._size) > _MOST_HANDS:
            raise Unfit(f"{cards} cards make too many hands to follow what is known; ask with fewer --decks")
        self._choose = choose_table(cards, self._size)
        self._starts = np.cumsum([0, *(comb(cards, held) for held in range(self._size + 1))])
        self._nets: Ints = self._solved.nets_by_value()[hand_values(self._solved.classes, self._deck)]
        self._sums = self._sum_up(np.arange(cards))
        kept = [self._solved.kept_by(offer) for offer in self._solved.rounds.offers]
        self._kept = np.array([sum(1 << place for place in places) for places in kept])  # by choice, as a bit mask

    def worth(self, known: Sequence[Knowledge], samples: int | None = None, seed: int = 1) -> Worth:
        """The edge when the next cards, the group of the next one, or the hands of neighbours are known."""
        neighbours, cards = part_neighbours(known)
        number, is_group = len({one.number for one in cards}), any(one.groups for one in cards)
        others = [one.text for one in cards if one.place != NEXT or one.number > number]
        if others or (is_group and len(known) > 1):
            raise Unfit(
                f"the only cards to come replace discards; {', '.join(others) or 'a group beside another card'} cannot "
                f"be followed; what can be known: next, order:2 to {self._size}, neighbours:N, burn, group:RANKS@next"
            )
        number = min(number, self._size)  # no further card comes
        if len(self._deck) < (neighbours + 2) * self._size:
            raise Unfit(f"{neighbours} neighbours leave too few cards for a draw")
        lots = len(self._solved.classes) * perm(len(self._deck) - self._size, number)
        if not neighbours and (is_group or (samples is None and lots <= _MOST_LOTS)):
            return self._exact(number, cards[0].split(self._question.shoe))
        return self._sample(number, neighbours, samples or _SAMPLES, seed)

    def _baseline(self) -> Fraction:
        return -self._solved.figures_of(self._question.group, self._question.unit).house_edge

    def _exact(self, number: int, groups: Groups | None) -> Worth:
        """The worth over every class of own hands and every order of `number` known cards."""
        lots = np.array(list(permutations(range(len(self._deck)), number)), np.int64)
        parts = np.arange(len(lots)) if groups is None else group_numbers(self._deck, groups)
        left, classes, total = len(self._deck) - self._size - number, self._solved.classes, 0
        scale = self._scale(number, left)
        for row, count in enumerate(classes.hands.tolist()):
            own = np.array(places_in(self._deck, classes.cards(row)))
            total += count * int(self._worth(own, lots, parts, scale, self._sums).max(axis=1).sum())
            self._tell(row + 1, len(classes))
        deals = int(classes.hands.sum()) * perm(left + number, number) * int(scale[-1])
        return Worth(self._baseline(), total * self._solved.unit / deals / self._question.unit)

    def _sample(self, number: int, neighbours: int, samples: int, seed: int) -> Worth:
        """The worth over a sample: own hands in batches, every choice valued over all cards that can still come."""
        generator, cards, taken = np.random.default_rng(seed), len(self._deck), neighbours * self._size
        batches = max(2, samples // _HANDS)
        gains: Floats = np.zeros((batches, _HANDS))
        left = cards - self._size - taken - number
        blind, seeing = self._scale(0, cards - self._size), self._scale(number, left)
        for batch in range(batches):
            gone = generator.choice(cards, taken, replace=False)
            unseen = np.setdiff1d(np.arange(cards), gone)
            sums = self._sum_up(unseen) if neighbours else self._sums
            for hand in range(_HANDS):
                dealt = generator.choice(unseen, self._size + number, replace=False)
                own, lot = dealt[: self._size].copy(), dealt[None, self._size :]
                plain = self._worth(own, lot[:, :0], np.zeros(1, np.int64), blind, self._sums)[0].argmax()
                worth = self._worth(own, lot, np.zeros(1, np.int64), seeing, sums)[0]
                gains[batch, hand] = worth.max() - worth[plain]
            self._tell(batch + 1, batches)
        base, means = self._baseline(), gains.mean(axis=1) / int(seeing[-1]) * float(self._solved.unit)
        edge = base + Fraction(float(means.mean())) / self._question.unit
        return Worth(base, edge, "sampled", mean_error(means) / self._question.unit, gains.size)

    def _scale(self, number: int, left: int) -> Ints:
        """By number of discards, with `number` known cards: what one hand counts for; last, what one deal does."""
        ways = [comb(left, max(discards - number, 0)) for discards in range(self._size + 1)]
        return np.array([*(lcm(*ways) // way for way in ways), lcm(*ways)])

    def _sum_up(self, cards: Ints) -> Ints:
        """By set of cards, for hands of these `cards` only: the sum of the nets of all whole hands that hold it."""
        sums = np.zeros(self._starts[-1], np.int64)
        sum_hands(cards, self._size, self._choose, self._nets, self._starts, sums)
        return sums

    def _worth(self, own: Ints, lots: Ints, parts: Ints, scale: Ints, sums: Ints) -> Ints:
        """By part and choice: the total over the part's lots of known cards and all cards that can still come."""
        worth = np.zeros((parts.max() + 1, 1 << self._size), np.int64)
        value_draws(own, lots, parts, self._choose, self._starts, scale, sums, worth)
        chosen: Ints = worth[:, self._kept]
        return chosen


@compile_loop
def sum_hands(cards: Ints, size: int, choose: Ints, nets: Ints, starts: Ints, sums: Ints) -> None:
    """Adds the net of every hand of these cards to the sums of all sets that it contains."""
    picked, going = np.arange(size), True
    while going:
        whole = np.int64(0)
        for at in range(size):
            whole += choose[cards[picked[at]], at + 1]
        for part in range(1 << size):
            place, held = np.int64(0), 0
            for at in range(size):
                if part >> at & 1:
                    held += 1
                    place += choose[cards[picked[at]], held]
            sums[starts[held] + place] += nets[whole]
        going = next_choice(picked, size, len(cards))


@compile_loop
def value_draws(
    own: Ints, lots: Ints, parts: Ints, choose: Ints, starts: Ints, scale: Ints, sums: Ints, worth: Ints
) -> None:  # fmt: skip
    """Adds to `worth` by part and kept cards, as a bit mask, the total of a lot of known cards that replace the others.

    Sums over the hands that hold the kept and the known cards are turned into those without any discard, bit by bit.
    """
    size, number = len(own), lots.shape[1]
    totals, hand = np.zeros(1 << size, np.int64), np.zeros(MOST_CARDS, np.int64)
    for lot in range(len(lots)):
        is_dealt = True
        for card in lots[lot]:
            is_dealt &= not (own == card).any()
        if not is_dealt:
            continue
        for kept in range(1 << size):
            held = 0
            for at in range(size):
                if kept >> at & 1:
                    hand[held] = own[at]
                    held += 1
            known = min(number, size - held)
            hand[held : held + known] = lots[lot, :known]
            held += known
            totals[kept] = sums[starts[held] + place_of(hand, held, choose)]
        for at in range(size):
            for kept in range(1 << size):
                above = kept | 1 << at
                if above != kept and number + _bits(above) <= size:
                    totals[kept] -= totals[above]
        for kept in range(1 << size):
            worth[parts[lot], kept] += scale[size - _bits(kept)] * totals[kept]


@compile_loop
def _bits(mask: int) -> int:
    number = 0
    while mask:
        number += mask & 1
        mask >>= 1
    return number
