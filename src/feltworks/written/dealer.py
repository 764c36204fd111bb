"""The dealer's written cards, read by the form of the game or by a method of the game's own."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from feltworks.errors import ImpossibleRound, one_of
from feltworks.rules.form import CardField, OneCard
from feltworks.rules.game import Game
from feltworks.written.record import FinishedRound

Reader = Callable[[FinishedRound], Sequence[str]]


def dealer_cards(game: Game[Any], finished: FinishedRound) -> Sequence[str]:
    """The dealer's cards in the order they lie; one under a name that the game does not read is refused."""
    own: Reader | None = getattr(game, "dealer_cards", None)
    codes = own(finished) if own else _read_form(game.written.dealer, finished)
    if _count(finished.dealer) <= len(codes):
        return codes
    names = _names_read(own, finished) if own else [field.name for field in game.written.dealer]
    unread = [name for name in finished.dealer if name not in names]
    if not unread or not names:  # a game may leave cards aside, or read them in a way of its own
        return codes
    raise ImpossibleRound(f"the dealer's cards are written as {one_of(names)}, not as {one_of(unread)}")


def _read_form(fields: Sequence[CardField], finished: FinishedRound) -> list[str]:
    codes: list[str] = []
    for field in fields:
        if isinstance(field, OneCard):
            codes.append(finished.dealer_card(field.name))
        else:
            codes += finished.dealer_list(field.name)
    return codes


def _count(dealer: dict[str, Any]) -> int:
    """How many cards are written, under whatever names."""
    return sum(len(codes) if type(codes) is list else codes is not None for codes in dealer.values())


def _names_read(own: Reader, finished: FinishedRound) -> list[str]:
    """Which names a method of the game's own asks for."""
    names = _Names(finished.dealer)
    own(replace(finished, dealer=names))
    return list(names.read)


class _Names(dict[str, Any]):
    """Remembers which names it was asked for."""

    def __init__(self, dealer: dict[str, Any]) -> None:
        super().__init__(dealer)
        self.read: dict[str, None] = {}

    def get(self, name: str, default: Any = None) -> Any:
        self.read[name] = None
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        self.read[name] = None
        return super().__getitem__(name)
