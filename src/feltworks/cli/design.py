"""`felt design`: finds pay tables with a given edge, and shows how the edge depends on each pay."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final

import click
from msgspec import Struct
from msgspec.structs import asdict

from feltworks.cli.options import (
    Option,
    TextType,
    decks_option,
    game_argument,
    json_option,
    option_group,
    read_part,
    set_option,
    wager_option,
)
from feltworks.cli.output import Page, Table, print_json
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.analysis.design.search import Between

_SHOWN = 6  # turning points printed
_FAR = 0.005  # from the target edge


def _read_edge(option: str, text: str) -> Fraction:
    edge = read_part(option, text)
    if not -1 <= edge <= 1:
        raise BadOption(option, text, "at most 100%")
    return edge


def _read_between(option: str, text: str) -> "Between":
    from feltworks.analysis.design.search import Between

    if not text:
        return Between()
    least, dots, most = text.partition("..")
    if not dots:
        raise BadOption(option, text, "a range such as 20%..30%, one end of which may be left out")
    return Between(*[read_part(option, end) if end.strip() else None for end in (least, most)])


_BETWEEN: Final = TextType("text", _read_between)


class DesignOptions(Struct, frozen=True, kw_only=True):
    """The options of `felt design`."""

    wager: Annotated[str, wager_option]
    target: Annotated[
        Fraction | None,
        Option("The house edge that is wanted, such as 5%.", "--target-edge", type=TextType("text", _read_edge)),
    ]
    pay_table: Annotated[str | None, Option("The pay table to begin with.")]
    decks: Annotated[int | None, decks_option]
    chosen: Annotated[tuple[str, ...], set_option]
    within: Annotated[tuple[str, ...], Option('A row and the pays it may have, such as "suited 21: 8..20".')]
    keep: Annotated[tuple[str, ...], Option("A row that stays as it is.")]
    hit: Annotated[Any, Option("The hit frequency, such as 20%..30%.", type=_BETWEEN)] = ""
    deviation: Annotated[Any, Option("The standard deviation, such as ..6.", type=_BETWEEN)] = ""
    what_if: Annotated[tuple[str, ...], Option("Another rule of the house: option=value.")]
    wanted: Annotated[int, Option("How many tables to show.", "--tables", type=click.IntRange(1, 50))] = 5
    pieces: Annotated[bool, Option("Follow the edge over the range of every pay.", "--pieces/--no-pieces")] = True


@click.command()
@game_argument
@option_group("options", DesignOptions)
@json_option
def design(game: str, options: DesignOptions, as_json: bool) -> None:
    """Find pay tables with the house edge that is wanted."""
    from feltworks.analysis.design.document import DesignRequest, design_document
    from feltworks.analysis.design.search import read_range
    from feltworks.cli.progress import progress_bar

    within = dict(map(read_range, options.within))
    request = DesignRequest(game, **{**asdict(options), "within": within})
    with progress_bar("Solving pay tables") as progress:
        document = design_document(request, progress)
    if as_json:
        print_json(document)
    else:
        _show(document)


def _show(document: dict[str, Any]) -> None:
    page = Page()
    now = document["now"]
    page.print(f"{document['game']}: {document['wager']}, pay table {document['pay_table']}", style="bold")
    page.print(f"House edge now {_in_percent(now['house_edge'])}.")
    if "tables" in document:
        _show_tables(page, document)
    table = Table("row", "pays", "one unit more", "best play changes at", title="How the edge depends on each pay")
    for row in document["rows"]:
        turns = [f"{turn['value']:.4g}" for turn in row.get("turns", ())]
        listed = ", ".join(turns[:_SHOWN]) + (f" and {len(turns) - _SHOWN} more" if len(turns) > _SHOWN else "")
        unknown = "nowhere here" if "turns" in row else "not followed"
        table.add_row(row["row"], row["pay"], _in_percent(row["per_unit"]), listed or unknown)
    page.print(table)
    for other in document.get("what_if", ()):
        page.print(f"With {other['option']} the house edge is {_in_percent(other['house_edge'])}.")
    page.close()


def _show_tables(page: Page, document: dict[str, Any]) -> None:
    table = Table("house edge", "hits", "deviation", "changes", title="The nearest tables")
    for each in document["tables"]:
        changes = ", ".join(f"{row} {old} → {new}" for row, (old, new) in each["changed"].items())
        edge, hits = _in_percent(each["house_edge"]), _in_percent(each["hit_frequency"])
        table.add_row(edge, hits, f"{each['standard_deviation']:.3f}", changes or "none")
    page.print(table)
    nothing = "" if document["complete"] else "; others were bounded by the play of those that were solved"
    page.print(f"{document['searched']:,} tables, {document['solved']} solved{nothing}.")
    if not document["tables"]:
        page.print("No table of this range has the hit frequency and deviation that were asked for.")
        return
    nearest = document["tables"][0]
    if nearest["distance"]["value"] > _FAR:
        page.print("None of these comes near: widen the rows with --within, or try other rules with --what-if.")
    page.print(nearest["toml"])


def _in_percent(number: Any) -> str:
    value = number["value"] if isinstance(number, dict) else number
    return f"{100 * value:.4f}%"
