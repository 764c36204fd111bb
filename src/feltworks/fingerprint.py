"""The fingerprint of a game's definition: a hash of its rulebook and of the source text of its rules.

It changes with either, but not with the clock, the machine, comments in a rulebook or line endings.
"""

import ast
import hashlib
import importlib.util
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from feltworks.errors import RulebookError
from feltworks.rules.game import Game
from feltworks.rules.rulebook.model import Rulebook

PACKAGE = Path(__file__).parent
TRANSITION = PACKAGE / "rules" / "advance.py"  # every game obeys it and none imports it
_INSTALLED = tuple({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})


def definition_fingerprint(game: Game) -> str:
    """The fingerprint of a game, independent of a table's options: 64 hexadecimal digits."""
    return digest(definition(game))


def definition(game: Game) -> dict[str, str]:
    """The parts of a game's definition with the fingerprint of each, to show what changed."""
    book = game.terms.rulebook
    sources: dict[str, list[str]] = {}
    for path in rules_files(game):
        sources.setdefault(_place(path), []).append(digest(source_text(path)))
    return {**rulebook_parts(book), **{place: digest(digests) for place, digests in sorted(sources.items())}}


def changed_parts(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The parts of two definitions that differ or exist in only one of them.

    >>> changed_parts({"cards.py": "a", "rulebook: option": "b"}, {"cards.py": "a", "rules/round.py": "c"})
    ['rulebook: option', 'rules/round.py']
    """
    return sorted(part for part in before.keys() | now.keys() if before.get(part) != now.get(part))


def differing_values(before: Any, now: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The differences of two JSON documents: the path, and the value in each.

    >>> list(differing_values({"a": [1, 2], "b": 3}, {"a": [1, 5], "c": 4}))
    [('a[1]', 2, 5), ('b', 3, None), ('c', None, 4)]
    """
    if isinstance(before, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*before, *now)):
            yield from differing_values(before.get(key), now.get(key), f"{path}.{key}".lstrip("."))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for place, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from differing_values(one, other, f"{path}[{place}]")
    elif before != now or type(before) is not type(now):  # True equals 1 in Python
        yield path, before, now


def short_value(value: object, longest: int = 60) -> str:
    """A JSON value as text, shortened if it is long."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def rulebook_parts(book: Rulebook) -> dict[str, str]:
    """The fingerprint of each section of a rulebook with all its includes merged."""
    sections = (key for key in book.__struct_fields__ if key != "departures")  # departures follow from the others
    return {f"rulebook: {key}": digest(getattr(book, key)) for key in sections}


def digest(content: object) -> str:
    """The SHA-256 of text, or of a record as JSON in the order of its fields."""
    written = content.encode() if isinstance(content, str) else msgspec.json.encode(content)
    return hashlib.sha256(written).hexdigest()


def source_text(path: Path) -> str:
    """A file's text with uniform line endings."""
    return path.read_text(encoding="utf-8")


def rules_files(game: Game, *, own_only: bool = False) -> list[Path]:
    """Every source file of a game's rules: its own, and all that they import.

    With `own_only` the files of this package are left out.
    """
    kinds = {kind.__module__ for owner in (game, *game.wagers.values()) for kind in type(owner).__mro__[:-1]}
    waiting = [path for name in sorted(kinds) if (path := _loaded_from(name, game.terms.rulebook))]
    waiting.append(TRANSITION)
    files: set[Path] = set()
    file_of = cache(_file_of)  # the same few modules are imported repeatedly
    while waiting:
        path = waiting.pop()
        if path in files or (own_only and path.is_relative_to(PACKAGE)):
            continue
        files.add(path)
        waiting += filter(None, (file_of(*named) for named in _imports(path)))
    return sorted(files)


def _loaded_from(name: str, book: Rulebook) -> Path | None:
    """The file a module was loaded from; None for the standard library and installed packages."""
    file = getattr(sys.modules[name], "__file__", None)
    if not file and name not in sys.builtin_module_names:
        raise RulebookError(book.file, "game", "its rules are in no file, so they have no fingerprint")
    return _own_source(Path(file)) if file and name.partition(".")[0] not in sys.stdlib_module_names else None


def _own_source(path: Path) -> Path | None:
    if path.is_relative_to(PACKAGE):  # the package may itself be in an installation folder
        return path
    return None if path.suffix != ".py" or any(path.is_relative_to(folder) for folder in _INSTALLED) else path


def _imports(path: Path) -> Iterator[tuple[str, Path]]:
    """The modules a file imports, each with the folder to search."""
    of_package = path.is_relative_to(PACKAGE)
    for level, name in imported_names(source_text(path)):
        beside = PACKAGE if of_package and not level else path.parents[max(level - 1, 0)]
        parts = name.split(".")
        for length in range(1, len(parts) + 1):  # importing a module also imports the packages around it
            yield ".".join(parts[:length]), beside


def imported_names(text: str) -> Iterator[tuple[int, str]]:
    """Every imported name that may be a module, anywhere in the text, with the number of dots before it.

    >>> list(imported_names("import os.path as p\\nfrom ..cards import (card,\\n  cards)"))
    [(0, 'os.path'), (2, 'cards.card'), (2, 'cards.cards')]
    """
    for node in _statements(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            whole = f"{node.module}." if node.module else ""
            yield from ((node.level, whole + alias.name) for alias in node.names)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement in a node. Expressions hold no imports; skipping them halves the time."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, block, ()):
            yield inner
            yield from _statements(inner)


def _file_of(name: str, beside: Path) -> Path | None:
    """The file of an imported module: in this package, beside the importing file, or elsewhere."""
    top, _, rest = name.partition(".")
    if top in sys.stdlib_module_names:
        return None
    if top == PACKAGE.name:
        return _find_file(PACKAGE.joinpath(*rest.split("."))) if rest else None
    if file := _find_file(beside.joinpath(*name.split("."))):
        return file
    spec = importlib.util.find_spec(top)
    if not spec or not spec.origin or not (origin := _own_source(Path(spec.origin))):
        return None
    return _find_file(origin.parent.joinpath(*rest.split("."))) if rest else origin


def _find_file(stem: Path) -> Path | None:
    files: Iterable[Path] = (stem.with_suffix(".py"), stem / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def _place(path: Path) -> str:
    """The name of a source file in a definition, the same on every machine."""
    return path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else f"own/{path.name}"
