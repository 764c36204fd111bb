"""Hold'em against the dealer: two cards each, a board of five, and one Play wager, larger if made earlier."""

from collections.abc import Iterator

from msgspec import Struct

from feltworks.cards import cards
from feltworks.hands.poker import STANDARD, BestHand, HandValue
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, SEAT, HandOf, Round, Seat
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.wager import Verdict, Wager

SEVEN = BestHand(STANDARD, of=7)
MINE = HandOf(SEVEN, ((SEAT, None), (BOARD, None)))
THEIRS = HandOf(SEVEN, ((DEALER, None), (BOARD, None)))
# SH.2-4: how many board cards are open when each Play wager may be made
STREETS = {"early-play": 0, "flop-play": 3, "river-play": 5}
NAMES = frozenset(category.name for category in STANDARD.categories)


class Standing(Struct, frozen=True):
    """The facts that judge a wager."""

    mine: HandValue | None
    theirs: HandValue | None
    is_folded: bool
    has_acted: bool
    qualifies: bool

    @property
    def showdown(self) -> tuple[str, str] | None:
        """SH.5: the result of the showdown and its words."""
        if self.mine is None or self.theirs is None:
            return None
        if self.mine == self.theirs:
            return "equal", f"both have {self.mine.phrase}"
        if self.mine > self.theirs:
            return "higher", f"{self.mine.words} beats {self.theirs.words}"
        return "lower", f"{self.mine.words} loses to {self.theirs.words}"


class Ante(Wager[Standing]):
    """SH.5: pushes where the dealer does not qualify."""

    name = "ante"
    outcomes = frozenset(["fold", "not qualified", "higher", "equal", "lower"])

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.is_folded:
            return Verdict("fold", "the hand was folded", ("SH.4",))
        if standing.showdown is None:
            return None
        outcome, words = standing.showdown
        if not standing.qualifies:
            return Verdict("not qualified", f"the dealer has no pair; {words}", ("SH.5",))
        return Verdict(outcome, words, ("SH.5",))


class Blind(Wager[Standing]):
    """SH.6: a winning hand is paid by its rank."""

    name = "blind"
    outcomes = frozenset(["fold", "equal", "lower", *NAMES])

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.is_folded:
            return Verdict("fold", "the hand was folded", ("SH.4",))
        if standing.showdown is None or standing.mine is None:
            return None
        outcome, words = standing.showdown
        return Verdict(standing.mine.category if outcome == "higher" else outcome, words, ("SH.6",))


class EarlyPlay(Wager[Standing]):
    """SH.2, SH.5: before the flop."""

    name = "early-play"
    outcomes = frozenset(["higher", "equal", "lower"])

    def judge(self, standing: Standing) -> Verdict | None:
        return Verdict(*standing.showdown, ("SH.5",)) if standing.showdown else None


class FlopPlay(EarlyPlay):
    """SH.3: after the flop."""

    name = "flop-play"


class RiverPlay(EarlyPlay):
    """SH.4: with the whole board open."""

    name = "river-play"


class Trips(Wager[Standing]):
    """SH.7: three of a kind or better, whatever the dealer has."""

    name = "trips"
    outcomes = NAMES

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.mine is None or not standing.has_acted:
            return None
        return Verdict(standing.mine.category, standing.mine.words, ("SH.7",))


class StreetHoldem(Game[Standing]):
    """SH.1-7."""

    wager_types = (Ante, Blind, EarlyPlay, FlopPlay, RiverPlay, Trips)
    ranking = STANDARD
    weakest_qualifier = STANDARD.value(cards("2c 2d 5h 4s 3c"))

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(BOARD, 4):
            for number in range(len(r.seats)):
                if not r.lies(number, 1):
                    yield Draw(number, 2)
            if not r.lies(DEALER, 1):
                yield Draw(DEALER, 2, down=True)
            yield Draw(BOARD, 5, down=True)
            return
        for street, seen in STREETS.items():
            if seen and not r.is_turned(BOARD, seen - 1):
                begin = 0 if seen == 3 else 3
                yield Turn(BOARD, begin, seen - begin)
                return
            waiting = [number for number, seat in enumerate(r.seats) if _waits(seat, street)]
            if waiting:
                yield from (Decide(number, self._offers(r.seats[number], street), street) for number in waiting)
                return
        if not r.is_turned(DEALER, 0) and any(_has_played(seat) for seat in r.seats):
            yield Turn(DEALER, 0, 2)

    def _offers(self, seat: Seat, street: str) -> tuple[Offer, ...]:
        """SH.2-4: check or play; with the whole board open fold or play."""
        play = self.terms.offer("play", street, seat)
        pass_ = Offer("fold" if street == "river-play" else "check")
        return (pass_, play) if play else (pass_,)

    def standing(self, r: Round, seat: int) -> Standing:
        on = r.seats[seat]
        whole, shown = r.is_turned(BOARD, 4), r.is_turned(DEALER, 0)
        mine = r.hand_of(MINE, seat).value if whole and r.is_turned(seat, 1) else None
        theirs = r.hand_of(THEIRS, seat).value if whole and shown else None
        qualifies = theirs is not None and theirs >= self.weakest_qualifier
        has_acted = "ante" not in on.wagers or _has_played(on) or _is_folded(on)
        return Standing(mine, theirs, _is_folded(on), has_acted, qualifies)


def _is_folded(seat: Seat) -> bool:
    return bool(seat.choices) and seat.choices[-1].name == "fold"


def _has_played(seat: Seat) -> bool:
    return any(street in seat.wagers for street in STREETS)


def _waits(seat: Seat, street: str) -> bool:
    """Whether a seat has to decide on a street: it has an Ante and has only checked so far."""
    return "ante" in seat.wagers and not _has_played(seat) and seat.choice(street) is None
