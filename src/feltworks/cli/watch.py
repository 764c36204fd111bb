"""`felt serve --watch`: starts the server again when a file of one's own games changes.

A process of its own serves, so that rules, workers and caches are all read anew; tables are found again in the data
folder. A broken game is left out when the server starts, and the others go on.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

import click

from feltworks.errors import FeltError

_SECONDS: Final = 0.5  # between two looks at the files
_STOPPING_SECONDS: Final = 10.0
_SUFFIXES: Final = (".py", ".toml")
_FELT: Final = "from feltworks.cli.main import run; run()"

Marks = dict[Path, tuple[int, int]]


def serve_and_watch(arguments: Sequence[str], folders: Sequence[Path], environment: dict[str, str]) -> None:
    """Run `felt` with these arguments until it ends, anew after each change in the folders."""
    if not folders:
        raise FeltError("--watch needs a folder with games: name it in FELT_GAMES, or give --examples")
    signal.signal(signal.SIGTERM, _stop_on_signal)
    marks, server = _marks(folders), _start(arguments, environment)
    try:
        while (status := server.poll()) is None:
            time.sleep(_SECONDS)
            before, marks = marks, _marks(folders)
            if changed := sorted({path.name for path, _ in before.items() ^ marks.items()}):
                click.echo(f"{', '.join(changed)} changed: the server starts again.")
                _stop(server)
                server = _start(arguments, environment)
    finally:
        _stop(server)
    if status:
        raise click.exceptions.Exit(status)


def _marks(folders: Sequence[Path]) -> Marks:
    """When each file of the games was last written, and how long it is."""
    marks: Marks = {}
    for folder in folders:
        for path in folder.glob("*"):
            if path.suffix in _SUFFIXES and not path.name.startswith("test_"):
                try:
                    found = path.stat()
                except FileNotFoundError:  # an editor has just replaced it
                    continue
                marks[path] = found.st_mtime_ns, found.st_size
    return marks


def _start(arguments: Sequence[str], environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", _FELT, *arguments], env={**os.environ, **environment})


def _stop(server: "subprocess.Popen[bytes]") -> None:
    """End the server as Ctrl-C does; one that does not end is killed."""
    if server.poll() is None:
        server.terminate()
        try:
            server.wait(_STOPPING_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _stop_on_signal(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
