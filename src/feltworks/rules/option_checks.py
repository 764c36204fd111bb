"""What makes the options of a rulebook sound: what each takes, its default, and what tables ask of it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from feltworks.errors import BadOption
from feltworks.rules.toml_record import KeyPath

if TYPE_CHECKING:
    from feltworks.rules.rulebook import Option, Rulebook

Troubles = Iterator[tuple[KeyPath, str]]  # where it is, and what is wrong there

_MOST = 10**9
_WHOLE_OPTIONS = {"decks": 8, "spots": _MOST, "chip": _MOST}  # from 1 up, in any game that has them


def option_troubles(book: "Rulebook") -> Troubles:
    """What is wrong with the options, one by one and as those that every table knows."""
    for name, option in book.option.items():
        for inner, trouble in (*_kind_troubles(option), *_chosen_troubles(name, option)):
            yield (section_of(book, name), name, *inner), trouble
    for name, most in _WHOLE_OPTIONS.items():
        if name in book.option and not _is_whole(book.option[name], most):
            yield (section_of(book, name), name), f"it takes whole numbers from 1 to {most} and nothing else"
    if isinstance(book.spots_per_player, str):
        sizing = book.option.get(book.spots_per_player)
        if sizing is None or not (is_switch(sizing) or _is_whole(sizing)):
            yield ("spots_per_player",), "name an option that takes true and false, or numbers from 1 up"


def section_of(book: "Rulebook", option: str) -> str:
    """Where this file speaks of an option."""
    return "override" if option in book.override else "option"


def is_switch(option: "Option") -> bool:
    """Whether it takes true and false and nothing else."""
    return all(isinstance(value, bool) for value in option.values or ("none",))


def _is_whole(option: "Option", most: int = _MOST) -> bool:
    numbers = option.range or option.values or ("none",)
    return all(type(number) is int and 1 <= number <= most for number in numbers)


def _kind_troubles(option: "Option") -> Troubles:
    kinds = [kind for kind in ("values", "range", "members") if getattr(option, kind) is not None]
    if len(kinds) != 1:
        yield (), "say exactly one of values, range and members"
    if option.range is not None and option.range[0] > option.range[1]:
        yield ("range",), "write the lowest number first and the highest second"
    for field in ("values", "members", "approved"):
        listed = [str(value).lower() for value in getattr(option, field) or ()]
        if getattr(option, field) == []:
            yield (field,), "list at least one"
        if len(set(listed)) < len(listed):
            yield (field,), "list each only once"


def _chosen_troubles(name: str, option: "Option") -> Troubles:
    if option.default is not None and not _takes(option, option.preset):
        yield ("default",), str(BadOption(name, option.preset, option.allowed))
    for place, value in enumerate(option.approved or ()):
        if not _takes(option, value):
            yield ("approved", place), str(BadOption(name, value, option.allowed))


def _takes(option: "Option", value: object) -> bool:
    """Whether a rulebook may write this value: as the option lists it, so 6 and not "6"."""
    try:
        read = option.read("", value)
    except BadOption:
        return False
    if isinstance(read, tuple) and isinstance(value, tuple):
        return sorted(read) == sorted(value)
    return type(read) is type(value) and read == value
