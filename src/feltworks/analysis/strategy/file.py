"""A way to play, read from a file: choices for situations one by one, and rules for all the others."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from feltworks.cards import Card
from feltworks.errors import FeltError

Cards = tuple[Card, ...]
Chooser = Callable[[Cards, Cards, Sequence[str]], str]  # cards, dealer's, what is open: which one


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """What to do with these cards, or with any that are alike, against what the dealer shows."""

    cards: str
    choice: str
    dealer: str = ""


class Between(Struct, frozen=True, forbid_unknown_fields=True):
    """A range, both ends included; either may be left out."""

    least: int | str | None = field(default=None, name="from")
    most: int | str | None = field(default=None, name="to")


Condition = Between | bool | int | str | list[bool | int | str]


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """What to do where all of the named facts are so; without any, always."""

    choice: str
    when: dict[str, Condition] = field(default_factory=dict, name="if")


class StrategyFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a file: the first row or rule that fits decides, rows first; for blackjack a chart."""

    game: str = ""
    wager: str = ""
    situations: tuple[Row, ...] = ()
    rules: tuple[Rule, ...] = ()
    chart: dict[str, list[str]] = {}


class _Unusable(FeltError):
    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} is no strategy: {why}; docs/reference/strategy-file.md shows how one is written")


def is_strategy_file(name: str) -> bool:
    """Whether a strategy is named by its file."""
    return name.endswith(".json")


def read_strategy(path: Path) -> StrategyFile:
    """The strategy in a file: an object with `situations` and `rules`, or a list of situations alone."""
    try:
        written = msgspec.json.decode(path.read_bytes())
        whole = {"situations": written} if isinstance(written, list) else written
        return msgspec.convert(_join_cards(whole), StrategyFile)
    except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
        raise _Unusable(path, str(trouble).rstrip(".").replace(" - at `$", " at `").lower()) from None
    except RecursionError:
        raise _Unusable(path, "its brackets are nested too deep") from None


def _join_cards(whole: Any) -> Any:
    """Cards may be written as a list or in one line."""
    if not isinstance(whole, dict) or not isinstance(whole.get("situations", []), list):
        return whole
    rows = [_row(row) for row in whole.get("situations", [])]
    return {**whole, "situations": rows}


def _row(row: Any) -> Any:
    if not isinstance(row, dict):
        return row
    return {
        key: " ".join(map(str, value)) if key in ("cards", "dealer") and isinstance(value, list) else value
        for key, value in row.items()
    }


def write_strategy(path: Path, game: str, wager: str, rows: Iterable[Row]) -> None:
    """Write a strategy situation by situation, a line each."""
    path.write_bytes(_encode(game, wager, list(rows)))


def _encode(game: str, wager: str, rows: Sequence[Row]) -> bytes:
    head = msgspec.json.encode({"game": game, "wager": wager})[:-1]
    lines = b",\n".join(map(msgspec.json.encode, rows))
    return head + b',"situations":[\n' + lines + b"\n]}\n"
