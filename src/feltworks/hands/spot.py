"""Blackjack hands on one spot: the hands after splits, and what each of them may still do."""

from collections.abc import Hashable, Iterator
from itertools import product
from typing import Final, Self, cast

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.blackjack import ACES, BlackjackHand, count, points
from feltworks.hands.hand import Fork, Hand, NotKept

CHOICES: Final = ("stand", "hit", "double", "surrender", "split")  # the choices of a hand on a spot


class SpotHand(BlackjackHand, frozen=True, gc=False):
    """One hand of a spot. A finished hand keeps only its result."""

    kind: int = 0  # the kind of its first card, while it is or may become a pair
    is_split: bool = False
    is_split_aces: bool = False
    last: str = ""  # the last choice of its player

    @property
    def is_blackjack(self) -> bool:
        return self.held == 2 and self.points == 21 and not self.is_split

    @property
    def is_doubled(self) -> bool:
        return self.last == "double"

    @property
    def is_surrendered(self) -> bool:
        return self.last == "surrender"

    @property
    def wants_card(self) -> bool:
        """Whether it has fewer than two cards, or the card of a hit or double is not dealt yet."""
        held = self.held
        return held < 2 or self.last == "hit" or (held == 2 and self.last == "double")

    def with_card(self, card: Card, kind: int) -> "SpotHand":
        """This hand with a card of this kind."""
        held = self.held
        total, soft = count(self, card)
        if held:
            kind = kind if held == 1 and kind == self.kind else 0
        last = "" if self.last == "hit" else self.last
        held = held + 1 if held < 3 else 3
        return SpotHand(total, soft, held, kind, self.is_split, self.is_split_aces, last)

    def with_choice(self, name: str) -> "SpotHand":
        """This hand after that choice."""
        return SpotHand(self.points, self.soft, self.held, self.kind, self.is_split, self.is_split_aces, name)

    def half(self) -> "SpotHand":
        """One of the two hands of a split pair; a soft pair is aces."""
        worth = 11 if self.soft else self.points // 2
        return SpotHand(worth, self.soft, 1, self.kind, is_split=True, is_split_aces=self.soft)

    def result(self) -> "SpotHand":
        """The result of a finished hand, without how it was reached."""
        last = self.last if self.is_doubled or self.is_surrendered else ""
        return self if self.is_blackjack else SpotHand(self.points, held=3, last=last)


class SpotRules(Struct, frozen=True):
    """BJ.1: what the house allows on a spot."""

    max_hands: int = 4
    doubles_on: range = range(22)
    doubles_after_split: bool = True
    splits_on_value: bool = True
    resplits_aces: bool = False
    hits_split_aces: bool = False
    stands_on_21: bool = False

    def kind(self, card: Card) -> int:
        """BJ.4: a pair is two cards of one kind: of equal value, or by another reading of equal rank."""
        return points(card) if self.splits_on_value else card.rank

    def may_hit(self, hand: SpotHand) -> bool:
        """BJ.4: split aces take one card each unless the house lets them draw."""
        return self.hits_split_aces or not hand.is_split_aces

    def may_double(self, hand: SpotHand) -> bool:
        if hand.held != 2 or hand.points not in self.doubles_on or not self.may_hit(hand):
            return False
        return self.doubles_after_split or not hand.is_split

    def may_split(self, hand: SpotHand, hands: int) -> bool:
        """BJ.4: a pair, if the spot has fewer hands than the house allows."""
        if hand.held != 2 or not hand.kind or hands >= self.max_hands:
            return False
        return self.resplits_aces or not hand.is_split_aces

    def is_finished(self, hand: SpotHand, hands: int) -> bool:
        """Whether this hand has no decision left, with `hands` hands on the spot."""
        if hand.last:
            return True
        if hand.points >= 21 and (hand.points > 21 or self.stands_on_21 or hand.is_blackjack):
            return True
        return hand.is_split_aces and not self.may_hit(hand) and not self.may_split(hand, hands)

    def hand(self, cards: tuple[Card, ...], *, is_split: bool = False, last: str = "") -> SpotHand:
        """The hand that these cards make; if it is split, the first card is one of the pair."""
        hand = SpotHand(is_split=is_split, is_split_aces=is_split and cards[0] in ACES)
        for card in cards:
            hand = hand.with_card(card, self.kind(card))
        return hand.with_choice(last)


