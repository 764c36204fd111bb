"""Mississippi Stud: two cards and three shared ones; before each shared card the player raises or folds."""

from collections.abc import Iterator

from msgspec import Struct

from feltworks.cards import Rank
from feltworks.hands.poker import STANDARD, PaidHand, PaidRows, Ranking
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, SEAT, HandOf, Round, Seat
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.wager import Own, Verdict, Wager

OWN, STREETS = 2, ("third-street", "fourth-street", "fifth-street")
PAIRS = ((Rank.JACK, "jacks or better"), (Rank.SIX, "sixes to tens"), (Rank.TWO, "low pair"))
ROWS = PaidRows(STANDARD, PAIRS)  # MS.3


FIVE_CARDS = HandOf(PaidHand(ROWS), ((SEAT, None), (BOARD, None)))


class Standing(Struct, frozen=True):
    """Whether the hand was folded."""

    is_folded: bool


class Ante(Wager[Own[Standing, PaidHand]]):
    """MS.2, MS.3: paid by the five cards; a folded hand loses all its wagers."""

    name = "ante"
    outcomes = ROWS.names | {"fold"}
    hand = FIVE_CARDS

    def judge(self, standing: Own[Standing, PaidHand]) -> Verdict | None:
        if standing.table.is_folded:
            return Verdict("fold", "the hand was folded", ("MS.2",))
        row = standing.hand.row
        return Verdict(row, "{0} {1} {2} {3} {4} make " + row, ("MS.3",)) if row else None


class ThirdStreet(Ante):
    """MS.2: before the first shared card."""

    name = "third-street"
    paid_by = "ante"


class FourthStreet(Ante):
    """MS.2: before the second shared card."""

    name = "fourth-street"
    paid_by = "ante"


class FifthStreet(Ante):
    """MS.2: before the third shared card."""

    name = "fifth-street"
    paid_by = "ante"


class MississippiStud(Game[Standing]):
    """MS.1-3."""

    wager_types = (Ante, ThirdStreet, FourthStreet, FifthStreet)
    ranking: Ranking = STANDARD

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(BOARD, len(STREETS) - 1):
            for number in range(len(r.seats)):
                if not r.lies(number, OWN - 1):
                    yield Draw(number, OWN)
            yield Draw(BOARD, len(STREETS), down=True)
            return
        in_play = [number for number, seat in enumerate(r.seats) if not _is_folded(seat)]
        for index, street in enumerate(STREETS):
            waiting = [number for number in in_play if not r.seats[number].choice(street)]
            if waiting:
                yield from (Decide(number, self._offers(r.seats[number], street), street) for number in waiting)
                return
            if in_play and not r.is_turned(BOARD, index):
                yield Turn(BOARD, index)
                return

    def _offers(self, seat: Seat, street: str) -> tuple[Offer, ...]:
        """MS.2: fold, or raise one to three times the Ante."""
        raising = self.terms.offer("raise", street, seat)
        return (Offer("fold"), raising) if raising else (Offer("fold"),)

    def standing(self, r: Round, seat: int) -> Standing:
        return Standing(_is_folded(r.seats[seat]))


def _is_folded(seat: Seat) -> bool:
    return bool(seat.choices) and seat.choices[-1].name == "fold"
