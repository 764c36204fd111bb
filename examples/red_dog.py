"""Red Dog: whether a third card falls between the first two; players may raise after seeing those."""

from collections.abc import Iterator

from msgspec import Struct

from feltworks.hands.spread import SpreadHand, is_between, spread
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, Round, Seat
from feltworks.rules.sights import SPREADS, Axis, Chart, PlayerView, Sights, ranges
from feltworks.rules.steps import Decide, Draw, Offer, Step
from feltworks.rules.wager import Verdict, Wager

NO_CARDS = SpreadHand()


class Standing(Struct, frozen=True):
    """The pay table row of the cards, or None before there is one, and the reason."""

    row: str | None
    because: str


class Ante(Wager[Standing]):
    """RD.2-4."""

    name = "ante"
    outcomes = frozenset(
        [
            "three of a kind",
            "pair",
            "consecutive",
            "spread 1",
            "spread 2",
            "spread 3",
            "spread 4 or more",
            "outside",
        ]
    )

    def judge(self, standing: Standing) -> Verdict | None:
        return Verdict(standing.row, standing.because, ("RD.3", "RD.4")) if standing.row else None


class Raise(Ante):
    """RD.2: at most as much as the Ante."""

    name = "raise"
    outcomes = frozenset(["spread 1", "spread 2", "spread 3", "spread 4 or more", "outside"])


def _spread(view: PlayerView) -> int:
    return spread(view.cards[0].rank, view.cards[1].rank)


class RedDog(Game[Standing]):
    """RD.1-4. The cards are on the board and shared by all spots."""

    wager_types = (Ante, Raise)
    is_short = True
    sights = Sights(
        facts=lambda view: {"spread": _spread(view), "pair": _spread(view) < 0},
        features={
            "spread": _spread,
            "highest": lambda view: max(face.rank for face in view.cards),
            "lowest": lambda view: min(face.rank for face in view.cards),
        },
        phrases=lambda: list(ranges("spread", 1, 11, "with a spread of {}")),
        chart=Chart(SPREADS.chart.down, Axis("suits", ("any",), lambda _: "any", "in {} suits")),
    )

    def procedure(self, r: Round) -> Iterator[Step]:
        hand = r.hand(BOARD, NO_CARDS)
        if not hand.low:
            yield Draw(BOARD)
            return
        if hand.third:
            return
        if hand.is_pair:
            yield Draw(BOARD)  # RD.3: a third card of the same rank
            return
        if spread(hand.low, hand.high) == 0:
            return
        waiting = [number for number, seat in enumerate(r.seats) if not seat.choices]
        for number in waiting:
            yield Decide(number, self._offers(r.seats[number]))
        if not waiting:
            yield Draw(BOARD)

    def _offers(self, seat: Seat) -> tuple[Offer, ...]:
        """RD.2: call, or raise by up to the Ante."""
        raising = self.terms.offer("raise", "raise", seat)
        return (Offer("call"), raising) if raising else (Offer("call"),)

    def standing(self, r: Round, seat: int) -> Standing:
        hand = r.hand(BOARD, NO_CARDS)
        if not hand.low:
            return Standing(None, "")
        between = spread(hand.low, hand.high)
        if not hand.is_pair and between == 0:
            return Standing("consecutive", "the cards are neighbours")
        if not hand.third:
            return Standing(None, "")
        if hand.is_pair:
            equal = hand.third == hand.low
            return Standing("three of a kind" if equal else "pair", f"the third card is the {hand.third.word}")
        if not is_between(hand.third, hand.low, hand.high):
            return Standing("outside", f"the {hand.third.word} is not between")
        return Standing(f"spread {between}" if between < 4 else "spread 4 or more", f"the {hand.third.word} is between")
