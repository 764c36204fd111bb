"""Let It Ride: three equal wagers on five cards; two of them may be taken back during the round."""

from collections.abc import Iterator

from feltworks.cards import Rank
from feltworks.hands.poker import STANDARD, PaidHand, PaidRows, Ranking
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, SEAT, HandOf, Round, Seat
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.wager import Own, Verdict, Wager

OWN, SHARED = 3, 2
ROWS = PaidRows(STANDARD, ((Rank.TEN, "tens or better"), (Rank.TWO, "low pair")))  # LR.4


FIVE_CARDS = HandOf(PaidHand(ROWS), ((SEAT, None), (BOARD, None)))


class Base(Wager[Own[None, PaidHand]]):
    """LR.4: each wager not taken back is paid by the five cards."""

    name = "base"
    outcomes = ROWS.names
    hand = FIVE_CARDS

    def judge(self, standing: Own[None, PaidHand]) -> Verdict | None:
        row = standing.hand.row
        return Verdict(row, "{0} {1} {2} {3} {4} make " + row, ("LR.4",)) if row else None


class Second(Base):
    """LR.3: may be taken back after the first shared card."""

    name = "second"
    paid_by = "base"


class First(Base):
    """LR.2: may be taken back after the player's own cards."""

    name = "first"
    paid_by = "base"


class LetItRide(Game[None]):
    """LR.1-4."""

    wager_types = (Base, First, Second)
    ranking: Ranking = STANDARD

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(BOARD, SHARED - 1):
            for number in range(len(r.seats)):
                if not r.lies(number, OWN - 1):
                    yield Draw(number, OWN)
            yield Draw(BOARD, SHARED, down=True)
            return
        for index, about in enumerate(("first", "second")):  # LR.2, LR.3
            waiting = [n for n, seat in enumerate(r.seats) if about in seat.wagers and not seat.choice(about)]
            if waiting:
                yield from (Decide(number, self._offers(r.seats[number], about), about) for number in waiting)
                return
            if not r.is_turned(BOARD, index):
                yield Turn(BOARD, index)
                return

    def _offers(self, seat: Seat, about: str) -> tuple[Offer, ...]:
        """Let the wager ride, or take it back."""
        return Offer("take back", about, -seat.wagers[about], -seat.wagers[about]), Offer("let it ride")

    def standing(self, r: Round, seat: int) -> None:
        return None
