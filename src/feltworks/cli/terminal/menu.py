"""The list of games: choose one by its number, its name or the beginning of either name or title."""

from rich.table import Table as Grid

from feltworks import catalog
from feltworks.cli.output import PLAY_MONEY
from feltworks.cli.terminal import palette
from feltworks.cli.terminal.screen import Screen
from feltworks.errors import UnknownName
from feltworks.rules.rulebook.model import Rulebook
from feltworks.table.wording import sentence


def choose_game(screen: Screen) -> str | None:
    """Ask for a game; None when nobody wants one."""
    books = [catalog.rulebook(name) for name in catalog.games()]
    screen.print("Which game would you like to play?", palette.HEADING)
    screen.print(_listed(books))
    screen.print(PLAY_MONEY, palette.SOFT)
    while True:
        try:
            said = screen.ask("Number or name:")
        except (EOFError, KeyboardInterrupt):
            screen.print()
            return None
        if said.casefold() in ("quit", "exit", "q"):
            return None
        if (found := _meant(books, said)) is not None:
            return found.name
        if said:
            screen.refuse(sentence(str(UnknownName("game", said[:40], [book.name for book in books]))))


def _listed(books: list[Rulebook]) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(justify="right", style=palette.ACCENT)
    grid.add_column(no_wrap=True, style=palette.HEADING)
    grid.add_column(ratio=1)
    for number, book in enumerate(books, 1):
        placed = [entry for entry in book.wager.values() if entry.kind != "derived"]
        wagers = ", ".join(entry.title for entry in sorted(placed, key=lambda entry: entry.kind != "main"))
        grid.add_row(str(number), book.title, wagers)
    return grid


def _meant(books: list[Rulebook], said: str) -> Rulebook | None:
    word = said.casefold()
    if word.isdecimal() and len(word) < 4 and 0 < int(word) <= len(books):
        return books[int(word) - 1]
    found = [
        book
        for book in books
        if word and (book.name.startswith(word) or book.title.casefold().startswith(word))
    ]
    exact = [book for book in found if word in (book.name, book.title.casefold())]
    return exact[0] if exact else found[0] if len(found) == 1 else None
