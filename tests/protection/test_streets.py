"""Known cards where a growing hand meets the dealer's: against every deal of a few cards, written out."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from math import perm
from pathlib import Path

import pytest
from msgspec.structs import replace

from feltworks.analysis.question import Question, parse_question
from feltworks.analysis.referee import exact_net
from feltworks.cards import Card, cards
from feltworks.protection.knowledge import Unfit
from feltworks.protection.protect import worth_of
from feltworks.rules.advance import advance
from feltworks.rules.round import FACE_DOWN, Choice, Round, Seat
from feltworks.rules.steps import Decide, Draw
from tests.designs import RIVER_STUD, write

DECK = cards("Qc Kc Ac Qd Kd Ad Qh Jh")
RAISES = ("least", "most")
Deal = tuple[Card, ...]  # the third card, and the two hidden ones of the dealer


@pytest.fixture
def question(own_games: Path) -> Question:
    write(own_games, RIVER_STUD)
    asked = parse_question("river-stud", "ante")
    return replace(asked, exposed=tuple(face for face in asked.shoe if face not in DECK))


class EveryDeal:
    """Best play with what `sight` shows of the cards to come; the rules deal and settle every round."""

    def __init__(self, question: Question, sight: Callable[[Deal], object], gone: Deal = ()) -> None:
        self._question, self._sight = question, sight
        self._known: dict[tuple[object, ...], Fraction] = {}
        deck = [card for card in DECK if card not in gone]
        total, dealt = Fraction(0), 0
        for own in combinations(deck, 2):
            for up in (card for card in deck if card not in own):
                left = [card for card in deck if card not in (*own, up)]
                deals = [(third, *two) for third, *two in permutations(left, 3)]
                dealt += len(deals)
                total += self._second(own, up, deals)
        self.edge = total / dealt / question.unit

    def _second(self, own: Deal, up: Card, deals: list[Deal]) -> Fraction:
        brought = Fraction(0)
        for some in self._alike(deals, ()):
            raised = (self._third(own, up, some, amount) for amount in RAISES)
            brought += max(self._net(own, up, some, ("fold",)), *raised)
        return brought

    def _third(self, own: Deal, up: Card, deals: list[Deal], raised: str) -> Fraction:
        ends = ("fold", *RAISES)
        parts = self._alike(deals, (0,))
        return sum((max(self._net(own, up, some, (raised, end)) for end in ends) for some in parts), Fraction(0))

    def _alike(self, deals: list[Deal], seen: tuple[int, ...]) -> list[list[Deal]]:
        parts: dict[object, list[Deal]] = {}
        for deal in deals:
            parts.setdefault((self._sight(deal), *(deal[place] for place in seen)), []).append(deal)
        return list(parts.values())

    def _net(self, own: Deal, up: Card, deals: list[Deal], names: tuple[str, ...]) -> Fraction:
        return sum((self._settled(frozenset((*own, deal[0])), up, deal, own, names) for deal in deals), Fraction(0))

    def _settled(self, whole: frozenset[Card], up: Card, deal: Deal, own: Deal, names: tuple[str, ...]) -> Fraction:
        key = (whole, frozenset((up, *deal[1:])), names)
        if key not in self._known:
            third, first, second = deal
            waiting, more, r = [*own, up, third], list(names), Round((Seat(dict(self._question.stakes)),))
            while step := self._question.game.awaits(r):
                if isinstance(step, Decide):
                    end = more.pop(0)
                    offer = step.offers[end != "fold"]
                    r = advance(r, step, Choice(offer.name, offer.least if end == "least" else offer.most, step.about))
                elif isinstance(step, Draw) and step.down:
                    r = advance(r, step, (FACE_DOWN,) * step.count)
                elif isinstance(step, Draw):
                    r = advance(r, step, tuple(waiting.pop(0) for _ in range(step.count)))
                else:
                    r = advance(r, step, (first, second))
            self._known[key] = sum(map(exact_net, self._question.game.settle(r)), Fraction(0))
        return self._known[key]


@pytest.mark.parametrize(
    ("sees", "sight"),
    [
        (["dealer"], lambda deal: deal[1]),
        (["dealer:2"], lambda deal: frozenset(deal[1:])),
        (["group:A,K@dealer"], lambda deal: deal[1].rank if deal[1].rank.letter in "AK" else None),
        (["next"], lambda deal: deal[0]),
        (["board:last", "dealer"], lambda deal: deal[:2]),
    ],
    ids=["dealer", "both", "group", "next", "board and dealer"],
)
def test_known_cards_beside_a_growing_hand_are_worth_what_every_deal_brings(
    question: Question, sees: list[str], sight: Callable[[Deal], object]
) -> None:
    worth = worth_of(question, sees)
    assert (worth.method, worth.baseline) == ("exact", EveryDeal(question, lambda _: None).edge)
    assert worth.edge == EveryDeal(question, sight).edge > worth.baseline


def test_sampled_cards_of_the_dealer_lie_within_their_error_of_the_exact_worth(question: Question) -> None:
    for sees in ["dealer", "group:AK@dealer"]:
        exact, drawn = worth_of(question, [sees]), worth_of(question, [sees], 300)
        assert drawn.method == "sampled"
        assert abs(drawn.edge - exact.edge) < 4 * drawn.standard_error


def test_a_neighbours_cards_are_worth_what_every_deal_without_them_brings(question: Question) -> None:
    pairs = list(combinations(DECK, 2))
    edges = [EveryDeal(question, lambda _: None, gone).edge for gone in pairs]
    drawn = worth_of(question, ["neighbours:1"], 400)
    assert abs(drawn.edge - sum(edges) / len(edges)) < 4 * drawn.standard_error
    assert perm(len(DECK), 2) == 2 * len(pairs)


def test_cards_that_do_not_come_are_refused_with_what_can_be_asked(question: Question) -> None:
    for sees in (["dealer:3"], ["order:2"], ["hit"], ["neighbours:3"]):
        with pytest.raises(Unfit):
            worth_of(question, sees)
