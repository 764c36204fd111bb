"""Games and bonus wagers of a designer's own, each as the files that FELT_GAMES would find."""

from pathlib import Path

from feltworks import catalog
from tests.conftest import forget_games

Files = dict[str, str]


def write(folder: Path, files: Files) -> None:
    """Lay the files of a game into a folder of one's own, and let the catalog find it."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    forget_games()


# A pair of one colour pays more than a mixed one: of 311 second cards 5, 6 and 12 make the three pairs.
COLOURED_PAIRS: Files = {
    "coloured_pairs.py": '''
"""Coloured pairs: a bonus on the player's first two cards that tells red suits from black ones."""

from feltworks.cards import Suit
from feltworks.games.blackjack import BlackjackStanding
from feltworks.rules.wager import Verdict, Wager

RED = (Suit.DIAMONDS, Suit.HEARTS)


class ColouredPair(Wager[BlackjackStanding]):
    name = "coloured-pair"
    outcomes = frozenset(["perfect pair", "coloured pair", "mixed pair", "no pair"])

    def judge(self, standing: BlackjackStanding) -> Verdict | None:
        if len(standing.first_two) < 2:
            return None
        one, other = standing.first_two
        if one.rank != other.rank:
            return Verdict("no pair", "the ranks differ", ("CP.1",))
        if one.suit == other.suit:
            return Verdict("perfect pair", "the cards are the same", ("CP.1",))
        coloured = (one.suit in RED) == (other.suit in RED)
        return Verdict("coloured pair" if coloured else "mixed pair", "the ranks agree", ("CP.1",))
''',
    "coloured-pairs.toml": """
title = "Coloured Pairs Blackjack"
game = "blackjack"
includes = ["blackjack"]
bonus = ["coloured_pairs"]
cards = { shuffle = "shoe" }
clause = { "CP.1" = "A pair in the first two cards: the same card 25 to 1, one colour 12 to 1, else 6 to 1." }

[wager.coloured-pair]
title = "Coloured Pair"
kind = "bonus"
clause = "CP.1"
needs = { wager = "blackjack" }
leave_out = "allowed"

[pay_table.coloured-pair.1]
clause = "CP.1"
[pay_table.coloured-pair.1.pays]
"perfect pair" = "25 to 1"
"coloured pair" = "12 to 1"
"mixed pair" = "6 to 1"
"no pair" = "lose"

[option.offers]
members = ["blackjack", "coloured-pair"]
clause = "CP.1"
text = "The wagers this table offers."
""",
}

# Two cards on the board, red or black; a claim about them is added to try it.
COLOURS: Files = {
    "colours.py": '''
"""Two cards of one colour win, after a choice that is seen by the first."""

from feltworks.cards import Suit
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, face_up
from feltworks.rules.steps import Decide, Draw, Offer
from feltworks.rules.wager import Verdict, Wager

RED = (Suit.DIAMONDS, Suit.HEARTS)


class Ante(Wager):
    name = "ante"
    outcomes = frozenset(["same", "other"])

    def judge(self, standing):
        if len(standing) < 2:
            return None
        first, second = (face.suit in RED for face in standing)
        return Verdict("same" if first == second else "other", "so the cards fell", ("CL.1",))


class Colours(Game):
    wager_types = (Ante,)

    def procedure(self, r):
        if len(r.board) < 2:
            yield Draw(BOARD)

    def standing(self, r, seat):
        return face_up(r.board)
''',
    "colours.toml": """
title = "Colours"
game = "colours"
[cards]
decks = 1
shuffle = "every round"
[clause]
"CL.1" = "Two cards. Two of one colour pay 1 to 1."
[wager.ante]
title = "Ante"
kind = "main"
clause = "CL.1"
[pay_table.ante.1]
clause = "CL.1"
pays = { "same" = "1 to 1", "other" = "lose" }
""",
}


# A bonus that waits for the dealer's whole hand and goes by the colour of its last card.
RED_END: Files = {
    "red_end.py": '''
