"""A written seat that may split: its hands one by one, and the choices that made them."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from feltworks.cards import Card, cards
from feltworks.errors import ImpossibleRound, one_of
from feltworks.rules.form import HandList
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Decide
from feltworks.written.record import FinishedHand, FinishedSeat
from feltworks.written.seat import WrittenSeat


class SplitSeat(WrittenSeat):
    """A seat that lists its first two cards, and its hands where it played on."""

    def __init__(self, game: Game[Any], number: int, seat: FinishedSeat, form: HandList) -> None:
        super().__init__(game, number, seat)
        self._form = form

    @cached_property
    def _hands(self) -> list[FinishedHand]:
        """The hands in the order in which they lie."""
        return order_hands(self._cards_by_form(), self.seat.hands)

    def cards(self) -> Sequence[str]:
        hands = self._hands
        if len(hands) == 1:
            return hands[0].cards
        split = [hands[0], hands[-1], *hands[-2:0:-1]]  # each begins with a card of the pair or one like it
        return [*(hand.cards[0] for hand in split), *(code for hand in hands for code in hand.cards[1:])]

    def answer(self, step: Decide, r: Round) -> Choice | None:
        if amount := self._amount(step.about):
            return self._answer_amount(amount)
        if step.about in self.game.wagers:
            return self._answer_wager(step.about)
        hands = self._hands
        if len(hands) == 1:  # which has all that was dealt
            return Choice(self._next_choice(hands[0], len(r.at(self.number))))
        lying = self._lying(r)
        if len(lying) < len(hands):
            return Choice(self._form.split)
        active = int(step.about.removeprefix("hand ")) - 1
        return Choice(self._next_choice(hands[active], len(lying[active])))

    def _answer_wager(self, name: str) -> Choice | None:
        """What a bonus wager of one's own reads by a method of its own, if it has one."""
        own = getattr(self.game.wagers[name], "answer", None)
        choice: Choice | None = own(self.seat) if own else None
        return choice

    def _lying(self, r: Round) -> Sequence[tuple[Card, ...]]:
        """The cards of each hand on the felt."""
        return self.game.part_cards(r, self.number, self._form.wager)

    def _next_choice(self, hand: FinishedHand, held: int) -> str:
        """What a hand of so many cards does next, on its way to what was written."""
        form = self._form
        if hand.surrendered:
            return form.surrendered
        if hand.doubled and held == 2:
            return form.doubled
        return form.more if len(hand.cards) > held else form.enough

    def left_over(self, r: Round) -> str | None:
        if words := self._hands_left_over(r):
            return words
        if self.seat.choice is not None or self.seat.choices:
            return one_of(choice.name for choice in self.seat.spoken)
        return self._money_left_over(r)

    def _hands_left_over(self, r: Round) -> str | None:
        last = {choice.about: choice.name for choice in r.seats[self.number].choices}
        if len(self._hands) == 1:
            return self._end_left_over(self._hands[0], last.get("hand 1"))
        lying = self._lying(r)
        if len(self._hands) > len(lying):  # a pair written as two hands of one card, where nobody was asked
            return f"to {self._form.split}"
        for number, (hand, held) in enumerate(zip(self._hands, lying, strict=False), 1):
            if held != cards(hand.cards):
                return f"other cards for the hand {' '.join(hand.cards)}"
            if words := self._end_left_over(hand, last.get(f"hand {number}")):
                return words
        return None

    def _end_left_over(self, hand: FinishedHand, last: str | None) -> str | None:
        """Whether a hand ends by the choice that is written."""
        form = self._form
        if (last == form.doubled) == hand.doubled and (last == form.surrendered) == hand.surrendered:
            return None
        return f"to {form.doubled} or {form.surrendered}"


def order_hands(first_two: list[str], hands: list[FinishedHand] | None) -> list[FinishedHand]:
    """The written hands as the felt has them: the pair's two cards outermost, resplits between."""
    if hands is None:
        return [FinishedHand(first_two)]
    if len(hands) == 1:
        if hands[0].cards[:2] != first_two:
            raise ImpossibleRound("an unsplit hand begins with the seat's two cards")
        return hands
    if not hands or not all(hand.cards for hand in hands):
        raise ImpossibleRound("a seat that lists its hands has at least one, and every hand has cards")
    rest = list(hands)
    ends = [_take_hand(rest, code) for code in first_two]
    return [ends[0], *rest, ends[1]]


def _take_hand(hands: list[FinishedHand], code: str) -> FinishedHand:
    """The first of these hands that begins with this card; it is taken out."""
    for hand in hands:
        if hand.cards[0] == code:
            hands.remove(hand)
            return hand
    raise ImpossibleRound(f"split hands begin with one card of the pair each; none begins with {code}")
