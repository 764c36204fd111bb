"""Fu Bacc: a baccarat-style hand against the dealer's, with Lucky Monkey and Tie beside it."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from feltworks.cards import Card, Rank
from feltworks.errors import ImpossibleRound
from feltworks.hands.baccarat import MONKEYS, points, total
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.record import FinishedRound, FinishedSeat
from feltworks.rules.remembering import LastAsked
from feltworks.rules.round import DEALER, Face, Round, Seat, face_up
from feltworks.rules.steps import (
    Burn,
    Decide,
    Discard,
    Draw,
    Gesture,
    Offer,
    Say,
    Step,
    Steps,
    Tuck,
    Turn,
    goes_on,
)
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Verdict, Wager

# FB.17: of the dealer's three the bottom one is exposed, the top one is the hit card
UP, HOLE, HIT = 0, 1, 2
HIT_CARD = 2  # a player's third card, to be drawn or burned
_TUCKED_BY_PLAYING = ("stay", "hit")
_FOLD, _BONUS, _RESCUE = Offer("fold"), Offer("bonus"), Offer("rescue")
_NO_MONKEYS = Verdict("no monkeys", "the first two cards are not two monkeys", ("FB.10", "FB.3"))


class FuBaccStanding(Struct, frozen=True, gc=False):
    """What a Fu Bacc wager is judged by."""

    pair: tuple[Card, ...]
    total: int
    has_ante: bool
    choice: str | None
    turn_over: bool  # the spot has acted, or has nothing to decide and its turn has come
    up_card: Card | None
    dealer_total: int | None  # None until the dealer's hand is complete

    @property
    def is_monkeys(self) -> bool:
        return len(self.pair) == 2 and MONKEYS.issuperset(self.pair)


class Ante(Wager[FuBaccStanding]):
    """FB.5–9: the main wager."""

    name = "ante"
    outcomes = frozenset(
        ["fold", "player higher", "dealer higher", "tie", "natural 9", "natural 8", "rescue"]
    )

    def judge(self, standing: FuBaccStanding) -> Verdict | None:
        if standing.choice == "fold":
            return Verdict("fold", "the hand was folded", ("FB.6",))
        if standing.choice == "bonus":
            return Verdict(f"natural {standing.total}", f"natural {standing.total} took its bonus", ("FB.8",))
        if standing.choice == "rescue":
            return Verdict("rescue", "two monkeys against a dealer 9 took the rescue", ("FB.9", "FB.3"))
        return _showdown(standing)


class Play(Wager[FuBaccStanding]):
    """FB.5, FB.7: twice the Ante, put down to play the hand."""

    name = "play"
    outcomes = frozenset(["player higher", "dealer higher", "tie"])

    def judge(self, standing: FuBaccStanding) -> Verdict | None:
        return _showdown(standing)


def _showdown(standing: FuBaccStanding) -> Verdict | None:
    """FB.7: the higher total wins; FB.2 says what a total is."""
    if standing.dealer_total is None or standing.choice is None:
        return None
    return _compared(standing.total, standing.dealer_total)


@cache
def _compared(mine: int, theirs: int) -> Verdict:
    if mine == theirs:
        return Verdict("tie", f"{mine} ties the dealer's {theirs}", ("FB.7", "FB.2"))
    if mine > theirs:
        return Verdict("player higher", f"{mine} is higher than the dealer's {theirs}", ("FB.7", "FB.2"))
    return Verdict("dealer higher", f"{mine} is lower than the dealer's {theirs}", ("FB.7", "FB.2"))


class LuckyMonkey(Wager[FuBaccStanding]):
    """FB.10: two monkeys in the first two cards, paid by the dealer's up card."""

    name = "lucky-monkey"
    outcomes = frozenset(["no monkeys", *(f"monkeys against {up}" for up in ("9", "8", "7", "6", "0-5"))])

    def judge(self, standing: FuBaccStanding) -> Verdict | None:
        if not standing.turn_over or standing.up_card is None:
            return None
        if not standing.is_monkeys:
            return _NO_MONKEYS
        shown = points(standing.up_card)
        against = str(shown) if shown >= 6 else "0-5"
        return Verdict(
            f"monkeys against {against}", f"two monkeys against a dealer {shown}", ("FB.10", "FB.3")
        )


class Tie(Wager[FuBaccStanding]):
    """FB.11–13: the final totals tie."""

    name = "tie"
    outcomes = frozenset(["tie", "no tie", "rescued"])

    def judge(self, standing: FuBaccStanding) -> Verdict | None:
        rescued = standing.choice == "rescue"
        if rescued and self.terms["fu-bacc.rescue-tie"] == "loses":
            return Verdict("rescued", "the Tie went with the rescued hand", ("FB.12",))
        if standing.dealer_total is None or not standing.turn_over:
            return None
        clause = (
            "FB.11" if standing.choice in _TUCKED_BY_PLAYING else "FB.12" if standing.has_ante else "FB.13"
        )
        return _tied(standing.total, standing.dealer_total, clause)


