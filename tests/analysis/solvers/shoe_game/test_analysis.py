"""The shoe solver against the game itself: thinned shoes walked card by card, in fractions, no digit off."""

from fractions import Fraction
from typing import Any

import pytest

from feltworks.analysis.referee import Law, mean, net
from feltworks.analysis.solvers.shoe_game.chart import Advice, chart_of, mimic_the_dealer, never_bust
from feltworks.analysis.solvers.shoe_game.rounds import RoundFigures
from feltworks.analysis.solvers.shoe_game.solver import ShoeGame
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis, insurance
from feltworks.cards import card, cards, standard_shoe
from feltworks.errors import ImpossibleRound, UnknownName
from feltworks.rules.advance import advance
from feltworks.rules.round import FACE_DOWN, Round
from feltworks.rules.steps import Decide, Draw
from tests.analysis.follower import UNIT, Unordered, following, shoe_of, table, walked

Rules = dict[str, Any]
NO_SPLITS: list[tuple[str, Rules]] = [
    ("8h*4 Th*4 3h*4", {}),
    ("Ah*3 Th*5 6h*3", {"soft17": "hit"}),
    ("Ah*3 Th*5 6h*3", {"peek": False, "no_peek_loss": "original", "stand_on_21": True}),
    ("Ah*3 Th*5 5h*4", {"surrender": "late", "blackjack_pays": "6:5", "double": "10-11"}),
]
SPLITS: list[tuple[str, Rules]] = [
    ("8h*6 Th*8 3h*4", {"max_hands": 2}),
    ("8h*5 Th*7 5h*5", {"max_hands": 2, "double_after_split": False, "double": "9-11"}),
    ("Ah*4 Th*8 3h*4", {"max_hands": 2, "peek": False}),
    ("Ah*4 Th*8 3h*4", {"max_hands": 2, "hit_split_aces": True, "soft17": "hit"}),
    ("Ah*5 Th*10 6h*4", {"max_hands": 3, "resplit_aces": True, "surrender": "late"}),
    ("Ah*2 Th*6 Kh*5 9h*2", {"max_hands": 3, "split_on": "rank"}),
    ("9h*5 Th*8 7h*6", {"max_hands": 4}),
    ("Ah*6 Th*13 7h*3", {"max_hands": 4, "resplit_aces": True, "peek": False}),
]


def nets(law: Law) -> dict[Fraction, Fraction]:
    found: dict[Fraction, Fraction] = {}
    for settled, chance in law.items():
        key = net(settled) / UNIT
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def nets_of(figures: RoundFigures) -> dict[Fraction, Fraction]:
    found: dict[Fraction, Fraction] = {}
    for row in figures.outcomes:
        found[row.net] = found.get(row.net, Fraction(0)) + Fraction(row.probability)
    return found


@pytest.mark.clause("BJ.3")
@pytest.mark.parametrize(("text", "rules"), NO_SPLITS)
def test_without_splits_the_referee_finds_the_same_law_of_a_round(text: str, rules: Rules) -> None:
    game, shoe = table(max_hands=1, **rules), shoe_of(text)
    best = TableAnalysis(game, shoe, exact=True).best
    refereed = Unordered(game, shoe).law(game.open_round([{"blackjack": UNIT}]))
    assert best.expectation == mean(refereed, net) / UNIT
    assert nets_of(best) == nets(refereed)


@pytest.mark.clause("BJ.3")
@pytest.mark.parametrize(("text", "rules"), [*SPLITS[1:4], *SPLITS[5:]])
def test_what_splitting_brings_is_exact_for_the_play_that_is_held_fixed(text: str, rules: Rules) -> None:
    solved = ShoeGame(table(**rules), shoe_of(text), exact=True)
    plan = solved.best_plan()
    assert (plan.hands == rules["max_hands"]).any()
    assert solved.expectation(plan) == mean(walked(solved, plan), net) / UNIT


@pytest.mark.parametrize(("text", "rules"), [SPLITS[0], SPLITS[4]])
def test_split_rounds_spread_nearly_as_the_walk_says_and_centre_exactly(text: str, rules: Rules) -> None:
    solved = TableAnalysis(table(**rules), shoe_of(text), exact=True)
    law = walked(solved.table, solved.plan)
    centre = mean(law, net) / UNIT
    assert solved.best.expectation == centre
    assert sum(row.probability for row in solved.best.outcomes) == 1
    variance = mean(law, lambda settled: (net(settled) / UNIT) ** 2) - centre**2
    assert float(solved.best.variance) == pytest.approx(float(variance), rel=0.03)  # cards are few here


def dealt(game: Any, first: str, second: str, up_card: str) -> Round:
    r, mine = game.open_round([{"blackjack": UNIT}]), [first, second]
    while len(r.dealer) < 2:
        step = game.awaits(r)
        assert isinstance(step, Draw)
        face = FACE_DOWN if step.down else card(mine.pop(0) if step.to == 0 else up_card)
        r = advance(r, step, (face,))
    return r


@pytest.mark.parametrize("up_card", ["3h", "Th", "Ah"])
def test_split_aces_leave_no_decision_so_the_referee_agrees_on_them(up_card: str) -> None:
    game, shoe = table(max_hands=2, peek=False), shoe_of("Ah*4 Th*8 3h*4")
    opened = dealt(game, "Ah", "Ah", up_card)
    step = game.awaits(opened)
    assert isinstance(step, Decide)
    refereed = {choice.name: mean(law, net) for choice, law in Unordered(game, shoe).choices(opened, step)}
    advice = TableAnalysis(game, shoe, exact=True).advice(cards("Ah Ah"), card(up_card))
    assert advice.values["split"] == refereed["split"] / UNIT
    assert {**advice.values} == {choice: worth / UNIT for choice, worth in refereed.items()}


