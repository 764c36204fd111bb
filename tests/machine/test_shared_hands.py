"""Hands of cards at several places are compiled whole, with the same law as the solver of streets or a plain count."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import pytest
from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.cards import Card, Shoe, cards
from feltworks.hands.baccarat import BaccaratHand
from feltworks.hands.hand import Hand
from feltworks.machine.graph import Graph
from feltworks.machine.tables import Tables
from feltworks.machine.walk import Walk
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, SEAT, HandOf, Round
from feltworks.rules.rulebook.load import parse_rulebook
from feltworks.rules.steps import Draw, Step
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Own, Verdict, Wager

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


ODD_DRAW = """
title = "Odd Draw"
game = "odd_draw"
jurisdiction = "none"
cards = { decks = 1, shuffle = "every round" }
[clause]
"OD.1" = "One card to the player; the dealer draws while the total is odd, up to three cards."
"OD.2" = "Colours pays where all of these cards have one colour."
[wager.colours]
title = "Colours"
kind = "main"
clause = "OD.2"
[pay_table.colours.1]
clause = "OD.2"
pays = { "long" = "8 to 1", "short" = "2 to 1", "mixed" = "lose" }
"""


class Colours(Hand, frozen=True):
    red: int = 0
    black: int = 0

    def add(self, card: Card) -> "Colours":
        is_red = card.code[-1] in "dh"
        return Colours(self.red + is_red, self.black + (not is_red))


class Standing(Struct, frozen=True):
    dealers: BaccaratHand

    @property
    def is_done(self) -> bool:
        return self.dealers.held > 0 and (self.dealers.total % 2 == 0 or self.dealers.held == 3)


class ColoursOfBoth(Wager[Own[Standing, Colours]]):
    """All cards of the player and of the dealer, however many these are."""

    name = "colours"
    outcomes = frozenset(["long", "short", "mixed"])
    hand = HandOf(Colours(), ((SEAT, None), (DEALER, None)))

    def judge(self, standing: Own[Standing, Colours]) -> Verdict | None:
        if not standing.table.is_done:
            return None
        hand = standing.hand
        outcome = "mixed" if hand.red and hand.black else "long" if hand.red + hand.black == 4 else "short"
        return Verdict(outcome, f"the colours are {outcome}", ("OD.2",))


class OddDraw(Game[Standing]):
    wager_types = (ColoursOfBoth,)

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(0, 0):
            yield Draw(0)
        if not self.standing(r, 0).is_done:
            yield Draw(DEALER)

    def standing(self, r: Round, seat: int) -> Standing:
        return Standing(r.hand(DEALER, BaccaratHand()))


def test_a_wager_on_the_colours_of_both_hands_is_compiled_and_exact() -> None:
    """The dealer's cards are told apart by their colour alone; kept as they are they had too many states."""
    game = OddDraw(Terms(parse_rulebook(ODD_DRAW, name="odd-draw", file="odd-draw.toml")))
    assert len(Graph(game, {"colours": 100}).nodes) < 1_000
    few = cards("Ac 2d 3h 4s 5c 6d 9h Ts")
    walk = Walk(Tables(game, {"colours": 100}, faces=few), Shoe(dict.fromkeys(few, 1)))
    law: dict[str, Fraction] = {}
    for settled, chance in walk.law().items():
        law[settled[0].outcome] = law.get(settled[0].outcome, Fraction(0)) + chance
    counted = dict.fromkeys(law, 0)
    orders, values = list(permutations(few, 4)), dict(zip("TA23456789", range(10), strict=True))
    for mine, *others in orders:
        dealt, total = [mine], 1
        while total % 2 and len(dealt) < 4:
            dealt.append(others[len(dealt) - 1])
            total = sum(values[card.code[0]] for card in dealt[1:])
        reds = sum(card.code[1] in "dh" for card in dealt)
        outcome = "mixed" if 0 < reds < len(dealt) else "long" if len(dealt) == 4 else "short"
        counted[outcome] += 1
    assert law == {outcome: Fraction(count, len(orders)) for outcome, count in counted.items()}
