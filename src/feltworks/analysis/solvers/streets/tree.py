"""The choices of a round in which one hand grows: found by asking the rules, the same for every hand.

The cards of the seat and of the board make one hand. Between them the seat chooses; what is offered may
depend on earlier choices and never on the cards, which is checked on deals that cover the deck.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from math import gcd
from typing import Any

from msgspec import Struct

from feltworks.analysis.shape import ranking_of
from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.machine.node import choices_of, names_of, result_of
from feltworks.machine.walk import Settled, SettledLine
from feltworks.money import Cents
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Choice, Round, Seat
from feltworks.rules.steps import Decide, Draw, Peek

Hand = tuple[Card, ...]
_PACES = (1, 3, 5, 7, 11)
_MOST_LEAVES = 2_000


class NoStreets(FeltError):
    """A game, or a wager of it, that is not decided by one growing hand: another solver has to serve it."""


class Street(Struct, frozen=True):
    """A point of a round: how many cards are seen, and the choices that open there; an end without any."""

    seen: int
    about: str = ""
    choices: tuple[tuple[str, "Street"], ...] = ()
    leaf: int = -1  # the number of an end
    path: tuple[Choice, ...] = ()  # what was chosen on the way

    @property
    def is_end(self) -> bool:
        return not self.choices

    def decisions(self) -> Iterator["Street"]:
        """Every point with a choice, from here on."""
        if self.choices:
            yield self
        for _, after in self.choices:
            yield from after.decisions()

    def ends(self) -> Iterator["Street"]:
        """Every end, from here on."""
        if not self.choices:
            yield self
        for _, after in self.choices:
            yield from after.ends()


def grow_streets(
    opened: Round,
    deal: Callable[[Round], tuple[Round, Decide | None]],
    seen: Callable[[Round], int],
    refusal: Callable[[str], FeltError],
    most: int,
) -> Street:
    """The tree of choices of a round that `deal` carries on to its next decision; at most so many ends."""
    leaves = iter(range(most))

    def grow(before: Round, path: tuple[Choice, ...]) -> Street:
        r, step = deal(before)
        if step is None:
            leaf = next(leaves, None)
            if leaf is None:
                raise refusal(f"its choices lead to more than {most} ends")
            return Street(seen(r), leaf=leaf, path=path)
        choices = tuple(choices_of(step))
        grown = [grow(advance(r, step, choice), (*path, choice)) for choice in choices]
        return Street(seen(r), step.about, tuple(zip(names_of(choices), grown, strict=True)), path=path)

    return grow(opened, ())


class Streets:
    """The rounds of one spot, dealt and settled by the rules for any hand and any choices."""

    def __init__(self, game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents], shoe: Shoe) -> None:
        ranking = ranking_of(game)
        if ranking is None:
            raise NoStreets(f"{game.terms.rulebook.title} compares no poker hands")
        self.game, self.ranking = game, ranking
        self._opened = Round((Seat(dict(wagers)),), meters=dict(meters))
        self._samples = list(sample_hands(shoe, ranking.size))
        self.root = self._grow(self._samples[0])
        if not any(self.root.decisions()):
            raise self.refusal("nothing is decided in it")

    def check(self) -> None:
        """Refuse a game whose offers go by the cards."""
        if any(self._grow(hand) != self.root for hand in self._samples[1:6]):
            raise self.refusal("what is offered changes with the cards")

    def samples(self) -> list[Hand]:
        """Hands that together meet every card of the shoe."""
        return self._samples

    def result(self, hand: Hand, end: Street) -> Settled:
        """How every wager comes out with a hand, after the choices that lead to an end."""
        settled = self.game.settle(self.finished_round(hand, end))
        return tuple([self._exact_line(line) for line in map(result_of, settled)])

    def finished_round(self, hand: Hand, end: Street) -> Round:
        """The round with a hand, after the choices that lead to an end."""
        return self._deal(self._opened, hand, end.path)[0]

    def refusal(self, why: str) -> NoStreets:
        """The refusal of a game that is dealt or settled otherwise."""
        return NoStreets(f"{self.game.terms.rulebook.title} is not played on one growing hand: {why}")

    def _exact_line(self, line: Any) -> SettledLine:
        return SettledLine(line.wager, line.outcome, line.exact, line.wagered)

    def _grow(self, hand: Hand) -> Street:
        return grow_streets(self._opened, lambda r: self._deal(r, hand, ()), _open_cards, self.refusal, _MOST_LEAVES)

    def _deal(self, r: Round, hand: Hand, path: tuple[Choice, ...]) -> tuple[Round, Decide | None]:
        """A round as far as these cards and choices carry it, and the decision it then awaits."""
        waiting = list(path)
        while (step := self.game.awaits(r)) is not None:
            if isinstance(step, Decide):
                if not waiting:
                    return r, step
                r = advance(r, step, waiting.pop(0))
                continue
            place = step.to if isinstance(step, Draw) else step.at
            if isinstance(step, Peek) or place == DEALER:
                raise self.refusal("the dealer has cards of his own")
            if isinstance(step, Draw) and step.down:
                r = advance(r, step, (FACE_DOWN,) * step.count)
                continue
            seen = _open_cards(r)
            if seen + step.count > len(hand):
                raise self.refusal(f"it takes more than the {len(hand)} cards of a hand")
            r = advance(r, step, hand[seen : seen + step.count])
        return r, None


def _open_cards(r: Round) -> int:
    return sum(isinstance(face, Card) for place in (0, BOARD) for face in r.at(place))


def sample_hands(shoe: Shoe, size: int) -> Iterator[Hand]:
    """Hands dealt through the deck at several paces, each of which meets every card."""
    deck = tuple(shoe)
    for pace in (each for each in _PACES if gcd(each, len(deck)) == 1):
        dealt = [deck[at * pace % len(deck)] for at in range(len(deck))]
        yield from (tuple(dealt[a:b]) for a, b in pairwise(range(0, len(deck) + 1, size)))
