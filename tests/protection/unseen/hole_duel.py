"""Hole Duel: one card and a hit against a dealer with an up card, a hole card and a hit of his own."""

from collections.abc import Iterator

from msgspec import Struct

from feltworks.hands.baccarat import BaccaratHand
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.wager import Verdict, Wager

NO_CARDS = BaccaratHand()
DRAWS_TO = 4  # HD.3


class Standing(Struct, frozen=True):
    mine: int
    theirs: int | None
    choice: str | None


class Ante(Wager[Standing]):
    name = "ante"
    outcomes = frozenset(["fold", "higher", "equal", "lower"])

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.choice == "fold":
            return Verdict("fold", "the hand was folded", ("HD.2",))
        if standing.theirs is None:
            return None
        mine, theirs = standing.mine, standing.theirs
        outcome = "equal" if mine == theirs else "higher" if mine > theirs else "lower"
        return Verdict(outcome, f"{mine} against {theirs}", ("HD.3",))


class Raise(Ante):
    name = "raise"
    outcomes = frozenset(["higher", "equal", "lower"])


class HoleDuel(Game[Standing]):
    wager_types = (Ante, Raise)
    is_short = True

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(0, 0):
            yield Draw(0)
        elif not r.lies(DEALER, 0):
            yield Draw(DEALER)
        elif not r.lies(DEALER, 1):
            yield Draw(DEALER, down=True)
        elif not r.seats[0].choices:
            raising = self.terms.offer("raise", "raise", r.seats[0])
            yield Decide(0, (Offer("fold"), Offer("stay"), *([raising] if raising else [])))
        elif r.seats[0].choices[0].name != "fold":
            yield from self._finish(r)

    def _finish(self, r: Round) -> Iterator[Step]:
        if not r.lies(0, 1):
            yield Draw(0)
        elif not r.is_turned(DEALER, 1):
            yield Turn(DEALER, 1)
        elif r.hand(DEALER, NO_CARDS).total <= DRAWS_TO and not r.lies(DEALER, 2):
            yield Draw(DEALER)

    def standing(self, r: Round, seat: int) -> Standing:
        dealer, choices = r.hand(DEALER, NO_CARDS), r.seats[seat].choices
        is_whole = r.is_turned(DEALER, 1) and (dealer.total > DRAWS_TO or dealer.held > 2)
        theirs = dealer.total if is_whole else None
        return Standing(r.hand(seat, NO_CARDS).total, theirs, choices[0].name if choices else None)
