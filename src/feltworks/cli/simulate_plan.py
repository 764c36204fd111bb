"""A simulation's plan as a command line says it: the strategy may be a file."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from feltworks.analysis.strategy_file import read_strategy
from feltworks.errors import BadOption
from feltworks.simulation import planning
from feltworks.simulation.plan import OPTIMAL, Plan, Strategy

_FILES = (".json", ".toml")


def planned(name: str, *, strategy: str = "", **said: Any) -> Plan:
    """The plan, checked: what makes no sense is refused before any work."""
    return planning.planned(name, strategy=_strategy(strategy or OPTIMAL), **said)


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