Trace = tuple[frozenset[int], frozenset[int], bool]


class Fellows(Struct, frozen=True, gc=False):
    """What a hand that is followed separately knows of the others on its spot."""

    count: int = 0  # the number of other hands
    limits: frozenset[int] | None = None  # the totals that rules compare with; None: there are no others
    within: frozenset[int] = frozenset()  # limits that an earlier hand is within
    over: frozenset[int] = frozenset()  # limits that an earlier hand is over
    is_surrendered: bool = False

    def has_within(self, limit: int) -> bool:
        return limit in self.within if self._keeps(limit) else False

    def has_over(self, limit: int) -> bool:
        return limit in self.over if self._keeps(limit) else False

    def _keeps(self, limit: int) -> bool:
        if self.limits is not None and limit not in self.limits:
            raise NotKept(limit)
        return self.limits is not None

    def later(self, limits: frozenset[int], most: int) -> Iterator["Fellows"]:
        """All that can be known at the turn of a hand split off from one that knew this."""
        for others in range(self.count + 1, most):
            for kept in product([(True, False), (False, True), (True, True)], repeat=len(limits)):
                each = list(zip(sorted(limits), kept, strict=True))
                within = frozenset(limit for limit, (is_within, _) in each if is_within)
                over = frozenset(limit for limit, (_, is_over) in each if is_over)
                if self.within <= within and self.over <= over:
                    yield Fellows(others, limits, within, over)


class Spot(Hand, frozen=True, gc=False):
    """The hands of a spot, and which of them waits for a card or a choice.

    >>> from feltworks.cards import card
    >>> spot = Spot().add(card("8h")).add(card("8d")).choose("split").add(card("Tc")).choose("stand")
    >>> [str(hand) for hand in spot.add(card("3s")).hands], spot.active
    (['18', '11'], 1)
    """

    hands: tuple[SpotHand, ...] = (SpotHand(),)
    active: int | None = 0
    wants_card: bool = True  # otherwise the active hand waits for a choice
    rules: SpotRules = SpotRules()
    fellows: Fellows = Fellows()  # if its hands are followed separately

    @property
    def count(self) -> int:
        """The number of hands on the spot."""
        return len(self.hands) + self.fellows.count

    def has_within(self, limit: int) -> bool:
        """Whether one of the hands is within a total."""
        return any(hand.points <= limit for hand in self.hands) or self.fellows.has_within(limit)

    def has_over(self, limit: int) -> bool:
        """Whether one of the hands is over a total."""
        return any(hand.points > limit for hand in self.hands) or self.fellows.has_over(limit)

    @property
    def is_surrendered(self) -> bool:
        return self.fellows.is_surrendered or any(hand.is_surrendered for hand in self.hands)

    @property
    def is_begun(self) -> bool:
        """Whether a choice was made on it."""
        return len(self.hands) != 1 or bool(self.hands[0].last) or self.hands[0].held > 2

    def takes(self, about: str) -> bool:
        """Decisions on its hands; not insurance, and not those of bonus wagers."""
        return about[:5] == "hand "

    def add(self, card: Card) -> Self:
        """Add a card to the active hand; no change if no hand waits for one."""
        if self.active is None or not self.wants_card:
            return self
        hand = self.hands[self.active].with_card(card, self.rules.kind(card))
        return self._go_on(self.active, hand)

    def choose(self, name: str) -> Self:
        if self.active is None or self.wants_card:
            return self
        hand = self.hands[self.active]
        if name == "split":
            return self._go_on(self.active, hand.half(), hand.half())
        return self._go_on(self.active, hand.with_choice(name))

    def _go_on(self, active: int, *played: SpotHand) -> Self:
        """Replace the active hand by its result, and make the next hand that waits the active one."""
        rules, hands, fellows = self.rules, self.hands, self.fellows
        hands = played if len(hands) == 1 else (*hands[:active], *played, *hands[active + 1 :])
        count = len(hands)
        for index in range(active, count):
            hand = hands[index]
            if hand.wants_card:
                return type(self)(hands, index, True, rules, fellows)
            if not rules.is_finished(hand, count + fellows.count):
                return type(self)(hands, index, False, rules, fellows)
            hands = (*hands[:index], hand.result(), *hands[index + 1 :])
        return type(self)(hands, None, False, rules, Fellows(0, fellows.limits, fellows.within, fellows.over))

    def fork(self, limits: frozenset[int]) -> Fork[Self] | None:
        """The two hands of a split, each as a separate spot that knows little of the other."""
        if len(self.hands) < 2:
            return None
        (one, other), known, rules = self.hands, self.fellows, self.rules
        first = type(self)((one,), 0, True, rules, Fellows(known.count + 1, limits, known.within, known.over))
        later: dict[tuple[int, Hashable], Self] = {
            (f.count + 1, (f.within, f.over, False)): type(self)((other,), 0, True, rules, f)
            for f in known.later(limits, rules.max_hands)
        }
        return Fork(first, later)

    def trace(self, limits: frozenset[int]) -> Trace | None:
        """The limits that this hand and those before it are within and over; and a surrender."""
        points = [hand.points for hand in self.hands]
        within = {limit for limit in limits for held in points if held <= limit}
        over = {limit for limit in limits for held in points if held > limit}
        return self.fellows.within | within, self.fellows.over | over, self.is_surrendered

    def known_by(self, trace: Hashable, limits: frozenset[int]) -> Self:
        within, over, is_surrendered = cast(Trace, trace)
        return type(self)((), None, False, self.rules, Fellows(0, limits, within, over, is_surrendered))


