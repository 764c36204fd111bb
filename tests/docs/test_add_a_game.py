"""The game of docs/how-to/add-a-game.md is written, found, dealt, settled and traced as the page says."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from feltworks import catalog
from feltworks.cards import cards
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round
from feltworks.written.settle import settle_line
from tests.conftest import Output
from tests.docs.pages import named_files

PAGE = "docs/how-to/add-a-game.md"


def test_the_page_shows_three_files() -> None:
    assert set(named_files(PAGE)) == {"casino-war.toml", "casino_war.py", "test_casino_war.py"}


@pytest.mark.usefixtures("casino_war")
def test_the_game_is_found_beside_the_others(felt: Callable[..., Output]) -> None:
    assert "casino-war" in catalog.games()
    (shown,) = json.loads(felt("games", "casino-war", "--json").out)["games"]
    assert [wager["name"] for wager in shown["wagers"]] == ["ante", "raise", "tie"]


@pytest.mark.usefixtures("casino_war")
def test_two_seats_go_to_war_in_any_order() -> None:
    game = catalog.game("casino-war")
    tied = _dealt(game, game.open_round([{"ante": 1000}, {"ante": 500, "tie": 500}]), "9c 9d 9h")
    ends = []
    for order in ((0, 1), (1, 0)):
        round_ = tied
        for seat in order:
            decide = next(step for step in game.open_decisions(round_) if step.seat == seat)
            round_ = advance(round_, decide, Choice("war"))
        ends.append(_dealt(game, round_, "Kc 2d Th"))
    assert ends[0] == ends[1]
    assert game.awaits(ends[0]) is None
    nets = [(line.seat, line.wager, line.net) for line in game.settle(ends[0])]
    first, second = [(0, "ante", 0), (0, "raise", 1000)], [(1, "ante", -500), (1, "raise", -500)]
    assert sorted(nets) == [*first, *second, (1, "tie", 5000)]


def _dealt(game: Game[Any], round_: Round, codes: str) -> Round:
    for face in cards(codes):
        step = game.awaits(round_)
        assert step is not None
        round_ = advance(round_, step, (face,))
    return round_


@pytest.mark.usefixtures("casino_war")
def test_an_impossible_war_is_refused() -> None:
    written = {"game": "casino-war", "seats": [{"wagers": {"ante": 1000}, "cards": ["9c"], "choice": "war"}]}
    answer = settle_line(json.dumps({**written, "dealer": {"cards": ["8h"]}}))
    assert "seat 1 chose war" in answer["error"]


@pytest.mark.usefixtures("casino_war")
def test_every_clause_of_it_is_traced(felt: Callable[..., Output]) -> None:
    said = felt("trace", "CW")
    assert (said.status, said.err) == (0, "")
    assert "5 of 5 clauses are traced." in said.out
