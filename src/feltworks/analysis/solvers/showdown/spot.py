"""Deals, plays and settles one spot of a showdown by the game's own rules, for any two hands of any kind.

The rules give the hands that they make of cards (`machine.felt`) and the result of two hands; what they read of the
dealer's hand is recorded (`machine.facts`). Rules that read single cards are refused.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from math import comb
from random import Random
from typing import Any

from msgspec import Struct

from feltworks.analysis.referee import exact_net
from feltworks.analysis.shape import are_suits_alike, ranking_of
from feltworks.analysis.strategy.file import Cards
from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.hands.hand import Hand
from feltworks.hands.poker import Ranking
from feltworks.machine.facts import Columns, Facts, Path, alike
from feltworks.machine.felt import CardsRead, Felt, HouseState, NewReading, PlaceState, Readings, SeatState, lay_felt
from feltworks.machine.walk import Settled, SettledLine
from feltworks.money import Cents, dollars
from feltworks.rules.advance import Answer, advance
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, FACE_DOWN, SEAT, Choice, Round, Seat, face_up
from feltworks.rules.steps import Decide, Draw, Step, Turn
from feltworks.rules.wager import Line

NOTHING_TO_DECIDE = Choice("")


class OpenRound(Struct, frozen=True):
    """A round up to the dealer's hand, with its next step, or its result if it needs no dealer's hand."""

    round: Round
    step: Step | None
    result: Settled | None


class NoShowdown(FeltError):
    """Raised for a game or wager other than one hand against the dealer's; another solver has to answer."""


def ranking_for(game: Game) -> Ranking:
    """The ranking by which a game compares hands; refused if it compares none."""
    if ranking := ranking_of(game):
        return ranking
    raise NoShowdown(f"{game.terms.rulebook.title} compares no poker hands, so it is no showdown")


class Spot:
    """One spot of a game, settled for given hands: the player's, the player's choice, the dealer's."""

    def __init__(self, game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents]) -> None:
        self.game = game
        self.opened = Round((Seat(dict(wagers)),), meters=dict(meters))
        self._first = game.awaits(self.opened)
        self._begun: dict[tuple[Cards, Choice], OpenRound] = {}
        self._known: dict[Hashable, SettledLine] = {}

    def choices(self, hand: Cards, house: Cards) -> tuple[Choice, ...]:
        """The choices of this hand, the least money first."""
        r, step = self.deal(hand, house)
        if not isinstance(step, Decide):
            return (NOTHING_TO_DECIDE,)
        ends = [Choice(offer.name, cents) for offer in step.offers for cents in {offer.least, offer.most}]
        return tuple(sorted(ends, key=lambda choice: _money_on(advance(r, step, choice))))

    def deal(self, hand: Cards, house: Cards) -> tuple[Round, Step | None]:
        """The round with these hands up to its choice, and the step that it waits for."""
        return self._deal(self.opened, self._first, hand, house)

    def result(self, hand: Cards, choice: Choice, house: Cards) -> Settled:
        """The results of the spot's wagers."""
        start = self._begun.get((hand, choice)) or self._begin(hand, choice)
        return start.result if start.result is not None else self._settle(self.finished_round(hand, choice, house))

    def finished_round(self, hand: Cards, choice: Choice, house: Cards) -> Round:
        """The finished round with these hands and this choice."""
        start = self._begun.get((hand, choice)) or self._begin(hand, choice)
        r, step = self._deal(start.round, start.step, hand, house, choice)
        if step is not None:
            raise self.no_showdown(f"it goes on with {step}")
        return r

    def is_decided(self, hand: Cards, choice: Choice) -> bool:
        """Whether the result does not depend on the dealer's hand."""
        return (self._begun.get((hand, choice)) or self._begin(hand, choice)).result is not None

    def _begin(self, hand: Cards, choice: Choice) -> "OpenRound":
        r, step = self._deal(self.opened, self._first, hand, None, choice)
        start = OpenRound(r, step, None if step else self._settle(r))
        return self._begun.setdefault((hand, choice), start)

    def _settle(self, r: Round) -> Settled:
        return self.results(self.game.settle(r), r)

    def results(self, lines: Sequence[Line], r: Round) -> Settled:
        """The lines of a round in exact cents."""
        return tuple([self._exact_line(line, r) for line in lines])

    def _exact_line(self, line: Line, r: Round) -> SettledLine:
        """A line in exact cents; equal lines share one object, since they are often compared."""
        if line.award:
            return _exact(line, r)
        key = (line.wager, line.outcome, line.pay, line.wagered)
        return self._known.get(key) or self._known.setdefault(key, _exact(line, r))

    def up_cards(self, example: Cards) -> int:
        """The number of the dealer's open cards at the player's decision."""
        r, step = self.deal(example, example)
        if {len(r.seats[0].cards), len(r.dealer) or len(example)} != {len(example)}:
            raise self.no_showdown(f"hands have other numbers of cards than {len(example)}")
        shown = sum(isinstance(face, Card) for face in r.dealer) if step else 0
        if shown > 1:
            raise self.no_showdown(f"{shown} of the dealer's cards lie open before the decision")
        return shown

    def _deal(
        self, r: Round, step: Step | None, hand: Cards, house: Cards | None, choice: Choice | None = None
    ) -> tuple[Round, Step | None]:
        """Play a round on with these cards and choice; returns it and the step that it waits for."""
        while step is not None and (answer := self._answer(r, step, hand, house, choice)) is not None:
            r = advance(r, step, answer)
            step = self.game.awaits(r)
        return r, step

    def _answer(self, r: Round, step: Step, hand: Cards, house: Cards | None, choice: Choice | None) -> Answer | None:
        if isinstance(step, Decide):
            return None if r.seats[0].choices else choice
        if isinstance(step, Draw) and step.to == 0 and not step.down:
            begin = len(r.seats[0].cards)
            if begin + step.count > len(hand):
                raise self.no_showdown(f"a seat takes more than {len(hand)} cards")
            return hand[begin : begin + step.count]
        if isinstance(step, Draw) and step.to == DEALER and step.down:
            return (FACE_DOWN,) * step.count
        if isinstance(step, Draw) and step.to == DEALER:
            return house and self._cards(house, len(r.dealer), step.count)
        if isinstance(step, Turn) and step.at == DEALER:
            return house and self._cards(house, step.index, step.count)
        raise self.no_showdown(f"it asks for {step}")

    def _cards(self, house: Cards, begin: int, count: int) -> Cards:
        if begin + count > len(house):
            raise self.no_showdown(f"the dealer takes more than {len(house)} cards")
        return house[begin : begin + count]

    def no_showdown(self, why: str) -> NoShowdown:
        """The error for a game that is dealt or settled differently."""
        return NoShowdown(f"{self.game.terms.rulebook.title} is no showdown of two hands: {why}")


