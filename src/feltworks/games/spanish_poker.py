"""Spanish Poker: five cards and a wild joker against the house, with an Ante and three bonus wagers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from feltworks.cards import cards
from feltworks.errors import WagerRefused
from feltworks.hands.poker import FIVE_OF_A_KIND, ROYAL_FLUSH, SPANISH, HandValue, Joker, PokerHand
from feltworks.money import Cents, Odds, dollars
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, SEAT, HandOf, Round, Seat
from feltworks.rules.settlement import facts_for
from feltworks.rules.steps import Decide, Discard, Draw, Gesture, Offer, Say, Step, Tuck, Turn
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Own, Verdict, Wager

HAND = 5
_CINCOS, _ROYAL = FIVE_OF_A_KIND.name, ROYAL_FLUSH.name
_LOST = Odds.parse("lose")
_RANKINGS = {False: SPANISH, True: replace(SPANISH, wheel=True)}
_WEAKEST_QUALIFIER = cards("6c 6d 4h 3s 2c")  # SP.8: a pair of sixes with the lowest other cards


def _pay_name(category: str) -> str:
    """The pay tables' name for a category."""
    return "cincos" if category == _CINCOS else category


_PAIR_UP = frozenset(_pay_name(category.name) for category in SPANISH.categories[:-1])
_TWO_PAIR_UP = _PAIR_UP - {"pair"}


class SpanishPokerStanding(Struct, frozen=True, gc=False):
    """The facts that judge a Spanish Poker wager."""

    hand: HandValue | None  # None until the five cards are dealt
    choice: str | None
    all_acted: bool  # whether no seat has a decision left
    showdown: bool  # whether all acted and the house's hand is turned, if a Raise stands against it
    dealer: HandValue | None
    dealer_qualifies: bool
    sharing: str  # SP.14: the other hands that share the jackpot with it

    @property
    def pay_name(self) -> str:
        """The pay tables' name for the hand."""
        assert self.hand is not None
        return _pay_name(self.hand.category)


class Ante(Wager[SpanishPokerStanding]):
    """SP.6–10: the main wager."""

    name = "ante"
    outcomes = _PAIR_UP | {"fold", "not qualified", "dealer better", "equal"}

    def judge(self, standing: SpanishPokerStanding) -> Verdict | None:
        # SP.23: antes of folded hands are taken only when all have acted
        if standing.choice == "fold" and standing.all_acted:
            return Verdict("fold", "the hand was folded", ("SP.6", "SP.23"))
        verdict = _showdown(standing)
        if verdict is None or verdict.outcome != "player better":
            return verdict
        return Verdict(standing.pay_name, verdict.because, ("SP.9", "SP.10", "SP.2"))


class Raise(Wager[SpanishPokerStanding]):
    """SP.6, SP.8, SP.9: twice the Ante, placed to play the hand."""

    name = "raise"
    outcomes = frozenset(["player better", "dealer better", "equal", "not qualified"])

    def judge(self, standing: SpanishPokerStanding) -> Verdict | None:
        return _showdown(standing)


def _showdown(standing: SpanishPokerStanding) -> Verdict | None:
    """SP.8: a house below a pair of sixes does not qualify; SP.9: otherwise the better hand wins."""
    mine, theirs = standing.hand, standing.dealer
    if standing.choice != "raise" or mine is None or theirs is None:
        return None
    if not standing.dealer_qualifies:
        return Verdict("not qualified", f"the dealer's {theirs.words} did not qualify", ("SP.8",))
    if mine == theirs:
        return Verdict("equal", f"the player's {mine.words} tied the dealer's", ("SP.9", "SP.26"))
    alike = mine.words == theirs.words
    ours, others = (mine.detail, theirs.detail) if alike else (mine.words, theirs.words)
    if mine > theirs:
        return Verdict("player better", f"the player's {ours} beat the dealer's {others}", ("SP.9", "SP.2"))
    return Verdict("dealer better", f"the player's {ours} lost to the dealer's {others}", ("SP.9", "SP.2"))


class DosPares(Wager[SpanishPokerStanding]):
    """SP.11: two pair or better, whatever the house has."""

    name = "dos-pares"
    outcomes = _TWO_PAIR_UP | {"less than two pair"}
    printed_as = "diamond"

    def judge(self, standing: SpanishPokerStanding) -> Verdict | None:
        if not standing.showdown or standing.hand is None:
            return None
        outcome = standing.pay_name if standing.pay_name in _TWO_PAIR_UP else "less than two pair"
        return Verdict(outcome, f"{standing.hand.words} in the player's hand", _clauses("SP.11", standing))


