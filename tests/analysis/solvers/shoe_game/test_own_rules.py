"""Rules of one's own, made from blackjack's: the shoe solver asks them, so its figures are the referee's."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import pytest

from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.referee import Referee, mean, net
from feltworks.analysis.solvers import shoe_game
from feltworks.analysis.solvers.shoe_game.bonus import bonus_figures
from feltworks.analysis.solvers.shoe_game.chart import Advice, chart_of, codes_of, plan_of
from feltworks.analysis.solvers.shoe_game.rules import NoShoeGame, table_rules
from feltworks.analysis.solvers.shoe_game.solver import ShoeGame
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis, insurance
from feltworks.games.blackjack import HOLE, Blackjack, BlackjackStanding, BlackjackWager, Insurance
from feltworks.hands.blackjack import BlackjackHand
from feltworks.hands.spot import Spot, SpotHand
from feltworks.money import Cents
from feltworks.rules.round import DEALER, Round, face_up
from feltworks.rules.steps import Decide, Offer, Step
from feltworks.rules.wager import Verdict
from tests.analysis.follower import UNIT, own_table, shoe_of, walked
from tests.analysis.solvers.shoe_game.test_analysis import nets, nets_of


class HitsEvery17(Blackjack):
    """The dealer draws to 17, hard or soft."""

    def _is_complete(self, dealer: BlackjackHand) -> bool:
        return dealer.held > 1 and dealer.points > 17


class StandsOn16(Blackjack):
    """The dealer stands on 16 or more, and on a soft 17 or more."""

    def _is_complete(self, dealer: BlackjackHand) -> bool:
        return dealer.held > 1 and dealer.points >= (17 if dealer.soft else 16)


class DoublesSoft(Blackjack):
    """Soft hands alone may be doubled, and hard eights."""

    def _offers(self, spot: Spot, hand: SpotHand, wagered: Cents) -> tuple[Offer, ...]:
        offers = super()._offers(spot, hand, wagered)
        may_double = hand.soft or hand.points == 8
        return tuple(offer for offer in offers if offer.name != "double" or may_double)


class DoublesLonger(Blackjack):
    """Hands of any number of cards may be doubled; a spot gives the card to those of two alone."""

    def _offers(self, spot: Spot, hand: SpotHand, wagered: Cents) -> tuple[Offer, ...]:
        offers = [offer for offer in super()._offers(spot, hand, wagered) if offer.name != "double"]
        if hand.points <= 11 and not hand.is_split:
            offers.append(Offer.exactly("double", "blackjack", wagered))
        return tuple(offers)


class ByUpCard(Blackjack):
    """A hand may be doubled against a three alone, and surrendered against an ace alone."""

    def procedure(self, r: Round) -> Iterator[Step]:
        for step in super().procedure(r):
            if isinstance(step, Decide) and step.about.startswith("hand"):
                up = r.hand(DEALER, BlackjackHand())
                barred = {"double"} if up.points != 3 else set()
                barred |= {"surrender"} if not up.soft else set()
                offers = tuple(offer for offer in step.offers if offer.name not in barred)
                yield Decide(step.seat, offers, step.about)
            else:
                yield step


class PushesOn22(BlackjackWager):
    """A dealer's 22 leaves every hand as it was that is not over 21 and no blackjack."""

    def _judge_hand(self, standing: BlackjackStanding, index: int) -> Verdict | None:
        verdict = super()._judge_hand(standing, index)
        if verdict and verdict.outcome == "dealer over 21" and standing.dealer.total == 22:
            return Verdict("equal", "the dealer has 22", ("BJ.4",))
        return verdict


class Push22(Blackjack):
    wager_types: ClassVar[Any] = (PushesOn22, Insurance)


class TiesAndLowHands(BlackjackWager):
    """Equal totals lose, and a total below 14 ties a dealer who is over 21."""

    def _judge_hand(self, standing: BlackjackStanding, index: int) -> Verdict | None:
        verdict = super()._judge_hand(standing, index)
        if verdict and verdict.outcome == "equal":
            return Verdict("lower", "the dealer takes equal totals", ("BJ.4",))
        if verdict and verdict.outcome == "dealer over 21" and standing.spot.hands[index].points < 14:
            return Verdict("equal", "too low to win", ("BJ.4",))
        return verdict


class TiesLose(Blackjack):
    wager_types: ClassVar[Any] = (TiesAndLowHands, Insurance)


OWN: list[tuple[type[Blackjack], str, dict[str, Any]]] = [
    (HitsEvery17, "Ah*3 Th*5 6h*3", {"peek": True}),
    (HitsEvery17, "7h*4 Th*5 3h*4", {"peek": False}),
    (StandsOn16, "Ah*3 Th*5 6h*4", {}),
    (DoublesSoft, "Ah*2 6h*3 5h*3 Th*5", {}),
    (ByUpCard, "Ah*3 3h*4 Th*6", {"surrender": "late"}),
    (Push22, "6h*4 Th*5 2h*3", {}),
    (TiesLose, "6h*4 Th*5 7h*4", {}),
]


@pytest.mark.parametrize(("kind", "text", "rules"), OWN)
def test_figures_of_ones_own_rules_are_the_referees(kind: type[Blackjack], text: str, rules: dict[str, Any]) -> None:
    game, shoe = own_table(kind, max_hands=1, **rules), shoe_of(text)
    best = TableAnalysis(game, shoe, exact=True).best
    refereed = Referee(game, shoe).law(game.open_round([{"blackjack": UNIT}]))
    assert best.expectation == mean(refereed, net) / UNIT
    assert nets_of(best) == nets(refereed)


