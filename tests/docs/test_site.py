"""The documentation builds into a site without a warning, and its generated pages leave nothing out."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.cli.main import CommandGroup, felt
from feltworks.web.app import create_app
from tests.docs.pages import ROOT
from tests.docs.site import generated
from tests.once import made_once


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it, every link checked."""
    return made_once("site", tmp_path_factory, _build)


def _build(folder: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_page_is_in_the_site(site: Path) -> None:
    written = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    wanted = {str(Path(place).with_suffix(".html")) for place in (*written, *generated())}
    assert wanted <= {str(path.relative_to(site)) for path in site.rglob("*.html")}


def test_the_generator_itself_is_not_published(site: Path) -> None:
    assert list(site.rglob("*.py")) == []


def test_no_page_shows_what_only_escapes_a_bar(site: Path) -> None:
    pages = [path for path in site.rglob("*.html") if "\\|" in path.read_text("utf-8")]
    assert pages == []


def test_pages_fetch_nothing_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        fetched = re.findall(r"<(?:script|link|img)[^>]+(?:src|href)=\"(https?:[^\"]+)", path.read_text("utf-8"))
        assert fetched == [], path.name


@pytest.mark.parametrize("name", catalog.games())
def test_a_games_page_tells_all_that_its_rulebook_says(name: str) -> None:
    book, text = catalog.rulebook(name), generated()[f"reference/games/{name}.md"]
    told = [
        *book.clause,
        *book.clause.values(),
        *(row for tables in book.pay_table.values() for table in tables.values() for row in table.pays),
        *book.option,
        *(option.text for option in book.option.values()),
        *(reading.because for reading in book.reading),
        *(figure.figure for figure in book.published),
        *(condition.text for condition in (book.approval.conditions if book.approval else ())),
    ]
    assert [words for words in told if " ".join(words.split()) not in text] == []


def test_the_http_pages_have_every_path_in_the_words_of_its_function() -> None:
    everything = "".join(text for place, text in generated().items() if "/http/" in place)
    paths = create_app().openapi_schema.to_schema()["paths"]
    assert [path for path in paths if f" {path}\n" not in everything] == []
    assert not re.search(r"anyio|decorator", everything, re.IGNORECASE)


def test_the_pages_of_commands_have_every_one_with_its_options() -> None:
    everything = "".join(text for place, text in generated().items() if "/commands/" in place)
    for words in _all_words("", felt):
        assert f"# felt{words}\n" in everything
    for option in ("--save-strategy", "--aggregate W=AMOUNT", "--record-definition"):
        assert f"`{option}" in everything


def _all_words(words: str, group: CommandGroup) -> Iterator[str]:
    for name, command in group.every_command().items():
        yield f"{words} {name}"
        if isinstance(command, CommandGroup):
            yield from _all_words(f"{words} {name}", command)


def test_the_python_pages_have_the_grammar_the_table_and_the_analysis() -> None:
    everything = "".join(text for place, text in generated().items() if "/python/" in place)
    for name in ("advance(", "class Game(", "class Table", "analyze(", "class Referee", "settle_line("):
        assert f"`{name}" in everything
