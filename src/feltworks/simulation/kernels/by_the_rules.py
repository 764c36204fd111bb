"""Any game, dealt card by card through its own rules: slow, and there for every game without a kernel.

Which amounts a wager can come to is learnt from trial rounds with choices made by chance; with every outcome
the rules name they make the rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from feltworks.errors import FeltError, NoKernel
from feltworks.machine.streams import Stream
from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Fixed
from feltworks.rules.round import Choice
from feltworks.simulation.kernel import DealtLine, DealtRound
from feltworks.simulation.kernels.dealt_by_hand import Decider, HandDealt, dealt_by_hand
from feltworks.simulation.kernels.deciding import decider
from feltworks.simulation.plan import Plan
from feltworks.simulation.settled_rows import SettledLine, row_of
from feltworks.simulation.tally import Layout, Row, Tally, pairs

_TRIALS: Final = 2_000
_Lines = tuple[SettledLine, ...]
_Amounts = dict[str, set[Cents]]  # by wager; 0 where it may come to nothing


def kernel(plan: Plan) -> "RulesKernel":
    """The kernel of this plan; refuses wagers whose prizes depend on what others win."""
    return RulesKernel(plan, plan.table)


class RulesKernel:
    """Rounds of any game, every seat playing by the plan's strategy."""

    def __init__(self, plan: Plan, game: Game[Any]) -> None:
        _refuse_what_cannot_be_listed(game, plan.wagers)
        self._plan, self._game = plan, game
        amounts, names = _tried(plan)
        self._decide: Decider = decider(plan, names)
        opened = tuple(sum(seat.get(name, 0) for seat in plan.seats) for name in plan.wagers)
        self._rows = {row: place for place, row in enumerate(_rows(game, plan.seats, amounts))}
        self.layout = Layout(plan.wagers, tuple(self._rows), opened, joint=False)

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds."""
        counts, order = np.zeros(len(self._rows), np.int64), list(pairs(self.layout.columns))
        sums, products = [0] * self.layout.columns, [0] * len(order)
        for dealt in self._played(stream, rounds):
            nets = [0] * len(sums)
            for (cell,) in self._cells(dealt):
                counts[self._place((cell,))] += 1
                nets[self.layout.wagers.index(cell.wager)] += cell.net
            sums = [total + net for total, net in zip(sums, nets, strict=True)]
            products = [n + nets[one] * nets[two] for n, (one, two) in zip(products, order, strict=True)]
        return Tally(rounds, counts, tuple(sums), tuple(products))

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """What seat 1 is up after each round."""
        played = self._played(stream, rounds)
        ups = (sum(line.net for line in dealt.lines if not line.seat) for dealt in played)
        return np.fromiter(ups, np.int64, rounds)

    def dealt(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """The rounds card by card."""
        for played in self._played(stream, rounds):
            lines = tuple(
                DealtLine(one.seat, one.wager, one.outcome, one.wagered, one.net) for one in played.lines
            )
            yield DealtRound(
                self._plan.seats, played.cards, played.choices, lines, self._plan.meters, played.fresh
            )

    def _played(self, stream: Stream, rounds: int) -> Iterator[HandDealt]:
        return dealt_by_hand(self._plan, self._decide, stream.word, rounds)

    def _cells(self, dealt: HandDealt) -> Iterator[Row]:
        """A row for every opening wager of every seat, with what followed from it."""
        for number, opened in enumerate(self._plan.seats):
            own = [line for line in dealt.lines if line.seat == number]
            lines = [SettledLine(line.wager, line.outcome, line.wagered, line.net) for line in own]
            yield from ((cell,) for cell in row_of(self._game, opened, lines))

    def _place(self, row: Row) -> int:
        try:
            return self._rows[row]
        except KeyError:
            name, title = row[0].wager, self._game.terms.rulebook.title
            raise FeltError(
                f"{title} needs a kernel of its own: no trial round had so much on {name}"
            ) from None


def _refuse_what_cannot_be_listed(game: Game[Any], wagers: Sequence[str]) -> None:
    for name in wagers:
        plain = all(isinstance(pay, Odds | Fixed) for pay in game.pays[name].values())
        if game.wagers[name].divides or not plain:
            raise NoKernel(game.terms.rulebook.title, name, wagers)


def _tried(plan: Plan) -> tuple[_Amounts, frozenset[str]]:
    """What lies on each wager at the end of trial rounds, and the names of all choices that were open."""
    chance, names = Random(0), set[str]()

    def anything(_game: Game[Any], _round: object, step: Any) -> Choice:
        names.update(offer.name for offer in step.offers)
        offer = chance.choice(step.offers)
        return Choice(offer.name, chance.choice((offer.least, offer.most)), step.about)

    amounts: _Amounts = {}
    for dealt in dealt_by_hand(plan, anything, lambda: chance.getrandbits(64), _TRIALS):
        for number in range(len(plan.seats)):
            down = {line.wager: line.wagered for line in dealt.lines if line.seat == number}
            for name in plan.table.wagers:
                amounts.setdefault(name, set()).add(down.get(name, 0))
    return amounts, frozenset(names)


def _rows(game: Game[Any], seats: Sequence[Mapping[str, Cents]], amounts: _Amounts) -> dict[Row, None]:
    """Every opening wager of every seat under all amounts and outcomes of it and of what follows from it."""
    book = game.terms.rulebook.wager
    found: dict[Row, None] = {}
    for wager, cents in dict.fromkeys(each for seat in seats for each in seat.items()):
        group = [wager, *(name for name, entry in book.items() if entry.of == wager)]
        for lines in product(*(_lines(game, name, amounts[name]) for name in group)):
            found[row_of(game, {wager: cents}, [line for some in lines for line in some])] = None
    return found


def _lines(game: Game[Any], wager: str, amounts: set[Cents]) -> list[_Lines]:
    """How a wager can come out, on each amount; nothing where nothing lies on it."""
    outcomes = sorted(game.wagers[wager].outcomes)
    return [
        (SettledLine(wager, name, cents, _net(game, wager, name, cents)),) if cents else ()
        for cents in sorted(amounts)
        for name in (outcomes if cents else outcomes[:1])
    ]


def _net(game: Game[Any], wager: str, outcome: str, cents: Cents) -> Cents:
    pay = game.pays[wager][outcome]
    if isinstance(pay, Odds):
        return pay.on(cents, game.terms.breakage)
    assert isinstance(pay, Fixed)
    return pay.cents - (cents if game.wagers[wager].keeps_stake else 0)
