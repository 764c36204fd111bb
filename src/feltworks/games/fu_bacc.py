"""Fu Bacc: a baccarat-style hand against the dealer's, with the bonus wagers Lucky Monkey and Tie."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from feltworks.hands.baccarat import BaccaratHand, Monkeys, MonkeysAgainst
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, SEAT, HandOf, Round, Seat
from feltworks.rules.sights import TOTALS
from feltworks.rules.steps import Burn, Decide, Discard, Draw, Gesture, Offer, Say, Step, Tuck, Turn
from feltworks.rules.wager import CardList, Deal, OneCard, Own, Verdict, Wager, WrittenForm

# FB.17: of the dealer's three cards the bottom one is exposed, the top one is the hit card
UP, HOLE, HIT = 0, 1, 2
HIT_CARD = 2  # a player's third card, which is drawn or burned
TOTAL, PAIR = BaccaratHand(), Monkeys()
_SIX_CARDS = Deal((1,) * 6, "player's three cards and the dealer's three, in order")


class FuBaccStanding(Struct, frozen=True, gc=False):
    """The facts that judge a Fu Bacc wager."""

    total: int
    has_ante: bool
    choice: str | None  # None until the hit card of a hand that hits is turned
    turn_over: bool  # the spot has acted, or its turn has come with nothing to decide
    dealer_total: int | None  # None until the dealer's hand is complete


class Ante(Wager[FuBaccStanding]):
    """FB.5–9: the main wager."""

    name = "ante"
    outcomes = frozenset(["fold", "player higher", "dealer higher", "tie", "natural 9", "natural 8", "rescue"])
    decided_by = _SIX_CARDS

    def judge(self, standing: FuBaccStanding) -> Verdict | None:
        match standing.choice:
            case "fold":
                return Verdict("fold", "the hand was folded", ("FB.6",))
            case "bonus":
                natural = f"natural {standing.total}"
                return Verdict(natural, f"{natural} took its bonus", ("FB.8",))
            case "rescue":
                return Verdict("rescue", "two monkeys against a dealer 9 took the rescue", ("FB.9", "FB.3"))
        return _showdown(standing)


class Play(Wager[FuBaccStanding]):
    """FB.5, FB.7: twice the Ante, placed to play the hand."""

    name = "play"
    outcomes = frozenset(["player higher", "dealer higher", "tie"])
    decided_by = _SIX_CARDS

    def judge(self, standing: FuBaccStanding) -> Verdict | None:
        return _showdown(standing)


def _showdown(standing: FuBaccStanding) -> Verdict | None:
    """FB.7: the higher total wins; FB.2 defines totals."""
    mine, theirs = standing.total, standing.dealer_total
    if theirs is None or standing.choice is None:
        return None
    if mine == theirs:
        return Verdict("tie", f"{mine} ties the dealer's {theirs}", ("FB.7", "FB.2"))
    if mine > theirs:
        return Verdict("player higher", f"{mine} is higher than the dealer's {theirs}", ("FB.7", "FB.2"))
    return Verdict("dealer higher", f"{mine} is lower than the dealer's {theirs}", ("FB.7", "FB.2"))


class LuckyMonkey(Wager[Own[FuBaccStanding, MonkeysAgainst]]):
    """FB.10: two monkeys as the first two cards, paid by the dealer's up card."""

    name = "lucky-monkey"
    outcomes = frozenset(["no monkeys", *(f"monkeys against {up}" for up in ("9", "8", "7", "6", "0-5"))])
    hand = HandOf(MonkeysAgainst(), ((SEAT, 0), (SEAT, 1), (DEALER, UP)))
    decided_by = Deal((2, 1), "player's two cards, without order, and the up card")
    printed_as = "hexagon"

    def judge(self, standing: Own[FuBaccStanding, MonkeysAgainst]) -> Verdict | None:
        shown = standing.hand.up_card
        if shown is None or not standing.table.turn_over:
            return None
        if not standing.hand.is_two:
            return Verdict("no monkeys", "the first two cards are not two monkeys", ("FB.10", "FB.3"))
        row = f"monkeys against {shown if shown >= 6 else '0-5'}"
        return Verdict(row, f"two monkeys against a dealer {shown}", ("FB.10", "FB.3"))


