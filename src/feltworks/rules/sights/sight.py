"""What a player goes by when a decision comes, declared by the game or the wager that asks for it."""

from collections.abc import Callable, Hashable, Mapping, Sequence

from msgspec import Struct

from feltworks.cards import Card
from feltworks.rules.round import Round, face_up
from feltworks.rules.sights.phrases import Phrase


class Seen(Struct, frozen=True):
    """What a player decides by: the own cards, the dealer's that lie open, and the choices on offer."""

    cards: tuple[Card, ...]
    dealer: tuple[Card, ...] = ()
    offers: tuple[str, ...] = ()  # the one that wagers least comes first


def seen_in(r: Round, offers: Sequence[str], seat: int = 0) -> Seen:
    """What the player at a seat sees of a round."""
    return Seen(face_up(r.seats[seat].cards), face_up(r.dealer), tuple(offers))


Feature = Callable[[Seen], int]


class Axis(Struct, frozen=True):
    """One side of a chart: its title, its labels in order, and which of them a sight belongs to."""

    title: str
    labels: tuple[str, ...]
    label: Callable[[Seen], str]


class Chart(Struct, frozen=True):
    """How the play is drawn: what is held downwards, what else counts across."""

    down: Axis
    across: Axis
    # What a note calls a hand: of a cell that its cards divide, or of the closest decisions
    hand: Callable[[Seen], str] | None = None
    closest: int = 0  # how many of the closest decisions are noted, instead of the divided cells


class Sights(Struct, frozen=True):
    """The facts of a sight, the phrases that rules of play are made of, and the chart.

    A game that declares none is spoken of by the ranks of its cards, or by its poker hands.
    """

    facts: Callable[[Seen], Mapping[str, int]]  # by the names that strategy files use
    features: Mapping[str, Feature]  # that the phrases speak of
    phrases: Callable[[], Sequence[Phrase]]
    chart: Chart
    summary: Chart | None = None  # the short one beside an analysis, where it is labelled otherwise
    kind: Callable[[Seen], Hashable] | None = None  # else sights differ by what the rules tell apart
    verbs: Mapping[str, str] = {}  # what a rule calls a choice, where not by its name
