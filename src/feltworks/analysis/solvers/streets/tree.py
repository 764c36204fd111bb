"""The tree of choices of a round in which one hand grows, taken from the rules and the same for every hand.

The cards of the seat and of the board make one hand, and the seat chooses as they come. The offers may
depend on earlier choices but never on the cards; deals that cover the deck check this. The dealer may
have a hand of the same size, with one card open while the seat chooses.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from math import gcd
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.shape import ranking_of
from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.machine.node import choices_of, names_of, result_of
from feltworks.machine.walk import Settled, SettledLine
from feltworks.money import Cents
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, FACE_DOWN, Choice, Round, Seat, face_up
from feltworks.rules.steps import Decide, Draw, Peek, Turn

Hand = tuple[Card, ...]
_PACES = (1, 3, 5, 7, 11)
_MOST_LEAVES = 2_000


class NoStreets(FeltError):
    """The game or wager is not decided by one growing hand, and needs another solver."""


class Street(Struct, frozen=True):
    """A point of a round: the number of cards seen, and the choices offered there; an end has none."""

    seen: int
    up: int = 0  # of the dealer's cards
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
    point: Callable[[Round], Street],
    refusal: Callable[[str], FeltError],
    most: int,
) -> Street:
    """The tree of choices of a round, with at most `most` ends.

    `deal` plays on to the next decision; `point` gives the number of cards seen there.
    """
    leaves = iter(range(most))

    def grow(before: Round, path: tuple[Choice, ...]) -> Street:
        r, step = deal(before)
        if step is None:
            leaf = next(leaves, None)
            if leaf is None:
                raise refusal(f"its choices lead to more than {most} ends")
            return replace(point(r), leaf=leaf, path=path)
        choices = tuple(choices_of(step))
        grown = [grow(advance(r, step, choice), (*path, choice)) for choice in choices]
        named = tuple(zip(names_of(choices), grown, strict=True))
        return replace(point(r), about=step.about, choices=named, path=path)

    return grow(opened, ())


class Streets:
    """The rounds of one spot, dealt and settled by the rules for any hands and any choices.

    The code that compares two hands treats every end as one choice, named by the number of its leaf.
    """

    def __init__(self, game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents], shoe: Shoe) -> None:
        ranking = ranking_of(game)
        if ranking is None:
            raise NoStreets(f"{game.terms.rulebook.title} compares no poker hands")
        self.game, self.ranking = game, ranking
        self._opened = Round((Seat(dict(wagers)),), meters=dict(meters))
        self._samples = list(sample_hands(shoe, ranking.size))
        if len(self._samples) < 2:
            raise self.refusal("the shoe holds too few cards")
        hand, house = self._samples[:2]
        self.root = self._grow(hand, house)
        if not any(self.root.decisions()):
            raise self.refusal("nothing is decided in it")
        self.ends = sorted(self.root.ends(), key=lambda end: end.leaf)
        self._labels = tuple([Choice(str(end.leaf)) for end in self.ends])
        self.has_up_card = any(street.up for street in self.root.decisions())
        shown = [len(face_up(self.finished_round(hand, house, end).dealer)) for end in self.ends]
        if any(self.has_up_card < count < ranking.size for count in shown):
            raise self.refusal("the dealer shows a part of a hand")
        self._needs_dealer = [count == ranking.size for count in shown]
        self.has_dealer = any(self._needs_dealer)
        if self.has_dealer and self.root.seen == ranking.size and sum(1 for _ in self.root.decisions()) == 1:
            raise self.refusal("nothing comes after the one decision")

    def check(self) -> None:
        """Refuse a game in which offers, or the pays of shorter rounds, depend on the cards."""
        if any(self._grow(*hands) != self.root for hands in pairwise(self._samples[1:7])):
            raise self.refusal("what is offered changes with the cards")
        for end in self.ends:
            if end.seen < self.ranking.size and len({self._settle(end, *h) for h in pairwise(self._samples)}) > 1:
                raise self.refusal("what a shorter round pays goes by its cards")

    def samples(self) -> list[Hand]:
        """Sample hands that together contain every card of the shoe."""
        return self._samples

    def up_cards(self, example: Hand) -> int:
        """How many of the dealer's cards are open before a decision."""
        return int(self.has_up_card)

    def choices(self, hand: Hand, house: Hand) -> tuple[Choice, ...]:
        """The ends as choices, named by their leaf numbers."""
        return self._labels

    def result(self, hand: Hand, choice: Choice, house: Hand) -> Settled:
        """How every wager is settled with these hands at an end."""
        return self._settle(self.ends[int(choice.name)], hand, house)

    def is_decided(self, hand: Hand, choice: Choice) -> bool:
        """Whether an end is settled without the dealer's hand."""
        return not self._needs_dealer[int(choice.name)]

    def _settle(self, end: Street, hand: Hand, house: Hand) -> Settled:
        settled = self.game.settle(self.finished_round(hand, house, end))
        return tuple([self._exact_line(line) for line in map(result_of, settled)])

    def finished_round(self, hand: Hand, house: Hand, end: Street) -> Round:
        """The round with these hands, after the choices that lead to an end."""
        return self._deal(self._opened, hand, house, end.path)[0]

    def deals_dealer_next(self) -> bool:
        """Whether a card that comes after the first decision goes to the dealer before the player."""
        r, step = self._deal(self._opened, self._samples[0], self._samples[1], ())
        assert step is not None
        after = [self.game.awaits(advance(r, step, choice)) for choice in choices_of(step)]
        return any(isinstance(each, Draw) and each.to == DEALER for each in after)

    def refusal(self, why: str) -> NoStreets:
        """The error for a game that is dealt or settled differently."""
        return NoStreets(f"{self.game.terms.rulebook.title} is not played on one growing hand: {why}")

    no_showdown = refusal

    def _exact_line(self, line: Any) -> SettledLine:
        return SettledLine(line.wager, line.outcome, line.exact, line.wagered)

    def _grow(self, hand: Hand, house: Hand) -> Street:
        return grow_streets(
            self._opened, lambda r: self._deal(r, hand, house, ()), self._point, self.refusal, _MOST_LEAVES
        )

    def _point(self, r: Round) -> Street:
        """How many of the player's cards are seen, and whether any of the dealer's is."""
        shown = len(face_up(r.dealer))
        if shown > 1 and self.game.awaits(r) is not None:
            raise self.refusal(f"{shown} of the dealer's cards lie open before a decision")
        return Street(len(face_up(r.seats[0].cards)) + len(face_up(r.board)), min(shown, 1))

    def _deal(self, r: Round, hand: Hand, house: Hand, path: tuple[Choice, ...]) -> tuple[Round, Decide | None]:
        """Play a round on with these cards and choices; returns it with the decision that it then awaits."""
        waiting = list(path)
        while (step := self.game.awaits(r)) is not None:
            if isinstance(step, Decide):
                if not waiting:
                    return r, step
                r = advance(r, step, waiting.pop(0))
            elif isinstance(step, Peek):
                raise self.refusal("the dealer looks under a card")
            elif isinstance(step, Draw) and step.down:
                r = advance(r, step, (FACE_DOWN,) * step.count)
            else:
                r = advance(r, step, self._cards(r, step, hand, house))
        return r, None

    def _cards(self, r: Round, step: Draw | Turn, hand: Hand, house: Hand) -> Hand:
        place = step.to if isinstance(step, Draw) else step.at
        if place == DEALER:
            begin = len(r.dealer) if isinstance(step, Draw) else step.index
            if begin + step.count > len(house):
                raise self.refusal(f"the dealer takes more than the {self.ranking.size} cards of a hand")
            return house[begin : begin + step.count]
        begin = len(face_up(r.seats[0].cards)) + len(face_up(r.board))
        if begin + step.count > len(hand):
            raise self.refusal(f"it takes more than the {len(hand)} cards of a hand")
        return hand[begin : begin + step.count]


def sample_hands(shoe: Shoe, size: int) -> Iterator[Hand]:
    """Hands dealt from the deck with several strides, each of which visits every card."""
    deck = tuple(shoe)
    for pace in (each for each in _PACES if gcd(each, len(deck)) == 1):
        dealt = [deck[at * pace % len(deck)] for at in range(len(deck))]
        yield from (tuple(dealt[a:b]) for a, b in pairwise(range(0, len(deck) + 1, size)))
