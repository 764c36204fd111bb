"""What each wager brought: sign, word, colour, reason and clause; and clauses in full for who asks why."""

from collections.abc import Iterable, Sequence

from rich.table import Table as Grid
from rich.text import Text

from feltworks.cli.terminal import palette
from feltworks.cli.terminal.faces import Deck
from feltworks.cli.terminal.screen import Screen
from feltworks.errors import UnknownName
from feltworks.money import Cents, held, moved
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Line
from feltworks.table.wording import title, winnings


def settlement(terms: Terms, deck: Deck, lines: Sequence[tuple[Line, int | None]]) -> Grid:
    """The settled lines; a spot is named beside its line where the player has several."""
    grid = Grid.grid(padding=(0, 1), expand=True)
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", no_wrap=True, style=palette.SOFT)
    for line, spot in lines:
        style = palette.RESULT[line.result]
        sign, net, word = palette.SIGN[line.result], moved(line.net), line.result
        named = Text(_named(terms, line, spot), style=palette.HEADING)
        grid.add_row(
            Text(sign, style),
            Text(net, style),
            Text(word, style),
            named,
            deck.spelled(line.reason),
            line.clause,
        )
    return grid


def _named(terms: Terms, line: Line, spot: int | None) -> str:
    name = title(terms, line.wager) + (" toke" if line.toke else "")
    name = f"{name}, {line.part}" if line.part else name
    return name if spot is None else f"{spot}: {name}"


def net_line(net: Cents, stack: Cents) -> Text:
    """The round in one line."""
    style = palette.RESULT[winnings(net)]
    return Text.assemble("Net ", (moved(net), style), f" · stack {held(stack)} · play money")


def explain(screen: Screen, book: Rulebook, clauses: Iterable[str]) -> None:
    """Clauses in full."""
    grid = Grid.grid(padding=(0, 1), expand=True)
    grid.add_column(no_wrap=True, style=palette.HEADING)
    grid.add_column(ratio=1)
    for id_ in dict.fromkeys(clauses):
        if id_ not in book.clause:
            raise UnknownName("clause", id_, book.clause, of=book.title)
        grid.add_row(id_, book.clause[id_])
    screen.print(grid)
