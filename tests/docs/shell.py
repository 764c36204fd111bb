"""The commands of a page, typed one after the other into one shell in a folder of its own."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.docs import felt_server
from tests.docs.pages import ROOT, Block, all_blocks

LONGEST = 240  # seconds for a whole page, on a busy machine
TOO_LONG = 124  # as timeout(1) has it
DATABASE = re.compile(r"postgresql://felt@localhost/(\w+)")
_PORT = re.compile(r"\b(8000|8786)\b")
_MARK = "block {} of this page"
# A server is a process of its own, which the page ends by itself; all else is asked of the warm one.
_FELT = """felt() {{
  if [ "$1" = serve ]; then exec "$(type -P felt)" "$@"; fi
  {python} -I -S {program} {socket} "$@"
}}"""


class Answer(NamedTuple):
    """What a block printed."""

    block: Block
    said: str


class Typed(NamedTuple):
    """What came of a page's commands: how the shell ended, what each block printed, and what went wrong."""

    status: int
    answers: list[Answer]
    troubles: str


def type_page(name: str, folder: Path, felt: str, database: str = "") -> Typed:
    """Type a page's commands; documented ports and databases are exchanged for some that are free."""
    shown = [block for block in all_blocks(name) if block.language == "sh" or block.title]
    warm = _FELT.format(python=sys.executable, program=felt_server.__file__, socket=felt)
    script = "\n".join([warm, _rounds(name), *(_step(number, block) for number, block in enumerate(shown))])
    script = script.replace(".venv/bin/felt ", "felt ")
    for port in sorted(set(_PORT.findall(script))):
        script = re.sub(rf"\b{port}\b", str(_free_port()), script)
    script = DATABASE.sub(rf"postgresql://felt@/\1?host={database}", script)
    status, out, err = _bash(script, folder, database)
    said = re.split(rf"^{_MARK.format('[0-9]+')}\n", out, flags=re.MULTILINE)[1:]
    return Typed(status, [Answer(*pair) for pair in zip(shown, said, strict=False)], err)


def _rounds(name: str) -> str:
    """The rounds a page shows are its `rounds.jsonl`."""
    lines = "".join(block.text for block in all_blocks(name) if block.language == "json")
    return f"cat > rounds.jsonl <<'END OF FILE'\n{lines}END OF FILE"


def _step(number: int, block: Block) -> str:
    """A command, or a file that the reader writes: into the folder of games, once there is one."""
    typed = block.text
    if block.title:
        typed = f"cat > \"${{FELT_GAMES:-.}}/{block.title}\" <<'END OF FILE'\n{block.text}END OF FILE\n"
    return f"echo {_MARK.format(number)}\n{typed}"


def _bash(script: str, folder: Path, database: str) -> tuple[int, str, str]:
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / "pyproject.toml").symlink_to(ROOT / "pyproject.toml")
    (folder / "deploy").symlink_to(ROOT / "deploy")
    command = ["bash", "-e", "-o", "pipefail", "-c", f"{script}\n"]
    out, err = folder / "stdout", folder / "stderr"
    own = {"cwd": folder, "env": _environment(folder, database), "start_new_session": True}
    with out.open("wb") as said, err.open("wb") as troubles:
        # Files and no pipes: a server left in the background would keep a pipe open.
        shell = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=troubles, **own)
        try:
            status = shell.wait(LONGEST)
        except subprocess.TimeoutExpired:
            status = TOO_LONG
        finally:
            _end_all(shell)
    return status, out.read_text("utf-8"), err.read_text("utf-8")


def _end_all(shell: "subprocess.Popen[bytes]") -> None:
    """End the shell, and whatever it started in the background and did not stop itself."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(shell.pid, signal.SIGKILL)
    shell.wait()


def _environment(folder: Path, database: str) -> dict[str, str]:
    """The reader's: commands of `.venv`, a screen of 80 columns, and a make that says what it would do."""
    tools = folder / "tools"
    tools.mkdir()
    make = tools / "make"
    make.write_text(f'#!/bin/sh\nexec {shutil.which("make")} --dry-run --directory {ROOT} "$@"\n')
    make.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "FELT_"))}
    path = [str(tools), str(Path(sys.prefix) / "bin"), *_servers_tools(database), kept["PATH"]]
    own = {"PATH": os.pathsep.join(path), "COLUMNS": "80", "FELT_CACHE": "off"}
    return {**kept, **own, **({"PGHOST": database, "PGUSER": "postgres"} if database else {})}


def _servers_tools(database: str) -> list[str]:
    """pg_dump has to be of the server's own version."""
    if not database:
        return []
    import pgserver

    return [str(Path(pgserver.__file__).parent / "pginstall" / "bin")]


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port
