"""Spanish Poker at machine speed: hands are valued by tables, standings counted, and the rules price them.

The hands are dealt five cards at a time, the house's only where somebody raised; dealt one by one they are
as likely the same (SP.23).
"""

from collections.abc import Iterator, Sequence
from math import gcd
from typing import Final

import numpy as np
from numpy.typing import NDArray

from feltworks.cards import Card
from feltworks.errors import BadOption
from feltworks.games.spanish_poker import HAND, SpanishPoker
from feltworks.machine.streams import Stream
from feltworks.rules.round import Choice
from feltworks.simulation.kernel import DealtLine, DealtRound
from feltworks.simulation.kernels.poker_hands import hand_tables
from feltworks.simulation.kernels.poker_rounds import Tables, count_one, count_rounds, record_rounds
from feltworks.simulation.kernels.poker_settling import CODES, NO_RAISE, PROGRESSIVE, RELATIONS, Standings
from feltworks.simulation.kernels.poker_strategy import raising_tables
from feltworks.simulation.plan import Plan
from feltworks.simulation.settled_rows import SettledLine, row_of
from feltworks.simulation.tally import Layout, Tally, pairs, row_columns

_LARGEST: Final = 2**62  # what sums of squares stay under, so that no 64-bit number wraps
_Settled = Sequence[SettledLine]


def kernel(plan: Plan) -> "SpanishPokerKernel":
    """The kernel of this plan; a strategy that leaves a hand open is refused here."""
    assert isinstance(plan.table, SpanishPoker)
    return SpanishPokerKernel(plan, plan.table)


