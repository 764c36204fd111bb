"""What each wager won or lost: in a round, with reason and clause, and over a session."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from rich.table import Table as Grid
from rich.text import Text

from feltworks.cli.play import felt
from feltworks.cli.play.felt import Deck
from feltworks.cli.play.screen import Screen
from feltworks.errors import UnknownName
from feltworks.money import Cents, full_dollars, signed_dollars
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Line
from feltworks.table.wording import title, winnings


def settlement(terms: Terms, deck: Deck, lines: Sequence[tuple[Line, int | None]]) -> Grid:
    """A grid of the settled lines; it names the spot if the player has several."""
    grid = Grid.grid(padding=(0, 1), expand=True)
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", no_wrap=True, style=felt.SOFT)
    for line, spot in lines:
        style = felt.RESULT[line.result]
        sign, net, word = felt.SIGN[line.result], signed_dollars(line.net), line.result
        name = Text(_name(terms, line, spot), style=felt.HEADING)
        grid.add_row(
            Text(sign, style),
            Text(net, style),
            Text(word, style),
            name,
            deck.with_suits(line.reason),
            line.clause,
        )
    return grid


def _name(terms: Terms, line: Line, spot: int | None) -> str:
    name = title(terms, line.wager) + (" toke" if line.toke else "")
    name = f"{name}, {line.part}" if line.part else name
    return name if spot is None else f"{spot}: {name}"


def net_line(net: Cents, stack: Cents) -> Text:
    """The result of the round in one line."""
    style = felt.RESULT[winnings(net)]
    return Text.assemble("Net ", (signed_dollars(net), style), f" · stack {full_dollars(stack)} · play money")


def explain(screen: Screen, book: Rulebook, clauses: Iterable[str]) -> None:
    """Print clauses in full."""
    grid = Grid.grid(padding=(0, 1), expand=True)
    grid.add_column(no_wrap=True, style=felt.HEADING)
    grid.add_column(ratio=1)
    for id_ in dict.fromkeys(clauses):
        if id_ not in book.clause:
            raise UnknownName("clause", id_, book.clause, of=book.title)
        grid.add_row(id_, book.clause[id_])
    screen.print(grid)


class WagerTally(Struct):
    """The results of one wager over a session."""

    rounds: int = 0
    wagered: Cents = 0
    net: Cents = 0


class Tally(Struct):
    """The results of a player's session; `bought` is all play money brought to the table."""

    bought: Cents
    rounds: int = 0
    tokes: Cents = 0
    wagers: dict[str, WagerTally] = {}

    def count(self, lines: Iterable[Line]) -> None:
        """Count a finished round."""
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
        """Print the summary of the session."""
        net = stack - self.bought
        wagered = sum(wager.wagered for wager in self.wagers.values())
        rounds = f"{self.rounds} round{'' if self.rounds == 1 else 's'}"
        summary = f"Your session: {rounds}, {full_dollars(wagered)} wagered, net "
        screen.print(
            Text.assemble(
                summary,
                (signed_dollars(net), felt.RESULT[winnings(net)]),
                f", stack {full_dollars(stack)}.",
            )
        )
        if self.wagers:
            screen.print(self._grid(terms))
        if self.tokes:
            screen.print(f"Wagered for the dealers: {full_dollars(self.tokes)}.")
        screen.print("Play money only.", felt.SOFT)

    def _grid(self, terms: Terms) -> Grid:
        grid = Grid(box=None, padding=(0, 2, 0, 0), header_style=felt.SOFT)
        grid.add_column("Wager")
        for heading in ("Times", "Wagered", "Net"):
            grid.add_column(heading, justify="right")
        for name, wager in self.wagers.items():
            net = Text(signed_dollars(wager.net), style=felt.RESULT[winnings(wager.net)])
            grid.add_row(title(terms, name), str(wager.rounds), full_dollars(wager.wagered), net)
        return grid
