"""What the pages of the documentation show: their fenced blocks, by language or by file name."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    """A page's text; the name is its path in the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    """The fenced blocks of that language."""
    return [text for kind, _, text in _BLOCK.findall(page(name)) if kind == language]


def named_files(name: str) -> dict[str, str]:
    """The blocks that are whole files, by file name."""
    return {title: text for _, title, text in _BLOCK.findall(page(name)) if title}
