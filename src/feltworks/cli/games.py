"""`felt games`: which games there are, with their wagers, pay tables, options, readings and approval."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltworks.cli.output import PLAY_MONEY, console, new_table, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from feltworks.rules.rulebook.model import Option, PayTable, Rulebook


def games(
    game: Annotated[str | None, typer.Argument(help="Show only this game, with all its options.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List the games with their wagers, pay tables and options."""
    from feltworks import catalog

    if game is not None:
        catalog.check_game(game)
    books = [catalog.rulebook(name) for name in ([game] if game else catalog.games())]
    left_out = {} if game else catalog.broken_books()
    if as_json:
        faults = [{"name": name, "fault": str(fault)} for name, fault in left_out.items()]
        print_json({"games": [described(book) for book in books], "left_out": faults, "notice": PLAY_MONEY})
    elif game:
        _print_one(books[0])
    else:
        _print_all(books)
        for name, fault in left_out.items():
            typer.echo(f"felt: {fault}; the rulebook {name} is left out", err=True)


def described(book: "Rulebook") -> dict[str, Any]:
    """A rulebook as programs read it; every option with its default."""
    return {
        "name": book.name,
        "title": book.title,
        "cards": book.cards,
        "wagers": [_wager(book, name) for name in book.wager],
        "options": [_option(name, option) for name, option in book.option.items()],
        "clauses": book.clause,
        "waiting": book.waiting,
        "approval": book.approval,
        "published": book.published,
        "readings": book.reading,
    }


def _wager(book: "Rulebook", name: str) -> dict[str, Any]:
    import msgspec

    entry = msgspec.to_builtins(book.wager[name])
    said = {key: value for key, value in entry.items() if value not in ("", None)}
    tables = [{"name": key, **_pay_table(table)} for key, table in book.pay_table.get(name, {}).items()]
    return {"name": name, **said, "pay_tables": tables}


def _pay_table(table: "PayTable") -> dict[str, Any]:
    import msgspec

    built = msgspec.to_builtins(table)
    return {key: value for key, value in built.items() if value or key in ("clause", "pays")}


def _option(name: str, option: "Option") -> dict[str, Any]:
    kinds = {"values": option.values, "range": option.range, "members": option.members}
    taken = {kind: allowed for kind, allowed in kinds.items() if allowed is not None}
    if option.approved is not None:
        taken["approved"] = option.approved
    return {"name": name, "default": option.preset, **taken, "clause": option.clause, "text": option.text}


def _print_all(books: list["Rulebook"]) -> None:
    table = new_table("Game", "Wagers (pay tables)", "Approved", "Clauses", "Options")
    for book in books:
        wagers = [f"{name}{_tables_of(book, name)}" for name in book.wager]
        clauses, options = str(len(book.clause)), str(len(book.option))
        named = f"{book.name}\n{book.title}"
        table.add_row(named, "\n".join(wagers), _approved(book), clauses, options)
    screen = console()
    screen.print(table)
    screen.print(f"`felt games GAME` shows one of them with all its options. {PLAY_MONEY}")


def _tables_of(book: "Rulebook", wager: str) -> str:
    tables = book.pay_table.get(wager, {})
    return f" ({', '.join(tables)})" if tables else ""


def _approved(book: "Rulebook") -> str:
    if book.approval is None:
        return "not approved"
    number = f"\nsubmission {book.approval.submission}" if book.approval.submission else ""
    return f"{book.approval.date.isoformat()}{number}"


def _print_one(book: "Rulebook") -> None:
    screen = console()
    screen.print(f"{book.title} ({book.name})", style="bold")
    for wager, tables in book.pay_table.items():
        screen.print(_pays(f"{book.wager[wager].title} ({wager})", tables))
    screen.print(_options(book))
    screen.print(_readings(book))
    if book.approval is not None:
        screen.print(_conditions(book))
    screen.print(PLAY_MONEY)


def _pays(title: str, tables: dict[str, "PayTable"]) -> "Table":
    """A wager's pay tables side by side, a row an outcome."""
    headings = [f"Table {name} ({pays.clause})" for name, pays in tables.items()]
    table = new_table("Outcome", *headings, title=title)
    rows = dict.fromkeys(row for pays in tables.values() for row in pays.pays)
    for row in rows:
        table.add_row(row, *(_paid(pays, row) for pays in tables.values()))
    for row in dict.fromkeys(row for pays in tables.values() for row in pays.factors):
        factors = [pays.factors.get(row) for pays in tables.values()]
        table.add_row(row, *(f"× {factor}" if factor else "" for factor in factors))
    for switch in dict.fromkeys(name for pays in tables.values() for name in pays.switches):
        said = [pays.switches.get(switch, True) for pays in tables.values()]
        table.add_row(switch.replace("_", " "), *("yes" if holds else "no" for holds in said))
    return table


def _paid(table: "PayTable", row: str) -> str:
    pay = table.pays.get(row, "")
    said = pay if isinstance(pay, str) else f"as option {pay.option} says"
    decks = table.needs_decks.get(row)
    return f"{said} ({decks} decks or more)" if decks else said


def _options(book: "Rulebook") -> "Table":
    table = new_table("Option", "Default", "Takes", "Clause", "Meaning", title="Options")
    for name, option in book.option.items():
        preset = option.preset
        default = ", ".join(preset) if isinstance(preset, tuple) else str(preset)
        shown = default.lower() if isinstance(preset, bool) else default
        table.add_row(name, shown, option.allowed, option.clause, option.text)
    return table


def _readings(book: "Rulebook") -> "Table":
    table = new_table("Clause", "How we read it", "Because", "Alternatives", title="Readings")
    for reading in book.reading:
        table.add_row(reading.clause, reading.settles, reading.because, "\n".join(reading.alternatives))
    return table


def _conditions(book: "Rulebook") -> "Table":
    assert book.approval is not None
    table = new_table(
        "Asked of", "Condition", "Clause", title=f"Approved {_approved(book)}".replace("\n", ", ")
    )
    for condition in book.approval.conditions:
        table.add_row(condition.of, condition.text, condition.clause)
    for remark in book.approval.remarks:
        table.add_row("remark", remark, "")
    return table
