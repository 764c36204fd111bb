"""MkDocs calls this when it builds the site: pages that are generated join those that are written."""

from functools import cache

from cli_pages import cli_pages
from http_pages import http_pages
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from python_pages import python_pages
from rulebook_pages import rulebook_pages

_ALL = "*"  # in the table of contents: every generated page of that folder


@cache
def pages() -> dict[str, str]:
    """Every generated page by its place in the site."""
    return {**cli_pages(), **rulebook_pages(), **http_pages(), **python_pages()}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Let the table of contents list the generated pages, so that a new game need not be entered there."""
    config.nav = [_expanded(entry) for entry in config.nav or []]
    return config


def _expanded(entry: object) -> object:
    if isinstance(entry, dict):
        return {title: _expanded(below) for title, below in entry.items()}
    if isinstance(entry, list):
        return [_expanded(below) for below in entry]
    if isinstance(entry, str) and entry.endswith(_ALL):
        return [{_title(text): place} for place, text in pages().items() if place.startswith(entry[:-1])]
    return entry


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    for place, text in pages().items():
        files.append(File.generated(config, place, content=text))
    return files
