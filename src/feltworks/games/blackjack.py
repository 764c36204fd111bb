"""Blackjack as the base game of the bonus wagers: every option of BJ.1, and the dealer's check."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.blackjack import ACES, TEN_VALUES, BlackjackHand, total
from feltworks.hands.hand import OpenCards
from feltworks.hands.spot import Spot, SpotCards, SpotHand, SpotRules
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, SEAT, Back, HandOf, Round, Seat, face_up
from feltworks.rules.settlement import has_verdict
from feltworks.rules.steps import Decide, Draw, Gesture, Offer, Peek, Step, Tuck, Turn
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Amount, CardList, HandList, OneCard, Part, Verdict, Wager, WrittenForm

HOLE, UP = 0, 1  # AD.7: the dealer's first card is dealt face down, the second is the up card
BEFORE_UP_CARD = "before the up card"  # the moment when bonus wagers may offer a choice
TOTAL = BlackjackHand()
FIRST_CARDS = HandOf(OpenCards(), ((SEAT, 0), (SEAT, 1), (DEALER, UP)))
_DOUBLE_ON = {"any": range(22), "9-11": range(9, 12), "10-11": range(10, 12)}
_ORIGINAL_ONLY = frozenset(["original lost", "added wager returned"])


class DealersHand(Struct, frozen=True, gc=False):
    """What is known of the dealer's hand."""

    total: int | None  # None until the hand is complete
    has_blackjack: bool | None  # None while unknown
    felt: Round = Round(())

    @property
    def cards(self) -> tuple[Card, ...]:
        """The open cards, for bonus wagers that name no hand of their own."""
        return face_up(self.felt.at(DEALER))

    @property
    def up_card(self) -> Card | None:
        return next(iter(self.felt.hand_of(FIRST_CARDS, 0).cards[2:]), None)


class BlackjackStanding(Struct, frozen=True, gc=False):
    """The facts that judge blackjack and its bonus wagers."""

    spot: Spot
    dealer: DealersHand
    seat: int = 0

    @property
    def first_two(self) -> tuple[Card, ...]:
        """The seat's first two cards, for bonus wagers that name no hand of their own."""
        return self.dealer.felt.hand_of(FIRST_CARDS, self.seat).cards[:2]


class BlackjackWager(Wager[BlackjackStanding]):
    """BJ.4: the main wager, judged hand by hand."""

    name = "blackjack"
    divides = True
    outcomes = (
        frozenset(["blackjack", "higher", "dealer over 21", "equal", "both blackjack", "lower", "over 21"])
        | {"dealer blackjack", "surrendered"}
        | _ORIGINAL_ONLY
    )

    @property
    def possible(self) -> frozenset[str]:
        """BJ.1, BJ.5: some outcomes need surrender, or a dealer blackjack found after the play."""
        takes_all = self.terms["peek"] or self.terms["no-peek-loss"] == "all"
        surrendered = frozenset(["surrendered"] if self.terms["surrender"] == "none" else [])
        unsplit = frozenset(["added wager returned"] if self.terms["max-hands"] == 1 else [])
        return self.outcomes - surrendered - unsplit - (_ORIGINAL_ONLY if takes_all else frozenset())

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
        hand = spot.hands[index]
        if hand.is_over:
            return Verdict("over 21", f"{hand.points} is over 21", ("BJ.4",))
        if dealer.has_blackjack:
            return self._against_blackjack(spot, index)
        if dealer.has_blackjack is False:
            if hand.is_blackjack:
                return Verdict("blackjack", "blackjack, and the dealer has none", ("BJ.4", "BJ.1"))
            if hand.is_surrendered:
                return Verdict("surrendered", "the hand was surrendered", ("BJ.4",))
        if dealer.total is None or spot.active is not None:
            return None
        return _compare(hand.points, dealer.total)

    def _against_blackjack(self, spot: Spot, index: int) -> Verdict:
        hand, before = spot.hands[index], spot.hands[:index]
        if hand.is_blackjack:
            return Verdict("both blackjack", "both have blackjack", ("BJ.4",))
        # BJ.5: without peek a house may take only one original wager, besides those of hands over 21
        if self.terms["peek"] or self.terms["no-peek-loss"] == "all" or hand.is_surrendered:
            return Verdict("dealer blackjack", "the dealer has blackjack", ("BJ.5", "BJ.4"))
        because = "dealer blackjack takes the original wager only"
        if spot.fellows.has_within(21) or not all(other.is_over for other in before):
            return Verdict("added wager returned", because, ("BJ.5",))
        if hand.is_doubled:
            return Verdict("original lost", because, ("BJ.5",))
        return Verdict("dealer blackjack", "the dealer has blackjack", ("BJ.5", "BJ.4"))


def _compare(mine: int, theirs: int) -> Verdict:
    if theirs > 21:
        return Verdict("dealer over 21", f"the dealer's {theirs} is over 21", ("BJ.4",))
    if mine == theirs:
        return Verdict("equal", f"{mine} equals the dealer's {theirs}", ("BJ.4",))
    if mine > theirs:
        return Verdict("higher", f"{mine} is higher than the dealer's {theirs}", ("BJ.4",))
    return Verdict("lower", f"{mine} is lower than the dealer's {theirs}", ("BJ.4",))


