"""What a game says of its cards is tried before an analysis relies on it."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.claims import Claims, try_claims, try_on_rounds
from feltworks.cards import cards
from tests.conftest import Said
from tests.designs import COLOURED_PAIRS, RED_END, claiming, write

Felt = Callable[..., Said]
EDGE = Fraction(19, 311)  # 288 lose, 5 pay 25, 6 pay 12, 12 pay 6
PAIRS = {"perfect pair": 1, "coloured pair": 2, "mixed pair": 3}  # of the six that 7h 7d 7d 7c make


@pytest.fixture
def coloured_pairs(own_games: Path) -> Path:
    write(own_games, COLOURED_PAIRS)
    return own_games


@pytest.mark.usefixtures("coloured_pairs")
@pytest.mark.parametrize("beside", [(), ("--beside", "blackjack")])
def test_a_bonus_that_tells_colours_apart_has_its_own_edge(felt: Felt, beside: tuple[str, ...]) -> None:
    answer = felt("analyze", "coloured-pairs", "--wager", "coloured-pair", *beside, "--json")
    assert json.loads(answer.out)["house_edge"]["exact"] == str(EDGE)


@pytest.mark.usefixtures("coloured_pairs")
def test_known_cards_count_by_their_suits() -> None:
    game = catalog.game("coloured-pairs")
    left = game.terms.shoe.without(cards("7h 7d 7d 7c"))
    answer = analyze(Question(game, "coloured-pair", exposed=tuple(left.all_cards())))
    pairs = {row.name: row.probability for row in answer.figures.outcomes}
    assert pairs == {name: Fraction(n, 6) for name, n in PAIRS.items()}


@pytest.mark.usefixtures("coloured_pairs")
@pytest.mark.parametrize("wager", [("--wager", "coloured-pair"), ()])
def test_compiled_rounds_tell_colours_apart_too(felt: Felt, wager: tuple[str, ...]) -> None:
    answer = felt("simulate", "coloured-pairs", *wager, "--rounds", "2000000", "--seed", "7", "--json")
    found = json.loads(answer.out)["wagers"]["coloured-pair"]
    assert found["exact_fraction"] == str(EDGE)
    assert abs(found["z"]) < 4
    assert {row["outcome"] for row in found["outcomes"]} == {
        "perfect pair",
        "coloured pair",
        "mixed pair",
        "no pair",
    }


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("suits_are_alike = True", Claims(suits=False)),
        ("def alike(self, r, face): return face.rank", Claims(suits=False, cards=False)),
        ("def matters(self, r): return [face.rank for face in r.board]", Claims(suits=False, rounds=False)),
        ("def alike(self, r, face): return face.suit", Claims(suits=False)),
        ("def matters(self, r): return tuple(face.suit in RED for face in r.board)", Claims(suits=False)),
    ],
)
def test_a_claim_that_does_not_hold_is_found_and_not_relied_on(
    own_games: Path, claim: str, found: Claims
) -> None:
    write(own_games, claiming(claim))
    game = catalog.game("colours")
    assert try_claims(game, ["ante"]) == found
    assert analyze(Question(game, "ante")).figures.house_edge == Fraction(1, 51)  # 25 of 51 are of its colour


def test_a_bonus_for_which_its_base_game_is_wrong_about_suits_is_refused(own_games: Path, felt: Felt) -> None:
    write(own_games, RED_END)
    answer = felt("analyze", "red-end", "--wager", "red-end")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "Red End Blackjack: the outcome of red-end changes with cards" in answer.err


@pytest.mark.parametrize("name", ["acey-deucey-21", "fu-bacc", "lucky-break", "lucky-lucky", "spanish-poker"])
def test_what_the_approved_games_say_of_their_cards_holds(name: str) -> None:
    game = catalog.game(name)
    placed = [wager for wager, entry in game.terms.rulebook.wager.items() if entry.kind != "derived"]
    assert try_on_rounds(game, placed, 120) == Claims()
