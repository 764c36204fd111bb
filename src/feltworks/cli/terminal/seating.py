"""Sitting down: a table is set up as the player asked, or taken up from its log, and a session begins."""

import contextlib
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct
from rich.text import Text

from feltworks import catalog
from feltworks.cli.terminal import palette
from feltworks.cli.terminal.neighbours import STACK, Neighbour
from feltworks.cli.terminal.screen import Screen
from feltworks.cli.terminal.session import YOU, Session
from feltworks.cli.terminal.sign import post
from feltworks.dealing.shoes import source_for
from feltworks.errors import BadOption, LogError
from feltworks.money import Cents, full_dollars
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.terms import Terms
from feltworks.table.limits import PostedLimits, WagerLimit
from feltworks.table.live import Dealer
from feltworks.table.log import Log
from feltworks.table.replay import resume
from feltworks.table.seating import House, Player, Seating
from feltworks.table.storage import LogEnd, TableStorage, find_end, find_interrupted
from feltworks.table.table import Table

SEEDED = "Seeded deal: not for live play"


class Wishes(Struct, frozen=True):
    """What the player asked of the house on the command line."""

    seats: int
    spots: int
    stack: Cents
    options: Mapping[str, str]
    pay_tables: Mapping[str, str]
    minimum: Cents
    limit: Cents | None
    jackpot: Cents
    seed: int | None
    log: Path | None


def sit_down(screen: Screen, wishes: Wishes, name: str) -> None:
    """Open a table and play at it."""
    game = catalog.game(name, options=wishes.options, pay_tables=wishes.pay_tables, limit=wishes.limit)
    _check_seats(wishes, game)
    limits = _posted(wishes, game.terms)
    end = find_end(wishes.log) if wishes.log else LogEnd()
    with TableStorage(wishes.log) if wishes.log else contextlib.nullcontext() as keeping:
        source = source_for(game.terms, seed=wishes.seed)
        dealer = Dealer(source, vault=keeping.vault if keeping else None)
        house = House(meters=_meters(game, wishes.jackpot))
        table = Table(game, dealer, limits=limits, house=house, log=Log(keeping, after=end.last_line))
        table.rounds = end.rounds
        neighbours = _seat(table, wishes)
        _welcome(screen, table, wishes.seed)
        Session(table, source, screen, neighbours).run()


def take_up(screen: Screen, wishes: Wishes, path: Path, name: str | None) -> None:
    """Go on with the round that a log breaks off in, with the same cards."""
    if wishes.log is not None:
        raise BadOption("--log", wishes.log.name, "no file beside --resume, which goes on in its own log")
    broken = find_interrupted(path)
    opened = broken.opened
    if name not in (None, opened.game):
        raise LogError(f"{path.name} is the log of {opened.game}, not of {name}")
    game = catalog.game(opened.game, options=opened.options, pay_tables=opened.pay_tables, limit=opened.limit)
    limits, source = _posted(wishes, game.terms), source_for(game.terms, seed=wishes.seed)
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
        mind = Random(wishes.seed)
        others = _players_beside_you(table, path)
        screen.print("The interrupted round goes on.", palette.ACCENT)
        _welcome(screen, table, wishes.seed)
        Session(table, source, screen, [Neighbour(o.name, o.spots[0], mind) for o in others]).run()


def _players_beside_you(table: Table, path: Path) -> list[Player]:
    players = table.seating.players
    if YOU not in players:
        raise LogError(f"{path.name} was not written by felt play: nobody called {YOU} sits at its table")
    return [player for player in players.values() if player.name != YOU]


def _check_seats(wishes: Wishes, game: Game[Any]) -> None:
    available = Seating(game).spots
    most = game.terms.spots_per_player or available
    if not 1 <= wishes.spots <= most:
        takes = f"1 to {most} at this table" if most > 1 else "1 at this table"
        raise BadOption("--spots", wishes.spots, takes)
    free = available - wishes.spots + 1
    if not 1 <= wishes.seats <= free:
        raise BadOption("--seats", wishes.seats, f"1 to {free} players, you included, at this table")


def _posted(wishes: Wishes, terms: Terms) -> PostedLimits:
    fixed = {name for name, entry in terms.rulebook.wager.items() if entry.fixed}
    posted = {name: WagerLimit(wishes.minimum) for name in terms.offers if name not in fixed}
    return PostedLimits(terms, posted)


def _meters(game: Game[Any], jackpot: Cents) -> dict[str, Cents]:
    offered = [game.pays[name].values() for name in game.wagers if name in game.terms.offers]
    return {meter: jackpot for pays in offered for meter in meters_of(pays)}


def _seat(table: Table, wishes: Wishes) -> list[Neighbour]:
    """The player in the middle, neighbours on both sides."""
    others = wishes.seats - 1
    first = others // 2 + 1
    own = range(first, first + wishes.spots)
    table.sit(YOU, *own, stack=wishes.stack)
    mind = Random(wishes.seed)
    free = [spot for spot in range(1, others + wishes.spots + 1) if spot not in own]
    neighbours = [Neighbour(f"neighbour {number}", spot, mind) for number, spot in enumerate(free, 1)]
    for neighbour in neighbours:
        table.sit(neighbour.name, neighbour.spot, stack=STACK)
    return neighbours


def _welcome(screen: Screen, table: Table, seed: int | None) -> None:
    terms = table.game.terms
    player = table.seating.player(YOU)
    spots = " and ".join(map(str, player.spots))
    screen.print(Text.assemble((terms.rulebook.title, palette.HEADING), ("  Play money", palette.ACCENT)))
    where = (
        f"You sit at spot{'s' if len(player.spots) > 1 else ''} {spots} with {full_dollars(player.stack)}."
    )
    screen.print(f"{terms.shoe.total} cards, {_shuffled(terms)}. {where}")
    if seed is not None or table.is_seeded:
        screen.print(f"{SEEDED}{f' (seed {seed})' if seed is not None else ''}.", palette.ACCENT)
    for deviation in terms.deviations:
        screen.print(f"Not as approved: {deviation}.", palette.ACCENT)
    screen.print()
    post(screen, table)


def _shuffled(terms: Terms) -> str:
    if terms.rulebook.cards.shuffle == "every round":
        return "shuffled for every round"
    name = terms.rulebook.option_name("shoe")
    continuous = name is not None and terms[name] == "continuous"
    return "from a continuous shuffler" if continuous else "from a shoe with a cut card"
