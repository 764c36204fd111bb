"""Hands of a seat's cards and the board's are compiled whole, with the same law as the solver of streets."""

import pytest

from feltworks import catalog
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.cards import Shoe, cards
from feltworks.machine.tables import Tables
from feltworks.machine.walk import Walk

pytestmark = pytest.mark.usefixtures("gallery")


@pytest.mark.parametrize("name", ["let-it-ride", "mississippi-stud"])
@pytest.mark.parametrize("few", ["Ac Ad Ks Qh 7c 7d 6c", "Ah Kh Qh Jh Th 9h 2c"])
def test_the_walk_over_compiled_rules_finds_the_law_of_the_streets(name: str, few: str) -> None:
    table = catalog.game(name)
    wagers, shoe = dict.fromkeys(table.terms.openings, 100), Shoe(dict.fromkeys(cards(few), 1))
    walk = Walk(Tables(table, wagers, faces=cards(few)), shoe)
    expected = StreetsSolver(table, wagers, shoe).law
    assert {tuple(sorted(settled)): chance for settled, chance in walk.law().items()} == {
        tuple(sorted(settled)): chance for settled, chance in expected.items()
    }


def test_the_seat_decides_as_the_solver_does() -> None:
    table = catalog.game("let-it-ride")
    wagers = dict.fromkeys(table.terms.openings, 100)
    solver = StreetsSolver(table, wagers, table.terms.shoe)
    assert solver.choice((), cards("Ah Kh Qh")) == "let it ride"
    assert solver.choice((), cards("2c 7d 9h")) == "take back"
    assert solver.choice(("take back",), cards("Th 2c 9d Tc")) == "let it ride"