class JokerInHand(Wager[Own[SpanishPokerStanding, Joker]]):
    """SP.12: the joker among the five cards."""

    name = "joker-in-hand"
    outcomes = frozenset(["joker", "no joker"])
    hand = HandOf(Joker(), ((SEAT, None),))

    def judge(self, standing: Own[SpanishPokerStanding, Joker]) -> Verdict | None:
        if not standing.table.showdown:
            return None
        clauses = _clauses("SP.12", standing.table)
        if standing.hand.is_held:
            return Verdict("joker", "the joker is in the hand", clauses)
        return Verdict("no joker", "the joker is not in the hand", clauses)


class GranProgressive(Wager[SpanishPokerStanding]):
    """SP.13, SP.14: a dollar for the jackpot and fixed awards from the tray."""

    name = "gran-progressive"
    outcomes = frozenset(
        [
            "cincos",
            "cincos beside royals",
            "royal flush",
            *(f"royal flush shared by {count}" for count in (2, 3, 4)),
            *("straight flush", "four of a kind", "flush", "nothing"),
        ]
    )

    def judge(self, standing: SpanishPokerStanding) -> Verdict | None:
        # All are judged at once: the rest depends on every share (SP.14).
        if not standing.showdown or standing.hand is None:
            return None
        outcome = standing.pay_name if standing.pay_name in self.outcomes else "nothing"
        clauses = _clauses("SP.14" if standing.sharing else "SP.13", standing)
        return Verdict(outcome + standing.sharing, f"{standing.hand.words} in the player's hand", clauses)

    @property
    def keeps_stake(self) -> bool:
        """SP.13: whether a winner also gets the dollar back is a reading."""
        return self.terms["gran-progressive.stake"] == "kept"


def _clauses(clause: str, standing: SpanishPokerStanding) -> tuple[str, ...]:
    """SP.22: a folded hand keeps its bonus wagers."""
    return (clause, "SP.22") if standing.choice == "fold" else (clause,)


