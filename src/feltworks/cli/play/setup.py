"""Sets up a table from the command line's options, or resumes one from its log, and starts the session."""

import contextlib
from pathlib import Path
from random import Random

from rich.table import Table as Grid
from rich.text import Text

from feltworks import catalog
from feltworks.cli.output import PLAY_MONEY
from feltworks.cli.play import TableSetup, felt
from feltworks.cli.play.screen import Screen
from feltworks.cli.play.session import YOU, Session
from feltworks.cli.play.wagers import post
from feltworks.dealing.shoes import source_for
from feltworks.errors import BadOption, LogError, UnknownName
from feltworks.money import Cents, full_dollars
from feltworks.rules.game import Game
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.terms import Terms
from feltworks.table.limits import PostedLimits, WagerLimit
from feltworks.table.live import Dealer
from feltworks.table.log import Log, LogEnd, TableStorage, find_end, find_interrupted
from feltworks.table.replay import resume
from feltworks.table.rollouts import SimulatedPlayer
from feltworks.table.seating import House, Seating
from feltworks.table.table import Table
from feltworks.table.wording import sentence

SEEDED = "Seeded deal: not for live play"
_STACK: Cents = 100_000_00  # of a neighbour, enough for every round


def start_table(screen: Screen, setup: TableSetup, name: str) -> None:
    """Open a table and play at it."""
    game = catalog.game(name, options=setup.options, pay_tables=setup.pay_tables, limit=setup.limit)
    _check_seats(setup, game)
    limits = _limits(setup, game.terms)
    end = find_end(setup.log) if setup.log else LogEnd()
    with TableStorage(setup.log) if setup.log else contextlib.nullcontext() as keeping:
        source = source_for(game.terms, seed=setup.seed)
        dealer = Dealer(source, vault=keeping.vault if keeping else None)
        house = House.for_game(game, setup.jackpot)
        table = Table(game, dealer, limits=limits, house=house, log=Log(keeping, after=end.last_line))
        table.rounds = end.rounds
        neighbours = _seat(table, setup)
        _welcome(screen, table, setup.seed)
        Session(table, source, screen, neighbours).run()


def resume_table(screen: Screen, setup: TableSetup, path: Path, name: str | None) -> None:
    """Finish a log's unfinished round with the same cards."""
    if setup.log is not None:
        raise BadOption("--log", setup.log.name, "no file beside --resume, which goes on in its own log")
    broken = find_interrupted(path)
    opened = broken.opened
    if name not in (None, opened.game):
        raise LogError(f"{path.name} is the log of {opened.game}, not of {name}")
    game = catalog.game(opened.game, options=opened.options, pay_tables=opened.pay_tables, limit=opened.limit)
    limits, source = _limits(setup, game.terms), source_for(game.terms, seed=setup.seed)
    with TableStorage(path) as keeping:
        table = resume(
            broken.lines,
            source,
            broken.secret,
            game=game,
            limits=limits,
            sink=keeping,
            vault=keeping.vault,
        )
        mind = Random(setup.seed)
        others = _other_players(table, path)
        screen.print("The interrupted round goes on.", felt.ACCENT)
        _welcome(screen, table, setup.seed)
        Session(table, source, screen, [SimulatedPlayer(name, mind) for name in others]).run()


def _other_players(table: Table, path: Path) -> list[str]:
    names = list(table.seating.players)
    if YOU not in names:
        raise LogError(f"{path.name} was not written by felt play: nobody called {YOU} sits at its table")
    return [name for name in names if name != YOU]


def _check_seats(setup: TableSetup, game: Game) -> None:
    available = Seating(game).spots
    most = game.terms.spots_per_player or available
    if not 1 <= setup.spots <= most:
        takes = f"1 to {most} at this table" if most > 1 else "1 at this table"
        raise BadOption("--spots", setup.spots, takes)
    free = available - setup.spots + 1
    if not 1 <= setup.seats <= free:
        raise BadOption("--seats", setup.seats, f"1 to {free} players, you included, at this table")


