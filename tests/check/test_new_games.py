"""`felt new` writes three files of any shape, which pass as they are; what is taken is not written over."""

from collections.abc import Callable
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.check import check_game
from feltworks.check.templates import SHAPES
from tests.conftest import Output, forget_games

Felt = Callable[..., Output]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_new_game_passes_as_it_is(shape: str, own_games: Path, felt: Felt) -> None:
    said = felt("new", "river-run", "--shape", shape, "--folder", str(own_games))
    assert said.status == 0, said.err
    assert {path.name for path in own_games.iterdir()} == {
        "river_run.py",
        "river-run.toml",
        "test_river_run.py",
    }
    forget_games()
    assert "river-run" in catalog.games()
    assert check_game("river-run", rounds=5) == []


@pytest.mark.parametrize(("name", "shape"), [("River Run", "board"), ("fu-bacc", "board"), ("river-run", "round")])
def test_a_name_or_shape_that_is_not_allowed_writes_nothing(name: str, shape: str, own_games: Path, felt: Felt) -> None:
    assert felt("new", name, "--shape", shape, "--folder", str(own_games)).status == 2
    assert list(own_games.iterdir()) == []


def test_files_that_are_there_are_not_written_over(own_games: Path, felt: Felt) -> None:
    (own_games / "river_run.py").write_text("mine", encoding="utf-8")
    said = felt("new", "river-run", "--shape", "streets", "--folder", str(own_games))
    assert (said.status, "nothing was written" in said.err) == (2, True)
    assert [path.name for path in own_games.iterdir()] == ["river_run.py"]
