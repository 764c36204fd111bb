"""A posting of the journal, and the seal that chains it to the one before."""

from datetime import date
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from feltworks.money import Cents

BEGINNING: Final = bytes(32)  # the seal before the first posting
_encode = msgspec.json.Encoder().encode


class Entry(Struct, frozen=True, gc=False, array_like=True):
    """One line in double entry, from `credit` to `debit`; it names a reason if it lowers a prize."""

    debit: str
    credit: str
    cents: Cents
    reason: str | None = None


class Voucher(Struct, frozen=True, kw_only=True):
    """Who makes a posting, for which day and why; a repeated `key` returns the earlier posting."""

    key: str
    day: date
    by: str
    witness: str | None = None
    explanation: str = ""


class Posting(Struct, frozen=True, gc=False):
    """One posting as stored in the journal."""

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
    mark: bytes | None = None
    lines: int | None = None  # the number of lines that its row states; -1 if they are not numbered from 1 on

    @property
    def days_late(self) -> int:
        """How many days after its day it was made; 0 if on that day or the next."""
        days = (date.fromisoformat(self.made_at[:10]) - date.fromisoformat(self.day)).days
        return days if days > 1 else 0

    @property
    def is_sealed(self) -> bool:
        """Whether the seal matches the content and the seal before it."""
        return self.hash == seal(self)


def seal(posting: Posting) -> bytes:
    """The hash over the previous seal and the content of a posting."""
    content = (
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
    return sha256(posting.previous + _encode(content)).digest()
