"""Exact figures of the wagers: two ways each, and figures printed by others."""

from fractions import Fraction

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Answer, Question, analyze, situations_of
from feltworks.analysis.figures import Figures
from feltworks.analysis.referee import Referee
from feltworks.analysis.solvers.counts import (
    as_situations,
    count_situations,
    mix_choices,
    net_of,
    turning_points,
    walk_situations,
)
from feltworks.cards import Shoe, card, cards
from feltworks.errors import BadOption, ShoeExhausted, UnknownName

THIN_FU_BACC = Shoe(dict.fromkeys(cards("Ac 3d 5h 9s Tc Kd Jh"), 1))
THIN_BLACKJACK = Shoe({card(code): 2 for code in ("7h", "7d", "6h", "8h", "As", "Ts")})


def asked(game: str, wager: str, *, beside: dict[str, Fraction | None] | None = None, **terms: object) -> Answer:
    return analyze(Question(catalog.game(game, **terms), wager, beside or {}))  # type: ignore[arg-type]


def edge(game: str, wager: str, **terms: object) -> Fraction:
    return asked(game, wager, **terms).figures.house_edge


def by_referee(game: str, wager: str, stakes: dict[str, int], shoe: Shoe, **terms: object) -> Fraction:
    """The slow, obvious way."""
    table = catalog.game(game, **terms)  # type: ignore[arg-type]
    group = Question(table, wager).group
    law = Referee(table, shoe, wagers=group).law(table.open_round([stakes]))
    return -sum((net_of(law, name) for name in group), Fraction(0)) / stakes[wager]


def test_fu_bacc_costs_what_the_referee_found_on_the_whole_deck() -> None:
    # 6984511/229033350 was also found by the referee walking all 52 cards (about a minute, so not here).
    assert edge("fu-bacc", "ante") == Fraction(6984511, 229033350)
    assert edge("fu-bacc", "lucky-monkey") == Fraction(1, 17)


@pytest.mark.parametrize("option", ["rescue-ten", "rescue-tie"])
@pytest.mark.parametrize("wagers", [{"ante": 100}, {"tie": 100}, {"ante": 100, "tie": 300}, {"lucky-monkey": 100}])
def test_the_quick_way_through_fu_bacc_is_the_referees(option: str, wagers: dict[str, int]) -> None:
    entry = catalog.rulebook("fu-bacc").option[f"fu-bacc.{option}"]
    assert entry.values is not None
    table = catalog.game("fu-bacc", options={option: entry.values[-1]})
    found = as_situations(table, wagers, count_situations(table, wagers, THIN_FU_BACC))
    serving = {name: Fraction(1) for name in (*wagers, "play")}
    law = mix_choices(found, [each.best(serving) for each in found])
    assert law == Referee(table, THIN_FU_BACC).law(table.open_round([wagers]))


@pytest.mark.parametrize(
    ("game", "wager", "table"),
    [
        ("lucky-lucky", "lucky-lucky", "2"),
        ("acey-deucey-21", "war", "1"),
        ("acey-deucey-21", "war", "2"),
        ("acey-deucey-21", "acey-deucey", "1"),
        ("acey-deucey-21", "acey-deucey", "3B"),
    ],
)
def test_the_quick_way_to_the_up_card_is_the_referees(game: str, wager: str, table: str) -> None:
    terms = {"pay_tables": {wager: table}, "options": {"decks": 2}}
    gone = list(catalog.game(game, **terms).terms.shoe.all_cards())  # type: ignore[arg-type]
    for face in THIN_BLACKJACK.all_cards():
        gone.remove(face)
    quick = analyze(Question(catalog.game(game, **terms), wager, exposed=gone))  # type: ignore[arg-type]
    stakes = {"blackjack": 10_000, wager: 10_000}
    assert quick.figures.house_edge == by_referee(game, wager, stakes, THIN_BLACKJACK, **terms)


