"""Known cards beside the player's own hand: every deal of hands listed, or some of them drawn."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np

from feltworks.analysis.progress import Progress, Track
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.hands import HandClasses, choose_table, rank_codes
from feltworks.cards import Card
from feltworks.machine.compiler import Integers
from feltworks.protection.knowledge import Groups, Worth, layers, parts_of, places_in, sampled_worth
from feltworks.protection.loops import fill_values
from feltworks.protection.removal import edge_of


class Classes(Protocol):
    """Classes of a seat's first cards."""

    hands: Ints  # how many hands each class has

    def __len__(self) -> int: ...

    def cards(self, row: int, /) -> Sequence[Card]:
        """A hand of a class."""


class HandWorth(ABC):
    """A player's first cards beside cards of the dealer, of which `up_cards` lie open and others may be known.

    A method has to say what a hand is worth with the knowledge, and without it.
    """

    def __init__(self, question: Question, progress: Progress | None, deck: Sequence[Card]) -> None:
        self._question, self._tell, self.deck = question, progress, deck
        self.own, self.up_cards, self._scale = 0, 0, Fraction(1)  # units in a cent

    @abstractmethod
    def first_cards(self) -> Classes:
        """The classes of the player's first cards."""

    @abstractmethod
    def ways(self, unseen: int, number: int) -> int:
        """The number of deals of all cards that are neither seen nor known."""

    @abstractmethod
    def totals(self, row: int, up: Ints, lots: Ints, unseen: Ints, *, with_blind: bool) -> tuple[int, int]:
        """Best play's total over all deals with one of the lots of known cards, and that of play without knowledge."""

    def baseline(self) -> Fraction:
        """The edge of best play without any knowledge."""
        return edge_of(self._question)

    def _own(self, row: int) -> Ints:
        return np.array(places_in(self.deck, self.first_cards().cards(row)), np.int64)

    def list_deals(self, number: int, groups: Groups | None) -> Worth:
        """The exact worth of `number` hidden cards, or the group of one, over all first cards and open cards."""
        total, ways, hands = 0, 0, self.first_cards().hands.tolist()
        for count, row in Track(self._tell).branches(zip(hands, range(len(hands)), strict=True)):
            rest = np.setdiff1d(np.arange(len(self.deck)), self._own(row))
            for up in rest[:, None] if self.up_cards else np.zeros((1, 0), np.int64):
                unseen = np.setdiff1d(rest, up)
                for lots in parts_of(self.deck, unseen, number, groups):
                    total += count * self.totals(row, up, lots, unseen, with_blind=False)[0]
                    ways += count * len(lots) * self.ways(len(unseen), number)
        return Worth(self.baseline(), Fraction(total, ways) / self._scale / self._question.unit)

    def draw_deals(self, number: int, taken: int, groups: Groups | None, samples: int, seed: int) -> Worth:
        """The worth over a sample of deals in which neighbours have taken so many cards."""
        generator, hands = np.random.default_rng(seed), self.first_cards().hands
        rows = np.searchsorted(np.cumsum(hands), layers(generator, samples) * hands.sum(), side="right")
        gains = list[float]()
        for _, row in Track(self._tell).branches([(1, row) for row in rows.tolist()]):
            rest = generator.permutation(np.setdiff1d(np.arange(len(self.deck)), self._own(row)))
            up, others = rest[: self.up_cards], rest[self.up_cards + taken :]
            lots, unseen = others[None, :number], np.sort(others)
            if groups:
                lots = next(some for some in parts_of(self.deck, unseen, number, groups) if lots[0] in some)
            best, blind = self.totals(row, up, lots, unseen, with_blind=True)
            gains.append((best - blind) / len(lots) / self.ways(len(unseen), number))
        return sampled_worth(self.baseline(), np.array(gains) / float(self._scale) / self._question.unit)


def hand_values(classes: HandClasses, deck: Sequence[Card]) -> Integers:
    """The value of every hand of a deck, by its index."""
    size, wild = classes.size, len(classes.ranks)
    columns = [classes.ranks.index(card.rank) if card.rank in classes.ranks else wild for card in deck]
    codes = rank_codes(np.eye(len(classes.counts), dtype=np.int64))[columns]
    is_wild = [card.rank in classes.wild_ranks or card.suit is None for card in deck]
    suits = [-1 if one else int(card.suit or 0) for card, one in zip(deck, is_wild, strict=True)]
    kinds = rank_codes(classes.kinds)
    order = np.argsort(kinds)
    return fill_values(
        codes, np.array(suits, np.int64), size, choose_table(len(deck), size), kinds[order],
        classes.mixed_value[order], classes.suited_value[order],
    )  # fmt: skip
