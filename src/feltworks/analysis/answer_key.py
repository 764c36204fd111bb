"""Under which key may an answer be kept? All that it follows from is in it: a kept answer is never stale."""

import sys
import time
from collections.abc import Iterable, Mapping, Sequence, Set
from enum import Enum
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

import feltworks
from feltworks.cards import Card
from feltworks.errors import RulebookError
from feltworks.fingerprint import PACKAGE, digest, rulebook_parts, rules_files, source_text
from feltworks.rules.game import Game

_BEGAN = time.time()
_DOUBT_SECONDS = 2.0  # a file written so shortly before this one was loaded may have been loaded before that


def answer_key(*asked: object) -> str | None:
    """The key of the answer to a question; None where what it follows from cannot be known for sure.

    In it are the question, the rulebook and the pays as loaded, what was chosen at the table, every source
    file of Feltworks and of a designer's own rules, the version, Python and the packages installed.
    """
    if not _stand(_package_files()):
        return None
    try:
        said = _said(asked)
    except (RulebookError, TypeError, OverflowError):
        return None
    return digest([feltworks.__version__, sys.version, _installed(), _package_sources(), said])


def _stand(files: Iterable[Path]) -> bool:
    """Whether each file has stood unchanged since before it was loaded: what is on the disk is what runs."""
    changed = [max(found.st_ctime, found.st_mtime) for found in (path.stat() for path in files)]
    return bool(changed) and max(changed) < _BEGAN - _DOUBT_SECONDS


def _package_files() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@cache
def _package_sources() -> str:
    return digest([[path.relative_to(PACKAGE).as_posix(), source_text(path)] for path in _package_files()])


@cache
def _installed() -> list[str]:
    """Every installed package with its version, by which Python itself files it."""
    folders = [Path(entry) for entry in sys.path if Path(entry).is_dir()]
    return sorted({path.name for folder in folders for path in folder.glob("*.dist-info")})


def _said(value: object) -> object:
    """A value written down so that no two of different meaning are written alike."""
    if value is None or (isinstance(value, bool | int | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Game):
        return ["game", _table(value)]
    if isinstance(value, Struct):
        fields = [[key, _said(getattr(value, key))] for key in value.__struct_fields__]
        return [type(value).__qualname__, fields]
    if isinstance(value, Mapping):
        return ["mapping", [[_said(key), _said(each)] for key, each in value.items()]]
    if isinstance(value, Set):
        return ["set", sorted(digest(_said(each)) for each in value)]
    if isinstance(value, Sequence):
        return ["sequence", [_said(each) for each in value]]
    if isinstance(value, Card | Fraction | float | Enum):
        return [type(value).__qualname__, repr(value)]
    raise TypeError(f"{type(value).__qualname__} cannot be written into a key")


def _table(game: Game[Any]) -> object:
    """A game at a table: its rulebook, a designer's own rules, the choices, who judges and what is paid."""
    terms = game.terms
    own = rules_files(game, own_only=True)
    if own and not _stand(own):
        raise RulebookError(terms.rulebook.file, "game", "its rules have been changed while they were in use")
    judges = [[kind.__module__, kind.__qualname__] for kind in map(type, (game, *game.wagers.values()))]
    chosen = [_said(each) for each in (terms.options, terms.pay_tables, terms.limit, terms.offers, game.pays)]
    return [rulebook_parts(terms.rulebook), [source_text(path) for path in own], judges, chosen]
