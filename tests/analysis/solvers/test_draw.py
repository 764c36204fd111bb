"""The draw solver against every deal of a small deck, counted one by one."""

import sys
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import UNIT, Question
from feltworks.analysis.shape import estimate
from feltworks.analysis.solvers.draw import DrawRounds, DrawSolver, NoDraw, draw_solver
from feltworks.analysis.strategy.advice import advice
from feltworks.analysis.strategy.report import strategy_report
from feltworks.cards import Card, Shoe, cards
from feltworks.errors import ImpossibleRound
from feltworks.hands.hand import chosen_cards
from feltworks.hands.poker import STANDARD
from feltworks.money import Odds
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.steps import Decide, Draw, Offer
from tests.conftest import forget_games

DECK = cards("Ac Ad Ah Kc Kd Qc Qh Jc Tc 9d")


pytestmark = pytest.mark.usefixtures("gallery")


def pay(game: Game[object], hand: tuple[Card, ...]) -> Fraction:
    """What a whole hand pays, by its category and the rank of its pair."""
    value = STANDARD.value(hand)
    row = value.category
    if row == "pair":
        row = "jacks or better" if value.ranks[0].letter in "JQKA" else "low pair"
    return game.pays["ante"][row].exact  # type: ignore[union-attr]  # its pays are odds


def worth_by_hand(game: Game[object], hand: tuple[Card, ...], name: str) -> Fraction:
    """What a choice brings on average over every draw, per unit."""
    discards = chosen_cards(name)
    kept = tuple(card for place, card in enumerate(hand) if place not in discards)
    draws = list(combinations([card for card in DECK if card not in hand], len(discards)))
    return sum((pay(game, (*kept, *drawn)) for drawn in draws), Fraction(0)) / len(draws)


@pytest.fixture(scope="module")
def small() -> tuple[Game[object], DrawSolver]:
    game = catalog.game("draw-poker")
    return game, DrawSolver(game, {"ante": UNIT}, Shoe(dict.fromkeys(DECK, 1)))


def test_every_deal_of_a_small_deck_gives_the_same_edge(small: tuple[Game[object], DrawSolver]) -> None:
    game, solved = small
    hands = list(combinations(DECK, 5))
    best = [max(worth_by_hand(game, hand, name) for name in solved.names) for hand in hands]
    figures = solved.figures_of(frozenset(["ante"]), UNIT)
    assert figures.expectation == sum(best, Fraction(0)) / len(hands)
    assert sum(solved.law.values()) == 1


def test_each_choice_is_worth_what_its_draws_bring(small: tuple[Game[object], DrawSolver]) -> None:
    game, solved = small
    for seed in range(3):
        hand = tuple(Random(seed).sample(DECK, 5))
        assert solved.worth(hand) == {name: UNIT * worth_by_hand(game, hand, name) for name in solved.names}


def test_a_strategy_that_never_draws_is_paid_by_the_deal(small: tuple[Game[object], DrawSolver]) -> None:
    game, _ = small
    shoe = Shoe(dict.fromkeys(DECK, 1))
    solved = draw_solver(game, {"ante": UNIT}, shoe, {}, strategy=lambda view: view.offers[0])
    hands = list(combinations(DECK, 5))
    dealt = sum((pay(game, hand) for hand in hands), Fraction(0)) / len(hands)
    assert solved.figures_of(frozenset(["ante"]), UNIT).expectation == dealt


def test_offers_for_some_places_of_cards_are_no_draw_that_a_class_of_hands_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = catalog.game("draw-poker")
    rules = sys.modules[type(game).__module__]
    monkeypatch.setattr(rules, "OFFERS", (Offer("stand"), Offer.of_cards("discard", (0,))))
    with pytest.raises(NoDraw, match="not every card may be discarded"):
        DrawRounds(game, {"ante": UNIT}, {})


def test_a_deck_too_small_for_every_exchange_is_refused_with_the_cards_it_takes(
    small: tuple[Game[object], DrawSolver], own_games: Path
) -> None:
    with pytest.raises(ImpossibleRound, match="Draw Poker takes 10 cards or more; the shoe holds 9"):
        DrawSolver(small[0], {"ante": UNIT}, Shoe(dict.fromkeys(DECK[:9], 1)))
    for path in catalog.examples_folder().glob("draw*.*"):
        short = path.read_text().replace("decks = 1,", f"without = {list('23456789TJQK')},")
        (own_games / path.name).write_text(short)
    forget_games()
    with pytest.raises(ImpossibleRound, match="Draw Poker takes 10 cards or more; the shoe holds 4"):
        strategy_report(Question(catalog.game("draw-poker"), "ante"))


def test_other_pays_are_applied_to_the_same_counts(small: tuple[Game[object], DrawSolver]) -> None:
    _, solved = small
    other = catalog.game("draw-poker")
    other.pays = {"ante": {**other.pays["ante"], "royal flush": Odds(1, 1), "full house": Odds(90, 1)}}
    afresh = DrawSolver(other, {"ante": UNIT}, Shoe(dict.fromkeys(DECK, 1)))
    assert solved.reprice(other).law == afresh.law != solved.law


def test_the_whole_deck_gives_the_known_fraction_and_the_coach_the_known_hold() -> None:
    game = catalog.game("draw-poker")
    assert estimate(game).solver == "draw"
    # The return of this pay table has the denominator 1,661,102,543,100 wherever it was worked out
    assert analyze(Question(game, "ante")).figures.house_edge == Fraction(7576216117, 1661102543100)
    report = strategy_report(Question(game, "ante"))
    assert report.grids[0].rows[0] == "all cards: royal flush"
    assert report.chart_edge is not None
    assert 0 < report.chart_edge - report.house_edge < Fraction(1, 1000)
    hand = cards("Ah Kh 2c Qh Jh")
    opened = game.open_round([{"ante": 100}])
    r = advance(opened, Draw(0, 5), hand)
    step = game.awaits(r)
    assert isinstance(step, Decide)
    assert advice(game, r, step).best == "discard 3"
