"""The rules that a paper is about: fingerprint, version, approval, and whether the table is as approved."""

from msgspec import Struct

from feltworks import __version__
from feltworks.fingerprint import definition_fingerprint, digest
from feltworks.house.configuration import too_early
from feltworks.reports.order import Order
from feltworks.reports.text import day, decks, join_names, option_words
from feltworks.rules.rulebook.model import Reading, Rulebook

SHORT = 12  # digits of a fingerprint in a footer
_NOTICE = "Play money laboratory; no wager is accepted"


class OptionChoice(Struct, frozen=True):
    """An option and the table's value, as written on the command line."""

    name: str
    value: str
    text: str
    clause: str
    is_default: bool


class Identity(Struct, frozen=True):
    """The facts in the head of a paper and the foot of every page."""

    title: str
    version: str
    fingerprint: str  # of the rules: rulebook and source text
    configuration: str  # of the rules with options and pay tables
    day: str
    approval: str
    deviations: tuple[str, ...]
    dealt_from: str
    pay_tables: str
    options: tuple[OptionChoice, ...]
    readings: tuple[Reading, ...]
    notice: str = _NOTICE

    @property
    def short(self) -> str:
        """The first digits of the fingerprint, for a footer."""
        return self.fingerprint[:SHORT]

    @property
    def as_approved(self) -> bool:
        """WA.3: a table that differs from the approved sheet is marked on every page."""
        return not self.deviations

    @property
    def clauses_read(self) -> str:
        """The clauses with a reading."""
        return ", ".join(dict.fromkeys(reading.clause for reading in self.readings)) or "none"


def identity(order: Order) -> Identity:
    """The identity of a table's rules on the day of the paper."""
    book, terms = order.book, order.table.terms
    fingerprint = definition_fingerprint(order.table)
    chosen = [[name, value] for name, value in terms.options.items()]
    tables = [[name, table] for name, table in terms.pay_tables.items()]
    return Identity(
        title=book.title,
        version=__version__,
        fingerprint=fingerprint,
        configuration=digest([fingerprint, chosen, tables]),
        day=day(order.day),
        approval=_approval(book),
        deviations=(*terms.deviations, *too_early(order.table, order.day)),
        dealt_from=_shoe(order),
        pay_tables=_pay_tables(order),
        options=tuple(_options(order)),
        readings=tuple(reading for reading in book.reading if reading.clause not in order.absent_clauses),
    )


def _approval(book: Rulebook) -> str:
    if book.approval is None:
        return "no approval"
    name = f"submission {book.approval.submission}," if book.approval.submission else "letter of"
    return f"{name} {day(book.approval.date)}"


def _shoe(order: Order) -> str:
    terms = order.table.terms
    from_shoe = {"continuous": "from a continuous shuffler"}.get(
        str(terms.options.get("shoe")), "from a shoe to the cut card"
    )
    how = "shuffled for every round" if order.book.cards.shuffle == "every round" else from_shoe
    return f"{decks(terms.decks)}, {terms.shoe.total} cards, {how}"


def _pay_tables(order: Order) -> str:
    tables, book = order.table.terms.pay_tables, order.book
    return join_names(f"{book.wager[name].title} {tables[name]}" for name in order.wagers)


def _options(order: Order) -> list[OptionChoice]:
    values = order.table.terms.options
    return [
        OptionChoice(name, option_words(values[name]), entry.text, entry.clause, values[name] == entry.preset)
        for name, entry in order.book.option.items()
    ]