class Insurance(Wager[BlackjackStanding]):
    """BJ.4: at most half the blackjack wager; wins if the dealer has blackjack."""

    name = "insurance"
    outcomes = frozenset(["dealer blackjack", "no dealer blackjack"])
    remark = "Insurance is offered against an ace; --exposed takes the player's own cards out of the shoe."

    def judge(self, standing: BlackjackStanding) -> Verdict | None:
        if standing.dealer.has_blackjack is None:
            return None
        if standing.dealer.has_blackjack:
            return Verdict("dealer blackjack", "the dealer has blackjack", ("BJ.4",))
        return Verdict("no dealer blackjack", "the dealer has no blackjack", ("BJ.4",))


class Blackjack(Game[BlackjackStanding]):
    """The base game; AD.7: every table uses Acey Deucey 21's order of deal."""

    wager_types = (BlackjackWager, Insurance)
    least_cards = 4  # two to the player, two to the dealer
    has_spots = True
    bonus_hand = FIRST_CARDS
    spot: Spot
    written = WrittenForm(
        dealer=(OneCard("hole"), OneCard("up"), CardList("draws")),
        seat=(CardList("cards", 2),),
        seat_rule="a blackjack seat lists its first two cards, and its hands where it played on",
        amounts={"insurance": Amount("insurance", "insure", otherwise="decline")},
        hands=HandList(
            wager="blackjack",
            split="split",
            more="hit",
            enough="stand",
            doubled="double",
            surrendered="surrender",
        ),
    )

    def __init__(self, terms: Terms, bonus: Sequence[type[Wager]] = ()) -> None:
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
        self.spot = Spot(rules=self.spot_rules)  # before its first card
        self._spot_cards = SpotCards(self.spot)
        self.hits_soft_17 = terms["soft17"] == "hit"
        self.surrenders = terms["surrender"] == "late"
        self.peeks = bool(terms["peek"])
        self._asking = [name for name, judge in self.wagers.items() if type(judge).asks is not Wager.asks]

    def procedure(self, r: Round) -> Iterator[Step]:
        return iter(self._deal(r) or self._check(r) or self._play(r) or self._complete_dealer(r))

    def _deal(self, r: Round) -> Sequence[Step]:
        """AD.7, LL.1: one card at a time from the dealer's left, then the dealer's, the up card last."""
        if r.lies(DEALER, UP):
            return ()
        if r.lies(DEALER, HOLE):
            return self._bonus_decisions(r) or [Draw(DEALER)]
        seats = range(len(r.seats))
        draws = [Draw(number) for dealt in range(2) for number in seats if not r.lies(number, dealt)]
        return [*draws, Draw(DEALER, down=True)]

    def _bonus_decisions(self, r: Round) -> list[Step]:
        """AD.7: all choices of bonus wagers are open together."""
        decisions: list[Step] = []
        for number, seat in enumerate(r.seats):
            for name in self._asking:
                if name not in seat.wagers or seat.choice(name) is not None:
                    continue
                if offers := self.wagers[name].asks(BEFORE_UP_CARD, r, number):
                    decisions.append(Decide(number, offers, name))
        return decisions

    def _check(self, r: Round) -> Sequence[Step]:
        """BJ.4, BJ.5: offer insurance under an ace; then the dealer checks for blackjack."""
        hole = r.back(DEALER, HOLE)
        if hole is None or hole.barring:
            return ()
        up_card = r.hand(DEALER, TOTAL)
        if up_card.soft and (decisions := list(self._insurance(r))):
            return decisions
        wanted = _hole_cards_for_blackjack(up_card)
        return [Peek(DEALER, HOLE, wanted)] if self.peeks and wanted and self.undecided(r) else ()

    def _insurance(self, r: Round) -> Iterator[Decide]:
        """BJ.4, LB.11: offer insurance under an ace, before the dealer checks."""
        if not self.terms["insurance"] or (not self.peeks and self._has_begun(r)):
            return
        for number, seat in enumerate(r.seats):
            offer = self.terms.offer("insure", "insurance", seat)
            if offer and seat.choice("insurance") is None:
                yield Decide(number, (Offer("decline"), offer), "insurance")

    def _has_begun(self, r: Round) -> bool:
        """Whether a hand has been played: without peek the hole card does not show it."""
        return any(r.hand(number, self.spot).is_begun for number in range(len(r.seats)))

    def _play(self, r: Round) -> Sequence[Step]:
        """BJ.2: seats act from the dealer's left, unless the dealer shows blackjack."""
        if r.is_turned(DEALER, HOLE):  # BJ.5: otherwise it is turned when all have acted
            return ()
        for number, seat in enumerate(r.seats):
            if "blackjack" in seat.wagers:
                spot = r.hand(number, self.spot)
                if spot.wants_card:
                    return [Draw(number)]
                if spot.active is not None:
                    offers = self._offers(spot, spot.hands[spot.active], seat.wagers["blackjack"])
                    return [Decide(number, offers, f"hand {spot.active + 1}")]
        return ()

    def _offers(self, spot: Spot, hand: SpotHand, wagered: Cents) -> tuple[Offer, ...]:
        """BJ.4: only a hand's first two cards may double, split or surrender."""
        rules, base = self.spot_rules, opening_wager(spot.hands, wagered)
        offers = [Offer("stand")]
        if rules.may_hit(hand):
            offers.append(Offer("hit"))
        if rules.may_double(hand):
            offers.append(Offer.exactly("double", "blackjack", base))
        if rules.may_split(hand, spot.count):
            offers.append(Offer.exactly("split", "blackjack", base))
        if self.surrenders and hand.held == 2 and not hand.is_split:
            offers.append(Offer("surrender"))
        return tuple(offers)

    def _complete_dealer(self, r: Round) -> Sequence[Step]:
        """BJ.5, LB.4: the dealer turns and draws only while a wager is undecided."""
        if self._is_complete(r.hand(DEALER, TOTAL)) or not self.undecided(r):
            return ()
        return [Draw(DEALER) if r.is_turned(DEALER, HOLE) else Turn(DEALER, HOLE)]

    def _is_complete(self, dealer: BlackjackHand) -> bool:
        """BJ.1: the table's rule says whether the dealer draws to a soft 17."""
        draws = dealer.points < 17 or (dealer.points == 17 and dealer.soft and self.hits_soft_17)
        return dealer.held > 1 and not draws

    def standing(self, r: Round, seat: int) -> BlackjackStanding:
        hand = r.hand(DEALER, TOTAL)
        total = hand.points if self._is_complete(hand) else None
        dealer = DealersHand(total, _has_blackjack(hand, r.back(DEALER, HOLE)), r)
        return BlackjackStanding(r.hand(seat, self.spot), dealer, seat)

    def most_at_stake(self, wager: str, opened: Cents) -> Cents:
        """BJ.4: every hand of a split spot carries the opening wager, a doubled hand twice as much."""
        if wager != "blackjack":
            return opened
        hands = self.spot_rules.max_hands
        return opened * (2 * hands if self.spot_rules.doubles_after_split else max(2, hands))

    def part_cards(self, r: Round, seat: int, wager: str) -> Sequence[tuple[Card, ...]]:
        return self._cards_by_hand(r.seats[seat]) if wager == "blackjack" else ()

    def _cards_by_hand(self, seat: Seat) -> Sequence[tuple[Card, ...]]:
        """The cards of each hand; the seat's cards if it was not split."""
        if "split" in [choice.name for choice in seat.choices]:
            return seat.hand(self._spot_cards).cards
        return (face_up(seat.cards),)

    def gestures(self, before: Round, after: Round, step: Step) -> Iterable[Gesture]:
        """LB.3: tuck a hand that is paid or taken under the wager that is still in action."""
        for number, seat in enumerate(after.seats):
            for name in (*seat.wagers, *seat.tokes):
                clause = self.wagers[name].tucks_hand
                if clause and "blackjack" in seat.wagers:
                    leaves = self._is_played(after, number) and not self._is_played(before, number)
                    if leaves and not has_verdict(self, after, number, name):
                        yield Tuck(number, name, clause)
                    break

    def _is_played(self, r: Round, number: int) -> bool:
        return has_verdict(self, r, number, "blackjack")

    @property
    def cloth_words(self) -> str:
        soft = "hits soft 17" if self.hits_soft_17 else "stands on all 17s"
        return f"Blackjack pays {self.pays['blackjack']['blackjack']} · Dealer {soft}"

    def hand_words(self, r: Round, seat: int) -> Sequence[str]:
        hands = r.hand(seat, self.spot).hands
        return [_call(*each) for each in zip(hands, self._cards_by_hand(r.seats[seat]), strict=False)]

    def dealer_words(self, r: Round) -> str:
        dealer = r.hand(DEALER, TOTAL)
        return dealer.words.removeprefix("soft ") if self._is_complete(dealer) else ""


def opening_wager(hands: tuple[SpotHand, ...], wagered: Cents) -> Cents:
    """The opening wager of the spot: every hand carries one, a doubled hand two."""
    return wagered // sum(1 + hand.is_doubled for hand in hands)


def _call(hand: SpotHand, held: tuple[Card, ...]) -> str:
    """The name of a hand; its cards are read, as a finished hand does not keep whether it is soft."""
    words = hand.words if hand.is_blackjack or hand.is_over else str(total(held))
    return f"{words}, doubled" if hand.is_doubled else words


def _hole_cards_for_blackjack(up_card: BlackjackHand) -> frozenset[Card]:
    """The hole cards that make a blackjack with this up card."""
    return TEN_VALUES if up_card.soft else ACES if up_card.points == 10 else frozenset()


def _has_blackjack(dealer: BlackjackHand, hole: Back | None) -> bool | None:
    """Whether the dealer has blackjack; None while nobody knows."""
    if dealer.held > 1:
        return dealer.is_blackjack
    is_barred = dealer.held and hole and _hole_cards_for_blackjack(dealer) <= hole.barring
    return False if is_barred else None
