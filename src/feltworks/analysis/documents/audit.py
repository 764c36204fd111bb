"""The audit of the documents' figures, as others rely on it."""

from fractions import Fraction

from msgspec import Struct
from msgspec.structs import asdict

from feltworks.analysis.audit.audit import Audit
from feltworks.analysis.audit.readings import AuditedReading
from feltworks.analysis.documents.exact import exactly


def audit_document(found: Audit) -> dict[str, object]:
    """The audit as others rely on it; `figures` are exactly the printed ones."""
    return {
        "figures": [_written(each, agrees=each.agrees) for each in found.figures],
        "computed": [_written(each) for each in found.computed],
        "readings": [_reading(each) for each in found.readings],
        "as_approved": not found.deviations,
        "deviations": found.deviations,
    }


def _written(record: Struct, **more: object) -> dict[str, object]:
    """A record field by field, fractions as exact numbers and decimals."""
    fields = {**asdict(record), **more}
    return {key: exactly(value) if isinstance(value, Fraction) else value for key, value in fields.items()}


def _reading(each: AuditedReading) -> dict[str, object]:
    effects = [_written(effect, cents_per_hundred_rounds=effect.money) for effect in each.effects]
    return {"game": each.game, **_written(each.reading), "finding": each.finding, "effects": effects}
