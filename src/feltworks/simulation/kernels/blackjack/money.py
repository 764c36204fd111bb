"""What each cell of a kind of seat is worth: the pays of the game's own tables on the seat's own wagers."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import gcd

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.cards import cards
from feltworks.errors import BadOption
from feltworks.games.blackjack import BEFORE_UP_CARD, Blackjack
from feltworks.money import Cents, Odds
from feltworks.rules.round import Round, Seat
from feltworks.simulation.kernel import DealtLine
from feltworks.simulation.kernels.blackjack import places as p
from feltworks.simulation.kernels.blackjack.settling import LUCKY_BREAK, Settling
from feltworks.simulation.tally import Cell

MAIN = "blackjack"
_WAGERED = 2 * p.MOST_HANDS
_INSURANCE = ("", "dealer blackjack", "no dealer blackjack")
_UNPAIRED = cards("Th 6d")


class Shape(Struct, frozen=True):
    """How many cells there are of each sort; the same for all seats of a plan."""

    width: int  # nets that a split can have
    ups: int
    breaks: int
    columns: int

    @property
    def splits(self) -> int:
        return (p.MOST_HANDS - 1) * _WAGERED * self.width

    @property
    def main(self) -> int:
        return p.INSURED * (p.HAND_CELLS + self.splits)

    @property
    def side(self) -> int:
        return 2 * self.ups * self.breaks

    @property
    def nets(self) -> int:
        return p.HAND_CELLS + self.main + self.side * (self.columns + 1)

    @property
    def counts(self) -> int:
        return self.main + 2 * self.side


Placed = tuple[int, Cell]  # a cell of the layout, and where the compiled rounds count it


class Purse:
    """The wagers of a kind of seat at one level of a counter's ramp, and what comes of them."""

    def __init__(self, game: Blackjack, made: Settling, wagers: Mapping[str, Cents], units: int) -> None:
        self.game, self.made = game, made
        self.opened = {name: cents * (units if name == MAIN else 1) for name, cents in wagers.items()}
        self.seat = Seat(self.opened)
        insure = game.terms.offer("insure", "insurance", self.seat) if MAIN in wagers else None
        self.insured = insure.most if insure else 0
        self.raised = {name: self._raise(name) for name in made.up_wagers}

    def _raise(self, wager: str) -> tuple[str, Cents]:
        """The wager that a raise puts down and its amount; "" where nothing is asked."""
        if wager in self.opened:
            felt = Round((Seat(self.opened, _UNPAIRED),))
            for offer in self.game.wagers[wager].asks(BEFORE_UP_CARD, felt, 0):
                if offer.wager:
                    return offer.wager, offer.most
        return "", 0

    def net(self, wager: str, outcome: str, wagered: Cents) -> Cents:
        pay = self.game.pays[wager][outcome]
        if not isinstance(pay, Odds):
            raise BadOption("wager", wager, "wagers that odds alone are paid on to be simulated")
        return pay.on(wagered, self.game.terms.breakage)

    def line(self, seat: int, wager: str, outcome: str, wagered: Cents) -> DealtLine:
        """A wager as the live table would settle it."""
        return DealtLine(seat, wager, outcome, wagered, self.net(wager, outcome, wagered))

    def hand(self, cell: int) -> tuple[str, Cents, Cents]:
        """A hand's cell: its outcome, what lay on it and what it nets."""
        doubled, number = divmod(cell, p.HAND_CELLS // 2)
        if MAIN not in self.opened:
            return "", 0, 0
        outcome, wagered = self.made.hands[number], self.opened[MAIN] * (1 + doubled)
        return outcome, wagered, self.net(MAIN, outcome, wagered)

    @cached_property
    def split_nets(self) -> list[Cents]:
        """What the hands of a split can net."""
        return [self.hand(cell)[2] for cell in _split_cells(self.made)]

    @cached_property
    def split_unit(self) -> Cents:
        """What all of them are multiples of."""
        return gcd(*self.split_nets) or 1

    def insurance(self, won: int) -> Cents:
        return self.net("insurance", _INSURANCE[won], self.insured) if won and self.insured else 0

    def insurance_outcome(self, won: int) -> str:
        return _INSURANCE[won]

    def main_cells(self, shape: Shape, *, insures: bool) -> Iterator[Placed]:
        """The blackjack wager: hands that were not split, and splits by hands, wagers on them and net."""
        for insured in range(p.INSURED if insures else 1):
            begin = insured * (p.HAND_CELLS + shape.splits)
            for cell in _hand_cells(self.made):
                outcome, wagered, net = self.hand(cell)
                if cell >= p.HAND_CELLS // 2:
                    outcome += ", doubled"
                yield begin + cell, self._main(outcome, wagered, net, insured)
            for hands, wagers, net in _split_ends(shape):
                place = ((hands - 2) * _WAGERED + wagers - 1) * shape.width + shape.width // 2 + net
                placed = begin + p.HAND_CELLS + place
                money = wagers * self.opened[MAIN], net * self.split_unit
                yield placed, self._main(f"split into {hands} hands", *money, insured)

    def _main(self, outcome: str, wagered: Cents, net: Cents, insured: int) -> Cell:
        if insured:
            outcome = f"{outcome} / insurance {_INSURANCE[insured]}"
            wagered, net = wagered + self.insured, net + self.insurance(insured)
        return Cell(MAIN, outcome, net, wagered, self.opened[MAIN])

    def side_cells(self, shape: Shape) -> Iterator[tuple[int, tuple[Cell, ...]]]:
        """All bonus wagers of the seat together, in the order of the compiled rounds' cells."""
        for place in range(shape.side):
            raised, up, broken = np.unravel_index(place, (2, shape.ups, shape.breaks))
            cells = []
            for wager, outcome in zip(self.made.up_wagers, self.made.ups[int(up)], strict=True):
                if wager in self.opened:
                    cells.append(self._bonus(wager, outcome, raised=bool(raised)))
            if LUCKY_BREAK in self.opened:
                cells.append(self._bonus(LUCKY_BREAK, self.made.breaks[int(broken)], raised=False))
            yield place, tuple(cells)

    def _bonus(self, wager: str, outcome: str, *, raised: bool) -> Cell:
        cents = self.opened[wager]
        net, wagered = self.net(wager, outcome, cents), cents
        follows, more = self.raised.get(wager, ("", 0)) if raised else ("", 0)
        if follows:
            net, wagered = net + self.net(follows, outcome, more), wagered + more
        return Cell(wager, outcome, net, wagered, cents)

    def nets(self, shape: Shape, columns: Sequence[str], *, openings: bool) -> NDArray[np.int64]:
        """The money of every cell as the compiled rounds add it up."""
        units = np.zeros(p.HAND_CELLS, np.int64)
        units[list(_split_cells(self.made))] = np.array(self.split_nets) // self.split_unit
        main = np.zeros(shape.main, np.int64)
        if MAIN in self.opened:
            for place, cell in self.main_cells(shape, insures=True):
                main[place] = cell.net
        side = np.zeros((shape.columns + 1, shape.side), np.int64)
        for place, cells in self.side_cells(shape):
            for cell in cells:
                side[0, place] += cell.net
                side[1 + columns.index(cell.wager), place] = cell.net
        if openings:
            for number, name in enumerate(columns):
                side[1 + len(columns) + number] = self.opened.get(name, 0)
        return np.concatenate([units, main, side.reshape(-1)])


def _hand_cells(made: Settling) -> list[int]:
    """Every cell in which an unsplit hand can end."""
    settled = made.book[p.SETTLED : p.SETTLED + p.CODES * p.DEALERS].reshape(p.CODES, p.DEALERS)
    codes = [p.NATURAL, p.SURRENDERED, *range(p.LOWEST, p.DOUBLED), *range(p.DOUBLED + p.LOWEST, p.CODES)]
    return sorted(set(settled[codes, : p.BLACKJACK + 1].reshape(-1).tolist()))


def _split_cells(made: Settling) -> list[int]:
    """Every cell in which a hand of a split can end."""
    settled = made.book[p.SETTLED : p.BROKEN].reshape(2, p.CODES, p.DEALERS)
    codes = [code for code in range(p.CODES) if code % p.DOUBLED >= p.LOWEST]
    return sorted(set(settled[:, codes, : p.BLACKJACK + 1].reshape(-1).tolist()))


def _split_ends(shape: Shape) -> Iterator[tuple[int, int, int]]:
    for hands in range(2, p.MOST_HANDS + 1):
        for wagers in range(hands, 2 * hands + 1):
            for net in range(-(shape.width // 2), shape.width // 2 + 1):
                yield hands, wagers, net


def width_of(purses: Sequence[Purse]) -> int:
    """How many nets a split can have, in units of the gains and losses of one hand."""
    most = max(max(map(abs, purse.split_nets)) // purse.split_unit for purse in purses)
    return 2 * p.MOST_HANDS * most + 1
