"""The pages keep their word: what they show is run, and where they point there is something."""

import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import pytest
from sqlalchemy import Connection, create_engine, text

from feltworks.cli.main import CommandGroup, felt
from feltworks.written.settle import settle_line
from tests.docs.pages import PAGES, ROOT, all_blocks, blocks, page, prints, prose
from tests.docs.shell import DATABASE, type_page
from tests.docs.site import generated
from tests.house.servers import postgresql

# Blocks that other tests run: a whole session at the table, and a table's order.
RUN_ELSEWHERE = {
    ("docs/tutorial/first-hand.md", "text"),
    ("docs/reference/cli.md", "toml"),
    ("docs/how-to/operate.md", "console"),  # as root: tests/test_deploy.py
}
RUN_HERE = {"sh", "python", "json"}
WITH_COMMANDS = [name for name in PAGES if blocks(name, "sh")]
ALONE = [name for name in WITH_COMMANDS if not DATABASE.search(page(name))]
WITH_SERVER = [name for name in WITH_COMMANDS if DATABASE.search(page(name))]


@pytest.mark.parametrize("name", PAGES)
def test_every_block_of_a_page_is_run_by_a_test(name: str) -> None:
    for block in all_blocks(name):
        known = block.language in RUN_HERE or block.title or (name, block.language) in RUN_ELSEWHERE
        assert known, f"no test runs this block of {name}:\n{block.text}"


@pytest.mark.parametrize("name", [name for name in PAGES if blocks(name, "python")])
def test_programs_of_a_page_print_what_it_shows(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": name}
    for block in all_blocks(name):
        if block.language == "python" and not block.title:
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                exec(compile(block.text, name, "exec"), names)
            assert block.printed is None or prints(block.printed, said.getvalue()), said.getvalue()


@pytest.mark.parametrize("name", ALONE)
def test_commands_of_a_page_work_and_print_what_it_shows(name: str, tmp_path: Path, warm_felt: str) -> None:
    _check_commands(name, tmp_path, warm_felt)


@pytest.fixture(scope="module")
def administration() -> Iterator[Connection]:
    """A connection to a PostgreSQL of our own, as its administrator."""
    with postgresql() as url:
        ours = url.replace("postgresql", "postgresql+psycopg", 1)
        engine = create_engine(ours, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text("CREATE ROLE felt LOGIN"))
            yield connection
        engine.dispose()


@pytest.fixture
def server(administration: Connection) -> Iterator[str]:
    """The folder in which that server listens, without a database of anybody's."""
    yield str(administration.engine.url.query["host"])
    for name in ("felt", "restored"):
        administration.execute(text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))


@pytest.mark.parametrize("name", WITH_SERVER)
def test_commands_of_a_page_with_a_database_server_work(name: str, tmp_path: Path, warm_felt: str, server: str) -> None:
    _check_commands(name, tmp_path, warm_felt, server)


def _check_commands(name: str, folder: Path, felt: str, database: str = "") -> None:
    typed = type_page(name, folder, felt, database)
    last = typed.answers[-1] if typed.answers else None
    assert typed.status == 0, f"{name} failed at {last}\n{typed.troubles}"
    for block, said in typed.answers:
        assert block.printed is None or prints(block.printed, said), f"{block.text}\nprinted\n{said}"


def test_what_a_page_leaves_out_is_all_that_may_differ() -> None:
    assert prints("a\n…\nc … e\n", "a  \nb\nc d e\n")
    assert not prints("a\nc\n", "a\nb\nc\n")
    assert not prints("…\nc\n", "a\nb\nd\n")


@pytest.mark.parametrize("name", PAGES)
def test_commands_in_the_text_of_a_page_exist(name: str) -> None:
    for said in re.findall(r"`(?:\.venv/bin/)?felt ([a-z][^`]*)`", prose(name)):
        words = said.replace("\n", " ").split()
        options = [word.partition("=")[0] for word in words if re.fullmatch(r"--[a-z-]+(=.*)?", word)]
        assert set(options) <= _options(words), f"{name}: felt {said}"


def _options(words: list[str]) -> set[str]:
    command: click.Command = felt
    while isinstance(command, CommandGroup):
        if not words or not words[0].islower():
            return set()
        command, words = command.every_command()[words[0]], words[1:]
    params = command.params
    return {"--help", *(word for param in params for word in (*param.opts, *param.secondary_opts))}


@pytest.mark.parametrize("name", PAGES)
def test_make_targets_on_a_page_exist(name: str) -> None:
    targets = re.findall(r"^([a-z]+):", page("Makefile"), re.MULTILINE)
    assert set(re.findall(r"`make ([a-z]+)`", prose(name))) <= set(targets)


@pytest.mark.parametrize("name", PAGES)
def test_written_rounds_on_a_page_can_be_settled(name: str) -> None:
    for block in blocks(name, "json"):
        for line in block.splitlines():
            assert "error" not in settle_line(line)


def test_the_tutorial_tells_what_its_round_brings() -> None:
    (written,) = blocks("docs/tutorial/first-hand.md", "json")
    assert _nets(written) == {"ante": 1000, "tie": -500, "play": 2000}
    nine = written.replace('"5d"', '"9d"')
    assert _nets(nine) == {"ante": -1000, "tie": -500, "play": -2000}
    assert _nets(nine.replace('"hit"', '"bonus"'))["ante"] == 2000
    assert "may not choose rescue" in settle_line(nine.replace('"hit"', '"rescue"'))["error"]


def _nets(written: str) -> dict[str, int]:
    lines = settle_line(msgspec.json.encode(msgspec.json.decode(written)))["seats"][0]["lines"]
    return {line["wager"]: line["net"] for line in lines}


@pytest.mark.parametrize("name", PAGES)
def test_links_of_a_page_lead_somewhere(name: str) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", prose(name))
    made = {(ROOT / "docs" / place).resolve() for place in generated()}
    places = [((ROOT / name).parent / target).resolve() for target in targets]
    assert [place for place in places if not place.exists() and place not in made] == []
