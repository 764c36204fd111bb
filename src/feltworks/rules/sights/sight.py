"""What a player goes by when a decision comes: facts, the phrases of simple rules, and charts.

The game declares it, or the wager that asks for the decision.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from feltworks.cards import Card
from feltworks.rules.round import Round, face_up


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


def combine_phrases(some: Iterable[Phrase], others: Sequence[Phrase]) -> list[Phrase]:
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
                phrase = words.format(_range(low, least, most, high))
                yield Phrase(phrase, (Bound(feature, least, most),), 2 if low < least < most < high else 1)


def _range(low: int, least: int, most: int, high: int) -> str:
    if least == most:
        return str(least)
    if most == high:
        return f"{least} or more"
    return f"{most} or less" if least == low else f"{least} to {most}"


class PlayerView(Struct, frozen=True):
    """What a player decides by: the own cards, those that lie open, the choices, and the money on the spot."""

    cards: tuple[Card, ...]  # of a seat that has none: those on the board
    dealer: tuple[Card, ...] = ()
    offers: tuple[str, ...] = ()  # the one that wagers least comes first
    board: tuple[Card, ...] = ()
    about: str = ""  # which decision it is, where a seat has several
    wagered: Fraction = Fraction(1)  # all that lies on the spot, in units of its main wager


def player_view(r: Round, offers: Sequence[str], seat: int = 0, about: str = "") -> PlayerView:
    """What the player at a seat sees of a round; cards that all seats share are those of a seat without any."""
    held, board = face_up(r.seats[seat].cards), face_up(r.board)
    cards, shared = (held, board) if held else (board, ())
    money = list(r.seats[seat].wagers.values()) or [1]
    return PlayerView(cards, face_up(r.dealer), tuple(offers), shared, about, Fraction(sum(money), money[0]))


Feature = Callable[[PlayerView], int]


class Axis(Struct, frozen=True):
    """One side of a chart: its title, its labels in order, and which of them a sight belongs to."""

    title: str
    labels: tuple[str, ...]
    label: Callable[[PlayerView], str]


class Chart(Struct, frozen=True):
    """How the play is drawn: what is held downwards, what else counts across."""

    down: Axis
    across: Axis
    # What a note calls a hand: of a cell that its cards divide, or of the closest decisions
    hand: Callable[[PlayerView], str] | None = None
    closest: int = 0  # how many of the closest decisions are noted, instead of the divided cells


class Sights(Struct, frozen=True):
    """The facts of a sight, the phrases that rules of play are made of, and the chart.

    A game that declares none is spoken of by the ranks of its cards, or by its poker hands.
    """

    facts: Callable[[PlayerView], Mapping[str, int]]  # by the names that strategy files use
    features: Mapping[str, Feature]  # that the phrases speak of
    phrases: Callable[[], Sequence[Phrase]]
    chart: Chart
    summary: Chart | None = None  # the short one beside an analysis, where it is labelled otherwise
    kind: Callable[[PlayerView], Hashable] | None = None  # else sights differ by what the rules tell apart
    verbs: Mapping[str, str] = {}  # what a rule calls a choice, where not by its name
