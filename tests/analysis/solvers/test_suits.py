"""Suits stand for each other only where no rule tells them apart; nobody declares it."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.referee import Referee
from feltworks.analysis.shape import are_suits_alike, try_on_rounds
from feltworks.cards import Rank, Shoe, cards
from feltworks.protection.knowledge import parse_knowledge
from feltworks.protection.protect import method_for
from tests.conftest import Output
from tests.designs import COLOURED_PAIRS, COLOURS, RED_END, write

Felt = Callable[..., Output]
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


def test_a_few_cards_of_one_suit_a_rank_bring_what_the_referee_says() -> None:
    """Ranks that stand for all suits are no sign that suits count, even if each has a single suit left."""
    game = catalog.game("fu-bacc")
    left = Shoe(Counter(cards("4d 6s 3d 7d Kh 2c Ah 5s")))
    question = Question(game, "ante", exposed=tuple(game.terms.shoe.without(left.all_cards()).all_cards()))
    by_referee = Referee(game, left).expectation(game.open_round([{"ante": question.unit}])) / question.unit
    assert analyze(question).figures.house_edge == -by_referee
    known = replace(parse_knowledge("hole"), groups=(frozenset(Rank), frozenset()))
    assert method_for(question).worth([known]).edge == by_referee


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


def test_suits_that_rules_tell_apart_do_not_stand_for_each_other(own_games: Path) -> None:
    write(own_games, COLOURS)
    game = catalog.game("colours")
    assert not are_suits_alike(game, ["ante"])
    assert analyze(Question(game, "ante")).figures.house_edge == Fraction(1, 51)  # 25 of 51 are of its colour


def test_suits_that_rules_never_look_at_may_stand_for_each_other(own_games: Path) -> None:
    ranks = COLOURS["colours.py"].replace("face.suit in RED", "face.rank > 8")
    write(own_games, {**COLOURS, "colours.py": ranks})
    game = catalog.game("colours")
    assert are_suits_alike(game, ["ante"])
    assert analyze(Question(game, "ante")).figures.house_edge == 1 - 2 * Fraction(24 * 23 + 28 * 27, 52 * 51)


def test_a_bonus_on_whole_hands_of_cards_it_tells_apart_is_refused(own_games: Path, felt: Felt) -> None:
    write(own_games, RED_END)
    answer = felt("analyze", "red-end", "--wager", "red-end")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "Red End Blackjack: red-end waits for whole hands of cards" in answer.err


@pytest.mark.parametrize("name", ["acey-deucey-21", "fu-bacc", "lucky-break", "lucky-lucky", "spanish-poker"])
def test_suits_of_the_approved_games_may_stand_for_each_other(name: str) -> None:
    game = catalog.game(name)
    placed = [wager for wager, entry in game.terms.rulebook.wager.items() if entry.kind != "derived"]
    assert try_on_rounds(game, tuple(placed), 120)
