"""A progressive's standing as the database keeps it beside the journal."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import Connection, select, update

from feltworks.house.progressive.fund import Standing
from feltworks.house.storage.statements import Prepared, Row
from feltworks.house.storage.tables import progressive

_C = progressive.c
STANDING = Prepared(
    select(_C.state, _C.day, _C.closed, _C.latest, _C.tested, _C.started, _C.maximum).where(_C.book == 0)
)


def read_standing(connection: Connection, book: int) -> Standing:
    """How the progressive of this book stands."""
    return standing_of(STANDING.all(connection, book))


def standing_of(rows: Sequence[Row]) -> Standing:
    """The one row of a progressive's standing, read."""
    ((state, day, closed, latest, tested, started, maximum),) = rows
    return Standing(
        state=state,
        day=date.fromisoformat(day) if day else None,
        closed=date.fromisoformat(closed),
        latest=date.fromisoformat(latest),
        tested=date.fromisoformat(tested),
        started=started,
        maximum=maximum,
    )


def keep_standing(connection: Connection, book: int, before: Standing, after: Standing) -> None:
    """Write what has changed, which most postings leave alone."""
    if after != before:
        connection.execute(update(progressive).where(_C.book == book).values(**row(after)))


def row(standing: Standing) -> dict[str, object]:
    """A standing as columns."""
    return {
        "state": standing.state,
        "day": standing.day.isoformat() if standing.day else None,
        "closed": standing.closed.isoformat(),
        "latest": standing.latest.isoformat(),
        "tested": standing.tested.isoformat(),
        "started": standing.started,
        "maximum": standing.maximum,
    }