def _exact(line: Line, r: Round) -> SettledLine:
    net = exact_net(line)
    if line.award and line.award.share is not None:  # a share of a meter before rounding to the cent
        net += r.meters[line.award.source] * line.award.share - line.award.cents
    return SettledLine(line.wager, line.outcome, net, line.wagered)


def choice_labels(choices: Sequence[Choice]) -> tuple[str, ...]:
    """The names of choices, with the amount if a choice can be made for several."""
    names = [choice.name for choice in choices]
    return tuple(
        name if names.count(name) == 1 else f"{name} {dollars(choice.cents or 0)}"
        for name, choice in zip(names, choices, strict=True)
    )


def _money_on(r: Round) -> Cents:
    return sum(r.seats[0].wagers.values())


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
        self.deck = tuple(shoe.all_cards())
        self.course = self._find_course()
        self._check_size()
        if not are_suits_alike(game, wagers):
            raise self._spot.no_showdown("an outcome changes with the suits of the cards")
        book = game.terms.rulebook.wager
        own = {n: judge.hand for n, judge in game.wagers.items() if n in wagers or book[n].of in wagers}
        self._readings = Readings({n: made for n, made in own.items() if made is not None}, self.deck)
        if any(made.cards != ((SEAT, None),) or not made.empty.any_order for made in self._readings.owners.values()):
            raise self._spot.no_showdown("a wager is judged by some of the cards alone, and is solved by itself")
        self._learn_readings()

    # The deal

    def _find_course(self) -> Course:
        """The numbers of cards, from random rounds; refused if they vary."""
        chance, courses = Random(1), set[Course]()
        for _ in range(_TRIALS):
            deck = tuple(chance.sample(self.deck, len(self.deck)))
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
        cards = len(self.deck)
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
            deck = tuple(chance.sample(self.deck, self.course.own + self.course.dealer))
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
        self._sample = tuple(self.deck[: self.course.own]), tuple(self.deck[-self.course.dealer :])
        self._singles = Columns(self._read_single, len(self.deck))
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
        return read_path(self._key(DEALER, self.deck[place : place + 1]), path)

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
