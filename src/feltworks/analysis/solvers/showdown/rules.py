"""Calls the rules for rounds of a seat's whole hand against the dealer's, for any kind of hand.

The rules give the hands that they make of cards (`machine.felt`) and the result of two hands; what they read of the
dealer's hand is recorded (`machine.facts`). Rules that read single cards are refused.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from math import comb
from random import Random
from typing import Any

from msgspec import Struct

from feltworks.analysis.solvers.showdown.spot import NOTHING_TO_DECIDE, Spot
from feltworks.analysis.solvers.suits import are_suits_alike
from feltworks.analysis.strategy.file import Cards
from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.hands.hand import Hand
from feltworks.machine.facts import Columns, Facts, Path, alike
from feltworks.machine.felt import CardsRead, Felt, HouseState, NewReading, PlaceState, Readings, SeatState, lay_felt
from feltworks.machine.walk import Settled
from feltworks.money import Cents
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, SEAT, Choice, Round, face_up
from feltworks.rules.steps import Decide, Draw, Step, Turn

_TRIALS = 40
_MOST_HANDS = 25_000_000  # dealer's hands, as each is valued
_MOST_LOOKUPS = 2_500_000_000
Key = tuple[Hand, ...]  # the hands that the rules make of a place's cards


class Course(Struct, frozen=True):
    """The number of cards of the seat and of the dealer, and the dealer's open cards before the choice."""

    own: int
    dealer: int
    open: int


