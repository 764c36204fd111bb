"""What wagers cost at many tables: as the analysis says of each alone, however much is remembered."""

from collections import Counter
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.audit.costs import UNIT, Costs, Watch, poker_plays
from feltworks.analysis.audit.readings import Case, audited_wagers, other_readings
from feltworks.analysis.solvers.counts import as_situations, cost, count_situations, mix_choices, net_of
from feltworks.analysis.solvers.fixed import FirstDeal
from feltworks.analysis.solvers.showdown.solver import showdown
from feltworks.cards import Shoe, cards
from feltworks.errors import FeltError
from feltworks.games.fu_bacc import FuBacc
from feltworks.hands.poker import SPANISH
from feltworks.machine.tables import Tables
from feltworks.rules.game import Game
from feltworks.written.record import FinishedRound, FinishedSeat
from feltworks.written.replay import replay

BONUS_ONLY = {"spanish-poker": ["dos-pares", "joker-in-hand", "gran-progressive"]}


def table(name: str, **terms: Any) -> Game[Any]:
    return catalog.game(name, **terms)


CASES = [
    ("fu-bacc", "ante", "", {}),
    ("fu-bacc", "tie", "", {}),
    ("fu-bacc", "tie", "ante", {"options": {"fu-bacc.rescue-tie": "loses"}}),
    ("fu-bacc", "ante", "", {"options": {"fu-bacc.rescue-ten": False}}),
    ("fu-bacc", "lucky-monkey", "", {}),
    ("acey-deucey-21", "acey-deucey", "", {"pay_tables": {"acey-deucey": "2"}, "options": {"decks": 1}}),
    ("acey-deucey-21", "acey-deucey", "", {"pay_tables": {"acey-deucey": "3B"}}),
    ("acey-deucey-21", "war", "", {"pay_tables": {"war": "2"}, "options": {"decks": 3}}),
    ("lucky-lucky", "lucky-lucky", "", {"pay_tables": {"lucky-lucky": "2"}, "options": {"decks": 2}}),
    ("lucky-break", "lucky-break", "", {"pay_tables": {"lucky-break": "3"}, "options": {"decks": 2}}),
    ("spanish-poker", "dos-pares", "", {"pay_tables": {"dos-pares": "2"}}),
    ("spanish-poker", "ante", "", {"pay_tables": {"ante": "2"}, "options": {"spanish-poker.tie": "lose"}}),
]


@pytest.mark.parametrize(("name", "wager", "beside", "terms"), CASES)
def test_a_wager_costs_what_its_analysis_says(name: str, wager: str, beside: str, terms: Any) -> None:
    game = table(name, **terms)
    found = Costs().of(game, wager, beside)
    figures = analyze(Question(game, wager, {beside: None} if beside else {})).figures
    assert (found.house_edge, found.element_of_risk) == (figures.house_edge, figures.element_of_risk)


@pytest.mark.parametrize("name", catalog.games())
def test_what_is_remembered_of_other_tables_changes_nothing(name: str) -> None:
    book, remembering = catalog.rulebook(name), Costs()
    for wager in BONUS_ONLY.get(name, audited_wagers(book)):
        for terms in ({}, *({"option": option, "value": value} for option, value in other_readings(book))):
            case = Case(name, wager, **terms)
            assert case.quantity("house_edge", remembering) == case.quantity("house_edge", Costs())


def test_a_table_priced_again_is_the_table_solved_anew() -> None:
    usual = showdown(table("spanish-poker"))
    for terms in ({"pay_tables": {"ante": "2"}}, {"options": {"spanish-poker.tie": "lose"}}):
        game = table("spanish-poker", **terms)
        assert usual.reprice(game).tally == showdown(game).tally
    assert usual.tally == showdown(table("spanish-poker")).tally


def test_awards_are_not_priced_again() -> None:
    gran = table("spanish-poker", options={"offers": ["ante", "gran-progressive"]})
    solved = showdown(gran, wagers={"gran-progressive": 100}, meters={"jackpot": 50_000})
    with pytest.raises(FeltError, match="the gran-progressive wager is not paid at odds"):
        solved.reprice(gran)


# What a computation asks for


def test_only_what_was_asked_for_tells_two_tables_apart() -> None:
    watch = Watch(table("fu-bacc"))
    assert isinstance(watch.game, FuBacc)
    count_situations(watch.game, {"ante": 100}, watch.game.terms.shoe)
    assert watch.is_judged_alike(table("fu-bacc", options={"fu-bacc.rescue-tie": "loses", "breakage": "up"}))
    assert not watch.is_judged_alike(table("fu-bacc", options={"fu-bacc.rescue-ten": False}))
    assert not watch.is_judged_alike(table("fu-bacc", options={"chip": 500}))
    assert not watch.is_judged_alike(table("lucky-break"))


@pytest.mark.parametrize("name", catalog.games())
def test_a_table_is_judged_like_another_of_its_kind(name: str) -> None:
    assert Watch(catalog.game(name)).is_judged_alike(catalog.game(name))


def test_what_a_table_remembers_of_its_rounds_does_not_tell_it_apart() -> None:
    watch, other = Watch(table("lucky-lucky")), table("lucky-lucky")
    seats = [FinishedSeat({"blackjack": 500, "lucky-lucky": 100}, ["Th", "9c"])]
    dealer = {"hole": "6d", "up": "7h", "draws": ["5c"]}
    other.settle(replay(other, FinishedRound("lucky-lucky", seats, dealer)))
    assert watch.is_judged_alike(other)


