"""A game that takes minutes to analyse: one card, a choice, and then two cards each."""

from collections.abc import Iterator

from msgspec import Struct

from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round, face_up
from feltworks.rules.steps import Decide, Draw, Offer, Step
from feltworks.rules.wager import Verdict, Wager


class Sums(Struct, frozen=True):
    """What the ante is judged by."""

    mine: int
    dealers: int
    is_complete: bool
    folded: bool


class Ante(Wager[Sums]):
    """LD.1: the higher sum wins."""

    name = "ante"
    outcomes = frozenset(["higher", "lower"])

    def judge(self, standing: Sums) -> Verdict | None:
        if standing.folded:
            return Verdict("lower", "the hand was folded", ("LD.1",))
        if not standing.is_complete:
            return None
        outcome = "higher" if standing.mine > standing.dealers else "lower"
        return Verdict(outcome, f"the sum is {outcome}", ("LD.1",))


class LongDraw(Game[Sums]):
    """Three cards against two, and the choice is made after the first."""

    wager_types = (Ante,)

    def procedure(self, r: Round) -> Iterator[Step]:
        numbers = range(len(r.seats))
        if not all(seat.cards for seat in r.seats):
            yield from (Draw(number) for number in numbers if not r.seats[number].cards)
        elif not all(seat.choices for seat in r.seats):
            offers = Offer("fold"), Offer("stay")
            yield from (Decide(number, offers) for number in numbers if not r.seats[number].choices)
        elif not r.dealer:
            yield from (Draw(number, 2) for number in numbers if len(r.seats[number].cards) < 3)
            yield Draw(DEALER, 2)

    def standing(self, r: Round, seat: int) -> Sums:
        on = r.seats[seat]
        mine, dealers = face_up(on.cards), face_up(r.dealer)
        folded = any(choice.name == "fold" for choice in on.choices)
        whole = (len(mine), len(dealers)) == (3, 2)
        return Sums(sum(c.rank for c in mine), sum(c.rank for c in dealers), whole, folded)
