"""Every figure printed in the approved documents, computed afresh from the rules."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from feltworks.analysis.audit import AuditedFigure, Effect


def audit(
    game: Annotated[str | None, typer.Argument(help="One game; all of them unless named.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Compute every printed figure afresh, and say what would reproduce one that does not follow."""
    from feltworks import catalog
    from feltworks.analysis.audit import audit_figures, audit_readings

    if game is not None and game not in catalog.games():
        catalog.game(game)
    figures, effects = list(audit_figures(game)), list(audit_readings(game))
    if as_json:
        from feltworks.cli.output import print_json

        print_json(
            {"figures": [_figure(each) for each in figures], "readings": [_effect(e) for e in effects]}
        )
    else:
        _print(figures, effects)


def _figure(each: "AuditedFigure") -> dict[str, object]:
    from feltworks.cli.analyze import exactly

    return {
        "game": each.game,
        "wager": each.wager,
        "pay_table": each.pay_table,
        "decks": each.decks,
        "quantity": each.quantity,
        "published": each.published,
        "computed": exactly(each.computed),
        "agrees": each.agrees,
        "match": each.match,
        "finding": each.finding,
        "clause": each.clause,
    }


def _effect(each: "Effect") -> dict[str, object]:
    from feltworks.cli.analyze import exactly

    return {
        "game": each.game,
        "clause": each.clause,
        "option": each.option,
        "value": each.value,
        "wager": each.wager,
        "house_edge": exactly(each.house_edge),
        "house_edge_by_default": exactly(each.by_default),
    }


def _place(each: "AuditedFigure") -> str:
    decks = "one deck" if each.decks == 1 else f"{each.decks} decks"
    return f"{each.game} {each.wager}, table {each.pay_table}, {decks}"


def _print(figures: list["AuditedFigure"], effects: list["Effect"]) -> None:
    from feltworks.analysis.printed import percent
    from feltworks.cli.output import PLAY_MONEY, console, new_table

    screen = console()
    table = new_table("wager", "quantity", "printed", "computed", "", title="Printed figures")
    for each in figures:
        mark = "✓" if each.match == "rounded" else "✓ cut off" if each.agrees else "✗"
        quantity = each.quantity.replace("_", " ")
        table.add_row(_place(each), quantity, each.published, percent(each.computed, 4), mark)
    screen.print(table)
    for each in figures:
        if not each.agrees:
            screen.print(f"{_place(each)} ({each.clause}): {each.finding}\n")
    readings = new_table(
        "wager", "reading", "house edge", "by default", title="What other readings would mean"
    )
    for effect in effects:
        readings.add_row(
            f"{effect.game} {effect.wager}",
            f"{effect.option}={str(effect.value).lower()} ({effect.clause})",
            percent(effect.house_edge, 4),
            percent(effect.by_default, 4),
        )
    screen.print(readings)
    screen.print(PLAY_MONEY, style="dim")
