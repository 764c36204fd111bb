"""Every figure printed in the approved documents, computed afresh from the rules."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table

    from feltworks.analysis.audit.audit import Audit, AuditedFigure, ComputedFigure
    from feltworks.analysis.audit.readings import AuditedReading
    from feltworks.analysis.progress import Progress


def audit(
    game: Annotated[str | None, typer.Argument(help="One game; all of them unless named.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Compute every printed figure afresh, and say what would reproduce one that does not follow."""
    from feltworks.cli.progress import progress_bar

    with progress_bar("Auditing") as tell, _nothing_collected():
        found = _audited(game, tell)
    if as_json:
        from feltworks.analysis.audit.audit import audit_document
        from feltworks.cli.output import print_json

        print_json(audit_document(found))
    else:
        _print(found)


def _audited(game: str | None, tell: "Progress | None") -> "Audit":
    from feltworks import catalog
    from feltworks.analysis.audit.audit import audit as audited

    if game is not None and game not in catalog.games():
        catalog.game(game)
    return audited(game, tell)


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Without looking for garbage in between: there is hardly any, and looking takes a tenth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _print(found: "Audit") -> None:
    from feltworks.cli.output import PLAY_MONEY, console

    screen = console()
    if found.figures:
        screen.print(_figures(found.figures))
    for each in found.figures:
        if not each.agrees:
            screen.print(f"{_place(each)} ({each.clause}): {each.finding}\n")
    if found.computed:
        screen.print(_unprinted(found.computed))
    if any(each.effects for each in found.readings):
        screen.print(_readings(found.readings))
    rest = sum(not each.effects for each in found.readings)
    said = f"{rest} more readings change no edge here or are no options of a game; --json tells of each."
    screen.print(said, style="dim")
    for game, deviations in found.deviations.items():
        screen.print(f"{game}: Not as approved: {'; '.join(deviations)}.", soft_wrap=True)
    screen.print(PLAY_MONEY, style="dim")


def _place(each: "AuditedFigure") -> str:
    decks = "one deck" if each.decks == 1 else f"{each.decks} decks"
    return f"{each.game} {each.wager}, table {each.pay_table}, {decks}"


def _figures(figures: "Iterable[AuditedFigure]") -> "Table":
    from feltworks.analysis.audit.figure_text import percent
    from feltworks.cli.output import new_table

    heads = ("game", "wager", "table", "decks", "quantity", "printed", "computed", "")
    table = new_table(*heads, title="Printed figures")
    for each in figures:
        mark = "✓" if each.match == "rounded" else "✓ cut" if each.agrees else "✗"
        place = (each.game, each.wager, each.pay_table, str(each.decks))
        numbers = (each.published, percent(each.computed, 4))
        table.add_row(*place, each.quantity.replace("_", " "), *numbers, mark)
    return table


def _unprinted(figures: "Iterable[ComputedFigure]") -> "Table":
    from feltworks.analysis.audit.figure_text import percent
    from feltworks.cli.output import new_table

    rows: dict[tuple[str, str, str], dict[int, str]] = {}
    for each in figures:
        wager = each.wager + (f" beside the {each.beside}" if each.beside else "")
        wager += " (risk)" if each.quantity == "element_of_risk" else ""
        row = rows.setdefault((each.game, wager, each.pay_table), {})
        row[each.decks] = percent(each.computed, 3)
    decks = sorted({number for row in rows.values() for number in row})
    heads = ["1 deck" if number == 1 else f"{number} decks" for number in decks]
    title = "House edges that no document prints; risk: per unit of all money wagered"
    table = new_table("game", "wager", "table", *heads, title=title)
    for place, row in rows.items():
        table.add_row(*place, *(row.get(number, "") for number in decks))
    return table


def _readings(readings: "Iterable[AuditedReading]") -> "Table":
    from feltworks.analysis.audit.figure_text import percent
    from feltworks.cli.output import new_table
    from feltworks.money import dollars

    title = "What other readings would mean; in money: to the house, 100 rounds of $10, a progressive of $1"
    heads = ("game", "wager", "other reading", "edge", "by default", "in money")
    table = new_table(*heads, title=title)
    for effect in (effect for each in readings for effect in each.effects):
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
