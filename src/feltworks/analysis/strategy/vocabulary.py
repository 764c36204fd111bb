"""The words practical rules are made of: features of what a player sees, and phrases that bound them.

A vocabulary is data: the search in `practical` knows no game. Games declare theirs; `phrases` holds what is
said of poker hands and of cards that nothing is declared of.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from feltworks.rules.sights.sight import Feature, Phrase, Seen

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


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


def simplest_first(phrases: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """In the order in which equally good phrases are preferred."""
    return tuple(sorted(phrases, key=lambda phrase: (phrase.burden, len(phrase.words))))


def fits_all(phrase: Phrase, columns: Mapping[str, Ints]) -> Bools:
    """Whether a phrase fits, for many situations at once."""
    held = [(columns[b.feature] >= b.least) & (columns[b.feature] <= b.most) for b in phrase.bounds]
    fitting: Bools = np.logical_and.reduce(held)
    return fitting
