"""`felt house approvals`: who still has to do what before a game may be offered here."""

from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Because, Day, Tribal, Url, read_day
from feltworks.cli.output import console, new_table, print_json
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.house.approvals import ApprovalAct, ApprovalStatus
    from feltworks.house.law import HouseKind


def approvals(
    game: Annotated[str, typer.Argument(help="The game, as felt games lists it.")],
    tribal: Tribal = False,
    meet: Annotated[str | None, typer.Option(metavar="STEP", help="Record that a step is met.")] = None,
    met_by: Annotated[str, typer.Option(help="Who met it, as 'the commission'.")] = "",
    on: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="When it was met; today unless given.")
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="When it runs out.")] = None,
    reference: Annotated[str, typer.Option(help="Where that is written: a letter, a licence.")] = "",
    withdraw: Annotated[
        str | None, typer.Option(metavar="STEP", help="Record that a step does not hold any more.")
    ] = None,
    record_definition: Annotated[
        bool, typer.Option("--record-definition", help="Record today's definition as the approved one.")
    ] = False,
    by: Annotated[str | None, typer.Option(metavar="USER", help="Who records it.")] = None,
    second: Annotated[str | None, typer.Option(metavar="USER", help="The second person.")] = None,
    because: Because = "",
    day: Day = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Show a game's approval as a checklist for this house, or record what was done for it."""
    from feltworks.cli.house.proving import proved
    from feltworks.house.approvals import ApprovalBook

    today = date.today() if day is None else read_day(day)
    said = _Said(game, "tribal operation" if tribal else "card room", today, reference)
    acts = [
        *(_met(said, step, met_by, on, until) for step in filter(None, [meet])),
        *(_withdrawn(said, step) for step in filter(None, [withdraw])),
        *(_recorded(said) for _ in range(record_definition)),
    ]
    books = asking.books(database)
    book = ApprovalBook(books)
    if acts:
        if by is None or second is None:
            raise BadOption("--by and --second", "missing", "two different users who record it")
        proved(books, (by, second))
    for act in acts:
        book.record(act, by=by or "", second=second or "", day=today, explanation=because)
    found = book.status(game, said.house, today)
    if as_json:
        print_json(described(found))
    else:
        _print(found)
    if not acts and not found.may_be_offered:
        raise typer.Exit(1)


class _Said(NamedTuple):
    """For which game, house and day something is recorded, and where it is written."""

    game: str
    house: "HouseKind"
    today: date
    reference: str


def _met(said: _Said, step: str, met_by: str, on: str | None, until: str | None) -> "ApprovalAct":
    from feltworks.house.approvals import complete_step

    return complete_step(
        said.game,
        said.house,
        step,
        met_by=met_by,
        on=said.today if on is None else read_day(on),
        reference=said.reference,
        until=None if until is None else read_day(until),
        today=said.today,
    )


def _withdrawn(said: _Said, step: str) -> "ApprovalAct":
    from feltworks.house.approvals import withdraw_step

    return withdraw_step(said.game, said.house, step)


def _recorded(said: _Said) -> "ApprovalAct":
    from feltworks.house.approvals import record_definition

    return record_definition(said.game, said.house, said.reference)


def described(found: "ApprovalStatus") -> dict[str, Any]:
    """How a game stands, as programs read it."""
    steps = [
        {
            "step": each.step,
            "of": each.of,
            "asks": each.asks,
            "clause": each.clause,
            "bars": each.bars,
            "open": each.is_open,
            "met": each.met,
            "signed": each.signed,
            "trouble": each.trouble,
        }
        for each in found.steps
    ]
    return {
        "game": found.game,
        "house": found.house,
        "date": found.day,
        "may_be_offered": found.may_be_offered,
        "may_pay_owner": found.may_pay_owner,
        "wanting": found.wanting,
        "steps": steps,
        "proven_by_check_table": found.proven,
        "fingerprint": found.fingerprint,
        "approved_fingerprint": found.approved_fingerprint,
        "as_approved": found.as_approved,
        "changed": found.changed,
    }


def _print(found: "ApprovalStatus") -> None:
    screen = console()
    verdict = "may be offered" if found.may_be_offered else "may not be offered yet"
    screen.print(f"{found.game} in a {found.house} on {found.day}: {verdict}", style="bold")
    table = new_table("Step", "Asks", "State", "Before")
    for each in found.steps:
        state = each.trouble or "open"
        if each.met is not None and not each.is_open:
            state = f"met by {each.met.met_by} on {each.met.on}, {each.met.reference}"
        table.add_row(each.step, each.asks, state, each.bars)
    screen.print(table)
    if found.approved_fingerprint is None:
        screen.print("No approved definition is on record; --record-definition puts it there.")
    elif found.changed:
        screen.print(f"Not as approved: changed since are {', '.join(found.changed)}.")
    else:
        screen.print(f"As approved: {found.fingerprint[:16]}.")
    if not found.may_pay_owner:
        screen.print("The game's owner may receive no proceeds yet.")
