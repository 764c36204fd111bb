"""Best play by situation, as charts, and where the ratio of two wagers turns it."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze, situations_of
from feltworks.analysis.joint import turning_ratios
from feltworks.analysis.question import parse_question
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from feltworks.analysis.solvers.showdown.solver import showdown
from feltworks.analysis.strategy.advice import advice
from feltworks.analysis.strategy.charts import hand_name
from feltworks.analysis.strategy.optimal import optimal_strategy
from feltworks.analysis.strategy.report import _cards, _cards_chart, blackjack_grids, grids_of, strategy_report
from feltworks.cards import Card, cards
from feltworks.errors import FeltError
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import Choice
from feltworks.rules.sights import PlayerView
from feltworks.rules.steps import Decide
from tests.designs import CLIMB, ladder, write

FU_BACC = Question(catalog.game("fu-bacc"), "ante")
SPANISH_POKER = Question(catalog.game("spanish-poker"), "ante")
ACEY_DEUCEY = Question(catalog.game("acey-deucey-21"), "acey-deucey")


@pytest.mark.parametrize("question", [FU_BACC, SPANISH_POKER, ACEY_DEUCEY], ids=lambda each: each.wager)
def test_best_play_of_all_situations_is_worth_what_the_analysis_says(question: Question) -> None:
    strategy = optimal_strategy(question)
    assert -strategy.optimum == analyze(question).figures.house_edge
    assert sum(each.probability for each in strategy.decided) == 1
    assert all(sum(each.best.values()) == 1 for each in strategy.decided)
    assert all(each.optimum >= max(each.values.values()) for each in strategy.decided)


def test_poker_hands_agree_with_the_showdown_one_by_one() -> None:
    strategy = optimal_strategy(SPANISH_POKER)
    solved = strategy.answer.notes["showdown"]
    known = [each for each in strategy.decided if len(each.best) == 1][::400]
    for each in known:
        assert solved.decision(each.view.cards).best == each.choice  # type: ignore[attr-defined]


def test_an_up_card_that_is_not_named_is_explained() -> None:
    (grid,) = grids_of(optimal_strategy(FU_BACC))
    assert grid.meaning == "an up card of 0 is a ten, jack, queen or king; one of 1 is an ace"


@pytest.mark.usefixtures("gallery")
def test_a_chart_of_a_game_without_suits_shows_no_suits() -> None:
    """Red Dog: of the 50 cards left, 28 lie between the two at a spread of 7 and 24 at one of 6."""
    (grid,) = strategy_report(parse_question("red-dog", "ante", decks=1), 1).grids
    assert grid.rows == tuple(map(str, range(1, 12)))
    assert {row: cell.choice for (row, _), cell in grid.cells.items()} == {
        row: "raise" if int(row) >= 7 else "call" for row in grid.rows
    }


def test_cards_are_charted_by_rank_unless_suits_tell_hands_apart() -> None:
    hands = [PlayerView(cards(codes)) for codes in ("Th 2c", "Kd Kh")]
    assert _cards_chart(hands, _cards).down.labels == ("2-10", "K-K")
    suited = PlayerView(cards("2h Th"))
    assert _cards_chart([*hands, suited], _cards).down.labels == ("2c Th", "2h Th", "Kd Kh")


def test_every_situation_of_a_chart_lies_in_a_cell_and_stars_mean_that_cards_decide() -> None:
    (grid,) = grids_of(optimal_strategy(FU_BACC))
    assert len(grid.cells) == 100
    assert grid.cells["7", "0"].choice == "stay"
    assert grid.cells["9", "9"].choice == "bonus"
    assert grid.cells["5", "0"].is_mixed
    assert "0 against 1: fold with 9-1" in grid.notes
    assert all(sum(cell.shares.values()) == 1 for cell in grid.cells.values())


def test_a_poker_chart_shows_the_borderline() -> None:
    (grid,) = grids_of(optimal_strategy(SPANISH_POKER))
    assert grid.cells["king high", "3"].shares == {"raise": 1}
    assert grid.cells["pair of twos", "2"].shares == {"fold": 1}
    assert grid.cells["pair of sixes", "3"].is_mixed
    assert len(grid.notes) == 8


@pytest.mark.usefixtures("gallery")
def test_hands_that_leave_cards_out_are_charted_with_the_choices_that_each_is_offered() -> None:
    """Only a pair of aces or better may be played for more; its printed strategy folds below K-Q-8-4."""
    question = parse_question("four-of-five", "ante")
    strategy = optimal_strategy(question)
    assert -strategy.optimum == analyze(question).figures.house_edge
    (grid,) = grids_of(strategy)
    assert grid.cells["pair of aces", "2"].shares == {"play $300": 1}
    assert grid.cells["pair of kings", "2"].shares == {"play": 1}
    assert grid.cells["queen high", "0"].shares == {"fold": 1}
    notes = "\n".join(grid.notes)
    assert "borderline K Q 8 4 2: play for most suits" in notes
    assert "borderline K Q 8 3 2: fold;" in notes


def test_blackjack_has_hard_soft_and_pair_charts_with_the_worth_of_every_choice() -> None:
    table = TableAnalysis(catalog.game("lucky-lucky"))
    hard, soft, pairs = blackjack_grids(table.basic_strategy)
    assert hard.cells["16", "10"].choice == "hit"
    assert soft.cells["18", "3"].choice == "double"
    assert soft.cells["18", "3"].otherwise == "stand"
    assert pairs.rows[0] == "A-A"
    assert {name: cell.choice for (name, up), cell in pairs.cells.items() if up == "8"}["8-8"] == "split"
    assert set(pairs.cells["8-8", "10"].values) == {"stand", "hit", "double", "split"}


def test_best_play_turns_exactly_at_its_turning_ratios() -> None:
    table = catalog.game("fu-bacc")
    beside = Question(table, "ante", {"tie": Fraction(1)})
    turns = turning_ratios(beside, situations_of(beside))["tie", "ante"]
    assert [turn.ratio for turn in turns] == sorted(turn.ratio for turn in turns)
    nudge = Fraction(1, 10**6)
    for turn in turns[100:101]:
        change = turn.changes[0]
        plays = []
        for ratio in (turn.ratio - nudge, turn.ratio + nudge):
            found = optimal_strategy(Question(table, "ante", {"tie": ratio})).decided
            plays.append(
                next(
                    each.choice
                    for each in found
                    if each.view.cards == change.view.cards and each.view.dealer == change.view.dealer
                )
            )
        assert plays == [change.before, change.after]


def test_turning_ratios_do_not_depend_on_the_ratio_they_are_asked_at() -> None:
    table = catalog.game("fu-bacc")
    some, others = (
        [turn.ratio for turn in turning_ratios(asked, situations_of(asked))["tie", "ante"]]
        for asked in (
            Question(table, "ante", {"tie": Fraction(1)}),
            Question(table, "tie", {"ante": Fraction(3)}),
        )
    )
    assert some == others


def test_known_cards_change_the_strategy() -> None:
    gone = Question(catalog.game("fu-bacc"), "ante", exposed=cards("9c 9d 9h 8c 8d"))
    assert optimal_strategy(gone).optimum != optimal_strategy(FU_BACC).optimum


@pytest.mark.parametrize(
    ("game", "wager"), [("fu-bacc", "tie"), ("spanish-poker", "dos-pares"), ("acey-deucey-21", "war")]
)
def test_a_wager_without_a_decision_has_no_strategy(game: str, wager: str) -> None:
    with pytest.raises(FeltError, match="nothing to decide"):
        optimal_strategy(Question(catalog.game(game), wager))


def test_every_decision_of_compiled_rules_has_a_chart_that_the_coach_agrees_with(own_games: Path) -> None:
    short = 'cards = { shuffle = "every round", without = ["2", "3", "4", "5", "6", "7", "8", "9"] }'
    write(own_games, {**CLIMB, "climb.toml": CLIMB["climb.toml"].replace('cards = { shuffle = "every round" }', short)})
    game = catalog.game("climb")
    report = strategy_report(Question(game, "ante"), 1)
    titles = [grid.title for grid in report.grids]
    assert titles[:3] == ["Best play", "rung 2 after higher", "rung 2 after lower"]
    assert {"rung 3 after higher, lower", "rung 3 after lower, higher"} < set(titles)
    assert report.left_out == ""
    for grid in report.grids[1:]:
        path = grid.title.partition(" after ")[2].split(", ")
        for (row, _), cell in [*grid.cells.items()][::4]:
            mine = cards(f"{rank}{suit}" for rank, suit in zip(row.replace("10", "T").split("-"), "cdhs", strict=False))
            assert cell.choice == coach(game, mine, path), (grid.title, row)


def coach(game: Game[object], mine: Sequence[Card], path: Sequence[str]) -> str:
    """What the coach advises when these cards came and these choices were made in between."""
    r, left, made = game.open_round([{"ante": 1000}]), iter(mine), iter(path)
    while (step := game.awaits(r)) is not None:
        if not isinstance(step, Decide):
            r = advance(r, step, (next(left),))
        elif choice := next(made, ""):
            r = advance(r, step, Choice(choice, 0, step.about))
        else:
            return advice(game, r, step).best
    raise AssertionError("the round ended before the decision")


def test_a_decision_without_a_chart_is_named(own_games: Path) -> None:
    write(own_games, ladder(2, without="23456789"))
    report = strategy_report(Question(catalog.game("ladder"), "ante"), 1)
    assert len(report.grids) == 1
    assert "no chart of second" in report.left_out


def test_a_chart_by_the_dealer_s_card_costs_what_a_player_loses_who_goes_by_it(own_games: Path) -> None:
    for path in catalog.examples_folder().glob("caribbean*.*"):
        short = path.read_text().replace("decks = 1,", f"decks = 1, without = {list('234567')},")
        (own_games / path.name).write_text(short)
    game = catalog.game("caribbean-stud")
    report = strategy_report(Question(game, "ante"))
    (grid,) = report.grids
    assert grid.columns == tuple("89TJQKA")
    assert any(cell.is_mixed for cell in grid.cells.values())
    solved = showdown(game, wagers={"ante": 100})
    left, line_of = list(dict.fromkeys(map(hand_name, reversed(solved.classes.values)))), dict[str, str]()
    for row in grid.rows:  # a line may stand for several hands, down to the one it names or to the last
        last = left[-1] if row.endswith(" or worse") else row.removesuffix(" or better").partition(" to ")[0]
        while last not in line_of:
            line_of[left.pop(0)] = row
    assert not left

    def follow(view: PlayerView) -> str:
        line = line_of[hand_name(solved.classes.ranking.value(view.cards))]
        return grid.cells[line, view.dealer[0].rank.letter].choice

    played = solved.play_by(follow).figures.house_edge
    assert report.chart_edge == played > report.house_edge
