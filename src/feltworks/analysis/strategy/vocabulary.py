"""The words practical rules are made of: features of what a player sees, and phrases that bound them.

A vocabulary is data: the search in `practical` knows no game. `phrases` holds the vocabularies by shape.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from feltworks.cards import Card
from feltworks.rules.round import Round, face_up

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


class Seen(Struct, frozen=True):
    """What a player decides by: the own cards, the dealer's that lie open, and the choices on offer."""

    cards: tuple[Card, ...]
    dealer: tuple[Card, ...] = ()
    offers: tuple[str, ...] = ()  # the one that wagers least comes first


def seen_in(r: Round, offers: Sequence[str], seat: int = 0) -> Seen:
    """What the player at a seat sees of a round."""
    return Seen(face_up(r.seats[seat].cards), face_up(r.dealer), tuple(offers))


Feature = Callable[[Seen], int]


class Bound(Struct, frozen=True):
    """A feature from so much to so much."""

    feature: str
    least: int
    most: int


class Phrase(Struct, frozen=True):
    """What can be said of a hand in a few words: all of these bounds hold.

    >>> both = Phrase("with two cards", (Bound("held", 2, 2),))
    >>> both.fits({"held": 2}), both.fits({"held": 3})
    (True, False)
    """

    words: str
    bounds: tuple[Bound, ...]
    burden: int = 1  # how many things there are to remember

    @property
    def is_single(self) -> bool:
        """Whether it names one value of one feature."""
        return len(self.bounds) == 1 and self.bounds[0].least == self.bounds[0].most

    def fits(self, features: Mapping[str, int]) -> bool:
        return all(bound.least <= features[bound.feature] <= bound.most for bound in self.bounds)

    def fits_all(self, columns: Mapping[str, Ints]) -> Bools:
        """The same for many situations at once."""
        held = [(columns[b.feature] >= b.least) & (columns[b.feature] <= b.most) for b in self.bounds]
        fitting: Bools = np.logical_and.reduce(held)
        return fitting


class Vocabulary(Struct, frozen=True):
    """What can be said of a hand, simplest phrases first, and how the choices are called in a rule."""

    features: Mapping[str, Feature]
    phrases: tuple[Phrase, ...]
    verbs: Mapping[str, str] = {}
    speaks_of: Mapping[str, str] = {}  # choices that are only spoken of with one feature

    def says(self, phrase: Phrase, choice: str) -> bool:
        """Whether a rule with this phrase and choice is one that people would say."""
        wanted = self.speaks_of.get(choice)
        return wanted is None or any(bound.feature == wanted for bound in phrase.bounds)

    def of(self, seen: Seen) -> dict[str, int]:
        """Every feature of one situation."""
        return {name: feature(seen) for name, feature in self.features.items()}

    def columns(self, seen: Sequence[Seen]) -> dict[str, Ints]:
        """Every feature of many situations."""
        return {
            name: np.array([feature(each) for each in seen], dtype=np.int64)
            for name, feature in self.features.items()
        }

    def verb(self, choice: str) -> str:
        return self.verbs.get(choice, choice)


def both(one: Phrase, other: Phrase) -> Phrase:
    """Two phrases that hold together."""
    return Phrase(f"{one.words} {other.words}", one.bounds + other.bounds, one.burden + other.burden)


def simplest_first(phrases: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """In the order in which equally good phrases are preferred."""
    return tuple(sorted(phrases, key=lambda phrase: (phrase.burden, len(phrase.words))))
