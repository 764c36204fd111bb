"""Where rulebooks and law files of one's own depart from those of this package, entry by entry."""

from collections.abc import Iterator

import msgspec

from feltworks import catalog
from feltworks.fingerprint import differing_values, short_value
from feltworks.rules.rulebook.model import Rulebook

MOST = 20  # departures of one book that are listed; the others are counted
_DERIVED = ("name", "file", "departures")


def departures(names: list[str]) -> dict[str, tuple[str, ...]]:
    """By book: the games of these names, and every book of the law."""
    if not catalog.own_folders():
        return {}
    books = [*names, *(name for name in _law_books() if name not in names)]
    by_book = {name: tuple(_departures(catalog.rulebook(name))) for name in books}
    return {name: listed for name, listed in by_book.items() if listed}


def _law_books() -> list[str]:
    whole = [name for name in catalog.rulebook_files() if name not in catalog.broken_books()]
    return [name for name in whole if catalog.rulebook(name).law]


def _departures(book: Rulebook) -> Iterator[str]:
    """Pays, options and clauses, but also the letter, the readings, the printed figures and the title."""
    shipped = catalog.shipped_rulebook(book.name)
    if shipped is None:
        return
    listed = list(differing_values(_document(shipped), _document(book)))
    for path, approved, own in listed[:MOST]:
        if isinstance(approved, list) and isinstance(own, list):
            yield f"{path} {'; '.join(_entries(approved, own))}"
        else:
            yield f"{path} is {short_value(own)}, in the approved book {short_value(approved)}"
    if len(listed) > MOST:
        yield f"and {len(listed) - MOST} more entries differ"


def _entries(approved: list[object], own: list[object]) -> Iterator[str]:
    """Which entries of a list are not in the other one."""
    yield from (f"lacks {short_value(entry)}" for entry in approved if entry not in own)
    yield from (f"adds {short_value(entry)}" for entry in own if entry not in approved)
    if len(approved) != len(own):
        yield f"has {len(own)} entries, the approved book {len(approved)}"


def _document(book: Rulebook) -> dict[str, object]:
    document: dict[str, object] = msgspec.to_builtins(book)
    return {key: value for key, value in document.items() if key not in _DERIVED}
