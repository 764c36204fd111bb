"""The referee: walks any game through the grammar with exact numbers. Slow, and obviously right.

It needs no knowledge of a game. Two declarations make it quicker, and both can be switched off to check
them: which unseen cards are still alike (`Game.alike`), and what of a round matters for its future
(`Game.matters`).
"""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import Any

from feltworks.analysis.law import Weighted, law, unseen
from feltworks.cards import Card, Shoe
from feltworks.money import Odds
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Chance, Decide, Offer
from feltworks.rules.wager import Line


class Referee:
    """Finds the exact expectation of a round under best play, from any shoe composition."""

    def __init__(
        self, game: Game[Any], shoe: Shoe | None = None, *, lumps: bool = True, remembers: bool = True
    ) -> None:
        self.game = game
        self.shoe = shoe or game.terms.shoe
        self.lumps = lumps
        self.remembers = remembers
        self._known: dict[Hashable, Fraction] = {}

    def expectation(self, r: Round) -> Fraction:
        """What the players together are up on average, in cents, from this round on.

        A round for which the cards run out is void and counts nothing.
        """
        step = self.game.awaits(r)
        if step is None:
            return sum((exact_net(line) for line in self.game.settle(r)), Fraction(0))
        if isinstance(step, Decide):
            return max(value for _, value in self.choices(r, step))
        return self._remembered(r, step)

    def choices(self, r: Round, step: Decide) -> Iterator[tuple[Choice, Fraction]]:
        """Each open choice with its value; of a range of amounts both ends, the value being linear."""
        for offer in step.offers:
            for choice in _ends(offer):
                yield choice, self.expectation(advance(r, step, choice))

    def _remembered(self, r: Round, step: Chance) -> Fraction:
        if not self.remembers:
            return self._average(r, step)
        key = self.game.matters(r)
        if key not in self._known:
            self._known[key] = self._average(r, step)
        return self._known[key]

    def _average(self, r: Round, step: Chance) -> Fraction:
        weighed = self._law(r, step)
        total = sum(weight for weight, _ in weighed)
        if not total:
            return Fraction(0)
        return (
            sum(
                (weight * self.expectation(advance(r, step, answer)) for weight, answer in weighed),
                Fraction(0),
            )
            / total
        )

    def _law(self, r: Round, step: Chance) -> list[Weighted]:
        weighed = law(step, r, unseen(r, self.shoe))
        return self._lumped(r, weighed) if self.lumps else weighed

    def _lumped(self, r: Round, weighed: list[Weighted]) -> list[Weighted]:
        """Cards that are alike from here on are walked once, with their weights added."""
        lumps: dict[Hashable, Weighted] = {}
        for weight, answer in weighed:
            assert isinstance(answer, tuple)
            kinds = sorted(
                (repr(self.game.alike(r, face)) if isinstance(face, Card) else "back") for face in answer
            )
            kind = tuple(kinds)
            before = lumps[kind][0] if kind in lumps else 0
            lumps[kind] = (before + weight, lumps[kind][1] if before else answer)
        return list(lumps.values())


def exact_net(line: Line) -> Fraction:
    """What a line brings before any breakage."""
    if isinstance(line.pay, Odds):
        return line.wagered * line.pay.exact
    return Fraction(line.net)


def _ends(offer: Offer) -> tuple[Choice, ...]:
    if offer.least == offer.most:
        return (Choice(offer.name, offer.most),)
    return (Choice(offer.name, offer.least), Choice(offer.name, offer.most))
