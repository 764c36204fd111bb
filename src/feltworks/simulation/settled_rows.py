"""What a kernel pays by: lines made by the rules' own judges and pay tables, gathered into rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.simulation.tally import Cell, Row


class SettledLine(Struct, frozen=True, gc=False):
    """How one wager comes out."""

    wager: str
    outcome: str
    wagered: Cents
    net: Cents


def settled_line(game: Game[Any], wager: str, wagered: Cents, standing: object) -> SettledLine:
    """What the rules make of a finished hand, for a wager that odds alone are paid on."""
    verdict = game.wagers[wager].judge(standing)
    assert verdict is not None, f"{wager} is not decided by {standing}"
    pay = game.pays[wager][verdict.outcome]
    assert isinstance(pay, Odds), f"{wager} pays a prize"
    return SettledLine(wager, verdict.outcome, wagered, pay.on(wagered, game.terms.breakage))


def row_of(game: Game[Any], opened: Mapping[str, Cents], lines: Sequence[SettledLine]) -> Row:
    """The cells of lines that come out together: every opening wager with what followed from it."""
    book = game.terms.rulebook.wager
    cells = []
    for wager, cents in opened.items():
        own = [line for line in lines if wager in (line.wager, book[line.wager].of)]
        net, wagered = sum(line.net for line in own), sum(line.wagered for line in own)
        cells.append(Cell(wager, _named(own), net, wagered, cents))
    return tuple(cells)


def _named(lines: Sequence[SettledLine]) -> str:
    """The outcome's name, or every line's where they differ: as the analysis calls it."""
    names = [line.outcome for line in lines]
    if len(set(names)) == 1:
        return names[0]
    return " / ".join(f"{line.wager} {line.outcome}" for line in lines)