@pytest.mark.parametrize("kind", [HitsEvery17, StandsOn16, Push22, TiesLose])
def test_their_split_hands_are_played_by_their_own_rules_too(kind: type[Blackjack]) -> None:
    solved = ShoeGame(own_table(kind, max_hands=2), shoe_of("8h*6 Th*8 3h*4"), exact=True)
    plan = solved.best_plan()
    assert plan.hands.any()
    assert solved.expectation(plan) == mean(walked(solved, plan), net) / UNIT


class LowHandsTie(BlackjackWager):
    """A total below 9 ties a dealer who is over 21."""

    def _judge_hand(self, standing: BlackjackStanding, index: int) -> Verdict | None:
        verdict = super()._judge_hand(standing, index)
        if verdict and verdict.outcome == "dealer over 21" and standing.spot.hands[index].points < 9:
            return Verdict("equal", "too low to win", ("BJ.4",))
        return verdict


class LowTies(Blackjack):
    wager_types: ClassVar[Any] = (LowHandsTie, Insurance)


def test_the_lowest_hands_of_a_split_are_paid_by_their_own_rules_too() -> None:
    stands = {**chart_of(lambda *_: "stand"), **{("pair", 3, up): Advice("split") for up in range(1, 11)}}
    solved = ShoeGame(own_table(LowTies, max_hands=2), shoe_of("3h*6 Th*9 2h*4"), exact=True)
    plan = plan_of(solved, codes_of(stands))
    assert solved.expectation(plan) == mean(walked(solved, plan), net) / UNIT


@pytest.mark.parametrize("kind", [kind for kind, *_ in OWN[1:]])
def test_the_rules_make_a_difference(kind: type[Blackjack]) -> None:
    surrender = {"surrender": "late"} if kind is ByUpCard else {}
    own = TableAnalysis(own_table(kind, **surrender)).best.house_edge
    assert own != pytest.approx(TableAnalysis(own_table(Blackjack)).best.house_edge, abs=1e-4)


def test_a_question_about_them_is_answered_by_the_solver() -> None:
    game = own_table(Push22)
    figures = analyze(Question(game, "blackjack")).figures
    assert float(figures.house_edge) == pytest.approx(0.0729, abs=3e-3)  # a push on 22 costs about 7 %
    assert bonus_figures(own_table(StandsOn16)).house_edge > bonus_figures(own_table(Blackjack)).house_edge


def test_insurance_is_counted_against_the_up_cards_it_is_offered_under() -> None:
    class UnderTens(Blackjack):
        def _check(self, r: Round) -> Any:
            up = r.hand(DEALER, BlackjackHand())
            if r.back(DEALER, HOLE) and up.points == 10 and (asked := list(self._insurance(r))):
                return asked
            return super()._check(r)

    edge = insurance(own_table(UnderTens, decks=1, insurance=True)).house_edge
    aces, tens = Fraction(16, 51), Fraction(4, 51)  # hole cards that make a blackjack
    assert edge == 1 - 3 * (4 * aces + 16 * tens) / 20


class SeesCards(BlackjackWager):
    def _judge_hand(self, standing: BlackjackStanding, index: int) -> Verdict | None:
        return super()._judge_hand(standing, index) if face_up(standing.dealer.felt.at(DEALER)) else None


class Suited(Blackjack):
    wager_types: ClassVar[Any] = (SeesCards, Insurance)


class OverMayTie(BlackjackWager):
    def _judge_hand(self, standing: BlackjackStanding, index: int) -> Verdict | None:
        hand, dealer = standing.spot.hands[index], standing.dealer
        if hand.is_over and dealer.total is None:
            return None
        if hand.is_over and dealer.total is not None and dealer.total > 21:
            return Verdict("equal", "both are over 21", ("BJ.4",))
        return super()._judge_hand(standing, index)


class BothOver(Blackjack):
    wager_types: ClassVar[Any] = (OverMayTie, Insurance)


class MustHit(Blackjack):
    """A hand below 12 may not stand."""

    def _offers(self, spot: Spot, hand: SpotHand, wagered: Cents) -> tuple[Offer, ...]:
        offers = super()._offers(spot, hand, wagered)
        return tuple(offer for offer in offers if offer.name != "stand" or hand.points >= 12)


class MayRescue(Blackjack):
    """A hand may be offered something that other games do not have."""

    def _offers(self, spot: Spot, hand: SpotHand, wagered: Cents) -> tuple[Offer, ...]:
        return (*super()._offers(spot, hand, wagered), Offer("rescue"))


class OneUpCard(Blackjack):
    """The dealer looks for blackjack under an ace alone."""

    def _check(self, r: Round) -> Any:
        return super()._check(r) if r.hand(DEALER, BlackjackHand()).soft else ()


@pytest.mark.parametrize(
    ("kind", "because"),
    [
        (Suited, "its rules look at single cards"),
        (BothOver, "a hand over 21 is not decided by itself"),
        (DoublesLonger, "a doubled hand takes more or less than one card"),
        (MustHit, "a hand may not stand"),
        (MayRescue, "a hand is offered to rescue"),
        (OneUpCard, "the dealer looks for blackjack under some up cards alone"),
    ],
)
def test_rules_that_it_cannot_follow_are_refused_and_never_guessed(kind: type[Blackjack], because: str) -> None:
    with pytest.raises(NoShoeGame, match=because):
        TableAnalysis(own_table(kind)).best  # noqa: B018


def test_the_rules_of_a_table_are_asked_once() -> None:
    game = own_table(HitsEvery17)
    assert table_rules(game) is table_rules(game)


def test_only_the_machine_asks_the_rules_of_a_table() -> None:
    folder = Path(str(shoe_game.__file__)).parent
    asking = re.compile(r"lay_felt|game\.(awaits|settle|procedure|standing)|readings\.(turn|bar|lay_down)")
    assert [path.name for path in folder.glob("*.py") if asking.search(path.read_text())] == []
