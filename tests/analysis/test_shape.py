"""A game of a known shape needs no solver of its own: whoever added it, `analyze` finds the one that fits."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from msgspec import Struct

from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.audit.costs import Costs
from feltworks.analysis.solvers.showdown.solver import Showdown, showdown
from feltworks.analysis.solvers.showdown.spot import NoShowdown
from feltworks.analysis.strategy.advice import advice
from feltworks.analysis.strategy.optimal import hand_plays
from feltworks.analysis.strategy.report import strategy_report
from feltworks.cards import Card, Rank, card, cards, standard_shoe
from feltworks.hands.poker import HandValue
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Round, Seat
from feltworks.rules.rulebook.load import parse_rulebook
from feltworks.rules.steps import Decide, Draw, Step
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Verdict, Wager
from tests.analysis.studs import THREE_CARD, caribbean_stud, three_card_poker

ACE_OF_SPADES = card("As")
BELOW_JACKS = [face for face in standard_shoe() if face.rank < Rank.JACK]
BOOK = """
title = "Ace of Spades"
game = "ace_of_spades"
[cards]
decks = 1
shuffle = "every round"
[clause]
"AS.1" = "Three cards each; a pair or better wins, and so does the ace of spades."
[wager.ante]
title = "Ante"
kind = "main"
clause = "AS.1"
[pay_table.ante.1]
clause = "AS.1"
[pay_table.ante.1.pays]
"ace of spades" = "3 to 1"
"pair or better" = "1 to 1"
"nothing" = "lose"
"""


class Held(Struct, frozen=True):
    hand: HandValue | None
    has_ace_of_spades: bool


class Ante(Wager[Held]):
    name = "ante"
    outcomes = frozenset(["ace of spades", "pair or better", "nothing"])

    def judge(self, standing: Held) -> Verdict | None:
        if standing.hand is None:
            return None
        made = "nothing" if standing.hand.category == "high card" else "pair or better"
        return Verdict("ace of spades" if standing.has_ace_of_spades else made, "", ("AS.1",))


class AceOfSpades(Game[Held]):
    """Looks like a showdown, and pays for more than how good a hand is."""

    wager_types = (Ante,)
    ranking = THREE_CARD

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.seats[0].cards:
            yield Draw(0, 3)

    def standing(self, r: Round, seat: int) -> Held:
        faces = [face for face in r.seats[seat].cards if isinstance(face, Card)]
        hand = self.ranking.value(faces) if len(faces) == 3 else None
        return Held(hand, ACE_OF_SPADES in faces)


def ace_of_spades() -> AceOfSpades:
    return AceOfSpades(Terms(parse_rulebook(BOOK, name="ace-of-spades", file="ace-of-spades.toml")))


def test_a_showdown_somebody_added_is_solved_as_one() -> None:
    game = three_card_poker()
    answer = analyze(Question(game, "ante"))
    # Wizard of Odds, "Three Card Poker": 3.37 % of the ante under best play
    assert answer.figures == showdown(game).figures
    assert round(float(answer.figures.house_edge), 4) == 0.0337
    always = analyze(Question(game, "ante", strategy="always-raise")).figures
    assert round(float(always.house_edge), 4) == 0.0765


def test_the_practical_rule_of_three_card_poker_is_the_known_one() -> None:
    known = strategy_report(Question(three_card_poker(), "ante"), most_rules=1).ladder.strategies[-1]
    assert [rule.phrase.words for rule in known.rules] == ["with queen-six-four high or better"]
    assert (known.rules[0].choice, known.otherwise, known.cost) == ("raise", "fold", Fraction(0))


def test_a_wager_that_goes_by_one_card_is_left_to_the_referee() -> None:
    game = ace_of_spades()
    with pytest.raises(NoShowdown, match="goes by more than how good the hands are"):
        showdown(game)
    found = analyze(Question(game, "ante", exposed=BELOW_JACKS)).figures
    held = next(row for row in found.outcomes if row.name == "ace of spades")
    assert held.probability == Fraction(3, 16)


def test_every_hand_tells_which_part_of_it_makes_each_choice_against_any_up_card() -> None:
    few = [face for face in standard_shoe() if face.rank < Rank.TEN]
    solved = analyze(Question(caribbean_stud(up_card=True), "ante", exposed=few)).notes["showdown"]
    assert isinstance(solved, Showdown)
    hands = hand_plays(solved)
    assert sum(hand.probability for hand in hands) == 1
    raised = sum((hand.probability * hand.parts.get("raise", 0) for hand in hands), Fraction(0))
    assert solved.figures.average_wager == 1 + 2 * raised


def test_a_game_with_an_up_card_has_a_chart_and_rules_to_remember_with_their_exact_cost() -> None:
    few = [face for face in standard_shoe() if face.rank < Rank.TEN]
    question = Question(caribbean_stud(up_card=True), "ante", exposed=few)
    (grid,) = strategy_report(question).grids
    assert grid.columns == tuple("TJQKA")
    report = strategy_report(question, 2)
    assert any("dealer's rank" in listed.words or "against" in listed.words for listed in report.ladder.strategies)
    for listed in report.ladder.strategies:
        played = showdown(question.game, wagers=question.stakes, shoe=question.shoe, strategy=listed)
        assert played.figures_of("ante").house_edge == listed.house_edge == report.house_edge + listed.cost


def test_the_coach_knows_an_added_showdown() -> None:
    game = three_card_poker()
    hand = cards("Qc 6d 4h")
    r = Round((Seat({"ante": 200}, hand),), (FACE_DOWN,) * 3)
    step = game.awaits(r)
    assert isinstance(step, Decide)
    worth = advice(game, r, step).worth
    assert worth["fold"] == -200
    assert worth["raise"] == 200 * showdown(game).decision(hand).worth["raise"]


def test_an_audit_costs_what_somebody_added() -> None:
    costs, game = Costs(), three_card_poker()
    assert costs.of(game, "pair-plus").house_edge == analyze(Question(game, "pair-plus")).figures.house_edge
    assert list(costs.plays(game, "ante")) == []


def test_advice_takes_the_amount_of_a_free_raise_that_is_worth_most() -> None:
    game = three_card_poker(most="3")
    taken = {}
    for codes in ("Qc 6d 4h", "Ac Kd 9h", "Tc 5d 2h"):
        r = Round((Seat({"ante": 1000}, cards(codes)),), (FACE_DOWN,) * 3)
        step = game.awaits(r)
        assert isinstance(step, Decide)
        found = advice(game, r, step)
        taken[codes] = found.best, found.amounts[found.best]
    assert taken == {"Qc 6d 4h": ("raise", 100), "Ac Kd 9h": ("raise", 3000), "Tc 5d 2h": ("raise", 100)}
