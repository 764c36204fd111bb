"""`felt trace`: for every clause, where it is implemented and which tests prove it."""

from typing import TYPE_CHECKING, Annotated

import typer

from feltworks.cli.output import console, new_table, print_json

if TYPE_CHECKING:
    from feltworks.tracing import ClauseTrace


def trace(
    clauses: Annotated[
        list[str] | None,
        typer.Argument(metavar="CLAUSE", help="Only these: ids (XY.7), ranges (XY.5-9) or documents (XY)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show where each clause is implemented and which tests prove it."""
    from feltworks import tracing

    traced = tracing.trace(clauses or ())
    tests_known = bool(tracing.files_of_tests())
    if as_json:
        print_json({"clauses": traced, "tests_known": tests_known})
    elif clauses:
        _print_places(traced, tests_known=tests_known)
    else:
        _print_counts(traced)
    lacking = [clause for clause in traced if clause.missing(tests_known=tests_known)]
    if not as_json:
        _print_verdict(traced, lacking, tests_known=tests_known)
    if lacking:
        raise typer.Exit(1)


def _print_counts(traced: list["ClauseTrace"]) -> None:
    table = new_table("Clause", "Says", "Code", "Tests")
    for clause in traced:
        code, tests = str(len(clause.implemented) or "none"), str(len(clause.tests) or "none")
        says = f"Waits for {clause.waiting}" if clause.waiting is not None else _first_sentence(clause.text)
        table.add_row(clause.id, says, code, tests)
    console().print(table)


def _first_sentence(text: str) -> str:
    sentence, stop, _ = text.partition(". ")
    return sentence + stop.strip()


def _print_places(traced: list["ClauseTrace"], *, tests_known: bool) -> None:
    screen = console()
    for clause in traced:
        screen.print(clause.id, style="bold")
        screen.print(clause.text)
        if clause.waiting is not None:
            screen.print(f"  waits for {clause.waiting}")
        for place in clause.implemented or ["nowhere yet"]:
            screen.print(f"  implemented {place}", soft_wrap=True)
        for test in clause.tests or ["no test yet"] * tests_known:
            screen.print(f"  proved by   {test}", soft_wrap=True)


def _print_verdict(traced: list["ClauseTrace"], lacking: list["ClauseTrace"], *, tests_known: bool) -> None:
    screen = console()
    if not tests_known:
        screen.print("The tests are not part of this installation, so only the code is traced.")
    for clause in lacking:
        words = " and ".join(f"no {word}" for word in clause.missing(tests_known=tests_known))
        screen.print(f"{clause.id} has {words}.")
    waiting = [clause.id for clause in traced if clause.waiting is not None]
    waits = f"; waiting: {', '.join(waiting)}" if waiting else ""
    screen.print(f"{len(traced) - len(lacking) - len(waiting)} of {len(traced)} clauses are traced{waits}.")
