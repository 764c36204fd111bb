"""The sign at the table: limits and pays of every wager, in short and row by row."""

from rich.columns import Columns
from rich.table import Table as Grid

from feltworks.cli.terminal import palette
from feltworks.cli.terminal.screen import Screen
from feltworks.money import Odds, dollars
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Pay
from feltworks.table.limits import Range
from feltworks.table.table import Table
from feltworks.table.wording import measure, title


def post(screen: Screen, table: Table) -> None:
    """Print every wager with its limits and pays, and below it the wagers that may follow it."""
    terms = table.game.terms
    book = terms.rulebook.wager
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style=palette.SOFT)
    for heading in ("Wager", "Takes", "Pays", ""):
        grid.add_column(heading, no_wrap=True, style=palette.SOFT if not heading else None)
    for name in in_order(table):
        takes = _takes(table.limits.ranges[name])
        grid.add_row(title(terms, name), takes, _pays_in_short(table.game, name), book[name].clause)
        for other in (other for other, entry in book.items() if entry.of == name):
            pays = _pays_in_short(table.game, other)
            grid.add_row(f"  {title(terms, other)}", measure(terms, other), pays, book[other].clause)
    screen.print(grid)
    for meter, cents in table.house.meters.items():
        screen.print(f"The {meter} stands at {dollars(cents)}.", palette.ACCENT)


def in_order(table: Table) -> list[str]:
    """The wagers that are placed before the deal, the main wager first."""
    book = table.game.terms.rulebook.wager
    return sorted(table.limits.ranges, key=lambda name: book[name].kind != "main")


def _takes(span: Range) -> str:
    if span.least == span.most:
        return f"exactly {dollars(span.least)}"
    return f"{dollars(span.least)} to {dollars(span.most)}" if span.most else f"{dollars(span.least)} or more"


def _pays_in_short(game: Game, wager: str) -> str:
    """The best and the least win."""
    wins = list(dict.fromkeys(pay for pay in game.pays[wager].values() if _is_win(pay)))
    odds = sorted((pay for pay in wins if isinstance(pay, Odds)), key=lambda pay: pay.exact)
    prizes = [str(pay) for pay in wins if not isinstance(pay, Odds)]
    words = [str(odds[0])] if odds else []
    if len(odds) > 1:
        words = [f"{odds[0]} up to {odds[-1]}"]
    return " or ".join([*words, *prizes[:1]])


def _is_win(pay: Pay) -> bool:
    return not isinstance(pay, Odds) or pay.win > 0


def show_pays(screen: Screen, game: Game, wagers: list[str]) -> None:
    """Print pay tables row by row, side by side where there is room, with the wagers that follow."""
    follow = [name for name, entry in game.terms.rulebook.wager.items() if entry.of in wagers]
    blocks = [_pays(game, name) for name in [*wagers, *follow]]
    screen.print(Columns(blocks, padding=(1, 3)))


def _pays(game: Game, name: str) -> Grid:
    terms = game.terms
    payer = game.wagers[name].paid_by or name
    table = terms.pay_table(payer)
    heading = f"{title(terms, name)}, pay table {terms.pay_tables[payer]} ({table.clause})"
    grid = Grid(title=heading, title_justify="left", title_style=palette.HEADING, box=None, show_header=False)
    if payer != name:
        grid.add_row(f"paid like {title(terms, payer)}")
        return grid
    for row, pay in game.pays[name].items():
        if row in game.wagers[name].possible:
            grid.add_row(row, _pay_words(terms.decks, table.needs_decks.get(row), pay))
    return grid


def _pay_words(decks: int, needed: int | None, pay: Pay) -> str:
    return f"{pay} (not with {decks} decks)" if needed and decks < needed else str(pay)