def test_a_game_that_made_something_else_of_its_terms_is_another() -> None:
    watch = Watch(table("lucky-break"))
    soft = table("lucky-break", options={"soft17": "hit"})
    ranks = table("lucky-break", options={"split-on": "rank"})
    assert not watch.is_judged_alike(soft)
    assert not watch.is_judged_alike(ranks)
    assert not watch.is_judged_alike(soft, reads=["hits_soft_17"])
    assert watch.is_judged_alike(ranks, reads=["hits_soft_17"])


def test_compiled_tables_are_shared_by_the_tables_that_judge_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[Tables] = []

    class Noted(Tables):
        def __init__(self, *args: Any, **terms: Any) -> None:
            super().__init__(*args, **terms)
            compiled.append(self)

    monkeypatch.setattr("feltworks.analysis.audit.costs.Tables", Noted)
    costs = Costs()
    for wager, name, as_many in [
        ("acey-deucey", "1", 1),
        ("acey-deucey", "3B", 2),  # where a pair may not be raised
        ("acey-deucey", "1B", 2),
        ("acey-deucey", "2", 2),
        ("war", "1", 3),
        ("war", "2", 4),
    ]:
        game = table("acey-deucey-21", pay_tables={wager: name})
        edge = costs.of(game, wager).house_edge
        assert (len(compiled), edge) == (as_many, analyze(Question(game, wager)).figures.house_edge)


# Situations in whole numbers


@pytest.mark.parametrize("exposed", ["", "7h 7d Ac 2s 2s 2s"])
def test_sights_cost_what_all_pairs_cost(exposed: str) -> None:
    game = table("acey-deucey-21", options={"decks": 4})
    shoe = game.terms.shoe.without(cards(exposed))
    for wager, group in (("acey-deucey", ["acey-deucey", "raise"]), ("war", ["war"])):
        sights = count_situations(game, {wager: UNIT}, shoe)
        pairs = list(FirstDeal(game, {wager: UNIT}, shoe).situations())
        assert len(sights) <= len(pairs)
        law = mix_choices(pairs, [pair.best(dict.fromkeys(group, Fraction(1))) for pair in pairs])
        edge = -sum((net_of(law, name) for name in group), Fraction(0)) / UNIT
        assert cost(sights, group, UNIT).house_edge == edge


def test_counted_situations_are_all_deals_and_their_chances_sum_to_one() -> None:
    game = table("fu-bacc")
    assert isinstance(game, FuBacc)
    counted = count_situations(game, {"ante": 100, "tie": 100}, game.terms.shoe)
    assert sum(each.ways for each in counted) == 52 * 51 * 50
    wholes = {sum(ways for _, ways in counts) for each in counted for counts in each.choices.values()}
    assert wholes == {49 * 48 * 47}
    situations = as_situations(game, {"ante": 100, "tie": 100}, counted)
    assert sum(each.probability for each in situations) == 1
    assert {sum(law.values()) for each in situations for law in each.laws.values()} == {Fraction(1)}


def test_no_simple_play_beats_the_best() -> None:
    costs, game = Costs(), table("acey-deucey-21")
    best = costs.of(game, "acey-deucey").house_edge
    plays = {play.words: play.cost.house_edge for play in costs.plays(game, "acey-deucey")}
    assert plays.keys() == {"always check", "always raise"}
    assert min(plays.values()) > best
    assert list(costs.plays(table("lucky-lucky"), "lucky-lucky")) == []


@pytest.mark.clause("SP.25")
def test_simple_poker_plays_cost_what_the_solver_finds_for_them() -> None:
    solved = showdown(table("spanish-poker"))
    plays = {play.words: play for play in poker_plays(solved)}
    sixes = next(value for value in solved.classes.values if value.words == "pair of sixes")
    followed = showdown(
        table("spanish-poker"),
        strategy=lambda view: "raise" if SPANISH.value(view.cards) >= sixes else "fold",
    )
    cost = plays["raise with pair of sixes or better"].cost
    assert (cost.house_edge, cost.element_of_risk) == (
        followed.figures.house_edge,
        followed.figures.element_of_risk,
    )
    assert min(play.cost.house_edge for play in plays.values()) > solved.figures.house_edge


def test_values_together_are_worth_what_their_hands_are() -> None:
    solved = showdown(table("spanish-poker"), shoe=Shoe(Counter(cards("Jo Ac Ad Kc Kd Qc Jc 7c 7d 6c 6d"))))
    by_hand, divisor = solved.worth()
    by_value, hands, same = solved.worth_by_value()
    assert divisor == same
    for choice, worth in by_hand.items():
        for place, total in enumerate(by_value[choice]):
            rows = [row for row, value in enumerate(solved.classes.value.tolist()) if value == place]
            assert total == sum(int(solved.classes.hands[row]) * worth[row] for row in rows)
    assert sum(hands) == comb(11, 5)


def test_what_a_table_remembers_of_its_rounds_makes_it_no_other_table() -> None:
    watch = Watch(catalog.game("spanish-poker"))
    showdown(watch.game, wagers={"ante": 100})
    assert watch.is_judged_alike(catalog.game("spanish-poker", options={"breakage": "up"}))
    assert not watch.is_judged_alike(catalog.game("spanish-poker", options={"spanish-poker.wheel": True}))
