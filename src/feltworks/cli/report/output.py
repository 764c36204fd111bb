"""Writes a paper: HTML and PDF into a folder, or one of them to a file; never writes part of a file."""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct
from msgspec.structs import replace

from feltworks.cli.options import json_option, option_group
from feltworks.cli.output import Page, fields_of, print_json
from feltworks.errors import BadOption, FeltError

if TYPE_CHECKING:
    from feltworks.reports.order import PaperRequest
    from feltworks.reports.paper import Paper

_KINDS = (".html", ".pdf")


class OutputOptions(Struct, frozen=True):
    """Where a paper is written, and how its files are listed."""

    output: Path
    page: str
    as_json: bool

    def print(self, request: "PaperRequest") -> None:
        """Make the paper, write it and print its files."""
        from feltworks.cli.progress import progress_bar
        from feltworks.reports.catalogue import make_paper
        from feltworks.reports.paper import pdf

        _check(self.output)
        with progress_bar("Preparing the paper") as progress:
            paper = make_paper(replace(request, page=self.page), progress)
            text = paper.html()
        files, error = [], None
        for path in _paths(self.output, paper.stem):
            try:
                content = text.encode() if path.suffix == ".html" else pdf(text)
            except FeltError as missing:  # write the HTML even if no PDF can be made
                error = missing
                continue
            _write(path, content)
            files.append((path, content))
        _show(paper, files, as_json=self.as_json)
        if error is not None:
            raise error


output_options = option_group(
    "output",
    OutputOptions,
    [
        click.option(
            "--output",
            type=click.Path(path_type=Path),
            default=".",
            metavar="DIR|FILE",
            help="A folder, or one .html or .pdf file.",
        ),
        click.option(
            "--page",
            type=click.Choice(["letter", "a4"]),
            default="letter",
            help="The size of the paper, US Letter unless given.",
        ),
        json_option,
    ],
)


def _check(output: Path) -> None:
    """Refuse, before any work begins, a place that cannot be written."""
    if output.suffix in _KINDS:
        if output.is_dir() or not output.parent.is_dir():
            raise BadOption("--output", str(output), "a file in an existing folder")
    elif not output.is_dir():
        raise BadOption("--output", str(output), "an existing folder, or a file ending in .html or .pdf")


def _paths(output: Path, stem: str) -> list[Path]:
    return [output] if output.suffix in _KINDS else [output / f"{stem}{kind}" for kind in _KINDS]


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
        entries = [
            {"path": str(path), "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for path, content in files
        ]
        print_json(
            {
                "paper": paper.kind,
                "game": identity.title,
                "files": entries,
                **fields_of(identity, "version", "fingerprint", "as_approved", "deviations"),
                "date": identity.day,
            }
        )
        return
    page = Page()
    for path, _ in files:
        page.print_whole(str(path))
    if not identity.as_approved:
        page.print(f"Not as approved: {'; '.join(identity.deviations)}.")
    page.close()
