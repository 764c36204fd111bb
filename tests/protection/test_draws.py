"""Known cards where a hand is exchanged: against every draw of a thin deck, written out."""

from fractions import Fraction
from itertools import combinations, permutations

import pytest
from msgspec.structs import replace

from feltworks.analysis.question import Question, parse_question
from feltworks.analysis.referee import exact_net
from feltworks.cards import Card, cards
from feltworks.protection.knowledge import Unfit
from feltworks.protection.protect import worth_of
from feltworks.rules.advance import advance
from feltworks.rules.round import Choice, Round, Seat

DECK = cards("2c Jd Qd Js Qs Ks As Ts 2h Jc")
Hand = frozenset[Card]


pytestmark = pytest.mark.usefixtures("gallery")


@pytest.fixture(scope="module")
def question(gallery: None) -> Question:  # noqa: ARG001
    asked = parse_question("draw-poker", "ante")
    return replace(asked, exposed=tuple(face for face in asked.shoe if face not in DECK))


@pytest.fixture(scope="module")
def nets(question: Question) -> dict[Hand, Fraction]:
    """What the rules pay for every hand that stands."""
    paid = {}
    for hand in combinations(DECK, 5):
        r = Round((Seat(dict(question.stakes)),))
        for answer in (hand, Choice("stand", None, "draw")):
            step = question.game.awaits(r)
            assert step is not None
            r = advance(r, step, answer)
        paid[frozenset(hand)] = sum(map(exact_net, question.game.settle(r)), Fraction(0)) / question.unit
    return paid


def every_draw(nets: dict[Hand, Fraction], number: int, groups: str = "") -> Fraction:
    """Best play of one who knows the next cards, or only whether the next one is in a group."""
    total, dealt = Fraction(0), 0
    for own in map(frozenset, combinations(DECK, 5)):
        parts: dict[object, list[tuple[Card, ...]]] = {}
        for lot in permutations([card for card in DECK if card not in own], number):
            parts.setdefault(lot[0].rank.letter in groups if groups else lot, []).append(lot)
            dealt += 1
        kept = [frozenset(some) for held in range(6) for some in combinations(own, held)]
        total += sum((max(sum(_worth(nets, own, one, lot) for lot in lots) for one in kept)) for lots in parts.values())
    return total / dealt


def _worth(nets: dict[Hand, Fraction], own: Hand, kept: Hand, lot: tuple[Card, ...]) -> Fraction:
    held = kept | {*lot[: 5 - len(kept)]}
    hands = [held | {*more} for more in combinations([c for c in DECK if c not in own | {*lot}], 5 - len(held))]
    return sum((nets[hand] for hand in hands), Fraction(0)) / len(hands)


@pytest.mark.parametrize(
    ("sees", "number", "groups"),
    [("next", 1, ""), ("order:2", 2, ""), ("group:QK@next", 1, "QK")],
)
def test_known_replacements_are_worth_what_every_draw_brings(
    question: Question, nets: dict[Hand, Fraction], sees: str, number: int, groups: str
) -> None:
    worth = worth_of(question, [sees])
    assert (worth.method, worth.baseline) == ("exact", every_draw(nets, 0))
    assert worth.edge == every_draw(nets, number, groups)


def test_sampled_replacements_lie_within_their_error_of_the_exact_worth(question: Question) -> None:
    exact, drawn = worth_of(question, ["order:2"]), worth_of(question, ["order:2"], 4_000)
    assert drawn.method == "sampled"
    assert abs(drawn.edge - exact.edge) < 4 * drawn.standard_error


def test_cards_that_replace_nothing_are_refused_with_what_can_be_asked(question: Question) -> None:
    for sees in (["dealer"], ["next", "group:QK@next"], ["neighbours:1"]):  # ten cards serve no second hand
        with pytest.raises(Unfit):
            worth_of(question, sees)
