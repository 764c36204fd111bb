"""Front and Back: three cards are set into a front of one and a back of two, against the dealer's."""

from collections.abc import Iterator

from msgspec import Struct

from feltworks.cards import Card, Rank
from feltworks.hands.hand import Hand, chosen_cards
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round
from feltworks.rules.steps import Decide, Draw, Step, Turn, card_offers
from feltworks.rules.wager import Verdict, Wager

HELD = 3
OFFERS = card_offers("front", HELD, (1,))  # FR.2


class SetHand(Hand, frozen=True):
    """FR.2: three cards in order; once set, the front and the back, a pair or the higher card first."""

    cards: tuple[Rank, ...] = ()
    front: Rank | None = None
    back: tuple[int, ...] = ()

    def add(self, card: Card) -> "SetHand":
        return SetHand((*self.cards, card.rank))

    @property
    def wants_card(self) -> bool:
        return len(self.cards) < HELD

    def takes(self, about: str) -> bool:
        return about == "setting"

    def choose(self, name: str) -> "SetHand":
        return self.set_at(*chosen_cards(name))

    def set_at(self, place: int) -> "SetHand":
        """The hand with this card as the front."""
        high, low = sorted((rank for other, rank in enumerate(self.cards) if other != place), reverse=True)
        return SetHand((), self.cards[place], (int(high == low), high, low))

    @property
    def words(self) -> str:
        if self.front is None:
            return ""
        is_pair, high, low = self.back
        back = f"a pair of {Rank(high).plural}" if is_pair else f"{Rank(high).word} {Rank(low).word}"
        return f"{back} behind {self.front.word}"


class HouseHand(SetHand, frozen=True):
    """FR.3: the dealer's cards, set by the house way: a pair in the back, otherwise the highest card in front."""

    any_order = True

    def add(self, card: Card) -> "SetHand":
        cards = tuple(sorted((*self.cards, card.rank)))
        if len(cards) < HELD:
            return HouseHand(cards)
        _, middle, high = cards
        return SetHand(cards).set_at(0 if middle == high else 2)


NO_CARDS, NO_HOUSE = SetHand(), HouseHand()


class Standing(Struct, frozen=True):
    """The facts that judge the Ante."""

    mine: SetHand
    theirs: SetHand


class Ante(Wager[Standing]):
    """FR.4: both hands have to win; a tie on either side goes to the dealer."""

    name = "ante"
    outcomes = frozenset(["both", "one", "none"])

    def judge(self, standing: Standing) -> Verdict | None:
        mine, theirs = standing.mine, standing.theirs
        if mine.front is None or theirs.front is None:
            return None
        won = (mine.front > theirs.front) + (mine.back > theirs.back)
        return Verdict(("none", "one", "both")[won], f"{mine.words} against {theirs.words}", ("FR.4",))


class FrontAndBack(Game[Standing]):
    """FR.1-4."""

    wager_types = (Ante,)
    empty_hand = NO_CARDS

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(DEALER, HELD - 1):
            yield from (Draw(number, HELD) for number in range(len(r.seats)) if not r.lies(number, HELD - 1))
            yield Draw(DEALER, HELD, down=True)
            return
        waiting = [number for number in range(len(r.seats)) if r.hand(number, NO_CARDS).front is None]
        yield from (Decide(number, OFFERS, "setting") for number in waiting)
        if not waiting and not r.is_turned(DEALER, 0):
            yield Turn(DEALER, 0, HELD)

    def sees(self, r: Round, viewer: int | None, owner: int) -> bool:
        """FR.2: a hand is hidden until it is set."""
        return r.hand(owner, NO_CARDS).front is not None

    def dealer_words(self, r: Round) -> str:
        return r.hand(DEALER, NO_HOUSE).words

    def standing(self, r: Round, seat: int) -> Standing:
        return Standing(r.hand(seat, NO_CARDS), r.hand(DEALER, NO_HOUSE))
