"""The edge by wager size where a house pays in whole chips."""

from fractions import Fraction
from typing import Any

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.measures import figures_by_size
from feltworks.errors import BadOption

CHIP = {"chip": 100}


def edges(game: str, wager: str, *sizes: int, **terms: Any) -> list[Any]:
    question = Question(catalog.game(game, **terms), wager, sizes=sizes)
    return [sized.figures.house_edge for sized in figures_by_size(question)]


def likely(game: str, wager: str, outcome: str, **terms: Any) -> Any:
    rows = analyze(Question(catalog.game(game, **terms), wager)).figures.outcomes
    return next(row.probability for row in rows if row.name == outcome)


@pytest.mark.clause("M.1", "AD.5")
@pytest.mark.parametrize(("breakage", "lost"), [("down", Fraction(3, 5)), ("up", Fraction(2, 5))])
def test_half_of_a_five_dollar_war_wager_is_two_or_three_dollars(breakage: str, lost: Fraction) -> None:
    terms: dict[str, Any] = {"options": CHIP | {"breakage": breakage}, "pay_tables": {"war": "2"}}
    equal = likely("acey-deucey-21", "war", "equal", **terms)
    five, ten = edges("acey-deucey-21", "war", 500, 1000, **terms)
    assert five == equal * lost
    assert ten == equal / 2 == analyze(Question(catalog.game("acey-deucey-21", **terms), "war")).figures.house_edge


@pytest.mark.clause("M.1", "BJ.1")
def test_a_five_dollar_blackjack_is_paid_seven_dollars() -> None:
    terms: dict[str, Any] = {"options": CHIP}
    five, ten = edges("lucky-break", "blackjack", 500, 1000, **terms)
    natural = likely("lucky-break", "blackjack", "blackjack", **terms)
    assert five - ten == pytest.approx(natural * 0.1)


@pytest.mark.clause("M.1", "BJ.4")
def test_a_surrender_that_costs_more_is_chosen_less() -> None:
    dear, exact = (
        next(
            iter(
                figures_by_size(
                    Question(
                        catalog.game("lucky-break", options=CHIP | {"surrender": "late"}),
                        "blackjack",
                        sizes=(cents,),
                    )
                )
            )
        )
        for cents in (100, 1000)
    )
    given_up = [
        sum(row.probability for row in sized.figures.outcomes if row.name == "surrendered") for sized in (dear, exact)
    ]
    assert given_up[0] == 0  # giving up a dollar to save fifty cents that are not paid
    assert given_up[1] > 0.01


@pytest.mark.clause("FB.8", "M.1")
def test_a_natural_eight_takes_no_bonus_that_a_chip_cannot_pay() -> None:
    whole, dollar, two = edges("fu-bacc", "ante", 1000, 100, 200, options=CHIP)
    assert whole == two == analyze(Question(catalog.game("fu-bacc"), "ante")).figures.house_edge
    bonus = likely("fu-bacc", "ante", "natural 8")
    assert whole < dollar <= whole + bonus / 2  # at worst every such bonus loses its half


def test_odds_of_whole_numbers_never_break() -> None:
    for game, wager in (
        ("spanish-poker", "ante"),
        ("acey-deucey-21", "acey-deucey"),
        ("lucky-break", "lucky-break"),
    ):
        alone = analyze(Question(catalog.game(game), wager)).figures.house_edge
        assert edges(game, wager, 100, 700, options=CHIP) == [alone, alone]


@pytest.mark.parametrize("chip", [7, 100, 2500])
def test_the_edge_per_unit_leaves_breakage_out(chip: int) -> None:
    for game, wager in (("fu-bacc", "ante"), ("acey-deucey-21", "acey-deucey")):
        table = catalog.game(game, options={"chip": chip})
        assert analyze(Question(table, wager)).figures == analyze(Question(catalog.game(game), wager)).figures


def test_amounts_that_no_chips_make_are_refused() -> None:
    for sizes, words in (((550,), "multiple of the \\$1 chip"), ((0,), "\\$0.01 to \\$")):
        with pytest.raises(BadOption, match=words):
            analyze(Question(catalog.game("fu-bacc", options=CHIP), "ante", sizes=sizes))
    with pytest.raises(BadOption, match="whole cents"):
        analyze(Question(catalog.game("fu-bacc"), "tie", {"ante": Fraction(1, 3)}, sizes=(500,)))