"""The dealer's hand ends with a red card."""

from feltworks.cards import Suit
from feltworks.games.blackjack import BlackjackStanding
from feltworks.rules.wager import Verdict, Wager

RED = (Suit.DIAMONDS, Suit.HEARTS)


class RedEnd(Wager[BlackjackStanding]):
    name = "red-end"
    outcomes = frozenset(["red", "black"])

    def judge(self, standing: BlackjackStanding) -> Verdict | None:
        if standing.dealer.total is None:
            return None
        return Verdict("red" if standing.dealer.cards[-1].suit in RED else "black", "so it fell", ("RE.1",))
''',
    "red-end.toml": """
title = "Red End Blackjack"
game = "blackjack"
includes = ["blackjack"]
bonus = ["red_end"]
cards = { shuffle = "shoe" }
clause = { "RE.1" = "The dealer's hand ends with a red card." }
pay_table.red-end.1 = { clause = "RE.1", pays = { "red" = "1 to 1", "black" = "lose" } }

[wager.red-end]
title = "Red End"
kind = "bonus"
clause = "RE.1"
needs = { wager = "blackjack" }
leave_out = "allowed"

[option.offers]
members = ["blackjack", "red-end"]
clause = "RE.1"
text = "The wagers this table offers."
""",
}


_LADDER_RULES = '''
"""A card, then STREETS times a choice and another card: who has the higher sum of pairs is not asked."""

from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, face_up
from feltworks.rules.steps import Decide, Draw, Offer
from feltworks.rules.wager import Verdict, Wager

STREETS = 3


class Ante(Wager):
    name = "ante"
    outcomes = frozenset(["folded", "better", "equal", "worse"])

    def judge(self, standing):
        cards, folded = standing
        if folded:
            return Verdict("folded", "the hand was folded", ("LD.1",))
        if len(cards) <= STREETS:
            return None
        first, *others = [face.rank for face in cards]
        lead = sum((first > rank) - (first < rank) for rank in others)
        return Verdict("better" if lead > 0 else "worse" if lead < 0 else "equal", "so they fell", ("LD.1",))


class Street(Ante):
    outcomes = frozenset(["folded", "better", "equal", "worse"])
    paid_by = "ante"


class First(Street):
    name = "first"


class Second(Street):
    name = "second"


class Third(Street):
    name = "third"


class Ladder(Game):
    wager_types = (Ante, First, Second, Third)[: STREETS + 1]

    def procedure(self, r):
        seat, streets = r.seats[0], len(r.board)
        folded = any(choice.name == "fold" for choice in seat.choices)
        if not seat.cards:
            yield Draw(0)
        elif not folded and streets < STREETS:
            if len(seat.choices) > streets:
                yield Draw(BOARD)
            else:
                ante, name = seat.wagers["ante"], ("first", "second", "third")[streets]
                raised = Offer("raise", name, ante, self.terms.offer("raise", name, seat).most)
                yield Decide(0, (Offer("fold"), raised), name)

    def standing(self, r, seat):
        on = r.seats[seat]
        return face_up(on.cards) + face_up(r.board), any(choice.name == "fold" for choice in on.choices)
'''


def ladder(streets: int, without: str = "") -> Files:
    """A card against so many that follow; before each one folds or raises one to three antes."""
    raises = ("first", "second", "third")[:streets]
    book = f"""
title = "Ladder"
game = "ladder"
[cards]
decks = 1
shuffle = "every round"
without = {list(without)}
[clause]
"LD.1" = "More cards below the first than above it win even money, as many push; a folded hand loses."
[wager.ante]
title = "Ante"
kind = "main"
clause = "LD.1"
[pay_table.ante.1]
clause = "LD.1"
pays = {{ "folded" = "lose", "better" = "1 to 1", "equal" = "push", "worse" = "lose" }}
"""
    for name in raises:
        book += f'[wager.{name}]\ntitle = "{name}"\nkind = "derived"\nclause = "LD.1"\nof = "ante"\nup_to = "3"\n'
    return {"ladder.toml": book, "ladder.py": _LADDER_RULES.replace("STREETS = 3", f"STREETS = {streets}")}


# Ante and blind stand only together; the third wager is one that a table may offer and by default does not.
COUPLE: Files = {
    "couple.py": '''
