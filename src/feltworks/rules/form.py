"""The field names of a game's finished rounds, as data that `written/` reads."""

from collections.abc import Mapping

from msgspec import Struct


class OneCard(Struct, frozen=True):
    """A card with a field of its own."""

    name: str


class CardList(Struct, frozen=True):
    """Cards in a list: a fixed number, or as many as were dealt."""

    name: str
    count: int | None = None


CardField = OneCard | CardList


class Amount(Struct, frozen=True):
    """An amount that answers a decision: this many cents under the name is one choice, none is the other."""

    name: str
    choice: str
    otherwise: str


class HandList(Struct, frozen=True):
    """The hands of a seat that may split, each with its cards; words are those of the game's offers."""

    wager: str  # the wager on these hands
    split: str
    more: str  # the choice that takes one more card
    enough: str
    doubled: str
    surrendered: str


class WrittenForm(Struct, frozen=True):
    """The written form of a finished round; by default a list of cards for each place, and choices in order.

    Cards are named in the order in which they lie on the felt.
    """

    dealer: tuple[CardField, ...] = (CardList("cards"),)
    seat: tuple[CardField, ...] = (CardList("cards"),)
    seat_rule: str = ""  # the error for a seat without these cards
    amounts: Mapping[str, Amount] = {}  # by the subject of the decision
    hands: HandList | None = None