class SpanishPoker(Game[SpanishPokerStanding]):
    """SP.1–14, SP.20–24, SP.26."""

    wager_types = (Ante, Raise, DosPares, JokerInHand, GranProgressive)
    dealer_clause = "SP.8"

    def __init__(self, terms: Terms, bonus: Sequence[type[Wager]] = ()) -> None:
        super().__init__(terms, bonus)
        self.ranking = _RANKINGS[terms["spanish-poker.wheel"] is True]  # SP.4
        self.weakest_qualifier = self.ranking.value(_WEAKEST_QUALIFIER)
        self.empty_hand: PokerHand = PokerHand(self.ranking)

    def open_round(
        self, seats: Iterable[Seat | Mapping[str, Cents]], meters: Mapping[str, Cents] | None = None
    ) -> Round:
        opened = super().open_round(seats, meters)
        for seat in opened.seats:
            if "ante" not in seat.wagers:
                self._check_alone(seat.wagers)
        return opened

    def _check_alone(self, wagers: Mapping[str, Cents]) -> None:
        """SP.21: the house may set a higher minimum for Dos Pares and Joker in Hand without an Ante."""
        least = self.terms.number("spanish-poker.alone-minimum")
        for name in ("dos-pares", "joker-in-hand"):
            if wagers.get(name, least) < least:
                raise WagerRefused(name, wagers[name], f"at least {dollars(least)} without an ante")

    def procedure(self, r: Round) -> Iterator[Step]:
        if not _is_dealt(r):
            yield from self._deal(r)
        elif not _all_acted(r):
            for number, seat in enumerate(r.seats):
                if _has_to_act(seat):
                    yield Decide(number, self._offers(seat))
        elif _awaits_dealer(r):
            yield Turn(DEALER, 0, HAND)

    def _deal(self, r: Round) -> Iterator[Step]:
        """SP.23: left to right, the house last and face down; five cards at a time or one."""
        at_once = HAND if self.terms["spanish-poker.deal"] == "five" else 1
        for dealt in range(0, HAND, at_once):
            for number in range(len(r.seats)):
                if not r.lies(number, dealt):
                    yield Draw(number, at_once)
            if not r.lies(DEALER, dealt):
                yield Draw(DEALER, at_once, down=True)

    def _offers(self, seat: Seat) -> tuple[Offer, ...]:
        """SP.6: fold, or raise exactly twice the Ante (SP.7: so the Ante is at most half the limit)."""
        raising = self.terms.offer("raise", "raise", seat)
        return (Offer("fold"), raising) if raising else (Offer("fold"),)

    def standing(self, r: Round, seat: int) -> SpanishPokerStanding:
        hand, dealer = self._value(r, seat), self._value(r, DEALER)
        all_acted = _all_acted(r)
        return SpanishPokerStanding(
            hand=hand,
            choice=_choice(r.seats[seat]),
            all_acted=all_acted,
            showdown=all_acted and not _awaits_dealer(r),
            dealer=dealer,
            dealer_qualifies=dealer is not None and dealer >= self.weakest_qualifier,
            sharing=self._sharing(r, hand.category) if hand else "",
        )

    def _value(self, r: Round, place: int) -> HandValue | None:
        return r.hand(place, self.empty_hand).value

    def _sharing(self, r: Round, mine: str) -> str:
        """SP.14: beside Cincos royals share one quarter; without Cincos each royal has a quarter."""
        if mine not in (_CINCOS, _ROYAL):
            return ""
        # only spots with the progressive wager count
        wagering = [number for number, seat in enumerate(r.seats) if seat.has("gran-progressive")]
        held = [hand.category for number in wagering if (hand := self._value(r, number))]
        royals = held.count(_ROYAL)
        if mine == _CINCOS:
            return " beside royals" if royals else ""
        return f" shared by {royals}" if royals > 1 and _CINCOS in held else ""

    def sees(self, r: Round, viewer: int | None, owner: int) -> bool:
        """SP.24: hands stay private until the dealer turns them over to take and pay (SP.23)."""
        standing = self.standing(r, owner)
        if viewer == owner or not standing.showdown:
            return viewer == owner
        if standing.choice == "fold":
            return self._winning_bonus(r, owner) is not None
        # If the house does not qualify, hands are turned only for bonus wagers.
        return standing.dealer_qualifies or any(self._is_bonus(name) for name in r.seats[owner].wagers)

    def _is_bonus(self, wager: str) -> bool:
        return self.terms.rulebook.wager[wager].kind == "bonus"

    def _winning_bonus(self, r: Round, seat: int) -> str | None:
        """The first bonus wager that a folded hand wins; the hand is tucked under it."""
        shown = replace(self.standing(r, seat), showdown=True)
        for name in filter(self._is_bonus, r.seats[seat].wagers):
            judge = self.wagers[name]
            verdict = judge.judge(facts_for(judge, r, seat, shown))
            if verdict and self.pays[name][verdict.outcome] != _LOST:
                return name
        return None

    def gestures(self, before: Round, after: Round, step: Step) -> Iterable[Gesture]:
        if _all_acted(after) and not _all_acted(before):
            yield from self._collect_folded(after)
        if isinstance(step, Turn):
            house = self.standing(after, 0)
            assert house.dealer is not None
            verb = "qualifies" if house.dealer_qualifies else "does not qualify"
            yield Say(f"Dealer {verb} with {house.dealer.phrase}", "SP.8")
        if _all_acted(after) and not _awaits_dealer(after):
            yield from self._clear_hands(after)

    def _collect_folded(self, r: Round) -> Iterator[Gesture]:
        """SP.22, SP.23: folded hands are collected; one that wins a bonus wager stays tucked under it."""
        for number, seat in enumerate(r.seats):
            if _choice(seat) == "fold":
                under = self._winning_bonus(r, number)
                yield Tuck(number, under, "SP.22") if under else Discard(number, "SP.23")

    def _clear_hands(self, r: Round) -> Iterator[Gesture]:
        """SP.23: hand by hand from the dealer's right, each into the discard rack before the next."""
        for number in reversed(range(len(r.seats))):
            if _choice(r.seats[number]) != "fold" or self._winning_bonus(r, number):
                yield Discard(number, "SP.23")


def _is_dealt(r: Round) -> bool:
    """Whether the house, which is last, has its cards."""
    return r.lies(DEALER, HAND - 1)


def _choice(seat: Seat) -> str | None:
    return seat.choices[0].name if seat.choices else None


def _has_to_act(seat: Seat) -> bool:
    """SP.21: a seat with only bonus wagers has no decision."""
    return not seat.choices and "ante" in seat.wagers


def _all_acted(r: Round) -> bool:
    return _is_dealt(r) and not any(map(_has_to_act, r.seats))


def _awaits_dealer(r: Round) -> bool:
    """SP.23: the house turns its hand over if a Raise stands against it."""
    return not r.is_turned(DEALER, 0) and any("raise" in seat.wagers for seat in r.seats)
