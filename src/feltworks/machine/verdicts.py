"""Wagers that are judged by a hand of their own and nothing else: each is asked once for each hand."""

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
    """A wager looks at the table's standing, so that its own hand does not decide it."""


class _NoStanding:
    """Stands where a game's standing would be."""

    def _refuse(self, *_: object) -> NoReturn:
        raise TableRead

    __bool__ = __eq__ = __hash__ = __iter__ = __len__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # what Python itself looks for, not a rule
            raise AttributeError(name)
        raise TableRead


_NO_STANDING: Final = _NoStanding()


class Rows(Struct, frozen=True):
    """What some wagers say beside many states of the house."""

    wagers: tuple[str, ...]
    different: tuple[Outcomes, ...]  # what they can say, together
    row: tuple[int, ...]  # by state: which of these


class OwnHands:
    """The wagers of a seat that have hands of their own, and what they say of them."""

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
        """Drop what was kept for the states of the house, which are others now."""
        self._hands: dict[Hashable, list[Hand]] = {}
        self._rows: dict[Hashable, Outcomes] = {}
        self._together: dict[Hashable, Rows] = {}
        self._shown: dict[Hashable, list[tuple[Card, ...]]] = {}

    def decide(self, open_wagers: Iterable[str]) -> bool:
        """Whether all of these wagers are judged by their own hands, as far as is known yet."""
        return self._judged_alone.issuperset(open_wagers)

    def settle(self, on: SeatState, against: HouseState, open_wagers: Iterable[str]) -> list[Line]:
        """The lines of the open wagers of a seat that their hands decide now."""
        return self.lines(on, {name: self._outcomes[name](self._hand(name, on, against)) for name in open_wagers})

    def rows(self, on: SeatState, houses: Callable[[], Sequence[HouseState]], key: Hashable) -> Rows:
        """What the open wagers of a seat say beside some states of the house, cached under a key."""
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
        """What wagers come to by their outcomes; one without an outcome stays open."""
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
            made = id(self._readings.owners[name]), mine  # wagers that read the same cards share their hands
            if made not in self._hands:
                self._hands[made] = self._hands_after(name, on, houses(), key)
            row = self._rows[name, mine] = tuple(map(self._outcomes[name], self._hands[made]))
        return row

    def _hands_after(self, name: str, on: SeatState, houses: Sequence[HouseState], key: Hashable) -> list[Hand]:
        """A wager's own hand beside each of these states of the house."""
        place = self._places[name]
        if not self._readings.joint[name]:
            return [self._hand(name, on, house) for house in houses]
        shown = self._shown.get((place, key))
        if shown is None:
            shown = self._shown[place, key] = [shown_cards(house, place) for house in houses]
        mine: Any = on.lying.own[place]
        if len(shown[0]) == 1:  # as everywhere in a row; most often, and then it is quickest so
            return [mine.add(card) for (card,) in shown]
        return [reduce(type(mine).add, cards, mine) for cards in shown]

    def _judge(self, name: str, hand: Hand) -> str | None:
        """What a wager says of its own hand; raises `TableRead` once where it asks for more than that."""
        try:
            verdict = self._game.wagers[name].judge(Own(_NO_STANDING, hand))
        except TableRead:
            self._judged_alone.discard(name)
            raise
        return None if verdict is None else verdict.outcome
