"""`felt house close`, `closed`, `summary` and `hold`: closed periods, and the results of a period."""

from fractions import Fraction
from typing import TYPE_CHECKING

import click

from feltworks.cli.house.books import database_option, existing_books, log_in
from feltworks.cli.options import PART, json_option
from feltworks.cli.output import Page, Table, print_json
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.house.tables.report import PeriodSummary

period_argument = click.argument(
    "period", metavar="PERIOD", help="A day, month, quarter or year: 2024-01-31, 2024-01, 2024-Q1, 2024."
)


@click.command()
@period_argument
@click.option("--by", required=True, metavar="USER", help="Who closes it, from accounting.")
@click.option("--second", required=True, metavar="USER", help="The second person: accounting, cage or administrator.")
@database_option
@json_option
def close(period: str, by: str, second: str, database: str, as_json: bool) -> None:
    """Close a day, month, quarter or year: nothing more is posted for it."""
    from feltworks.house.closing import ClosingBook, parse_span

    span, books = parse_span(period), existing_books(database)
    log_in(books, (by, second))
    closed = ClosingBook(books).close(span, by=by, second=second)
    if as_json:
        print_json({"closed": closed})
        return
    click.echo(f"The {closed.kind} {closed.name} is closed. Note these seals elsewhere:")
    for name, head in closed.heads.items():
        if head.number:
            click.echo(f"  {name}:{head.number}:{head.seal}")  # the form that `felt house verify --expect` reads


@click.command()
@database_option
@json_option
def closed(database: str, as_json: bool) -> None:
    """List the periods that are closed."""
    from feltworks.house.closing import ClosingBook

    spans = ClosingBook(existing_books(database)).closed_periods()
    if as_json:
        print_json({"closed": spans})
        return
    table = Table("Period", "Kind", "First day", "Last day")
    for span in spans:
        table.add_row(span.name, span.kind, span.first.isoformat(), span.last.isoformat())
    Page().print(table)


@click.command()
@period_argument
@click.option("--tax-rate", type=PART, help="The local tax on gross receipts, as 0.1 or 1/10.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the lines as CSV.")
@database_option
@json_option
def summary(period: str, tax_rate: Fraction | None, as_csv: bool, database: str, as_json: bool) -> None:
    """Summarize a period: drop and win by day and game, gross receipts and their tax."""
    from feltworks.house.closing import parse_span
    from feltworks.house.tables.report import summarize, summary_csv

    summed = summarize(existing_books(database), parse_span(period), tax_rate=tax_rate)
    if as_json:
        print_json(summed)
    elif as_csv:
        click.echo(summary_csv(summed), nl=False)
    else:
        _show(summed)


def _show(summed: "PeriodSummary") -> None:
    page = Page()
    state = f"closed with {summed.closed}" if summed.closed else "not closed"
    page.print(f"{summed.period}: {state}, {summed.uncounted_boxes} boxes not counted")
    table = Table("Day", "Game", "Boxes", "Drop", "Win", "Hold", "Revised")
    for line in summed.lines:
        hold = "" if line.hold is None else f"{line.hold:.1%}"
        table.add_row(
            line.day.isoformat(),
            line.game,
            str(line.boxes),
            dollars(line.drop),
            dollars(line.win),
            hold,
            str(line.revisions) if line.revisions else "",
        )
    page.print(table)
    page.print(f"Drop {dollars(summed.total.drop)}, win {dollars(summed.total.win)}.")
    page.print(f"Gross receipts {dollars(summed.gross_receipts)}, tokes {dollars(summed.tokes)}.")
    page.print(f"Paid into progressive prizes by players: {dollars(summed.progressives.accrued)}.")
    if summed.tax.cents is not None:
        page.print(f"Tax at {summed.tax.rate}: {dollars(summed.tax.cents)}.")


@click.command()
@period_argument
@click.option("--rate", default=0.01, metavar="PART", help="The part of reports on honest play that raise an alarm.")
@database_option
@json_option
def hold(period: str, rate: float, database: str, as_json: bool) -> None:
    """Compare the win of tables, games and dealers with the exact expectation."""
    from feltworks.house.closing import parse_span
    from feltworks.house.tables.hold import hold_report

    report = hold_report(existing_books(database), parse_span(period), rate=rate)
    if as_json:
        print_json(report)
        return
    table = Table("Of", "Name", "Boxes", "Wagered", "Win", "Expected", "Chance", "Verdict")
    for line in report.lines:
        table.add_row(
            line.subject,
            line.name,
            str(line.boxes),
            dollars(line.wagered),
            dollars(line.win),
            dollars(round(line.expected.value)),
            f"{line.chance:.2g}",
            "surprising" if line.surprising else "as expected",
        )
    page = Page()
    page.print(table)
    page.print(
        f"{report.alarms} surprising; {report.boxes_without_wagers} counted boxes have no wagers entered. "
        f"Honest play raises an alarm in {rate:.2%} of such reports."
    )
