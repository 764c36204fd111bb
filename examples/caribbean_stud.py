"""Caribbean Stud: five cards against the dealer's, one of which is dealt face up."""

from collections.abc import Iterator

from msgspec import Struct

from feltworks.cards import cards
from feltworks.hands.poker import STANDARD, HandValue, PokerHand
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.wager import Verdict, Wager

HELD = 5
NO_CARDS = PokerHand(STANDARD)
NAMES = frozenset(category.name for category in STANDARD.categories)


class Standing(Struct, frozen=True):
    """The facts that judge a wager."""

    hand: HandValue | None
    dealer: HandValue | None
    choice: str | None
    qualifies: bool


class Ante(Wager[Standing]):
    """CS.2, CS.3: even money; the only wager paid if the dealer does not qualify."""

    name = "ante"
    outcomes = frozenset(["fold", "not qualified", "higher", "equal", "lower"])

    def judge(self, standing: Standing) -> Verdict | None:
        mine, theirs = standing.hand, standing.dealer
        if standing.choice == "fold":
            return Verdict("fold", "the hand was folded", ("CS.2",))
        if mine is None or theirs is None:
            return None
        if not standing.qualifies:
            return Verdict("not qualified", f"the dealer's {theirs.words} does not qualify", ("CS.3",))
        if mine == theirs:
            return Verdict("equal", f"both have {mine.phrase}", ("CS.3",))
        outcome, verb = ("higher", "beats") if mine > theirs else ("lower", "loses to")
        return Verdict(outcome, f"{mine.words} {verb} {theirs.words}", ("CS.3",))


class Raise(Ante):
    """CS.2, CS.4: twice the Ante; a win is paid by the player's hand."""

    name = "raise"
    outcomes = frozenset(["not qualified", "equal", "lower", *NAMES])

    def judge(self, standing: Standing) -> Verdict | None:
        verdict = super().judge(standing)
        if verdict is None or verdict.outcome != "higher" or standing.hand is None:
            return verdict
        return Verdict(standing.hand.category, verdict.because, ("CS.4",))


class CaribbeanStud(Game[Standing]):
    """CS.1-4."""

    wager_types = (Ante, Raise)
    ranking = STANDARD
    empty_hand = NO_CARDS
    weakest_qualifier = STANDARD.value(cards("Ac Kd 4h 3s 2c"))

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(DEALER, HELD - 1):
            yield from self._deal(r)
            return
        waiting = [number for number, seat in enumerate(r.seats) if not seat.choices]
        for number in waiting:
            raising = self.terms.offer("raise", "raise", r.seats[number])
            yield Decide(number, (Offer("fold"), raising) if raising else (Offer("fold"),))
        if not waiting and not r.is_turned(DEALER, 1) and any("raise" in seat.wagers for seat in r.seats):
            yield Turn(DEALER, 1, HELD - 1)

    def _deal(self, r: Round) -> Iterator[Step]:
        """CS.1: the dealer's first card is dealt face up."""
        for number in range(len(r.seats)):
            if not r.lies(number, HELD - 1):
                yield Draw(number, HELD)
        if not r.lies(DEALER, 0):
            yield Draw(DEALER)
        yield Draw(DEALER, HELD - 1, down=True)

    def standing(self, r: Round, seat: int) -> Standing:
        on = r.seats[seat]
        choice = on.choices[0].name if on.choices else None
        dealer = r.hand(DEALER, NO_CARDS).value
        qualifies = dealer is not None and dealer >= self.weakest_qualifier
        return Standing(r.hand(seat, NO_CARDS).value, dealer, choice, qualifies)
