"""Back to Back: one or two coups of a card against the dealer's, and a wager carried over both."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.hand import Hand
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round
from feltworks.rules.steps import Decide, Draw, Offer, Step
from feltworks.rules.wager import Verdict, Wager


class Ranks(Hand, frozen=True):
    """BB.1: the ranks of the coups so far."""

    ranks: tuple[int, ...] = ()

    def add(self, card: Card) -> "Ranks":
        return Ranks((*self.ranks, int(card.rank)))


NO_CARDS = Ranks()
WORDS = {"higher": "above", "equal": "equal to", "lower": "below"}


class Standing(Struct, frozen=True):
    """The facts that judge a wager."""

    mine: Ranks
    dealers: Ranks
    choice: str | None

    def result(self, coup: int) -> str | None:
        """BB.2: the result of a coup; None before its cards are dealt."""
        if len(self.mine.ranks) <= coup or len(self.dealers.ranks) <= coup:
            return None
        mine, theirs = self.mine.ranks[coup], self.dealers.ranks[coup]
        return "equal" if mine == theirs else "higher" if mine > theirs else "lower"


class Ante(Wager[Standing]):
    """BB.2: on the first coup."""

    name = "ante"
    outcomes = frozenset(WORDS)
    coup = 0

    def judge(self, standing: Standing) -> Verdict | None:
        result = standing.result(self.coup)
        return Verdict(result, f"the card is {WORDS[result]} the dealer's", ("BB.2",)) if result else None


class Second(Ante):
    """BB.3: on the second coup, paid as the Ante is."""

    name = "second"
    paid_by = "ante"
    coup = 1


class Streak(Wager[Standing]):
    """BB.4: carried over from the first coup to the second."""

    name = "streak"
    outcomes = frozenset(["both coups", "stopped", "broken"])

    def judge(self, standing: Standing) -> Verdict | None:
        first, second = standing.result(0), standing.result(1)
        if first in ("equal", "lower") or second in ("equal", "lower"):
            return Verdict("broken", "a coup was not won", ("BB.4",))
        if standing.choice == "stop":
            return Verdict("stopped", "the player stopped after the first coup", ("BB.3", "BB.4"))
        return Verdict("both coups", "both coups were won", ("BB.4",)) if second else None


class BackToBack(Game[Standing]):
    """BB.1-4."""

    wager_types = (Ante, Second, Streak)

    def procedure(self, r: Round) -> Iterator[Step]:
        everybody = range(len(r.seats))
        if not r.lies(DEALER, 0):
            yield from self._coup(r, everybody, 0)
            return
        winners = [number for number in everybody if self.standing(r, number).result(0) == "higher"]
        waiting = [number for number in winners if not r.seats[number].choices]
        for number in waiting:
            second = self.terms.offer("go on", "second", r.seats[number])
            yield Decide(number, (Offer("stop"), second or Offer("go on")))  # BB.4: a Streak alone continues freely
        if waiting:
            return
        going_on = [number for number in winners if r.seats[number].choices[0].name == "go on"]
        if going_on and not r.lies(DEALER, 1):
            yield from self._coup(r, going_on, 1)

    def _coup(self, r: Round, numbers: Iterable[int], coup: int) -> Iterator[Step]:
        """BB.2: the players in the coup first, then the dealer."""
        for number in numbers:
            if not r.lies(number, coup):
                yield Draw(number)
        yield Draw(DEALER)

    def standing(self, r: Round, seat: int) -> Standing:
        on = r.seats[seat]
        choice = on.choices[0].name if on.choices else None
        return Standing(r.hand(seat, NO_CARDS), r.hand(DEALER, NO_CARDS), choice)
