"""The journal of approvals: every step met, withdrawn or recorded, before two persons of the house."""

import datetime
from typing import Final

import msgspec
from sqlalchemy import Connection, select

from feltworks.house.approvals import ApprovalAct, HouseKind, Standing, decoded, standing
from feltworks.house.duties import check_signatures
from feltworks.house.journal.opening import page_of
from feltworks.house.journal.posting import Signed
from feltworks.house.journal.reading import postings
from feltworks.house.storage.database import Database
from feltworks.house.storage.tables import book
from feltworks.house.users import roles

BOOK: Final = "house approvals"


class ApprovalBook:
    """What is on record of every game's approval in this house."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def record(
        self, act: ApprovalAct, *, by: str, second: str, day: datetime.date, explanation: str = ""
    ) -> int:
        """Put an act on record before two different persons; returns the number of its posting."""
        with self.database.writing() as connection:
            signatures = {"recorder": by, "second person": second}
            check_signatures("approval", signatures, roles(connection))
            page = page_of(connection, BOOK, "approvals")
            said = explanation or explained(act)
            key = f"{act.game}/{page.number + 1}"
            signed = Signed(key=key, day=day, by=by, witness=second, explanation=said)
            posting = page.add("approval", msgspec.json.encode(act).decode(), signed, ())
            page.write()
            return posting.number

    def standing(self, game: str, house: HouseKind, day: datetime.date) -> Standing:
        """How a game stands in this house on a day."""
        with self.database.reading() as connection:
            return standing_in(connection, game, house, day)


def standing_in(connection: Connection, game: str, house: HouseKind, day: datetime.date) -> Standing:
    """The same, within somebody's transaction."""
    number = connection.execute(select(book.c.id).where(book.c.name == BOOK)).scalar()
    kept = postings(connection, number) if number is not None else ()
    acts = {
        each.number: (decoded(each.facts), (each.made_by, *((each.witness,) if each.witness else ())))
        for each in kept
    }
    return standing(game, house, day, acts)


def explained(act: ApprovalAct) -> str:
    """What an act is, in one line."""
    said = f"{act.game} in a {act.house}: {type(act).__struct_config__.tag}"
    return said if not hasattr(act, "step") else f"{said} {act.step}"
