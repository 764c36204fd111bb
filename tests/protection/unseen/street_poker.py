"""Street Poker: two cards and a board of three, one of them open; two raises of one or two antes."""

from collections.abc import Iterator

from feltworks.cards import Rank
from feltworks.hands.poker import STANDARD, PaidHand, PaidRows
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, SEAT, HandOf, Round, Seat
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.wager import Own, Verdict, Wager

ROWS = PaidRows(STANDARD, ((Rank.QUEEN, "high pair"), (Rank.TWO, "low pair")))
STREETS = ("first", "second")


class Ante(Wager[Own[bool, PaidHand]]):
    name = "ante"
    outcomes = frozenset([*ROWS.names, "fold"])
    hand = HandOf(PaidHand(ROWS), ((SEAT, None), (BOARD, None)))

    def judge(self, standing: Own[bool, PaidHand]) -> Verdict | None:
        if standing.table:
            return Verdict("fold", "the hand was folded", ("SP.2",))
        row = standing.hand.row
        return Verdict(row, row, ("SP.3",)) if row else None


class First(Ante):
    name = "first"


class Second(Ante):
    name = "second"
    outcomes = ROWS.names


class StreetPoker(Game[bool]):
    wager_types = (Ante, First, Second)
    ranking = STANDARD

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(BOARD, 2):
            if not r.lies(0, 1):
                yield Draw(0, 2)
            elif not r.lies(BOARD, 0):
                yield Draw(BOARD)
            else:
                yield Draw(BOARD, 2, down=True)
            return
        for index, about in enumerate(STREETS):
            if _is_folded(r.seats[0]):
                return
            if not r.seats[0].choice(about):
                raising = self.terms.offer(about, about, r.seats[0])
                yield Decide(0, (Offer("fold"), *([raising] if raising else [])), about)
                return
            if not r.is_turned(BOARD, 1 + index) and not _is_folded(r.seats[0]):
                yield Turn(BOARD, 1 + index)
                return

    def standing(self, r: Round, seat: int) -> bool:
        return _is_folded(r.seats[seat])


def _is_folded(seat: Seat) -> bool:
    return any(choice.name == "fold" for choice in seat.choices)
