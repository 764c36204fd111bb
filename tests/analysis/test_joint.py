"""Several wagers on one spot: the joint law two ways, covariances, and where a Tie changes the play."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze, first_deal_wagers
from feltworks.analysis.figures import Number
from feltworks.analysis.joint import Joint, joint, turning_ratios
from feltworks.analysis.referee import Referee
from feltworks.analysis.solvers.shoe_game.joint import JointFigures, joint_figures
from feltworks.cards import Shoe, card
from feltworks.errors import BadOption
from feltworks.rules.game import Game
from feltworks.rules.round import Round, Seat

THIN = Shoe({card(code): 2 for code in ("7h", "7d", "6h", "8h", "As", "Ts", "5c", "9h")})


def thinned(game: Game[Any], shoe: Shoe = THIN) -> list[Any]:
    """What has to be exposed for this shoe to be left."""
    gone = list(game.terms.shoe.all_cards())
    for face in shoe.all_cards():
        gone.remove(face)
    return gone


def together(question: Question) -> Joint:
    law = analyze(question).law
    assert law is not None
    return joint(question, law)


@pytest.fixture(scope="module")
def fu_bacc() -> Joint:
    return together(Question(catalog.game("fu-bacc"), "ante", {"tie": Fraction(1), "lucky-monkey": Fraction(1, 2)}))


@pytest.mark.parametrize(
    ("game", "wager", "beside"),
    [
        ("fu-bacc", "tie", {"ante": Fraction(1, 3), "lucky-monkey": Fraction(2)}),
        ("acey-deucey-21", "war", {"acey-deucey": Fraction(3)}),
        ("spanish-poker", "ante", {"dos-pares": Fraction(2), "joker-in-hand": None}),
    ],
)
def test_the_whole_round_is_the_sum_of_its_wagers(game: str, wager: str, beside: dict[str, Any]) -> None:
    question = Question(catalog.game(game), wager, beside)
    spot = together(question)
    assert sum(row.probability for row in spot.rows) == 1
    mean = sum((row.probability * row.net for row in spot.rows), Fraction(0))
    squares = sum((row.probability * row.net**2 for row in spot.rows), Fraction(0))
    assert spot.moments.mean == mean
    assert spot.moments.variance == squares - mean**2
    for name, figures in spot.beside.items():
        assert spot.mean(name) == figures.expectation * question.ratios[name]
        assert spot.covariance(name, name) == figures.variance * question.ratios[name] ** 2
    assert spot.beside[wager] == analyze(question).figures or game == "spanish-poker"


def test_war_and_acey_deucey_together_are_the_referees() -> None:
    game = catalog.game("acey-deucey-21", options={"decks": 2})
    question = Question(game, "acey-deucey", {"war": Fraction(1)}, exposed=thinned(game))
    stakes = {**question.stakes, "blackjack": 100}
    referee = Referee(game, THIN, wagers=["acey-deucey", "raise", "war"])
    walked = referee.law(game.open_round([stakes]))
    by_name = {tuple(sorted(settled)): chance for settled, chance in walked.items()}
    law = analyze(question).law
    assert law is not None
    assert {tuple(sorted(settled)): chance for settled, chance in law.items()} == by_name


@pytest.mark.clause("LL.7")
def test_lucky_lucky_and_lucky_break_together_are_the_referees() -> None:
    game = catalog.game("lucky-lucky", options={"decks": 2})
    shoe = Shoe({card(code): 2 for code in ("6h", "7h", "8h", "7d", "Th", "Ts", "9c")})
    question = Question(game, "lucky-lucky", {"lucky-break": Fraction(1)}, exposed=thinned(game, shoe))
    opened = Round((Seat(question.stakes),))  # no blackjack wager: nothing is drawn but by the dealer
    walked = Referee(game, shoe, wagers=question.stakes).law(opened)
    law = analyze(question).law
    assert law is not None
    assert {tuple(sorted(settled)): chance for settled, chance in law.items()} == {
        tuple(sorted(settled)): chance for settled, chance in walked.items()
    }


@pytest.mark.parametrize("decks", [1, 6])
def test_each_wager_keeps_its_own_figures_beside_the_other(decks: int) -> None:
    game = catalog.game("lucky-lucky", options={"decks": decks})
    spot = together(Question(game, "lucky-lucky", {"lucky-break": None}))
    for name in ("lucky-lucky", "lucky-break"):
        assert spot.beside[name] == analyze(Question(game, name)).figures


def test_a_lucky_monkey_goes_with_the_rescue(fu_bacc: Joint) -> None:
    rescued = [row for row in fu_bacc.rows if row.outcomes["ante"] == "rescue"]
    assert rescued
    assert all(row.outcomes["lucky-monkey"] == "monkeys against 9" for row in rescued)
    assert all(row.nets["lucky-monkey"] == 15 for row in rescued)  # 30 to 1 on half a unit


def test_the_jointly_best_play_beats_playing_for_either_wager() -> None:
    table, ratio = catalog.game("fu-bacc"), Fraction(2)

    def brought(*, jointly: bool) -> Fraction:
        spot = together(Question(table, "ante", {"tie": ratio if jointly else None}))
        return spot.beside["ante"].expectation + ratio * spot.beside["tie"].expectation

    assert brought(jointly=True) > brought(jointly=False)


@pytest.mark.parametrize("ratio", [Fraction(1), Fraction(3)])
def test_the_play_changes_at_the_turning_ratios_and_nowhere_else(ratio: Fraction) -> None:
    table = catalog.game("fu-bacc")
    question = Question(table, "ante", {"tie": ratio})
    (((of, to), turns),) = turning_ratios(question, analyze(question).situations).items()
    assert (of, to) == ("tie", "ante")
    assert [turn.ratio for turn in turns] == sorted({turn.ratio for turn in turns})
    first, second = turns[0].ratio, turns[1].ratio
    plays = [
        analyze(Question(table, "ante", {"tie": each})).choices
        for each in (first / 2, first * Fraction(999, 1000), (first + second) / 2)
    ]
    alone = analyze(Question(table, "ante")).choices
    assert plays[0] == plays[1] == alone
    changed = [place for place, (a, b) in enumerate(zip(plays[1], plays[2], strict=True)) if a != b]
    assert len(changed) == len(turns[0].changes)


def test_an_unsized_tie_leaves_the_ante_as_it_is_played_alone() -> None:
    table = catalog.game("fu-bacc")
    alone, beside = analyze(Question(table, "ante")), analyze(Question(table, "ante", {"tie": None}))
    assert beside.figures == alone.figures


def test_a_raise_is_not_given_up_for_the_blackjack_beside_it() -> None:
    table = catalog.game("acey-deucey-21")
    alone = analyze(Question(table, "acey-deucey")).figures
    assert analyze(Question(table, "acey-deucey", {"blackjack": None})).figures == alone
    spot = together(Question(table, "war", {"blackjack": None, "acey-deucey": Fraction(2)}))
    assert spot.beside["acey-deucey"] == alone


def beside_blackjack(question: Question) -> JointFigures:
    answer = analyze(question)
    others = joint(question, answer.law) if answer.law else None
    return joint_figures(question, answer, others, first_deal_wagers(question))


def test_blackjack_varies_with_war_as_a_higher_first_card_helps_both() -> None:
    question = Question(catalog.game("acey-deucey-21", options={"decks": 1}), "war", {"blackjack": Fraction(2)})
    spot = beside_blackjack(question)
    moments = spot.moments
    assert moments.covariances["war", "blackjack"] == pytest.approx(0.41, abs=0.02)
    assert moments.means["blackjack"] == pytest.approx(2 * spot.figures.expectation)
    assert moments.variance == pytest.approx(sum(float(each) for each in moments.covariances.values()))


@pytest.mark.parametrize(
    ("game", "beside"),
    [
        ("acey-deucey-21", ["acey-deucey"]),
        ("lucky-lucky", ["lucky-lucky"]),
        ("lucky-lucky", ["lucky-lucky", "lucky-break"]),
    ],
)
def test_blackjack_comes_out_with_the_wagers_beside_it_as_the_referee_says(game: str, beside: list[str]) -> None:
    table = catalog.game(game, options={"max-hands": 1, "insurance": False})
    shoe = Shoe({card("8h"): 3, card("8d"): 1, card("Td"): 3, card("Ah"): 2})
    question = Question(table, "blackjack", dict.fromkeys(beside, Fraction(3)), exposed=thinned(table, shoe))
    every, walked = ["blackjack", *beside], dict[tuple[Fraction, ...], float]()
    for settled, chance in Referee(table, shoe).law(table.open_round([question.stakes])).items():
        lines = [[line for line in settled if line[0] in question.group_of(name)] for name in every]
        nets = tuple(sum((line[2] for line in mine), Fraction(0)) / question.unit for mine in lines)
        walked[nets] = walked.get(nets, 0) + float(chance)
    found: dict[tuple[Fraction, ...], float] = {}
    for row in beside_blackjack(question).rows:
        nets = tuple(row.nets[name] for name in every)
        found[nets] = found.get(nets, 0) + float(row.probability)
    assert found == pytest.approx(walked)


def test_whatever_lies_beside_it_blackjack_is_played_by_its_strategy_and_every_wager_keeps_its_law() -> None:
    table = catalog.game("acey-deucey-21", options={"decks": 2, "split-on": "rank"})
    question = Question(table, "blackjack", {"acey-deucey": Fraction(1)}, strategy="mimic-the-dealer")
    spot, alone = beside_blackjack(question), analyze(Question(table, "acey-deucey")).figures
    assert spot.figures == analyze(Question(table, "blackjack", strategy="mimic-the-dealer")).figures
    for name, law in (("blackjack", spot.figures), ("acey-deucey", alone)):
        single = by_net((outcome.net, outcome.probability) for outcome in law.outcomes)
        assert by_net((row.nets[name], row.probability) for row in spot.rows) == pytest.approx(single)


def by_net(rows: Iterable[tuple[Fraction, Number]]) -> dict[Fraction, float]:
    found: dict[Fraction, float] = {}
    for net, likely in rows:
        found[net] = found.get(net, 0) + float(likely)
    return found


def test_a_fixed_dollar_sets_the_scale_of_its_spot() -> None:
    game = catalog.game("spanish-poker", options={"offers": ["ante", "gran-progressive"]})
    question = Question(game, "ante", {"gran-progressive": Fraction(1, 5)}, jackpot=1_000_00)
    assert question.stakes == {"gran-progressive": 100, "ante": 500}
    alone = analyze(Question(game, "gran-progressive", jackpot=1_000_00)).figures
    assert together(question).beside["gran-progressive"].house_edge == alone.house_edge
    with pytest.raises(BadOption, match="whole cents"):
        analyze(Question(game, "ante", {"gran-progressive": Fraction(3, 7)}))
