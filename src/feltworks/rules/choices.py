"""Trade knowledge about choices by name: their words, their tint in charts, whether they give the hand up."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
from msgspec import Struct


class TradeChoice(Struct, forbid_unknown_fields=True, frozen=True):
    """An entry of choices.toml; the defaults serve choices that a game defines itself."""

    words: str = ""
    tint: str = "plain"
    letter: str = ""
    mark: str = ""
    gives_up: bool = False
    two_cards: bool = False


_UNKNOWN: Final = TradeChoice()


@cache
def _trade() -> Mapping[str, TradeChoice]:
    text = files("feltworks.rules").joinpath("choices.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, TradeChoice])


def trade_choice(name: str) -> TradeChoice:
    """The entry of a choice, or the defaults.

    >>> trade_choice("double").words, trade_choice("go-for-it").tint
    ('for exactly one more card', 'plain')
    """
    return _trade().get(name, _UNKNOWN)
