"""The decision tree of a round with a shared board, and its settlement by the values of the two best hands.

The seat and the dealer hold cards of their own and share a board; each has the best hand among its own
cards and the board's. Rules that read hands (`r.hand_of`) get only the values, so that every pair of values is
settled without searching for cards that make them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.shape import ranking_of
from feltworks.analysis.solvers.streets.tree import Dealt, Street, StreetRounds
from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.hands.poker import BestHand, HandValue
from feltworks.machine.walk import Settled
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, HandOf, Round
from feltworks.rules.steps import Draw, Turn

OWN, SHARED = 2, 5  # number of cards of each hand, and of the board
_SAMPLES = 40


class NoBoard(FeltError):
    """Raised for a game or wager other than two hands with a shared board; another solver has to answer."""


class Deal(Struct, frozen=True):
    """The cards of a round."""

    seat: tuple[Card, ...]
    board: tuple[Card, ...]
    dealer: tuple[Card, ...]


class ValuedRound(Round, frozen=True):
    """A round whose best hands are given by their values instead of by cards."""

    mine: HandValue | None = None
    theirs: HandValue | None = None

    def hand_of(self, made: HandOf[Any], seat: int) -> Any:
        if not isinstance(made.empty, BestHand):
            raise NoBoard("the rules read a hand that is not the best of several cards")
        value = self.theirs if any(place == DEALER for place, _ in made.cards) else self.mine
        return replace(made.empty, value=value, held=made.empty.of)


class Boards(StreetRounds):
    """The rounds of one spot with a shared board."""

    error, shape, most_leaves = NoBoard, "not two hands with a shared board", 200

    def __init__(self, game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents], shoe: Shoe) -> None:
        ranking = ranking_of(game)
        if ranking is None or ranking.size != SHARED or ranking.wild:
            raise NoBoard(f"{game.terms.rulebook.title} compares no poker hands of five natural cards")
        super().__init__(game, wagers, meters)
        self.ranking = ranking
        self.samples = list(_sample_deals(shoe))
        self.root = self._grow(self._cards(self.samples[0]))
        for street in self.root.decisions():
            if street.seen not in (0, 3, SHARED):
                raise self.refusal(f"a choice is made when {street.seen} cards of the board are seen")
        if any(self._grow(self._cards(deal)) != self.root for deal in self.samples[1:6]):
            raise self.refusal("what is offered changes with the cards")
        self._check_sizes()

    def _check_sizes(self) -> None:
        """Refuses rounds of other numbers of cards; only a folded hand may end before the whole board."""
        finished = [self._finish(self.samples[0], end) for end in self.root.ends()]
        own, board = (max(len(r.at(place)) for r in finished) for place in (0, BOARD))
        shown = {(len(r.board), len(r.dealer)) for r in finished if r.is_turned(DEALER, 0)}
        if (own, board) != (OWN, SHARED) or shown - {(SHARED, OWN)}:
            raise self._size_refusal()

    def _size_refusal(self) -> FeltError:
        return self.refusal("it takes other numbers of cards than two each and a board of five")

    def result(self, deal: Deal, end: Street) -> Settled:
        """The results of the wagers with these cards."""
        return self.settle(self._finish(deal, end))

    def is_shown(self, end: Street) -> bool:
        """Whether the dealer's cards are turned at this end."""
        return self._finish(self.samples[0], end).is_turned(DEALER, 0)

    def valued_result(self, end: Street, mine: HandValue, theirs: HandValue) -> Settled:
        """The results of the wagers with hands of these values."""
        return self.settle(self.valued_round(end, mine, theirs))

    def valued_round(self, end: Street, mine: HandValue, theirs: HandValue) -> Round:
        """A finished round with hands of these values."""
        r = self._finish(self.samples[0], end)
        return ValuedRound(r.seats, r.dealer, r.board, r.meters, mine, theirs)

    def _finish(self, deal: Deal, end: Street) -> Round:
        return self._play(self._opened, end.path, self._cards(deal))[0]

    def _point(self, r: Round) -> Street:
        """The number of open board cards; all at an end."""
        return Street(SHARED if self.game.awaits(r) is None else sum(isinstance(face, Card) for face in r.board))

    def _cards(self, deal: Deal) -> Dealt:
        return lambda r, step: self._next_cards(r, deal, step)

    def _next_cards(self, r: Round, deal: Deal, step: Draw | Turn) -> tuple[Card, ...]:
        place = step.to if isinstance(step, Draw) else step.at
        cards = deal.dealer if place == DEALER else deal.board if place == BOARD else deal.seat
        begin = len(r.at(place)) if isinstance(step, Draw) else step.index
        if begin + step.count > len(cards):
            raise self._size_refusal()
        if place == DEALER and not all(isinstance(face, Card) for face in r.board):
            raise self.refusal("the dealer's cards are seen before the whole board")
        return cards[begin : begin + step.count]


def _sample_deals(shoe: Shoe) -> Iterator[Deal]:
    """Deals from the deck with several strides."""
    deck = tuple(shoe)
    if any(shoe[face] != 1 for face in deck) or len(deck) < 2 * OWN + SHARED:
        raise NoBoard("a shared board is followed for a single deck only")
    for number in range(_SAMPLES):
        pace, begin = (1, 3, 5, 7, 11, 17, 19, 23)[number % 8], number * 5
        places = [(begin + at * pace) % len(deck) for at in range(2 * OWN + SHARED)]
        if len(set(places)) == len(places):
            dealt = tuple(deck[place] for place in places)
            yield Deal(dealt[:OWN], dealt[OWN : OWN + SHARED], dealt[OWN + SHARED :])
