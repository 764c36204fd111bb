"""Phrases that a rule of play is made of: a few words, and the numbers between which they hold."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct


class Bound(Struct, frozen=True):
    """A feature from so much to so much."""

    feature: str
    least: int
    most: int


class Phrase(Struct, frozen=True):
    """What can be said of a hand in a few words: all of these bounds hold.

    >>> two = Phrase("with two cards", (Bound("held", 2, 2),))
    >>> two.fits({"held": 2}), two.fits({"held": 3})
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


def both(one: Phrase, other: Phrase) -> Phrase:
    """Two phrases that hold together."""
    return Phrase(f"{one.words} {other.words}", one.bounds + other.bounds, one.burden + other.burden)


def together(some: Iterable[Phrase], others: Sequence[Phrase]) -> list[Phrase]:
    """Each of some phrases with each of the others."""
    return [both(one, other) for one in some for other in others]


def singles(phrases: Iterable[Phrase]) -> list[Phrase]:
    """Those that name one value of one feature."""
    return [phrase for phrase in phrases if phrase.is_single]


def ranges(feature: str, low: int, high: int, words: str) -> Iterator[Phrase]:
    """Every range of a feature that says something: 6 or more, 5 or less, exactly 4, 3 to 5.

    >>> [phrase.words for phrase in ranges("total", 0, 2, "on {}")]
    ['on 0', 'on 1 or less', 'on 1', 'on 1 or more', 'on 2']
    """
    for least in range(low, high + 1):
        for most in range(least, high + 1):
            if (least, most) != (low, high):
                said = words.format(_range(low, least, most, high))
                yield Phrase(said, (Bound(feature, least, most),), 2 if low < least < most < high else 1)


def _range(low: int, least: int, most: int, high: int) -> str:
    if least == most:
        return str(least)
    if most == high:
        return f"{least} or more"
    return f"{most} or less" if least == low else f"{least} to {most}"
