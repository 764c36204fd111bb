"""A simulation's plan as a command line says it: the strategy may be a file."""

import secrets
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import msgspec

from feltworks.analysis.strategy.file import read_strategy
from feltworks.errors import BadOption
from feltworks.simulation.plan import Plan, Strategy, make_plan
from feltworks.simulation.workers import WorkerPool

_FILES = (".json", ".toml")
_SEED_BITS = 48


class Asked(Protocol):
    """What a command line asks for, checked before any work."""

    def __init__(self, game: str, seed: int | None, table: dict[str, Any], said: dict[str, Any]) -> None: ...

    def simulated(self, crew: WorkerPool, command: str) -> tuple[dict[str, Any], Callable[[], str]]:
        """Its result as a document, and how that is drawn."""


def planned(name: str, *, strategy: str = "", **said: Any) -> Plan:
    """The plan, checked: what makes no sense is refused before any work."""
    if not name:
        raise BadOption("GAME", name, "the name of a game, or --resume with a checkpoint")
    return make_plan(name, strategy=_strategy(strategy) if strategy else None, **said)


def _strategy(said: str) -> Strategy:
    """By name, or what a file holds: it travels with the plan, so that a cluster needs no files."""
    path = Path(said)
    if path.suffix not in _FILES:
        return Strategy(said)
    try:
        written = _read(path)
    except (tomllib.TOMLDecodeError, msgspec.DecodeError, UnicodeDecodeError) as trouble:
        raise BadOption("--strategy", said, f"a file that can be read ({trouble})") from None
    if isinstance(written, list) or (isinstance(written, dict) and {"situations", "rules"} & written.keys()):
        written = msgspec.to_builtins(read_strategy(path))
    return Strategy(path.name, written)


def _read(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else msgspec.json.decode(text)


def a_seed(said: int | None) -> int:
    """The seed that was said, or a new one."""
    return secrets.randbits(_SEED_BITS) if said is None else said


def a_part(option: str, said: str | None, example: str) -> float | None:
    """A part of one as people write it: 0.01% or 0.0001."""
    if not said:
        return None
    try:
        number = float(said.rstrip("% ")) / (100 if said.endswith("%") else 1)
    except ValueError:
        number = -1.0
    if not 0 < number < 1:
        raise BadOption(option, said, f"a part above 0 and below 100%, such as {example}")
    return number
