"""What every standing of a Spanish Poker spot brings, asked once of the rules' own settlement.

A seat's standing is a code: its kind of hand with what it shares of the jackpot, whether it holds the joker,
and how it stands against the house. A kernel counts codes; what they are worth is found here.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct

from feltworks.analysis.showdown.hands import Hand, HandClasses
from feltworks.games.spanish_poker import HAND, SpanishPoker
from feltworks.hands.poker import FIVE_OF_A_KIND, ROYAL_FLUSH
from feltworks.money import Cents
from feltworks.rules.advance import Answer, advance
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, FACE_DOWN, Choice, Round, Seat
from feltworks.rules.steps import Decide, Draw, Step
from feltworks.rules.wager import Line

PROGRESSIVE: Final = "gran-progressive"
# How a raised hand stands against the house; one that is folded, or has no Ante, does not stand at all.
NO_RAISE, NOT_QUALIFIED, DEALER_WORSE, EQUAL, DEALER_BETTER = RELATIONS = range(5)
CINCOS, ROYAL = range(2)  # the places in the ranking of the hands that win from the jackpot
KINDS: Final = 11
MOST_ROYALS: Final = 4
# SP.14: after the kinds of hands Cincos beside one to four royals, then royals that share beside Cincos
BESIDE_ROYALS: Final = KINDS - 1
SHARED: Final = BESIDE_ROYALS + MOST_ROYALS - 1
CODES: Final = (SHARED + MOST_ROYALS + 1) * 2 * len(RELATIONS)


def code_of(kind: int, joker: int, relation: int) -> int:
    """The code of a standing.

    >>> code_of(SHARED + MOST_ROYALS, 1, DEALER_BETTER) == CODES - 1
    True
    """
    return (kind * 2 + joker) * len(RELATIONS) + relation


def poker_game(game: Game[Any]) -> SpanishPoker | None:
    """The game as these tables know it; None where it is another."""
    return game if isinstance(game, SpanishPoker) else None


class Example(Struct, frozen=True):
    """Hands that stand so: the seat's, the house's, and winners of the jackpot at other seats."""

    hand: Hand
    choice: str
    house: Hand
    others: tuple[Hand, ...] = ()


class Standings:
    """Every standing a spot of this game can come to, with an example of each."""

    def __init__(self, game: SpanishPoker, classes: HandClasses) -> None:
        self.game, self._classes = game, classes
        names = [category.name for category in game.ranking.categories]
        assert names[CINCOS] == FIVE_OF_A_KIND.name
        assert names[ROYAL] == ROYAL_FLUSH.name
        assert len(names) == KINDS
        self.kind_of_value = np.array([names.index(value.category) for value in classes.values], np.int64)
        values = classes.values
        self.qualifier = next(place for place, v in enumerate(values) if v >= game.weakest_qualifier)
        self._royal = classes.examples[self._places(ROYAL)[0]]
        self._cincos = classes.examples[self._places(CINCOS)[0]]

    def _places(self, kind: int) -> list[int]:
        places: list[int] = np.flatnonzero(self.kind_of_value == kind).tolist()
        return places

    def examples(self, wagers: Mapping[str, Cents]) -> Iterator[tuple[int, Example]]:
        """Every standing of a spot with these wagers, by its code."""
        for kind in range(KINDS):
            for joker in range(2):
                rows = self._rows(kind, joker)
                if not rows:
                    continue
                for relation, example in self._against_house(rows, raised="ante" in wagers):
                    yield code_of(kind, joker, relation), example
                    if PROGRESSIVE in wagers:
                        for shared, others in self._sharing(kind):
                            code = code_of(shared, joker, relation)
                            yield code, Example(example.hand, example.choice, example.house, others)

    def _rows(self, kind: int, joker: int) -> list[int]:
        """The classes of hands of a kind, the lowest and the highest."""
        classes = self._classes
        held = np.flatnonzero((self.kind_of_value[classes.value] == kind) & (classes.wild == joker))
        ordered: list[int] = held[np.argsort(classes.value[held], kind="stable")].tolist()
        return ordered

    def _against_house(self, rows: list[int], *, raised: bool) -> Iterator[tuple[int, Example]]:
        classes, houses = self._classes, self._classes.examples
        low, high = rows[0], rows[-1]
        lowest, highest = classes.cards(low), classes.cards(high)
        yield NO_RAISE, Example(lowest, "fold", houses[0])
        if not raised:
            return
        yield NOT_QUALIFIED, Example(lowest, "raise", houses[0])
        if classes.value[high] > self.qualifier:
            yield DEALER_WORSE, Example(highest, "raise", houses[self.qualifier])
        if classes.value[high] >= self.qualifier:
            yield EQUAL, Example(highest, "raise", highest)
        if classes.value[low] < len(houses) - 1:
            yield DEALER_BETTER, Example(lowest, "raise", houses[-1])

    def _sharing(self, kind: int) -> Iterator[tuple[int, tuple[Hand, ...]]]:
        """SP.14: the standings of a winner beside other winners, and who they are."""
        for royals in range(1, MOST_ROYALS + 1):
            if kind == CINCOS:
                yield BESIDE_ROYALS + royals, (self._royal,) * royals
            if kind == ROYAL and royals > 1:
                yield SHARED + royals, (self._cincos, *(self._royal,) * (royals - 1))

    def lines(self, wagers: Mapping[str, Cents], meters: Mapping[str, Cents], example: Example) -> list[Line]:
        """How the rules settle the spot; winners elsewhere have the dollar that makes them share."""
        stake = self.game.terms.rulebook.wager[PROGRESSIVE].least
        seats = (Seat(dict(wagers)), *(Seat({PROGRESSIVE: stake}) for _ in example.others))
        settled = self._settled(Round(seats, meters=meters), example)
        return [line for line in settled if line.seat == 0]

    def _settled(self, r: Round, example: Example) -> Sequence[Line]:
        hands = (example.hand, *example.others)
        while (step := self.game.awaits(r)) is not None:
            r = advance(r, step, _answer(r, step, hands, example))
        return self.game.settle(r)

    def jackpot_lines(self, cincos: int, royals: int, posted: Cents) -> Sequence[Line]:
        """SP.13, SP.14: what a round pays whose winners from the jackpot are these."""
        hands = (*(self._cincos,) * cincos, *(self._royal,) * royals)
        stake = self.game.terms.rulebook.wager[PROGRESSIVE].least
        r = Round(tuple(Seat({PROGRESSIVE: stake}) for _ in hands), meters={"jackpot": posted})
        return self._settled(r, Example(hands[0], "fold", (), hands[1:]))


def _answer(r: Round, step: Step, hands: tuple[Hand, ...], example: Example) -> Answer:
    if isinstance(step, Decide):
        return Choice(example.choice)
    if isinstance(step, Draw) and step.to != DEALER:
        begin = len(r.seats[step.to].cards)
        return hands[step.to][begin : begin + step.count]
    return (FACE_DOWN,) * step.count if isinstance(step, Draw) else example.house[:HAND]
