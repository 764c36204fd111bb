"""Options that several commands share, and Click types for amounts, fractions, days and pairs."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from fractions import Fraction
from functools import partial, wraps
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_origin

import click
import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo

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

FILE: Final = click.Path(path_type=Path)
_SETTINGS: Final[dict[Any, dict[str, Any]]] = {bool: {"is_flag": True}, int: {"type": int}, Path: {"type": FILE}}
Function = Callable[..., Any]  # as Click types a command
Decorator = Callable[[Function], Function]
DOLLARS: Final = r"\$?(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]{1,12})(?:\.[0-9]{1,2})?(?![\w.])"
_DOLLARS: Final = re.compile(DOLLARS)
_CENTS: Final = re.compile(r"([0-9]{1,14}) ?(?:c|¢|cents?)")


def option_group(name: str, struct: type[Struct], options: Sequence[Decorator] = ()) -> Decorator:
    """Make a decorator that adds options to a command, which gets them as a struct in the argument `name`.

    Without a list they are annotations of fields: `seats: Annotated[int | None, Option("How many seats play.")]`.
    """
    options = options or _options_of(struct)

    def decorate(command: Function) -> Function:
        @wraps(command)
        def with_struct(**values: object) -> None:
            fields = {field: values.pop(field) for field in struct.__struct_fields__ if field in values}
            command(**{name: struct(**fields)}, **values)

        for option in reversed(options):
            option(with_struct)
        return with_struct

    return decorate


class Option:
    """The option of a field: its help, its flags if they differ from the field's name, and other settings."""

    def __init__(self, help: str, *flags: str, **settings: Any) -> None:
        self._help, self._flags, self._settings = help, flags, settings

    def decorator(self, field: FieldInfo) -> Decorator:
        """Make the Click option, with the type and the default of the field."""
        kind = get_args(field.type)[0]
        of = next((part for part in get_args(kind) if part is not NoneType), kind)
        settings = {"multiple": True} if get_origin(kind) is tuple else dict(_SETTINGS.get(of, {}))
        if field.default is not NODEFAULT:
            settings |= {"default": field.default, "show_default": field.default not in ("", ())}
        flags = self._flags or (f"--{field.name.replace('_', '-')}",)
        return click.option(*flags, field.name, help=self._help, **settings | self._settings)


def _options_of(struct: type[Struct]) -> list[Decorator]:
    options = [(field, get_args(field.type)[1]) for field in msgspec.structs.fields(struct)]
    return [option.decorator(field) if isinstance(option, Option) else option for field, option in options]


def parse_amount(text: str) -> Cents | None:
    """Parse dollars, with or without a dollar sign, or cents with a c; None if the text is not an amount.

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
    """Read an amount from the command line."""
    cents = parse_amount(text)
    if cents is None or cents < least:
        raise BadOption(option, text, "an amount such as $500, 7.50 or 750c")
    return cents


def read_change(option: str, text: str) -> Cents:
    """Read an amount that may have a minus sign."""
    cents = read_amount(option, text.lstrip("-−"))
    return -cents if text.startswith(("-", "−")) else cents


def read_part(option: str, text: str, wanted: str = "a part such as 1/2, 0.1 or 10%") -> Fraction:
    """Read a fraction such as 1/3, 0.1 or 10%."""
    try:
        return Fraction(text.strip().removesuffix("%").strip()) / (100 if text.strip().endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise BadOption(option, text, wanted) from None


def read_day(text: str | None) -> date:
    """Read a calendar day; today if none is given."""
    if text is None:
        return date.today()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadDay(repr(text), "write a day like 2024-05-01") from None


def words_option(*names: str, metavar: str = "WORDS", help: str) -> Decorator:
    """An option for a text; empty by default."""
    return click.option(*names, default="", show_default=False, metavar=metavar, help=help)


class TextType(click.ParamType[Any, Any]):
    """A Click type that reads text with a function of the option's name, for its errors, and the text."""

    def __init__(self, name: str, read: Callable[[str, str], object]) -> None:
        self.name = name
        self._read: Final = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):  # a default, which is not text
            return value
        assert param is not None
        option = param.opts[0] if isinstance(param, click.Option) else param.human_readable_name
        return self._read(option, value)


AMOUNT: Final = TextType("amount", read_amount)
POSITIVE: Final = TextType("amount", partial(read_amount, least=1))
CHANGE: Final = TextType("amount", read_change)
PART: Final = TextType("part", read_part)
DAY: Final = TextType("YYYY-MM-DD", lambda _, text: read_day(text))


def pairs_option(
    *names: str, metavar: str, example: str, help: str, read: Callable[[str, str], object] | None = None
) -> Decorator:
    """An option that may be repeated, for pairs of a name and a value; `read` converts the value."""

    def read_pair(option: str, text: str) -> tuple[str, object]:
        ((name, value),) = read_pairs(option, [text], example)
        return name, value if read is None else read(option, value)

    return click.option(*names, multiple=True, type=TextType(metavar, read_pair), metavar=metavar, help=help)


def read_pairs(option: str, texts: Iterable[str], example: str) -> list[tuple[str, str]]:
    """Parse texts of the form name=value."""
    pairs = []
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not (name and value):
            raise BadOption(option, text, f"name=value, such as {example}")
        pairs.append((name, value))
    return pairs


class QuestionOptions(Struct, frozen=True, kw_only=True):
    """The wager to analyse and the terms that it is played on."""

    wager: Annotated[str, wager_option]
    pay_table: Annotated[
        str | None, Option("Its pay table, the first unless given; 2,war=2 names another wager's too.")
    ]
    decks: Annotated[int | None, decks_option]
    chosen: Annotated[tuple[str, ...], set_option]
    beside: Annotated[tuple[str, ...], Option("Another wager on the spot: ante, or ante=1/3 for a third of the wager.")]
    exposed: Annotated[str, Option('Cards known to be out of the shoe, as "7h 7d Ac".')] = ""
