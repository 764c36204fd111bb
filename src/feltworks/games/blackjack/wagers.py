"""The wagers of blackjack itself, and the facts that they and the bonus wagers are judged by."""

from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.blackjack import total
from feltworks.hands.spot import Hand, Spot
from feltworks.money import Cents
from feltworks.rules.wager import Part, Verdict, Wager

_ORIGINAL_ONLY = frozenset(["original lost", "added wager returned"])


class DealersHand(Struct, frozen=True, gc=False):
    """The dealer's hand as far as it is known."""

    cards: tuple[Card, ...]  # those that lie open
    up_card: Card | None
    total: int | None  # None until the hand is complete
    has_blackjack: bool | None  # None while nobody knows


class BlackjackStanding(Struct, frozen=True, gc=False):
    """What blackjack and its bonus wagers are judged by."""

    first_two: tuple[Card, ...]
    spot: Spot
    dealer: DealersHand


class BlackjackWager(Wager[BlackjackStanding]):
    """BJ.4: the main wager, hand by hand."""

    name = "blackjack"
    divides = True
    outcomes = (
        frozenset(["blackjack", "higher", "dealer over 21", "equal", "both blackjack", "lower", "over 21"])
        | {"dealer blackjack", "surrendered"}
        | _ORIGINAL_ONLY
    )

    @property
    def possible(self) -> frozenset[str]:
        """BJ.1, BJ.5: without surrender or a dealer blackjack after the play some outcomes never come up."""
        takes_all = self.terms["peek"] or self.terms["no-peek-loss"] == "all"
        surrendered = frozenset(["surrendered"] if self.terms["surrender"] == "none" else [])
        return self.outcomes - surrendered - (_ORIGINAL_ONLY if takes_all else frozenset())

    def judge(self, standing: BlackjackStanding) -> Verdict | None:
        return self._judge_hand(standing, 0)

    def parts(self, standing: BlackjackStanding, wagered: Cents) -> Iterable[Part]:
        hands = standing.spot.hands
        if len(hands) == 1:
            return (Part("", wagered, self._judge_hand(standing, 0)),)
        base = opening_wager(hands, wagered)
        return [
            Part(f"hand {i + 1}", base * (1 + hand.is_doubled), self._judge_hand(standing, i))
            for i, hand in enumerate(hands)
        ]

    def _judge_hand(self, standing: BlackjackStanding, index: int) -> Verdict | None:
        spot, dealer = standing.spot, standing.dealer
        hand, dealer_has_blackjack = spot.hands[index], dealer.has_blackjack
        held = total(hand.cards).points
        if held > 21:
            return _over_21(held)
        if dealer_has_blackjack:
            is_first_left = all(other.is_over for other in spot.hands[:index])
            return self._against_blackjack(hand, takes_original=is_first_left)
        if dealer_has_blackjack is False:
            if held == 21 and hand.is_blackjack:
                return Verdict("blackjack", "blackjack, and the dealer has none", ("BJ.4", "BJ.1"))
            if hand.last == "surrender":
                return Verdict("surrendered", "the hand was surrendered", ("BJ.4",))
        if dealer.total is None or spot.active is not None:
            return None
        return _compared(held, dealer.total)

    def _against_blackjack(self, hand: Hand, *, takes_original: bool) -> Verdict:
        if hand.is_blackjack:
            return Verdict("both blackjack", "both have blackjack", ("BJ.4",))
        # BJ.5: without peek a house may take one original wager only, beside those of hands over 21
        if self.terms["peek"] or self.terms["no-peek-loss"] == "all" or hand.is_surrendered:
            return Verdict("dealer blackjack", "the dealer has blackjack", ("BJ.5", "BJ.4"))
        because = "dealer blackjack takes the original wager only"
        if not takes_original:
            return Verdict("added wager returned", because, ("BJ.5",))
        if hand.is_doubled:
            return Verdict("original lost", because, ("BJ.5",))
        return Verdict("dealer blackjack", "the dealer has blackjack", ("BJ.5", "BJ.4"))


@cache
def _over_21(points: int) -> Verdict:
    return Verdict("over 21", f"{points} is over 21", ("BJ.4",))


@cache
def _compared(mine: int, theirs: int) -> Verdict:
    if theirs > 21:
        return Verdict("dealer over 21", f"the dealer's {theirs} is over 21", ("BJ.4",))
    if mine == theirs:
        return Verdict("equal", f"{mine} equals the dealer's {theirs}", ("BJ.4",))
    if mine > theirs:
        return Verdict("higher", f"{mine} is higher than the dealer's {theirs}", ("BJ.4",))
    return Verdict("lower", f"{mine} is lower than the dealer's {theirs}", ("BJ.4",))


class Insurance(Wager[BlackjackStanding]):
    """BJ.4: at most half the blackjack wager, that the dealer has blackjack."""

    name = "insurance"
    outcomes = frozenset(["dealer blackjack", "no dealer blackjack"])

    def judge(self, standing: BlackjackStanding) -> Verdict | None:
        if standing.dealer.has_blackjack is None:
            return None
        if standing.dealer.has_blackjack:
            return Verdict("dealer blackjack", "the dealer has blackjack", ("BJ.4",))
        return Verdict("no dealer blackjack", "the dealer has no blackjack", ("BJ.4",))


def opening_wager(hands: tuple[Hand, ...], wagered: Cents) -> Cents:
    """The wager the spot opened with: every hand carries one, a doubled hand two."""
    if len(hands) == 1 and not hands[0].is_doubled:
        return wagered
    return wagered // sum(1 + hand.is_doubled for hand in hands)