"""A card for the ante, to be played or folded, and a second one for the blind."""

from feltworks.rules.game import Game
from feltworks.rules.round import face_up
from feltworks.rules.steps import Decide, Draw, Offer
from feltworks.rules.wager import Verdict, Wager

OUTCOMES = frozenset(["folded", "higher", "equal", "lower"])


class Ante(Wager):
    name = "ante"
    outcomes = OUTCOMES

    def judge(self, standing):
        cards, choice = standing
        if choice == "fold":
            return Verdict("folded", "the hand was folded", ("CO.1",))
        if len(cards) < 2:
            return None
        lead = cards[0].rank - cards[1].rank
        return Verdict("higher" if lead > 0 else "lower" if lead else "equal", "so they fell", ("CO.1",))


class Blind(Ante):
    name = "blind"


class Play(Ante):
    name = "play"


class Ace(Wager):
    name = "ace"
    outcomes = frozenset(["ace", "other"])

    def judge(self, standing):
        cards, _ = standing
        return Verdict("ace" if cards[0].rank == 14 else "other", "the card", ("CO.2",)) if cards else None


class Couple(Game):
    wager_types = (Ante, Blind, Play, Ace)

    def procedure(self, r):
        seat = r.seats[0]
        if not seat.cards:
            yield Draw(0)
        elif "ante" in seat.wagers and not seat.choices:
            yield Decide(0, (Offer("fold"), self.terms.offer("play", "play", seat)))
        elif len(seat.cards) < 2 and seat.choices and seat.choices[0].name == "play":
            yield Draw(0)

    def standing(self, r, seat):
        on = r.seats[seat]
        return face_up(on.cards), on.choices[0].name if on.choices else None
''',
    "couple.toml": """
title = "Couple"
game = "couple"
[cards]
decks = 1
shuffle = "every round"
[clause]
"CO.1" = "Ante and Blind are equal and stand together; a card is folded, or played with as much again."
"CO.2" = "The first card is an ace."
[wager.ante]
title = "Ante"
kind = "main"
clause = "CO.1"
needs = { wager = "blind" }
[wager.blind]
title = "Blind"
kind = "main"
clause = "CO.1"
needs = { wager = "ante" }
[wager.play]
title = "Play"
kind = "derived"
clause = "CO.1"
of = "ante"
times = "1"
[wager.ace]
title = "Ace"
kind = "bonus"
clause = "CO.2"
needs = { wager = "ante" }
leave_out = "allowed"
[pay_table.ante.1]
clause = "CO.1"
pays = { "folded" = "lose", "higher" = "1 to 1", "equal" = "push", "lower" = "lose" }
[pay_table.blind.1]
clause = "CO.1"
pays = { "folded" = "lose", "higher" = "push", "equal" = "push", "lower" = "lose" }
[pay_table.play.1]
clause = "CO.1"
pays = { "folded" = "lose", "higher" = "1 to 1", "equal" = "push", "lower" = "lose" }
[pay_table.ace.1]
clause = "CO.2"
pays = { "ace" = "11 to 1", "other" = "lose" }
[option.offers]
members = ["ante", "blind", "ace"]
default = ["ante", "blind"]
clause = "CO.2"
text = "The wagers this table offers."
""",
}

# An eight is as often beaten as not, so that higher and lower have the same law.
HIGH_LOW: Files = {
    "high_low.py": '''
"""High Low: a card, then a raise on a higher or a lower one."""

from collections.abc import Iterator

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.hand import Hand
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, Round
from feltworks.rules.steps import Decide, Draw, Offer, Step
from feltworks.rules.wager import Verdict, Wager


