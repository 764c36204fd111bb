"""How every kind of poker hand is played, told by the hand's name, the best first."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from msgspec import Struct

from feltworks.analysis.showdown.hands import Ints
from feltworks.analysis.showdown.solver import Showdown
from feltworks.analysis.strategy.file import Chooser, Row
from feltworks.errors import FeltError


class Played(Struct, frozen=True):
    """A kind of hand: how likely it is, and what part of such hands makes each choice."""

    hand: str
    probability: Fraction
    parts: dict[str, Fraction]

    @property
    def choice(self) -> str | None:
        """The choice of all of them; None where the other cards decide."""
        return next(iter(self.parts)) if len(self.parts) == 1 else None


def played_hands(solved: Showdown) -> list[Played]:
    """Hands by their names, as the spot was played; none where nothing is decided."""
    names = list(solved.made)
    if len(names) < 2:
        return []
    ways = np.stack(list(solved.made.values()), axis=1)
    counted: dict[str, Counter[str]] = {}
    for value, row in sorted(zip(solved.classes.values, ways.tolist(), strict=True), reverse=True):
        counted.setdefault(value.words, Counter()).update(dict(zip(names, row, strict=True)))
    total = int(ways.sum())
    return [_played(words, parts, total) for words, parts in counted.items() if parts.total()]


def _played(words: str, parts: Counter[str], total: int) -> Played:
    every = parts.total()
    shares = {choice: Fraction(ways, every) for choice, ways in parts.most_common() if ways}
    return Played(words, Fraction(every, total), shares)


def _choices_of(solved: Showdown, follow: Chooser | None = None) -> tuple[list[str], Ints]:
    """The choices there are, and which one every class of hands makes; of equal ones the first."""
    worth, _ = solved.worth()
    names = list(worth)
    if follow is None:
        best: Ints = np.argmax(np.array(list(worth.values())), axis=0)
        return names, best
    said = [follow(solved.classes.cards(row), (), names) for row in range(len(solved.classes))]
    return names, np.array([names.index(name) for name in said])


def hand_rows(solved: Showdown, follow: Chooser | None = None) -> Iterator[Row]:
    """What to do with each class of hands, as a strategy file says it."""
    if solved.has_up_card:
        title = solved.game.terms.rulebook.title
        raise FeltError(f"{title} is decided with a card of the dealer's in sight, which a file cannot say")
    names, chosen = _choices_of(solved, follow)
    for row, choice in enumerate(chosen.tolist() if len(names) > 1 else ()):
        yield Row(" ".join(map(str, solved.classes.cards(row))), names[choice])
