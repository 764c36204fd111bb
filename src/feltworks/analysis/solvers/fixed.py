"""Solves wagers that no later choice changes: by the first open cards, or by one hand from fixed places.

Every set of cards from fixed places is counted once, by the result that the rules give it.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, reduce
from itertools import islice, product
from math import comb
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace

from feltworks.analysis.joint import law_figures
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.referee import Law
from feltworks.analysis.shape import are_suits_alike
from feltworks.analysis.solvers.counts import (
    Situation,
    depends_on_choices,
    finished_rounds,
    lay_cards,
    settle_wager,
    tables_of,
)
from feltworks.analysis.solvers.showdown.hands import DealtHands
from feltworks.analysis.strategy.file import Cards
from feltworks.cards import Card, Shoe, Suit
from feltworks.errors import FeltError
from feltworks.hands.hand import Hand
from feltworks.hands.poker import BestHand
from feltworks.machine.felt import CardsRead
from feltworks.machine.node import TooManyStates
from feltworks.machine.tables import ignores_suits
from feltworks.machine.walk import Settled, SettledLine
from feltworks.money import Cents, Odds
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, SEAT, Choice, Place, Round, Seat, face_up
from feltworks.rules.settlement import facts_for, has_verdict
from feltworks.rules.steps import Decide, Draw, Offer

Outcomes = tuple[tuple[str, str], ...]  # wager and outcome
_UNIT: Cents = 100_00  # large enough for the whole range of every derived wager


@lru_cache(maxsize=256)
def is_decided_by_deal(game: Game, wager: str) -> bool:
    """Whether the face-up cards of the first deal decide a wager.

    >>> from feltworks import catalog
    >>> table = catalog.game("lucky-break")
    >>> [is_decided_by_deal(catalog.game("acey-deucey-21"), name) for name in ("war", "acey-deucey")]
    [True, True]
    >>> [is_decided_by_deal(table, name) for name in ("blackjack", "lucky-break")]
    [False, False]
    """
    r = Round((Seat({wager: _UNIT}),))
    faces = islice(game.terms.shoe, game.least_cards)
    while not has_verdict(game, r, 0, wager):
        step = game.awaits(r)
        if isinstance(step, Decide):
            r = advance(r, step, Choice(step.offers[0].name, step.offers[0].most))
            continue
        cards = tuple(islice(faces, step.count)) if isinstance(step, Draw) else ()
        if not isinstance(step, Draw) or len(cards) < step.count:
            return False
        r = advance(r, step, (FACE_DOWN,) * step.count if step.down else cards)
    return True


class FirstDeal:
    """The walk over a seat's first two cards and the up card; takes one of all that differ only by suits."""

    def __init__(self, game: Game, stakes: Mapping[str, Cents], shoe: Shoe) -> None:
        self.game, self.stakes, self.shoe = game, dict(stakes), shoe
        book = game.terms.rulebook.wager
        self.judges = [name for name, entry in book.items() if name in stakes or entry.of in stakes]
        self.tells_suits_apart = bool(stakes) and _tells_suits_apart(game, stakes)
        ranks = sorted({face.rank for face in shoe})
        by_place = {(face.rank, face.suit): face for face in shoe}
        self.faces = {suit: [by_place.get((rank, suit)) for rank in ranks] for suit in Suit}
        self.held = {suit: tuple(shoe[face] if face else 0 for face in faces) for suit, faces in self.faces.items()}
        self._waiting = cache(self._wait_for_up_card)

    def situations(self) -> Iterator[Situation]:
        """Every pair of first cards with the joint law of each choice."""
        total = self.shoe.total
        for pair, ways in self.pairs().items():
            shown = self.show(pair)
            yield Situation(Fraction(ways, total * (total - 1)), shown, self.laws(shown))

    def pairs(self) -> dict[tuple[Card, Card], int]:
        """A seat's first two cards, one pair for each kind, and in how many ways each kind is dealt."""
        return {
            (first, second): firsts * seconds
            for first, firsts in self.drawable(())
            for second, seconds in self.drawable((first,))
        }

    def show(self, pair: tuple[Card, Card]) -> Round:
        """The felt with two cards dealt, before any decision."""
        return lay_cards(self.game, Round((Seat(self.stakes),)), pair, ())

    def drawable(self, gone: Sequence[Card]) -> Iterator[tuple[Card, int]]:
        """The possible next cards, one for each kind, and how many are left of that kind."""
        alike: dict[object, list[Suit]] = {}
        shown = {face.suit for face in gone}
        for suit in Suit:
            stands_alone = self.tells_suits_apart or suit in shown
            alike.setdefault(suit if stands_alone else self.held[suit], []).append(suit)
        for suits in alike.values():
            for face in self.faces[suits[0]]:
                if face is not None and (left := self.shoe[face] - gone.count(face)) > 0:
                    yield face, left * len(suits)

    def laws(self, shown: Round) -> dict[str, Law]:
        """The law of each choice; if several wagers ask, of each combination of answers."""
        ups = self._judge_up_cards(shown.seats[0])
        return {choice: self._law(seat, ups) for choice, seat in self.seats_by_choice(shown).items()}

    def seats_by_choice(self, shown: Round) -> dict[str, Seat]:
        """The seat after each choice."""
        steps = self.game.open_decisions(shown)
        return {
            " / ".join(offer.name for offer in offers): _answer(shown, steps, offers)
            for offers in product(*(step.offers for step in steps))
        }

    def outcomes(self, pair: tuple[Card, Card], up_card: Card) -> Outcomes:
        """The outcomes of the wagers that these three cards decide, derived wagers included."""
        if not self.judges:
            return ()
        r, step = self._waiting(pair)
        felt = advance(r, step, (up_card,))
        standing = self.game.standing(felt, 0)
        judges = ((name, self.game.wagers[name]) for name in self.judges)
        verdicts = ((name, judge.judge(facts_for(judge, felt, 0, standing))) for name, judge in judges)
        return tuple((name, verdict.outcome) for name, verdict in verdicts if verdict)

    def settlement(self, seat: Seat, outcomes: Mapping[str, str]) -> Settled:
        """The settled lines of a seat's wagers for these outcomes."""
        lines = []
        for name, cents in seat.wagers.items():
            pay = self.game.pays[name][outcomes[name]]
            assert isinstance(pay, Odds)
            lines.append(SettledLine(name, outcomes[name], pay.exact * cents, cents))
        return tuple(lines)

    def _wait_for_up_card(self, pair: tuple[Card, Card]) -> tuple[Round, Draw]:
        """The felt with two cards dealt and all decisions made, and the draw of the up card."""
        r = self.show(pair)
        while isinstance(step := self.game.awaits(r), Decide):
            r = advance(r, step, Choice(step.offers[0].name, step.offers[0].most))
        assert isinstance(step, Draw)
        return r, step

    def _judge_up_cards(self, seat: Seat) -> dict[Outcomes, int]:
        """The joint outcomes of all wagers that the spot can have, with the number of up cards for each."""
        first, second = face_up(seat.cards)
        ways: dict[Outcomes, int] = {}
        for up_card, count in self.drawable((first, second)):
            outcomes = self.outcomes((first, second), up_card)
            ways[outcomes] = ways.get(outcomes, 0) + count
        return ways

    def _law(self, seat: Seat, ups: Mapping[Outcomes, int]) -> Law:
        left, law = self.shoe.total - 2, Law()
        for outcomes, count in ups.items():
            settled = self.settlement(seat, dict(outcomes))
            law[settled] = law.get(settled, Fraction(0)) + Fraction(count, left)
        return law


def _tells_suits_apart(game: Game, stakes: Mapping[str, Cents]) -> bool:
    """Whether suits are not interchangeable; assumed for rules that read single cards."""
    try:
        return not ignores_suits(tables_of(game, tuple(stakes.items())))
    except (CardsRead, TooManyStates):
        return True


def _answer(shown: Round, steps: Sequence[Decide], chosen: Sequence[Offer]) -> Seat:
    for step, offer in zip(steps, chosen, strict=True):
        shown = advance(shown, step, Choice(offer.name, offer.most))
    return shown.seats[0]


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
            self._samples = [*getattr(self, "_samples", ()), (tuple(mine), settle_wager(self._game, self._wager, end))]
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
        return settle_wager(self._game, self._wager, self._finish(others, lying))

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