def _limits(setup: TableSetup, terms: Terms) -> PostedLimits:
    fixed = {name for name, entry in terms.rulebook.wager.items() if entry.fixed}
    limits = {name: WagerLimit(setup.minimum) for name in terms.offers if name not in fixed}
    return PostedLimits(terms, limits)


def _seat(table: Table, setup: TableSetup) -> list[SimulatedPlayer]:
    """Seat the player in the middle, with neighbours on both sides."""
    others = setup.seats - 1
    first = others // 2 + 1
    own = range(first, first + setup.spots)
    table.sit(YOU, *own, stack=setup.stack)
    mind = Random(setup.seed)
    free = [spot for spot in range(1, others + setup.spots + 1) if spot not in own]
    neighbours = [SimulatedPlayer(f"neighbour {number}", mind) for number in range(1, others + 1)]
    for neighbour, spot in zip(neighbours, free, strict=True):
        table.sit(neighbour.name, spot, stack=_STACK)
    return neighbours


def _welcome(screen: Screen, table: Table, seed: int | None) -> None:
    terms = table.game.terms
    player = table.seating.player(YOU)
    spots = " and ".join(map(str, player.spots))
    screen.print(Text.assemble((terms.rulebook.title, felt.HEADING), ("  Play money", felt.ACCENT)))
    where = f"You sit at spot{'s' if len(player.spots) > 1 else ''} {spots} with {full_dollars(player.stack)}."
    screen.print(f"{terms.shoe.total} cards, {_shuffle_words(terms)}. {where}")
    if seed is not None or table.is_seeded:
        screen.print(f"{SEEDED}{f' (seed {seed})' if seed is not None else ''}.", felt.ACCENT)
    for deviation in terms.deviations:
        screen.print(f"Not as approved: {deviation}.", felt.ACCENT)
    screen.print()
    post(screen, table)


def _shuffle_words(terms: Terms) -> str:
    if terms.rulebook.cards.shuffle == "every round":
        return "shuffled for every round"
    name = terms.rulebook.option_name("shoe")
    continuous = name is not None and terms[name] == "continuous"
    return "from a continuous shuffler" if continuous else "from a shoe with a cut card"


def choose_game(screen: Screen) -> str | None:
    """Ask for a game by number, name, title or the beginning of one; None if none is chosen."""
    books = [catalog.rulebook(name) for name in catalog.games()]
    screen.print("Which game would you like to play?", felt.HEADING)
    screen.print(_games_grid(books))
    screen.print(PLAY_MONEY, felt.SOFT)
    while True:
        try:
            text = screen.ask("Number or name:")
        except (EOFError, KeyboardInterrupt):
            screen.print()
            return None
        if text.casefold() in ("quit", "exit", "q"):
            return None
        if (book := _match(books, text)) is not None:
            return book.name
        if text:
            screen.refuse(sentence(str(UnknownName("game", text[:40], [book.name for book in books]))))


def _games_grid(books: list[Rulebook]) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(justify="right", style=felt.ACCENT)
    grid.add_column(no_wrap=True, style=felt.HEADING)
    grid.add_column(ratio=1)
    for number, book in enumerate(books, 1):
        placed = [entry for entry in book.wager.values() if entry.kind != "derived"]
        wagers = ", ".join(entry.title for entry in sorted(placed, key=lambda entry: entry.kind != "main"))
        grid.add_row(str(number), book.title, wagers)
    return grid


def _match(books: list[Rulebook], text: str) -> Rulebook | None:
    word = text.casefold()
    if word.isdecimal() and len(word) < 4 and 0 < int(word) <= len(books):
        return books[int(word) - 1]
    begin = [book for book in books if word and (book.name.startswith(word) or book.title.casefold().startswith(word))]
    exact = [book for book in begin if word in (book.name, book.title.casefold())]
    return exact[0] if exact else begin[0] if len(begin) == 1 else None
