"""The floor on which a test stands: everybody whom slips need, and approvals that let games be offered."""

from datetime import date
from itertools import count
from typing import Any

from argon2 import PasswordHasher

from feltworks.house.approvals import (
    ApprovalBook,
    Matter,
    approve_for_house,
    complete_step,
    record_definition,
    required_steps,
)
from feltworks.house.configuration import TableOrder
from feltworks.house.duties import Role
from feltworks.house.storage.database import Database
from feltworks.house.tables.acts import Chips
from feltworks.house.tables.books import TableBooks
from feltworks.house.users import Users

DAY = date(2024, 1, 31)
PASSWORD = "correct horse battery"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
STAFF: dict[str, Role] = {
    "admin": "administrator",
    "boss": "administrator",
    "dan": "dealer",
    "dora": "dealer",
    "flo": "floor supervisor",
    "fred": "floor supervisor",
    "cara": "cage",
    "carl": "cage",
    "sam": "security",
    "sue": "security",
    "vic": "surveillance",
    "abe": "accounting",
    "amy": "accounting",
    "ann": "accounting",
    "bob": "floor supervisor",
    "reg": "regulator",
}
BOTH = {"floor supervisor": "flo", "dealer": "dan"}
ALL_FOUR = {**BOTH, "cage": "cara", "security": "sam"}
THREE = {**BOTH, "security": "sam"}
CARRIERS = {"security": "sam", "gambling": "flo"}
FIRST, OTHERS = {"first counter": "abe"}, {"second counter": "amy", "third counter": "sue"}  # they count a box
VOIDERS = {"floor supervisor": "fred", "witness": "carl"}
_TABLES = (f"T{number}" for number in count(1))


def hire(database: Database) -> Users:
    """Everybody, once for each database."""
    users = Users(database, hasher=QUICK)
    known = {person.name for person in users.everybody()}
    for name, role in STAFF.items():
        if name not in known:
            second = "boss" if "boss" in known else None
            first = PASSWORD if name == "admin" else f"{PASSWORD} at first"
            users.add(name, role, first, by=None if name == "admin" else "admin", second=second)
            if name != "admin":
                users.set_password(name, PASSWORD, by=name)  # what others set is changed at first use
            known.add(name)
    return users


def approve(database: Database, game: str) -> None:
    """Meet every step of a game's letter for a card room, once for each database."""
    book = ApprovalBook(database)
    if book.status(game, "card room", DAY).may_be_offered:
        return
    for step in required_steps(game, "card room"):
        done = complete_step(
            game, "card room", step, met_by="commission", on=DAY, reference=f"letter on {step}", today=DAY
        )
        book.record(done, by="abe", second="boss", day=DAY)
    book.record(record_definition(game, "card room", "the letter"), by="abe", second="boss", day=DAY)


def approve_here(database: Database, matter: Matter, reference: str, day: date = DAY, cents: int = 0) -> None:
    """Record an approval for the house, valid from a day on."""
    act = approve_for_house(matter, reference, day, cents=cents)
    ApprovalBook(database).record(act, by="abe", second="boss", day=day)


def order(game: str = "fu-bacc", day: date = DAY, **more: Any) -> TableOrder:
    return TableOrder(game, day, **more)


class Pit:
    """One table of its own, and the slips of its day."""

    def __init__(self, books: TableBooks) -> None:
        self.books, self.table = books, next(_TABLES)

    def open(self, counted: Chips | None = 10_000_00, **more: Any) -> Any:
        day, signed = more.pop("day", DAY), more.pop("signed", BOTH)
        return self.books.open(order(day=day), self.table, counted, signed, **more)

    def fill(self, cents: Chips, **more: Any) -> Any:
        return self.books.fill(self.table, cents, ALL_FOUR, **more)

    def credit(self, cents: Chips, **more: Any) -> Any:
        return self.books.credit(self.table, cents, ALL_FOUR, **more)

    def close(self, counted: Chips, **more: Any) -> Any:
        return self.books.close(self.table, counted, BOTH, **more)

    def drop(self, **more: Any) -> Any:
        return self.books.drop(self.table, CARRIERS, **more)

    def count(self, pieces: dict[int, int], **more: Any) -> Any:
        self.books.tally(self.table, more.pop("first", pieces), FIRST)
        return self.books.count(self.table, pieces, OTHERS, **more)

    def finish_day(self, closer: int, dropped: int, **more: Any) -> Any:
        self.close(closer)
        self.drop()
        return self.count({1_00: dropped // 1_00}, **more)

    @property
    def state(self) -> str:
        period = self.books.period(self.table)
        return period.state if period else "none"
