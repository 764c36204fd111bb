"""Wagers that are judged by a hand of their own and nothing else: each is asked once for each hand."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn

from feltworks.hands.hand import Hand
from feltworks.money import Odds
from feltworks.rules.game import Game
from feltworks.rules.wager import Own


class TableRead(Exception):
    """A wager looks at the table's standing, so that its own hand does not decide it."""


class _NoStanding:
    """Stands where a game's standing would be."""

    def _refuse(self, *_: object) -> NoReturn:
        raise TableRead

    __getattr__ = __bool__ = __eq__ = __hash__ = __iter__ = __len__ = _refuse  # type: ignore[assignment]


_NO_STANDING: Final = _NoStanding()


class Verdicts:
    """What the wagers of a table say of their own hands."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._by_hand = {
            name
            for name, judge in game.wagers.items()
            if type(game).settle is Game.settle
            and judge.hand is not None
            and not judge.divides
            and all(isinstance(pay, Odds) for pay in game.pays[name].values())
        }
        self._outcomes: dict[str, dict[Hand, str | None]] = {name: {} for name in self._by_hand}

    def need_no_table(self, names: Iterable[str]) -> bool:
        """Whether all of these wagers are judged by their own hands, as far as is known yet."""
        return self._by_hand.issuperset(names)

    def outcomes(self, name: str, hands: Sequence[Hand]) -> tuple[str | None, ...]:
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
            self._by_hand.discard(name)
            raise
        return None if verdict is None else verdict.outcome
