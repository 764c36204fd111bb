"""Options that several commands share, and how typed text becomes amounts, parts, days and pairs."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from fractions import Fraction
from functools import wraps
from typing import Any, Final

import click
from msgspec import Struct

from feltworks.errors import BadDay, BadOption
from feltworks.money import Cents

game_argument = click.argument("game", help="The game, as felt games lists it.")
wager_option = click.option("--wager", required=True, help="The wager to analyse.")
decks_option = click.option("--decks", type=int, help="How many decks the shoe holds.")
set_option = click.option(
    "--set", "chosen", multiple=True, metavar="OPTION=VALUE", help="An option of the game, as soft17=hit."
)
workers_option = click.option("--workers", type=int, help="How many workers; one a core unless given.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")

Function = Callable[..., Any]  # as Click types a command
DOLLARS: Final = r"\$?(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]{1,12})(?:\.[0-9]{1,2})?(?![\w.])"
_DOLLARS: Final = re.compile(DOLLARS)
_CENTS: Final = re.compile(r"([0-9]{1,14}) ?(?:c|¢|cents?)")


def option_group(
    name: str, struct: type[Struct], options: Sequence[Callable[[Function], Function]]
) -> Callable[[Function], Function]:
    """A decorator that adds these options to a command; the command gets them as one struct of that name."""

    def decorate(command: Function) -> Function:
        @wraps(command)
        def with_struct(**values: object) -> None:
            fields = {field: values.pop(field) for field in struct.__struct_fields__}
            command(**{name: struct(**fields)}, **values)

        for option in reversed(options):
            option(with_struct)
        return with_struct

    return decorate


def parse_amount(text: str) -> Cents | None:
    """Dollars with or without their sign, or cents marked as such; None where the text is no amount.

    >>> parse_amount("7.5"), parse_amount("$1,500"), parse_amount("250c"), parse_amount("7.505")
    (750, 150000, 250, None)
    """
    text = text.strip()
    if cents := _CENTS.fullmatch(text):
        return int(cents[1])
    if not _DOLLARS.fullmatch(text):
        return None
    whole, _, part = text.lstrip("$").replace(",", "").partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") if part else 0)


def read_amount(option: str, text: str, *, least: Cents = 0) -> Cents:
    """An amount from the command line."""
    cents = parse_amount(text)
    if cents is None or cents < least:
        raise BadOption(option, text, "an amount such as $500, 7.50 or 750c")
    return cents


def read_change(option: str, text: str) -> Cents:
    """An amount that may have a minus sign."""
    cents = read_amount(option, text.lstrip("-−"))
    return -cents if text.startswith(("-", "−")) else cents


def read_part(option: str, text: str) -> Fraction:
    """A part of one: 1/3, 0.1 or 10%."""
    try:
        return Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise BadOption(option, text, "a part such as 1/2, 0.1 or 10%") from None


def read_day(text: str | None) -> date:
    """A calendar day; today where none is given."""
    if text is None:
        return date.today()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadDay(repr(text), "write a day like 2024-05-01") from None


def read_pairs(option: str, texts: Iterable[str], example: str) -> list[tuple[str, str]]:
    """Texts of the form name=value."""
    pairs = []
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not (name and value):
            raise BadOption(option, text, f"name=value, such as {example}")
        pairs.append((name, value))
    return pairs
