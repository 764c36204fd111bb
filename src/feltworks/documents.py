"""Builds document records, as JSON has them, from other records."""

from typing import TypeVar

import msgspec

D = TypeVar("D", bound=msgspec.Struct)


def document_of(kind: type[D], *records: object, **fields: object) -> D:
    """A document with these fields; each remaining field comes from the first record that has it, or is null."""
    for name in kind.__struct_fields__:
        if name not in fields:
            record = next((record for record in records if hasattr(record, name)), None)
            fields[name] = getattr(record, name, None)
    return msgspec.convert(fields, kind, from_attributes=True)
