"""Streets against a dealer with a card in sight: exact figures against every deal of a few cards, counted apart."""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.streets.solver import StreetsSolver, streets_solver
from feltworks.analysis.solvers.streets.tree import Street
from feltworks.analysis.strategy.advice import advice
from feltworks.analysis.strategy.practical import PracticalStrategy
from feltworks.analysis.strategy.report import strategy_report
from feltworks.cards import Card, Shoe, cards
from feltworks.rules.advance import advance
from feltworks.rules.round import DEALER, FACE_DOWN, Choice
from feltworks.rules.steps import Decide, Draw
from feltworks.simulation.plan import make_plan
from feltworks.simulation.result import exact_edges
from feltworks.simulation.run import Run
from tests.conftest import Output
from tests.designs import RIVER_STUD, write

WORTH = {6: 5, 5: 4, 4: 2, 3: 1, 2: 1, 1: 1}  # what the third street pays, by category
TOPS = {6: 40, 5: 25, 4: 6, 3: 3, 2: 1, 1: -1}
FEW = "Qc Kc Ac Qd Kd Ad Qh Kh Jh Jd"
EXACT = Fraction(-13038029, 23490600)


@pytest.fixture(autouse=True)
def river_stud(own_games: Path) -> None:
    write(own_games, RIVER_STUD)


def value(hand: tuple[Card, ...]) -> tuple[int, ...]:
    """The value of three cards, written apart from the product's rankings."""
    ranks = sorted((int(card.rank) for card in hand), reverse=True)
    suited = len({card.suit for card in hand}) == 1
    high = ranks[0] if ranks[0] - ranks[1] == ranks[1] - ranks[2] == 1 else 3 if ranks == [14, 3, 2] else 0
    if ranks[0] == ranks[2]:
        return 5, ranks[0]
    if high:
        return (6 if suited else 4), high
    if suited:
        return 3, *ranks
    pair = next((rank for rank in ranks if ranks.count(rank) == 2), 0)
    return (2, pair, next(rank for rank in ranks if rank != pair)) if pair else (1, *ranks)


def enumerate_edges(deck: tuple[Card, ...]) -> tuple[Fraction, Fraction]:
    """The house edges of the ante and of the bonus beside it, by every deal of a deck."""
    known = {frozenset(hand): value(hand) for hand in combinations(deck, 3)}
    ante, tops, deals = Fraction(0), Fraction(0), 0
    for own in combinations(deck, 2):
        for up in set(deck) - {*own}:
            rest, nets, bonus = [card for card in deck if card not in (*own, up)], Fraction(0), Fraction(0)
            for third in rest:
                mine = known[frozenset([*own, third])]
                left = [card for card in rest if card is not third]
                theirs = [known[frozenset([up, *hidden])] for hidden in combinations(left, 2)]
                wins, losses = (sum(mine > other for other in theirs), sum(mine < other for other in theirs))
                raised = [Fraction(wins * (2 + k * WORTH[mine[0]]) - losses * (2 + k), len(theirs)) for k in (1, 2)]
                nets += max(-2, *raised)
                bonus += TOPS[mine[0]] if max(raised) > -2 else -1
            is_played = nets / len(rest) > -1
            ante += nets / len(rest) if is_played else -1
            tops += bonus / len(rest) if is_played else -1
            deals += 1
    return -ante / deals, -tops / deals


@pytest.mark.parametrize(("ranks", "suits"), [("TJQK", "cdhs"), ("234A", "cdh")])
def test_the_edges_of_a_few_cards_are_those_of_every_deal(ranks: str, suits: str) -> None:
    deck = cards(" ".join(rank + suit for rank in ranks for suit in suits))
    game, shoe = catalog.game("river-stud"), Shoe(dict.fromkeys(deck, 1))
    solved = StreetsSolver(game, {"ante": 100, "tops": 100}, shoe, serving=frozenset(["ante", "second", "third"]))
    edges = [solved.figures_of(group, 100).house_edge for group in (frozenset(["ante", "second", "third"]), {"tops"})]
    assert tuple(edges) == enumerate_edges(deck)
    assert sum(solved.law.values()) == 1