class Ranks(Hand, frozen=True):
    rank: int = 0

    def add(self, card: Card) -> "Ranks":
        return Ranks(int(card.rank))


class Standing(Struct, frozen=True):
    mine: int
    next: int
    choice: str | None


def compare(s: Standing) -> str | None:
    if not s.next:
        return None
    if s.next == s.mine:
        return "equal"
    return "right" if (s.next > s.mine) == (s.choice == "higher") else "wrong"


class Ante(Wager[Standing]):
    name = "ante"
    outcomes = frozenset(["fold", "right", "wrong", "equal"])

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.choice == "fold":
            return Verdict("fold", "folded", ("HL.1",))
        result = compare(standing)
        return Verdict(result, result, ("HL.1",)) if result else None


class Raise(Wager[Standing]):
    name = "raise"
    outcomes = frozenset(["right", "wrong", "equal"])

    def judge(self, standing: Standing) -> Verdict | None:
        result = compare(standing)
        return Verdict(result, result, ("HL.1",)) if result else None


class HighLow(Game[Standing]):
    wager_types = (Ante, Raise)
    empty_hand = Ranks()

    def procedure(self, r: Round) -> Iterator[Step]:
        waiting = False
        for number in range(len(r.seats)):
            if not r.hand(number, Ranks()).rank:
                yield Draw(number)
                waiting = True
        if waiting:
            return
        for number, seat in enumerate(r.seats):
            if not seat.choices:
                waiting = True
                up, down = self.terms.offer("higher", "raise", seat), self.terms.offer("lower", "raise", seat)
                yield Decide(number, (Offer("fold"), up, down))
        if not waiting and self.undecided(r) and not r.lies(BOARD, 0):
            yield Draw(BOARD)

    def standing(self, r: Round, seat: int) -> Standing:
        on = r.seats[seat]
        choice = on.choices[0].name if on.choices else None
        return Standing(r.hand(seat, Ranks()).rank, r.hand(BOARD, Ranks()).rank, choice)
''',
    "high-low.toml": """
title = "High Low"
game = "high_low"
jurisdiction = "none"
cards = { decks = 6, shuffle = "shoe" }
[clause]
"HL.1" = "A card; fold, or raise one to three antes on higher or lower. Right pays 4 to 5, equal loses half."
[wager.ante]
title = "Ante"
kind = "main"
clause = "HL.1"
[wager.raise]
title = "Raise"
kind = "derived"
clause = "HL.1"
of = "ante"
up_to = "3"
[pay_table.ante.1]
clause = "HL.1"
pays = { "fold" = "lose", "right" = "4 to 5", "wrong" = "lose", "equal" = "lose half" }
[pay_table.raise.1]
clause = "HL.1"
pays = { "right" = "4 to 5", "wrong" = "lose", "equal" = "lose" }
""",
}

# Guesses that become part of the hand, rung by rung, with the choice to stop; a bonus lies beside them.
CLIMB: Files = {
    "climb.py": '''
"""Guess whether the next card is higher or lower, up to three times; stop and be paid, or climb on."""

from feltworks.cards import Rank, Suit
from feltworks.hands.hand import Hand
from feltworks.rules.game import Game
from feltworks.rules.round import SEAT, HandOf
from feltworks.rules.steps import Decide, Draw, Offer
from feltworks.rules.wager import Verdict, Wager


class Rungs(Hand, frozen=True, gc=False):
    last: Rank = Rank.JOKER
    guess: str = ""
    rungs: int = 0
    end: str = ""

    def add(self, card):
        if self.end:
            return self
        if not self.last:
            return Rungs(card.rank)
        if card.rank == self.last:
            return Rungs(end="level")
        if (card.rank > self.last) != (self.guess == "higher"):
            return Rungs(end="missed")
        return Rungs(end="3") if self.rungs == 2 else Rungs(card.rank, "", self.rungs + 1)

    @property
    def wants_card(self):
        return not self.last or bool(self.guess)

    def takes(self, about):
        return about.startswith("rung")

    def choose(self, name):
        return Rungs(end=str(self.rungs)) if name == "stop" else Rungs(self.last, name, self.rungs)


