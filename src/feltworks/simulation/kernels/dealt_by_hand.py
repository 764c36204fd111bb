"""Rounds of any game dealt by hand: cards from a shoe with its cut card, and every step answered in turn."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from feltworks.cards import Card
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Choice, Face, Place, Round
from feltworks.rules.steps import Chance, Decide, Draw, Peek
from feltworks.rules.wager import Line
from feltworks.simulation.plan import Plan

Decider = Callable[[Game[Any], Round, Decide], Choice]
Words = Callable[[], int]  # 64 random bits at a time


class HandDealt(Struct, frozen=True):
    """One round, from its cards to its lines."""

    cards: tuple[Card, ...]
    choices: tuple[Choice, ...]
    lines: tuple[Line, ...]
    fresh: bool


def dealt_by_hand(plan: Plan, decide: Decider, words: Words, rounds: int) -> Iterator[HandDealt]:
    """So many rounds, one after the other, from one shoe."""
    shoe = HandShoe(plan, words)
    for _ in range(rounds):
        fresh = shoe.open_round()
        yield _round(plan, decide, shoe, fresh)


def _round(plan: Plan, decide: Decider, shoe: "HandShoe", fresh: bool) -> HandDealt:
    game, choices = plan.table, list[Choice]()
    lying: dict[Place, tuple[Card, ...]] = {}
    r = game.open_round(plan.seats, plan.meters)
    while (step := game.awaits(r)) is not None:
        if isinstance(step, Decide):
            choices.append(decide(game, r, step))
            r = advance(r, step, choices[-1])
        else:
            r = advance(r, step, _fallen(step, lying, shoe))
    return HandDealt(shoe.dealt, tuple(choices), game.settle(r), fresh)


def _fallen(step: Chance, lying: dict[Place, tuple[Card, ...]], shoe: "HandShoe") -> tuple[Face, ...]:
    if isinstance(step, Draw):
        drawn = tuple(shoe.draw() for _ in range(step.count))
        lying[step.to] = lying.get(step.to, ()) + drawn
        return (FACE_DOWN,) * step.count if step.down else drawn
    if isinstance(step, Peek):
        return peek_answer(step, lying[step.at][step.index])
    return lying[step.at][step.index : step.index + step.count]


class HandShoe:
    """A shoe that is shuffled when its cut card has come out, or for every round."""

    def __init__(self, plan: Plan, words: Words) -> None:
        terms = plan.table.terms
        self._cards, self._words = list(terms.shoe.all_cards()), words
        every_round = plan.shuffle_every_round or terms.rulebook.cards.shuffle == "every round"
        self._cut = 0 if every_round else len(self._cards) * plan.penetration // 100
        self._next = self._begun = 0

    @property
    def dealt(self) -> tuple[Card, ...]:
        """The cards of this round, in their order."""
        return tuple(self._cards[self._begun : self._next])

    def open_round(self) -> bool:
        """Begin a round; whether the shoe is whole."""
        if self._next >= self._cut:
            self._next = 0
        self._begun = self._next
        return not self._next

    def draw(self) -> Card:
        """A card not dealt yet, each as likely; where none is left those of earlier rounds come back."""
        if self._next == len(self._cards):
            self._cards = self._cards[self._begun :] + self._cards[: self._begun]
            self._next, self._begun = self._next - self._begun, 0
        place = self._next + self._below(len(self._cards) - self._next)
        drawn = self._cards[place]
        self._cards[place], self._cards[self._next] = self._cards[self._next], drawn
        self._next += 1
        return drawn

    def _below(self, end: int) -> int:
        """A number below `end`, every one exactly as likely."""
        while (word := self._words()) >= (1 << 64) // end * end:
            pass
        return word % end
