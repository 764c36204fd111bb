"""A fault of a game: its place, the wager it belongs to, and what is wrong."""

import inspect
import re
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from feltworks import catalog
from feltworks.errors import RulebookError
from feltworks.rules.wager import Wager

_LINE = re.compile(r"line (\d+)")
_SYNTAX_LINE = re.compile(r" \(at line (\d+), column \d+\)")
_SECTION = re.compile(r"\s*\[\[?\s*(.+?)\s*\]\]?\s*(#.*)?")
_KEY = re.compile(r'"([^"]*)"|([A-Za-z0-9_-]+)')


class Fault(Struct, frozen=True):
    """One fault: the file and line, the key, its wager, and a sentence."""

    file: str
    line: int
    key: str  # in a rulebook; in a rules file the class, or the class and its method
    fault: str
    wager: str = ""

    def __str__(self) -> str:
        wager = f"the {self.wager} wager" if self.wager else ""
        owner = [wager, self.key] if self.file.endswith(".toml") else [" of ".join(filter(None, (self.key, wager)))]
        return ": ".join([f"{self.file}, line {self.line}", *filter(None, owner), self.fault])


def rulebook_fault(fault: RulebookError) -> Fault:
    """The fault of a file that does not load, at the line it names or the line of its key."""
    if named := _LINE.fullmatch(fault.key):
        return Fault(fault.file, int(named[1]), "", fault.trouble)
    if named := _SYNTAX_LINE.search(fault.trouble):
        return Fault(fault.file, int(named[1]), fault.key, fault.trouble.replace(named[0], ""))
    path = _path_of(fault.file)
    keys = split_key(fault.key)
    line = line_of_key(path.read_text(encoding="utf-8"), keys) if path else 1
    wager = keys[1] if len(keys) > 1 and keys[0] in ("wager", "pay_table") else ""
    return Fault(fault.file, line, fault.key, fault.trouble, wager)


def _path_of(file: str) -> Path | None:
    return catalog.rulebook_files().get(Path(file).stem)


def split_key(key: str) -> list[str]:
    """The parts of a dotted key.

    >>> split_key('pay_table.ante.1.pays."war won"')
    ['pay_table', 'ante', '1', 'pays', 'war won']
    """
    return [quoted or bare for quoted, bare in _KEY.findall(key)]


def line_of_key(text: str, keys: list[str]) -> int:
    """The line of a key in a TOML text, or of its nearest part that is there.

    >>> line_of_key('title = "T"\\n[wager.ante]\\nkind = "main"', ["wager", "ante", "kind"])
    3
    """
    best, depth = 1, 0
    for number, (line, here) in enumerate(_keys_by_line(text), 1):
        shared = _shared(here, keys)
        inner = [key for key in keys[shared:] if f'"{key}"' in line or re.search(rf"\b{re.escape(key)}\b", line)]
        reached = shared + len(inner) if shared == len(here) else shared - 1
        if reached > depth:
            best, depth = number, reached
    return best


def _keys_by_line(text: str) -> Iterator[tuple[str, list[str]]]:
    """Every line of a TOML text with the key it belongs to; entries of a list are counted from 0."""
    section: list[str] = []
    listed: list[str] = []  # the key of a list that continues over several lines
    counts: Counter[str] = Counter()
    for line in text.splitlines():
        here, value = section, line.partition("=")[2].strip()
        if header := _SECTION.fullmatch(line):
            section = split_key(header[1])
            if line.lstrip().startswith("[["):
                section.append(str(_next_number(counts, section)))
            here, listed = section, []
        elif line.strip().startswith("]"):
            listed = []
        elif listed and line.strip().startswith("{"):
            here = [*listed, str(_next_number(counts, listed))]
        elif not listed and value:
            here = section + split_key(line.partition("=")[0])
            listed = here if value == "[" else []
        yield line, here


def _next_number(counts: Counter[str], key: list[str]) -> int:
    name = ".".join(key)
    counts[name] += 1
    return counts[name] - 1


def _shared(here: list[str], keys: list[str]) -> int:
    count = 0
    for one, other in zip(here, keys, strict=False):
        if one != other:
            break
        count += 1
    return count


def raised_fault(error: BaseException, wager: str = "") -> Fault | None:
    """The fault in own rules that raised an exception; None if none of its lines is theirs."""
    folders = {folder.absolute() for folder in catalog.own_folders()}
    frames = [
        (frame, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if Path(frame.f_code.co_filename).absolute().parent in folders
    ]
    if not frames:
        return None
    frame, line = frames[-1]
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return Fault(Path(frame.f_code.co_filename).name, line, frame.f_code.co_qualname, words, wager)


def judge_fault(judge: Wager, trouble: str) -> Fault:
    """A fault of a wager, placed at its class."""
    kind = type(judge)
    try:
        file, line = Path(inspect.getfile(kind)).name, inspect.getsourcelines(kind)[1]
    except (OSError, TypeError):
        file, line = f"{kind.__module__}.py", 1
    return Fault(file, line, kind.__name__, trouble, judge.name)


def class_fault(kind: type, trouble: str, method: str = "") -> Fault:
    """A fault of a game, placed at its class or one of its methods."""
    target: Any = getattr(kind, method, kind) if method else kind
    try:
        file, line = Path(inspect.getfile(kind)).name, inspect.getsourcelines(target)[1]
    except (OSError, TypeError):
        file, line = f"{kind.__module__}.py", 1
    return Fault(file, line, f"{kind.__name__}.{method}" if method else kind.__name__, trouble)
