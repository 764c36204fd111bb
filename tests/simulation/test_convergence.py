"""How a run came to its edges: every look is the run's own beginning, and the picture shows it."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from feltworks.simulation.blocks import BATCH
from feltworks.simulation.convergence import SPACING, Look, looks
from feltworks.simulation.crews import Threads
from feltworks.simulation.plan import Plan
from feltworks.simulation.plots_convergence import convergence_svg
from feltworks.simulation.runner import Run
from feltworks.simulation.told import exact_edges

PLAN = Plan("fu-bacc", ({"ante": 10_000, "tie": 10_000},))


def run_of(rounds: int) -> Run:
    run = Run(PLAN, 17, rounds=rounds)
    with Threads(2) as crew:
        run.simulate(crew)
    return run


@pytest.fixture(scope="module")
def found() -> list[Look]:
    return looks(run_of(6 * BATCH + 5))


def test_the_looks_reach_from_the_first_thousand_to_the_last_round(found: list[Look]) -> None:
    rounds = [look.rounds for look in found]
    assert (rounds[0], rounds[-1]) == (1_000, 6 * BATCH + 5)
    assert rounds == sorted(set(rounds))
    assert len(rounds) > 35
    assert all(later <= 2.1 * earlier for earlier, later in pairwise(rounds))


def test_every_look_is_a_shorter_run_of_the_same_seed(found: list[Look]) -> None:
    for each in (found[0], found[20], next(look for look in found if look.rounds == 2 * BATCH), found[-1]):
        assert looks(run_of(each.rounds))[-1] == each
    assert SPACING > 1


def test_the_picture_holds_the_edges_against_the_exact_ones(found: list[Look]) -> None:
    exact = {name: float(edge or 0) for name, edge in exact_edges(PLAN).items()}
    picture = convergence_svg("fu-bacc", found, exact)
    assert picture == convergence_svg("fu-bacc", found, exact)
    words = "".join(ElementTree.fromstring(picture).itertext())
    for word in ("ante: ", "tie: ", "exact 17.7227%", "±1.96 standard errors", "play money"):
        assert word in words
    assert "exact" not in "".join(
        ElementTree.fromstring(convergence_svg("", found, {"tie": None})).itertext()
    )
