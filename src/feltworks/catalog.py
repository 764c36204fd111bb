"""Finds games: a rulebook names its rules files, which are found by their file names."""

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from feltworks.errors import FeltError, RulebookError, UnknownName
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.rulebook.load import departures, load_rulebook
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Wager

# Folders with a designer's own games: rules files and rulebooks side by side.
GAME_FOLDERS = "FELT_GAMES"
_PACKAGE = Path(__file__).parent
_ALWAYS_INCLUDED = "money"


def rulebook_files() -> dict[str, Path]:
    """The files of all rulebooks, by name."""
    own = {path.stem: path for folder in own_folders() for path in sorted(folder.glob("*.toml"))}
    return {**_shipped_files(), **own}


def examples_folder() -> Path:
    """The folder of the gallery: in the package, or beside it in a source tree."""
    return next(folder for folder in (_PACKAGE / "examples", _PACKAGE.parents[1] / "examples") if folder.exists())


def add_examples() -> None:
    """Add the gallery's games after those of folders named before."""
    folders = [part for part in os.environ.get(GAME_FOLDERS, "").split(os.pathsep) if part]
    if str(examples_folder()) not in folders:
        os.environ[GAME_FOLDERS] = os.pathsep.join([*folders, str(examples_folder())])


def own_folders() -> list[Path]:
    """The folders of own games."""
    return [Path(part) for part in os.environ.get(GAME_FOLDERS, "").split(os.pathsep) if part]


@cache
def rulebook(name: str) -> Rulebook:
    """The rulebook with this name, merged and checked."""
    known = rulebook_files()
    if name not in known:
        raise UnknownName("game", name, games())
    book = load_rulebook(known[name], known, always=_ALWAYS_INCLUDED)
    if book.jurisdiction not in known:
        trouble = f"there is no rulebook {book.jurisdiction!r} with its law; it may be none or washington"
        raise RulebookError(book.file, "jurisdiction", trouble)
    if own_folders() and book.approval is not None:
        book.departures = tuple(_departures(book))
    return book


def _departures(book: Rulebook) -> Iterator[str]:
    """WA.3: how an own rulebook or rules file differs from the approved one it replaces."""
    if (approved := _approved_book(book)) is None:
        return
    yield from departures(book, approved)
    for place in (f"games/{book.game}.py", *(f"bonus/{stem}.py" for stem in book.bonus)):
        own = next((f for folder in own_folders() if (f := folder / Path(place).name).exists()), None)
        shipped = _rules_file(_PACKAGE / place)
        if own and shipped and own.read_bytes() != shipped.read_bytes():
            yield f"the rules file {own.name} is not the approved one"


def _rules_file(file: Path) -> Path | None:
    """The file of these rules: a module or a package."""
    return next((path for path in (file, file.with_suffix("") / "__init__.py") if path.exists()), None)


def _approved_book(book: Rulebook) -> Rulebook | None:
    """The book of this package with the same name, or otherwise the same approval letter."""
    for name in (book.name, *_shipped_files()):
        candidate = shipped_rulebook(name)
        if candidate and candidate.approval is not None and (name == book.name or candidate.approval == book.approval):
            return candidate
    return None


def shipped_rulebook(name: str) -> Rulebook | None:
    """The rulebook of this package with that name, even if an own file replaces it."""
    shipped = _shipped_files()
    return load_rulebook(shipped[name], shipped, always=_ALWAYS_INCLUDED) if name in shipped else None


def _shipped_files() -> dict[str, Path]:
    return {path.stem: path for path in sorted((_PACKAGE / "rulebooks").glob("*.toml"))}


@cache
def games() -> tuple[str, ...]:
    """The names of the games that can be dealt; own games with a fault are left out."""
    whole = [name for name in rulebook_files() if name not in broken_books()]
    return tuple(sorted(name for name in whole if rulebook(name).game))


@cache
def broken_books() -> dict[str, RulebookError]:
    """The rulebooks made unusable by a fault in an own folder, by name."""
    faults = {name: _fault_of(name) for name in sorted(rulebook_files())} if own_folders() else {}
    return {name: fault for name, fault in faults.items() if fault is not None}


def _fault_of(name: str) -> RulebookError | None:
    """The fault of a rulebook, or of the own rules files it names."""
    try:
        book = rulebook(name)
        if book.game and _is_own(book):
            game(name, options=book.offers_for(first_offers(book)))
    except RulebookError as fault:
        return fault
    except FeltError as fault:
        return RulebookError(f"{name}.toml", "game", str(fault))
    return None


def _is_own(book: Rulebook) -> bool:
    is_own_book = rulebook_files()[book.name].parent in own_folders()
    return is_own_book or any(_own_rules_file(stem) for stem in (book.game, *book.bonus))


def first_offers(book: Rulebook) -> list[str]:
    """SP.20: the first wagers of the book, up to the number that a table may offer."""
    return (book.option["offers"].members or [])[: book.most_wagers] if book.most_wagers else []


def check_game(name: str) -> None:
    """Refuse unknown games, and games with a fault in their files."""
    if fault := broken_books().get(name):
        raise RulebookError(fault.file, fault.key, fault.trouble)
    if name not in games():
        raise UnknownName("game", name, games())


