"""`felt audit`: computes every figure printed in the approved documents from the rules."""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from feltworks.cli.options import json_option
from feltworks.cli.output import Page, Table, print_json
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.analysis.audit.audit import Audit, AuditedFigure, ComputedFigure
    from feltworks.analysis.audit.readings import AuditedReading
    from feltworks.analysis.progress import Progress

DISAGREES = 1


@click.command()
@click.argument("game", required=False, help="One game; all of them unless given.")
@json_option
def audit(game: str | None, as_json: bool) -> None:
    """Compute every figure of the approved documents afresh.

    Where one differs, look for the pay table, reading or play that reproduces it. The exit status is 1 where
    a figure differs, and where a rulebook or law file of yours departs from the one of this package.
    """
    from feltworks.cli.progress import progress_bar

    with progress_bar("Auditing") as progress, _without_collection():
        audited = _audit(game, progress)
    if as_json:
        from feltworks.analysis.audit.audit import audit_document

        print_json(audit_document(audited))
    else:
        _show(audited)
    if not audited.agrees:
        raise Exit(DISAGREES)


def _audit(game: str | None, progress: "Progress | None") -> "Audit":
    from feltworks import catalog
    from feltworks.analysis.audit import audit as auditing

    if game is not None:
        catalog.check_game(game)
    return auditing.audit(game, progress)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Switch garbage collection off: an audit makes hardly any garbage, and collecting takes a tenth of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.freeze()
            gc.enable()


def _show(audited: "Audit") -> None:
    page = Page()
    if audited.figures:
        page.print(_printed_figures(audited.figures))
    for figure in audited.figures:
        if not figure.agrees:
            page.print(f"{_place(figure)} ({figure.clause}): {figure.finding}\n")
    if audited.computed:
        page.print(_unprinted_figures(audited.computed))
    if any(reading.effects for reading in audited.readings):
        page.print(_readings(audited.readings))
    others = sum(not reading.effects for reading in audited.readings)
    page.print(f"{others} more readings change no edge or are not options; --json lists them.", "dim")
    for name, deviations in audited.deviations.items():
        page.print(f"{name}: Not as approved: {'; '.join(deviations)}.")
    for name, departures in audited.departures.items():
        page.print(f"{name}: Departs from the book of this package: {'; '.join(departures)}.")
    page.close()


def _place(figure: "AuditedFigure") -> str:
    decks = "one deck" if figure.decks == 1 else f"{figure.decks} decks"
    return f"{figure.game} {figure.wager}, table {figure.pay_table}, {decks}"


def _printed_figures(figures: "Iterable[AuditedFigure]") -> Table:
    from feltworks.analysis.figures import percent

    headings = ("game", "wager", "table", "decks", "quantity", "printed", "computed", "")
    table = Table(*headings, title="Printed figures")
    for figure in figures:
        mark = "✓" if figure.match == "rounded" else "✓ cut" if figure.agrees else "✗"
        place = (figure.game, figure.wager, figure.pay_table, str(figure.decks))
        numbers = (figure.published, percent(figure.computed, 4))
        table.add_row(*place, figure.quantity.replace("_", " "), *numbers, mark)
    return table


def _unprinted_figures(figures: "Iterable[ComputedFigure]") -> Table:
    """A table with a row for each wager and pay table, and a column for each number of decks."""
    from feltworks.analysis.figures import percent

    rows: dict[tuple[str, str, str], dict[int, str]] = {}
    for figure in figures:
        wager = figure.wager + (f" beside the {figure.beside}" if figure.beside else "")
        wager += " (risk)" if figure.quantity == "element_of_risk" else ""
        row = rows.setdefault((figure.game, wager, figure.pay_table), {})
        row[figure.decks] = percent(figure.computed, 3)
    decks = sorted({number for row in rows.values() for number in row})
    headings = ["1 deck" if number == 1 else f"{number} decks" for number in decks]
    title = "House edges that no document prints; risk: per unit of all money wagered"
    table = Table("game", "wager", "table", *headings, title=title)
    for place, row in rows.items():
        table.add_row(*place, *(row.get(number, "") for number in decks))
    return table


def _readings(readings: "Iterable[AuditedReading]") -> Table:
    from feltworks.analysis.figures import percent

    title = "Other readings, and what 100 rounds of $10 (a progressive: $1) would bring the house"
    headings = ("game", "wager", "other reading", "edge", "by default", "in money")
    table = Table(*headings, title=title)
    for effect in (effect for reading in readings for effect in reading.effects):
        beside = f" beside {effect.beside}" if effect.beside else ""
        table.add_row(
            effect.game,
            effect.wager + beside,
            f"{effect.words} ({effect.clause})",
            percent(effect.house_edge, 4),
            percent(effect.house_edge_by_default, 4),
            dollars(effect.money, signed=True),
        )
    return table
