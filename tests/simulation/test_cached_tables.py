"""Compiled tables on disk: made once, never stale, and a damaged file is no file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from feltworks.analysis import cache
from feltworks.machine.streams import Stream
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.rounds import machine
from feltworks.simulation.rounds.machine import MachineKernel
from tests.simulation.rounds import deal_rounds

PLAN = Plan("lucky-break", ({"blackjack": 1000, "lucky-break": 700},), Strategy("never-bust"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FELT_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "WORTH_KEEPING_SECONDS", 0)
    monkeypatch.setattr(cache, "cache_key", _key_of(cache.cache_key))
    return tmp_path / "tables"


def _key_of(cache_key: Callable[..., str | None]) -> Callable[..., str | None]:
    """A key also where the sources of Feltworks were written moments ago."""
    return lambda *asked: cache_key(*asked) or str(abs(hash(repr(asked[2:]))))


def _refuse(_plan: Plan) -> None:
    raise AssertionError("these tables were made before")


def test_tables_are_made_once_and_deal_the_same_rounds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = MachineKernel(PLAN)
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(machine, "_compile", _refuse)
    read = MachineKernel(PLAN)
    assert read.layout == made.layout
    assert read.tally(Stream(1, 0), 20_000) == made.tally(Stream(1, 0), 20_000)
    assert list(deal_rounds(read, Stream(1, 0), 50)) == list(deal_rounds(made, Stream(1, 0), 50))


def test_other_options_seats_and_strategies_have_tables_of_their_own(folder: Path) -> None:
    seats = ({"blackjack": 500},)
    for plan in (PLAN, Plan(PLAN.game, seats, PLAN.strategy), Plan(PLAN.game, seats, Strategy("always-hit"))):
        MachineKernel(plan)
    assert len(list(folder.glob("*.tables"))) == 3


def test_a_damaged_file_is_made_anew(folder: Path) -> None:
    made = MachineKernel(PLAN)
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    for damage in (whole[:-100], whole[: len(whole) // 2] + b"x" + whole[len(whole) // 2 + 1 :], b""):
        path.write_bytes(damage)
        assert MachineKernel(PLAN).tally(Stream(1, 0), 2_000) == made.tally(Stream(1, 0), 2_000)
        assert path.read_bytes()[:64] == whole[:64]


def test_without_a_cache_nothing_is_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FELT_CACHE", "off")
    MachineKernel(PLAN)
    assert not folder.exists()
