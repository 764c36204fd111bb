"""Where a rulebook of one's own differs from the approved one whose place it takes (WA.3)."""

from collections.abc import Iterator
from typing import Final

import msgspec

from feltworks.rules.rulebook.model import Rulebook

# What a letter approves; readings, published figures and the letter itself only describe it
APPROVED: Final = (
    *("clause", "wager", "pay_table", "meter", "option"),
    *("cards", "most_wagers", "spots_per_player"),
)


def departures(book: Rulebook, approved: Rulebook) -> Iterator[str]:
    """A letter approves one definition; what carries it and reads otherwise is not as approved."""
    parts = [part for part in APPROVED if _encode(book, part) != _encode(approved, part)]
    if parts:
        *others, last = [part.replace("_", " ") for part in parts]
        listed = " and ".join(filter(None, [", ".join(others), last]))
        yield f"the rulebook differs from the approved one in its {listed}"


def _encode(book: Rulebook, part: str) -> bytes:
    """A part as it stands, in its order: the first of several pay tables or values is the default."""
    return msgspec.json.encode(getattr(book, part))
