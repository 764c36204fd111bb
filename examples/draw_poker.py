"""Draw poker: five cards, any of which may be exchanged once, paid by the final hand."""

from collections.abc import Iterable, Iterator

from feltworks.cards import Rank
from feltworks.hands.hand import chosen_cards
from feltworks.hands.poker import STANDARD, DrawHand, HandValue, PaidRows
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.steps import Burn, Decide, Draw, Gesture, Offer, Step, card_offers
from feltworks.rules.wager import Verdict, Wager

HELD = STANDARD.size
ROWS = PaidRows(STANDARD, ((Rank.JACK, "jacks or better"), (Rank.TWO, "low pair")))  # DP.3
NO_CARDS = DrawHand(STANDARD, about="draw")
OFFERS = (Offer("stand"), *card_offers("discard", HELD, range(1, HELD + 1)))  # DP.2


class Ante(Wager[HandValue | None]):
    """DP.3: paid by the five cards after the draw."""

    name = "ante"
    outcomes = ROWS.names

    def judge(self, standing: HandValue | None) -> Verdict | None:
        return Verdict(ROWS.row(standing), standing.words, ("DP.3",)) if standing else None


class DrawPoker(Game[HandValue | None]):
    """DP.1-3."""

    wager_types = (Ante,)
    ranking = STANDARD
    empty_hand = NO_CARDS

    def procedure(self, r: Round) -> Iterator[Step]:
        undealt = [number for number in range(len(r.seats)) if not r.lies(number, HELD - 1)]
        yield from (Draw(number, HELD) for number in undealt)
        if undealt:
            return
        waiting = [number for number, seat in enumerate(r.seats) if not seat.choices]
        yield from (Decide(number, OFFERS, "draw") for number in waiting)
        if waiting:
            return
        for number, seat in enumerate(r.seats):
            drawn = len(chosen_cards(seat.choices[0].name))
            if drawn and not r.lies(number, HELD + drawn - 1):
                yield Draw(number, drawn)

    def gestures(self, before: Round, after: Round, step: Step) -> Iterable[Gesture]:
        """DP.2: discards leave the hand."""
        if not isinstance(step, Decide):
            return ()
        discards = chosen_cards(after.seats[step.seat].choices[0].name)
        return [Burn(step.seat, place, "DP.2") for place in discards]

    def sees(self, r: Round, viewer: int | None, owner: int) -> bool:
        """DP.1: players hide their cards until their draw."""
        return bool(self.standing(r, owner))

    def standing(self, r: Round, seat: int) -> HandValue | None:
        return r.hand(seat, NO_CARDS).value
