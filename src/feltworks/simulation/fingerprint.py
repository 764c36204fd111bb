"""Which code and which plan made a result: equal fingerprints and equal seeds give equal tallies."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from feltworks import __version__, catalog
from feltworks.fingerprint import definition_fingerprint
from feltworks.simulation.plan import Plan

# Everything a round's cards, choices and pays depend on.
_SOURCES = ("cards.py", "money.py", "hands", "rules", "games", "bonus", "machine", "analysis", "simulation")


@cache
def code_fingerprint() -> str:
    """Names the version and the sources of everything that a tally depends on, rulebooks included."""
    root = Path(str(files("feltworks")))
    paths = [path for name in _SOURCES for path in _python_files(root / name)]
    digest = sha256(__version__.encode())
    for path in sorted([*paths, *catalog.rulebook_files().values()]):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _python_files(path: Path) -> list[Path]:
    return [path] if path.is_file() else list(path.rglob("*.py"))


def fingerprint(plan: Plan) -> str:
    """Names a plan under the code that carries it out, a designer's own rules included."""
    named = code_fingerprint() + definition_fingerprint(plan.table)
    return sha256(named.encode() + plan.to_json()).hexdigest()[:16]
