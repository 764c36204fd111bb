"""Solves a wager that one hand from fixed places decides, such as the best five of player's and dealer's cards.

No choice changes it, so every set of cards of that size is counted once, by the result that the rules give it.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import comb
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace

from feltworks.analysis.joint import law_figures
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.referee import Law
from feltworks.analysis.situations import depends_on_choices, finished_rounds, settlement_of
from feltworks.analysis.solvers.showdown.hands import DealtHands
from feltworks.analysis.solvers.suits import are_suits_alike
from feltworks.analysis.strategy.file import Cards
from feltworks.cards import Card, Shoe, Suit
from feltworks.errors import FeltError
from feltworks.hands.best import BestHand
from feltworks.hands.hand import Hand
from feltworks.machine.walk import Settled
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, SEAT, Place, Round, Seat, face_up

_TRIALS = 20
_MOST_SETS, _MOST_CLASSES = 25_000_000, 200_000


class NoFixedHand(FeltError):
    """The wager is decided differently, and needs another solver."""


def fixed_answer(question: Question) -> Answer:
    """The figures of such a wager, independent of the main hand."""
    game, wager = question.game, question.wager
    missing = game.terms.needed_wagers(question.ratios) - question.ratios.keys()
    stakes = replace(question, beside=dict.fromkeys(missing)).stakes
    fixed = _FixedHand(game, wager, stakes, question.shoe, question.posted)
    law: Law = {}
    for settled, ways in fixed.results():
        law[settled] = law.get(settled, Fraction(0)) + Fraction(ways, fixed.total)
    return Answer(law_figures(law, question.group, stakes[wager]))


class _FixedHand:
    """The hand that decides a wager, and its results."""

    def __init__(
        self, game: Game, wager: str, stakes: Mapping[str, Cents], shoe: Shoe, meters: Mapping[str, Cents]
    ) -> None:
        self._game, self._wager, self._shoe, made = game, wager, shoe, game.wagers[wager].hand
        self._opened = Round((Seat(dict(stakes)),), meters=dict(meters))
        if made is None or not made.empty.any_order or any(index is not None for _, index in made.cards):
            raise self._refusal("no hand of whole places is named")
        if any(entry.of == wager for entry in game.terms.rulebook.wager.values()):
            raise self._refusal("other wagers follow from it")
        if depends_on_choices(game, wager, stakes, meters) or not are_suits_alike(game, stakes):
            raise self._refusal("choices or single suits change it")
        self._empty: Hand = made.empty
        self._places = [place for place, _ in made.cards]
        self._held = self._find_held()
        self.size = sum(self._held.values())
        self.total = comb(shoe.total, self.size)

    def _refusal(self, why: str) -> NoFixedHand:
        return NoFixedHand(f"{self._wager} is not decided by one hand: {why}")

    def _find_held(self) -> dict[Place, int]:
        """How many cards each place of the hand has; refuses a game in which that varies."""
        chance, deck, numbers = Random(1), list(self._shoe.all_cards()), set[tuple[int, ...]]()
        for _ in range(_TRIALS):
            dealt = chance.sample(deck, len(deck))
            end = self._finish(dealt, {})
            numbers.add(tuple([len(face_up(end.at(place))) for place in self._places]))
            mine = [card for place in self._places for card in face_up(end.at(place))]
            self._samples = [*getattr(self, "_samples", ()), (tuple(mine), settlement_of(self._game, self._wager, end))]
        if len(numbers) != 1:
            raise self._refusal("it has more cards in some rounds than in others")
        return dict(zip(self._places, next(iter(numbers)), strict=True))

    def _finish(self, others: Sequence[Card], lying: Mapping[Place, Sequence[Card]]) -> Round:
        """A finished round with these cards at their places, and the others everywhere else."""
        third = len(others) // 3
        rest = {SEAT: others[:third], DEALER: others[third : 2 * third], BOARD: others[2 * third :]}
        places = {place: [*lying.get(place, ()), *cards] for place, cards in rest.items()}
        return next(finished_rounds(self._game, self._opened, places))

    def settle(self, hand: Cards) -> Settled:
        """How the wager is settled with these cards."""
        left, lying = list(hand), dict[Place, Sequence[Card]]()
        for place, number in self._held.items():
            lying[place], left = left[:number], left[number:]
        others = list(self._shoe.without(hand).all_cards())
        return settlement_of(self._game, self._wager, self._finish(others, lying))

    def results(self) -> Iterator[tuple[Settled, int]]:
        """The result of every kind of hand, and in how many ways it is dealt."""
        known: dict[Hand, Settled] = {}
        for hand, ways in self._best_of_sets() if isinstance(self._empty, BestHand) else self._classes():
            made = reduce(lambda one, card: one.add(card), hand, self._empty)
            if made not in known:
                known[made] = self.settle(hand)
            yield known[made], ways
        for hand, settled in self._samples:
            if known[reduce(lambda one, card: one.add(card), hand, self._empty)] != settled:
                raise self._refusal("more than this hand decides it")

    def _classes(self) -> Iterator[tuple[Cards, int]]:
        dealt = DealtHands(self._shoe, self.size, frozenset())
        if len(dealt) > _MOST_CLASSES:
            raise self._refusal(f"{len(dealt):,} kinds of hands are too many to be read one by one")
        for row, ways in enumerate(dealt.hands.tolist()):
            yield dealt.cards(row), ways

    def _best_of_sets(self) -> Iterator[tuple[Cards, int]]:
        """An example set of cards of each value, and how many sets have that value."""
        from feltworks.analysis.solvers.showdown.duel import best_places
        from feltworks.analysis.solvers.showdown.subsets import Subsets

        assert isinstance(self._empty, BestHand)
        ranking = self._empty.ranking
        if self._empty.of != self.size or self.total > _MOST_SETS or ranking.wild:
            raise self._refusal(f"{self.size} cards are too many, or some of them are wild")
        by_suit = [[card for card in self._shoe.all_cards() if card.suit is suit] for suit in Suit]
        deck = tuple(card for cards in by_suit for card in cards)
        are_alike = len({tuple(card.rank for card in cards) for cards in by_suit}) == 1
        sets: Any = Subsets(list(map(len, by_suit)), (len(Suit),) if are_alike else (1,) * len(Suit), self.size)
        places, values = best_places(sets, deck, ranking, self.size)
        ways = np.bincount(places, minlength=values)
        firsts = {int(places[number]): number for number in _firsts(places, values)}
        for value in np.flatnonzero(ways).tolist():
            yield tuple(deck[card] for card in sets.members(firsts[value], self.size)), int(ways[value])


def _firsts(places: Any, values: int) -> list[int]:
    """The index of the first set of each value."""
    firsts = np.full(values, -1)
    firsts[places[::-1]] = np.arange(len(places))[::-1]
    listed: list[int] = firsts[firsts >= 0].tolist()
    return listed
