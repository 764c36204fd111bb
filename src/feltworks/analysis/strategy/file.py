"""Reads and writes strategy files: choices for single situations, and rules for all the others.

A game with several decisions has a part for each; where a part gives no choice, the rest of the file decides.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from feltworks.cards import Card
from feltworks.errors import FeltError, one_of
from feltworks.rules.sights import PlayerView

Cards = tuple[Card, ...]
Chooser = Callable[[PlayerView], str]  # returns one of the choices on offer


class Row(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The choice for these cards, or for equivalent ones, against what the dealer shows."""

    cards: str
    choice: str
    dealer: str = ""
    board: str = ""
    wagered: int | str | None = None  # in units of the main wager; None: any amount on the spot
    line: int = 0  # of the file


class Between(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A range, both ends included; either may be left out."""

    least: int | str | None = field(default=None, name="from")
    most: int | str | None = field(default=None, name="to")


Condition = Between | bool | int | str | list[bool | int | str]


class Rule(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The choice when all named facts have these values; without any, always."""

    choice: str
    when: dict[str, Condition] = field(default_factory=dict, name="if")
    line: int = 0


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The play at a decision: the first row or rule that fits decides, rows first."""

    situations: tuple[Row, ...] = ()
    rules: tuple[Rule, ...] = ()
    line: int = 0


class StrategyFile(Part, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of a file: parts by the name of a decision, rows and rules for all of them, or a blackjack chart."""

    game: str = ""
    wager: str = ""
    chart: dict[str, list[str]] = {}
    decisions: dict[str, Part] = {}


class _Unusable(FeltError):
    def __init__(self, path: Path, why: str, line: int = 0) -> None:
        at = f", line {line}" if line else ""
        super().__init__(f"{path}{at} is no strategy: {why}; docs/reference/strategy-file.md shows how one is written")


def is_strategy_file(name: str) -> bool:
    """Whether a strategy's name is the name of a file."""
    return name.endswith(".json")


def read_strategy(path: Path) -> StrategyFile:
    """Reads a strategy file: an object with `situations` and `rules`, or a list of situations alone."""
    try:
        text = path.read_bytes().decode()
        content = json.loads(text)
    except json.JSONDecodeError as trouble:
        raise _Unusable(path, trouble.msg.lower(), trouble.lineno) from None
    except UnicodeDecodeError as trouble:
        raise _Unusable(path, str(trouble).lower()) from None
    except RecursionError:
        raise _Unusable(path, "its brackets are nested too deep") from None
    return _convert(path, {"situations": content} if isinstance(content, list) else content, text)


def _convert(path: Path, whole: Any, text: str) -> StrategyFile:
    lines = dict(_line_numbers(text)) if len(text) < _LONGEST else {}
    prefix = "" if text.lstrip().startswith("{") else "situations"
    whole = _complete(whole, lines, prefix)
    try:
        return msgspec.convert(whole, StrategyFile)
    except msgspec.ValidationError as trouble:
        fault, place = str(trouble), ""
        if "$.decisions[" in fault:  # the message does not name the decision
            fault, place = next(filter(None, (_part_fault(name, part) for name, part in whole["decisions"].items())))
        words, _, rest = fault.partition(" - at `$")
        place = (place + rest.rstrip("`")).lstrip(".")
        path_in_file = place.removeprefix(prefix)
        at = f" at `{path_in_file}`" if path_in_file else ""
        why = f"{words[:1].lower()}{words[1:]}{at}{_known_fields(words, place)}"
        raise _Unusable(path, why, _nearest(lines, path_in_file)) from None


def _part_fault(name: str, part: object) -> tuple[str, str] | None:
    try:
        msgspec.convert(part, Part)
    except msgspec.ValidationError as trouble:
        return str(trouble), f"decisions.{name}"
    return None


def _known_fields(words: str, place: str) -> str:
    """Lists the known fields if the error is about an unknown one."""
    if "unknown field" not in words:
        return ""
    kinds: dict[str, type[Struct]] = {"rules": Rule, "situations": Row, "if": Between}
    path_kinds = [kinds[name] for name in re.findall(r"\w+", place) if name in kinds]
    kind = path_kinds[-1] if path_kinds else Part if place.startswith("decisions") else StrategyFile
    names = [known.encode_name for known in msgspec.structs.fields(kind) if known.name != "line"]
    return f", which takes {one_of(names)}"


_LONGEST = 2_000_000  # characters up to which lines are counted; only programs write longer files
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{},:]|[^][\s{},:"]+')


def _line_numbers(text: str) -> Iterator[tuple[str, int]]:
    """Yields each path, such as `rules[0].choice`, with the line on which its value begins.

    >>> dict(_line_numbers('{"rules":\\n[{"choice": "fold"}]}'))["rules[0].choice"]
    2
    """
    stack: list[tuple[str, int]] = []  # for each open bracket its path and the next index, or -1 for an object
    key: str | None = None  # the path whose value comes next; it may be empty
    line, end = 1, 0
    for token in _TOKEN.finditer(text):
        line, end, word = line + text.count("\n", end, token.start()), token.start(), token[0]
        if word in "]}":
            stack.pop()
        elif word not in ",:":
            path, number = stack[-1] if stack else ("", -1)
            if number >= 0:
                stack[-1], here = (path, number + 1), f"{path}[{number}]"
            elif stack and key is None:
                key = f"{path}.{json.loads(word)}".lstrip(".")
                continue
            else:
                here, key = key or "", None
            yield here, line
            if word in "[{":
                stack.append((here, 0 if word == "[" else -1))


def _nearest(lines: Mapping[str, int], place: str) -> int:
    """Returns the line of a path, or of the nearest enclosing value."""
    while place and place not in lines:
        place = place[: max(place.rfind("."), place.rfind("["), 0)]
    return lines.get(place, 0)


def _complete(whole: Any, lines: Mapping[str, int], path: str) -> Any:
    """Adds the line to every row and rule, and joins cards that were written as a list into one string."""
    if not isinstance(whole, dict):
        return whole
    parts = whole.get("decisions")
    whole = {key: _entries(value, lines, key, path) for key, value in whole.items()}
    if isinstance(parts, dict):
        whole["decisions"] = {
            name: _part(part, lines, f"decisions.{name}") if isinstance(part, dict) else part
            for name, part in parts.items()
        }
    return whole


def _part(part: dict[str, Any], lines: Mapping[str, int], path: str) -> dict[str, Any]:
    entries = {key: _entries(value, lines, f"{path}.{key}", "") for key, value in part.items()}
    return {**entries, "line": lines[path]} if path in lines else entries


def _entries(value: Any, lines: Mapping[str, int], path: str, prefix: str) -> Any:
    if path.rpartition(".")[2] not in ("situations", "rules") or not isinstance(value, list):
        return value
    place = path.removeprefix(prefix)
    return [_entry(entry, lines.get(f"{place}[{number}]", 0)) for number, entry in enumerate(value)]


def _entry(entry: Any, line: int) -> Any:
    if not isinstance(entry, dict):
        return entry
    joined = {
        key: " ".join(map(str, value)) if key in ("cards", "dealer", "board") and isinstance(value, list) else value
        for key, value in entry.items()
    }
    return {**joined, "line": line} if line else joined


def write_parts(path: Path, game: str, wager: str, parts: Mapping[str, Part]) -> None:
    """Writes a strategy with one line for each row and rule; the part named "" applies to all decisions."""
    head = msgspec.json.encode({"game": game, "wager": wager})[:-1]
    common = _encode(parts[""]) if "" in parts else b""
    own = b",\n".join(
        msgspec.json.encode(name) + b":{" + _encode(part).removeprefix(b",") + b"}"
        for name, part in parts.items()
        if name
    )
    path.write_bytes(head + common + (b',"decisions":{\n' + own + b"\n}" if own else b"") + b"}\n")


def _encode(part: Part) -> bytes:
    """Encodes the rows and rules of a part as fields of an object, after a comma."""
    lists: tuple[tuple[bytes, Sequence[Row | Rule]], ...] = (
        (b"situations", part.situations),
        (b"rules", part.rules),
    )
    return b"".join(
        b',"' + name + b'":[\n' + b",\n".join(map(msgspec.json.encode, entries)) + b"\n]"
        for name, entries in lists
        if entries
    )
