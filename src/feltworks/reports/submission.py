"""The submission pack: everything a regulator requires for a new game, in one paper."""

from typing import Final

from msgspec import Struct

from feltworks.reports.examples import Examples, worked_examples
from feltworks.reports.layout.drawing import layout_svg, seat_svg
from feltworks.reports.order import Order
from feltworks.reports.par import Par, par
from feltworks.reports.pay_sheet import PaySheet, pay_sheets
from feltworks.reports.procedure import Procedure, procedure
from feltworks.rules.rulebook.model import Reading
from feltworks.tracing import ClauseTrace, trace

SUPPLEMENT: Final = (
    "Operation and its gaming agency",
    "Agency's approval, date and number",
    "Commission's concurrence, date and number",
    "Layout and equipment: maker, model, licence and certification",
    "Surveillance and security procedure",
    "Training of dealers and supervisors",
    "Further information asked for by Appendix A, section 18",
)


class Ruling(Struct, frozen=True):
    """A clause with the readings of what it leaves open."""

    id: str
    text: str
    readings: tuple[Reading, ...]


class Submission(Struct, frozen=True):
    """The parts of the pack."""

    par: Par
    rules: tuple[Ruling, ...]
    examples: tuple[Examples, ...]
    pays: tuple[PaySheet, ...]
    procedure: Procedure
    layout: str
    seat: str  # one seat of the layout, enlarged
    traced: tuple[ClauseTrace, ...]
    supplement: tuple[str, ...]


def submission(order: Order, *, rounds: int, seed: int | None = None) -> Submission:
    """Compute all parts of the pack."""
    return Submission(
        par(order, rounds=rounds, seed=seed),
        tuple(_rules(order)),
        tuple(worked_examples(order)),
        tuple(pay_sheets(order)),
        procedure(order),
        layout_svg(order),
        seat_svg(order),
        tuple(trace(order.book.clause)),
        SUPPLEMENT,
    )


def _rules(order: Order) -> list[Ruling]:
    readings = order.book.reading
    return [
        Ruling(id_, text, tuple(reading for reading in readings if reading.clause == id_))
        for id_, text in order.book.clause.items()
    ]
