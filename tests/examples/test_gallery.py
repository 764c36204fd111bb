"""The games of the gallery: found by a flag or a folder; their printed figures follow from their rules."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.audit.audit import audit_figures
from feltworks.check import check_game
from feltworks.rules.guide import has_guide, how_to_play
from feltworks.web.tables.router import game_document
from tests.conftest import Output, forget_games

Felt = Callable[..., Output]
FOLDER = catalog.examples_folder()
GAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))
OWN = {"front-and-back", "back-to-back"}  # games nobody else has figures of
SLOW = {"ultimate-holdem"}  # `make gallery` audits it, too


@pytest.fixture(autouse=True)
def gallery(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(catalog.GAME_FOLDERS, str(FOLDER))
    forget_games()
    yield
    forget_games()


@pytest.mark.parametrize("name", GAMES)
def test_every_table_says_how_to_play(name: str) -> None:
    game = catalog.game(name)
    lines = how_to_play(game)
    assert 0 < len(lines) <= 5
    clauses = list(game.terms.rulebook.clause)
    in_order = [line.clause for line in lines] == sorted((line.clause for line in lines), key=clauses.index)
    assert in_order or has_guide(game)


def test_the_gallery_stays_out_of_the_approved_games(monkeypatch: pytest.MonkeyPatch, felt: Felt) -> None:
    monkeypatch.delenv(catalog.GAME_FOLDERS)
    forget_games()
    approved = {game["name"] for game in json.loads(felt("games", "--json").out)["games"]}
    assert not approved & set(GAMES)


@pytest.mark.parametrize("words", [("--examples", "games"), ("games", "--examples")])
def test_a_flag_of_any_command_finds_the_gallery(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, felt: Felt
) -> None:
    monkeypatch.setenv(catalog.GAME_FOLDERS, "")
    forget_games()
    document = json.loads(felt(*words, "--json").out)
    assert set(GAMES) <= {game["name"] for game in document["games"]}
    assert document["left_out"] == []


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_the_gallery_has_at_most_three_files(name: str) -> None:
    stems = {name, name.replace("-", "_"), f"test_{name.replace('-', '_')}"}
    files = [path for path in FOLDER.iterdir() if path.stem in stems and path.is_file()]
    assert 2 <= len(files) <= 3


@pytest.mark.parametrize("name", [name for name in GAMES if name not in SLOW])
def test_published_figures_follow_from_the_rules(name: str) -> None:
    figures = list(audit_figures(name))
    assert figures or name in OWN
    assert [figure.finding for figure in figures if not figure.agrees] == []


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_the_gallery_keeps_what_every_game_promises(name: str) -> None:
    assert check_game(name, rounds=20) == []


def test_the_browser_has_a_document_of_every_game() -> None:
    documents = [game_document(catalog.rulebook(name)) for name in GAMES]
    raises = {wager.name: wager.times for document in documents for wager in document.wagers if wager.times}
    assert raises["third-street"] == "1, 2 or 3"


def test_every_published_figure_names_its_source() -> None:
    for name in GAMES:
        assert all(printed.source for printed in catalog.rulebook(name).published), name


def test_every_file_of_the_gallery_belongs_to_a_game() -> None:
    stems = {part for name in GAMES for part in (name, name.replace("-", "_"))}
    files: list[Path] = [*FOLDER.glob("*.py"), *FOLDER.glob("*.toml")]
    assert {path.stem.removeprefix("test_") for path in files} <= stems


def test_wagers_that_come_together_are_placed_by_naming_one(felt: Felt, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["help", "ante 10", "undo", "super 5", "ante 0", "ante 10 super 5", "quit"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    out = " ".join(felt("play", "four-of-five").out.split())
    for words in ("ante 10, queens-up 5", "Ante $10, Super Bonus $10", "Super Bonus $5, Ante $5", "The felt is empty"):
        assert words in out
    assert "Ante of $10 refused" in out