class SpotCards(Hand, frozen=True, gc=False):
    """The cards of each hand on a spot, for display; no rule reads them."""

    spot: Spot
    cards: tuple[tuple[Card, ...], ...] = ((),)

    @property
    def wants_card(self) -> bool:
        """The same as the spot."""
        return self.spot.wants_card

    def takes(self, about: str) -> bool:
        return self.spot.takes(about)

    def add(self, card: Card) -> Self:
        active = self.spot.active
        if active is None or not self.spot.wants_card:
            return self
        return self._follow(self.spot.add(card), (*self.cards[active], card))

    def choose(self, name: str) -> Self:
        active = self.spot.active
        if active is None or self.spot.wants_card:
            return self
        held = self.cards[active]
        return self._follow(self.spot.choose(name), *(((c,) for c in held) if name == "split" else (held,)))

    def _follow(self, spot: Spot, *held: tuple[Card, ...]) -> Self:
        active = self.spot.active
        assert active is not None
        return type(self)(spot, (*self.cards[:active], *held, *self.cards[active + 1 :]))


class HeldValues(Hand, frozen=True, gc=False):
    """The card values in the active hand, for players who decide by more than its total."""

    spot: Spot
    held: tuple[int, ...] = ()  # in ascending order, an ace as one; empty once no decision is left
    pair: int = 0  # the card value of the pair that was split

    def takes(self, about: str) -> bool:
        return self.spot.takes(about)

    def add(self, card: Card) -> Self:
        if self.spot.active is None or not self.spot.wants_card:
            return self
        held = tuple(sorted((*self.held, points(card))))
        return self._follow(self.spot.add(card), held)

    def choose(self, name: str) -> Self:
        return self._follow(self.spot.choose(name), self.held)

    def _follow(self, spot: Spot, held: tuple[int, ...]) -> Self:
        is_over = spot.active is None
        return type(self)(spot, () if is_over else held, 0 if is_over else self.pair)

    def fork(self, limits: frozenset[int]) -> Fork[Self] | None:
        fork = self.spot.fork(limits)
        if fork is None:
            return None
        half, pair = self.held[:1], self.held[0]
        later = {key: type(self)(spot, half, pair) for key, spot in fork.later.items()}
        return Fork(type(self)(fork.first, half, pair), later)

    def trace(self, limits: frozenset[int]) -> Trace | None:
        return self.spot.trace(limits)

    def known_by(self, trace: Hashable, limits: frozenset[int]) -> Self:
        return type(self)(self.spot.known_by(trace, limits))
