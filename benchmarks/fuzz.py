"""Fuzzed logs, rulebooks, rounds and strategies: every command ends with 0 or 2, without a traceback, in two seconds.

`python benchmarks/fuzz.py --inputs 20000 --seed 1` runs them in one process.
"""

import argparse
import contextlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import feltworks
from feltworks import catalog
from feltworks.cli.main import main
from feltworks.web.tables.clock import Turns
from feltworks.web.tables.order import usual_order
from feltworks.web.tables.room import Guest, Room
from feltworks.web.tables.storage import TableFolder

ROOT = Path(__file__).parents[1]
MOST_SECONDS = 2.0  # of the processor
ODD_VALUES: list[Any] = [
    *(None, True, -1, 0, 1, 2**31, 2**63, -(2**63), 10**30, 1e308),
    *("", "0", "x" * 5000, "\x00", "Kh", "é\u202e", "$1e9", "1/0", "nan", "inf", "-5", "2d"),
    *([], {}, [[]], [None], {"": None}, [[[[[[[[]]]]]]]], {"game": "fu-bacc"}),
]
ODD_WORDS = [json.dumps(value) for value in (-1, 0, 10**30, 1e308, "", "x", "1 to 0", "-1 to 1", True, [], ["a", 1])]
ODD_BYTES = [b"\x00", b"\xff", b"\n", b"}", b"{", b'"', b"[", b"9" * 400, b"\xe2\x80\xae", b"nan", b"=", b"[a.b]\n"]
Make = Callable[[Random, Path], list[str]]


def spoil_bytes(mind: Random, text: bytes) -> bytes:
    """Cut, double, insert or exchange some bytes or lines."""
    for _ in range(mind.randint(1, 3)):
        at = mind.randrange(len(text) + 1)
        lines = text.split(b"\n")
        line = mind.randrange(len(lines))
        text = mind.choice(
            [
                text[:at],
                text[:at] + mind.choice(ODD_BYTES) + text[at:],
                text[:at] + bytes([mind.randrange(256)]) + text[at + 1 :],
                text[:at] + text[at + mind.randint(1, 20) :],
                b"\n".join([*lines[:line], *lines[line + 1 :]]),
                b"\n".join([*lines[:line], lines[line], *lines[line:]]),
            ]
        )
    return text


def spoil_value(mind: Random, value: Any) -> Any:
    """Exchange one part of a JSON document for an odd value, or leave it out, double or rename it."""
    if not isinstance(value, dict | list) or not value or mind.random() < 0.15:
        return mind.choice(ODD_VALUES)
    if isinstance(value, list):
        at = mind.randrange(len(value))
        spoilt_item = [spoil_value(mind, value[at])]
        items = mind.choice([spoilt_item, spoilt_item, spoilt_item, [], [value[at]] * 2, [value[at]] * 40])
        return [*value[:at], *items, *value[at + 1 :]]
    key = mind.choice(list(value))
    spoilt = {name: item for name, item in value.items() if name != key}
    if mind.random() < 0.8:
        spoilt[key if mind.random() < 0.9 else mind.choice(["", "x", key * 2])] = spoil_value(mind, value[key])
    return spoilt


def spoil_json(mind: Random, text: str) -> bytes:
    if mind.random() < 0.3:
        return spoil_bytes(mind, text.encode())
    value = json.loads(text)
    for _ in range(mind.randint(1, 2)):
        value = spoil_value(mind, value)
    return json.dumps(value).encode()


def spoil_toml(mind: Random, text: str) -> bytes:
    """Exchange a value of a line, or spoil the bytes."""
    if mind.random() < 0.4:
        return spoil_bytes(mind, text.encode())
    lines = text.split("\n")
    for at in mind.sample(range(len(lines)), min(len(lines), mind.randint(1, 3))):
        key, equals, _ = lines[at].partition("=")
        lines[at] = f"{key}= {mind.choice(ODD_WORDS)}" if equals else mind.choice(["", lines[at] * 2, "[x]", "x = 1"])
    return "\n".join(lines).encode()


# What is spoilt, and the command that reads it.


def rounds() -> Make:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md")))
    samples = [line for line in re.findall(r'^\{"game".*\}$', text, re.MULTILINE) if _is_json(line)]

    def make(mind: Random, folder: Path) -> list[str]:
        (folder / "rounds").write_bytes(spoil_json(mind, mind.choice(samples)) + b"\n")
        return ["settle", str(folder / "rounds")]

    return make


def strategies() -> Make:
    conditions = {"stay": {"total": {"from": 6}}, "fold": {"up": [1, 2], "total": {"to": 3}}}
    rules = [{"if": condition, "choice": choice} for choice, condition in conditions.items()]
    situations = [{"cards": "Kh 9d", "dealer": "9s", "choice": "bonus"}]
    sample = json.dumps({"game": "fu-bacc", "situations": situations, "rules": [*rules, {"choice": "hit"}]})
    command = ["simulate", "fu-bacc", "--rounds", "100", "--seed", "1", "--strategy"]

    def make(mind: Random, folder: Path) -> list[str]:
        (folder / "strategy.json").write_bytes(spoil_json(mind, sample))
        return [*command, str(folder / "strategy.json")]

    with tempfile.TemporaryDirectory() as name:  # the first sound one loads the compiled loop
        (Path(name) / "strategy.json").write_text(sample, encoding="utf-8")
        run([*command, str(Path(name) / "strategy.json")])
    return make


