"""What any five cards of a poker deck are worth, by a sum and a look in a table made from the ranking."""

from functools import cached_property, lru_cache
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from feltworks.analysis.showdown.hands import HandClasses, hand_classes
from feltworks.cards import Card, Shoe
from feltworks.hands.poker import Ranking

# What a card of each rank adds to its hand's sum, the wild card last: the smallest numbers by which no two
# hands of different ranks have the same sum. The table's making proves it.
WEIGHTS: Final = (0, 1, 5, 22, 94, 312, 992, 2_422, 5_624, 12_522, 19_998)
SPAN: Final = 70_087  # above every sum; a hand of one suit is looked up so much further on
VALUE_BITS: Final = 12
FOLD, RAISE, BY_CARDS = range(3)  # the two bits above a value say how the hand is played, the next its joker
JOKER_BIT: Final = VALUE_BITS + 2
EVERY_SUIT: Final = 15

Bools = NDArray[np.bool_]


class HandTables:
    """Lookup tables for one deck and one ranking; a hand's value is its place among all values, worst first.

    >>> from feltworks import catalog
    >>> game = catalog.game("spanish-poker")
    >>> len(HandTables(game.terms.shoe, game.ranking).classes.values)
    2254
    """

    def __init__(self, shoe: Shoe, ranking: Ranking) -> None:
        self.classes: HandClasses = hand_classes(shoe, ranking)
        self.faces: tuple[Card, ...] = shoe.all_cards()
        self.sums = self.classes.kinds @ np.array(WEIGHTS, np.int64)
        assert len(np.unique(self.sums)) == len(self.sums), "two kinds of hands have one sum"
        assert self.sums.max() < SPAN
        assert len(self.classes.values) <= 1 << VALUE_BITS

    @cached_property
    def weights(self) -> NDArray[np.uint32]:
        """What every card adds to a hand's sum."""
        ranks = self.classes.ranks
        places = [ranks.index(face.rank) if face.rank in ranks else len(ranks) for face in self.faces]
        return np.array([WEIGHTS[place] for place in places], np.uint32)

    @cached_property
    def suits(self) -> NDArray[np.uint32]:
        """The suits that a hand with this card can still be all of."""
        wild = self.classes.ranking.wild
        bits = [
            EVERY_SUIT if face.suit is None or face.rank in wild else 1 << face.suit for face in self.faces
        ]
        return np.array(bits, np.uint32)

    def played(self, raises: Bools) -> NDArray[np.uint16]:
        """By a hand's sum its value, its joker, and whether it folds, raises or is played by its cards."""
        table = np.zeros(2 * SPAN, np.uint16)
        mixed, suited = self._decided(raises)
        joker = self.classes.kinds[:, -1] << JOKER_BIT
        table[self.sums] = self.classes.mixed_value | mixed << VALUE_BITS | joker
        table[SPAN + self.sums] = self.classes.suited_value | suited << VALUE_BITS | joker
        return table

    def by_cards(self, raises: Bools) -> NDArray[np.uint8]:
        """Whether to raise, for the hands that need their cards looked at, by their number."""
        classes, hands = self.classes, np.zeros(comb(len(self.faces), self.classes.size), np.uint8)
        mixed, suited = self._decided(raises)
        unclear = np.where(classes.is_suited, suited[classes.kind], mixed[classes.kind]) == BY_CARDS
        place = {face: number for number, face in enumerate(self.faces)}
        for row in np.flatnonzero(unclear & raises).tolist():
            for hand in classes.faces_of(row):
                hands[hand_number(sorted(place[face] for face in hand))] = 1
        return hands

    def _decided(self, raises: Bools) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each kind of hand of mixed suits and of one: fold, raise, or by the cards."""
        suited = self.classes.is_suited
        return self._decided_where(raises, ~suited), self._decided_where(raises, suited)

    def _decided_where(self, raises: Bools, here: Bools) -> NDArray[np.int64]:
        kinds = len(self.sums)
        all_hands = np.bincount(self.classes.kind[here], minlength=kinds)
        raised = np.bincount(self.classes.kind[here & raises], minlength=kinds)
        return np.where(raised == 0, FOLD, np.where(raised == all_hands, RAISE, BY_CARDS))


def hand_number(places: list[int]) -> int:
    """The number of a hand among all hands of the deck, from its cards' places, lowest first.

    >>> hand_number([0, 1, 2, 3, 4]), hand_number([36, 37, 38, 39, 40])
    (0, 749397)
    """
    return sum(comb(place, count) for count, place in enumerate(places, 1))


@lru_cache(maxsize=2)
def hand_tables(shoe: Shoe, ranking: Ranking) -> HandTables:
    """The tables of a deck, remembered."""
    return HandTables(shoe, ranking)
