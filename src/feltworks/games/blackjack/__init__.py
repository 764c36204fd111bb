"""Blackjack as it lies under the bonus wagers: every selectable rule of BJ.1, and the dealer's check."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from feltworks.cards import Card, Rank, cards
from feltworks.games.blackjack.played_through import PlayedThrough
from feltworks.games.blackjack.wagers import (
    BlackjackStanding,
    BlackjackWager,
    DealersHand,
    Insurance,
    opening_wager,
)
from feltworks.games.blackjack.written import WrittenBlackjack
from feltworks.hands.blackjack import ACES, TEN_VALUES, total
from feltworks.hands.spot import Hand, Spot, SpotRules
from feltworks.money import Cents
from feltworks.rules.remembering import LastAsked, LatelyAsked
from feltworks.rules.round import DEALER, Back, Choice, Face, Round, Seat, face_up
from feltworks.rules.settlement import undecided_seat
from feltworks.rules.steps import (
    Decide,
    Draw,
    Gesture,
    Offer,
    PartPlayed,
    Peek,
    Step,
    Steps,
    Tuck,
    Turn,
    answered,
    goes_on,
)
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Wager

HOLE, UP = 0, 1  # AD.7: the dealer's first card lies down, the second is the up card
BEFORE_UP_CARD = "before the up card"  # the moment at which a bonus wager may ask its player
STAND, HIT, SURRENDER = Offer("stand"), Offer("hit"), Offer("surrender")
_SPOTS_KEPT = 256
_DOUBLE_ON = {"any": range(22), "9-11": range(9, 12), "10-11": range(10, 12)}


class Blackjack(WrittenBlackjack):
    """The base game; AD.7: the order of deal of Acey Deucey 21 serves every table."""

    suits_are_alike = True
    wager_types = (BlackjackWager, Insurance)

    def __init__(self, terms: Terms, bonus: Sequence[type[Wager[BlackjackStanding]]] = ()) -> None:
        super().__init__(terms, bonus)
        self.spot_rules = SpotRules(
            max_hands=terms.number("max-hands"),
            doubles_on=_DOUBLE_ON[str(terms["double"])],
            doubles_after_split=bool(terms["double-after-split"]),
            splits_on_value=terms["split-on"] == "value",
            resplits_aces=bool(terms["resplit-aces"]),
            hits_split_aces=bool(terms["hit-split-aces"]),
            stands_on_21=bool(terms["stand-on-21"]),
        )
        self.hits_soft_17 = terms["soft17"] == "hit"
        self.surrenders = terms["surrender"] == "late"
        self.peeks = bool(terms["peek"])
        # The hands of the rounds in progress; hands of earlier rounds hardly ever come again.
        self.read_spot = lru_cache(maxsize=1 << 10)(self._read_spot)
        self.read_dealer = LastAsked(lru_cache(maxsize=1 << 8)(self._read_dealer))
        self._open_to_two = lru_cache(maxsize=1 << 14)(self._reckon_open_to_two)
        self.played_through = PlayedThrough(self.spot_rules, self._offers)
        self.asking = [name for name, judge in self.wagers.items() if type(judge).asks is not Wager.asks]
        self._open_to_bonuses = LastAsked(self._reckon_open_to_bonuses)
        self.spot_of = LatelyAsked(self._spot_of, most=_SPOTS_KEPT)

    @goes_on
    def procedure(self, r: Round) -> Steps:
        for part in (self._deal, self._check, self._play, self._complete_dealer):
            after = yield from part(r)
            if after is None:
                return
            r = after

    def _deal(self, r: Round) -> PartPlayed:
        """AD.7, LL.1: one card at a time from the dealer's left, then the dealer's, the up card last."""
        if len(r.dealer) > UP:
            return r
        # Not `yield from`: who plays on sends the felt, which a tuple does not take.
        for draw in _to_be_dealt(tuple([len(seat.cards) for seat in r.seats])):  # noqa: UP028
            yield draw
        after: Round | None = r
        if not r.dealer:
            after = yield Draw(DEALER, down=True)
        if after and (asking := self.bonus_decisions(after)):
            after = yield from answered(asking)
        return (yield Draw(DEALER)) if after else None

    def _check(self, r: Round) -> PartPlayed:
        """BJ.4, BJ.5: under an ace insurance is asked for; then the dealer looks for blackjack."""
        hole, up_card = r.dealer[HOLE], r.dealer[UP]
        if type(hole) is not Back or hole.barring or (not self.peeks and _has_begun(r)):
            return r
        after: Round | None = r
        if up_card in ACES and (asking := tuple(self._insurance(r))):
            after = yield from answered(asking)
        if after and self.peeks and (wanted := _makes_blackjack(up_card)) and self.undecided(after):
            after = yield Peek(DEALER, HOLE, wanted)
        return after

    def _play(self, r: Round) -> PartPlayed:
        """BJ.2: seats act from the dealer's left, unless the dealer has shown blackjack."""
        if type(r.dealer[HOLE]) is Back or not self.read_dealer(r.dealer).has_blackjack:
            for number in range(len(r.seats)):
                seat = r.seats[number]
                if "blackjack" in seat.wagers and (spot := self.spot_of(seat)).active is not None:
                    after = yield from self._play_spot(number, seat, spot)
                    if after is None:
                        return None
                    r = after
        return r

    def _play_spot(self, number: int, seat: Seat, spot: Spot) -> PartPlayed:
        """A seat's hands are played one after another: decisions, and the cards they ask for."""
        after: Round | None = None
        while (active := spot.active) is not None:
            step: Step = Draw(number)
            if not spot.wants_card:
                offers = self._offers(seat.wagers["blackjack"], spot, spot.hands[active])
                step = Decide(number, offers, f"hand {active + 1}")
            after = yield step
            if after is None:
                return None
            before, seat = seat, after.seats[number]
            spot = self._followed(spot, active, before, seat)
        return after

    def _followed(self, spot: Spot, active: int, before: Seat, seat: Seat) -> Spot:
        """The spot after its step was answered; a written round may have played it further (`play_ahead`)."""
        more = len(seat.cards) + len(seat.choices) - len(before.cards) - len(before.choices)
        if more > 1 or seat in self.spot_of:
            return self.spot_of(seat)
        if spot.wants_card:
            spot = self.spot_rules.dealt(spot, active, face_up(seat.cards[-1:])[0])
        else:
            spot = self.spot_rules.decided(spot, active, seat.choices[-1].name)
        self.spot_of.keep(seat, spot)
        return spot

    def bonus_decisions(self, r: Round) -> tuple[Decide, ...]:
        return self._open_to_bonuses(r) if self.asking else ()

    def _reckon_open_to_bonuses(self, r: Round) -> tuple[Decide, ...]:
        asked = []
        for number, seat in enumerate(r.seats):
            for name in self.asking:
                if name not in seat.wagers or (seat.choices and seat.choice(name) is not None):
                    continue
                if offers := self.wagers[name].asks(BEFORE_UP_CARD, seat):
                    asked.append(Decide(number, offers, name))
        return tuple(asked)

    def _insurance(self, r: Round) -> Iterator[Decide]:
        """BJ.4, LB.11: under an ace insurance is offered before the dealer checks."""
        if not self.terms["insurance"]:
            return
        for number, seat in enumerate(r.seats):
            offer = self.terms.offer("insure", "insurance", seat)
            if offer and seat.choice("insurance") is None:
                yield Decide(number, (Offer("decline"), offer), "insurance")

    def _offers(self, wagered: Cents, spot: Spot, hand: Hand) -> tuple[Offer, ...]:
        if len(hand.cards) > 2:  # BJ.4: all else is open to a hand's first two cards alone
            return (STAND, HIT) if self.spot_rules.may_hit(hand) else (STAND,)
        first, second = hand.cards
        base = opening_wager(spot.hands, wagered)
        return self._open_to_two(first.rank, second.rank, hand.is_split, len(spot.hands), base)

    def _reckon_open_to_two(
        self, first: Rank, second: Rank, is_split: bool, hands: int, base: Cents
    ) -> tuple[Offer, ...]:
        """BJ.4: what two cards of these ranks may do, so many hands lying on their spot."""
        pair = cards([f"{first.letter}c", f"{second.letter}c"])
        hand, rules = Hand(pair, is_split), self.spot_rules
        offers = [STAND, HIT] if rules.may_hit(hand) else [STAND]
        if rules.may_double(hand):
            offers.append(Offer.exactly("double", "blackjack", base))
        if rules.may_split(hand, hands):
            offers.append(Offer.exactly("split", "blackjack", base))
        if self.surrenders and not is_split:
            offers.append(SURRENDER)
        return tuple(offers)

    def _complete_dealer(self, r: Round) -> PartPlayed:
        """BJ.5, LB.4: the dealer turns and draws only while a wager is undecided."""
        waiting = 0
        while self.read_dealer(r.dealer).total is None:
            found = undecided_seat(self, r, waiting)  # seats before it are decided, and stay so
            if found is None:
                return r
            waiting = found
            after = yield Draw(DEALER) if isinstance(r.dealer[HOLE], Card) else Turn(DEALER, HOLE)
            if after is None:
                return None
            r = after
        return r

    def _spot_of(self, seat: Seat) -> Spot:
        """A seat's hands, read off its cards and choices."""
        return self.read_spot(seat.cards, seat.choices)

    def _read_spot(self, lying: tuple[Face, ...], choices: tuple[Choice, ...]) -> Spot:
        played = [choice.name for choice in choices if _is_of_hand(choice)]
        return self.spot_rules.read(face_up(lying), played)

    def _read_dealer(self, lying: tuple[Face, ...]) -> DealersHand:
        shown, hole_known = face_up(lying), bool(lying) and isinstance(lying[HOLE], Card)
        up_card = lying[UP] if len(lying) > UP else None
        held = total(shown)
        # BJ.1: a soft 17 is drawn to or stood on by the table's rule
        draws = held.points < 17 or (held.points == 17 and held.soft and self.hits_soft_17)
        return DealersHand(
            cards=shown,
            up_card=up_card if isinstance(up_card, Card) else None,
            total=held.points if hole_known and up_card and not draws else None,
            has_blackjack=_dealer_blackjack(lying),
        )

    def standing(self, r: Round, seat: int) -> BlackjackStanding:
        on = r.seats[seat]
        return BlackjackStanding(face_up(on.cards[:2]), self.spot_of(on), self.read_dealer(r.dealer))

    def most_at_stake(self, wager: str, opened: Cents) -> Cents:
        """BJ.4: every hand of a split spot carries the opening wager, a doubled hand twice that."""
        if wager != "blackjack":
            return opened
        hands = self.spot_rules.max_hands
        return opened * (2 * hands if self.spot_rules.doubles_after_split else max(2, hands))

    def part_cards(self, r: Round, seat: int, wager: str) -> Sequence[tuple[Card, ...]]:
        return [hand.cards for hand in self.spot_of(r.seats[seat]).hands] if wager == "blackjack" else ()

    def gestures(self, before: Round, after: Round, step: Step) -> Iterable[Gesture]:
        """LB.3: a hand that is paid or taken is tucked under the wager that is still in action."""
        for number, seat in enumerate(after.seats):
            for name in (*seat.wagers, *seat.tokes):
                clause = self.wagers[name].tucks_hand
                if clause and "blackjack" in seat.wagers and self._leaves_play(before, after, number):
                    if self.wagers[name].judge(self.standing(after, number)) is None:
                        yield Tuck(number, name, clause)
                    break

    def _leaves_play(self, before: Round, after: Round, number: int) -> bool:
        def decided(r: Round) -> bool:
            parts = self.wagers["blackjack"].parts(
                self.standing(r, number), r.seats[number].wagers["blackjack"]
            )
            return all(part.verdict for part in parts)

        return decided(after) and not decided(before)


