"""A real terminal for a command: what it shows there, with Ctrl-C pressed when something appears."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import NamedTuple

FELT = Path(sys.executable).with_name("felt")
_PATIENCE_SECONDS = 60
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Seen(NamedTuple):
    """How a command ended, what the terminal showed of its standard error, and what it wrote."""

    status: int
    screen: str
    out: str


def at_a_terminal(*words: str, env: dict[str, str], stop_at: str | None = None) -> Seen:
    """Run `felt` with standard error on a terminal; press Ctrl-C there once the text appears."""
    keyboard, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", **env}
    with subprocess.Popen(
        [FELT, *words],
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=environment,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # Ctrl-C there is for this process
    ) as process:
        os.close(terminal)
        screen = _watched(keyboard, stop_at)
        assert process.stdout is not None
        out = process.stdout.read()
    os.close(keyboard)
    return Seen(process.returncode, screen, out)


def _watched(keyboard: int, stop_at: str | None) -> str:
    screen, until = "", time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < until and select.select([keyboard], [], [], _PATIENCE_SECONDS)[0]:
        try:
            screen += os.read(keyboard, 4096).decode(errors="replace")
        except OSError:  # the last one has left the terminal
            break
        if stop_at is not None and stop_at in screen:
            os.write(keyboard, b"\x03")
            stop_at = None
    return screen


def shown_at(columns: int, words: tuple[str, ...], folder: Path) -> str:
    """What a terminal of so many columns shows of a command, without colours and bars."""
    keyboard, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    with subprocess.Popen(
        [FELT, *words],
        stdin=terminal,
        stdout=terminal,
        stderr=subprocess.PIPE,
        cwd=folder,
        env={**environment, "TERM": "xterm"},
    ):
        os.close(terminal)
        shown = b"".join(iter(lambda: _read(keyboard), b""))
    os.close(keyboard)
    return _COLOURS.sub("", shown.decode()).replace("\r", "")


def _read(keyboard: int) -> bytes:
    try:
        return os.read(keyboard, 65536)
    except OSError:  # the last one has left the terminal
        return b""
