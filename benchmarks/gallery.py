"""Every game of the gallery: its checks, all its published figures, and ten million rounds beside the exact edge.

Each game has one line, printed when it is done; `make gallery GAMES="red-dog casino-war"` goes on with some of them.
"""

import json
import subprocess
import sys
from pathlib import Path

from feltworks import catalog

ROUNDS, WIDEST = 10_000_000, 4.5  # standard errors that a simulated edge may lie off the exact one
FELT = Path(sys.executable).with_name("felt")


def felt(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FELT, "--examples", *words], capture_output=True, text=True)


def simulate(name: str) -> bool:
    """Whether every wager comes out as the exact figures say."""
    done = felt("simulate", name, "--rounds", str(ROUNDS), "--seed", "1", "--json")
    if done.returncode:
        print(done.stderr)
        return False
    scores = {wager: line.get("z") for wager, line in json.loads(done.stdout)["wagers"].items()}
    words = ", ".join(f"{wager} z {'-' if z is None else f'{z:+.2f}'}" for wager, z in scores.items())
    print(f"{name:<18}{words}", flush=True)
    return all(z is not None and abs(z) <= WIDEST for z in scores.values())


def main() -> int:
    names = sys.argv[1:] or sorted(book.stem for book in catalog.examples_folder().glob("*.toml"))
    failures = []
    for name in names:
        failures += [f"{name}: felt {word}" for word in ("check", "audit") if felt(word, name).returncode]
        failures += [] if simulate(name) else [f"{name}: simulated and exact edges differ"]
    print("\n".join(failures) or "every game keeps its promises and agrees with its exact figures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
