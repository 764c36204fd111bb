"""Wagers that are judged by a hand of their own and nothing else: each is asked once for each hand."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final, NoReturn

from feltworks.hands.hand import Hand
from feltworks.machine.felt import HouseState, Readings, SeatState, own_hand
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

    __getattr__ = __bool__ = __eq__ = __hash__ = __iter__ = __len__ = _refuse  # type: ignore[assignment]


_NO_STANDING: Final = _NoStanding()


class OwnHands:
    """The wagers of a seat that have hands of their own, and what they say of them."""

    def __init__(self, game: Game[Any], readings: Readings) -> None:
        self._game, self._readings = game, readings
        self._places = {name: place for place, name in enumerate(readings.owners)}
        self._judged_alone = {
            name
            for name in readings.owners
            if type(game).settle is Game.settle
            and not game.wagers[name].divides
            and all(isinstance(pay, Odds) for pay in game.pays[name].values())
        }
        self._outcomes: dict[str, dict[Hand, str | None]] = {name: {} for name in self._judged_alone}
        self.forget()

    def forget(self) -> None:
        """Begin anew with other states of the house."""
        self._hands: dict[Hashable, list[Hand]] = {}
        self._rows: dict[Hashable, Outcomes] = {}

    def decide(self, open_wagers: Iterable[str]) -> bool:
        """Whether all of these wagers are judged by their own hands, as far as is known yet."""
        return self._judged_alone.issuperset(open_wagers)

    def outcomes(self, on: SeatState, against: HouseState) -> Outcomes:
        """What the open wagers of a seat say now."""
        return tuple([self._ask(name, [self._hand(name, on, against)])[0] for name in on.open_wagers])

    def rows(self, on: SeatState, houses: Sequence[HouseState], key: Hashable) -> list[Outcomes]:
        """What the open wagers of a seat say in each of these states of the house, remembered by a key."""
        rows = [self._row(name, on, houses, key) for name in on.open_wagers]
        return list(zip(*rows, strict=True))

    def lines(self, on: SeatState, outcomes: Outcomes) -> list[Line]:
        """What the open wagers come to by their outcomes; a wager without one stays open."""
        by_wager = dict(zip(on.open_wagers, outcomes, strict=True))
        return [
            price_line(self._game, 0, name, "", cents, Verdict(outcome, "", ()), toke)
            for amounts, toke in ((on.wagers, False), (on.tokes, True))
            for name, cents in amounts
            if (outcome := by_wager.get(name)) is not None
        ]

    def _hand(self, name: str, on: SeatState, against: HouseState) -> Hand:
        hand: Hand = own_hand(on.lying, against, self._places[name], joint=self._readings.joint[name])
        return hand

    def _row(self, name: str, on: SeatState, houses: Sequence[HouseState], key: Hashable) -> Outcomes:
        mine = on.lying.own[self._places[name]], key
        row = self._rows.get((name, mine))
        if row is None:
            made = id(self._readings.owners[name]), mine  # wagers that read the same cards share their hands
            if made not in self._hands:
                hands = {id(house): self._hand(name, on, house) for house in houses}
                self._hands[made] = [hands[id(house)] for house in houses]
            row = self._rows[name, mine] = self._ask(name, self._hands[made])
        return row

    def _ask(self, name: str, hands: Sequence[Hand]) -> Outcomes:
        """What a wager says of its own hands; raises `TableRead` once where it asks for more than that."""
        known = self._outcomes[name]
        for hand in hands:
            if hand not in known:
                known[hand] = self._judge(name, hand)
        return tuple([known[hand] for hand in hands])

    def _judge(self, name: str, hand: Hand) -> str | None:
        try:
            verdict = self._game.wagers[name].judge(Own(_NO_STANDING, hand))
        except TableRead:
            self._judged_alone.discard(name)
            raise
        return None if verdict is None else verdict.outcome
