"""`felt house profile`: what the law asks of a house on a day."""

from datetime import date
from typing import Annotated

import typer

from feltworks.cli.house.asking import AsJson, Tribal, read_day
from feltworks.cli.output import console, new_table, print_json


def profile(
    day: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The day; today unless given.")
    ] = None,
    tribal: Tribal = False,
    as_json: AsJson = False,
) -> None:
    """Show the law of a day, each value with its source and how sure we are of it."""
    from feltworks.house.law import SURE, profile_on

    on = date.today() if day is None else read_day(day)
    found = profile_on(on, "tribal operation" if tribal else "card room")
    if as_json:
        values = {
            subject: {
                "value": dated.value,
                "from": dated.from_,
                "source": dated.source,
                "sure": dated.sure,
                "verified": dated.sure in SURE,
            }
            for subject, dated in found.values.items()
        }
        print_json({"date": found.day, "house": found.house, "values": values})
        return
    table = new_table(
        "Subject", "Value", "From", "How sure", "Source", title=f"The law of a {found.house} on {found.day}"
    )
    for subject, dated in found.values.items():
        sure = dated.sure if dated.sure in SURE else f"unverified: {dated.sure}"
        table.add_row(subject, str(dated.value), str(dated.from_), sure, dated.source)
    console().print(table)
