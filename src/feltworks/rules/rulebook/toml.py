"""Reads TOML into records; the error for a wrong entry names its key as in the file."""

import json
import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from feltworks.errors import RulebookError, one_of

# The kinds of value that record fields may have; numbers are limited so that products can be printed.
Text = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=1, le=10**9)]
Number = Annotated[int, Meta(ge=-(10**9), le=10**9)]

R = TypeVar("R", bound=Struct)
KeyPath = tuple[str | int, ...]

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def dotted(*path: str | int) -> str:
    """A key in TOML notation; an entry of a list by its index from 0.

    >>> dotted("option", "fu-bacc.tie-alone", "values", 0)
    'option."fu-bacc.tie-alone".values[0]'
    """
    words = [f"[{part}]" if isinstance(part, int) else f".{_key(part)}" for part in path]
    return "".join(words).removeprefix(".")


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else json.dumps(name)


def read_toml(text: str, kind: type[R], *, file: str) -> R:
    """Read a file's text into a record, or name the key that does not fit it."""
    raw = _parse(text, file)
    try:
        return msgspec.convert(raw, kind)
    except ValueError as misfit:
        path, trouble = _innermost(raw, kind, (), str(misfit))
        raise RulebookError(file, dotted(*path), trouble) from None


@lru_cache(maxsize=32)  # a book included by several others is parsed once; the result is never changed
def _parse(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as trouble:
        raise RulebookError(file, "syntax", str(trouble)) from None
    except ValueError:  # Python refuses whole numbers of more than 4,300 digits
        raise RulebookError(file, "syntax", "a number has too many digits") from None
    except RecursionError:
        raise RulebookError(file, "syntax", "lists or tables are nested too deeply") from None


def _misfit(value: object, kind: Any) -> str | None:
    """Why a value is not of this kind, without its key."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as trouble:
        words = [word for choice in _choices(kind) if get_origin(choice) is Literal for word in get_args(choice)]
        return f"it may be {one_of(words)}" if words else _plain(str(trouble).partition(" - at `")[0])
    except ValueError:
        return "the number has too many digits"
    return None


_MISFIT = re.compile(r"Expected `(.+)`, got `(.+)`")
_KINDS = {
    "str": "text in quotation marks",
    "int": "a whole number",
    "float": "a number with a point",
    "bool": "true or false",
    "array": "a list in [ ]",
    "object": "a table in { }",
}


def _plain(trouble: str) -> str:
    """The expected and the actual value, in the words of a rulebook."""
    if not (kinds := _MISFIT.fullmatch(trouble)):
        return trouble
    wanted, given = (" or ".join(_KINDS.get(kind, kind) for kind in part.split(" | ")) for part in kinds.groups())
    return f"write {wanted} here, not {given}"


def _innermost(value: object, kind: Any, path: KeyPath, misfit: str) -> tuple[KeyPath, str]:
    """The smallest entry that does not fit."""
    if record := _record(value, kind):
        assert isinstance(value, dict)
        fields = {field.encode_name: field for field in msgspec.structs.fields(record)}
        for key in value:
            if key not in fields:
                return (*path, key), f"there is no such key here; it may be {one_of(fields)}"
        for key, field in fields.items():
            if field.required and key not in value:
                return (*path, key), "this key is missing"
    for key, part, part_kind in _parts(value, kind):
        if (inner := _misfit(part, part_kind)) is not None:
            return _innermost(part, part_kind, (*path, key), inner)
    return path, misfit


def _parts(value: object, kind: Any) -> Iterator[tuple[str | int, object, Any]]:
    """The entries of a table or a list, each with its key and its kind."""
    record = _record(value, kind)
    kinds = {get_origin(choice): get_args(choice) for choice in _choices(kind)}
    if record and isinstance(value, dict):
        for field in msgspec.structs.fields(record):
            if field.encode_name in value:
                yield field.encode_name, value[field.encode_name], field.type
    elif isinstance(value, dict) and dict in kinds:
        for key, part in value.items():
            yield key, part, kinds[dict][1]
    elif isinstance(value, list) and list in kinds:
        for place, part in enumerate(value):
            yield place, part, kinds[list][0]


def _record(value: object, kind: Any) -> type[Struct] | None:
    """The record type that a table is read into, if any."""
    records = [choice for choice in _choices(kind) if isinstance(choice, type) and issubclass(choice, Struct)]
    return records[0] if records and isinstance(value, dict) else None


def _choices(kind: Any) -> list[Any]:
    """The kinds that a field may have, without annotations."""
    if get_origin(kind) is Annotated:
        return _choices(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return [choice for part in get_args(kind) for choice in _choices(part)]
    return [kind]
