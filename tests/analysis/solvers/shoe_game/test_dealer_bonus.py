"""Lucky Break's figures, exact: against the walk of thinned shoes, and as readings and tables go."""

from fractions import Fraction
from typing import Any

import pytest

from feltworks import catalog
from feltworks.analysis.figures import Figures
from feltworks.analysis.solvers.shoe_game.bonus import bonus_figures
from feltworks.analysis.solvers.shoe_game.chart import Advice, Chart, chart_of
from feltworks.analysis.solvers.shoe_game.dealer import dealers_law
from feltworks.analysis.solvers.shoe_game.rules import table_rules
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from feltworks.cards import cards
from feltworks.errors import FeltError
from tests.analysis.follower import following, shoe_of, table

WILD = chart_of(lambda _, total, __: "hit" if total < 20 else "stand")
SPLITS_SEVENS = {**WILD, **{("pair", 7, up): Advice("split") for up in range(1, 11)}}
SPLITS_TENS = {**WILD, **{("pair", 10, up): Advice("split") for up in range(1, 11)}}
GIVES_UP_17 = {**WILD, **{("hard", 17, up): Advice("surrender", "hit") for up in range(1, 11)}}
GIVES_UP_20 = {**SPLITS_TENS, **{("hard", 20, up): Advice("surrender", "hit") for up in range(1, 11)}}
ALL = {"lucky_break__split_limit": "all"}
CASES: list[tuple[str, Chart, dict[str, Any]]] = [
    ("Th*3 Td*1 4h*5", WILD, {"max_hands": 1, "soft17": "hit"}),
    ("Th*4 Td*4 7h*3 7d*2", SPLITS_SEVENS, {"max_hands": 2}),
    ("Th*5 Td*6 7h*3 7d*1", SPLITS_SEVENS, {"max_hands": 3} | ALL),
    ("Th*3 Kd*3 Kh*2 7h*3", GIVES_UP_20, {"max_hands": 2, "split_on": "rank", "surrender": "late"}),
    ("Th*3 Kd*3 Kh*2 7h*3", SPLITS_TENS, {"max_hands": 2, "split_on": "rank"} | ALL),
    ("Th*3 Ad*2 7h*3 7d*2 5h*2", GIVES_UP_17, {"max_hands": 1, "surrender": "late"}),
]


def outcomes(figures: Figures) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for row in figures.outcomes:
        found[row.name] = found.get(row.name, Fraction(0)) + row.probability
    return found


@pytest.mark.clause("LB.5", "LB.12", "LB.13")
@pytest.mark.parametrize(("text", "chart", "rules"), CASES)
def test_the_players_own_hand_counts_as_the_walk_of_a_thinned_shoe_says(
    text: str, chart: Chart, rules: dict[str, Any]
) -> None:
    readings = {"lucky_break__player_limit": 26, "lucky_break__surrender": "loses"}
    game, shoe = table(**rules, **readings), shoe_of(text)
    walked: dict[str, Fraction] = {}
    for settled, chance in following(game, shoe, chart, "blackjack", "lucky-break").items():
        (outcome,) = [line[1] for line in settled if line[0] == "lucky-break"]
        walked[outcome] = walked.get(outcome, Fraction(0)) + chance
    assert outcomes(bonus_figures(game, shoe=shoe, strategy=chart)) == walked
    assert {"over the limit", "surrendered"} & walked.keys()


@pytest.mark.clause("LB.5")
def test_basic_strategy_never_comes_over_the_limit() -> None:
    game = table("lucky-lucky", decks=1, surrender="late")
    chart = TableAnalysis(game).basic_strategy
    assert bonus_figures(game, strategy=chart) == bonus_figures(game)


def test_drawing_to_hard_17_comes_over_26_and_costs_the_player() -> None:
    game = table("lucky-lucky", decks=1)
    bold = chart_of(lambda kind, total, _: "hit" if total < (18 if kind == "hard" else 19) else "stand")
    played, within = bonus_figures(game, strategy=bold), bonus_figures(game)
    assert outcomes(played)["over the limit"] > Fraction(1, 100)
    assert played.house_edge > within.house_edge
    unlimited = table("lucky-lucky", decks=1, lucky_break__player_limit="none")
    assert bonus_figures(unlimited, strategy=bold) == bonus_figures(unlimited) == within


@pytest.mark.clause("LB.6", "LB.7")
@pytest.mark.parametrize("pay_table", ["1", "2", "3", "4"])
@pytest.mark.parametrize("decks", [1, 8])
def test_the_edge_is_the_dealers_law_priced_by_the_printed_table(pay_table: str, decks: int) -> None:
    base = {26: 3, 25: 3 if pay_table in "12" else 2, 24: 2, 23: 2, 22: 1}
    factors = {"1": (2, 10, 50), "2": (2, 10, 100), "3": (5, 10, 25), "4": (2, 10, 50)}[pay_table]
    game = catalog.game("lucky-break", options={"decks": decks}, pay_tables={"lucky-break": pay_table})
    law = dealers_law(game.terms.shoe, table_rules(game).dealer)
    net = sum(likely * base.get(total, -1) for total, likely in law.totals.items()) - law.natural
    for (total, size), likely in law.suited.items():
        net += likely * base.get(total, 0) * factors[min(size, 5) - 3]
    assert bonus_figures(game).expectation == net


@pytest.mark.clause("LB.8")
def test_adding_the_multiplied_pay_costs_the_house_more_than_replacing_the_base() -> None:
    added, replaces = (table(lucky_break__multiplier=reading) for reading in ("added", "replaces"))
    assert bonus_figures(added).house_edge < bonus_figures(replaces).house_edge


def test_exposed_cards_and_the_soft_17_rule_change_the_edge() -> None:
    game = table(decks=2)
    shown = bonus_figures(game, shoe=game.terms.shoe.without(cards("Th Td Kc Ks")))
    assert shown.house_edge > bonus_figures(game).house_edge > bonus_figures(table(decks=2, soft17="hit")).house_edge


def test_a_table_without_such_a_wager_says_so() -> None:
    with pytest.raises(FeltError, match="Acey Deucey 21 has no wager on the dealer's hand"):
        bonus_figures(table("acey-deucey-21"))