@pytest.mark.clause("AD.13")
@pytest.mark.parametrize(("table", "exact"), [("1", Fraction(253, 48205)), ("2", Fraction(23, 622))])
def test_war_costs_what_the_document_prints(table: str, exact: Fraction) -> None:
    assert edge("acey-deucey-21", "war", pay_tables={"war": table}) == exact


@pytest.mark.clause("AD.13", "AD.12")
def test_a_pair_that_may_be_raised_gives_the_player_the_edge() -> None:
    for table, barred in (("1", "1B"), ("2", "2B"), ("3", "3B")):
        assert edge("acey-deucey-21", "acey-deucey", pay_tables={"acey-deucey": table}) < 0
        assert edge("acey-deucey-21", "acey-deucey", pay_tables={"acey-deucey": barred}) > 0


def test_best_raising_takes_pairs_and_leaves_neighbours() -> None:
    answer = asked("acey-deucey-21", "acey-deucey")
    for situation, choice in zip(answer.situations, answer.choices, strict=True):
        first, second = situation.shown.seats[0].cards
        gap = abs(first.rank - second.rank)  # type: ignore[union-attr]
        if gap == 0:
            assert choice == "raise"
        if gap == 1:
            assert choice == "check"


@pytest.mark.parametrize(
    ("game", "wager", "terms"),
    [
        ("fu-bacc", "ante", {}),
        ("fu-bacc", "tie", {}),
        ("lucky-break", "lucky-break", {"options": {"decks": 3}}),
        ("lucky-lucky", "lucky-lucky", {"options": {"decks": 7}, "pay_tables": {"lucky-lucky": "3"}}),
        ("spanish-poker", "ante", {"pay_tables": {"ante": "2"}}),
        ("spanish-poker", "dos-pares", {}),
    ],
)
def test_probabilities_are_whole_and_the_table_gives_the_edge(game: str, wager: str, terms: dict[str, object]) -> None:
    figures: Figures = asked(game, wager, **terms).figures
    assert sum(row.probability for row in figures.outcomes) == 1
    assert -sum(row.probability * row.net for row in figures.outcomes) == figures.house_edge
    assert figures.element_of_risk * figures.average_wager == figures.house_edge


def test_a_tie_changes_how_a_fu_bacc_hand_is_played() -> None:
    alone = asked("fu-bacc", "tie").figures.house_edge
    for_the_ante = asked("fu-bacc", "tie", beside={"ante": None}).figures.house_edge
    jointly = asked("fu-bacc", "tie", beside={"ante": Fraction(1, 3)}).figures.house_edge
    assert jointly < for_the_ante < alone


def test_the_ratios_at_which_the_play_changes_are_the_corners_between_choices() -> None:
    table = catalog.game("fu-bacc")
    found = situations_of(Question(table, "tie", {"ante": Fraction(1)}))
    turning = turning_points(found, "play", "tie")
    assert turning == sorted(set(turning))
    assert all(ratio > 0 for ratio in turning)


def test_exposed_cards_leave_the_shoe() -> None:
    table = catalog.game("lucky-lucky")
    sevens = analyze(Question(table, "lucky-lucky", exposed=cards("7h 7d 7c 7s 7h 7d"))).figures
    assert sevens.house_edge > edge("lucky-lucky", "lucky-lucky")
    with pytest.raises(ShoeExhausted):
        analyze(Question(catalog.game("fu-bacc"), "ante", exposed=cards("7h 7h")))


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(UnknownName):
        asked("fu-bacc", "play")
    with pytest.raises(BadOption):
        asked("fu-bacc", "tie", beside={"ante": Fraction(-1)})


def test_any_game_can_be_given_to_the_referee() -> None:
    table = catalog.game("acey-deucey-21", options={"decks": 1})
    gone = [face for face in table.terms.shoe if face not in cards("7h 8d 9c Ks")]
    shoe = table.terms.shoe.without(gone)
    found = list(
        walk_situations(Referee(table, shoe, wagers=["war"]), table.open_round([{"blackjack": 100, "war": 100}]))
    )
    assert sum(each.probability for each in found) == 1
