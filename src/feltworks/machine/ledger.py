"""Encodes the results of a seat's wagers as one integer, and decodes it."""

from collections.abc import Iterator, Sequence
from math import gcd
from typing import Final

from msgspec import Struct

from feltworks.errors import FeltError
from feltworks.machine.node import PART, Result, Results
from feltworks.money import Cents

_LARGEST: Final = 1 << 62


class Ledger:
    """Encodes the results of a round as a number with mixed-radix digits for every wager.

    A wager has one digit for its result line and, if it lies on the hands of a split, digits for the number
    of these hands, the money on them and their total net.
    """

    def __init__(self, emitted: Sequence[Result], most_parts: int) -> None:
        self.wagers = list(dict.fromkeys(result.wager for result in emitted))
        self._lines = {name: _different(emitted, name) for name in self.wagers}
        self._parts = {
            name: _Parts([r for r in emitted if r.wager == name and r.part == PART], most_parts) for name in self.wagers
        }
        self._steps: dict[str, int] = {}
        step = 1
        for name in self.wagers:
            self._steps[name] = step
            step *= (len(self._lines[name]) + 1) * self._parts[name].size
        if step > _LARGEST:
            raise FeltError("these rounds come out in too many ways to be counted")
        self.size = step

    def number(self, results: Results) -> int:
        """What these results add to the number of the round."""
        total = 0
        for result in results:
            lines, parts = self._lines[result.wager], self._parts[result.wager]
            if result.part == PART:
                total += self._steps[result.wager] * (len(lines) + 1) * parts.number(result)
            else:
                total += self._steps[result.wager] * (lines.index(_key(result)) + 1)
        return total

    def lines(self, number: int) -> Iterator["WagerResult"]:
        """Decodes the result of each wager; the hands of a split are summed into one line."""
        for name in self.wagers:
            lines, parts = self._lines[name], self._parts[name]
            number, line = divmod(number, len(lines) + 1)
            number, divided = divmod(number, parts.size)
            if line:
                _, outcome, wagered, net = lines[line - 1]
                yield WagerResult(name, outcome, wagered, net)
            if divided:
                yield parts.line(name, divided)

    def cells(self, name: str) -> Iterator["WagerResult"]:
        """Every possible result of a wager."""
        for _, outcome, wagered, net in self._lines.get(name, []):
            yield WagerResult(name, outcome, wagered, net)
        if name in self._parts:
            yield from self._parts[name].cells(name)


class WagerResult(Struct, frozen=True, gc=False):
    """The result of one wager; `parts` is the number of hands that it lay on."""

    wager: str
    outcome: str
    wagered: Cents
    net: Cents
    parts: int = 1


def _key(result: Result) -> tuple[str, str, Cents, Cents]:
    return result.part, result.outcome, result.wagered, result.net


def _different(emitted: Sequence[Result], name: str) -> list[tuple[str, str, Cents, Cents]]:
    lines = [_key(result) for result in emitted if result.wager == name and result.part != PART]
    return list(dict.fromkeys(lines))


class _Parts:
    """Digits for the hands of a split; each hand adds to their number, the money wagered and the net."""

    def __init__(self, parts: Sequence[Result], most: int) -> None:
        self._most = most
        self._unit = gcd(*(r.wagered for r in parts)) or 1
        self._least = min((r.net for r in parts), default=0)
        self._step = gcd(*(r.net - self._least for r in parts)) or 1
        self._most_wagered = max((r.wagered for r in parts), default=0) // self._unit
        self._most_net = max((r.net - self._least for r in parts), default=0) // self._step
        self._wagered_size = most * self._most_wagered + 1
        self._net_size = most * self._most_net + 1
        self.size = (most + 1) * self._wagered_size * self._net_size if parts else 1

    def number(self, part: Result) -> int:
        wagered, net = part.wagered // self._unit, (part.net - self._least) // self._step
        return 1 + (self._most + 1) * (wagered + self._wagered_size * net)

    def line(self, name: str, number: int) -> WagerResult:
        rest, parts = divmod(number, self._most + 1)
        net, wagered = divmod(rest, self._wagered_size)
        money = wagered * self._unit, net * self._step + parts * self._least
        return WagerResult(name, f"split into {parts} hands", *money, parts)

    def cells(self, name: str) -> Iterator[WagerResult]:
        """Every possible total of two hands or more."""
        if self.size == 1:
            return
        for parts in range(2, self._most + 1):
            for wagered in range(parts, parts * self._most_wagered + 1):
                for net in range(parts * self._most_net + 1):
                    money = wagered * self._unit, net * self._step + parts * self._least
                    yield WagerResult(name, f"split into {parts} hands", *money, parts)
