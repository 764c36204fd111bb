"""What a player decides by: facts, the phrases of simple rules, and charts.

Declared by the game, or by the wager that asks for the decision. Totals and spreads are defined here.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from feltworks.cards import Card, Rank
from feltworks.hands.baccarat import MONKEYS, points, total
from feltworks.hands.spread import spread
from feltworks.rules.round import Round, face_up


class Bound(Struct, frozen=True):
    """A range of a feature's values."""

    feature: str
    least: int
    most: int


class Phrase(Struct, frozen=True):
    """A description of a hand in a few words: all of these bounds hold.

    >>> two = Phrase("with two cards", (Bound("held", 2, 2),))
    >>> two.fits({"held": 2}), two.fits({"held": 3})
    (True, False)
    """

    words: str
    bounds: tuple[Bound, ...]
    burden: int = 1  # how many things a player has to remember

    @property
    def is_single(self) -> bool:
        """Whether it gives one value of one feature."""
        return len(self.bounds) == 1 and self.bounds[0].least == self.bounds[0].most

    def fits(self, features: Mapping[str, int]) -> bool:
        return all(bound.least <= features[bound.feature] <= bound.most for bound in self.bounds)


def both(one: Phrase, other: Phrase) -> Phrase:
    """One phrase for hands that fit both."""
    return Phrase(f"{one.words} {other.words}", one.bounds + other.bounds, one.burden + other.burden)


def combine_phrases(some: Iterable[Phrase], others: Sequence[Phrase]) -> list[Phrase]:
    """Every combination of one of some phrases with one of the others."""
    return [both(one, other) for one in some for other in others]


def singles(phrases: Iterable[Phrase]) -> list[Phrase]:
    """The phrases that give one value of one feature."""
    return [phrase for phrase in phrases if phrase.is_single]


def ranges(feature: str, low: int, high: int, words: str) -> Iterator[Phrase]:
    """Every useful range of a feature: 6 or more, 5 or less, exactly 4, 3 to 5.

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
    """What a player decides by: the own cards, the open cards, the choices, and the money on the spot."""

    cards: tuple[Card, ...]  # if seats have no cards: those on the board
    dealer: tuple[Card, ...] = ()
    offers: tuple[str, ...] = ()  # the cheapest first
    board: tuple[Card, ...] = ()
    about: str = ""  # which decision, if a seat has several
    wagered: Fraction = Fraction(1)  # all money on the spot, in units of its main wager


def player_view(r: Round, offers: Sequence[str], seat: int = 0, about: str = "") -> PlayerView:
    """What the player at a seat sees of a round; cards that all seats share count as those of a seat without any."""
    held, board = face_up(r.seats[seat].cards), face_up(r.board)
    cards, shared = (held, board) if held else (board, ())
    money = list(r.seats[seat].wagers.values()) or [1]
    return PlayerView(cards, face_up(r.dealer), tuple(offers), shared, about, Fraction(sum(money), money[0]))


def seat_view(mine: tuple[Card, ...], house: tuple[Card, ...], offers: Sequence[str], about: str = "") -> PlayerView:
    """What the player sees in a compiled state; cards that all seats share count as those of a seat without any."""
    return PlayerView(mine or house, house if mine else (), tuple(offers), about=about)


Feature = Callable[[PlayerView], int]


class Axis(Struct, frozen=True):
    """One side of a chart: its title, its labels in order, and the label of a sight."""

    title: str
    labels: tuple[str, ...]
    label: Callable[[PlayerView], str]
    words: str = "against {}"  # one of its labels within a sentence


class Chart(Struct, frozen=True):
    """The layout of the chart: the player's hand in rows, the other fact in columns."""

    down: Axis
    across: Axis
    # The name of a hand in a note, on a cell that its cards divide or on the closest decisions
    hand: Callable[[PlayerView], str] | None = None
    closest: int = 0  # how many of the closest decisions have a note, instead of the divided cells
    meaning: str = ""  # of labels that do not say it themselves, in words


class Sights(Struct, frozen=True):
    """The facts of a sight, the phrases for rules of play, and the chart.

    A game that declares none is described by the ranks of its cards, or by its poker hands.
    """

    facts: Callable[[PlayerView], Mapping[str, int]]  # named as in strategy files
    features: Mapping[str, Feature]  # that the phrases use
    phrases: Callable[[], Sequence[Phrase]]
    chart: Chart
    summary: Chart | None = None  # the short chart beside an analysis, if it has other labels
    kind: Callable[[PlayerView], Hashable] | None = None  # by default sights are grouped by what the rules distinguish
    verbs: Mapping[str, str] = {}  # the words for a choice in a rule, if they are not its name