class Tie(Wager[FuBaccStanding]):
    """FB.11–13: wins if the final totals tie."""

    name = "tie"
    outcomes = frozenset(["tie", "no tie", "rescued"])
    decided_by = _SIX_CARDS
    beside = "ante"  # FB.13: without an Ante its hand is not played

    @property
    def possible(self) -> frozenset[str]:
        """FB.12: the Tie of a rescued hand stays in action or loses, by the table's reading."""
        stays = self.terms["fu-bacc.rescue-tie"] == "stays"
        return self.outcomes.difference(["rescued"] if stays else [])

    def judge(self, standing: FuBaccStanding) -> Verdict | None:
        if standing.choice == "rescue" and self.terms["fu-bacc.rescue-tie"] == "loses":
            return Verdict("rescued", "the Tie went with the rescued hand", ("FB.12",))
        mine, theirs = standing.total, standing.dealer_total
        if theirs is None or not standing.turn_over:
            return None
        clauses: tuple[str, ...] = ("FB.11",)
        if standing.choice not in ("stay", "hit"):
            clauses += ("FB.12" if standing.has_ante else "FB.13",)
        if mine == theirs:
            return Verdict("tie", f"{mine} ties the dealer's {theirs}", clauses)
        return Verdict("no tie", f"{mine} does not tie the dealer's {theirs}", clauses)


class FuBacc(Game[FuBaccStanding]):
    """Two cards and a hit card against the dealer's, from one deck (FB.1)."""

    wager_types = (Ante, Play, LuckyMonkey, Tie)
    least_cards = 6  # FB.17
    is_short = True
    dealer_clause = "FB.4"
    empty_hand = TOTAL
    sights = replace(TOTALS, verbs={"bonus": "take the bonus", "rescue": "take the rescue"})
    written = WrittenForm(
        dealer=(OneCard("up"), OneCard("hole"), OneCard("third")),
        seat=(CardList("cards", 2), OneCard("third")),
        seat_rule="a Fu Bacc seat has two cards and its third, used or burned",
    )

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(DEALER, HIT):
            yield from _deal(r)
            return
        if not r.is_turned(DEALER, UP):
            yield Turn(DEALER, UP)
            return
        for number, seat in enumerate(r.seats):  # FB.18: spots act from the dealer's left
            if "ante" in seat.wagers and not seat.choices:
                yield Decide(number, self._offers(r, number))
                return  # FB.15: a hand is completed before the next is played
            if _waits_for_hit_card(r, number):
                yield Turn(number, HIT_CARD)
                return
        # FB.18: expose the hole card, draw or burn; skipped if no wager depends on it
        if not r.is_turned(DEALER, HOLE):
            if self.undecided(r):
                yield Turn(DEALER, HOLE)
        elif _dealer_total(r) is None:
            yield Turn(DEALER, HIT)

    def _offers(self, r: Round, number: int) -> tuple[Offer, ...]:
        offers = [Offer("fold")]
        if r.hand(number, TOTAL).total >= 8:
            offers.append(Offer("bonus"))  # FB.8
        if self._may_rescue(r, number):
            offers.append(Offer("rescue"))  # FB.9
        # FB.5: any total may hit or stay, with exactly twice the Ante down
        if stay := self.terms.offer("stay", "play", r.seats[number]):
            offers += [stay, Offer("hit", "play", stay.least, stay.most)]
        return tuple(offers)

    def _may_rescue(self, r: Round, number: int) -> bool:
        """FB.9: two monkeys against a dealer 9; FB.3: whether a ten counts as a monkey here is a reading."""
        pair = r.hand(number, PAIR)
        if not pair.is_two or r.hand(DEALER, TOTAL).total != 9:  # only the up card lies open
            return False
        return not pair.has_ten or bool(self.terms["fu-bacc.rescue-ten"])

    def standing(self, r: Round, seat: int) -> FuBaccStanding:
        on = r.seats[seat]
        choice = on.choices[0].name if on.choices else None
        return FuBaccStanding(
            total=r.hand(seat, TOTAL).total,
            has_ante="ante" in on.wagers,
            choice=None if _waits_for_hit_card(r, seat) else choice,
            turn_over=_is_turn_over(r, seat),
            dealer_total=_dealer_total(r),
        )

    def sees(self, r: Round, viewer: int | None, owner: int) -> bool:
        """Hands are private until shown for a bonus, a rescue, a Lucky Monkey, or the final settlement."""
        seat, standing = r.seats[owner], self.standing(r, owner)
        if standing.choice in ("bonus", "rescue"):
            return True
        if seat.has("lucky-monkey") and standing.turn_over and r.hand(owner, PAIR).is_two:
            return True
        return standing.dealer_total is not None and (standing.choice in ("stay", "hit") or seat.has("tie"))

    def gestures(self, before: Round, after: Round, step: Step) -> Iterable[Gesture]:
        if isinstance(step, Draw):
            return ()
        if isinstance(step, Turn) and step.at == DEALER and step.index != UP:
            return _announce(after, step)
        return _tuck_and_burn(after, step) + _clear_spots(before, after)

    def dealer_words(self, r: Round) -> str:
        final = _dealer_total(r)
        return "" if final is None else str(final)


