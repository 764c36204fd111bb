"""A posting: what is written into a journal, and the seal that ties it to everything before it."""

from datetime import date
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from feltworks.money import Cents

BEGINNING: Final = bytes(32)  # the seal before the first posting
_encode = msgspec.json.Encoder().encode


class Entry(Struct, frozen=True, gc=False, array_like=True):
    """One line in double entry: `debit` gains what `credit` gives; a reason where a prize is lowered."""

    debit: str
    credit: str
    cents: Cents
    reason: str | None = None


class Voucher(Struct, frozen=True, kw_only=True):
    """Who posts something, for which day and why; `key` tells a repetition from a second posting."""

    key: str
    day: date
    by: str
    witness: str | None = None
    explanation: str = ""


class Posting(Struct, frozen=True, gc=False):
    """One posting as the journal keeps it."""

    number: int
    key: str
    kind: str
    day: str
    made_at: str
    made_by: str
    witness: str | None
    explanation: str
    facts: str
    entries: tuple[Entry, ...]
    previous: bytes
    hash: bytes

    @property
    def is_sealed(self) -> bool:
        """Whether the seal is that of this very content after that very posting."""
        return self.hash == seal(self)


def seal(posting: Posting) -> bytes:
    """The hash over the last seal and everything that this posting says."""
    said = (
        posting.number,
        posting.key,
        posting.kind,
        posting.day,
        posting.made_at,
        posting.made_by,
        posting.witness,
        posting.explanation,
        posting.facts,
        posting.entries,
    )
    return sha256(posting.previous + _encode(said)).digest()