def test_best_play_that_sees_the_other_hands_can_only_do_better() -> None:
    game, shoe = table(max_hands=2), shoe_of("8h*3 Th*6 7h*3")
    refereed = Unordered(game, shoe).expectation(game.open_round([{"blackjack": UNIT}])) / UNIT
    best = TableAnalysis(game, shoe, exact=True).best.expectation
    assert best <= refereed < best + Fraction(1, 500)


@pytest.mark.parametrize(("max_hands", "text"), [(1, "8h*3 Th*4 3h*4 Ah*2"), (2, "8h*6 Th*8 3h*4")])
def test_a_chart_is_worth_what_a_player_who_follows_it_gets(max_hands: int, text: str) -> None:
    game, shoe = table(max_hands=max_hands, surrender="late"), shoe_of(text)
    analysis = TableAnalysis(game, shoe, exact=True)
    chart = analysis.basic_strategy
    assert ("split" in {advice.choice for advice in chart.values()}) == (max_hands > 1)
    walk = mean(following(game, shoe, chart), net) / UNIT
    assert analysis.figures_under(chart).expectation == walk <= analysis.best.expectation


def test_an_odd_chart_is_followed_to_the_letter() -> None:
    odd = {**chart_of(lambda _, total, up: "hit" if total < 14 or (total < 19 and up > 8) else "stand")}
    odd |= {("hard", 11, up): Advice("stand", "hit") for up in range(1, 11)}
    odd |= {("pair", 10, 8): Advice("split"), ("pair", 8, 10): Advice("surrender")}
    odd |= {("soft", 13, 3): Advice("double", "stand")}
    game, shoe = table(max_hands=2, surrender="late"), shoe_of("8h*5 Th*6 3h*4 Ah*3")
    played = TableAnalysis(game, shoe, exact=True).figures_under(odd)
    assert played.expectation == mean(following(game, shoe, odd), net) / UNIT


def test_a_shoe_in_which_no_pair_is_worth_splitting_is_played_without_splits() -> None:
    solved = ShoeGame(table(max_hands=3, double_after_split=False), shoe_of("9h*2 5h*6 Th*8"), exact=True)
    plan = solved.best_plan()
    assert not plan.hands.any()
    assert solved.expectation(plan) == mean(walked(solved, plan), net) / UNIT


def test_taking_only_the_original_wager_is_all_but_exact_over_split_hands() -> None:
    rules: Rules = {"peek": False, "no_peek_loss": "original", "hit_split_aces": True}
    solved = ShoeGame(table(max_hands=3, resplit_aces=True, **rules), shoe_of("Ah*4 Th*9 9h*3"), exact=True)
    plan = solved.best_plan()
    walk = float(mean(walked(solved, plan), net)) / UNIT
    assert float(solved.expectation(plan)) == pytest.approx(walk, abs=2e-3)  # three hands from 16 cards


def test_named_strategies_are_charts_and_others_are_refused() -> None:
    analysis = TableAnalysis(table(soft17="hit"))
    assert analysis.strategy("mimic-the-dealer") == mimic_the_dealer(analysis.table.rules.dealer)
    mimic = analysis.strategy("mimic-the-dealer")
    assert [mimic["soft", total, 1].choice for total in (17, 18)] == ["hit", "stand"]
    assert [mimic["hard", total, 1].choice for total in (16, 17)] == ["hit", "stand"]
    assert analysis.strategy("never-bust") == never_bust()
    with pytest.raises(UnknownName, match="basic, mimic-the-dealer or never-bust"):
        analysis.strategy("martingale")


def test_a_shoe_too_small_for_a_round_is_refused() -> None:
    with pytest.raises(ImpossibleRound, match="the shoe holds 96 points"):
        TableAnalysis(table(), shoe_of("Th*8 8h*2"))


def test_advice_needs_a_hand_that_can_be_there() -> None:
    analysis = TableAnalysis(table(decks=1))
    with pytest.raises(ImpossibleRound, match="two cards or more"):
        analysis.advice(cards("Th 9h 8h"), card("2c"))
    for up_card in ("2c", "Ac"):  # given no blackjack: the table peeks
        assert dict(analysis.advice(cards("Ah Kh"), card(up_card)).values) == {"stand": 1.5}


@pytest.mark.clause("BJ.4")
@pytest.mark.parametrize(("decks", "edge"), [(1, "3/51"), (6, "23/311"), (8, "31/415")])
def test_insurance_costs_what_counting_tens_says(decks: int, edge: str) -> None:
    # (4n − 1) of 52n − 1: of the cards left beside the ace 16n make a blackjack, paid 2 to 1
    assert insurance(table(decks=decks, insurance=True)).house_edge == Fraction(edge)


def test_insurance_knows_the_cards_in_hand() -> None:
    two_tens = insurance(table(decks=1, insurance=True), holding=cards("Th Td")).house_edge
    assert two_tens == 1 - 3 * Fraction(14, 49)
    assert insurance(table(decks=1, insurance=True), holding=cards("2h 3d")).house_edge == 1 - 3 * Fraction(16, 49)
    with pytest.raises(ImpossibleRound, match="against an ace"):
        insurance(table(decks=1, insurance=True), shoe=standard_shoe().without(cards("Ah Ad Ac As")))


def test_a_table_that_offers_no_insurance_has_no_figures_of_it() -> None:
    with pytest.raises(ImpossibleRound, match="offers no insurance"):
        insurance(table(insurance=False))