@lru_cache(maxsize=1 << 10)
def _to_be_dealt(held: tuple[int, ...]) -> tuple[Draw, ...]:
    """The cards that seats holding so many still need to have two each, in the order of the deal."""
    return tuple(Draw(number) for dealt in range(2) for number, count in enumerate(held) if count <= dealt)


def _is_of_hand(choice: Choice) -> bool:
    """Whether it was made in playing a hand, not for insurance or a bonus."""
    return choice.about[:5] == "hand "


def _has_begun(r: Round) -> bool:
    """Whether a hand has been played: without peek nothing on the dealer's hole card says so."""
    return any(_is_of_hand(choice) for seat in r.seats for choice in seat.choices)


def _makes_blackjack(up_card: Face) -> frozenset[Card]:
    """The hole cards that make a blackjack with this up card."""
    return TEN_VALUES if up_card in ACES else ACES if up_card in TEN_VALUES else frozenset()


def _dealer_blackjack(lying: tuple[Face, ...]) -> bool | None:
    """Whether the dealer has blackjack, as far as everybody can know."""
    if len(lying) < 2:
        return None
    hole, wanted = lying[HOLE], _makes_blackjack(lying[UP])
    if isinstance(hole, Card):
        return hole in wanted
    return None if wanted - hole.barring else False
