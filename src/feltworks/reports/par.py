"""The PAR sheet: everything that is computed about a game at an ordered table."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from feltworks.analysis.audit.audit import AuditedFigure, audit_figures
from feltworks.house.configuration import TableCheck, check_table
from feltworks.reports.confirmation import Confirmation, TableSpread, confirmations, table_spread
from feltworks.reports.identity import Identity, identity
from feltworks.reports.order import Order
from feltworks.reports.plots import band_plot, meter_plot
from feltworks.reports.progressive_sheet import ProgressiveSheet, progressive_sheet
from feltworks.reports.reachable import Reachable, reachable
from feltworks.reports.strategy_card import PlaySheet, play_sheet
from feltworks.reports.table_sheet import TableSheet, table_sheet
from feltworks.reports.text import join_names
from feltworks.reports.vulnerability import Vulnerability, vulnerability
from feltworks.reports.wager_sheet import WagerSheet, wager_sheet

METHOD: Final = (
    "Probabilities are counted exactly, in whole numbers, over every deal that the rules tell apart; no"
    " figure is rounded before it is printed. Where hands are hit and split, and too many for"
    " that, expected values are computed in double precision over every composition of the shoe.",
    "The rules themselves fill the tables that are counted: the same settlement pays at the live table.",
    "A second, slow method walks the rules round by round and has to give the same fractions on decks that it"
    " can finish.",
    "The simulation draws from ChaCha20 with the seed printed beside it and settles by the rules. It confirms"
    " the exact figures and is not their source; only the deviation of a full table is sampled.",
)
ASSUMES: Final = (
    "No card of the shoe is known but those the rules show.",
    "Every decision is made for the wager's own sake and as well as it can be made.",
    "Payments are exact: breakage is left out.",
)


class WagerPart(Struct, frozen=True):
    """A wager's part of the paper."""

    sheet: WagerSheet
    band: str  # a picture
    play: PlaySheet | None
    no_play: str  # why the play of a wager with decisions is not printed
    progressive: ProgressiveSheet | None
    meter: str


class Par(Struct, frozen=True):
    """The whole PAR sheet."""

    order: Order
    identity: Identity
    wagers: tuple[WagerPart, ...]
    table: TableSheet
    reachable: Reachable
    check: TableCheck
    confirmations: tuple[Confirmation, ...]
    spread: TableSpread | None
    figures: tuple[AuditedFigure, ...]
    method: tuple[str, ...]
    assumes: tuple[str, ...]
    together: str  # which wagers a table may not have all at once, in words
    titles: Mapping[str, str]
    vulnerability: Vulnerability | None = None

    @property
    def disagreements(self) -> list[AuditedFigure]:
        return [figure for figure in self.figures if not figure.agrees]


def par(order: Order, *, rounds: int | None = None, seed: int | None = None) -> Par:
    """Compute everything for the paper."""
    return Par(
        order,
        identity(order),
        tuple(_part(order, wager) for wager in order.wagers),
        table_sheet(order),
        reachable(order),
        check_table(order.table_order()),
        tuple(confirmations(order, rounds, seed)),
        table_spread(order, rounds, seed),
        tuple(audit_figures(order.game)),
        METHOD,
        ASSUMES,
        _offer_limit(order),
        {name: entry.title for name, entry in order.book.wager.items()},
        vulnerability(order, rounds),
    )


def _part(order: Order, wager: str) -> WagerPart:
    sheet = wager_sheet(order, wager)
    progressive = progressive_sheet(sheet)
    meter = meter_plot(progressive) if progressive else ""
    play = play_sheet(sheet.question)
    refusal = play if isinstance(play, str) and sheet.exposure.follows else ""
    return WagerPart(
        sheet, band_plot(sheet.volatility), None if isinstance(play, str) else play, refusal, progressive, meter
    )


def _offer_limit(order: Order) -> str:
    most, placed = order.book.most_wagers, len(order.wagers)
    if not most or placed <= most:
        return ""
    titles = join_names(order.book.wager[name].title for name in order.wagers)
    return f"A table has at most {most} of {titles}; each is shown as dealt at a table that offers it."
