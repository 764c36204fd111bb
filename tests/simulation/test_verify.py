"""Exact against simulated: every case is there, wrong edges are found, and right ones are left alone."""

import random
from itertools import chain
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.simulation import verify
from feltworks.simulation.verify import LEVEL, Line, cases, holm, judge, two_sided, verify_game
from feltworks.simulation.workers import Threads
from tests.designs import COUPLE, write


@pytest.mark.parametrize("game", catalog.games())
def test_every_wager_pay_table_and_value_of_an_option_has_a_line(game: str) -> None:
    book, found = catalog.rulebook(game), list(cases(game))
    placed = {name for name, entry in book.wager.items() if entry.kind != "derived"}
    assert set(chain.from_iterable(case.wagers for case in found if case.title == "default")) == placed
    tables = {case.title for case in found if case.title.startswith("pay table")}
    assert tables == {f"pay table {t} of {w}" for w in placed for t in book.pay_table[w] if t != "1"}
    for name, option in book.option.items():
        for value in option.values or ():
            if value != option.preset:
                assert any(case.plan.options.get(name) == value for case in found), (name, value)


def test_a_wager_that_a_table_offers_only_where_it_is_said_has_its_lines_too(own_games: Path) -> None:
    write(own_games, COUPLE)
    assert {wager for case in cases("couple") for wager in case.wagers} == {"ante", "blind", "ace"}


def test_a_right_program_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    chosen = [case for case in cases("fu-bacc") if case.title.startswith(("default", "rescue", "chip", "tie "))]
    monkeypatch.setattr(verify, "cases", lambda _game: chosen)
    with Threads(2) as crew:
        lines = verify_game("fu-bacc", crew, rounds=100_000, seed=1, progress=lambda *done: told.append(done))
    assert all(line.agrees for line in lines)
    assert [line.title for line in lines if line.wager == "tie"] == [case.title for case in chosen]
    assert told[-1] == (5, 5)
    assert all(line.exact is not None for line in lines)


def test_an_edge_that_is_wrong_by_a_little_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rescues of tens are dealt as approved while the analysis thinks they are not."""
    right = verify.exact_figures
    wrong = next(case.plan for case in cases("fu-bacc") if case.title == "rescue-ten=false")
    monkeypatch.setattr(verify, "exact_figures", lambda _plan, wager: right(wrong, wager))
    monkeypatch.setattr(verify, "cases", lambda game: [next(cases(game))])
    with Threads(2) as crew:
        lines = verify_game("fu-bacc", crew, rounds=3_000_000, seed=1)
    assert {line.wager: line.agrees for line in lines} == {"ante": False, "lucky-monkey": True, "tie": True}


def test_a_line_without_an_exact_edge_is_not_judged() -> None:
    lines = [Line("default", "ante", 0.03, 0.001, 0.03, 0.0, 1.0), Line("odd", "ante", 0.03, 0.001, None)]
    assert [line.agrees for line in judge(lines)] == [True, None]


def test_all_lines_together_are_wrong_as_rarely_as_one_would_be() -> None:
    rng, alarms, naive = random.Random(3), 0, 0
    for _ in range(2_000):
        likely = [two_sided(rng.gauss(0, 1)) for _ in range(60)]
        alarms += min(holm(likely)) < LEVEL
        naive += min(likely) < LEVEL
    assert alarms / 2_000 < 0.02
    assert naive / 2_000 > 0.4


def test_skewed_means_are_judged_by_their_own_scale() -> None:
    """A prize of 200 in one of 20,000: a normal scale would find high results too often."""
    rng, rounds, chance, prize = random.Random(5), 200_000, 1 / 20_000, 200
    deviation = prize * (chance * (1 - chance)) ** 0.5
    skewness = (1 - 2 * chance) / (chance * (1 - chance) * rounds) ** 0.5
    found: dict[bool, int] = {True: 0, False: 0}
    for _ in range(4_000):
        hits = sum(rng.random() < rounds * chance / 1_000 for _ in range(1_000))
        z = (hits * prize / rounds - prize * chance) / (deviation / rounds**0.5)
        for bent in found:
            found[bent] += two_sided(z, skewness if bent else 0.0) < 0.005
    assert found[True] <= 4_000 * 0.005 * 1.6
    assert found[False] > found[True]