class SpanishPokerKernel:
    """Spanish Poker's rounds with the same strategy at every seat."""

    def __init__(self, plan: Plan, game: SpanishPoker) -> None:
        self._plan, self._game = plan, game
        self._hands = hand_tables(game.terms.shoe, game.ranking)
        self._standings = Standings(game, self._hands.classes)
        self._kinds = list(dict.fromkeys(tuple(seat.items()) for seat in plan.seats))  # seats wagering alike
        self._settled = self._all_settled()
        self.layout = self._laid_out()
        columns = [row_columns(self.layout, row) for row in self.layout.rows]
        self._units = [gcd(*column) or 1 for column in zip(*columns, strict=True)]
        self._most_rounds = self._bounded(columns)
        self._nets = np.zeros((len(self._kinds) * CODES, self.layout.columns), np.int64)
        self._nets[list(self._settled)] = np.array(columns) // self._units
        self._tables = self._tabled()

    def _all_settled(self) -> dict[int, _Settled]:
        """What every standing of every kind of seat brings, by its number."""
        found: dict[int, _Settled] = {}
        for kind, wagers in enumerate(map(dict, self._kinds)):
            for code, example in self._standings.examples(wagers):
                lines = self._standings.lines(wagers, self._plan.meters, example)
                found[kind * CODES + code] = [
                    SettledLine(line.wager, line.outcome, line.wagered, line.net) for line in lines
                ]
        return found

    def _laid_out(self) -> Layout:
        seats, names = self._plan.seats, self._plan.wagers
        rows = [
            row_of(self._game, dict(self._kinds[number // CODES]), lines)
            for number, lines in self._settled.items()
        ]
        opened = tuple(sum(seat.get(name, 0) for seat in seats) for name in names)
        return Layout(names, tuple(rows), opened, joint=len(seats) == 1)

    def _bounded(self, columns: list[list[int]]) -> int:
        """How many rounds can be summed up before a sum of squares, in units of each wager, could wrap."""
        seats = len(self._plan.seats)
        largest = max(abs(net) for row in columns for net in row) * seats
        units = max(abs(net) // unit for row in columns for net, unit in zip(row, self._units, strict=True))
        most = _LARGEST // max(units * seats, 1) ** 2
        if largest > _LARGEST or (seats > 1 and not most):
            raise BadOption(
                "wagers and jackpot", largest, "amounts of which a round moves less than $20,000,000"
            )
        return most

    def _tabled(self) -> Tables:
        raising = raising_tables(self._plan)
        return Tables(
            self._hands.weights,
            self._hands.suits,
            raising.played,
            raising.by_cards,
            self._standings.kind_of_value,
            self._standings.qualifier,
            np.array(["ante" in seat for seat in self._plan.seats]),
            np.array([PROGRESSIVE in seat for seat in self._plan.seats]),
        )

    @property
    def _firsts(self) -> NDArray[np.int64]:
        """Where the numbers of each seat's standings begin."""
        kinds = [self._kinds.index(tuple(seat.items())) for seat in self._plan.seats]
        return np.array(kinds, np.int64) * CODES

    def _deck(self) -> NDArray[np.uint8]:
        return np.arange(len(self._hands.faces), dtype=np.uint8)

    def tally(self, stream: Stream, rounds: int) -> Tally:
        deck, numbers = self._deck(), np.zeros(len(self._nets), np.int64)
        if self.layout.joint:
            count_one(stream.handle, deck, rounds, self._tables, numbers)
            return Tally(rounds, self._counts(numbers))
        columns = self.layout.columns
        sums, products = [0] * columns, [0] * len(list(pairs(columns)))
        for begin in range(0, rounds, self._most_rounds):
            some = min(self._most_rounds, rounds - begin)
            summed, multiplied = np.zeros(columns, np.int64), np.zeros((columns, columns), np.int64)
            count_rounds(
                stream.handle, deck, some, self._tables, self._firsts, self._nets, numbers, summed, multiplied
            )
            sums = [a + int(b) * unit for a, b, unit in zip(sums, summed, self._units, strict=True)]
            products = [a + b for a, b in zip(products, self._products(multiplied), strict=True)]
        return Tally(rounds, self._counts(numbers), tuple(sums), tuple(products))

    def _products(self, multiplied: NDArray[np.int64]) -> list[int]:
        """The sums of products in cents, as the tally lists them."""
        units = self._units
        return [int(multiplied[one, two]) * units[one] * units[two] for one, two in pairs(len(units))]

    def _counts(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = numbers[list(self._settled)]
        assert counts.sum() == numbers.sum(), "a standing came up that the rules did not settle"
        return counts

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        _, numbers = self._recorded(stream, rounds)
        whole: NDArray[np.int64] = (self._nets * self._units).sum(axis=1)[numbers[:, 0]]
        return whole

    def dealt(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        cards, numbers = self._recorded(stream, rounds)
        for indices, ends in zip(cards.tolist(), numbers.tolist(), strict=True):
            lines = [
                DealtLine(seat, line.wager, line.outcome, line.wagered, line.net)
                for seat, end in enumerate(ends)
                for line in self._settled[end]
            ]
            faces = self._in_order([self._hands.faces[index] for index in indices])
            yield DealtRound(self._plan.seats, faces, self._choices(ends), tuple(lines), self._plan.meters)

    def _in_order(self, faces: list[Card]) -> tuple[Card, ...]:
        """SP.23: hand by hand, or one card to each hand at a time."""
        if self._game.terms["spanish-poker.deal"] == "five":
            return tuple(faces)
        return tuple(face for place in range(HAND) for face in faces[place::HAND])

    def _choices(self, numbers: Sequence[int]) -> tuple[Choice, ...]:
        choices = ["fold" if number % len(RELATIONS) == NO_RAISE else "raise" for number in numbers]
        return tuple(
            Choice(name) for name, seat in zip(choices, self._plan.seats, strict=True) if "ante" in seat
        )

    def _recorded(self, stream: Stream, rounds: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        seats = len(self._plan.seats)
        cards = np.zeros((rounds, HAND * (seats + 1)), np.uint8)
        numbers = np.zeros((rounds, seats), np.int64)
        record_rounds(stream.handle, self._deck(), self._tables, self._firsts, cards, numbers)
        return cards, numbers
