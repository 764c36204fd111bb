"""Spanish Poker on the machine against the ranking, the rules and the analysis."""

import os
from fractions import Fraction
from itertools import combinations, product
from math import sqrt
from typing import Any

import numpy as np
import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question
from feltworks.analysis.solvers.showdown.hands import HandClasses, hand_classes
from feltworks.analysis.solvers.showdown.solver import showdown
from feltworks.analysis.strategy.file import Cards
from feltworks.analysis.strategy.practical import practical_strategies
from feltworks.cards import cards
from feltworks.errors import FeltError
from feltworks.games.spanish_poker import SpanishPoker
from feltworks.machine.play import Play
from feltworks.machine.streams import Stream
from feltworks.machine.tables import Tables
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.rounds.decisions import play_of
from feltworks.simulation.rounds.kernel import kernel_for
from feltworks.simulation.rounds.machine import MachineKernel
from feltworks.simulation.rounds.plain import PlainKernel
from feltworks.simulation.rounds.replay import LaidShoe, play_seats
from tests.simulation.rounds import deal_rounds
from tests.simulation.stacked_stream import StackedStream
from tests.simulation.twin import check_kernel, check_tally, check_twin, settled_by_rules

ANTE = {"ante": 500}
SIXES = Strategy(
    "sixes.json",
    {"rules": [{"choice": "raise", "if": {"hand": {"from": "6c 6d 4h 3s 2c"}}}, {"choice": "fold"}]},
)
PROGRESSIVE = {"offers": ["ante", "dos-pares", "gran-progressive"]}
POSTED = 999_999  # one jackpot, so that tests share the tables


def spanish(**options: object) -> SpanishPoker:
    game = catalog.game("spanish-poker", options=options)
    assert isinstance(game, SpanishPoker)
    return game


def plan(*seats: dict[str, int], **more: Any) -> Plan:
    return Plan("spanish-poker", seats or (ANTE,), **more)


def classes_of(game: SpanishPoker) -> HandClasses:
    return hand_classes(game.terms.shoe, game.ranking)


def chosen(play: Play, hand: Cards) -> str:
    """What a seat with this hand chooses on the machine."""
    others = [card for card in play.tables.faces if card not in hand]
    shoe = LaidShoe((*hand, *others))
    (choice,) = play_seats([play], shoe, 0)[0][0].choices
    return choice.name


@pytest.mark.clause("SP.2", "SP.3", "SP.4", "SP.5", "SP.26")
@pytest.mark.parametrize("wheel", [False, True])
def test_the_tables_rank_every_kind_of_hand_as_the_rules_do(wheel: bool) -> None:
    """Of all hands that lead to one state the worst and the best are worth the same, or lose to any house."""
    game = spanish(wheel=wheel)
    tables = Tables(game, ANTE) if wheel else play_of(plan(), ANTE).tables
    every = np.array(list(combinations(range(41), 5)))
    states = np.full(len(every), tables.start)
    for column in every.T:
        states = tables.after_faces[states, column]
    values, known = np.zeros(len(every), np.int64), {}
    for row, hand in enumerate(every.tolist()):
        value = game.ranking.value([tables.faces[face] for face in hand])
        values[row] = known.setdefault(value.strength, value).strength
    order = np.lexsort((values, states))
    begins = np.flatnonzero(np.diff(states[order], prepend=-1))
    ends = np.append(begins[1:], len(order)) - 1
    qualifier = game.weakest_qualifier.strength
    for worst, best in zip(values[order[begins]].tolist(), values[order[ends]].tolist(), strict=True):
        assert worst == best or best < qualifier
    assert len(begins) >= sum(strength >= qualifier for strength in known)


def test_hands_that_suits_decide_raise_by_their_very_cards() -> None:
    game = spanish()
    solved, classes, play = showdown(game), classes_of(game), play_of(plan(), ANTE)
    ranks = {tuple(sorted(card.rank for card in classes.cards(row))): set[str]() for row in range(len(classes))}
    best = [""] * len(classes)
    worth, _ = solved.worth()
    for row, (fold, raise_) in enumerate(zip(worth["fold"], worth["raise"], strict=True)):
        best[row] = "raise" if raise_ > fold else "fold"
        if not classes.is_suited[row]:
            ranks[tuple(sorted(card.rank for card in classes.cards(row)))].add(best[row])
    unclear = [
        row for row in range(len(classes))
        if len(ranks[tuple(sorted(card.rank for card in classes.cards(row)))]) > 1
    ][::10]  # fmt: skip
    assert {best[row] for row in unclear} == {"fold", "raise"}
    for row in unclear:
        assert best[row] == solved.decision(classes.cards(row)).best
        for hand in classes.faces_of(row):
            assert chosen(play, hand) == best[row]


def test_a_written_strategy_is_settled_as_at_the_table() -> None:
    check_twin(plan(ANTE, {"dos-pares": 100}, strategy=SIXES), rounds=1_000)


ROYALS = [f"7{suit} J{suit} Q{suit} K{suit} A{suit}" for suit in "cdhs"]
CINCOS, NO_WINNER = "2c 2d 2h 2s Jo", "3c 3d 3h 4d 5h"


@pytest.mark.clause("SP.13", "SP.14")
def test_winners_of_one_round_share_the_jackpot_as_at_the_table() -> None:
    for cincos, royals, without in product((True, False), (0, 1, 4), (None, 0, 1)):  # they share their tables
        _check_shares(cincos, royals, without)


