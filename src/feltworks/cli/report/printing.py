"""Where a paper goes: HTML and PDF into a folder, or one of them into a file, each whole or not at all."""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from feltworks.errors import BadOption, FeltError

if TYPE_CHECKING:
    from feltworks.reports.paper import Paper

_KINDS = (".html", ".pdf")


def printed(output: Path, work: "Callable[[], Paper]", *, as_json: bool) -> None:
    """Make the paper and say where it lies."""
    from feltworks.cli.progress import progress_bar

    _check(output)
    with progress_bar("Preparing the paper"):
        paper = work()
        text = paper.html()
    written, trouble = [], None
    for path in _paths(output, paper.stem):
        try:
            content = text.encode() if path.suffix == ".html" else _pdf(text)
        except FeltError as lacking:
            trouble = lacking
            continue
        _write(path, content)
        written.append((path, content))
    _say(paper, written, as_json=as_json)
    if trouble is not None:
        raise trouble


def _check(output: Path) -> None:
    """A place that cannot be written to is found before any work."""
    if output.suffix in _KINDS:
        if output.is_dir() or not output.parent.is_dir():
            raise BadOption("--output", str(output), "a file in a folder that is there")
    elif not output.is_dir():
        raise BadOption("--output", str(output), "a folder that is there, or a file ending in .html or .pdf")


def _paths(output: Path, stem: str) -> list[Path]:
    return [output] if output.suffix in _KINDS else [output / f"{stem}{kind}" for kind in _KINDS]


def _pdf(text: str) -> bytes:
    from feltworks.reports.printing import pdf

    return pdf(text)


def _write(path: Path, content: bytes) -> None:
    number, under_way = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(number, "wb") as file:
            file.write(content)
        Path(under_way).chmod(0o644)
        os.replace(under_way, path)
    except BaseException:
        Path(under_way).unlink(missing_ok=True)
        raise


def _say(paper: "Paper", written: list[tuple[Path, bytes]], *, as_json: bool) -> None:
    from feltworks.cli.output import PLAY_MONEY, console, print_json

    found = paper.identity
    if as_json:
        files = [
            {"path": str(path), "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for path, content in written
        ]
        said: dict[str, Any] = {"paper": paper.kind, "game": found.title, "files": files}
        said |= {"version": found.version, "fingerprint": found.fingerprint, "date": found.day}
        print_json(said | {"as_approved": found.as_approved, "deviations": list(found.deviations)})
        return
    screen = console()
    for path, _ in written:
        screen.print(str(path))
    if not found.as_approved:
        screen.print(f"Not as approved: {'; '.join(found.deviations)}.")
    screen.print(PLAY_MONEY, style="dim")
