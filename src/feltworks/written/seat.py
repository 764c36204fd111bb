"""A written seat, read by the form of its game: its cards, its answers, and what it says beyond them."""

from collections.abc import Sequence
from typing import Any

from feltworks.errors import ImpossibleRound, one_of
from feltworks.rules.form import Amount, OneCard
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Decide
from feltworks.written.record import FinishedSeat


class WrittenSeat:
    """A seat that lists its cards, and its choices in the order they were made."""

    def __init__(self, game: Game[Any], number: int, seat: FinishedSeat) -> None:
        self.game = game
        self.number = number
        self.seat = seat

    def cards(self) -> Sequence[str]:
        """The cards in the order they lie on the felt."""
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
        """What the seat answers to a decision; None where it says nothing."""
        if amount := self._amount(step.about):
            return self._answer_amount(amount)
        given = self._count_spoken(r)
        if not given and self.seat.choices is None:
            return None if self.seat.choice is None else Choice(self.seat.choice)
        spoken = self.seat.spoken
        return spoken[given] if given < len(spoken) else None

    def _amount(self, about: str) -> Amount | None:
        """The amount that answers a decision: of the game's form, or of the bonus wager that asks."""
        if amount := self.game.written.amounts.get(about):
            return amount
        return self.game.wagers[about].written if about in self.game.wagers else None

    def _answer_amount(self, amount: Amount) -> Choice:
        cents = self.seat.under(amount.name)
        return Choice(amount.choice, cents) if cents else Choice(amount.otherwise)

    def _count_spoken(self, r: Round) -> int:
        """How many of the choices on the felt the seat lists by name."""
        return sum(self._amount(choice.about) is None for choice in r.seats[self.number].choices)

    def left_over(self, r: Round) -> str | None:
        """What the seat says that no decision asked for."""
        if words := self._money_left_over(r):
            return words
        if self.seat.choices is None and self.seat.choice is None:
            return None
        given = self._count_spoken(r)
        if self.seat.choices is None and given:
            return None
        extra = self.seat.spoken[given:]
        return one_of(choice.name for choice in extra) if extra else None

    def _money_left_over(self, r: Round) -> str | None:
        """An amount that the seat names and never put down, or not as much of it."""
        wagers = r.seats[self.number].wagers
        for name, cents in self.seat.amounts:
            if cents and cents != wagers.get(name):
                return f"{name} of {cents} cents"
        return None


class OwnWords(WrittenSeat):
    """A seat that its game reads by methods of its own; for what they leave open there is the form."""

    def __init__(self, by_form: WrittenSeat) -> None:
        super().__init__(by_form.game, by_form.number, by_form.seat)
        self._by_form = by_form

    @staticmethod
    def are_of(game: Game[Any]) -> bool:
        """Whether a game has such methods."""
        return hasattr(game, "seat_cards") or hasattr(game, "answer") or hasattr(game, "unanswered")

    def cards(self) -> Sequence[str]:
        own = getattr(self.game, "seat_cards", None)
        codes: Sequence[str] = own(self.seat) if own else self._by_form.cards()
        return codes

    def answer(self, step: Decide, r: Round) -> Choice | None:
        own = getattr(self.game, "answer", None)
        choice: Choice | None = own(self.seat, step, r) if own else self._by_form.answer(step, r)
        return choice

    def left_over(self, r: Round) -> str | None:
        own = getattr(self.game, "unanswered", None)
        words: str | None = own(self.seat, r.seats[self.number]) if own else self._by_form.left_over(r)
        return words
