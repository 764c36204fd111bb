"""The only transition: what answers a step, and what it leaves on the felt."""

from typing import Any

import pytest

from feltworks.cards import card, cards
from feltworks.errors import FeltError, NotOffered, WrongCard
from feltworks.hands.blackjack import ACES, TEN_VALUES, BlackjackHand, total
from feltworks.rules.advance import advance, select_offer
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Back, Choice, Round, Seat
from feltworks.rules.steps import Decide, Draw, Offer, Peek, Step, Turn

NO_ACE, NO_TEN = Back(barring=ACES), Back(barring=TEN_VALUES)
OPENED = Round(seats=(Seat({"ante": 500}), Seat({"ante": 700}, tokes={"ante": 100})), meters={"jackpot": 5})
PLAY = Decide(1, (Offer("fold"), Offer.exactly("play", "play", 1400), Offer("raise", "raise", 100, 900)), "main")


@pytest.mark.parametrize("place", [0, 1, DEALER, BOARD])
def test_cards_lie_where_they_were_drawn_to_after_those_that_lay_there(place: int) -> None:
    once = advance(OPENED, Draw(place, 2), cards("7h Ac"))
    twice = advance(once, Draw(place, down=True), (FACE_DOWN,))
    assert twice.at(place) == (*cards("7h Ac"), FACE_DOWN)
    others = {0, 1, DEALER, BOARD} - {place}
    assert all(twice.at(other) == () for other in others)
    assert (twice.seats[1].tokes, twice.meters) == ({"ante": 100}, {"jackpot": 5})
    assert OPENED.at(place) == ()  # the round before stays as it was


def test_turning_replaces_the_backs_in_their_places() -> None:
    r = Round((Seat({"ante": 500}, (card("7h"), FACE_DOWN, FACE_DOWN)),), (FACE_DOWN, FACE_DOWN, FACE_DOWN))
    assert advance(r, Turn(0, 2), cards("8h")).seats[0].cards == (card("7h"), FACE_DOWN, card("8h"))
    assert advance(r, Turn(DEALER, 1, 2), cards("8h 9h")).dealer == (FACE_DOWN, *cards("8h 9h"))


def test_a_peek_turns_a_wanted_card_and_bars_it_otherwise() -> None:
    r = Round((Seat({"ante": 500}),), (FACE_DOWN, card("Kc")))
    peek = Peek(DEALER, 0, ACES)
    assert advance(r, peek, cards("Ah")).dealer == cards("Ah Kc")
    barred = advance(r, peek, (NO_ACE,))
    assert barred.dealer == (NO_ACE, card("Kc"))
    assert advance(barred, Turn(DEALER, 0), cards("9h")).dealer == cards("9h Kc")
    with pytest.raises(WrongCard):
        advance(barred, Turn(DEALER, 0), cards("Ah"))
    twice = advance(barred, Peek(DEALER, 0, TEN_VALUES), (Back(barring=ACES | TEN_VALUES),))
    assert twice.dealer[0] == Back(barring=ACES | TEN_VALUES)


DOWN = Round((Seat({"ante": 500}, (card("7h"),)),), (FACE_DOWN, card("Kc")))


@pytest.mark.parametrize(
    ("step", "answer"),
    [
        (Draw(0, 2), cards("7h")),
        (Draw(0), cards("7h 8h")),
        (Draw(0), ()),
        (Draw(0), (FACE_DOWN,)),
        (Draw(0, down=True), cards("7h")),
        (Draw(0), card("7h")),
        (Draw(0), Choice("hit")),
        (Draw(0), None),
        (Turn(DEALER, 0), (FACE_DOWN,)),
        (Turn(DEALER, 1), cards("8h")),  # lies open already
        (Turn(DEALER, 0, 2), cards("8h 9h")),
        (Turn(DEALER, 2), cards("8h")),  # nothing lies there
        (Turn(0, 0), cards("7h")),
        (Turn(DEALER, 0), Choice("turn")),
        (Peek(DEALER, 0, ACES), cards("9h")),  # not wanted, so it is not shown
        (Peek(DEALER, 0, ACES), (FACE_DOWN,)),  # the back has to say what it is not
        (Peek(DEALER, 0, ACES), (NO_TEN,)),
        (Peek(DEALER, 0, ACES), ()),
        (PLAY, cards("7h")),
        (PLAY, "fold"),
    ],
)
def test_what_does_not_answer_a_step_is_refused(step: Step, answer: Any) -> None:
    with pytest.raises(WrongCard, match="does not answer"):
        advance(DOWN, step, answer)


