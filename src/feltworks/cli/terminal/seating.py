"""Sitting down: a table is set up as the player asked, or taken up from its log, and a session begins."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct
from rich.text import Text

from feltworks import catalog
from feltworks.cli.terminal import palette
from feltworks.cli.terminal.amounts import held
from feltworks.cli.terminal.keeping import Keeping, interrupted, log_after
from feltworks.cli.terminal.neighbours import STACK, Neighbour
from feltworks.cli.terminal.screen import Screen
from feltworks.cli.terminal.session import YOU, Session
from feltworks.cli.terminal.sign import post
from feltworks.dealing.shoes import source_for
from feltworks.errors import BadOption, LogError
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.terms import Terms
from feltworks.table.dealer import Dealer
from feltworks.table.house import House as Bank
from feltworks.table.log import Log
from feltworks.table.posted import Posted, PostedLimits
from feltworks.table.replay import resume
from feltworks.table.table import Table

SEEDED = "Seeded deal: not for live play"


class House(Struct, frozen=True):
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


def sit_down(screen: Screen, house: House, name: str) -> None:
    """Open a table and play at it."""
    game = catalog.game(name, options=house.options, pay_tables=house.pay_tables, limit=house.limit)
    _check_seats(house, game)
    limits = _posted(house, game.terms)
    keeping = None if house.log is None else Keeping(house.log)
    log, rounds = (Log(), 0) if keeping is None else log_after(keeping.path, keeping)
    dealer = Dealer(source_for(game.terms, seed=house.seed), vault=keeping.vault if keeping else None)
    table = Table(game, dealer, limits=limits, house=Bank(meters=_meters(game, house.jackpot)), log=log)
    table.rounds = rounds
    neighbours = _seat(table, house)
    _play(screen, table, neighbours, house.seed)
    if keeping is not None:
        keeping.close()


def take_up(screen: Screen, house: House, path: Path, name: str | None) -> None:
    """Go on with the round that a log breaks off in, with the same cards."""
    if house.log is not None:
        raise BadOption("--log", house.log.name, "no file beside --resume, which goes on in its own log")
    broken = interrupted(path)
    opened = broken.opened
    if name not in (None, opened.game):
        raise LogError(f"{path.name} is the log of {opened.game}, not of {name}")
    game = catalog.game(opened.game, options=opened.options, pay_tables=opened.pay_tables, limit=opened.limit)
    keeping = Keeping(path)
    table = resume(
        broken.lines,
        source_for(game.terms, seed=house.seed),
        broken.secret,
        game=game,
        limits=_posted(house, game.terms),
        sink=keeping,
        vault=keeping.vault,
    )
    if YOU not in table.seating.players:
        raise LogError(f"{path.name} was not written by felt play; nobody called {YOU} sits at its table")
    others = [player for player in table.seating.players.values() if player.name != YOU]
    mind = Random(house.seed)
    neighbours = [Neighbour(player.name, player.spots[0], mind) for player in others]
    screen.print("The interrupted round goes on.", palette.ACCENT)
    _play(screen, table, neighbours, house.seed)
    keeping.close()


def _play(screen: Screen, table: Table, neighbours: list[Neighbour], seed: int | None) -> None:
    _welcome(screen, table, seed)
    Session(table, screen, neighbours).run()


def _check_seats(house: House, game: Game[Any]) -> None:
    most = game.terms.spots_per_player
    if not 1 <= house.spots <= most:
        raise BadOption(
            "--spots", house.spots, f"1 to {most} at this table" if most > 1 else "1 at this table"
        )
    free = Table(game, Dealer(source_for(game.terms))).seating.spots - house.spots + 1
    if not 1 <= house.seats <= free:
        raise BadOption("--seats", house.seats, f"1 to {free} players, you included, at this table")


def _posted(house: House, terms: Terms) -> PostedLimits:
    fixed = {name for name, entry in terms.rulebook.wager.items() if entry.fixed}
    posted = {name: Posted(house.minimum) for name in terms.offers if name not in fixed}
    return PostedLimits(terms, posted)


def _meters(game: Game[Any], jackpot: Cents) -> dict[str, Cents]:
    offered = [game.pays[name].values() for name in game.wagers if name in game.terms.offers]
    return {meter: jackpot for pays in offered for meter in meters_of(pays)}


def _seat(table: Table, house: House) -> list[Neighbour]:
    """The player in the middle, neighbours on both sides."""
    others = house.seats - 1
    first = others // 2 + 1
    own = range(first, first + house.spots)
    table.sit(YOU, *own, stack=house.stack)
    mind = Random(house.seed)
    free = [spot for spot in range(1, others + house.spots + 1) if spot not in own]
    neighbours = [Neighbour(f"neighbour {number}", spot, mind) for number, spot in enumerate(free, 1)]
    for neighbour in neighbours:
        table.sit(neighbour.name, neighbour.spot, stack=STACK)
    return neighbours


def _welcome(screen: Screen, table: Table, seed: int | None) -> None:
    terms = table.game.terms
    player = table.seating.player(YOU)
    spots = " and ".join(map(str, player.spots))
    screen.print(Text.assemble((terms.rulebook.title, palette.HEADING), ("  Play money", palette.ACCENT)))
    where = f"You sit at spot{'s' if len(player.spots) > 1 else ''} {spots} with {held(player.stack)}."
    screen.print(f"{terms.shoe.total} cards, {_shuffled(terms)}. {where}")
    if seed is not None:
        screen.print(f"{SEEDED} (seed {seed}).", palette.ACCENT)
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
