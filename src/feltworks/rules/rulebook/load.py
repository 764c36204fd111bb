"""Loads a rulebook with all its includes, checks it, and compares it with the approved one."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from feltworks.errors import RulebookError, one_of
from feltworks.rules.rulebook.checks import check
from feltworks.rules.rulebook.model import Rulebook, RulebookText
from feltworks.rules.rulebook.sentences import merge_sentences
from feltworks.rules.rulebook.toml import dotted, read_toml

# The approved parts; readings, published figures and the letter itself only describe them
APPROVED: Final = (
    *("clause", "wager", "pay_table", "meter", "option"),
    *("cards", "most_wagers", "spots_per_player"),
)


def parse_rulebook(text: str, *, name: str, file: str) -> Rulebook:
    """Read the text of one rulebook; `merge` adds what it includes."""
    written = read_toml(text, RulebookText, file=file)
    return Rulebook(**msgspec.structs.asdict(written), name=name, file=file)


def load_rulebook(path: Path, find: Mapping[str, Path], *, always: str = "") -> Rulebook:
    """Load a rulebook with its includes (`always` is one of them), each checked under its own file's name."""
    return _load(path, find, always, ())


def _load(path: Path, find: Mapping[str, Path], always: str, within: tuple[str, ...]) -> Rulebook:
    book = parse_rulebook(_text(path), name=path.stem, file=path.name)
    within = (*within, path.stem)
    for place, included in enumerate(book.includes):
        if included not in find or included in within:
            known = one_of(name for name in find if name not in within)
            trouble = f"there is no rulebook {included!r} to include; it may be {known}"
            raise RulebookError(book.file, dotted("includes", place), trouble)
        merge(book, _load(find[included], find, always, within))
    if always and always not in within:
        merge(book, _load(find[always], find, always, within))
    _override(book)
    for name, entry in book.wager.items():  # wagers placed together share a pay table unless they have their own
        if entry.equals in book.pay_table:
            book.pay_table.setdefault(name, book.pay_table[entry.equals])
    check(book)
    return book


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        raise RulebookError(path.name, "file", f"cannot be read: {trouble}") from None


def merge(book: Rulebook, included: Rulebook) -> None:
    """Add the facts of an included rulebook; the book's own facts take precedence."""
    for section in ("clause", "waiting", "wager", "pay_table", "meter", "option"):
        own: dict[str, Any] = getattr(book, section)
        for key, value in getattr(included, section).items():
            own.setdefault(key, value)
    book.bonus.extend(name for name in included.bonus if name not in book.bonus)
    known = {(reading.clause, reading.settles) for reading in book.reading}
    book.reading.extend(r for r in included.reading if (r.clause, r.settles) not in known)
    book.guide = merge_sentences(book.guide, included.guide)
    book.procedure = merge_sentences(book.procedure, included.procedure)
    book.irregularity = merge_sentences(book.irregularity, included.irregularity)
    if book.spots_per_player is None:
        book.spots_per_player = included.spots_per_player


def _override(book: Rulebook) -> None:
    for name, change in book.override.items():
        if name not in book.option:
            key = dotted("override", name)
            raise RulebookError(book.file, key, f"there is no such option; it may be {one_of(book.option)}")
        changed = {key: value for key, value in msgspec.structs.asdict(change).items() if value is not None}
        book.option[name] = msgspec.structs.replace(book.option[name], **changed)


def departures(book: Rulebook, approved: Rulebook) -> Iterator[str]:
    """The differences between an own rulebook and the approved one that it replaces (WA.3)."""
    parts = [part for part in APPROVED if _encode(book, part) != _encode(approved, part)]
    if parts:
        *others, last = [part.replace("_", " ") for part in parts]
        listed = " and ".join(filter(None, [", ".join(others), last]))
        yield f"the rulebook differs from the approved one in its {listed}"


def _encode(book: Rulebook, part: str) -> bytes:
    """A part in its order, as the first of several pay tables or values is the default."""
    return msgspec.json.encode(getattr(book, part))