@cache
def _tied(mine: int, theirs: int, clause: str) -> Verdict:
    clauses = ("FB.11",) if clause == "FB.11" else ("FB.11", clause)
    if mine == theirs:
        return Verdict("tie", f"{mine} ties the dealer's {theirs}", clauses)
    return Verdict("no tie", f"{mine} does not tie the dealer's {theirs}", clauses)


class FuBacc(Game[FuBaccStanding]):
    """Two cards and a hit card against the dealer's, from one deck (FB.1)."""

    suits_are_alike = True
    wager_types = (Ante, Play, LuckyMonkey, Tie)

    def __init__(self, terms: Terms, bonus: Sequence[type[Wager[FuBaccStanding]]] = ()) -> None:
        super().__init__(terms, bonus)
        self._open_to = lru_cache(maxsize=1 << 8)(self._reckon_open_to)

    @goes_on
    def procedure(self, r: Round) -> Steps:
        if not r.dealer:
            yield from _dealt(r)
        if not r.dealer or type(r.dealer[UP]) is not Card:
            after = yield Turn(DEALER, UP)
            if after is None:
                return
            r = after
        for number, seat in enumerate(r.seats):  # FB.18: spots act from the dealer's left
            if "ante" not in seat.wagers:
                continue
            choices = seat.choices
            if not choices:
                after = yield Decide(number, self._offers(r, seat))
                if after is None:
                    return  # FB.15: a hand is completed before the next is played
                r, choices = after, after.seats[number].choices
            if choices[0].name == "hit" and type(seat.cards[HIT_CARD]) is not Card:
                r = (yield Turn(number, HIT_CARD)) or r
        # FB.18: expose the hole card, draw or burn; not needed where no wager depends on it
        if type(r.dealer[HOLE]) is not Card and self._needs_dealer(r):
            r = (yield Turn(DEALER, HOLE)) or r
        if type(r.dealer[HOLE]) is Card and _dealer_total(r.dealer) is None:
            yield Turn(DEALER, HIT)

    def _needs_dealer(self, r: Round) -> bool:
        for seat in r.seats:
            if "play" in seat.wagers:  # FB.7: a Play waits for the dealer's hand
                return True
        return self.undecided(r)

    def _offers(self, r: Round, seat: Seat) -> tuple[Offer, ...]:
        pair = _exposed(seat.cards)
        return self._open_to(total(pair) >= 8, self._may_rescue(pair, r.dealer[UP]), seat.wagers["ante"])

    def _reckon_open_to(self, is_natural: bool, may_rescue: bool, ante: Cents) -> tuple[Offer, ...]:
        offers = [_FOLD]
        if is_natural:
            offers.append(_BONUS)  # FB.8
        if may_rescue:
            offers.append(_RESCUE)  # FB.9
        # FB.5: any total may hit or stay, with exactly twice the Ante down
        if stay := self.terms.offer("stay", "play", Seat({"ante": ante})):
            offers += [stay, Offer("hit", "play", stay.least, stay.most)]
        return tuple(offers)

    def _may_rescue(self, pair: tuple[Card, ...], up_card: object) -> bool:
        if type(up_card) is not Card or up_card.rank is not Rank.NINE or not MONKEYS.issuperset(pair):
            return False
        # FB.3: whether the ten is a monkey here too is a reading
        return bool(self.terms["fu-bacc.rescue-ten"]) or all(face.rank is not Rank.TEN for face in pair)

    def standing(self, r: Round, seat: int) -> FuBaccStanding:
        on, dealer = r.seats[seat], r.dealer
        hand = _exposed(on.cards)
        choice = on.choices[0].name if on.choices else None
        if choice == "hit" and len(hand) == HIT_CARD:
            choice = None  # the hit card is not turned yet
        has_ante = "ante" in on.wagers
        up_card = dealer[UP] if dealer else None
        return FuBaccStanding(
            hand[:2],
            total(hand),
            has_ante,
            choice,
            bool(on.choices) if has_ante else _turn_over(r, seat),
            up_card if type(up_card) is Card else None,
            _dealer_total(dealer),
        )

    def alike(self, r: Round, face: Card) -> tuple[int, bool]:
        """Points are all that counts; FB.3: a reading of the rescue tells tens from faces."""
        return points(face), face.rank is Rank.TEN

    def matters(self, r: Round) -> Hashable:
        """Which kinds each place shows, the order of a player's own two cards aside."""
        seats = [
            (
                tuple(sorted(self.alike(r, face) for face in face_up(seat.cards[:2]))),
                tuple(self.alike(r, face) for face in face_up(seat.cards[2:])),
                len(seat.cards),
                seat.choices,
                tuple(seat.wagers.items()),
                tuple(seat.tokes.items()),
            )
            for seat in r.seats
        ]
        dealer = tuple(self.alike(r, face) if isinstance(face, Card) else None for face in r.dealer)
        return tuple(seats), dealer

    def sees(self, r: Round, viewer: int | None, owner: int) -> bool:
        """Hands are private until shown for a bonus, a rescue, a Lucky Monkey, or the final settlement."""
        seat = r.seats[owner]
        choice = _choice(seat)
        if choice in ("bonus", "rescue"):
            return True
        standing = self.standing(r, owner)
        if seat.has("lucky-monkey") and standing.turn_over and standing.up_card and standing.is_monkeys:
            return True
        return standing.dealer_total is not None and (choice in _TUCKED_BY_PLAYING or seat.has("tie"))

    def gestures(self, before: Round, after: Round, step: Step) -> Iterable[Gesture]:
        if type(step) is Draw:
            return ()
        if type(step) is Turn and step.at == DEALER and step.index != UP:
            return _announced(after, step)
        return _acted(after, step) + _passed_over(before, after)

    def dealer_cards(self, finished: FinishedRound) -> Sequence[str]:
        return [finished.dealer_card(key) for key in ("up", "hole", "third")]

    def seat_cards(self, finished: FinishedSeat) -> Sequence[str]:
        if len(finished.cards) != 2 or finished.third is None:
            raise ImpossibleRound("a Fu Bacc seat has two cards and its third, used or burned")
        return [*finished.cards, finished.third]


