"""A table's slip as a printable form: fills, credits and closers in three parts, the others in one."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import select

from feltworks.errors import UnknownName
from feltworks.house.journal.book import book_number, postings
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import slip
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import BOOK
from feltworks.house.tables.acts import SlipKind, decode_act, decode_sealed
from feltworks.reports.text import render

# WAC 230-15-525, 230-15-530, 230-15-535: the recipient of each part of a slip
PARTS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "fill": (("Original", "back to the cage"), ("Duplicate", "into the drop box"), ("Triplicate", "to accounting")),
    "credit": (("Original", "to the cage"), ("Duplicate", "into the drop box"), ("Triplicate", "to accounting")),
    "closer": (
        ("Original", "closer, into the drop box"),
        ("Duplicate", "next opener, into the tray"),
        ("Triplicate", "by security to accounting"),
    ),
}
_ONE: Final = (("Record", "kept with the papers of the day"),)


def slip_html(database: Database, kind: SlipKind, serial: int) -> str:
    """The form of a slip as posted, void ones marked; self-contained HTML."""
    with database.snapshot() as connection:
        of = select(slip.c.period, slip.c.number).where(slip.c.kind == kind, slip.c.serial == serial)
        row = connection.execute(of).one_or_none()
        if row is None:
            raise UnknownName(f"{kind} slip", serial, ["a number that has been given"])
        box = periods.one(connection, row.period)
        number = book_number(connection, BOOK)
        (posting,) = postings(connection, number, first=row.number, last=row.number)
    printed = next(paper for paper in box.slips if (paper.kind, paper.serial) == (kind, serial))
    pieces: Mapping[int, int] = getattr(decode_act(posting.facts), "pieces", {})
    return render(
        "slip.html.j2",
        parts=PARTS.get(kind, _ONE),
        slip=printed,
        box=box,
        posting=posting,
        pieces=sorted(pieces.items(), reverse=True),
        signed=decode_sealed(posting.facts).signed,
    )
