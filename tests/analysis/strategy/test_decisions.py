"""Strategy files in games with several decisions: against every deal of a short deck, played one by one."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.referee import Law, Referee
from feltworks.analysis.shape import main_wager_of
from feltworks.analysis.solvers.board.answer import BoardByFile
from feltworks.analysis.solvers.board.solver import BoardSolver
from feltworks.analysis.solvers.streets.solver import StreetsSolver, streets_solver
from feltworks.analysis.solvers.streets.tree import Street
from feltworks.analysis.strategy.decisions import Follower, view_of
from feltworks.analysis.strategy.file import Chooser, StrategyFile
from feltworks.analysis.strategy.ladders import street_ladders
from feltworks.cards import Card, Shoe, cards
from feltworks.hands.poker import STANDARD, best_value
from feltworks.machine.node import choices_of, names_of
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round
from feltworks.rules.sights import PlayerView
from feltworks.rules.steps import Decide

pytestmark = pytest.mark.usefixtures("gallery")

BOARD_WAGERS = {"ante": 100, "blind": 100}
FACTS = {
    "made": ["pair", "pair of queens", "two pair", "three of a kind", "straight"],
    "flush_cards": [2, 3, 4],
    "straight_cards": [2, 3, 4],
    "straight_flush_cards": [2, 3],
    "wagered": [1, 2, 3, 4],
}
BOARD_FACTS = FACTS | {
    "own_pair": ["Q", "K", "A"],
    "higher": ["K", "A"],
    "lower": ["Q", "K"],
    "over_cards": [1, 2],
    "flush_high": ["K", "A"],
}


def random_file(chance: Random, decisions: dict[str, list[str]], facts: dict[str, list[Any]]) -> StrategyFile:
    """Three rules for every decision, each with two facts, and a last word."""

    def rule(names: list[str]) -> dict[str, Any]:
        some = chance.sample(sorted(facts), 2)
        when = {name: {chance.choice(["from", "to"]): chance.choice(facts[name])} for name in some}
        return {"if": when, "choice": chance.choice(names)}

    parts = {
        about: {"rules": [*(rule(names) for _ in range(3)), {"choice": chance.choice(names)}]}
        for about, names in decisions.items()
    }
    return msgspec.convert({"decisions": parts}, StrategyFile)


class FollowingReferee(Referee):
    """Decides by a file where the referee would look for the best choice."""

    follow: Follower

    def best(self, r: Round, step: Decide) -> tuple[Choice, Law]:
        choices = list(choices_of(step))
        choice = choices[names_of(choices).index(self.follow(view_of(self.game, r, step)))]
        return choice, self.law(advance(r, step, choice))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("name", "few"),
    [("let-it-ride", "Ah Ad Kh Qh Jh 7c 7d"), ("mississippi-stud", "Ah Kh Qh 6d 6c 5c")],
)
def test_streets_by_a_random_file_are_worth_what_the_referee_walks(name: str, few: str, seed: int) -> None:
    table = catalog.game(name)
    wagers, shoe = dict.fromkeys(table.terms.openings, 100), Shoe(dict.fromkeys(cards(few), 1))
    best = StreetsSolver(table, wagers, shoe)
    decisions = {street.about: [n for n, _ in street.choices] for street in best.streets.root.decisions()}
    follow = Follower(table, random_file(Random(seed), decisions, FACTS))
    referee = FollowingReferee(table, shoe)
    referee.follow = follow
    solved = streets_solver(table, wagers, shoe, strategy=follow).figures_of(frozenset(table.wagers), 100)
    assert solved.expectation == referee.expectation(table.open_round([wagers])) / 100
    assert solved.expectation <= best.figures_of(frozenset(table.wagers), 100).expectation


@pytest.mark.parametrize("name", ["let-it-ride", "mississippi-stud"])
def test_rules_of_a_street_cost_what_a_player_loses_who_goes_by_them(name: str) -> None:
    table = catalog.game(name)
    low = [card for card in table.terms.shoe if card.rank < 9]  # for a small deck
    question = Question(table, main_wager_of(table), exposed=low)
    answer = analyze(question)
    solved = answer.notes["streets"]
    assert isinstance(solved, StreetsSolver)
    best = {solved.view(each.street, each.cards): each.best for each in solved.decisions()}
    for about, ladder in street_ladders(question, answer, solved, 3):
        for listed in ladder.strategies:

            def follow(view: PlayerView, about: str = about, listed: Chooser = listed) -> str:
                return listed(view) if view.about == about else best[view]

            played = streets_solver(table, question.stakes, question.shoe, strategy=follow)
            edge = played.figures_of(question.group, question.unit).house_edge
            assert edge == listed.house_edge == answer.figures.house_edge + listed.cost


class EveryDeal:
    """What a file brings on a shared board, by walking every deal."""

    def __init__(self, solver: BoardSolver, deck: tuple[Card, ...], follow: Follower) -> None:
        self.boards, self.deck, self.follow = solver.boards, deck, follow
        self.value = cache(lambda held: best_value(STANDARD, tuple(held)))
        self.net = cache(
            lambda end, mine, theirs: sum(
                (line.net for line in self.boards.valued_result(end, mine, theirs)), Fraction(0)
            )
        )

    def worth(self, street: Street, own: tuple[Card, ...], board: tuple[Card, ...]) -> Fraction:
        """The mean over all ways to complete the board and to deal the dealer's cards."""
        left = [card for card in self.deck if card not in own and card not in board]
        if len(board) < street.seen:
            taken = list(combinations(left, street.seen - len(board)))
            return sum((self.worth(street, own, (*board, *more)) for more in taken), Fraction(0)) / len(taken)
        if street.choices:
            return self.worth(dict(street.choices)[self.follow(self.view(street, own, board))], own, board)
        mine = self.value(frozenset((*own, *board)))
        theirs = [self.value(frozenset((*pair, *board))) for pair in combinations(left, 2)]
        return sum((self.net(street, mine, other) for other in theirs), Fraction(0)) / len(theirs)

    def view(self, street: Street, own: tuple[Card, ...], board: tuple[Card, ...]) -> PlayerView:
        money = 200 + sum(choice.cents or 0 for choice in street.path)
        names = tuple(name for name, _ in sorted(street.choices, key=lambda each: each[1].path[-1].cents or 0))
        return PlayerView(own, (), names, board, street.about, Fraction(money, 100))


