"""Writes a paper: HTML and PDF into a folder, or one of them into a file, each whole or not at all."""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from feltworks.cli.output import Page, print_json
from feltworks.errors import BadOption, FeltError

if TYPE_CHECKING:
    from feltworks.reports.paper import Paper

_KINDS = (".html", ".pdf")


def print_paper(output: Path, make: "Callable[[], Paper]", *, as_json: bool) -> None:
    """Make the paper, write it and print its files."""
    from feltworks.cli.progress import progress_bar

    _check(output)
    with progress_bar("Preparing the paper"):
        paper = make()
        text = paper.html()
    files, error = [], None
    for path in _paths(output, paper.stem):
        try:
            content = text.encode() if path.suffix == ".html" else _pdf(text)
        except FeltError as missing:  # the HTML is written even where PDF cannot be made
            error = missing
            continue
        _write(path, content)
        files.append((path, content))
    _show(paper, files, as_json=as_json)
    if error is not None:
        raise error


def _check(output: Path) -> None:
    """Refuse a place that cannot be written to before any work."""
    if output.suffix in _KINDS:
        if output.is_dir() or not output.parent.is_dir():
            raise BadOption("--output", str(output), "a file in an existing folder")
    elif not output.is_dir():
        raise BadOption("--output", str(output), "an existing folder, or a file ending in .html or .pdf")


def _paths(output: Path, stem: str) -> list[Path]:
    return [output] if output.suffix in _KINDS else [output / f"{stem}{kind}" for kind in _KINDS]


def _pdf(text: str) -> bytes:
    from feltworks.reports.printing import pdf

    return pdf(text)


def _write(path: Path, content: bytes) -> None:
    number, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(number, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _show(paper: "Paper", files: list[tuple[Path, bytes]], *, as_json: bool) -> None:
    identity = paper.identity
    if as_json:
        listed = [
            {"path": str(path), "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for path, content in files
        ]
        print_json(
            {
                "paper": paper.kind,
                "game": identity.title,
                "files": listed,
                "version": identity.version,
                "fingerprint": identity.fingerprint,
                "date": identity.day,
                "as_approved": identity.as_approved,
                "deviations": list(identity.deviations),
            }
        )
        return
    page = Page()
    for path, _ in files:
        page.print_whole(str(path))
    if not identity.as_approved:
        page.print(f"Not as approved: {'; '.join(identity.deviations)}.")
    page.close()