def game(
    name: str,
    *,
    options: Mapping[str, object] | None = None,
    pay_tables: Mapping[str, str] | None = None,
    limit: Cents | None = None,
) -> Game:
    """A game with chosen options and pay tables.

    >>> game("fu-bacc").terms.rulebook.title
    'Fu Bacc'
    """
    book = rulebook(name)
    if not book.game:
        raise UnknownName("game", name, games())
    terms = Terms(book, options=options, pay_tables=pay_tables, limit=limit)
    dealt_by, bonus = game_type(name), _bonus_types(book)
    path = _own_rules_file(book.game)
    if path and (missing := getattr(dealt_by, "__abstractmethods__", None)):
        line = f"line {inspect.getsourcelines(dealt_by)[1]}"
        raise RulebookError(path.name, line, f"the class {dealt_by.__name__} has no method {min(missing)}")
    with _report_own_lines(path):
        return dealt_by(terms, bonus)


def game_type(name: str) -> type[Game]:
    """The class that deals this game."""
    book = rulebook(name)
    types: list[type[Game]] = _classes_in(_module("games", book.game, book), Game)
    if len(types) != 1:
        raise RulebookError(book.file, "game", f"{book.game}.py has to define exactly one Game, not {len(types)}")
    return types[0]


def shared_game(
    name: str,
    *,
    options: Mapping[str, object] | None = None,
    pay_tables: Mapping[str, str] | None = None,
    limit: Cents | None = None,
) -> Game:
    """The same game for everybody who asks for the same table, so that it is solved once; nobody may change it.

    >>> shared_game("fu-bacc") is shared_game("fu-bacc", pay_tables={"tie": "1"})
    True
    """
    terms = Terms(rulebook(name), options=options, pay_tables=pay_tables, limit=limit)
    return _shared_game(name, tuple(terms.options.items()), tuple(terms.pay_tables.items()), limit)


@lru_cache(maxsize=32)
def _shared_game(
    name: str, options: tuple[tuple[str, object], ...], pay_tables: tuple[tuple[str, str], ...], limit: Cents | None
) -> Game:
    return game(name, options=dict(options), pay_tables=dict(pay_tables), limit=limit)


def wager_types(name: str) -> dict[str, type[Wager]]:
    """The classes that judge the wagers of this game, its own first."""
    kinds = (*game_type(name).wager_types, *_bonus_types(rulebook(name)))
    return {kind.name: kind for kind in kinds}


def _bonus_types(book: Rulebook) -> list[type[Wager]]:
    return [kind for stem in book.bonus for kind in _classes_in(_module("bonus", stem, book), Wager)]


@cache
def _classes_in(module: ModuleType, kind: type) -> list[type]:
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, kind) and value.__module__ == module.__name__
    ]


def _module(package: str, stem: str, book: Rulebook) -> ModuleType:
    if path := _own_rules_file(stem):
        return _module_at(path)
    try:
        return importlib.import_module(f"feltworks.{package}.{stem}")
    except ModuleNotFoundError:
        key = "game" if package == "games" else package
        raise RulebookError(book.file, key, f"there is no rules file {package}/{stem}.py") from None


def _own_rules_file(stem: str) -> Path | None:
    paths = [folder / f"{stem}.py" for folder in own_folders()]
    return next((path for path in paths if path.exists()), None)


def _module_at(path: Path) -> ModuleType:
    name = f"feltworks_own_{path.stem}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _report_own_lines(path):
            spec.loader.exec_module(module)
    except FeltError:
        del sys.modules[name]  # a partly loaded module must not be used
        raise
    return module


@contextmanager
def _report_own_lines(path: Path | None) -> Iterator[None]:
    """Turn an error in an own rules file into one sentence with file and line."""
    try:
        yield
    except RulebookError:
        raise
    except (Exception, SystemExit) as fault:
        place = _place_of(fault)
        if path is None or (place is None and isinstance(fault, FeltError)):
            raise
        raise RulebookError(*(place or (path.name, f"line {_line_of_class(fault, path)}")), _words_of(fault)) from None


def _place_of(fault: BaseException) -> tuple[str, str] | None:
    """The last traceback line in an own file; None if there is none."""
    if isinstance(fault, SyntaxError) and fault.filename:
        return Path(fault.filename).name, f"line {fault.lineno or 1}"
    folders = [folder.absolute() for folder in own_folders()]
    own = [frame for frame in extract_tb(fault.__traceback__) if Path(frame.filename).parent in folders]
    return (Path(own[-1].filename).name, f"line {own[-1].lineno}") if own else None


def _line_of_class(fault: BaseException, path: Path) -> int:
    """The line of the class that lacks an attribute; 1 for any other fault."""
    header = f"class {type(fault.obj).__name__}" if isinstance(fault, AttributeError) else ""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return next((number for number, line in lines if header and line.startswith(header)), 1)


def _words_of(fault: BaseException) -> str:
    if isinstance(fault, SyntaxError):
        text = fault.msg
    else:
        text = str(fault) if isinstance(fault, FeltError) else f"{type(fault).__name__}: {fault}"
    return " ".join(text.split())