def rulebooks() -> Make:
    books = [*Path(feltworks.__file__).parent.rglob("*.toml"), *(ROOT / "examples").glob("*.toml")]
    samples = [path for path in books if "[wager." in path.read_text(encoding="utf-8")]

    def make(mind: Random, folder: Path) -> list[str]:
        shutil.rmtree(games := folder / "games", ignore_errors=True)
        games.mkdir()
        sample = mind.choice(samples)
        name = mind.choice(["spoilt", sample.stem])  # a game of one's own, or in the place of the one it was made of
        (games / f"{name}.toml").write_bytes(spoil_toml(mind, sample.read_text(encoding="utf-8")))
        for rules in (ROOT / "examples").glob(f"{sample.stem.replace('-', '_')}.py"):
            shutil.copy(rules, games)
        os.environ[catalog.GAME_FOLDERS] = str(games)
        forget_rulebooks()
        return ["games", name]

    return make


def forget_rulebooks() -> None:
    """A process reads each rulebook once; here every command is to read the spoilt one as a fresh process would."""
    for remembered in (catalog.rulebook, catalog.games, catalog.broken_books):
        remembered.cache_clear()


def logs() -> Make:
    samples = [(line, seed) for game in catalog.games() for line, seed in _logs_of(game)]

    def make(mind: Random, folder: Path) -> list[str]:
        log, seed = mind.choice(samples)
        is_seed_spoilt = mind.random() < 0.2
        lines = log.rstrip(b"\n").split(b"\n")
        at = mind.randrange(len(lines))
        spoilt = b"\n".join([*lines[:at], spoil_json(mind, lines[at].decode()), *lines[at + 1 :]]) + b"\n"
        (folder / "log").write_bytes(log if is_seed_spoilt else mind.choice([spoilt, spoil_bytes(mind, log)]))
        (folder / "log.seed").write_bytes(spoil_bytes(mind, seed) if is_seed_spoilt else seed)
        return ["play", "--fast", "--no-colour", "--resume", str(folder / "log")]

    return make


def _logs_of(game: str) -> Iterator[tuple[bytes, bytes]]:
    """The logs of tables that stop in the middle of a round, and the seeds of their cards."""
    with tempfile.TemporaryDirectory() as name:
        room = Room("0", usual_order(game), store=TableFolder(Path(name)))
        room.sit(Guest("s", "Ann"), 1, 10**7)
        wagers = {wager: entry.fixed or max(room.limits[wager][0], 1000) for wager, entry in _first_wagers(room)}
        for _ in range(20):
            room.wager(Guest("s", "Ann"), 1, wagers, {})
            room.deal()
            if room.table.is_running:
                yield (Path(name) / "log").read_bytes(), (Path(name) / "log.seed").read_bytes()
                Turns(room).answer_open_decisions()
        room.close()


def _first_wagers(room: Room) -> list[tuple[str, Any]]:
    book = room.game.terms.rulebook
    return [(name, entry) for name, entry in book.wager.items() if entry.kind == "main" and name in room.limits][:1]


def _is_json(line: str) -> bool:
    with contextlib.suppress(ValueError):
        return isinstance(json.loads(line), dict)
    return False


KINDS: dict[str, Callable[[], Make]] = {"log": logs, "rulebook": rulebooks, "round": rounds, "strategy": strategies}


def run(arguments: list[str]) -> tuple[int, str, float]:
    """Run one command in this process: its exit status, what it wrote, and the processor's seconds."""
    written, began, terminal = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), time.process_time(), sys.stdin
    sys.stdin = io.StringIO("quit\n" * 50)
    try:
        with contextlib.redirect_stdout(written), contextlib.redirect_stderr(written):
            status = main(arguments)
    finally:
        sys.stdin = terminal
    seconds = time.process_time() - began
    written.seek(0)
    return status, written.read(), seconds


def fault_of(arguments: list[str]) -> str:
    """What is wrong with how a command ended; empty if nothing is."""
    status, text, seconds = run(arguments)
    if status not in (0, 2) or "Traceback" in text or "internal error" in text:
        return f"exit {status}: {text.strip()[-400:]}"
    return f"{seconds:.1f} s of the processor" if seconds > MOST_SECONDS else ""


def fuzz(inputs: int, seed: int) -> Iterator[str]:
    """Run so many commands, each kind in turn; every fault with what brings it about again."""
    makers = {kind: make() for kind, make in KINDS.items()}
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for make in makers.values():
            fault_of(make(Random(seed), Path(name)))  # fills the caches that every later command finds
        for number in range(inputs):
            if os.environ.pop(catalog.GAME_FOLDERS, None):
                forget_rulebooks()
            kind = list(makers)[number % len(makers)]
            arguments = makers[kind](Random(f"{seed} {number}"), Path(name))
            if fault := fault_of(arguments):
                yield f"{kind} {number} of seed {seed}: {fault}"


def report() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--inputs", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    kinds: Counter[str] = Counter()
    for fault in fuzz(chosen.inputs, chosen.seed):
        kinds[fault.partition(" ")[0]] += 1
        print(fault, flush=True)
    print(f"{chosen.inputs} inputs, {sum(kinds.values())} faults {dict(kinds) or ''}")
    return 1 if kinds else 0


if __name__ == "__main__":
    raise SystemExit(report())