class Reds(Hand, frozen=True, gc=False):
    red: int = 0
    held: int = 0

    def add(self, card):
        return Reds(self.red + (card.suit in (Suit.DIAMONDS, Suit.HEARTS)), self.held + 1)


class Ante(Wager):
    name = "ante"
    outcomes = frozenset(["level", "missed", "1", "2", "3"])

    def judge(self, standing):
        return Verdict(standing.end, "so it ended", ("CB.1",)) if standing.end else None


class Red(Wager):
    name = "red"
    outcomes = frozenset(["two", "other"])
    hand = HandOf(Reds(), ((SEAT, 0), (SEAT, 1)))

    def judge(self, standing):
        if standing.hand.held < 2:
            return None
        return Verdict("two" if standing.hand.red == 2 else "other", "{0} {1}", ("CB.2",))


class Climb(Game):
    wager_types = (Ante, Red)

    def procedure(self, r):
        for number in range(len(r.seats)):
            hand = r.hand(number, Rungs())
            if hand.end:
                continue
            if hand.wants_card:
                yield Draw(number)
            else:
                guesses = (Offer("higher"), Offer("lower"))
                yield Decide(number, (Offer("stop"), *guesses) if hand.rungs else guesses, f"rung {hand.rungs + 1}")
            return

    def standing(self, r, seat):
        return r.hand(seat, Rungs())
''',
    "climb.toml": """
title = "Climb"
game = "climb"
cards = { shuffle = "every round" }
[clause]
"CB.1" = "Right guesses pay 2 to 5 after one, even money after two, 5 to 2 after three; an equal card pushes."
"CB.2" = "Two red cards first pay 3 to 1."
[wager.ante]
title = "Ante"
kind = "main"
clause = "CB.1"
[wager.red]
title = "Red"
kind = "bonus"
clause = "CB.2"
[pay_table.ante.1]
clause = "CB.1"
pays = { "level" = "push", "missed" = "lose", "1" = "2 to 5", "2" = "1 to 1", "3" = "5 to 2" }
[pay_table.red.1]
clause = "CB.2"
pays = { "two" = "3 to 1", "other" = "lose" }
""",
}


# Two streets with the dealer's first card in sight, and a bonus wager that a folded hand loses.
RIVER_STUD: Files = {
    "river_stud.py": '''
"""River Stud: three cards against the dealer's; two streets with the dealer's first card in sight."""

from collections.abc import Iterator

from msgspec import Struct

from feltworks.hands.poker import FLUSH, HIGH_CARD, PAIR, STANDARD, STRAIGHT, STRAIGHT_FLUSH, THREE_OF_A_KIND
from feltworks.hands.poker import HandValue, PokerHand, Ranking
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round, Seat
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.wager import Verdict, Wager

RANKING = Ranking(
    categories=(STRAIGHT_FLUSH, THREE_OF_A_KIND, STRAIGHT, FLUSH, PAIR, HIGH_CARD),
    ranks=STANDARD.ranks, wheel=True, size=3,
)
NO_CARDS = PokerHand(RANKING)
STREETS = ("second", "third")
NAMES = frozenset(c.name for c in RANKING.categories)


class Standing(Struct, frozen=True):
    hand: HandValue | None
    dealer: HandValue | None
    folded: bool
    over: bool


class Ante(Wager[Standing]):
    """RS.3."""
    name = "ante"
    outcomes = frozenset(["fold", "higher", "equal", "lower"])

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.folded:
            return Verdict("fold", "the hand was folded", ("RS.2",))
        if standing.hand is None or standing.dealer is None:
            return None
        mine, theirs = standing.hand, standing.dealer
        if mine == theirs:
            return Verdict("equal", f"both have {mine.words}", ("RS.3",))
        if mine > theirs:
            return Verdict("higher", f"{mine.words} beats {theirs.words}", ("RS.3",))
        return Verdict("lower", f"{mine.words} loses to {theirs.words}", ("RS.3",))


