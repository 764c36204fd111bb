"""What the pages of the documentation show: their fenced blocks, by language or by file name."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from feltworks.cli.main import CommandGroup

ROOT = Path(__file__).parents[2]
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    *(str(p.relative_to(ROOT)) for p in sorted(ROOT.glob("docs/**/*.md"))),
]
_BLOCK = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block; `printed` is the block of text right below it, which it has to print."""

    language: str
    title: str
    text: str
    printed: str | None = None


def page(name: str) -> str:
    """A page's text; the name is its path in the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def all_blocks(name: str) -> list[Block]:
    """The blocks of a page in their order; text right below what prints it belongs to that block."""
    found: list[Block] = []
    ended = -1
    text = page(name)
    for match in _BLOCK.finditer(text):
        follows = bool(found) and not text[ended : match.start()].strip()
        if match[1] == "text" and follows and found[-1].language in ("sh", "python"):
            found[-1] = found[-1]._replace(printed=match[3])
        else:
            found.append(Block(match[1], match[2] or "", match[3]))
        ended = match.end()
    return found


def blocks(name: str, language: str) -> list[str]:
    """The fenced blocks of that language."""
    return [text for kind, _, text in _BLOCK.findall(page(name)) if kind == language]


def named_files(name: str) -> dict[str, str]:
    """The blocks that are whole files, by file name."""
    return {title: text for _, title, text in _BLOCK.findall(page(name)) if title}


def prose(name: str) -> str:
    """A page without its blocks."""
    return _BLOCK.sub("", page(name))


def prints(shown: str, said: str) -> bool:
    """Whether something said is what a page shows, where an ellipsis stands for what is left out.

    >>> prints("a\\n…\\nc … e\\n", "a\\nb\\nb\\nc d e")
    True
    >>> prints("a\\n…\\nc … e\\n", "a\\nc d f")
    False
    """
    lines = [re.escape(line.rstrip()).replace("…", ".*") for line in shown.splitlines()]
    wanted = "".join(r"(?:.*\n)*?" if line == ".*" else rf"{line}\n" for line in lines)
    heard = "".join(f"{line.rstrip()}\n" for line in said.splitlines())
    return re.fullmatch(wanted, heard) is not None


def with_subcommands(command: click.Command) -> Iterator[click.Command]:
    """A command with all that stand below it."""
    yield command
    if isinstance(command, CommandGroup):
        for below in command.every_command().values():
            yield from with_subcommands(below)
