"""The JSON record of a finished round that `felt settle` reads, one line for each round."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

from feltworks.errors import ImpossibleRound, UnknownName
from feltworks.money import Cents
from feltworks.rules.round import Choice


class SpokenChoice(Struct, forbid_unknown_fields=True):
    """A choice and the amount it put down."""

    name: str
    cents: Cents | None = None
    about: str = ""


class FinishedHand(Struct, forbid_unknown_fields=True):
    """One hand of a seat that may split."""

    cards: list[str]
    doubled: bool = False
    surrendered: bool = False


class FinishedSeat(Struct, forbid_unknown_fields=True):
    """A seat of a finished round; the game's written form says which fields it uses."""

    wagers: dict[str, Any]
    cards: list[str] = []
    third: str | None = None
    choice: str | None = None
    choices: list[str | SpokenChoice] | None = None
    raise_: Any = field(name="raise", default=0)
    insurance: Any = 0
    hands: list[FinishedHand] | None = None
    tokes: dict[str, Any] = {}
    player: str | int | None = None
    spot: int | None = None

    @property
    def listed_choices(self) -> list[Choice]:
        """The choices in the order they were made."""
        if self.choice is not None and self.choices is not None:
            raise ImpossibleRound("a seat says its choice, or its choices in order, but not both")
        if self.choices is None:
            return [] if self.choice is None else [Choice(self.choice)]
        return [Choice(s) if isinstance(s, str) else Choice(s.name, s.cents, s.about) for s in self.choices]

    @property
    def amounts(self) -> tuple[tuple[str, Any], ...]:
        """Amounts besides the opening wagers, each under the name of its wager."""
        return ("raise", self.raise_), ("insurance", self.insurance)

    def under(self, name: str) -> Any:
        """The value of a field by its name in the record."""
        attribute = _ATTRIBUTES.get(name)
        if attribute is None:
            raise UnknownName("field", name, list(_ATTRIBUTES), of="a written seat")
        return getattr(self, attribute)


_ATTRIBUTES = dict(zip(FinishedSeat.__struct_encode_fields__, FinishedSeat.__struct_fields__, strict=True))


class FinishedRound(Struct, forbid_unknown_fields=True):
    """One finished round, as `felt settle` reads it."""

    game: str
    seats: list[FinishedSeat]
    dealer: dict[str, Any] = {}
    board: list[str] = []
    pay_tables: dict[str, str] = {}
    options: dict[str, Any] = {}
    jackpot: Any = UNSET
    limit: Cents | None = None
    date: str | None = None
    void: str | None = None

    @property
    def meters(self) -> dict[str, Cents]:
        posted = self.jackpot
        return {} if isinstance(posted, UnsetType) or posted is None else {"jackpot": posted}

    def dealer_card(self, key: str) -> str:
        """One of the dealer's cards, by its field."""
        code = self.dealer.get(key)
        if not isinstance(code, str):
            raise ImpossibleRound(f"the dealer's {key} card is missing")
        return code

    def dealer_list(self, key: str) -> list[str]:
        """Several of the dealer's cards, by their field."""
        codes = self.dealer.get(key)
        if codes is not None and not isinstance(codes, list):
            raise ImpossibleRound(f"the dealer's {key} is a list of cards")
        return codes or []