class Second(Ante):
    """RS.2."""
    name = "second"


class Third(Ante):
    """RS.2, RS.4."""
    name = "third"
    outcomes = frozenset(["equal", "lower", *NAMES])

    def judge(self, standing: Standing) -> Verdict | None:
        verdict = super().judge(standing)
        if verdict is None or verdict.outcome != "higher":
            return verdict
        return Verdict(standing.hand.category, verdict.because, ("RS.4",))


class Tops(Wager[Standing]):
    """RS.5: the player's own three cards."""
    name = "tops"
    outcomes = frozenset([*NAMES, "fold"])

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.folded:
            return Verdict("fold", "the hand was folded", ("RS.5",))
        if standing.hand is None or not standing.over:
            return None
        return Verdict(standing.hand.category, standing.hand.words, ("RS.5",))


class RiverStud(Game[Standing]):
    wager_types = (Ante, Second, Third, Tops)
    ranking = RANKING
    empty_hand = NO_CARDS

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(DEALER, 2):
            for n in range(len(r.seats)):
                if not r.lies(n, 1):
                    yield Draw(n, 2)
            if not r.lies(DEALER, 0):
                yield Draw(DEALER)
            yield Draw(DEALER, 2, down=True)
            return
        for place, street in enumerate(STREETS):
            live = [n for n, seat in enumerate(r.seats) if not folded(seat)]
            waiting = [n for n in live if not r.seats[n].choice(street)]
            if waiting:
                for n in waiting:
                    play = self.terms.offer("raise", street, r.seats[n])
                    yield Decide(n, (Offer("fold"), play) if play else (Offer("fold"),), street)
                return
            if not place:
                short = [n for n in live if not r.lies(n, 2)]
                if short:
                    for n in short:
                        yield Draw(n)
                    return
        if not r.is_turned(DEALER, 1) and any(not folded(seat) for seat in r.seats):
            yield Turn(DEALER, 1, 2)

    def standing(self, r: Round, seat: int) -> Standing:
        on = r.seats[seat]
        return Standing(
            r.hand(seat, NO_CARDS).value, r.hand(DEALER, NO_CARDS).value, folded(on), on.choice("third") is not None
        )


def folded(seat: Seat) -> bool:
    return bool(seat.choices) and seat.choices[-1].name == "fold"
