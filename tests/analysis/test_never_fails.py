"""What can never fail, whatever the cards: no play beats the best, no better pay raises the edge."""

from copy import copy
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks import catalog
from feltworks.analysis.analyze import Answer, Question, analyze
from feltworks.analysis.strategy.file import Rule, StrategyFile
from feltworks.cards import Card
from feltworks.money import Odds
from feltworks.rules.game import Game

WAGERS = {
    wager: name
    for name in catalog.games()
    for wager, entry in catalog.rulebook(name).wager.items()
    if entry.kind != "derived"
} | {"ante": "fu-bacc"}
CASES = [*((name, wager) for wager, name in WAGERS.items()), ("spanish-poker", "ante")]
FEWEST = {"blackjack": 24, "lucky-break": 24, "acey-deucey": 5, "war": 5, "lucky-lucky": 5}
FEWER = settings(max_examples=5, deadline=None, derandomize=True)


def table(name: str, wager: str, pay_table: str) -> Game[Any]:
    few = {"decks": 1, "max-hands": 1} if "decks" in catalog.rulebook(name).option else {}
    options = {**catalog.rulebook(name).offers_for([wager]), **few}
    return catalog.game(name, options=options, pay_tables={wager: pay_table})


@st.composite
def questions(draw: st.DrawFn, name: str, wager: str) -> Question:
    """A wager under one of its pay tables with few cards left, and beside an Ante where that changes it."""
    game = table(name, wager, draw(st.sampled_from(sorted(catalog.rulebook(name).pay_table[wager]))))
    every = list(game.terms.shoe.all_cards())
    left = FEWEST.get(wager, 10) + draw(st.integers(0, 3))
    gone: list[Card] = draw(st.permutations(every))[left:]
    beside = {"ante": draw(st.sampled_from([None, Fraction(1, 3), Fraction(4)]))} if wager == "tie" else {}
    return Question(game, wager, beside, gone)


def better_paid(question: Question, outcome: str, more: Fraction) -> Question:
    """The same question where one outcome pays more."""
    game, pay = copy(question.game), question.game.pays[question.wager][outcome]
    assert isinstance(pay, Odds)
    better = pay.exact + more
    mine = {**game.pays[question.wager], outcome: Odds(better.numerator, better.denominator)}
    game.pays = {**game.pays, question.wager: mine}
    return Question(game, question.wager, question.beside, question.exposed)


def worth(question: Question, answer: Answer) -> float | Fraction:
    """What the spot is worth to the wagers it is played for."""
    if answer.law is None or not question.beside:
        return -answer.figures.house_edge
    served = question.serving
    return sum(p * line[2] for settled, p in answer.law.items() for line in settled if line[0] in served)


@pytest.mark.parametrize(("name", "wager"), CASES)
@given(chosen=st.data())
@FEWER
def test_a_better_pay_never_costs_the_player_and_outcomes_make_a_whole(
    name: str, wager: str, chosen: st.DataObject
) -> None:
    question = chosen.draw(questions(name, wager))
    paid = [key for key, pay in question.game.pays[wager].items() if isinstance(pay, Odds)]
    more = Fraction(chosen.draw(st.integers(1, 40)), chosen.draw(st.integers(1, 8)))
    better = better_paid(question, chosen.draw(st.sampled_from(paid)), more)
    before, after = analyze(question), analyze(better)
    dust = 0 if isinstance(before.figures.house_edge, Fraction) else 1e-12
    assert worth(better, after) >= worth(question, before) - dust
    for figures in (before.figures, after.figures):
        rows: list[Any] = [*figures.outcomes]
        assert abs(sum(row.probability for row in rows) - 1) <= dust
        assert abs(sum(row.probability * row.net for row in rows) + figures.house_edge) <= dust


UP_CARDS = [0, 1, 2, 3], [4, 5, 6], [7, 8, 9]
FU_BACC = st.lists(st.sampled_from(["fold", "stay", "hit"]), min_size=30, max_size=30)


@given(chosen=st.data(), said=FU_BACC)
@FEWER
def test_no_table_of_totals_plays_fu_bacc_better_than_the_best(chosen: st.DataObject, said: list[str]) -> None:
    question = chosen.draw(questions("fu-bacc", "tie"))
    rules = [Rule(choice, {"total": n // 3, "up": [*UP_CARDS[n % 3]]}) for n, choice in enumerate(said)]
    told = Question(
        question.game,
        "tie",
        question.beside,
        question.exposed,
        None,
        "a file",
        StrategyFile(rules=tuple(rules)),
    )
    assert worth(told, analyze(told)) <= worth(question, analyze(question))


@given(chosen=st.data(), raised=st.sets(st.integers(0, 11)), suited=st.booleans())
@FEWER
def test_no_spreads_raise_acey_deucey_better_than_the_best(
    chosen: st.DataObject, raised: set[int], suited: bool
) -> None:
    question = chosen.draw(questions("acey-deucey-21", "acey-deucey"))
    rules = (
        Rule("check", {"pair": True}),
        Rule("raise", {"spread": sorted(raised), "suited": suited}),
        Rule("check"),
    )
    told = Question(question.game, "acey-deucey", {}, question.exposed, None, "a file", StrategyFile(rules=rules))
    assert analyze(told).figures.house_edge >= analyze(question).figures.house_edge


CHOICES = st.sampled_from(["stand", "hit", "double/stand", "double/hit", "surrender"])
HANDS = [f"hard {total}" for total in range(4, 21)] + [f"soft {total}" for total in range(12, 21)]
CHARTS = st.lists(CHOICES, min_size=len(HANDS), max_size=len(HANDS))


@given(chosen=st.data(), said=CHARTS)
@FEWER
def test_no_chart_plays_blackjack_better_than_the_best(chosen: st.DataObject, said: list[str]) -> None:
    question = chosen.draw(questions("lucky-break", "blackjack"))
    chart = {hand: [choice] * 10 for hand, choice in zip(HANDS, said, strict=True)}
    told = Question(question.game, "blackjack", {}, question.exposed, None, "a file", StrategyFile(chart=chart))
    assert float(analyze(told).figures.house_edge) >= float(analyze(question).figures.house_edge) - 1e-12