# A baccarat-style total against the up card, then the higher of the two cards


def _total_facts(view: PlayerView) -> dict[str, int]:
    up = {"up": points(view.dealer[0])} if view.dealer else {}
    return {"total": total(view.cards), "monkeys": MONKEYS.issuperset(view.cards), **up}


def _total_phrases() -> list[Phrase]:
    totals, ups = list(ranges("total", 0, 9, "on {}")), list(ranges("up card", 0, 9, "against {}"))
    higher = [
        *(_higher(f"with a card of {card} or more", card, 9) for card in range(1, 10)),
        *(_higher(f"with no card above {card}", 0, card) for card in range(9)),
        *(_higher(f"with a {card}", card, card) for card in range(1, 9)),
    ]
    cells = combine_phrases(singles(totals), singles(ups))
    return [*totals, *ups, *combine_phrases(totals, ups), *combine_phrases(cells, higher)]


def _higher(words: str, least: int, most: int) -> Phrase:
    return Phrase(words, (Bound("higher card", least, most),))


_DIGITS = tuple(map(str, range(10)))
TOTALS = Sights(
    facts=_total_facts,
    features={
        "total": lambda view: total(view.cards),
        "up card": lambda view: points(view.dealer[0]),
        "higher card": lambda view: max(map(points, view.cards)),
    },
    phrases=_total_phrases,
    chart=Chart(
        down=Axis("total", _DIGITS[::-1], lambda view: str(total(view.cards))),
        across=Axis("up card", _DIGITS, lambda view: str(points(view.dealer[0]))),
        hand=lambda view: "-".join(map(str, sorted(map(points, view.cards), reverse=True))),
        meaning="an up card of 0 is a ten, jack, queen or king; one of 1 is an ace",
    ),
)


# Two cards and the spread between them; also the ranks, which matter if the shoe is known


def _spread(view: PlayerView) -> int:
    return spread(view.cards[0].rank, view.cards[1].rank)


def _is_suited(view: PlayerView) -> bool:
    return view.cards[0].suit is view.cards[1].suit


def _ranks_and_suits(view: PlayerView) -> Hashable:
    return tuple(sorted(face.rank for face in view.cards)), len({face.suit for face in view.cards}) == 1


def _spread_facts(view: PlayerView) -> dict[str, int]:
    return {"spread": _spread(view), "pair": _spread(view) < 0, "suited": _is_suited(view)}


def _spread_phrases() -> list[Phrase]:
    ranks = [rank for rank in Rank if rank is not Rank.JOKER]
    pair, wide = Bound("spread", -1, -1), list(ranges("spread", 0, 11, "with a spread of {}"))
    any_spread = [Phrase("with a pair", (pair,)), *wide]
    suits = [
        Phrase("in one suit", (Bound("suited", 1, 1),)),
        Phrase("in two suits", (Bound("suited", 0, 0),)),
    ]
    lower = [Phrase(f"from the {rank.word} up", (Bound("lower card", rank, rank),)) for rank in ranks]
    pairs = [Phrase(f"with a pair of {rank.plural}", (pair, Bound("lower card", rank, rank)), 2) for rank in ranks]
    return [
        *any_spread,
        *suits,
        *combine_phrases(any_spread, suits),
        *combine_phrases(singles(wide), lower),
        *pairs,
    ]


def _suits(view: PlayerView) -> str:
    return "one suit" if _is_suited(view) else "two suits"


_BY_SPREAD = Axis(
    "spread", ("pair", *map(str, range(12))), lambda view: "pair" if _spread(view) < 0 else str(_spread(view))
)
_IN_FULL = Axis("cards", (), lambda view: "pair" if _spread(view) < 0 else f"spread {_spread(view):>2}")
SPREADS = Sights(
    facts=_spread_facts,
    features={
        "spread": _spread,
        "suited": _is_suited,
        "lower card": lambda view: min(face.rank for face in view.cards),
    },
    phrases=_spread_phrases,
    chart=Chart(_BY_SPREAD, Axis("suits", ("two suits", "one suit"), _suits, "in {}")),
    summary=Chart(_IN_FULL, Axis("", (), lambda view: "suited" if _is_suited(view) else "of two suits")),
    kind=_ranks_and_suits,
)
