"""A table's slips over HTTP: opened, filled, credited, closed, its box pulled and counted, all signed."""

from typing import Annotated, Literal

from litestar import post
from litestar.datastructures import State
from litestar.params import JSONBody
from msgspec import Meta, Struct

from feltworks.house.law import HouseKind
from feltworks.house.tables.acts import Payout, Stakes
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.desk import TablePosting
from feltworks.house.users import Person
from feltworks.web.house.asking import Amount, Asker, Count, Word, Words, office_of
from feltworks.web.house.checking import OrderAsked, ordered
from feltworks.web.house.signing import Signings, signatures

Pieces = Annotated[dict[Annotated[int, Meta(ge=1, le=10**9)], Count], Meta(max_length=40)]
Slips = Literal["opener", "closer", "fill", "credit", "drop", "count"]


class _Asked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who signs; a key makes a repetition harmless."""

    signed: Signings
    key: Word = ""


class Opening(_Asked, frozen=True, kw_only=True):
    """Open a table as ordered, with its tray as counted."""

    table: Word
    order: OrderAsked
    cents: Amount
    shift: Word = ""
    house: HouseKind = "card room"


class Moving(_Asked, frozen=True, kw_only=True):
    """Chips brought or taken, or a tray as counted."""

    table: Word
    cents: Amount


class Pulling(_Asked, frozen=True, kw_only=True):
    """A box pulled; its own unless an emergency box was in use."""

    table: Word
    box: Word = ""


class Counting(_Asked, frozen=True, kw_only=True):
    """A box counted twice: how many pieces of each amount in cents."""

    table: Word
    first: Pieces
    second: Pieces
    team_approval: Words = ""


class Voiding(_Asked, frozen=True, kw_only=True):
    """A slip with an error in it."""

    kind: Slips
    serial: Annotated[int, Meta(ge=1, le=10**15)]
    because: Words


class StakesAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Wagers of one size: how many were made."""

    wager: Word
    cents: Amount
    count: Count


class Wagering(_Asked, frozen=True, kw_only=True):
    """Wagers made at a table, from which its theoretical win follows."""

    table: Word
    stakes: Annotated[list[StakesAsked], Meta(min_length=1, max_length=200)]


class Paying(_Asked, frozen=True, kw_only=True):
    """A winning wager worth writing down."""

    table: Word
    wager: Word
    wagered: Amount
    cents: Amount
    player: Words
    hand: Words


def _signed(state: State, person: Person, action: str, asked: _Asked) -> tuple[TableBooks, dict[str, str]]:
    """The books of the tables, and every signature under what is asked."""
    office = office_of(state)
    return TableBooks(office.database), signatures(office, person, action, asked.signed)


@post("/tables/open", status_code=200, sync_to_thread=True)
def open_table(state: State, person: Asker, data: JSONBody[Opening]) -> TablePosting:
    """Open a table, if the law, the rules and the letter allow it."""
    office = office_of(state)
    action = "error" if "security" in data.signed else "opener"
    signed = signatures(office, person, action, data.signed)
    books = TableBooks(office.database, house=data.house)
    return books.open(ordered(data.order), data.table, data.cents, signed, shift=data.shift, key=data.key)


@post("/tables/fill", status_code=200, sync_to_thread=True)
def fill(state: State, person: Asker, data: JSONBody[Moving]) -> TablePosting:
    """Bring chips from the cage to an open table."""
    books, signed = _signed(state, person, "fill", data)
    return books.fill(data.table, data.cents, signed, key=data.key)


@post("/tables/credit", status_code=200, sync_to_thread=True)
def credit(state: State, person: Asker, data: JSONBody[Moving]) -> TablePosting:
    """Take chips from an open table to the cage."""
    books, signed = _signed(state, person, "credit", data)
    return books.credit(data.table, data.cents, signed, key=data.key)


@post("/tables/close", status_code=200, sync_to_thread=True)
def close(state: State, person: Asker, data: JSONBody[Moving]) -> TablePosting:
    """Count the tray of an open table and lock it."""
    books, signed = _signed(state, person, "closer", data)
    return books.close(data.table, data.cents, signed, key=data.key)


@post("/tables/drop", status_code=200, sync_to_thread=True)
def drop(state: State, person: Asker, data: JSONBody[Pulling]) -> TablePosting:
    """Pull the box of a closed table."""
    books, signed = _signed(state, person, "drop", data)
    return books.drop(data.table, signed, box=data.box, key=data.key)


@post("/tables/count", status_code=200, sync_to_thread=True)
def count(state: State, person: Asker, data: JSONBody[Counting]) -> TablePosting:
    """Count the oldest box of a table that waits in the count room; with it the win is final."""
    books, signed = _signed(state, person, "count", data)
    allowed = data.team_approval
    return books.count(data.table, data.first, data.second, signed, team_approval=allowed, key=data.key)


@post("/tables/void", status_code=200, sync_to_thread=True)
def void(state: State, person: Asker, data: JSONBody[Voiding]) -> TablePosting:
    """Void a slip; its number stays and what it moved is moved back."""
    books, signed = _signed(state, person, "void", data)
    return books.void(data.kind, data.serial, data.because, signed, key=data.key)


@post("/tables/wagers", status_code=200, sync_to_thread=True)
def wagers(state: State, person: Asker, data: JSONBody[Wagering]) -> TablePosting:
    """Enter the wagers made at a table."""
    books, signed = _signed(state, person, "wagers", data)
    stakes = [Stakes(each.wager, each.cents, each.count) for each in data.stakes]
    return books.enter_wagers(data.table, stakes, signed, key=data.key)


@post("/tables/payout", status_code=200, sync_to_thread=True)
def payout(state: State, person: Asker, data: JSONBody[Paying]) -> TablePosting:
    """Report a payout; a large one raises its verification."""
    books, signed = _signed(state, person, "payout", data)
    paid = Payout(data.table, 0, data.wager, data.wagered, data.cents, data.player, data.hand)
    return books.pay(paid, signed, key=data.key)


HANDLERS = [open_table, fill, credit, close, drop, count, void, wagers, payout]
