"""The submission pack: everything a regulator requires for a new game, in one paper."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.progress import Progress
from feltworks.reports.layout.drawing import layout_svg, seat_svg
from feltworks.reports.order import Order, SetReading, identity
from feltworks.reports.par import Par, par
from feltworks.reports.posting import PaySheet, Procedure, pay_sheets, procedure
from feltworks.reports.rounds import Examples, worked_examples
from feltworks.reports.text import decks, join_names
from feltworks.rules.pay_table import meters_of
from feltworks.rules.rulebook.model import Evidence
from feltworks.tracing import ClauseTrace, trace

APPLICANT: Final = (
    "Applicant: name and address",
    "Licence number and kind",
    "Owner of the game, and substantial interest holders (WAC 230-03-045)",
    "Contact for questions: name, telephone, e-mail",
    "Asked for: new game, change of an approved game, or change of a pay table",
)
SIGNATURES: Final = ("Applicant", "Mathematician responsible for part 7", "Independent test laboratory")
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
    """A clause and the readings of its open points."""

    id: str
    text: str
    readings: tuple[SetReading, ...]


class Submission(Struct, frozen=True):
    """The parts of the pack."""

    par: Par
    applicant: tuple[str, ...]
    equipment: tuple[tuple[str, str], ...]
    rules: tuple[Ruling, ...]
    evidence: tuple[Evidence, ...]
    examples: tuple[Examples, ...]
    pays: tuple[PaySheet, ...]
    procedure: Procedure
    layout: str
    seat: str  # one seat of the layout, enlarged
    traced: tuple[ClauseTrace, ...]
    supplement: tuple[str, ...]  # of a Tribal operation
    signatures: tuple[str, ...]


def submission(
    order: Order, *, rounds: int | None, seed: int | None = None, progress: Progress | None = None
) -> Submission:
    """Compute all parts of the pack for the wagers that this table offers."""
    order = with_offers(order)
    rules = tuple(rules_of(order))
    return Submission(
        par(order, rounds=rounds, seed=seed, progress=progress),
        APPLICANT,
        tuple(equipment_of(order)),
        rules,
        tuple(each for each in order.book.evidence if each.wager in order.offered),
        tuple(worked_examples(order)),
        tuple(pay_sheets(order)),
        procedure(order),
        layout_svg(order),
        seat_svg(order),
        tuple(trace([rule.id for rule in rules])),
        SUPPLEMENT if order.house == "tribal operation" else (),
        SIGNATURES,
    )


def with_offers(order: Order) -> Order:
    """The order with its table's wagers named, so that no part describes others."""
    if "offers" not in order.book.option:
        return order
    members = order.book.option["offers"].members or ()
    together = [name for wager in order.offered for name in order.companions(wager) if name in members]
    return replace(order, options={**order.options, "offers": [*order.offered, *together]})


def equipment_of(order: Order) -> Iterator[tuple[str, str]]:
    """The equipment of the table, with the gaps that only the applicant can fill."""
    terms, cards = order.table.terms, order.book.cards
    removed = join_names(f"{rank.replace('T', '10')}s" for rank in cards.without)
    without = f", without {removed}" if removed else ""
    jokers = f", and {cards.jokers} joker{'s' * (cards.jokers > 1)}" if cards.jokers else ""
    yield "Cards", f"{decks(terms.decks)} of 52{without}{jokers}: {terms.shoe.total} cards"
    if terms.options.get("shoe") == "continuous":
        yield "Shuffler", "continuous shuffler of an approved model: [maker, model, approval]"
    elif cards.shuffle == "shoe":
        yield "Shoe", "dealing shoe with a cut card: [maker, model]"
    else:
        yield "Shuffling", "by hand or by a machine for every round: [maker and model of a machine]"
    yield "Layout", f"as drawn in part 2, {terms.spots or 'as many as ordered'} spots: [maker, licence]"
    meters = {meter for name in order.offered for meter in meters_of(order.table.pays[name].values())}
    if meters:
        yield "Second drop box", "for losing progressive wagers, at every table with the wager"
        yield (
            "Meter",
            f"{join_names(sorted(meters))}, in plain sight at the table: [system and approval, or by hand]",
        )


def rules_of(order: Order) -> list[Ruling]:
    """The clauses that hold at this table, without those of wagers it does not offer."""
    readings = identity(order).readings
    return [
        Ruling(id_, text, tuple(each for each in readings if each.reading.clause == id_))
        for id_, text in order.book.clause.items()
        if id_ not in order.absent_clauses
    ]
