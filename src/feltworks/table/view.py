"""A table as one player may see it: without cards face down and without hidden hands of others."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from feltworks.cards import Card
from feltworks.dealing.shoes import Commitment
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide
from feltworks.rules.wager import Line

if TYPE_CHECKING:
    from feltworks.table.table import Table


class SpotView(Struct, frozen=True):
    """A spot as everybody sees it: its player and the opening wagers."""

    spot: int
    player: str
    wagers: Mapping[str, Cents] = {}
    tokes: Mapping[str, Cents] = {}
    seat: int | None = None  # its number in the round


class TableView(Struct, frozen=True):
    """A table as one player sees it."""

    game: str
    player: str | None
    stack: Cents | None
    spots: tuple[SpotView, ...]
    is_running: bool
    is_seeded: bool | None
    commitment: Commitment | None
    meters: Mapping[str, Cents]
    round: Round | None
    decisions: tuple[Decide, ...]  # the player's own
    to_act: tuple[int, ...]  # the spots with an open decision
    lines: tuple[Line, ...]

    def to_json(self) -> bytes:
        """The view as JSON."""
        return _encode(self)


def view(table: "Table", player: str | None) -> TableView:
    """The table as this player may see it; None is a bystander."""
    owner = None if player is None else table.seating.player(player)
    own = [number for number, seat in enumerate(table.seats) if seat.player == player]
    shown = None if table.round is None else round_view(table.game, table.round, own)
    return TableView(
        game=table.game.terms.rulebook.name,
        player=player,
        stack=owner.stack if owner else None,
        spots=_spots(table),
        is_running=table.is_running,
        is_seeded=table.is_seeded,
        commitment=table.commitment,
        meters=dict(table.house.meters),
        round=shown,
        decisions=tuple(step for step in table.decisions if step.seat in own),
        to_act=tuple(sorted({table.seats[step.seat].spot for step in table.decisions})),
        lines=tuple(_hide_reason(line, table.round, shown) for line in table.lines),
    )


def round_view(game: Game, round_: Round, own: list[int]) -> Round:
    """The round as the player of these seats may see it: everything that any of the seats sees."""
    views = [game.view(round_, seat) for seat in own] or [game.view(round_, None)]
    seats = []
    for number, seat in enumerate(round_.seats):
        seat_views = [view.seats[number] for view in views]
        seats.append(seat if seat in seat_views else seat_views[0])
    return Round(tuple(seats), views[0].dealer, views[0].board, round_.meters)


def _hide_reason(line: Line, round_: Round | None, shown: Round | None) -> Line:
    """Reasons are shown only to viewers who can see the whole hand; the money is shown to all."""
    if round_ is None or shown is None or round_.seats[line.seat] == shown.seats[line.seat]:
        return line
    return msgspec.structs.replace(line, outcome="", because="")


def _spots(table: "Table") -> tuple[SpotView, ...]:
    numbers = {seat.spot: number for number, seat in enumerate(table.seats)} if table.is_running else {}
    views = []
    for player in table.seating.players.values():
        for spot in player.spots:
            opening = table.seating.down.get(spot)
            wagers, tokes = (opening.wagers, opening.tokes) if opening else ({}, {})
            views.append(SpotView(spot, player.name, wagers, tokes, numbers.get(spot)))
    return tuple(sorted(views, key=lambda view: view.spot))


def _encode_value(value: object) -> str:
    if isinstance(value, Card | Fraction):
        return str(value)
    raise TypeError(f"a view holds no {type(value).__name__}")


_encode = msgspec.json.Encoder(enc_hook=_encode_value).encode
