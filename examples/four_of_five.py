"""Four of Five: the best four of five cards against the dealer's; good hands may raise more."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from feltworks.cards import Rank, cards
from feltworks.hands.poker import (
    FLUSH,
    FOUR_OF_A_KIND,
    HIGH_CARD,
    PAIR,
    STANDARD,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
    BestHand,
    HandValue,
    Ranking,
)
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.wager import Verdict, Wager

HELD = 5
RANKING = Ranking(
    categories=(FOUR_OF_A_KIND, STRAIGHT_FLUSH, THREE_OF_A_KIND, FLUSH, STRAIGHT, TWO_PAIR, PAIR, HIGH_CARD),
    ranks=STANDARD.ranks,
    wheel=True,
    size=4,
)
NO_CARDS = BestHand(RANKING, of=HELD)
LARGE_RAISE = RANKING.value(cards("Ac Ad 3h 2s"))
NAMES = frozenset(category.name for category in RANKING.categories)


class Standing(Struct, frozen=True):
    """The facts that judge a wager."""

    hand: HandValue | None
    dealer: HandValue | None
    choice: str | None
    has_ante: bool
    qualifies: bool

    @property
    def showdown(self) -> tuple[str, str] | None:
        """FF.4: the result of the showdown and its words; None before the dealer's cards are turned."""
        mine, theirs = self.hand, self.dealer
        if mine is None or theirs is None:
            return None
        if mine == theirs:
            return "equal", f"both have {mine.phrase}"
        outcome, verb = ("higher", "beats") if mine > theirs else ("lower", "loses to")
        return outcome, f"{mine.words} {verb} {theirs.words}"


class Ante(Wager[Standing]):
    """FF.2, FF.4: even money, and a push where the dealer does not qualify."""

    name = "ante"
    outcomes = frozenset(["fold", "not qualified", "higher", "equal", "lower"])

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.choice == "fold":
            return Verdict("fold", "the hand was folded", ("FF.2",))
        if standing.showdown is None or standing.dealer is None:
            return None
        if not standing.qualifies:
            return Verdict("not qualified", f"the dealer's {standing.dealer.words} does not qualify", ("FF.4",))
        return Verdict(*standing.showdown, ("FF.4",))


class Play(Wager[Standing]):
    """FF.3, FF.4: the showdown, whether the dealer qualifies or not."""

    name = "play"
    outcomes = frozenset(["higher", "equal", "lower"])

    def judge(self, standing: Standing) -> Verdict | None:
        return Verdict(*standing.showdown, ("FF.4",)) if standing.showdown else None


class SuperBonus(Wager[Standing]):
    """FF.5: a straight or better is paid whatever the dealer has; below that only a lower hand loses."""

    name = "super-bonus"
    paid = frozenset(category.name for category in (FOUR_OF_A_KIND, STRAIGHT_FLUSH, THREE_OF_A_KIND, FLUSH, STRAIGHT))
    outcomes = frozenset(["fold", "four aces", *paid, "higher", "equal", "lower"])

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.choice == "fold":
            return Verdict("fold", "the hand was folded", ("FF.2",))
        if standing.showdown is None or standing.hand is None:
            return None
        if standing.hand.category in self.paid:
            four_aces = standing.hand.category == FOUR_OF_A_KIND.name and standing.hand.ranks[0] is Rank.ACE
            return Verdict("four aces" if four_aces else standing.hand.category, standing.hand.words, ("FF.5",))
        return Verdict(*standing.showdown, ("FF.5",))


class QueensUp(Wager[Standing]):
    """FF.6: a pair of queens or better, whatever the dealer has."""

    name = "queens-up"
    weakest = RANKING.value(cards("Qc Qd 3h 2s"))
    outcomes = NAMES | {"queens or better"}

    def judge(self, standing: Standing) -> Verdict | None:
        hand = standing.hand
        if hand is None or (standing.has_ante and standing.choice is None):
            return None
        is_high = hand.category == PAIR.name and hand >= self.weakest
        return Verdict("queens or better" if is_high else hand.category, hand.words, ("FF.6",))


class FourOfFive(Game[Standing]):
    """FF.1-6."""

    wager_types = (Ante, Play, SuperBonus, QueensUp)
    ranking = RANKING
    empty_hand = NO_CARDS
    weakest_qualifier = RANKING.value(cards("Kc 4d 3h 2s"))
    least_cards = 2 * HELD

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(DEALER, HELD - 1):
            for number in range(len(r.seats)):
                if not r.lies(number, HELD - 1):
                    yield Draw(number, HELD)
            yield Draw(DEALER, HELD, down=True)
            return
        waiting = [number for number, seat in enumerate(r.seats) if "ante" in seat.wagers and not seat.choices]
        for number in waiting:
            yield Decide(number, self._offers(r, number))
        if not waiting and not r.is_turned(DEALER, 0) and self.undecided(r):
            yield Turn(DEALER, 0, HELD)

    def _offers(self, r: Round, number: int) -> tuple[Offer, ...]:
        """FF.3: as much as the Ante; up to three times as much with a pair of aces or better."""
        play, hand = self.terms.offer("play", "play", r.seats[number]), r.hand(number, NO_CARDS).value
        if play is None:
            return (Offer("fold"),)
        if hand is None or hand < LARGE_RAISE:
            play = replace(play, most=play.least, sizes=())
        return Offer("fold"), play

    def standing(self, r: Round, seat: int) -> Standing:
        on = r.seats[seat]
        choice = on.choices[0].name if on.choices else None
        hand = r.hand(seat, NO_CARDS).value if r.lies(seat, HELD - 1) else None
        dealer = r.hand(DEALER, NO_CARDS).value if r.is_turned(DEALER, HELD - 1) else None
        qualifies = dealer is not None and dealer >= self.weakest_qualifier
        return Standing(hand, dealer, choice, "ante" in on.wagers, qualifies)
