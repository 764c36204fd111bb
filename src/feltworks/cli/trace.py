"""`felt trace`: shows for every clause where it is implemented and which tests check it."""

from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from feltworks.cli.options import json_option
from feltworks.cli.output import Page, Table, print_json

if TYPE_CHECKING:
    from feltworks.tracing import ClauseTrace


@click.command()
@click.argument("clauses", nargs=-1, metavar="[CLAUSE]...", help="Ids (XY.7), ranges (XY.5-9) or documents (XY).")
@json_option
def trace(clauses: tuple[str, ...], as_json: bool) -> None:
    """Show the code and the tests of each clause."""
    from feltworks import tracing

    traces = tracing.trace(clauses)
    tests_known = bool(tracing.files_of_tests())
    if as_json:
        print_json({"clauses": traces, "tests_known": tests_known})
    elif clauses:
        _print_places(traces, tests_known=tests_known)
    else:
        _print_counts(traces)
    untraced = [clause for clause in traces if clause.missing(tests_known=tests_known)]
    if not as_json:
        _print_verdict(traces, untraced, tests_known=tests_known)
    if untraced:
        raise Exit(1)


def _print_counts(traces: list["ClauseTrace"]) -> None:
    table = Table("Clause", "Says", "Code", "Tests")
    for clause in traces:
        code, tests = str(len(clause.implemented) or "none"), str(len(clause.tests) or "none")
        says = f"Waits for {clause.waiting}" if clause.waiting is not None else _first_sentence(clause.text)
        table.add_row(clause.id, says, code, tests)
    Page().print(table)


def _first_sentence(text: str) -> str:
    sentence, stop, _ = text.partition(". ")
    return sentence + stop.strip()


def _print_places(traces: list["ClauseTrace"], *, tests_known: bool) -> None:
    page = Page()
    for clause in traces:
        page.print(clause.id, style="bold")
        page.print(clause.text)
        if clause.waiting is not None:
            page.print(f"  waits for {clause.waiting}")
        for place in clause.implemented or ["nowhere yet"]:
            page.print_whole(f"  implemented {place}")
        for test in clause.tests or ["no test yet"] * tests_known:
            page.print_whole(f"  proved by   {test}")


def _print_verdict(traces: list["ClauseTrace"], untraced: list["ClauseTrace"], *, tests_known: bool) -> None:
    page = Page()
    if not tests_known:
        page.print("The tests are not part of this installation, so only the code is traced.")
    for clause in untraced:
        words = " and ".join(f"no {word}" for word in clause.missing(tests_known=tests_known))
        page.print(f"{clause.id} has {words}.")
    waiting = [clause.id for clause in traces if clause.waiting is not None]
    pending = f"; waiting: {', '.join(waiting)}" if waiting else ""
    page.print(f"{len(traces) - len(untraced) - len(waiting)} of {len(traces)} clauses are traced{pending}.")
