"""`felt games`: lists the games with their wagers, pay tables, options, readings and approval."""

from typing import TYPE_CHECKING

import click

from feltworks.cli.options import json_option
from feltworks.cli.output import PLAY_MONEY, Page, Table, print_json

if TYPE_CHECKING:
    from feltworks.rules.rulebook.model import Option, PayTable, Rulebook


@click.command()
@click.argument("game", required=False, help="Show only this game, with all its options.")
@json_option
def games(game: str | None, as_json: bool) -> None:
    """List the games with their wagers, pay tables and options."""
    from feltworks import catalog

    if game is not None:
        catalog.check_game(game)
    books = [catalog.rulebook(name) for name in ([game] if game else catalog.games())]
    left_out = {} if game else catalog.broken_books()
    if as_json:
        faults = [{"name": name, "fault": str(fault)} for name, fault in left_out.items()]
        print_json({"games": [game_document(book) for book in books], "left_out": faults, "notice": PLAY_MONEY})
    elif game:
        _print_one(books[0])
    else:
        _print_all(books)
        for name, fault in left_out.items():
            click.echo(f"felt: {fault}; the rulebook {name} is left out", err=True)


def game_document(book: "Rulebook") -> dict[str, object]:
    """The JSON document of a game, with the default of each option."""
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


def _wager(book: "Rulebook", name: str) -> dict[str, object]:
    import msgspec

    entry = msgspec.to_builtins(book.wager[name])
    fields = {key: value for key, value in entry.items() if value not in ("", None)}
    tables = [{"name": key, **_pay_table(table)} for key, table in book.pay_table.get(name, {}).items()]
    return {"name": name, **fields, "pay_tables": tables}


def _pay_table(table: "PayTable") -> dict[str, object]:
    import msgspec

    fields = msgspec.to_builtins(table)
    return {key: value for key, value in fields.items() if value or key in ("clause", "pays")}


def _option(name: str, option: "Option") -> dict[str, object]:
    kinds = {"values": option.values, "range": option.range, "members": option.members}
    allowed = {kind: values for kind, values in kinds.items() if values is not None}
    if option.approved is not None:
        allowed["approved"] = option.approved
    return {"name": name, "default": option.preset, **allowed, "clause": option.clause, "text": option.text}


def _print_all(books: list["Rulebook"]) -> None:
    table = Table("Game", "Wagers (pay tables)", "Approved", "Clauses", "Options")
    for book in books:
        wagers = [f"{name}{_tables_of(book, name)}" for name in book.wager]
        clauses, options = str(len(book.clause)), str(len(book.option))
        table.add_row(f"{book.name}\n{book.title}", "\n".join(wagers), _approval(book), clauses, options)
    page = Page()
    page.print(table)
    page.print(f"`felt games GAME` shows one of them with all its options. {PLAY_MONEY}")


def _tables_of(book: "Rulebook", wager: str) -> str:
    tables = book.pay_table.get(wager, {})
    return f" ({', '.join(tables)})" if tables else ""


def _approval(book: "Rulebook") -> str:
    if book.approval is None:
        return "not approved"
    number = f"\nsubmission {book.approval.submission}" if book.approval.submission else ""
    return f"{book.approval.date.isoformat()}{number}"


def _print_one(book: "Rulebook") -> None:
    page = Page()
    page.print(f"{book.title} ({book.name})", style="bold")
    for wager, tables in book.pay_table.items():
        page.print(_pays(f"{book.wager[wager].title} ({wager})", tables))
    page.print(_options(book))
    page.print(_readings(book))
    if book.approval is not None:
        page.print(_conditions(book))
    page.close()


def _pays(title: str, tables: dict[str, "PayTable"]) -> Table:
    """A wager's pay tables side by side, with a row for each outcome."""
    headings = [f"Table {name} ({pays.clause})" for name, pays in tables.items()]
    table = Table("Outcome", *headings, title=title)
    rows = dict.fromkeys(row for pays in tables.values() for row in pays.pays)
    for row in rows:
        table.add_row(row, *(_pay(pays, row) for pays in tables.values()))
    for row in dict.fromkeys(row for pays in tables.values() for row in pays.factors):
        factors = [pays.factors.get(row) for pays in tables.values()]
        table.add_row(row, *(f"× {factor}" if factor else "" for factor in factors))
    for switch in dict.fromkeys(name for pays in tables.values() for name in pays.switches):
        states = [pays.switches.get(switch, True) for pays in tables.values()]
        table.add_row(switch.replace("_", " "), *("yes" if state else "no" for state in states))
    return table


def _pay(table: "PayTable", row: str) -> str:
    pay = table.pays.get(row, "")
    text = pay if isinstance(pay, str) else f"as option {pay.option} says"
    decks = table.needs_decks.get(row)
    return f"{text} ({decks} decks or more)" if decks else text


def _options(book: "Rulebook") -> Table:
    table = Table("Option", "Default", "Takes", "Clause", "Meaning", title="Options")
    for name, option in book.option.items():
        preset = option.preset
        default = ", ".join(preset) if isinstance(preset, tuple) else str(preset)
        text = default.lower() if isinstance(preset, bool) else default
        table.add_row(name, text, option.allowed, option.clause, option.text)
    return table


def _readings(book: "Rulebook") -> Table:
    table = Table("Clause", "How we read it", "Because", "Alternatives", title="Readings")
    for reading in book.reading:
        table.add_row(reading.clause, reading.settles, reading.because, "\n".join(reading.alternatives))
    return table


def _conditions(book: "Rulebook") -> Table:
    assert book.approval is not None
    table = Table("Asked of", "Condition", "Clause", title=f"Approved {_approval(book)}".replace("\n", ", "))
    for condition in book.approval.conditions:
        table.add_row(condition.of, condition.text, condition.clause)
    for remark in book.approval.remarks:
        table.add_row("remark", remark, "")
    return table
