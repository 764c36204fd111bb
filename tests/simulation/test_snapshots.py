"""How a run came to its edges: every snapshot is the run's own beginning, and the picture shows it."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from feltworks.simulation.plan import Plan
from feltworks.simulation.plots import convergence_svg
from feltworks.simulation.result import exact_edges
from feltworks.simulation.rounds.kernel import BATCH
from feltworks.simulation.run import SPACING, Run, Snapshot, snapshots
from feltworks.simulation.workers import Threads

PLAN = Plan("fu-bacc", ({"ante": 10_000, "tie": 10_000},))


def run_of(rounds: int) -> Run:
    run = Run(PLAN, 17, rounds=rounds)
    with Threads(2) as crew:
        run.simulate(crew)
    return run


@pytest.fixture(scope="module")
def found() -> list[Snapshot]:
    return snapshots(run_of(6 * BATCH + 5))


def test_the_looks_reach_from_the_first_thousand_to_the_last_round(found: list[Snapshot]) -> None:
    rounds = [snapshot.rounds for snapshot in found]
    assert (rounds[0], rounds[-1]) == (1_000, 6 * BATCH + 5)
    assert rounds == sorted(set(rounds))
    assert len(rounds) > 35
    assert all(later <= 2.1 * earlier for earlier, later in pairwise(rounds))


def test_every_look_is_a_shorter_run_of_the_same_seed(found: list[Snapshot]) -> None:
    for each in (
        found[0],
        found[20],
        next(snapshot for snapshot in found if snapshot.rounds == 2 * BATCH),
        found[-1],
    ):
        assert snapshots(run_of(each.rounds))[-1] == each
    assert SPACING > 1


def test_the_picture_holds_the_edges_against_the_exact_ones(found: list[Snapshot]) -> None:
    exact = {name: float(edge or 0) for name, edge in exact_edges(PLAN).items()}
    picture = convergence_svg("fu-bacc", found, exact)
    assert picture == convergence_svg("fu-bacc", found, exact)
    words = "".join(ElementTree.fromstring(picture).itertext())
    for word in ("ante: ", "tie: ", "exact 17.7227%", "±1.96 standard errors", "play money"):
        assert word in words
    assert "exact" not in "".join(ElementTree.fromstring(convergence_svg("", found, {"tie": None})).itertext())