def _deal(r: Round) -> Iterator[Step]:
    """FB.17: three cards to every live spot, the third as the hit card, and three to the dealer."""
    for number in range(len(r.seats)):
        if not r.hand(number, TOTAL).held:
            yield Draw(number, 2)
        if not r.lies(number, HIT_CARD):
            yield Draw(number, down=True)
    yield Draw(DEALER, 3, down=True)


def _dealer_total(r: Round) -> int | None:
    """FB.4: the dealer stands on a two-card 6 or more and draws exactly one card on 5 or less."""
    dealer = r.hand(DEALER, TOTAL)
    is_complete = dealer.held == 3 or (dealer.held == 2 and dealer.total >= 6)
    return dealer.total if is_complete else None


def _waits_for_hit_card(r: Round, number: int) -> bool:
    choices = r.seats[number].choices
    return bool(choices) and choices[0].name == "hit" and not r.is_turned(number, HIT_CARD)


def _is_turn_over(r: Round, number: int) -> bool:
    """Whether a spot has acted; without an Ante, whether those before it have (FB.13)."""
    if "ante" in r.seats[number].wagers:
        return bool(r.seats[number].choices)
    return r.is_turned(DEALER, UP) and all(_has_acted(seat) for seat in r.seats[:number])


def _has_acted(seat: Seat) -> bool:
    return bool(seat.choices) or "ante" not in seat.wagers


def _announce(after: Round, step: Turn) -> list[Gesture]:
    """FB.18: the dealer burns a hit card not needed and announces the total."""
    final = _dealer_total(after)
    if final is None:
        return []
    announcement = Say(f"Dealer has {final}", "FB.18")
    return [Burn(DEALER, HIT, "FB.18"), announcement] if step.index == HOLE else [announcement]


def _tuck_and_burn(after: Round, step: Step) -> list[Gesture]:
    """FB.18: which hand is tucked under which wager, and which hit card is burned."""
    if isinstance(step, Turn) and step.at >= 0:
        return [Tuck(step.at, "play", "FB.18")]
    if not isinstance(step, Decide):
        return []
    seat = after.seats[step.seat]
    burn = Burn(step.seat, HIT_CARD, "FB.18")
    match seat.choices[0].name:
        case "hit":
            return []
        case "stay":
            return [Tuck(step.seat, "play", "FB.18"), burn]
    return [Tuck(step.seat, "tie", "FB.12"), burn] if seat.has("tie") else [burn]


def _clear_spots(before: Round, after: Round) -> list[Gesture]:
    """FB.13: burn the hit card of a spot without an Ante in its turn; FB.18: then clear folded cards."""
    burns: list[Gesture] = []
    discards: list[Gesture] = []
    for number, seat in enumerate(after.seats):
        if "ante" not in seat.wagers:
            if _is_turn_over(after, number) and not _is_turn_over(before, number):
                burns.append(Burn(number, HIT_CARD, "FB.13"))
        elif seat.choices and seat.choices[0].name == "fold" and not seat.has("tie"):
            discards.append(Discard(number, "FB.18"))
    return burns + discards if _is_play_over(after) and not _is_play_over(before) else burns


def _is_play_over(r: Round) -> bool:
    """Whether every spot has acted and every drawn hit card is turned."""
    spots = enumerate(r.seats)
    return r.is_turned(DEALER, UP) and all(
        _has_acted(seat) and not _waits_for_hit_card(r, number) for number, seat in spots
    )
