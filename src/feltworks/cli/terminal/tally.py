"""The session in figures: rounds, money wagered, and what each wager brought."""

from collections.abc import Iterable

from msgspec import Struct
from rich.table import Table as Grid
from rich.text import Text

from feltworks.cli.terminal import palette
from feltworks.cli.terminal.screen import Screen
from feltworks.money import Cents, full_dollars, signed_dollars
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Line
from feltworks.table.wording import title, winnings


class WagerTally(Struct):
    """One wager over a session."""

    rounds: int = 0
    wagered: Cents = 0
    net: Cents = 0


class Tally(Struct):
    """A session of one player; `bought` is all play money brought to the table."""

    bought: Cents
    rounds: int = 0
    tokes: Cents = 0
    wagers: dict[str, WagerTally] = {}

    def count(self, lines: Iterable[Line]) -> None:
        """Add a finished round."""
        self.rounds += 1
        counted = set()
        for line in lines:
            if line.toke:
                self.tokes += line.wagered
                continue
            wager = self.wagers.setdefault(line.wager, WagerTally())
            wager.rounds += (line.wager, line.seat) not in counted
            counted.add((line.wager, line.seat))
            wager.wagered += line.wagered
            wager.net += line.net

    def show(self, screen: Screen, terms: Terms, stack: Cents) -> None:
        """The summary a player takes home."""
        net = stack - self.bought
        wagered = sum(wager.wagered for wager in self.wagers.values())
        rounds = f"{self.rounds} round{'' if self.rounds == 1 else 's'}"
        said = f"Your session: {rounds}, {full_dollars(wagered)} wagered, net "
        screen.print(
            Text.assemble(
                said, (signed_dollars(net), palette.RESULT[winnings(net)]), f", stack {full_dollars(stack)}."
            )
        )
        if self.wagers:
            screen.print(self._grid(terms))
        if self.tokes:
            screen.print(f"Wagered for the dealers: {full_dollars(self.tokes)}.")
        screen.print("Play money only.", palette.SOFT)

    def _grid(self, terms: Terms) -> Grid:
        grid = Grid(box=None, padding=(0, 2, 0, 0), header_style=palette.SOFT)
        grid.add_column("Wager")
        for heading in ("Times", "Wagered", "Net"):
            grid.add_column(heading, justify="right")
        for name, wager in self.wagers.items():
            net = Text(signed_dollars(wager.net), style=palette.RESULT[winnings(wager.net)])
            grid.add_row(title(terms, name), str(wager.rounds), full_dollars(wager.wagered), net)
        return grid