class HandRules:
    """The rounds of one spot with a whole hand of a seat and one of the dealer."""

    def __init__(self, game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents], shoe: Shoe) -> None:
        self._game, self._meters = game, meters
        self._spot = Spot(game, wagers, meters)
        self._deck = tuple(shoe.all_cards())
        self.course = self._find_course()
        self._check_size()
        if not are_suits_alike(game, wagers):
            raise self._spot.no_showdown("an outcome changes with the suits of the cards")
        book = game.terms.rulebook.wager
        own = {n: judge.hand for n, judge in game.wagers.items() if n in wagers or book[n].of in wagers}
        self._readings = Readings({n: made for n, made in own.items() if made is not None}, self._deck)
        if any(made.cards != ((SEAT, None),) or not made.empty.any_order for made in self._readings.owners.values()):
            raise self._spot.no_showdown("a wager is judged by some of the cards alone, and is solved by itself")
        self._learn_readings()

    # The deal

    def _find_course(self) -> Course:
        """The numbers of cards, from random rounds; refused if they vary."""
        chance, courses = Random(1), set[Course]()
        for _ in range(_TRIALS):
            deck = tuple(chance.sample(self._deck, len(self._deck)))
            courses |= set(self._courses(deck, deck[::-1]))
        if len(courses) != 1:
            raise self._spot.no_showdown("how many cards are dealt changes with the cards")
        (course,) = courses
        if course.own < 2 or course.dealer < 2 or course.open > 1:
            raise self._spot.no_showdown(f"{course.open} of the dealer's {course.dealer} cards lie open")
        return course

    def _courses(self, hand: Cards, house: Cards) -> Iterator[Course]:
        r, step = self._spot.deal(hand, house)
        shown = len(face_up(r.dealer)) if isinstance(step, Decide) else 0
        choices = self._choices(step) if isinstance(step, Decide) else (NOTHING_TO_DECIDE,)
        most = 0
        for choice in choices:
            end = self._spot.finished_round(hand, choice, house)
            most = max(most, len(end.dealer))
            if len(end.seats[0].cards) != len(r.seats[0].cards) or end.board:
                raise self._spot.no_showdown("cards come after the choice")
        yield Course(len(r.seats[0].cards), most, shown)

    def _check_size(self) -> None:
        """Refuse a game that would take too long, with the reason."""
        own, dealer, shown = self.course.own, self.course.dealer, self.course.open
        cards = len(self._deck)
        if cards < own + dealer:
            raise FeltError(f"two hands take {own + dealer} cards and the shoe holds {cards}")
        lookups = comb(cards, own) // 12 * (cards - own if shown else 1) << own
        if max(comb(cards, dealer), comb(cards, own)) > _MOST_HANDS or lookups > _MOST_LOOKUPS:
            raise FeltError(
                f"{self._game.terms.rulebook.title}: {own} cards against {dealer} of {cards} are too many hands to"
                f" count exactly (about {lookups:,} comparisons, more than {_MOST_LOOKUPS:,}, or more than"
                f" {_MOST_HANDS:,} hands); `felt simulate` measures it under a named strategy"
            )

    # What the rules read

    def _learn_readings(self) -> None:
        """Settle random rounds until the rules read no new hand."""
        chance = Random(2)
        for _ in range(_TRIALS):
            deck = tuple(chance.sample(self._deck, self.course.own + self.course.dealer))
            while True:
                self._forget()
                try:
                    self._settle_sample(deck[: self.course.own], deck[self.course.own :])
                    break
                except NewReading:
                    continue
                except CardsRead:
                    raise self._spot.no_showdown("its rules read single cards") from None
        hands = [*self._readings.hands[SEAT], *self._readings.hands[DEALER]]
        if any(at is not None or not empty.any_order for empty, at in hands):
            raise self._spot.no_showdown("the order of the cards counts")

    def _forget(self) -> None:
        self._decide = lru_cache(maxsize=None)(self._decision)
        self._wait = lru_cache(maxsize=None)(self._waiting)
        self._sample = tuple(self._deck[: self.course.own]), tuple(self._deck[-self.course.dealer :])
        self._singles = Columns(self._read_single, len(self._deck))
        self._known_alike: dict[Hashable, bool] = {}

    def _settle_sample(self, hand: Cards, house: Cards) -> None:
        mine, theirs = self._key(SEAT, hand), self._key(DEALER, house)
        for choice in self._decide(mine):
            self._result(mine, choice, theirs, Facts())

    def _empties(self, place: int) -> Key:
        own = [made.empty for made in self._readings.owners.values()] if place == SEAT else []
        return (*(empty for empty, _ in self._readings.hands[place]), *own)

    def _key(self, place: int, cards: Sequence[Card]) -> Key:
        return tuple([reduce(lambda hand, card: hand.add(card), cards, empty) for empty in self._empties(place)])

    def _lying(self, r: Round, mine: Key) -> tuple[SeatState, HouseState]:
        """The states of a felt like this round, with another hand on the seat."""
        seat, read = r.seats[0], len(self._readings.hands[SEAT])
        lying = PlaceState(len(seat.cards), (), mine[:read], mine[read:])
        nothing = (None,) * len(self._readings.owners)
        backs = tuple([None if isinstance(face, Card) else face for face in r.dealer])
        dealer = PlaceState(len(r.dealer), backs, self._key(DEALER, face_up(r.dealer)), nothing)
        board = PlaceState(hands=self._readings.empty_place(-2).hands, own=nothing)
        return SeatState(tuple(seat.wagers.items()), (), lying, seat.choices), HouseState(dealer, board)

    def _lay(self, on: SeatState, against: HouseState, facts: Facts | None) -> Felt:
        return lay_felt(self._readings, (on,), against, self._meters, facts)

    def _read_single(self, place: int, path: Path) -> Any:
        return read_path(self._key(DEALER, self._deck[place : place + 1]), path)

    def _ask_open(self, r: Round, mine: Key) -> tuple[Step | None, Felt]:
        """The step that a round waits for with this hand; refused if it depends on the dealer's open card."""
        facts = Facts()
        felt = self._lay(*self._lying(r, mine), facts)
        step = self._game.awaits(felt)
        if step is None:
            self._game.settle(felt)
        key = tuple([(fact.path, fact.test, fact.other, fact.answer) for fact in facts.noted])
        if face_up(r.dealer) and not self._known_alike.setdefault(key, bool(alike(self._singles, facts.noted).all())):
            raise self._spot.no_showdown("the dealer's open card changes what is offered or settled")
        return step, felt

    def _decision(self, mine: Key) -> tuple[Choice, ...]:
        """The choices of a hand, the least money first."""
        r, _ = self._spot.deal(*self._sample)
        step, _ = self._ask_open(r, mine)
        if not isinstance(step, Decide):
            return (NOTHING_TO_DECIDE,)
        if any(empty.takes(step.about) for empty in self._empties(SEAT)):
            raise self._spot.no_showdown("a choice changes the hand")
        self._steps = dict.fromkeys(self._choices(step), step)
        return self._choices(step)

    @staticmethod
    def _choices(step: Decide) -> tuple[Choice, ...]:
        ends = [Choice(offer.name, cents, step.about) for offer in step.offers for cents in {offer.least, offer.most}]
        return tuple(sorted(ends, key=lambda choice: choice.cents or 0))

    def _waiting(self, choice: Choice) -> tuple[Round, SeatState, HouseState]:
        """A round after this choice, and its states after the dealer's cards are turned."""
        r, step = self._spot.deal(*self._sample)
        if isinstance(step, Decide):
            r = advance(r, self._steps[choice], choice)
        over = Round(r.seats, self._sample[1], meters=r.meters)
        return r, *self._lying(over, self._empties(SEAT))

    def _result(self, mine: Key, choice: Choice, theirs: Key | None, facts: Facts) -> Settled | None:
        """The result of a hand; None if the dealer's hand is needed and not given."""
        felt = self._finish(mine, choice, theirs, facts)
        return None if felt is None else self._spot.results(self._game.settle(felt), felt)

    def _finish(self, mine: Key, choice: Choice, theirs: Key | None, facts: Facts) -> Felt | None:
        """The felt at the end of a round; None if the dealer's hand is needed and not given."""
        r, on, against = self._wait(choice)
        step, felt = self._ask_open(r, mine)
        if step is None:
            return felt
        if not isinstance(step, Turn | Draw) or (step.at if isinstance(step, Turn) else step.to) != DEALER:
            raise self._spot.no_showdown(f"it asks for {step}")
        if theirs is None:
            return None
        read = len(self._readings.hands[SEAT])
        held, dealer = on.lying, against.dealer
        on = SeatState(on.wagers, (), PlaceState(held.held, (), mine[:read], mine[read:]), on.choices)
        house = HouseState(PlaceState(dealer.held, (), theirs, dealer.own), against.board)
        felt = self._lay(on, house, facts)
        if (step := self._game.awaits(felt)) is not None:
            raise self._spot.no_showdown(f"it goes on with {step}")
        return felt


def read_path(key: Key, path: Path) -> Any:
    """The value of a recorded path in a dealer's hand."""
    _, index, *names = path
    assert isinstance(index, int)
    value: Any = key[index]
    for name in names:
        value = getattr(value, str(name), None)
    return value
