"""Are users what the journal says? Roles given behind its back are found."""

from collections.abc import Iterator

import msgspec
from sqlalchemy import select

from feltworks.house.journal.posting import Posting
from feltworks.house.journal.verify import Verified, verify
from feltworks.house.storage.database import Database
from feltworks.house.storage.floor_tables import person
from feltworks.house.users import Change

_decode = msgspec.json.Decoder(Change).decode
_DISMISSED = "dismissed"


def verify_users(database: Database, name: str) -> Verified:
    """The journal of users, and whether everybody is what it says."""
    told: dict[str, str] = {}
    with database.reading() as connection:
        found = verify(connection, name, lambda posting: _follow(posting, told))
        rows = connection.execute(select(person.c.name, person.c.role, person.c.active)).all()
    kept = {row.name: row.role if row.active else _DISMISSED for row in rows}
    troubles = [
        f"user {each} is kept as {kept.get(each, 'nobody')}; the journal says {told.get(each, 'nobody')}"
        for each in sorted(kept.keys() | told.keys())
        if kept.get(each) != told.get(each)
    ]
    return Verified(found.book, found.postings, found.entries, found.hash, [*found.troubles, *troubles])


def _follow(posting: Posting, told: dict[str, str]) -> Iterator[str]:
    change = _decode(posting.facts)
    if change.role is not None:
        told[change.user] = change.role
    elif change.change == _DISMISSED:
        told[change.user] = _DISMISSED
    return iter(())
