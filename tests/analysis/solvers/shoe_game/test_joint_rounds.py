"""Blackjack and Lucky Break on one spot: together as the walk of thinned shoes says, each by its own law."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from feltworks.analysis.analyze import Question, analyze, first_deal_wagers
from feltworks.analysis.figures import Number
from feltworks.analysis.joint import joint
from feltworks.analysis.solvers.shoe_game.bonus import bonus_figures
from feltworks.analysis.solvers.shoe_game.chart import Advice, chart_of, codes_of, plan_of
from feltworks.analysis.solvers.shoe_game.joint import JointFigures, joint_figures, joint_rounds
from feltworks.analysis.solvers.shoe_game.rounds import figures, spread_over_columns
from feltworks.analysis.solvers.shoe_game.solver import Plan, ShoeGame
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from tests.analysis.follower import UNIT, shoe_of, table, walked

WILD = chart_of(lambda _, total, __: "hit" if total < 20 else "stand")
SPLITS_SEVENS = {**WILD, **{("pair", 7, up): Advice("split") for up in range(1, 11)}}
READINGS = {"lucky_break__player_limit": 26, "lucky_break__surrender": "loses"}
Together = dict[tuple[Fraction, str], Number]


def solved(text: str, **rules: Any) -> ShoeGame:
    return ShoeGame(table(**READINGS | rules), shoe_of(text), exact=True)


def found(game: ShoeGame, plan: Plan) -> Together:
    return gathered(
        ((row.net, lucky), row.probability) for _, lucky, row in joint_rounds(game, plan, None, with_bonus=True)
    )


def refereed(game: ShoeGame, plan: Plan) -> Together:
    rows = walked(game, plan, "blackjack", "lucky-break").items()
    return gathered((both_of(settled), chance) for settled, chance in rows)


def both_of(settled: Any) -> tuple[Fraction, str]:
    (lucky,) = [line[1] for line in settled if line[0] == "lucky-break"]
    return sum((line[2] for line in settled if line[0] == "blackjack"), Fraction(0)) / UNIT, lucky


def gathered(rows: Iterable[tuple[Any, Number]]) -> dict[Any, Number]:
    summed: dict[Any, Number] = {}
    for key, likely in rows:
        summed[key] = summed.get(key, 0) + likely
    return summed


@pytest.mark.clause("LB.5", "LB.13")
@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("8h*4 8d*3 Th*4 Td*2", {}),
        ("Ah*2 Th*4 6h*3 6d*2", {"peek": False, "no_peek_loss": "original", "soft17": "hit"}),
        ("Th*4 Td*2 6h*4 9d*2", {"surrender": "late", "peek": False}),
        ("Th*4 Td*2 6h*4 9d*2", {"surrender": "late"}),
    ],
)
def test_best_play_without_splits_comes_out_together_as_the_walk_says(text: str, rules: dict[str, Any]) -> None:
    game = solved(text, max_hands=1, **rules)
    plan = game.best_plan()
    assert plan.surrenders.any() == ("surrender" in rules)
    assert found(game, plan) == refereed(game, plan)


@pytest.mark.clause("LB.5")
def test_a_chart_that_draws_beyond_the_limit_loses_lucky_break_with_the_hands_it_does() -> None:
    game = solved("Th*3 Td*1 4h*5", max_hands=1, soft17="hit")
    plan = plan_of(game, codes_of(WILD))
    together = found(game, plan)
    assert together == refereed(game, plan)
    assert {net for net, lucky in together if lucky == "over the limit"} == {-1}


@pytest.mark.clause("LB.12")
@pytest.mark.parametrize("reading", ["any", "all"])
def test_split_hands_keep_both_laws_and_what_they_bring_together(reading: str) -> None:
    game = solved("Th*4 Td*4 7h*3 7d*2", max_hands=2, lucky_break__split_limit=reading)
    plan = plan_of(game, codes_of(SPLITS_SEVENS))
    together, walk = found(game, plan), refereed(game, plan)
    assert sum(together.values()) == 1
    assert laws(together)[1] == laws(walk)[1]
    alone = gathered((row.net, row.probability) for row in figures(game, plan).outcomes)
    assert laws(together)[0] == alone


def test_what_split_hands_bring_with_each_outcome_of_lucky_break_is_exact() -> None:
    game = solved("Th*6 Td*4 7h*2 7d*2", lucky_break__player_limit="none", max_hands=3)
    plan = plan_of(game, codes_of(SPLITS_SEVENS))
    together, walk = (
        gathered((lucky, net * likely) for (net, lucky), likely in every.items())
        for every in (found(game, plan), refereed(game, plan))
    )
    assert together == walk


def laws(together: Together) -> list[dict[Any, Number]]:
    """Of blackjack, and of Lucky Break."""
    return [gathered((key[place], likely) for key, likely in together.items()) for place in (0, 1)]


@pytest.mark.clause("LB.13")
def test_the_best_played_hands_that_are_surrendered_lose_lucky_break() -> None:
    game = solved("Th*4 Td*2 6h*4 9d*2", max_hands=1, surrender="late")
    plan = game.best_plan()
    alone = bonus_figures(game.game, shoe=game.shoe, strategy=plan)
    assert gathered((row.name, row.probability) for row in alone.outcomes) == laws(refereed(game, plan))[1]
    assert any(row.name == "surrendered" for row in alone.outcomes)


def beside(question: Question) -> JointFigures:
    answer = analyze(question)
    others = joint(question, answer.law) if answer.law else None
    return joint_figures(question, answer, others, first_deal_wagers(question))


def test_each_wager_keeps_its_own_law_and_the_whole_round_their_variances() -> None:
    game = table(decks=1, surrender="late", lucky_break__surrender="loses")
    question = Question(game, "lucky-break", {"blackjack": Fraction(2)})
    spot, ratios = beside(question), question.ratios
    assert sum(float(row.probability) for row in spot.rows) == pytest.approx(1, abs=1e-12)
    lucky = analyze(Question(game, "lucky-break")).figures
    for name, alone in (("blackjack", spot.figures), ("lucky-break", lucky)):
        single = gathered((row.net * ratios[name], float(row.probability)) for row in alone.outcomes)
        mine = gathered((row.nets[name], row.probability) for row in spot.rows)
        assert mine == pytest.approx(single, abs=1e-12)
    mean = sum(float(row.probability * row.net) for row in spot.rows)
    squares = sum(float(row.probability * row.net**2) for row in spot.rows)
    assert squares - mean**2 == pytest.approx(float(spot.moments.variance), abs=1e-10)
    assert spot.moments.covariances["blackjack", "lucky-break"] > 1  # a dealer over 21 pays both


@pytest.mark.parametrize("wager", ["blackjack", "lucky-break"])
def test_both_wagers_are_played_by_the_strategy_that_is_named(wager: str) -> None:
    game, shoe = table(max_hands=1), shoe_of("Ah*3 Th*5 5d*4 6d*4")
    gone = list(game.terms.shoe.all_cards())
    for face in shoe.all_cards():
        gone.remove(face)
    (other,) = {"blackjack", "lucky-break"} - {wager}
    spot = beside(Question(game, wager, {other: None}, exposed=gone, strategy="mimic-the-dealer"))
    analysis = TableAnalysis(game, shoe)
    assert spot.figures == analysis.figures_under(analysis.strategy("mimic-the-dealer")) != analysis.best


def test_what_rounding_leaves_of_nothing_moves_no_other_outcome() -> None:
    """Of a split round: columns are the dealer over 21, a blackjack, 17, and two kinds of hands over 21."""
    dealer = np.array([[0.3, 0.0, 0.7, 0.1, 0.2]])
    won, lost, nothing = ((Fraction(2), Fraction(net), 0) for net in (2, -2, 4))
    spread = {won: dealer * [0.6, 0, 0.2, 0.7, 0.56], lost: dealer * [0.4, 0, 0.8, 0.3, 0.44]}
    noise = {nothing: np.array([[0.0, 0.0, 0.0, 3e-20, 1e-19]])}
    alone, beside = (spread_over_columns(each, dealer, 3, 1e-14) for each in (spread, spread | noise))
    assert np.allclose([alone[won], alone[lost]], [beside[won], beside[lost]], rtol=0, atol=1e-15)
