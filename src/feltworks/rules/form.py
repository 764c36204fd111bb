"""Under which names a finished round of a game is written down: data alone, which `written/` reads."""

from collections.abc import Mapping

from msgspec import Struct


class OneCard(Struct, frozen=True):
    """A card that stands under a name of its own."""

    name: str


class CardList(Struct, frozen=True):
    """Cards that stand in a list: so many of them, or as many as fell."""

    name: str
    count: int | None = None


CardField = OneCard | CardList


class Amount(Struct, frozen=True):
    """Money that answers a decision: so many cents under this name are one choice, none is the other."""

    name: str
    choice: str
    otherwise: str


class HandList(Struct, frozen=True):
    """The hands of a seat that may split, each with its cards; the words are those of the game's offers."""

    wager: str  # which lies on these hands
    split: str
    more: str  # one card more
    enough: str
    doubled: str
    surrendered: str


class WrittenForm(Struct, frozen=True):
    """How a finished round is written; the defaults are a list of cards at each place and choices in order.

    Cards are named in the order in which they lie on the felt.
    """

    dealer: tuple[CardField, ...] = (CardList("cards"),)
    seat: tuple[CardField, ...] = (CardList("cards"),)
    seat_rule: str = ""  # the sentence that refuses a seat without these cards
    amounts: Mapping[str, Amount] = {}  # by what the decision is about
    hands: HandList | None = None