@pytest.mark.parametrize(
    ("choice", "wagers", "cents"),
    [
        (Choice("fold"), {"ante": 700}, 0),
        (Choice("play"), {"ante": 700, "play": 1400}, 1400),  # a fixed amount may be left unsaid
        (Choice("play", 1400), {"ante": 700, "play": 1400}, 1400),
        (Choice("raise", 100), {"ante": 700, "raise": 100}, 100),
        (Choice("raise", 900, "main"), {"ante": 700, "raise": 900}, 900),
    ],
)
def test_a_choice_is_kept_with_its_money_and_subject(choice: Choice, wagers: dict[str, int], cents: int) -> None:
    after = advance(OPENED, PLAY, choice)
    assert after.seats[1].wagers == wagers
    assert after.seats[1].choices == (Choice(choice.name, cents, "main"),)
    assert after.seats[1].choice("main") == Choice(choice.name, cents, "main")
    assert after.seats[1].choice("other") is None
    assert after.seats[0] is OPENED.seats[0]
    assert OPENED.seats[1].wagers == {"ante": 700}


@pytest.mark.parametrize(
    "choice",
    [
        Choice("stand"),
        Choice("play", 1399),
        Choice("play", 0),
        Choice("raise"),  # a free amount has to be said
        Choice("raise", 99),
        Choice("raise", 901),
        Choice("raise", -100),
        Choice("raise", True),
        Choice("raise", 150.0),  # type: ignore[arg-type]
        Choice("fold", 100),
        Choice("fold", about="insurance"),
        Choice(""),
    ],
)
def test_any_other_choice_is_refused_with_what_is_allowed(choice: Choice) -> None:
    allowed = r"allowed: fold, play \(\$14 on play\) or raise \(\$1 to \$9 on raise\)"
    with pytest.raises(NotOffered, match=f"seat 2 may not choose {choice.name}.* for main; {allowed}"):
        advance(OPENED, PLAY, choice)


def test_a_choice_adds_to_what_lies_there_and_may_take_a_wager_off() -> None:
    double = Decide(0, (Offer.exactly("double", "ante", 500), Offer.exactly("withdraw", "ante", -500)))
    assert advance(OPENED, double, Choice("double")).seats[0].wagers == {"ante": 1000}
    assert advance(OPENED, double, Choice("withdraw")).seats[0].wagers == {}


def test_the_offer_and_the_full_choice_can_be_asked_for() -> None:
    offer, choice = select_offer(PLAY, Choice("play"))
    assert (offer.wager, choice) == ("play", Choice("play", 1400, "main"))


def test_a_refusal_is_one_of_ours() -> None:
    assert issubclass(NotOffered, FeltError)
    assert issubclass(WrongCard, FeltError)


def test_a_hand_is_read_off_a_seat_once_and_anew_after_every_card() -> None:
    empty, seat = BlackjackHand(), Seat({"blackjack": 500}, cards("Th 6d"))
    assert seat.hand(empty) is seat.hand(empty)
    assert seat.hand(empty) == total(cards("Th 6d"))
    after = advance(Round((seat,)), Draw(0), cards("4c"))
    assert after.hand(0, empty) == total(cards("Th 6d 4c"))
    assert seat == Seat({"blackjack": 500}, cards("Th 6d"))  # what was read is no part of it
