"""Who sits where with how much: players, their spots, their stacks, and the opening wagers they put down."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from feltworks.errors import ImpossibleRound, SpotRefused, WagerRefused, brief
from feltworks.money import Cents, dollars
from feltworks.rules.game import Game
from feltworks.rules.round import Seat
from feltworks.rules.terms import check_adjacent

MOST_AT_ONCE = 10**15  # logs and views are JSON, whose readers are exact only so far
_SPOTS = 7  # where the rules leave the number open


class Player(Struct):
    """One person at the table; the stack is what they have in front of them, apart from the wagers."""

    name: str
    spots: tuple[int, ...]
    stack: Cents


class Seating:
    """The players of a table and what lies on their spots before the deal."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self.spots = game.terms.spots or _SPOTS
        self.players: dict[str, Player] = {}
        self.at: dict[int, Player] = {}  # whose each spot is
        self.down: dict[int, Seat] = {}  # the opening wagers, by spot

    def sit(self, name: str, spots: tuple[int, ...], stack: Cents) -> None:
        """FB.15, SP.24: a player takes free spots, as many and as near as the house allows one person."""
        if name in self.players:
            raise SpotRefused(f"{name} already sits at spot {self.players[name].spots[0]}")
        self._check_free(spots)
        try:
            check_adjacent(self._game.terms, name, spots)
        except ImpossibleRound as trouble:
            raise SpotRefused(str(trouble)) from None
        player = Player(name, tuple(sorted(spots)), checked_stack(stack))
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
        """The player, if this spot is theirs: nobody wagers or decides on another's hand (AD.14, SP.24)."""
        player = self.player(name)
        if spot not in player.spots:
            own = " and ".join(map(str, player.spots))
            raise SpotRefused(f"spot {spot} is not {name}'s; {name} plays spot {own}")
        return player

    def put(self, player: Player, spot: int, seat: Seat) -> None:
        """Wagers go from the stack onto the spot, in place of what lay there."""
        held = player.stack + self._lying(spot)
        total = opening_total(seat)
        if total > held:
            names = " and ".join((*seat.wagers, *(f"{name} toke" for name in seat.tokes)))
            raise WagerRefused(names, total, f"the stack holds {dollars(held)}")
        player.stack = held - total
        self.down[spot] = seat

    def withdraw(self, player: Player, spot: int) -> None:
        """What lies on the spot goes back to the stack."""
        player.stack += self._lying(spot)
        self.down.pop(spot, None)

    def leave(self, name: str) -> Cents:
        """The player goes, and takes along what is theirs."""
        player = self.player(name)
        for spot in player.spots:
            self.withdraw(player, spot)
            del self.at[spot]
        return self.players.pop(name).stack

    def _lying(self, spot: int) -> Cents:
        return opening_total(self.down[spot]) if spot in self.down else 0

    @property
    def total(self) -> Cents:
        """All stacks, without what lies on the felt."""
        return sum(player.stack for player in self.players.values())


def opening_total(seat: Seat) -> Cents:
    """All money on a spot, tokes included."""
    return _sum(seat.wagers) + _sum(seat.tokes)


def _sum(amounts: Mapping[str, Cents]) -> Cents:
    return sum(amounts.values())


def checked_stack(cents: object) -> Cents:
    """Play money comes to the table in whole cents."""
    if type(cents) is not int or not 0 <= cents <= MOST_AT_ONCE:
        raise SpotRefused(f"a stack is a whole number of cents from 0 to {MOST_AT_ONCE}, not {brief(cents)}")
    return cents