def test_a_bonus_that_a_fold_loses_is_played_for_the_wager_it_needs() -> None:
    game = catalog.game("river-stud")
    assert analyze(Question(game, "ante")).figures.house_edge == EXACT
    assert analyze(Question(game, "tops")).figures.house_edge == Fraction(27527, 270725)


def test_charts_and_rules_of_every_street_go_by_the_card_in_sight_at_their_exact_cost() -> None:
    game = catalog.game("river-stud")
    report = strategy_report(Question(game, "ante"), most_rules=1)
    assert [grid.title for grid in report.grids] == ["second", "third"]
    assert all("K" in grid.columns and len(grid.rows) < 120 for grid in report.grids)
    assert report.chart_edge is not None
    assert 0 < report.chart_edge - EXACT < Fraction(1, 5_000)
    solved = streets_solver(game, report.question.stakes, game.terms.shoe, serving=frozenset(report.question.serving))
    for about, ladder in report.streets:
        listed = ladder.strategies[-1]

        def follow(street: Street, about: str = about, listed: PracticalStrategy = listed) -> Ints:
            return solved._picks_of(listed, street) if street.about == about else solved.picks(street)

        played = solved.play_by(follow).figures_of(report.question.group, report.question.unit)
        assert played.house_edge == listed.house_edge == EXACT + listed.cost
        assert any("against" in phrase.words for phrase in listed.vocabulary.phrases)


def test_a_saved_strategy_plays_as_the_analysis_did(felt: Callable[..., Output], own_games: Path) -> None:
    book, file = RIVER_STUD["river-stud.toml"], str(own_games / "play.json")
    few = book.replace("decks = 1,", 'decks = 1, without = ["2", "3", "4", "5", "6", "7", "8"],')
    write(own_games, {"river-stud.toml": few})
    ask = ("analyze", "river-stud", "--wager", "ante", "--json")
    best, again = felt(*ask, "--save-strategy", file), felt(*ask, "--strategy", file)
    assert json.loads(again.out)["house_edge"] == json.loads(best.out)["house_edge"]


def test_a_simulation_and_its_exact_edges_share_one_solver(own_games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = RIVER_STUD["river-stud.toml"].replace("decks = 1,", 'decks = 1, without = ["2", "3", "4", "5", "6", "7"],')
    write(own_games, {"river-stud.toml": few})
    solved, make = [], StreetsSolver.__init__

    def count(self: StreetsSolver, *spot: Any, **how: Any) -> None:
        solved.append(self)
        make(self, *spot, **how)

    monkeypatch.setattr(StreetsSolver, "__init__", count)
    monkeypatch.setenv("FELT_CACHE", "off")
    plan = make_plan("river-stud", wagers=["ante"])
    run = Run(plan, 1, rounds=1_000)
    assert None not in exact_edges(run.plan).values()
    assert len(solved) == 1
    assert solved[0]._whole is np.int64


def test_the_most_that_a_spot_can_win_is_found_without_its_deals() -> None:
    solved = streets_solver(catalog.game("river-stud"), {"ante": 100, "tops": 100}, Shoe(dict.fromkeys(cards(FEW), 1)))
    assert solved.largest_win() == 100 + 100 + 2 * 500 + 4000  # a straight flush beats the dealer, raised twice


def test_the_coach_sees_the_cards_that_lie_open() -> None:
    game = catalog.game("river-stud")
    dealt = {0: iter(cards("Kh 4d 2c")), DEALER: iter(cards("5s"))}
    r, worths = game.open_round([{"ante": 100}]), []
    while (step := game.awaits(r)) is not None and len(worths) < 2:
        if isinstance(step, Decide):
            worths.append(advice(game, r, step))
            r = advance(r, step, Choice("raise", 100))
        else:
            assert isinstance(step, Draw)
            faces = (FACE_DOWN,) * step.count if step.down else tuple(next(dealt[step.to]) for _ in range(step.count))
            r = advance(r, step, faces)
    assert [each.best for each in worths] == ["raise", "raise"]
    assert (worths[1].amounts["raise"], worths[1].worth["fold"]) == (200, -200)
