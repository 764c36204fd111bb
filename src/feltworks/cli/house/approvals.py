"""`felt house approvals` and `approve`: the steps before a game may be offered, and approvals for the house."""

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Final

import click
from click.exceptions import Exit
from msgspec import Struct

from feltworks.cli.house.books import (
    because_option,
    database_option,
    day_option,
    log_in,
    open_books,
    tribal_option,
)
from feltworks.cli.house.register import RecordOptions, record_options
from feltworks.cli.options import CHANGE, DAY, Decorator, game_argument, json_option, option_group, words_option
from feltworks.cli.output import Page, Table, fields_of, print_json
from feltworks.errors import BadOption
from feltworks.money import Cents
from feltworks.table.wording import sentence

if TYPE_CHECKING:
    from feltworks.house.approvals import ApprovalAct, ApprovalBook, ApprovalStatus
    from feltworks.house.law import HouseKind


_OPTIONS: Final[list[Decorator]] = [
    game_argument,
    tribal_option,
    click.option("--meet", metavar="STEP", help="Record that a step is met."),
    words_option("--met-by", metavar="WHO", help="Who met it, as 'the commission'."),
    click.option("--on", type=DAY, help="When it was met; today unless given."),
    click.option("--until", type=DAY, help="When it runs out."),
    words_option("--reference", help="Where that is written: a letter, a licence."),
    click.option("--withdraw", metavar="STEP", help="Record that a step does not hold any more."),
    click.option("--record-definition", is_flag=True, help="Record today's definition as the approved one."),
    click.option("--by", metavar="USER", help="Who records it."),
    click.option("--second", metavar="USER", help="The second person."),
    because_option,
    day_option,
]


class ApprovalOptions(Struct, frozen=True):
    """A game in a house, and what to record for it, from the command line."""

    game: str
    house: "HouseKind | None"
    meet: str | None
    met_by: str
    on: date | None
    until: date | None
    reference: str
    withdraw: str | None
    record_definition: bool
    by: str | None
    second: str | None
    because: str
    day: date

    def acts(self, house: "HouseKind") -> "Iterator[ApprovalAct]":
        """The checked acts to record."""
        from feltworks.house.approvals import complete_step, record_definition, withdraw_step

        if self.meet:
            yield complete_step(
                self.game,
                house,
                self.meet,
                met_by=self.met_by,
                on=self.on or self.day,
                reference=self.reference,
                until=self.until,
                today=self.day,
            )
        if self.withdraw:
            yield withdraw_step(self.game, house, self.withdraw)
        if self.record_definition:
            yield record_definition(self.game, house, self.reference)

    def record(self, book: "ApprovalBook", acts: "list[ApprovalAct]") -> None:
        """Record the acts after both persons have given their passwords."""
        if self.by is None or self.second is None:
            raise BadOption("--by and --second", "missing", "two different users who record it")
        log_in(book.database, (self.by, self.second))
        for act in acts:
            book.record(act, by=self.by, second=self.second, day=self.day, explanation=self.because)


@click.command()
@option_group("options", ApprovalOptions, _OPTIONS)
@database_option
@json_option
def approvals(options: ApprovalOptions, database: str, as_json: bool) -> None:
    """Show a game's approval as a checklist for this house, or record what was done for it."""
    from feltworks.house.approvals import ApprovalBook

    house = options.house or "card room"
    acts = list(options.acts(house))
    book = ApprovalBook(open_books(database))
    if acts:
        options.record(book, acts)
    standing = book.status(options.game, house, options.day)
    if as_json:
        print_json(_status_document(standing))
    else:
        _show(standing)
    if not acts and not standing.may_be_offered:
        raise Exit(1)


@click.command()
@click.argument("matter", help="count-team (of two), toke-method or imprest.")
@click.option("--reference", required=True, metavar="WORDS", help="The letter or method that is approved.")
@click.option("--until", type=DAY, help="When it runs out.")
@click.option("--amount", default="0", type=CHANGE, help="The amount of an imprest.")
@record_options
def approve(record: RecordOptions, matter: str, reference: str, until: date | None, amount: Cents) -> None:
    """Record an approval for the house, from a day on."""
    from feltworks.house.approvals import ApprovalBook, approve_for_house, describe_act, known_matter

    act = approve_for_house(known_matter(matter), reference, record.day, until, amount)
    book = ApprovalBook(open_books(record.database))
    log_in(book.database, (record.by, record.second))
    number = book.record(act, by=record.by, second=record.second, day=min(record.day, date.today()))
    if record.as_json:
        print_json({"posting": number, "approval": act})
    else:
        click.echo(f"{sentence(describe_act(act))}.")


def _status_document(standing: "ApprovalStatus") -> dict[str, object]:
    from msgspec.structs import asdict

    return {
        **fields_of(standing, "game", "house", "may_be_offered", "may_pay_owner", "wanting"),
        **fields_of(standing, "fingerprint", "approved_fingerprint", "as_approved", "changed"),
        "date": standing.day,
        "steps": [{**asdict(step), "open": step.is_open} for step in standing.steps],
        "proven_by_check_table": standing.proven,
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
