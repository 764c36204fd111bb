"""Rules compiled: the kinds of cards they tell apart, the states they lead to, and what is refused."""

from fractions import Fraction

import pytest

from feltworks import catalog
from feltworks.cards import Card, card, standard_shoe
from feltworks.machine.felt import CardsRead
from feltworks.machine.graph import Graph
from feltworks.machine.tables import Tables
from feltworks.machine.walk import Walk, WalkTooLong
from feltworks.rules.round import Round
from tests.analysis.studs import three_card_poker

ANTE = {"ante": 100}


def kinds(tables: Tables, *codes: str) -> list[int]:
    return [tables.kinds[tables.faces.index(card(code))] for code in codes]


def test_cards_that_no_rule_tells_apart_are_of_one_kind() -> None:
    tables = Tables(catalog.game("fu-bacc"), ANTE)
    assert len(set(tables.kinds)) == 10
    assert len(set(kinds(tables, "Tc", "Jd", "Qh", "Ks"))) == 1
    assert len(set(kinds(tables, "9c", "9s"))) == 1
    assert len(set(kinds(tables, "Ac", "2c", "9c", "Tc"))) == 4


@pytest.mark.clause("FB.3")
def test_a_reading_that_tells_tens_from_faces_makes_another_kind() -> None:
    tables = Tables(catalog.game("fu-bacc", options={"rescue-ten": False}), ANTE)
    assert len(set(tables.kinds)) == 11
    assert len(set(kinds(tables, "Tc", "Td"))) == 1
    assert len(set(kinds(tables, "Tc", "Jc"))) == 2


def test_a_wager_that_pays_suits_tells_them_apart_and_another_at_the_table_does_not() -> None:
    game = catalog.game("acey-deucey-21")
    assert len(set(Tables(game, {"war": 100}).kinds)) == 13
    assert len(set(Tables(game, {"acey-deucey": 100}).kinds)) == 52


def test_states_with_equal_futures_are_one_state() -> None:
    tables = Tables(catalog.game("fu-bacc"), {"lucky-monkey": 100})
    graph = Graph(catalog.game("fu-bacc"), {"lucky-monkey": 100})
    assert len(tables.states) < len(graph.nodes)
    assert all(child < number for number, s in enumerate(tables.states) for child in s.after)


def test_rules_that_read_cards_are_not_compiled() -> None:
    with pytest.raises(CardsRead, match="read single cards"):
        Tables(three_card_poker(), ANTE)


@pytest.mark.parametrize(
    ("name", "wager", "edge"),
    [
        ("fu-bacc", "ante", Fraction(6984511, 229033350)),
        ("fu-bacc", "tie", Fraction(78187, 348075)),
        ("acey-deucey-21", "war", Fraction(253, 48205)),
        ("acey-deucey-21", "acey-deucey", Fraction(-26946, 626665)),
    ],
)
def test_a_walk_finds_the_edge_that_other_ways_have_found(name: str, wager: str, edge: Fraction) -> None:
    law = Walk(Tables(catalog.game(name), {wager: 100})).law()
    assert sum(law.values()) == 1
    assert -sum(chance * line[2] for settled, chance in law.items() for line in settled) / 100 == edge


def test_a_walk_from_another_shoe_uses_the_same_tables() -> None:
    tables = Tables(catalog.game("fu-bacc"), {"lucky-monkey": 100})
    only_monkeys = standard_shoe(without=[card(f"{letter}c").rank for letter in "A23456789"])
    law = Walk(tables, only_monkeys).law()
    assert {line[1] for settled in law for line in settled} == {"monkeys against 0-5"}


def test_a_walk_that_would_be_too_long_says_so_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = Walk(Tables(catalog.game("fu-bacc"), ANTE))
    whole = walk.steps
    monkeypatch.setattr("feltworks.machine.walk.MOST_STEPS", whole - 1)
    walk.check_length()  # counts kinds together that are alike from some state on
    assert walk.steps < whole
    monkeypatch.setattr("feltworks.machine.walk.MOST_STEPS", walk.steps - 1)
    with pytest.raises(WalkTooLong, match=f"about {walk.steps:,} steps to follow exactly"):
        walk.check_length()


def test_a_felt_without_cards_shows_none() -> None:
    game = catalog.game("fu-bacc")

    class Curious(type(game)):  # type: ignore[misc]
        def standing(self, r: Round, seat: int) -> object:
            assert not any(isinstance(face, Card) for face in r.seats[seat].cards)
            return super().standing(r, seat)

    with pytest.raises(CardsRead):
        Tables(Curious(game.terms), ANTE)
