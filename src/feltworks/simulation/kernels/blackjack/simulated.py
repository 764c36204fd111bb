"""A plan's blackjack rounds: counted, net by net, or card by card for the rules to deal again."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from feltworks.analysis.first_deal import is_decided_by_deal
from feltworks.cards import DECK, Card
from feltworks.errors import ImpossibleRound, NoKernel
from feltworks.games.blackjack import Blackjack
from feltworks.machine.streams import Stream
from feltworks.simulation.kernel import DealtRound, Kernel
from feltworks.simulation.kernels.blackjack import places as p
from feltworks.simulation.kernels.blackjack.alone_kernel import LuckyBreakKernel, UpCardKernel
from feltworks.simulation.kernels.blackjack.dealing import read_round
from feltworks.simulation.kernels.blackjack.layout import Counting
from feltworks.simulation.kernels.blackjack.money import MAIN
from feltworks.simulation.kernels.blackjack.settling import LUCKY_BREAK
from feltworks.simulation.kernels.blackjack.table import TableArrays
from feltworks.simulation.plan import Plan
from feltworks.simulation.tally import Tally

_LOGGED = 128  # choices that one spot can make in a round, with room to spare
_NOTHING = np.zeros(0, np.int64)


def kernel(plan: Plan) -> Kernel:
    """The kernel of this plan; what it cannot deal is refused here.

    A seat of bonus wagers alone, measured as the analysis does, is dealt no more than decides them.
    """
    assert isinstance(plan.table, Blackjack)
    _refuse_what_is_not_known(plan.table, plan.wagers)
    table = TableArrays(plan, plan.table)
    if len(plan.seats) == 1 and MAIN not in plan.wagers and not table.rules[p.BEFORE_CUT]:
        if plan.wagers == (LUCKY_BREAK,):
            return LuckyBreakKernel(table)
        if LUCKY_BREAK not in plan.wagers:
            return UpCardKernel(table)
    return BlackjackKernel(table)


def _refuse_what_is_not_known(game: Blackjack, wagers: Sequence[str]) -> None:
    """A bonus wager that somebody added may be decided by what the compiled rounds do not keep."""
    for name in wagers:
        if name not in (MAIN, LUCKY_BREAK) and not is_decided_by_deal(game, name):
            raise NoKernel(game.terms.rulebook.title, name, wagers)


class BlackjackKernel:
    """Blackjack's rounds, every seat playing by the plan's strategy with its own wagers."""

    def __init__(self, table: TableArrays) -> None:
        self._table, self._counting = table, Counting(table)
        self.layout = self._counting.layout

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds."""
        shoe, tally = _Dealing(self._table), Tally.empty(self.layout)
        for begin in range(0, rounds, self._counting.most_rounds):
            number = min(self._counting.most_rounds, rounds - begin)
            shoe.deal(stream, number)
            tally += self._counting.tally(number, *shoe.taken())
        return tally

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """What seat 1 is up after each round."""
        nets = np.zeros(rounds, np.int64)
        _Dealing(self._table).deal(stream, rounds, nets)
        return nets

    def dealt(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """The rounds card by card."""
        dealing = _Dealing(self._table)
        for _ in range(rounds):
            dealing.deal(stream, 1)
            yield read_round(self._table, dealing.cards, dealing.at, dealing.hands, dealing.log)


class _Dealing:
    """A shoe being dealt, with the arrays that the compiled rounds write to."""

    def __init__(self, table: TableArrays) -> None:
        spots = len(table.kinds)
        self._table = table
        self._shoe = table.cards()
        self.at = np.zeros(p.STATE, np.int64)
        self.at[p.BLOCK] = table.play.states
        self.hands = np.zeros(spots * p.SPOT, np.int64)
        self.log = np.zeros(spots * _LOGGED, np.uint8)
        self._counts = np.zeros(table.cells, np.int64)
        columns = table.shape.columns
        self._sums = np.zeros(2 * columns + columns * (columns + 1) // 2, np.int64)

    def deal(self, stream: Stream, rounds: int, out: NDArray[np.int64] = _NOTHING) -> None:
        """Deal so many rounds more."""
        from feltworks.simulation.kernels.blackjack.rounds import deal_rounds

        t = self._table
        given = t.rules, t.seats, t.book, t.play.nexts, t.play.acts, t.three, t.raises, t.nets
        kept = self._counts, self.hands, self.log, self._sums, out
        try:
            deal_rounds(stream.handle, rounds, self._shoe, self.at, *given, *kept)
        except IndexError:
            raise ImpossibleRound(
                "a round took more cards than the shoe holds; deal to fewer seats or from more decks"
            ) from None

    def taken(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """What has been counted and summed up since the last time."""
        taken = self._counts.copy(), self._sums.copy()
        self._counts[:], self._sums[:] = 0, 0
        return taken

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the last round, in the order they were dealt."""
        return tuple(DECK[index] for index in self._shoe[self.at[p.START] : self.at[p.POSITION]])
