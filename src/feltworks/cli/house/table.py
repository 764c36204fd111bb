"""`felt house table`: a table's slips from opener to count, and the master games report."""

from datetime import date
from typing import Annotated

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Because, Day, Key, Tribal, Url, read_day
from feltworks.cli.house.ordering import Aggregate, Chosen, Limit, PayTable, Seats
from feltworks.cli.house.proving import Sign, signatures
from feltworks.errors import UnknownName


def table(
    act: Annotated[
        str,
        typer.Argument(
            metavar="ACT",
            help="open, fill, credit, close, drop, count, void, wagers, payout, tokes, share-tokes, done,"
            " tasks or report.",
        ),
    ],
    name: Annotated[str, typer.Argument(metavar="TABLE", help="The table's number or name.")] = "",
    sign: Sign = None,
    amount: Annotated[str, typer.Option(help="The tray as counted, the fill, the credit, the payout.")] = "",
    order: Annotated[str, typer.Option(metavar="FILE|GAME", help="open: how the table is ordered.")] = "",
    chosen: Chosen = None,
    pay_table: PayTable = None,
    limit: Limit = None,
    aggregate: Aggregate = None,
    seats: Seats = None,
    shift: Annotated[str, typer.Option(help="open: the shift, where a day has several boxes.")] = "",
    tribal: Tribal = False,
    box: Annotated[str, typer.Option(help="drop: the box, if not the table's own.")] = "",
    first: Annotated[str, typer.Option(help="count: the first count, as 12x100,5x20.")] = "",
    second: Annotated[str, typer.Option(help="count: the second count.")] = "",
    team_approval: Annotated[str, typer.Option(help="count: what allows a team of two.")] = "",
    slip: Annotated[str, typer.Option(help="void: the slip, as fill-12.")] = "",
    wager: Annotated[
        list[str] | None,
        typer.Option(help="wagers: as ante=400x10. payout: what won, as tie=100."),
    ] = None,
    log: Annotated[str, typer.Option(metavar="FILE", help="wagers: out of the log of a dealt table.")] = "",
    player: Annotated[str, typer.Option(help="payout: who won.")] = "",
    hand: Annotated[str, typer.Option(help="payout: with which cards.")] = "",
    share: Annotated[list[str] | None, typer.Option(help="share-tokes: to whom, as ann=40.")] = None,
    task: Annotated[int, typer.Option(metavar="N", help="done: the task.")] = 0,
    reference: Annotated[str, typer.Option(help="done: where it is written. share-tokes: the method.")] = "",
    because: Because = "",
    day: Day = None,
    key: Key = None,
    database: Url = asking.DEFAULT_URL,
    as_csv: Annotated[bool, typer.Option("--csv", help="report: print a sheet.")] = False,
    as_json: AsJson = False,
) -> None:
    """Keep a table's books: opener, fills, credits, closer, drop and count, tokes, tasks, and the report."""
    from feltworks.cli.house.table_acts import ACTS, Asked
    from feltworks.cli.house.table_telling import print_report, print_tasks, tell

    if act not in (*ACTS, "tasks", "report"):
        raise UnknownName("act", act, [*ACTS, "tasks", "report"], of="felt house table")
    books, today = asking.books(database), date.today() if day is None else read_day(day)
    if act == "report":
        print_report(books, today, as_json=as_json, as_csv=as_csv)
    elif act == "tasks":
        print_tasks(books, as_json=as_json)
    else:
        asked = Asked(
            books=books,
            table=name,
            day=today,
            signed=signatures(sign),
            house="tribal operation" if tribal else None,
            key=key or "",
            said={
                "amount": amount,
                "order": order,
                "day": day,
                "shift": shift,
                "box": box,
                "first": first,
                "second": second,
                "team_approval": team_approval,
                "slip": slip,
                "log": log,
                "player": player,
                "hand": hand,
                "task": task,
                "reference": reference,
                "because": because,
            },
            ordered={
                "chosen": chosen,
                "pay_table": pay_table,
                "limit": limit,
                "aggregate": aggregate,
                "seats": seats,
            },
            wagers=wager or [],
            shares=share or [],
        )
        tell(books, ACTS[act](asked), as_json=as_json)
