"""Reads a written seat in its game's form: its cards, its answers, and anything left over."""

from collections.abc import Sequence
from functools import cached_property

from feltworks.cards import Card, cards
from feltworks.errors import ImpossibleRound, one_of
from feltworks.rules.form import Amount, HandList, OneCard
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Decide
from feltworks.written.record import FinishedHand, FinishedSeat


class WrittenSeat:
    """A seat with a list of cards, and its choices in the order they were made."""

    def __init__(self, game: Game, number: int, seat: FinishedSeat) -> None:
        self.game = game
        self.number = number
        self.seat = seat

    def cards(self) -> Sequence[str]:
        """The cards in the order on the felt."""
        return self._cards_by_form()

    def _cards_by_form(self) -> list[str]:
        codes: list[str] = []
        for field in self.game.written.seat:
            value = self.seat.under(field.name)
            if isinstance(field, OneCard):
                if value is None:
                    raise self._lacks_cards()
                codes.append(value)
            else:
                if field.count is not None and len(value) != field.count:
                    raise self._lacks_cards()
                codes += value
        return codes

    def _lacks_cards(self) -> ImpossibleRound:
        form = self.game.written
        return ImpossibleRound(form.seat_rule or f"a seat's cards are {one_of(f.name for f in form.seat)}")

    def answer(self, step: Decide, r: Round) -> Choice | None:
        """The seat's answer to a decision; None where there is none."""
        if amount := self._amount(step.about):
            return self._answer_amount(amount)
        given = self._count_listed(r)
        if not given and self.seat.choices is None:
            return None if self.seat.choice is None else Choice(self.seat.choice)
        listed = self.seat.listed_choices
        return listed[given] if given < len(listed) else None

    def _amount(self, about: str) -> Amount | None:
        """The amount that answers a decision, from the form of the game or of a bonus wager."""
        if amount := self.game.written.amounts.get(about):
            return amount
        return self.game.wagers[about].written if about in self.game.wagers else None

    def _answer_amount(self, amount: Amount) -> Choice:
        cents = self.seat.under(amount.name)
        return Choice(amount.choice, cents) if cents else Choice(amount.otherwise)

    def _count_listed(self, r: Round) -> int:
        """How many choices on the felt the seat lists by name."""
        return sum(self._amount(choice.about) is None for choice in r.seats[self.number].choices)

    def left_over(self, r: Round) -> str | None:
        """What the seat states in excess of its decisions."""
        if words := self._money_left_over(r):
            return words
        if self.seat.choices is None and self.seat.choice is None:
            return None
        given = self._count_listed(r)
        if self.seat.choices is None and given:
            return None
        extra = self.seat.listed_choices[given:]
        return one_of(choice.name for choice in extra) if extra else None

    def _money_left_over(self, r: Round) -> str | None:
        """An amount that the seat states and did not wager in full."""
        wagers = r.seats[self.number].wagers
        for name, cents in self.seat.amounts:
            if cents and cents != wagers.get(name):
                return f"{name} of {cents} cents"
        return None


class SplitSeat(WrittenSeat):
    """A seat with its first two cards, and its hands after a split or its further cards."""

    def __init__(self, game: Game, number: int, seat: FinishedSeat, form: HandList) -> None:
        super().__init__(game, number, seat)
        self._form = form

    @cached_property
    def _hands(self) -> list[FinishedHand]:
        """The hands in the order on the felt."""
        return order_hands(self._cards_by_form(), self.seat.hands)

    def cards(self) -> Sequence[str]:
        hands = self._hands
        if len(hands) == 1:
            return hands[0].cards
        split = [hands[0], hands[-1], *hands[-2:0:-1]]  # each begins with a card of the pair or of equal rank
        return [*(hand.cards[0] for hand in split), *(code for hand in hands for code in hand.cards[1:])]

    def answer(self, step: Decide, r: Round) -> Choice | None:
        if amount := self._amount(step.about):
            return self._answer_amount(amount)
        hands = self._hands
        if len(hands) == 1:  # the only hand has all cards of the seat
            return Choice(self._next_choice(hands[0], len(r.at(self.number))))
        lying = self._hands_on_felt(r)
        if len(lying) < len(hands):
            return Choice(self._form.split)
        active = int(step.about.removeprefix("hand ")) - 1
        return Choice(self._next_choice(hands[active], len(lying[active])))

    def _hands_on_felt(self, r: Round) -> Sequence[tuple[Card, ...]]:
        """The cards of each hand on the felt."""
        return self.game.part_cards(r, self.number, self._form.wager)

    def _next_choice(self, hand: FinishedHand, held: int) -> str:
        """The next choice of a hand that holds this many of its written cards."""
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
            return one_of(choice.name for choice in self.seat.listed_choices)
        return self._money_left_over(r)

    def _hands_left_over(self, r: Round) -> str | None:
        last = {choice.about: choice.name for choice in r.seats[self.number].choices}
        if len(self._hands) == 1:
            return self._end_left_over(self._hands[0], last.get("hand 1"))
        lying = self._hands_on_felt(r)
        if len(self._hands) > len(lying):  # a pair written as two hands of one card, where no decision was open
            return f"to {self._form.split}"
        for number, (hand, held) in enumerate(zip(self._hands, lying, strict=False), 1):
            if held != cards(hand.cards):
                return f"other cards for the hand {' '.join(hand.cards)}"
            if words := self._end_left_over(hand, last.get(f"hand {number}")):
                return words
        return None

    def _end_left_over(self, hand: FinishedHand, last: str | None) -> str | None:
        """What is left over of a hand whose last choice differs from the written one."""
        form = self._form
        if (last == form.doubled) == hand.doubled and (last == form.surrendered) == hand.surrendered:
            return None
        return f"to {form.doubled} or {form.surrendered}"


def order_hands(first_two: list[str], hands: list[FinishedHand] | None) -> list[FinishedHand]:
    """The written hands in the order on the felt: the first two cards outermost, resplits between."""
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
    """Remove and return the first hand that begins with this card."""
    for hand in hands:
        if hand.cards[0] == code:
            hands.remove(hand)
            return hand
    raise ImpossibleRound(f"split hands begin with one card of the pair each; none begins with {code}")
