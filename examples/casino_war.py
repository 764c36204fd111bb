"""Casino War: one card against the dealer's, and a war on a tie."""

from collections.abc import Iterator

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.hand import Hand
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round, Seat
from feltworks.rules.steps import Decide, Draw, Offer, Step
from feltworks.rules.wager import Verdict, Wager


class Ranks(Hand, frozen=True):
    """The ranks of one or two cards, in their order; CW.1: suits do not count."""

    ranks: tuple[int, ...] = ()

    def add(self, card: Card) -> "Ranks":
        return Ranks((*self.ranks, int(card.rank)))

    @property
    def held(self) -> int:
        return len(self.ranks)


RANKS = Ranks()
WAR = ("war won", "war tied", "war lost")


class WarStanding(Struct, frozen=True):
    """What a Casino War wager is judged by."""

    mine: Ranks
    dealers: Ranks
    choice: str | None

    def lead(self, index: int) -> int | None:
        """How far my card is above the dealer's, or None while one of them is missing."""
        if self.mine.held <= index or self.dealers.held <= index:
            return None
        return self.mine.ranks[index] - self.dealers.ranks[index]


class Ante(Wager[WarStanding]):
    """CW.2–4: the main wager."""

    name = "ante"
    outcomes = frozenset(["higher", "lower", "surrender", *WAR])

    def judge(self, standing: WarStanding) -> Verdict | None:
        lead = standing.lead(0)
        if lead is None:
            return None
        if lead:
            outcome = "higher" if lead > 0 else "lower"
            return Verdict(outcome, f"the card is {outcome} than the dealer's", ("CW.2", "CW.1"))
        if standing.choice == "surrender":
            return Verdict("surrender", "the tied hand was surrendered", ("CW.3",))
        return _war(standing)


class Raise(Wager[WarStanding]):
    """CW.3, CW.4: as much as the Ante, put down to go to war."""

    name = "raise"
    outcomes = frozenset(WAR)

    def judge(self, standing: WarStanding) -> Verdict | None:
        return _war(standing)


def _war(standing: WarStanding) -> Verdict | None:
    """CW.4: equal or higher wins the war."""
    lead = standing.lead(1)
    if lead is None:
        return None
    if lead == 0:
        return Verdict("war tied", "the second cards are equal, too", ("CW.4",))
    if lead > 0:
        return Verdict("war won", "the second card is above the dealer's", ("CW.4",))
    return Verdict("war lost", "the second card is below the dealer's", ("CW.4",))


class Tie(Wager[WarStanding]):
    """CW.5: the first cards are equal."""

    name = "tie"
    outcomes = frozenset(["tie", "no tie"])

    def judge(self, standing: WarStanding) -> Verdict | None:
        lead = standing.lead(0)
        if lead is None:
            return None
        if lead:
            return Verdict("no tie", "the first cards differ", ("CW.5",))
        return Verdict("tie", "the first cards are equal", ("CW.5",))


class CasinoWar(Game[WarStanding]):
    """One card against the dealer's."""

    wager_types = (Ante, Raise, Tie)

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.hand(DEALER, RANKS).held:
            yield from self._deal(r)
            return
        tied = [number for number in range(len(r.seats)) if self.standing(r, number).lead(0) == 0]
        waiting = [number for number in tied if not r.seats[number].choices]
        if waiting:  # decisions that stand open together are yielded together
            yield from (Decide(number, self._offers(r.seats[number])) for number in waiting)
            return
        yield from self._go_to_war(r, tied)

    def _deal(self, r: Round) -> Iterator[Step]:
        """CW.2: every spot first, then the dealer."""
        for number in range(len(r.seats)):
            if not r.hand(number, RANKS).held:
                yield Draw(number)
        yield Draw(DEALER)

    def _offers(self, seat: Seat) -> tuple[Offer, ...]:
        """CW.3: the Raise's size comes from the rulebook, and so does the right to surrender."""
        war = self.terms.offer("war", "raise", seat)
        surrender = Offer("surrender") if self.terms["casino-war.surrender"] else None
        return tuple(offer for offer in (surrender, war) if offer)

    def _go_to_war(self, r: Round, tied: list[int]) -> Iterator[Step]:
        """CW.4: the players at war first, then the dealer."""
        at_war = [number for number in tied if r.seats[number].choices[0].name == "war"]
        for number in at_war:
            if r.hand(number, RANKS).held < 2:
                yield Draw(number)
        if at_war and r.hand(DEALER, RANKS).held < 2:
            yield Draw(DEALER)

    def standing(self, r: Round, seat: int) -> WarStanding:
        on = r.seats[seat]
        choice = on.choices[0].name if on.choices else None
        return WarStanding(r.hand(seat, RANKS), r.hand(DEALER, RANKS), choice)
