"""The law of a draw against every order of a small shoe, with backs that say what they are not."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from feltworks.analysis.referee import draw_law, unseen_cards
from feltworks.cards import Card, Shoe, card, cards
from feltworks.errors import ShoeExhausted
from feltworks.hands.blackjack import ACES, TEN_VALUES
from feltworks.rules.advance import Answer
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Back, Place, Round, Seat
from feltworks.rules.steps import Chance, Draw, Peek, Turn

NO_ACE, NO_TEN = Back(barring=ACES), Back(barring=TEN_VALUES)
SMALL = Shoe(Counter(cards("Ah As Ts Ts Kd 9c 7h")))


def felt(*dealer: Card | Back, seat: tuple[Card | Back, ...] = ()) -> Round:
    """A round with these cards at the dealer's place and on its only seat."""
    return Round((Seat({"blackjack": 1000}, seat),), tuple(dealer))


def chances(step: Chance, r: Round, shoe: Shoe) -> dict[Answer, Fraction]:
    """The law as probabilities; cards of one step in a fixed order."""
    weighed = draw_law(step, r, unseen_cards(r, shoe))
    total = sum(weight for weight, _ in weighed)
    found: Counter[Answer] = Counter()
    for weight, answer in weighed:
        found[_grouped(answer)] += weight
    return {answer: Fraction(weight, total) for answer, weight in found.items()}


def dealt_out(step: Chance, r: Round, shoe: Shoe) -> dict[Answer, Fraction]:
    """The same by laying every order of the unseen cards under the backs and on top of the shoe."""
    backs = _backs(r)
    found: Counter[Answer] = Counter()
    for order in permutations(unseen_cards(r, shoe).all_cards()):
        under = dict(zip(backs, order, strict=False))
        if all(face not in backs[place].barring for place, face in under.items()):
            found[_grouped(_shown(step, under, order[len(backs) :], backs))] += 1
    total = sum(found.values())
    return {answer: Fraction(count, total) for answer, count in found.items()}


def _backs(r: Round) -> dict[tuple[Place, int], Back]:
    return {
        (place, index): face
        for place in (DEALER, BOARD, *range(len(r.seats)))
        for index, face in enumerate(r.at(place))
        if isinstance(face, Back)
    }


def _shown(
    step: Chance,
    under: dict[tuple[Place, int], Card],
    stub: tuple[Card, ...],
    backs: dict[tuple[Place, int], Back],
) -> Answer:
    if isinstance(step, Draw):
        return (FACE_DOWN,) * step.count if step.down else stub[: step.count]
    if isinstance(step, Turn):
        return tuple(under[step.at, step.index + offset] for offset in range(step.count))
    face = under[step.at, step.index]
    barred = backs[step.at, step.index].barring | step.wanted
    return (face,) if face in step.wanted else (Back(barring=barred),)


def _grouped(answer: Answer) -> Answer:
    assert isinstance(answer, tuple)
    return tuple(sorted(answer, key=repr))


LAID: dict[str, tuple[Chance, Round]] = {
    "a card from a fresh shoe": (Draw(0), felt()),
    "a card beside an unknown back": (Draw(0), felt(FACE_DOWN)),
    "a card beside a back that is no ace": (Draw(0), felt(NO_ACE)),
    "a card beside an open card and a back that is no ten": (Draw(0), felt(NO_TEN, card("Ah"))),
    "two cards beside a back that is no ace": (Draw(0, 2), felt(NO_ACE)),
    "three cards beside two unlike backs": (Draw(0, 3), felt(NO_ACE, NO_TEN)),
    "a card beside three backs": (Draw(0), felt(NO_ACE, FACE_DOWN, seat=(NO_TEN,))),
    "a card beside two backs of one kind": (Draw(0), felt(NO_ACE, NO_ACE)),
    "turning an unknown back": (Turn(DEALER, 0), felt(FACE_DOWN)),
    "turning a back that is no ace": (Turn(DEALER, 0), felt(NO_ACE, card("Kd"))),
    "turning an unknown back beside one that is no ten": (Turn(0, 0), felt(NO_TEN, seat=(FACE_DOWN,))),
    "turning one of two barred backs": (Turn(DEALER, 0), felt(NO_ACE, NO_TEN)),
    "turning a group of unknown backs": (Turn(DEALER, 0, 3), felt(*[FACE_DOWN] * 3, seat=(NO_ACE,))),
    "turning a group with a barred back in it": (Turn(DEALER, 0, 2), felt(NO_TEN, FACE_DOWN)),
    "looking under an unknown back": (Peek(DEALER, 0, TEN_VALUES), felt(FACE_DOWN, card("Ah"))),
    "looking again, for something else": (Peek(DEALER, 0, TEN_VALUES), felt(NO_ACE)),
    "looking beside a barred back": (Peek(DEALER, 0, ACES), felt(FACE_DOWN, seat=(NO_TEN,))),
    "laying a card face down": (Draw(DEALER, down=True), felt(NO_ACE)),
}


