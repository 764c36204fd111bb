"""Judges wagers that depend only on a hand of their own; the rules are called once for each hand."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache, partial, reduce
from typing import Any, Final, NoReturn

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.hand import Hand
from feltworks.machine.felt import HouseState, Readings, SeatState, own_hand, shown_cards
from feltworks.money import Odds
from feltworks.rules.game import Game
from feltworks.rules.settlement import price_line
from feltworks.rules.wager import Line, Own, Verdict

Outcomes = tuple[str | None, ...]  # None: undecided


class TableRead(Exception):
    """Raised when a wager reads the table's standing, so that it depends on more than its own hand."""


class _NoStanding:
    """A stand-in for a game's standing that raises `TableRead` when it is used."""

    def _refuse(self, *_: object) -> NoReturn:
        raise TableRead

    __bool__ = __eq__ = __hash__ = __iter__ = __len__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # looked up by Python itself, not by a rule
            raise AttributeError(name)
        raise TableRead


_NO_STANDING: Final = _NoStanding()


class Rows(Struct, frozen=True):
    """The outcomes of some wagers for many states of the house, without repetition."""

    wagers: tuple[str, ...]
    different: tuple[Outcomes, ...]  # the distinct combinations of outcomes
    row: tuple[int, ...]  # by state: the index of its combination


class OwnHands:
    """The wagers of a seat that have hands of their own, with cached outcomes."""

    def __init__(self, game: Game, readings: Readings) -> None:
        self._game, self._readings = game, readings
        self._places = {name: place for place, name in enumerate(readings.owners)}
        self._judged_alone = {
            name
            for name in readings.owners
            if type(game).settle is Game.settle
            and game.wagers[name].hand is not None
            and not game.wagers[name].divides
            and all(isinstance(pay, Odds) for pay in game.pays[name].values())
        }
        self._outcomes = {name: cache(partial(self._judge, name)) for name in self._judged_alone}
        self.forget()

    def forget(self) -> None:
        """Clear the caches that are keyed by states of the house, whose numbers change with a new graph."""
        self._hands: dict[Hashable, list[Hand]] = {}
        self._rows: dict[Hashable, Outcomes] = {}
        self._together: dict[Hashable, Rows] = {}
        self._shown: dict[Hashable, list[tuple[Card, ...]]] = {}

    def decide(self, open_wagers: Iterable[str]) -> bool:
        """Whether all of these wagers depend only on their own hands, as far as is known yet."""
        return self._judged_alone.issuperset(open_wagers)

    def settle(self, on: SeatState, against: HouseState, open_wagers: Iterable[str]) -> list[Line]:
        """The lines of those open wagers that their own hands decide now."""
        return self.lines(on, {name: self._outcomes[name](self._hand(name, on, against)) for name in open_wagers})

    def rows(self, on: SeatState, houses: Callable[[], Sequence[HouseState]], key: Hashable) -> Rows:
        """The outcomes of a seat's open wagers for some states of the house, cached under a key."""
        open_wagers = on.open_wagers
        known = self._together.get((open_wagers, on.lying.own, key))
        if known is None:
            rows = [self._row(name, on, houses, key) for name in open_wagers]
            places: defaultdict[Outcomes, int] = defaultdict()
            places.default_factory = places.__len__  # numbers in the order of first use
            row = tuple(map(places.__getitem__, zip(*rows, strict=True)))
            known = self._together[open_wagers, on.lying.own, key] = Rows(open_wagers, tuple(places), row)
        return known

    def lines(self, on: SeatState, outcomes: Mapping[str, str | None]) -> list[Line]:
        """The lines of wagers with these outcomes; a wager without an outcome stays open."""
        return [
            price_line(self._game, 0, name, "", cents, Verdict(outcome, "", ()), toke)
            for amounts, toke in ((on.wagers, False), (on.tokes, True))
            for name, cents in amounts
            if (outcome := outcomes.get(name)) is not None
        ]

    def _hand(self, name: str, on: SeatState, against: HouseState) -> Hand:
        hand: Hand = own_hand(on.lying, against, self._places[name], joint=self._readings.joint[name])
        return hand

    def _row(self, name: str, on: SeatState, houses: Callable[[], Sequence[HouseState]], key: Hashable) -> Outcomes:
        mine = on.lying.own[self._places[name]], key
        row = self._rows.get((name, mine))
        if row is None:
            hands_key = id(self._readings.owners[name]), mine  # wagers on the same cards share hands
            if hands_key not in self._hands:
                self._hands[hands_key] = self._hands_after(name, on, houses(), key)
            row = self._rows[name, mine] = tuple(map(self._outcomes[name], self._hands[hands_key]))
        return row

    def _hands_after(self, name: str, on: SeatState, houses: Sequence[HouseState], key: Hashable) -> list[Hand]:
        """A wager's own hand with each of these states of the house."""
        place = self._places[name]
        if not self._readings.joint[name]:
            return [self._hand(name, on, house) for house in houses]
        shown = self._shown.get((place, key))
        if shown is None:
            shown = self._shown[place, key] = [shown_cards(house, place) for house in houses]
        mine: Any = on.lying.own[place]
        if len(shown[0]) == 1:  # the same number for all houses; a fast path for the common case
            return [mine.add(card) for (card,) in shown]
        return [reduce(type(mine).add, cards, mine) for cards in shown]

    def _judge(self, name: str, hand: Hand) -> str | None:
        """The outcome of a wager by its own hand; raises `TableRead` once if the wager reads more than that."""
        try:
            verdict = self._game.wagers[name].judge(Own(_NO_STANDING, hand))
        except TableRead:
            self._judged_alone.discard(name)
            raise
        return None if verdict is None else verdict.outcome
