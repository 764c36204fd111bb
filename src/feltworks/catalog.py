"""Which games are there? A rulebook names its rules files, and files are found by their names."""

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from feltworks.errors import RulebookError, UnknownName
from feltworks.money import Cents
from feltworks.rules.departures import departures
from feltworks.rules.game import Game
from feltworks.rules.rulebook import Rulebook, load_rulebook
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Wager

# A designer keeps games of their own in folders of this variable: rules files and rulebooks side by side.
GAME_FOLDERS = "FELT_GAMES"
_PACKAGE = Path(__file__).parent
_ALWAYS_INCLUDED = "money"


def rulebook_files() -> dict[str, Path]:
    """Every rulebook there is, by name."""
    own = {path.stem: path for folder in _own_folders() for path in sorted(folder.glob("*.toml"))}
    return {**_shipped(), **own}


def _own_folders() -> list[Path]:
    return [Path(part) for part in os.environ.get(GAME_FOLDERS, "").split(os.pathsep) if part]


@cache
def rulebook(name: str) -> Rulebook:
    """The rulebook of that name, merged and checked."""
    found = rulebook_files()
    if name not in found:
        raise UnknownName("game", name, games())
    book = load_rulebook(found[name], found, always=_ALWAYS_INCLUDED)
    if _own_folders() and book.approval is not None:
        book.departures = tuple(_departures(book))
    return book


def _departures(book: Rulebook) -> Iterator[str]:
    """WA.3: a book or rules file of one's own in the place of an approved one is measured by that one."""
    if (approved := _approved(book)) is None:
        return
    yield from departures(book, approved)
    for place in (f"games/{book.game}.py", *(f"bonus/{stem}.py" for stem in book.bonus)):
        own = next((f for folder in _own_folders() if (f := folder / Path(place).name).exists()), None)
        shipped = _rules_file(_PACKAGE / place)
        if own and shipped and own.read_bytes() != shipped.read_bytes():
            yield f"the rules file {own.name} is not the approved one"


def _rules_file(file: Path) -> Path | None:
    """Where these rules stand: in a file, or in a package of several."""
    return next((each for each in (file, file.with_suffix("") / "__init__.py") if each.exists()), None)


def _approved(book: Rulebook) -> Rulebook | None:
    """The book of this package that has the same name, or else the same letter."""
    shipped = _shipped()
    for name in (book.name, *shipped):
        if name in shipped:
            found = load_rulebook(shipped[name], shipped, always=_ALWAYS_INCLUDED)
            if found.approval is not None and (name == book.name or found.approval == book.approval):
                return found
    return None


def _shipped() -> dict[str, Path]:
    return {path.stem: path for path in sorted((_PACKAGE / "rulebooks").glob("*.toml"))}


@cache
def games() -> tuple[str, ...]:
    """The names of the games that can be dealt."""
    return tuple(sorted(name for name in rulebook_files() if rulebook(name).game))


def game(
    name: str,
    *,
    options: Mapping[str, object] | None = None,
    pay_tables: Mapping[str, str] | None = None,
    limit: Cents | None = None,
) -> Game[Any]:
    """A game under chosen options and pay tables.

    >>> game("fu-bacc").terms.rulebook.title
    'Fu Bacc'
    """
    book = rulebook(name)
    if not book.game:
        raise UnknownName("game", name, games())
    terms = Terms(book, options=options, pay_tables=pay_tables, limit=limit)
    bonus = [kind for stem in book.bonus for kind in _defined(_module("bonus", stem, book), Wager)]
    return game_type(name)(terms, bonus)


def game_type(name: str) -> type[Game[Any]]:
    """The class that deals this game."""
    book = rulebook(name)
    found: list[type[Game[Any]]] = _defined(_module("games", book.game, book), Game)
    if len(found) != 1:
        raise RulebookError(
            book.file, "game", f"{book.game}.py has to define exactly one Game, not {len(found)}"
        )
    return found[0]


@cache
def _defined(module: ModuleType, kind: type) -> list[type]:
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, kind) and value.__module__ == module.__name__
    ]


def _module(package: str, stem: str, book: Rulebook) -> ModuleType:
    for folder in _own_folders():
        if (path := folder / f"{stem}.py").exists():
            return _module_at(path)
    try:
        return importlib.import_module(f"feltworks.{package}.{stem}")
    except ModuleNotFoundError:
        key = "game" if package == "games" else package
        raise RulebookError(book.file, key, f"there is no rules file {package}/{stem}.py") from None


def _module_at(path: Path) -> ModuleType:
    name = f"feltworks_own_{path.stem}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