def short_deck(table: Game[Any]) -> Shoe:
    """Three ranks of four suits: as few cards as a round takes, and suits alike."""
    return Shoe(dict.fromkeys([card for card in table.terms.shoe if card.rank >= 12], 1))


@pytest.mark.parametrize("seed", range(3))
def test_a_shared_board_by_a_random_file_is_worth_what_all_deals_bring(seed: int) -> None:
    table = catalog.game("ultimate-holdem")
    decisions = {"early-play": ["check", "play", "play least"], "flop-play": ["check", "play"]}
    decisions["river-play"] = ["fold", "play"]
    chance = Random(seed)
    file = random_file(chance, decisions, BOARD_FACTS)
    shoe = short_deck(table)
    follow = Follower(table, file)
    solver = BoardByFile(table, BOARD_WAGERS, shoe, follow)
    every, kinds = EveryDeal(solver, tuple(shoe), follow), dict[Any, list[tuple[Card, ...]]]()
    for pair in combinations(tuple(shoe), 2):
        kinds.setdefault((pair[0].rank, pair[1].rank, pair[0].suit is pair[1].suit), []).append(pair)
    expected = sum(len(pairs) * every.worth(solver.boards.root, pairs[0], ()) for pairs in kinds.values()) / 66
    assert solver.figures_of(frozenset(table.wagers), 100).expectation == expected / 100
