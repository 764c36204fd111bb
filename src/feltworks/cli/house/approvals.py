"""`felt house approvals`: who still has to do what before a game may be offered here."""

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit
from msgspec import Struct

from feltworks.cli.house.books import database_option, log_in, open_books, tribal_option
from feltworks.cli.house.posting import because_option, day_option
from feltworks.cli.options import game_argument, json_option, read_day
from feltworks.cli.output import Page, print_json
from feltworks.cli.tables import Table
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.house.approvals import ApprovalAct, ApprovalBook, ApprovalStatus
    from feltworks.house.law import HouseKind


@click.command()
@game_argument
@tribal_option
@click.option("--meet", metavar="STEP", help="Record that a step is met.")
@click.option(
    "--met-by", default="", show_default=False, metavar="WHO", help="Who met it, as 'the commission'."
)
@click.option("--on", metavar="YYYY-MM-DD", help="When it was met; today unless given.")
@click.option("--until", metavar="YYYY-MM-DD", help="When it runs out.")
@click.option(
    "--reference",
    default="",
    show_default=False,
    metavar="WORDS",
    help="Where that is written: a letter, a licence.",
)
@click.option("--withdraw", metavar="STEP", help="Record that a step does not hold any more.")
@click.option("--record-definition", is_flag=True, help="Record today's definition as the approved one.")
@click.option("--by", metavar="USER", help="Who records it.")
@click.option("--second", metavar="USER", help="The second person.")
@because_option
@day_option
@database_option
@json_option
def approvals(
    game: str,
    tribal: bool,
    meet: str | None,
    met_by: str,
    on: str | None,
    until: str | None,
    reference: str,
    withdraw: str | None,
    record_definition: bool,
    by: str | None,
    second: str | None,
    because: str,
    day: str | None,
    database: str,
    as_json: bool,
) -> None:
    """Show a game's approval as a checklist for this house, or record what was done for it."""
    from feltworks.house.approvals import ApprovalBook

    today, house = read_day(day), _house(tribal)
    record = Record(game, house, today, meet, met_by, on, until, reference, withdraw, record_definition)
    acts = list(record.acts())
    book = ApprovalBook(open_books(database))
    if acts:
        _record(book, acts, by, second, today, because)
    standing = book.status(game, house, today)
    if as_json:
        print_json(_standing_document(standing))
    else:
        _show(standing)
    if not acts and not standing.may_be_offered:
        raise Exit(1)


def _house(tribal: bool) -> "HouseKind":
    return "tribal operation" if tribal else "card room"


class Record(Struct, frozen=True):
    """What the command line wants recorded for a game in a house."""

    game: str
    house: "HouseKind"
    today: date
    meet: str | None
    met_by: str
    on: str | None
    until: str | None
    reference: str
    withdraw: str | None
    definition: bool

    def acts(self) -> "Iterator[ApprovalAct]":
        """The acts for the book, each checked."""
        from feltworks.house.approvals import complete_step, record_definition, withdraw_step

        if self.meet:
            yield complete_step(
                self.game,
                self.house,
                self.meet,
                met_by=self.met_by,
                on=self.today if self.on is None else read_day(self.on),
                reference=self.reference,
                until=None if self.until is None else read_day(self.until),
                today=self.today,
            )
        if self.withdraw:
            yield withdraw_step(self.game, self.house, self.withdraw)
        if self.definition:
            yield record_definition(self.game, self.house, self.reference)


def _record(
    book: "ApprovalBook",
    acts: "list[ApprovalAct]",
    by: str | None,
    second: str | None,
    day: date,
    because: str,
) -> None:
    if by is None or second is None:
        raise BadOption("--by and --second", "missing", "two different users who record it")
    log_in(book.database, (by, second))
    for act in acts:
        book.record(act, by=by, second=second, day=day, explanation=because)


def _standing_document(standing: "ApprovalStatus") -> dict[str, object]:
    steps = [
        {
            "step": step.step,
            "of": step.of,
            "asks": step.asks,
            "clause": step.clause,
            "bars": step.bars,
            "open": step.is_open,
            "met": step.met,
            "signed": step.signed,
            "trouble": step.trouble,
        }
        for step in standing.steps
    ]
    return {
        "game": standing.game,
        "house": standing.house,
        "date": standing.day,
        "may_be_offered": standing.may_be_offered,
        "may_pay_owner": standing.may_pay_owner,
        "wanting": standing.wanting,
        "steps": steps,
        "proven_by_check_table": standing.proven,
        "fingerprint": standing.fingerprint,
        "approved_fingerprint": standing.approved_fingerprint,
        "as_approved": standing.as_approved,
        "changed": standing.changed,
    }


def _show(standing: "ApprovalStatus") -> None:
    page = Page()
    verdict = "may be offered" if standing.may_be_offered else "may not be offered yet"
    page.print(f"{standing.game} in a {standing.house} on {standing.day}: {verdict}", style="bold")
    table = Table("Step", "Asks", "State", "Before")
    for step in standing.steps:
        state = step.trouble or "open"
        if step.met is not None and not step.is_open:
            state = f"met by {step.met.met_by} on {step.met.on}, {step.met.reference}"
        table.add_row(step.step, step.asks, state, step.bars)
    page.print(table)
    if standing.approved_fingerprint is None:
        page.print("No approved definition is on record; --record-definition records it.")
    elif standing.changed:
        page.print(f"Not as approved: changed since then: {', '.join(standing.changed)}.")
    else:
        page.print(f"As approved: {standing.fingerprint[:16]}.")
    if not standing.may_pay_owner:
        page.print("The game's owner may not be paid yet.")
