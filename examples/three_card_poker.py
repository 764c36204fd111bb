"""Three Card Poker: three cards against the dealer's, and Pair Plus on the player's own cards."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from feltworks.cards import cards
from feltworks.hands.poker import (
    FLUSH,
    HIGH_CARD,
    PAIR,
    STANDARD,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    HandValue,
    PokerHand,
    Ranking,
)
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round
from feltworks.rules.rulebook.model import with_bonus
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Verdict, Wager

HELD = 3
RANKING = Ranking(
    categories=(STRAIGHT_FLUSH, THREE_OF_A_KIND, STRAIGHT, FLUSH, PAIR, HIGH_CARD),
    ranks=STANDARD.ranks,
    wheel=True,
    size=HELD,
)
NO_CARDS = PokerHand(RANKING)
# TC.3: the dealer's qualifying card that the house posts; without one every hand qualifies
WEAKEST_QUALIFIERS = {
    "J": cards("Jc 3d 2h"),
    "Q": cards("Qc 3d 2h"),
    "K": cards("Kc 3d 2h"),
    "A": cards("Ac 4d 2h"),
    "none": cards("5c 3d 2h"),
}
BONUSES = frozenset(category.name for category in (STRAIGHT_FLUSH, THREE_OF_A_KIND, STRAIGHT))
SHOWDOWNS = ("not qualified", "higher", "equal", "lower")


class Standing(Struct, frozen=True):
    """The facts that judge a wager."""

    hand: HandValue | None
    dealer: HandValue | None
    choice: str | None
    has_ante: bool
    qualifies: bool

    @property
    def showdown(self) -> tuple[str, str] | None:
        """TC.3: the result of the showdown and its words; None before the dealer's cards are turned."""
        mine, theirs = self.hand, self.dealer
        if mine is None or theirs is None:
            return None
        if not self.qualifies:
            return "not qualified", f"the dealer's {theirs.words} does not qualify"
        if mine == theirs:
            return "equal", f"both have {mine.phrase}"
        if mine > theirs:
            return "higher", f"{mine.words} beats {theirs.words}"
        return "lower", f"{mine.words} loses to {theirs.words}"


class Ante(Wager[Standing]):
    """TC.2-4: the showdown, and the bonus for a good hand, whatever the dealer has."""

    name = "ante"
    outcomes = frozenset(["fold", *(with_bonus(each, bonus) for each in SHOWDOWNS for bonus in (*BONUSES, None))])

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.choice == "fold":
            return Verdict("fold", "the hand was folded", ("TC.2",))
        if standing.showdown is None or standing.hand is None:
            return None
        outcome, words = standing.showdown
        earned = standing.hand.category if standing.hand.category in BONUSES else None
        return Verdict(with_bonus(outcome, earned), words, ("TC.3", "TC.4"))


class Play(Wager[Standing]):
    """TC.2, TC.3: as much as the Ante."""

    name = "play"
    outcomes = frozenset(SHOWDOWNS)

    def judge(self, standing: Standing) -> Verdict | None:
        return Verdict(*standing.showdown, ("TC.3",)) if standing.showdown else None


class PairPlus(Wager[Standing]):
    """TC.5: a pair or better."""

    name = "pair-plus"
    outcomes = frozenset(category.name for category in RANKING.categories)

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.hand is None or (standing.has_ante and standing.choice is None):
            return None
        return Verdict(standing.hand.category, standing.hand.words, ("TC.5",))


class ThreeCardPoker(Game[Standing]):
    """TC.1-5."""

    wager_types = (Ante, Play, PairPlus)
    ranking = RANKING
    empty_hand = NO_CARDS

    def __init__(self, terms: Terms, bonus: Sequence[type[Wager]] = ()) -> None:
        super().__init__(terms, bonus)
        self.weakest_qualifier = RANKING.value(WEAKEST_QUALIFIERS[str(terms["three-card-poker.qualifier"])])

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(DEALER, HELD - 1):
            for number in range(len(r.seats)):
                if not r.hand(number, NO_CARDS).held:
                    yield Draw(number, HELD)
            yield Draw(DEALER, HELD, down=True)
            return
        waiting = [n for n, seat in enumerate(r.seats) if "ante" in seat.wagers and not seat.choices]
        for number in waiting:
            play = self.terms.offer("play", "play", r.seats[number])
            yield Decide(number, (Offer("fold"), play) if play else (Offer("fold"),))
        if not waiting and not r.is_turned(DEALER, 0) and self.undecided(r):
            yield Turn(DEALER, 0, HELD)

    def standing(self, r: Round, seat: int) -> Standing:
        on = r.seats[seat]
        choice = on.choices[0].name if on.choices else None
        hand, dealer = r.hand(seat, NO_CARDS).value, r.hand(DEALER, NO_CARDS).value
        qualifies = dealer is not None and dealer >= self.weakest_qualifier
        return Standing(hand, dealer, choice, "ante" in on.wagers, qualifies)
