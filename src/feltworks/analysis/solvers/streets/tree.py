"""The tree of choices of a round in which one hand grows, taken from the rules and the same for every hand.

The cards of the seat and of the board make one hand, and the seat chooses as they come. The offers may
depend on earlier choices but never on the cards; deals that cover the deck check this. The dealer may
have a hand of the same size, with one card open while the seat chooses.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import gcd
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.shape import ranking_of
from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.hands.poker import Ranking
from feltworks.machine.node import choices_of, names_of, result_of
from feltworks.machine.walk import Settled, settlement_of
from feltworks.money import Cents
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, FACE_DOWN, Choice, Round, Seat, face_up
from feltworks.rules.steps import Decide, Draw, Peek, Turn

Hand = tuple[Card, ...]
Dealt = Callable[[Round, Draw | Turn], Hand]  # the cards that a step of a round takes
_PACES = (1, 3, 5, 7, 11)


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


class SpotRounds:
    """The rounds of one spot, dealt and settled by the rules for any cards and any choices."""

    error: type[FeltError]  # for a game of another shape,
    shape: str  # which this one is not

    def __init__(self, game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents]) -> None:
        self.game, self._opened = game, Round((Seat(dict(wagers)),), meters=dict(meters))

    def refusal(self, why: str) -> FeltError:
        """The error for a game that is dealt or settled differently."""
        return self.error(f"{self.game.terms.rulebook.title} is {self.shape}: {why}")

    def settle(self, r: Round) -> Settled:
        """How every wager of a round is settled."""
        return settlement_of(map(result_of, self.game.settle(r)))

    def _poker_ranking(self) -> Ranking:
        ranking = ranking_of(self.game)
        if ranking is None:
            raise self.error(f"{self.game.terms.rulebook.title} compares no poker hands")
        return ranking


class StreetRounds(SpotRounds, ABC):
    """Rounds in which choices are made as cards come."""

    most_leaves: int

    @abstractmethod
    def _point(self, r: Round) -> Street:
        """How many cards are seen."""

    def _play(self, r: Round, path: Sequence[Choice], cards: Dealt) -> tuple[Round, Decide | None]:
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
                r = advance(r, step, cards(r, step))
        return r, None

    def _grow(self, cards: Dealt) -> Street:
        """The tree of choices of a round with these cards."""
        leaves = iter(range(self.most_leaves))

        def grow(before: Round, path: tuple[Choice, ...]) -> Street:
            r, step = self._play(before, (), cards)
            if step is None:
                leaf = next(leaves, None)
                if leaf is None:
                    raise self.refusal(f"its choices lead to more than {self.most_leaves} ends")
                return replace(self._point(r), leaf=leaf, path=path)
            choices = tuple(choices_of(step))
            grown = [grow(advance(r, step, choice), (*path, choice)) for choice in choices]
            named = tuple(zip(names_of(choices), grown, strict=True))
            return replace(self._point(r), about=step.about, choices=named, path=path)

        return grow(self._opened, ())


class Streets(StreetRounds):
    """The rounds of one spot, for any hands of the seat and of the dealer.

    The code that compares two hands treats every end as one choice, named by the number of its leaf.
    """

    error, shape, most_leaves = NoStreets, "not played on one growing hand", 2_000

    def __init__(self, game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents], shoe: Shoe) -> None:
        super().__init__(game, wagers, meters)
        self.ranking = ranking = self._poker_ranking()
        self._samples = list(sample_hands(shoe, ranking.size))
        if len(self._samples) < 2:
            raise self.refusal("the shoe holds too few cards")
        hand, house = self._samples[:2]
        self.root = self._grow(self._cards(hand, house))
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
        if any(self._grow(self._cards(*hands)) != self.root for hands in pairwise(self._samples[1:7])):
            raise self.refusal("what is offered changes with the cards")
        for end in self.ends:
            if end.seen < self.ranking.size and len(self._results_at(end)) > 1:
                raise self.refusal("what a shorter round pays goes by its cards")

    def up_cards(self, example: Hand) -> int:
        """How many of the dealer's cards are open before a decision."""
        return int(self.has_up_card)

    def choices(self, hand: Hand, house: Hand) -> tuple[Choice, ...]:
        """The ends as choices, named by their leaf numbers."""
        return self._labels

    def result(self, hand: Hand, choice: Choice, house: Hand) -> Settled:
        """How every wager is settled with these hands at an end."""
        return self.settle(self.finished_round(hand, house, self.ends[int(choice.name)]))

    def is_decided(self, hand: Hand, choice: Choice) -> bool:
        """Whether an end is settled without the dealer's hand."""
        return not self._needs_dealer[int(choice.name)]

    def _results_at(self, end: Street) -> set[Settled]:
        return {self.settle(self.finished_round(*hands, end)) for hands in pairwise(self._samples)}

    def finished_round(self, hand: Hand, house: Hand, end: Street) -> Round:
        """The round with these hands, after the choices that lead to an end."""
        return self._play(self._opened, end.path, self._cards(hand, house))[0]

    def deals_dealer_next(self) -> bool:
        """Whether a card that comes after the first decision goes to the dealer before the player."""
        r, step = self._play(self._opened, (), self._cards(self._samples[0], self._samples[1]))
        assert step is not None
        after = [self.game.awaits(advance(r, step, choice)) for choice in choices_of(step)]
        return any(isinstance(each, Draw) and each.to == DEALER for each in after)

    no_showdown = SpotRounds.refusal

    def _point(self, r: Round) -> Street:
        """How many of the player's cards are seen, and whether any of the dealer's is."""
        shown = len(face_up(r.dealer))
        if shown > 1 and self.game.awaits(r) is not None:
            raise self.refusal(f"{shown} of the dealer's cards lie open before a decision")
        return Street(len(face_up(r.seats[0].cards)) + len(face_up(r.board)), min(shown, 1))

    def _cards(self, hand: Hand, house: Hand) -> Dealt:
        return lambda r, step: self._next_cards(r, step, hand, house)

    def _next_cards(self, r: Round, step: Draw | Turn, hand: Hand, house: Hand) -> Hand:
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


@lru_cache(maxsize=8)
def best_play(
    solver: Callable[..., Any],
    game: Game,
    wagers: tuple[tuple[str, Cents], ...],
    shoe: Shoe,
    meters: tuple[tuple[str, Cents], ...],
    serving: frozenset[str] | None,
) -> Any:
    """The solver of a spot under best play; cached for the last few spots."""
    return solver(game, dict(wagers), shoe, meters=dict(meters), serving=serving)
