"""Players, spots, stacks and opening wagers, and the house's side of the table's money."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from feltworks.errors import ImpossibleRound, SpotRefused, WagerRefused, brief
from feltworks.money import Cents, dollars
from feltworks.rules.game import Game
from feltworks.rules.jackpot import accrue
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import Seat
from feltworks.rules.terms import check_adjacent

MOST_AT_ONCE = 10**15  # JSON readers are exact up to about this number
_SPOTS = 7  # if the rules do not limit them


class Player(Struct):
    """One player; the stack does not include the wagers."""

    name: str
    spots: tuple[int, ...]
    stack: Cents


class Seating:
    """The players of a table, and the opening wagers on their spots."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.spots = game.terms.spots or _SPOTS
        self.players: dict[str, Player] = {}
        self.at: dict[int, Player] = {}  # the player of each spot
        self.down: dict[int, Seat] = {}  # the opening wagers of each spot

    def sit(self, name: str, spots: tuple[int, ...], stack: Cents) -> None:
        """FB.15, SP.24: seat a player on free spots, as many and as close together as the house allows."""
        if name in self.players:
            raise SpotRefused(f"{name} already sits at spot {self.players[name].spots[0]}")
        self._check_free(spots)
        try:
            check_adjacent(self._game.terms, name, spots)
        except ImpossibleRound as trouble:
            raise SpotRefused(str(trouble)) from None
        player = Player(name, tuple(sorted(spots)), check_stack(stack))
        self.players[name] = player
        self.at.update(dict.fromkeys(spots, player))

    def _check_free(self, spots: tuple[int, ...]) -> None:
        if not spots or len(set(spots)) < len(spots) or any(type(spot) is not int for spot in spots):
            raise SpotRefused("a player takes one or more spots by their numbers, each once")
        for spot in spots:
            if not 1 <= spot <= self.spots:
                raise SpotRefused(f"there is no spot {spot}; the table has spots 1 to {self.spots}")
            if spot in self.at:
                raise SpotRefused(f"spot {spot} is taken")

    def player(self, name: str) -> Player:
        """The player of that name."""
        if name not in self.players:
            raise SpotRefused(f"{name} does not sit at this table")
        return self.players[name]

    def owner(self, name: str, spot: int) -> Player:
        """The player of this spot; refuses all others (AD.14, SP.24)."""
        player = self.player(name)
        if spot not in player.spots:
            own = " and ".join(map(str, player.spots))
            raise SpotRefused(f"spot {spot} is not {name}'s; {name} plays spot {own}")
        return player

    def put(self, player: Player, spot: int, seat: Seat) -> None:
        """Move wagers from the stack to the spot; they replace the earlier ones."""
        available = player.stack + self._amount_on(spot)
        total = opening_total(seat)
        if total > available:
            names = " and ".join((*seat.wagers, *(f"{name} toke" for name in seat.tokes)))
            raise WagerRefused(names, total, f"the stack holds {dollars(available)}")
        player.stack = available - total
        self.down[spot] = seat

    def withdraw(self, player: Player, spot: int) -> None:
        """Return the wagers of a spot to the stack."""
        player.stack += self._amount_on(spot)
        self.down.pop(spot, None)

    def leave(self, name: str) -> Cents:
        """Remove a player; returns the stack, wagers included."""
        player = self.player(name)
        for spot in player.spots:
            self.withdraw(player, spot)
            del self.at[spot]
        return self.players.pop(name).stack

    def _amount_on(self, spot: int) -> Cents:
        return opening_total(self.down[spot]) if spot in self.down else 0

    @property
    def total(self) -> Cents:
        """All stacks, without the wagers."""
        return sum(player.stack for player in self.players.values())


def opening_total(seat: Seat) -> Cents:
    """All money on a spot, tokes included."""
    return _sum(seat.wagers) + _sum(seat.tokes)


def _sum(amounts: Mapping[str, Cents]) -> Cents:
    return sum(amounts.values())


def check_stack(cents: object) -> Cents:
    """Return a stack; refuse one that is not a whole number of cents."""
    if type(cents) is not int or not 0 <= cents <= MOST_AT_ONCE:
        raise SpotRefused(f"a stack is a whole number of cents from 0 to {MOST_AT_ONCE}, not {brief(cents)}")
    return cents


PostedCents = Annotated[int, Meta(ge=0)]


class House(Struct, forbid_unknown_fields=True):
    """The house's part of the table's money. The tray counts wins and losses, so it may be negative."""

    tray: Cents = 0
    tokes: Cents = 0
    boxes: dict[str, Cents] = {}  # SP.15: losing progressive wagers, by the meter they belong to
    meters: dict[str, PostedCents] = {}  # SP.13: the posted jackpots

    @classmethod
    def for_game(cls, game: Game, jackpot: Cents) -> "House":
        """A new table's: every meter that a wager is paid from starts at the jackpot."""
        meters = {meter for name in game.terms.offers for meter in meters_of(game.pays[name].values())}
        return cls(meters=dict.fromkeys(sorted(meters), jackpot))

    @property
    def total(self) -> Cents:
        return self.tray + self.tokes + sum(self.boxes.values()) + sum(self.meters.values())

    def accrue(self) -> None:
        """Raise the posted jackpots by the losing wagers in their boxes, at the end of a round."""
        self.meters, self.boxes = accrue(self.meters, self.boxes), {}

    def copy(self) -> "House":
        """A copy that does not change with later rounds."""
        return House(self.tray, self.tokes, dict(self.boxes), dict(self.meters))
