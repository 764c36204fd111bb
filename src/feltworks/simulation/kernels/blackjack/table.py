"""The arrays of a plan's table: its rules, its seats, its shoe and all that is looked up or counted."""

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from feltworks.cards import DECK
from feltworks.dealing.shoes import CutCardShoe, source_for
from feltworks.errors import BadOption
from feltworks.games.blackjack import Blackjack
from feltworks.hands.blackjack import points
from feltworks.money import Cents
from feltworks.simulation.kernels.blackjack import places as p
from feltworks.simulation.kernels.blackjack.money import MAIN, Purse, Shape, width_of
from feltworks.simulation.kernels.blackjack.raises import raise_table
from feltworks.simulation.kernels.blackjack.settling import LUCKY_BREAK, settling
from feltworks.simulation.kernels.blackjack.strategy import (
    Play,
    idle_play,
    is_only_for_raises,
    play_of,
    raising,
)
from feltworks.simulation.plan import Plan, Strategy

_AT_ONCE = 6
_BEYOND = 2  # batches of cards made ready beyond the cut card when the shoe is shuffled


class TableArrays:
    """A plan laid out for the compiled rounds."""

    def __init__(self, plan: Plan, game: Blackjack) -> None:
        self.plan, self.game = plan, game
        idle = MAIN not in plan.wagers and plan.strategy == Strategy()
        self.play: Play = idle_play(game) if idle else play_of(game, plan.strategy)
        self.made = settling(game)
        self.wagers = plan.wagers
        self.varies = len(self.play.ramp) > 1
        self.kinds = [plan.seats.index(wagers) for wagers in plan.seats]  # equal seats are counted together
        self.purses = {
            kind: [Purse(game, self.made, plan.seats[kind], units) for units in self.play.ramp]
            for kind in dict.fromkeys(self.kinds)
        }
        self._check()

    def _check(self) -> None:
        small = [purse for purses in self.purses.values() for purse in purses if MAIN in purse.opened]
        if self.insures and any(not purse.insured for purse in small):
            raise BadOption("wager", "a blackjack wager", "one large enough to be insured for half of it")
        if is_only_for_raises(self.plan.strategy) and not self.raising:
            words = "one that plays blackjack: nothing can be raised at this table"
            raise BadOption("--strategy", self.plan.strategy.name, words)

    @property
    def insures(self) -> bool:
        return self.play.insures and bool(self.game.terms["insurance"])

    @cached_property
    def shape(self) -> Shape:
        every = [purse for purses in self.purses.values() for purse in purses]
        columns = len(self.wagers) * (2 if self.varies else 1)
        has_break = LUCKY_BREAK in self.wagers
        ups = len(self.made.ups) if any(name in self.wagers for name in self.made.up_wagers) else 1
        return Shape(width_of(every), ups, len(self.made.breaks) if has_break else 1, columns)

    @property
    def has_side(self) -> bool:
        return self.shape.side > 2 or self.varies

    @cached_property
    def book(self) -> NDArray[np.uint8]:
        book = self.made.book.copy()
        for face in DECK:
            book[p.TAG + face.index] = p.NO_TAG + self.play.tags.get(points(face), 0)
        return book

    @cached_property
    def three(self) -> NDArray[np.uint8]:
        return self.made.three if self.shape.ups > 1 else np.zeros_like(self.made.three)

    @cached_property
    def raises(self) -> NDArray[np.uint8]:
        """A table for every kind of seat that may raise, one after the other."""
        found = [np.zeros(0, np.uint8)]
        for kind, wager in self.raising.items():
            found.append(raise_table(self.game, wager, self.plan.seats[kind], raising(self.plan.strategy)))
        return np.concatenate(found)

    @cached_property
    def raising(self) -> Mapping[int, str]:
        """The wager that each kind of seat may raise."""
        found = {}
        for kind, purses in self.purses.items():
            wagers = [wager for wager, (follows, _) in purses[0].raised.items() if follows]
            if len(wagers) > 1:
                raise BadOption("wagers", ", ".join(wagers), "one wager at most that may be raised")
            if wagers:
                found[kind] = wagers[0]
        return found

    @cached_property
    def nets(self) -> NDArray[np.int64]:
        parts = [
            purse.nets(self.shape, self.wagers, openings=self.varies)
            for purses in self.purses.values()
            for purse in purses
        ]
        return np.concatenate(parts)

    @property
    def cells(self) -> int:
        """How many numbers are counted."""
        return len(self.purses) * len(self.play.ramp) * self.shape.counts

    def place(self, kind: int, level: int) -> int:
        """Which block of a kind and level."""
        return list(self.purses).index(kind) * len(self.play.ramp) + level

    @cached_property
    def seats(self) -> NDArray[np.int64]:
        seats = np.zeros((len(self.kinds), p.SEAT), np.int64)
        raising = list(self.raising)
        for seat, kind in enumerate(self.kinds):
            wagers, block = self.plan.seats[kind], self.place(kind, 0)
            seats[seat, p.MAIN], seats[seat, p.BREAK] = MAIN in wagers, LUCKY_BREAK in wagers
            seats[seat, p.RAISES] = raising.index(kind) + 1 if kind in raising else 0
            seats[seat, p.NETS], seats[seat, p.COUNTS] = block * self.shape.nets, block * self.shape.counts
        return seats.reshape(-1)

    @cached_property
    def rules(self) -> NDArray[np.int64]:
        terms, rules = self.game.terms, np.zeros(len(p.RULES), np.int64)
        before_cut, burned = self._shoe
        dealt = 2 * len(self.kinds) + 2
        ahead = max(before_cut + _BEYOND * _AT_ONCE, dealt)
        rules[[p.SPOTS, p.BEFORE_CUT, p.BURNED]] = len(self.kinds), before_cut, burned
        rules[p.AHEAD] = min(ahead, terms.shoe.total)
        rules[[p.PEEKS, p.INSURANCE]] = self.game.peeks, self.insures
        rules[p.BREAK_GOES] = terms.options.get("lucky-break.surrender") == "loses"
        rules[[p.COUNTING, p.WIDEST]] = bool(self.play.tags), self.play.widest
        rules[[p.STATES, p.BLOCK_SIZE]] = self.play.states, self.play.block
        rules[[p.WIDTH, p.LEVELS, p.COLUMNS]] = self.shape.width, len(self.play.ramp), self.shape.columns
        rules[[p.UP_CELLS, p.BREAK_CELLS, p.HAS_SIDE]] = self.shape.ups, self.shape.breaks, self.has_side
        rules[p.MAIN_COLUMN] = self.main_column
        return rules

    @property
    def main_column(self) -> int:
        """Which of the wagers is blackjack; any other will do where nobody has made it."""
        return self.wagers.index(MAIN) if MAIN in self.wagers else 0

    @property
    def _shoe(self) -> tuple[int, int]:
        """How many cards come out before the cut card, and how many are burned; 0 where all are shuffled."""
        source = source_for(self.game.terms, penetration=self.plan.penetration)
        if isinstance(source, CutCardShoe) and not self.plan.shuffle_every_round:
            return source.shoe.total - source.cut_card_at, source.burned
        return 0, 0

    def cards(self) -> NDArray[np.uint8]:
        """The whole shoe before it is shuffled."""
        return np.array([face.index for face in self.game.terms.shoe.all_cards()], np.uint8)

    def opened(self, level: int) -> list[Cents]:
        """What all seats open with, by wager."""
        purses = [self.purses[kind][level] for kind in self.kinds]
        return [sum(purse.opened.get(name, 0) for purse in purses) for name in self.wagers]