''',
    "river-stud.toml": """
title = "River Stud"
game = "river_stud"
jurisdiction = "none"
cards = { decks = 1, shuffle = "every round" }

[clause]
"RS.1" = "One deck. Two cards to each player, three to the dealer, the first of which lies open."
"RS.2" = "A player folds, or raises as much as the Ante; a third card; then folds, or raises once or twice the Ante."
"RS.3" = "The higher hand of three cards wins; equal hands push."
"RS.4" = "A winning third street is paid by the player's hand."
"RS.5" = "Tops pays on the player's three cards; it loses with a fold."

[wager.ante]
title = "Ante"
kind = "main"
clause = "RS.1"

[wager.second]
title = "Second Street"
kind = "derived"
clause = "RS.2"
of = "ante"
times = "1"

[wager.third]
title = "Third Street"
kind = "derived"
clause = "RS.2"
of = "ante"
times = ["1", "2"]

[wager.tops]
title = "Tops"
kind = "bonus"
clause = "RS.5"
needs = { wager = "ante" }

[pay_table.ante.1]
clause = "RS.3"
pays = { "fold" = "lose", "higher" = "1 to 1", "equal" = "push", "lower" = "lose" }

[pay_table.second.1]
clause = "RS.3"
pays = { "fold" = "lose", "higher" = "1 to 1", "equal" = "push", "lower" = "lose" }

[pay_table.third.1]
clause = "RS.4"
[pay_table.third.1.pays]
"straight flush" = "5 to 1"
"three of a kind" = "4 to 1"
"straight" = "2 to 1"
"flush" = "1 to 1"
"pair" = "1 to 1"
"high card" = "1 to 1"
"equal" = "push"
"lower" = "lose"

[pay_table.tops.1]
clause = "RS.5"
[pay_table.tops.1.pays]
"straight flush" = "40 to 1"
"three of a kind" = "25 to 1"
"straight" = "6 to 1"
"flush" = "3 to 1"
"pair" = "1 to 1"
"high card" = "lose"
"fold" = "lose"
""",
}


# A bonus wager on the best five of the player's three cards and the dealer's, whatever is chosen.
def six_cards() -> Files:
    """Three Card Poker of the gallery with such a wager in place of Pair Plus."""
    rules = (catalog.examples_folder() / "three_card_poker.py").read_text(encoding="utf-8")
    book = (catalog.examples_folder() / "three-card-poker.toml").read_text(encoding="utf-8")
    head, _, rest = book.partition("published = [")
    book = head + rest.partition("\n]\n")[2]
    book = book.replace("three-card-poker.qualifier", "six-cards.qualifier").replace("three_card_poker", "six_cards")
    before, _, after = book.partition("[pay_table.pair-plus.1]")
    paid = {"royal flush": 1000, "straight flush": 200, "four of a kind": 50, "full house": 25}
    paid |= {"flush": 20, "straight": 10, "three of a kind": 5}
    pays = "".join(f'"{name}" = "{odds} to 1"\n' for name, odds in paid.items())
    lost = "".join(f'"{name}" = "lose"\n' for name in ("two pair", "pair", "high card"))
    table = f'[pay_table.pair-plus.1]\nclause = "TC.5"\n[pay_table.pair-plus.1.pays]\n{pays}{lost}\n'
    return {
        "six_cards.py": rules.replace("class ThreeCardPoker", _SIX_CARDS + "\n\nclass SixCards")
        .replace("(Ante, Play, PairPlus)", "(Ante, Play, BestOfSix)")
        .replace("three-card-poker", "six-cards"),
        "six-cards.toml": before + table + "[option.offers]" + after.partition("[option.offers]")[2],
    }


_SIX_CARDS = """
from feltworks.hands.poker import BestHand
from feltworks.rules.round import SEAT, HandOf
from feltworks.rules.wager import Own


class BestOfSix(Wager[Own[Standing, BestHand]]):
    name = "pair-plus"
    outcomes = frozenset(category.name for category in STANDARD.categories)
    hand = HandOf(BestHand(STANDARD, of=6), ((SEAT, None), (DEALER, None)))

    def judge(self, standing: Own[Standing, BestHand]) -> Verdict | None:
        made = standing.hand
        return Verdict(made.value.category, made.words, ("TC.5",)) if made.value and made.is_whole else None
"""


def short_board(first: int) -> Files:
    """Hold'em of the gallery with a board of three: a decision when `first` of them are seen, one when all are."""
    rules = (catalog.examples_folder() / "ultimate_holdem.py").read_text(encoding="utf-8")
    book = (catalog.examples_folder() / "ultimate-holdem.toml").read_text(encoding="utf-8")
    for old, new in {
        "BestHand(STANDARD, of=7)": "BestHand(STANDARD, of=5)",
        '{"early-play": 0, "flop-play": 3, "river-play": 5}': f'{{"flop-play": {first}, "river-play": 3}}',
        "Draw(BOARD, 5, down=True)": "Draw(BOARD, 3, down=True)",
        "(BOARD, 4)": "(BOARD, 2)",
        "begin = 0 if seen == 3 else 3": f"begin = 0 if seen == {first} else {first}",
    }.items():
        assert old in rules
        rules = rules.replace(old, new)
    return {"short_board.py": rules, "short-board.toml": book.replace("ultimate_holdem", "short_board")}