def _dealt(r: Round) -> Iterator[Step]:
    """FB.17: three cards to every live spot, the third as the hit card, and three to the dealer."""
    for number, seat in enumerate(r.seats):
        if not seat.cards:
            yield Draw(number, 2)
        if len(seat.cards) < 3:
            yield Draw(number, down=True)
    yield Draw(DEALER, 3, down=True)


def _exposed(lying: tuple[Face, ...]) -> tuple[Card, ...]:
    """A spot's two cards, and its hit card once that is turned."""
    is_turned = len(lying) <= HIT_CARD or type(lying[HIT_CARD]) is Card
    return face_up(lying if is_turned else lying[:HIT_CARD])


def _turn_over(r: Round, seat: int) -> bool:
    if "ante" in r.seats[seat].wagers:
        return bool(r.seats[seat].choices)
    return r.is_turned(DEALER, UP) and all(
        other.choices for other in r.seats[:seat] if "ante" in other.wagers
    )


def _reckon_dealer_total(dealer: tuple[Face, ...]) -> int | None:
    """FB.4: the dealer stands on a two-card 6 or more and draws exactly one card on 5 or less."""
    if not dealer or type(dealer[HOLE]) is not Card:
        return None
    two_cards = total(face_up(dealer[:HIT]))
    if two_cards >= 6:
        return two_cards
    return total(face_up(dealer)) if type(dealer[HIT]) is Card else None


_dealer_total = LastAsked(_reckon_dealer_total)


def _announced(after: Round, step: Turn) -> list[Gesture]:
    """FB.18: the dealer burns a hit card not needed and announces the total."""
    final = _dealer_total(after.dealer)
    if final is None:
        return []
    announced = Say(f"Dealer has {final}", "FB.18")
    return [Burn(DEALER, HIT, "FB.18"), announced] if step.index == HOLE else [announced]


def _acted(after: Round, step: Step) -> list[Gesture]:
    """FB.18: what is tucked under which wager, and whose hit card is burned."""
    if type(step) is Turn and step.at >= 0:
        return [Tuck(step.at, "play", "FB.18")]
    if type(step) is not Decide:
        return []
    number, seat = step.seat, after.seats[step.seat]
    name = seat.choices[0].name
    if name == "hit":
        return []
    burned = Burn(number, HIT_CARD, "FB.18")
    if name == "stay":
        return [Tuck(number, "play", "FB.18"), burned]
    return [Tuck(number, "tie", "FB.12"), burned] if seat.has("tie") else [burned]


def _passed_over(before: Round, after: Round) -> list[Gesture]:
    """FB.13: a spot without an Ante has its hit card burned in turn; FB.18: then folded cards are cleared."""
    burned: list[Gesture] = []
    folded: list[Gesture] = []
    for number, seat in enumerate(after.seats):
        if "ante" in seat.wagers:
            if seat.choices and seat.choices[0].name == "fold" and not seat.has("tie"):
                folded.append(Discard(number, "FB.18"))
        elif _turn_over(after, number) and not _turn_over(before, number):
            burned.append(Burn(number, HIT_CARD, "FB.13"))
    return burned + folded if folded and _all_acted(after) and not _all_acted(before) else burned


def _choice(seat: Seat) -> str | None:
    return seat.choices[0].name if seat.choices else None


def _all_acted(r: Round) -> bool:
    return r.is_turned(DEALER, UP) and all(_hand_played(r, number) for number in range(len(r.seats)))


def _hand_played(r: Round, number: int) -> bool:
    seat = r.seats[number]
    if "ante" not in seat.wagers or not seat.choices:
        return "ante" not in seat.wagers
    return seat.choices[0].name != "hit" or r.is_turned(number, HIT_CARD)
