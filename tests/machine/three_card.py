"""Three Card Poker as a designer would write it: rules that read hands, and its rulebook."""

RULES = '''
"""Three cards against the dealer's, and a wager on one's own hand."""

from collections.abc import Iterator

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
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.wager import Verdict, Wager

RANKING = Ranking(
    categories=(STRAIGHT_FLUSH, THREE_OF_A_KIND, STRAIGHT, FLUSH, PAIR, HIGH_CARD),
    ranks=STANDARD.ranks,
    wheel=True,
    size=3,
)
NO_CARDS = PokerHand(RANKING)
WEAKEST = RANKING.value(cards("Qc 3d 2h"))
NAMES = frozenset(category.name for category in RANKING.categories)


class Standing(Struct, frozen=True):
    """What a wager is judged by."""

    hand: HandValue | None
    dealer: HandValue | None
    choice: str | None
    has_ante: bool


class Ante(Wager[Standing]):
    """TC.2, TC.3: paid by the own hand on a win."""

    name = "ante"
    outcomes = frozenset(["fold", "not qualified", "higher", "equal", "lower"])

    def judge(self, s: Standing) -> Verdict | None:
        if s.choice == "fold":
            return Verdict("fold", "the hand was folded", ("TC.2",))
        if s.dealer is None or s.hand is None:
            return None
        if not s.dealer >= WEAKEST:
            return Verdict("not qualified", f"the dealer's {s.dealer.words} did not qualify", ("TC.3",))
        return compare(s.hand, s.dealer)


class Play(Wager[Standing]):
    """TC.2, TC.3: as much as the ante."""

    name = "play"
    outcomes = frozenset(["not qualified", "higher", "equal", "lower"])
    judge = Ante.judge


def compare(mine: HandValue, theirs: HandValue) -> Verdict:
    if mine == theirs:
        return Verdict("equal", f"both have {mine.words}", ("TC.3",))
    if mine > theirs:
        return Verdict("higher", f"{mine.words} beats {theirs.words}", ("TC.3",))
    return Verdict("lower", f"{mine.words} loses to {theirs.words}", ("TC.3",))


class PairPlus(Wager[Standing]):
    """TC.4: a pair or better."""

    name = "pair-plus"
    outcomes = NAMES

    def judge(self, s: Standing) -> Verdict | None:
        if s.hand is None or (s.has_ante and s.choice is None):
            return None
        return Verdict(s.hand.category, s.hand.words, ("TC.4",))


class ThreeCard(Game[Standing]):
    """TC.1-4."""

    wager_types = (Ante, Play, PairPlus)
    ranking = RANKING

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(DEALER, 2):
            for number in range(len(r.seats)):
                if not r.hand(number, NO_CARDS).held:
                    yield Draw(number, 3)
            yield Draw(DEALER, 3, down=True)
            return
        waiting = [n for n, seat in enumerate(r.seats) if "ante" in seat.wagers and not seat.choices]
        for number in waiting:
            play = self.terms.offer("play", "play", r.seats[number])
            assert play is not None
            yield Decide(number, (Offer("fold"), play))
        if not waiting and not r.is_turned(DEALER, 0) and self.undecided(r):
            yield Turn(DEALER, 0, 3)

    def standing(self, r: Round, seat: int) -> Standing:
        on = r.seats[seat]
        choice = on.choices[0].name if on.choices else None
        hand, dealer = r.hand(seat, NO_CARDS).value, r.hand(DEALER, NO_CARDS).value
        return Standing(hand, dealer, choice, "ante" in on.wagers)
'''

BOOK = """
title = "Three Card"
game = "three_card"
cards = { decks = 1, shuffle = "every round" }

[clause]
"TC.1" = "One deck; three cards each, the dealer's face down."
"TC.2" = "Fold, or play with as much as the Ante."
"TC.3" = "A dealer below queen high pays the Ante and returns the Play; otherwise the higher hand wins."
"TC.4" = "Pair Plus is paid by the player's own hand."

[wager.ante]
title = "Ante"
kind = "main"
clause = "TC.2"
leave_out = "allowed"

[wager.play]
title = "Play"
kind = "derived"
clause = "TC.2"
of = "ante"
times = "1"

[wager.pair-plus]
title = "Pair Plus"
kind = "bonus"
clause = "TC.4"
leave_out = "allowed"

[pay_table.ante.1]
clause = "TC.3"

[pay_table.ante.1.pays]
"fold" = "lose"
"not qualified" = "1 to 1"
"higher" = "1 to 1"
"equal" = "push"
"lower" = "lose"

[pay_table.play.1]
clause = "TC.3"
pays = { "not qualified" = "push", "higher" = "1 to 1", "equal" = "push", "lower" = "lose" }

[pay_table.pair-plus.1]
clause = "TC.4"

[pay_table.pair-plus.1.pays]
"straight flush" = "40 to 1"
"three of a kind" = "30 to 1"
"straight" = "6 to 1"
"flush" = "4 to 1"
"pair" = "1 to 1"
"high card" = "lose"

[option.offers]
members = ["ante", "pair-plus"]
clause = "TC.4"
text = "The wagers this table offers."
"""
