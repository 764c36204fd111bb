"""A demo house: people whose password is shown, an approved game, and a table in the middle of its day."""

from functools import partial
from typing import Final

from litestar import get
from litestar.datastructures import State
from msgspec import Struct

from feltworks import catalog
from feltworks.house.approvals import ApprovalBook, complete_step, record_definition
from feltworks.house.configuration import check_table
from feltworks.house.duties import Role
from feltworks.house.law import HouseKind
from feltworks.house.order import TableOrder
from feltworks.house.storage.database import Database
from feltworks.house.tables.books import TableBooks
from feltworks.house.users import Users
from feltworks.table.limits import WagerLimit
from feltworks.web.house.office import today

PASSWORD: Final = "the demo house"
PEOPLE: Final[dict[str, Role]] = {
    "ada": "administrator",
    "ines": "accounting",
    "flo": "floor supervisor",
    "dee": "dealer",
    "cal": "cage",
    "sam": "security",
    "sue": "surveillance",
    "reg": "regulator",
    "art": "accounting",
    "ben": "dealer",
}
HOUSE: Final[HouseKind] = "card room"


class DemoPerson(Struct, frozen=True):
    """Somebody who can be logged in as."""

    name: str
    role: str


class DemoHouse(Struct, frozen=True):
    """The people of a demo house and the password that they share."""

    password: str
    people: list[DemoPerson]


@get("/demo", sync_to_thread=False)
def demo(state: State) -> DemoHouse | None:
    """The people of the demo house; nothing at any other house."""
    people = [DemoPerson(name, role) for name, role in PEOPLE.items()]
    return DemoHouse(PASSWORD, people) if state.is_demo else None


def furnish(database: Database) -> None:
    """Hire everybody, approve the first game that such a house may offer, and open two tables of it."""
    _hire(Users(database))
    order = next(order for name in catalog.games() if not check_table(order := _order(name)).refusals)
    _approve(ApprovalBook(database), order.game)
    _open_tables(TableBooks(database), order)


def _order(game: str) -> TableOrder:
    wagers = catalog.rulebook(game).wager
    limits = {name: WagerLimit(5_00, 100_00) for name, entry in wagers.items() if entry.kind == "main"}
    return TableOrder(game, today(), limits=limits, house=HOUSE)


def _hire(users: Users) -> None:
    first, second = list(PEOPLE)[:2]
    for number, (name, role) in enumerate(PEOPLE.items()):
        users.add(name, role, PASSWORD, by=first, second=second if number > 1 else None)
        if number:
            users.set_password(name, PASSWORD, by=name)  # one that others set is temporary


def _approve(book: ApprovalBook, game: str) -> None:
    record = partial(book.record, by="ines", second="ada", day=today())
    for step in book.status(game, HOUSE, today()).steps:
        name = step.step
        act = complete_step(game, HOUSE, name, met_by="the house", on=today(), reference="demo", today=today())
        record(act)
    record(record_definition(game, HOUSE, "demo"))


def _open_tables(books: TableBooks, order: TableOrder) -> None:
    pit = {"floor supervisor": "flo", "dealer": "dee"}
    for table in ("1", "2"):
        books.open(order, table, 10_000_00, pit)
    books.fill("1", 1_500_00, {**pit, "cage": "cal", "security": "sam"})


HANDLERS: Final = [demo]