@pytest.mark.parametrize("laid", LAID.values(), ids=LAID.keys())
def test_the_law_counts_every_order_of_the_cards(laid: tuple[Chance, Round]) -> None:
    step, round_ = laid
    assert chances(step, round_, SMALL) == dealt_out(step, round_, SMALL)


@pytest.mark.parametrize("barring", [ACES, TEN_VALUES])
@pytest.mark.parametrize("shoe", [SMALL, Shoe(Counter(cards("Ah Ah Ad Kh Kh 5c 5c 5c 2d")))], ids=str)
def test_a_barred_back_weighs_every_other_draw(shoe: Shoe, barring: frozenset[Card]) -> None:
    """k·m if the card is barred there and k·(m−1) otherwise, over m·(n−1)."""
    unbarred = sum(count for face, count in shoe.items() if face not in barring)
    law_ = chances(Draw(0), felt(Back(barring=barring)), shoe)
    for face, held in shoe.items():
        weight = held * (unbarred if face in barring else unbarred - 1)
        assert law_.get((face,), 0) == Fraction(weight, unbarred * (shoe.total - 1))


def test_the_weights_of_a_group_count_its_choices() -> None:
    weighed = draw_law(Draw(0, 2), felt(), SMALL)
    assert sum(weight for weight, _ in weighed) == 21  # seven cards, two at a time
    assert (1, cards("Ts Ts")) in weighed
    assert (2, cards("Ts Kd")) in weighed


def test_a_back_left_with_one_card_takes_it_from_all_other_draws() -> None:
    only_a_nine = Back(barring=ACES | TEN_VALUES | frozenset(cards("7h")))
    assert (card("9c"),) not in chances(Draw(0), felt(only_a_nine), SMALL)
    assert chances(Turn(DEALER, 0), felt(only_a_nine), SMALL) == {(card("9c"),): 1}


def test_a_peek_that_must_find_leaves_no_back() -> None:
    aces = Shoe(Counter(cards("Ah As")))
    assert chances(Peek(DEALER, 0, ACES), felt(FACE_DOWN), aces) == {
        (card("Ah"),): Fraction(1, 2),
        (card("As"),): Fraction(1, 2),
    }
    assert chances(Peek(DEALER, 0, TEN_VALUES), felt(FACE_DOWN), aces) == {(NO_TEN,): 1}


@pytest.mark.parametrize("down", [False, True])
def test_cards_under_backs_cannot_be_dealt_again(down: bool) -> None:
    backs = felt(*[FACE_DOWN] * 5)
    assert draw_law(Draw(0, 2, down), backs, SMALL)
    assert draw_law(Draw(0, 3, down), backs, SMALL) == []


def test_what_lies_face_down_is_unseen() -> None:
    round_ = felt(FACE_DOWN, card("Ah"), seat=cards("Ts"))
    assert unseen_cards(round_, SMALL) == Shoe(Counter(cards("As Ts Kd 9c 7h")))


def test_a_felt_with_cards_the_shoe_never_held_is_refused() -> None:
    with pytest.raises(ShoeExhausted):
        unseen_cards(felt(card("2c")), SMALL)