def _check_shares(cincos: bool, royals: int, without: int | None) -> None:
    """`without`: a seat that holds its hand without the progressive wager and so has no share."""
    hands = [CINCOS if cincos else NO_WINNER, *ROYALS[:royals]]
    # No Ante: what it does changes no share, and these two are compiled in a moment
    wagers, other = {"gran-progressive": 100}, {"dos-pares": 500}
    seats = [other if seat == without else wagers for seat in range(len(hands))]
    table = plan(*seats, options=PROGRESSIVE, jackpot=POSTED)
    table.check()
    deck, laid = table.table.terms.shoe.all_cards(), cards(" ".join(hands))
    kernel = kernel_for(table)
    assert isinstance(kernel, MachineKernel)
    batch = kernel.batch

    def stacked() -> StackedStream:
        return StackedStream(deck, laid, batch)

    (dealt,) = deal_rounds(kernel, stacked(), 1)
    assert dealt.cards[: len(laid)] == laid  # then the house's, which decide nothing here
    assert settled_by_rules(table.table, dealt) == sorted(dealt.lines)
    check_tally(table, kernel.layout, kernel.tally(stacked(), 1), [dealt])
    assert kernel.nets(stacked(), 1) == [sum(line.net for line in dealt.lines if not line.seat)]


def test_rounds_of_six_seats_on_one_jackpot() -> None:
    """`make replay` deals twenty thousand of them again."""
    seats = [{"ante": 500, "gran-progressive": 100}, {"gran-progressive": 100}, {"dos-pares": 100}] * 2
    rounds = int(os.environ.get("FELT_REPLAY", "800"))
    kernel = check_twin(plan(*seats, options=PROGRESSIVE, jackpot=POSTED), rounds=rounds)
    counted = {cell.outcome for cell in kernel.tally(Stream(2021, 0), 20_000).cells}
    assert counted & {"royal flush", "cincos"}, "no seat came near the jackpot"


def test_rounds_that_the_rules_deal_one_by_one_share_a_jackpot_too() -> None:
    seats = [{"ante": 500, "gran-progressive": 100}, {"gran-progressive": 100}]
    plain = plan(*seats, strategy=SIXES, options=PROGRESSIVE, jackpot=1_234_567)
    check_kernel(plain, PlainKernel(plain), rounds=500)


@pytest.mark.parametrize("seats", [1, 3])
def test_the_counts_agree_with_the_exact_law_of_the_spot(seats: int) -> None:
    """Every way the Ante and its Raise come out is as frequent as the analysis says, within five errors."""
    rounds, kernel = 1_500_000 // seats, kernel_for(plan(*(ANTE,) * seats))
    tally = kernel.tally(Stream(7, 0), rounds)
    counted: dict[tuple[int, int], int] = {}
    for cell, count in tally.cells.items():
        counted[cell.net, cell.wagered] = counted.get((cell.net, cell.wagered), 0) + count
    exact: dict[tuple[int, int], float] = {}
    for row in showdown(spanish()).figures.outcomes:
        key = int(row.net * 500), int(row.wagered * 500)
        exact[key] = exact.get(key, 0) + float(row.probability)
    assert {key for key, count in counted.items() if count} <= exact.keys()
    for key, chance in exact.items():
        expected = rounds * seats * chance
        assert abs(counted.get(key, 0) - expected) <= 5 * seats * sqrt(expected) + 5


def test_a_written_strategy_raises_with_the_hands_it_names_and_no_others() -> None:
    game = spanish()
    classes = classes_of(game)
    sixes = game.weakest_qualifier
    document = {**SIXES.document, "situations": [{"cards": "Ac Kd 7h 6s 2c", "choice": "raise"}]}
    play = play_of(plan(strategy=Strategy("own.json", document)), ANTE)
    named = classes.class_of(cards("Ad Kc 7s 6h 2d"))[0]
    for row, value in enumerate(classes.value.tolist()):
        raises = chosen(play, classes.cards(row)) == "raise"
        assert raises == (classes.values[value] >= sixes or row == named)


def test_the_practical_list_is_played_hand_by_hand() -> None:
    game = spanish()
    best = practical_strategies(Question(game, "ante"), 2)[-1]
    classes, play = classes_of(game), play_of(plan(strategy=Strategy("practical-2")), ANTE)
    worth, divisor = showdown(game).worth()
    brought = sum(int(hands) * worth[chosen(play, classes.cards(row))][row] for row, hands in enumerate(classes.hands))
    assert Fraction(-brought, divisor * int(classes.hands.sum())) == best.house_edge


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        (Strategy("basic"), "--strategy cannot be 'basic'; it takes optimal, joint, always- and a choice"),
        (Strategy("f", {"rules": []}), "f says nothing for"),
    ],
    ids=repr,
)
def test_a_strategy_that_leaves_a_hand_open_is_refused_in_a_sentence(strategy: Strategy, sentence: str) -> None:
    with pytest.raises(FeltError, match=sentence):
        kernel_for(plan(strategy=strategy))


def test_sums_of_squares_do_not_wrap_and_amounts_that_could_make_them_are_refused() -> None:
    highest = {"dos-pares": 10**13}  # bonus wagers: amounts are all that matters, and they are compiled in a moment
    check_twin(plan(highest, highest), rounds=300)
    riding = {"gran-progressive": 100}
    check_twin(plan(riding, riding, options=PROGRESSIVE, jackpot=10**8 + 1), rounds=300)
    check_twin(plan(riding, options=PROGRESSIVE, jackpot=10**13 + 1), rounds=300)
    with pytest.raises(FeltError, match="a round moves less than"):
        kernel_for(plan(riding, riding, options=PROGRESSIVE, jackpot=10**13 + 1))
    with pytest.raises(FeltError, match="a round moves less than"):
        kernel_for(plan(riding, options=PROGRESSIVE, jackpot=10**20))
