"""A seat's hands as states: what the rules offer to each of them, and where each card leads."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.shoe_game.felts import Felts, Lying
from feltworks.analysis.shoe_game.numbers import Bools, Ints
from feltworks.cards import DECK
from feltworks.hands.blackjack import points
from feltworks.hands.spot import SpotHand
from feltworks.rules.steps import Decide

UPS: Final = 10
VALUES: Final = range(10)  # of cards: 0 an ace, 9 a ten
STAND, HIT, DOUBLE, SURRENDER, SPLIT = ACTS = range(5)
BY_VALUE: Final = tuple(tuple(face for face in DECK if points(face) == value + 1) for value in VALUES)
FACES: Final = tuple(faces[0] for faces in BY_VALUE)  # one card of every value,
TWINS: Final = tuple(faces[1] for faces in BY_VALUE)  # and another one of its rank


class Seats:
    """The states of a seat; the rules are asked about one when it is first reached."""

    def __init__(self, felts: Felts, words: Sequence[str], dealt: Sequence[Lying]) -> None:
        """`words` are the game's for the acts; `dealt` is a felt before the first decision, by up card."""
        self._felts, self._words, self._dealt = felts, words, dealt
        self.lying: list[Lying] = []
        self.place: list[int] = []  # which of the spot's hands it is about
        self.offers: list[Bools] = []  # by up card and act
        self._after: list[list[int]] = []
        self._known: dict[tuple[object, int], int] = {}

    def state(self, lying: Lying, place: int = 0) -> int:
        """The number of a state."""
        key = lying.seat.lying, place
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = len(self.lying)
            self.lying.append(lying)
            self.place.append(place)
            self.offers.append(self._offers(lying, place))
            self._after.append([])
        return known

    def _offers(self, lying: Lying, place: int) -> Bools:
        offers = np.zeros((UPS, len(ACTS)), np.bool_)
        if lying.spot.active == place and not lying.spot.wants_card:
            for up in VALUES:
                names = {offer.name for offer in self._decision(lying, up).offers}
                if further := names.difference(self._words):
                    raise self._felts.refuse(f"a hand is offered to {min(further)}")
                if self._words[STAND] not in names:
                    raise self._felts.refuse("a hand may not stand")
                offers[up] = [word in names for word in self._words]
        return offers

    def _decision(self, lying: Lying, up: int) -> Decide:
        """What the seat is asked against an up card."""
        dealt = self._dealt[up]
        step = self._felts.awaits(Lying(replace(lying.seat, choices=dealt.seat.choices), dealt.house))
        if not isinstance(step, Decide) or not lying.takes(step.about):
            raise self._felts.refuse("a hand waits for a choice that is not offered")
        return step

    def may(self, state: int, act: int) -> bool:
        """Whether a choice is offered against any up card."""
        return bool(self.offers[state][:, act].any())

    def choose(self, state: int, act: int) -> Lying:
        """The seat after a choice."""
        lying = self.lying[state]
        step = self._decision(lying, int(np.argmax(self.offers[state][:, act])))
        offer = next(offer for offer in step.offers if offer.name == self._words[act])
        return self._felts.choose(lying, step, offer)

    def follow(self, state: int) -> list[int]:
        """By value: the state after a hit and such a card, or a card it waits for; −1 where none may come."""
        if not self._after[state]:
            lying, place = self.lying[state], self.place[state]
            waits = lying.spot.active == place and lying.spot.wants_card
            if waits or self.may(state, HIT):
                lying = lying if waits else self.choose(state, HIT)
                cards = TWINS if lying.hand(place).held == 1 else FACES
                self._after[state] = [self.state(self._felts.draw(lying, card), place) for card in cards]
            else:
                self._after[state] = [-1] * len(VALUES)
        return self._after[state]

    def reached(self, root: int) -> list[int]:
        """All states that hitting leads to, this one among them."""
        found, waiting = {root: None}, [root]
        while waiting:
            for state in self.follow(waiting.pop()):
                if state >= 0 and state not in found:
                    found[state] = None
                    waiting.append(state)
        return list(found)

    def over(self, root: int, total: int) -> Lying | None:
        """The seat after hits from a state that brought its hand to this total over 21."""
        for state in self.reached(root):
            hand = self.lying[state].hand(self.place[state])
            if hand.is_over and hand.points == total:
                return self.lying[state]
        return None

    def stand(self, lying: Lying, place: int) -> Lying:
        """One of the spot's hands played to an end that is not over 21."""
        while lying.spot.active == place:
            if lying.spot.wants_card:
                lying = self._felts.draw(lying, FACES[9])
            else:
                lying = self.choose(self.state(lying, place), STAND)
        return lying


class Totals(Struct, frozen=True):
    """What cards count together, as states: the empty hand first, and where each value leads."""

    after: Ints
    total: Ints
    soft: Bools
    is_over: Bools

    def follow(self, layers: list[Ints], after: Ints) -> Ints:
        """The state of every hand of a list, in layers of which each leads to later ones."""
        states = np.zeros(len(after), np.int64)
        for rows in layers:
            for value in VALUES:
                then = after[rows, value]
                states[then[then >= 0]] = self.after[states[rows[then >= 0]], value]
        return states


def totals_of(empty: SpotHand) -> Totals:
    """How hands that begin like this count cards."""
    hands, known, after = [empty], {empty: 0}, []
    for hand in hands:
        row = []
        for card in FACES:
            drawn = hand if hand.is_over else hand.add(card)
            row.append(known.setdefault(drawn, len(hands)))
            hands += [drawn] if row[-1] == len(hands) else []
        after.append(row)
    total, soft, over = zip(*((hand.points, hand.soft, hand.is_over) for hand in hands), strict=True)
    return Totals(np.array(after), np.array(total), np.array(soft), np.array(over))
