"""Pay tables for print: all tables of a wager side by side, or only the chosen one."""

from collections.abc import Sequence

from msgspec import Struct

from feltworks.money import Odds
from feltworks.reports.order import Order
from feltworks.reports.text import capital, join_names
from feltworks.rules.guide import outcomes_at
from feltworks.rules.pay_table import Pay
from feltworks.rules.rulebook.model import PayTable
from feltworks.rules.terms import Terms


class PayRow(Struct, frozen=True):
    """An outcome and its pay in each table."""

    outcome: str
    pays: tuple[str, ...]
    wins: bool  # true if some table returns the wager at least in part


class PaySheet(Struct, frozen=True):
    """The pay tables of one wager."""

    wager: str
    title: str
    clause: str
    tables: tuple[str, ...]
    chosen: str
    rows: tuple[PayRow, ...]
    notes: tuple[str, ...]

    @property
    def is_wide(self) -> bool:
        """Whether its tables side by side need the full width of a page."""
        return len(self.tables) > 2

    @property
    def win_rows(self) -> list[PayRow]:
        """The rows of a sign; all other outcomes lose."""
        return [row for row in self.rows if row.wins]


def in_two(sheets: Sequence[PaySheet]) -> tuple[Sequence[PaySheet], Sequence[PaySheet]]:
    """The sheets of a sign in two columns of about the same height, in the order of the wagers."""
    heights = [2 + len(sheet.win_rows) + len(sheet.notes) for sheet in sheets]
    parts = range(1, len(sheets) + 1)
    best = min(parts, key=lambda n: max(sum(heights[:n]), sum(heights[n:])))
    return sheets[:best], sheets[best:]


def pay_sheets(order: Order, *, only_chosen: bool = False) -> list[PaySheet]:
    """The pay tables of every wager of the paper and of the wagers derived from it or placed with it."""
    opening = order.offered if only_chosen else order.wagers
    wagers = [name for wager in opening for name in (*order.group(wager), *order.companions(wager))]
    return [_sheet(order, name, only_chosen=only_chosen) for name in wagers if name in order.book.pay_table]


def _sheet(order: Order, wager: str, *, only_chosen: bool) -> PaySheet:
    chosen, entry = order.table.terms.pay_tables[wager], order.book.wager[wager]
    tables = order.book.pay_table[wager]
    printed = {name: table for name, table in tables.items() if name == chosen or not only_chosen}
    priced = [table.price(order.table.terms.options) for table in printed.values()]
    outcomes = list(dict.fromkeys(outcome for pays in priced for outcome in pays))
    rows = [
        PayRow(
            tables[chosen].words.get(outcome, outcome),
            tuple(str(pays.get(outcome, "")) for pays in priced),
            any(map(_returns, _pays_for(priced, outcome))),
        )
        for outcome in outcomes
        if not only_chosen or outcome in outcomes_at(order.table, wager)
    ]
    notes = _notes(order, wager, printed, with_decks=not only_chosen)
    return PaySheet(wager, entry.title, tables[chosen].clause, tuple(printed), chosen, tuple(rows), tuple(notes))


def outcome_words(terms: Terms, wager: str, outcome: str) -> str:
    """An outcome as the pay tables have it; what a multiplier adds to it stays behind the comma."""
    words = terms.pay_table(wager).words if wager in terms.rulebook.pay_table else {}
    plain, comma, multiplied = outcome.partition(", ")
    return words.get(outcome) or words.get(plain, plain) + comma + multiplied


def _pays_for(priced: list[dict[str, Pay]], outcome: str) -> list[Pay]:
    return [pays[outcome] for pays in priced if outcome in pays]


def _returns(pay: Pay) -> bool:
    """Whether the player gets anything back: a win, the wager, or half of it."""
    return not isinstance(pay, Odds) or pay.win > -pay.per


def _notes(order: Order, wager: str, tables: dict[str, PayTable], *, with_decks: bool) -> list[str]:
    """Rules of the tables apart from their rows, each once with the tables it holds for."""
    tables_of: dict[str, list[str]] = {}
    for name, table in tables.items():
        notes = [_factor_note(order, wager, table)] if table.factors else []
        if with_decks:
            notes += [f"{capital(row)} takes {decks} decks or more" for row, decks in table.needs_decks.items()]
        for note in notes:
            tables_of.setdefault(note, []).append(name)
    texts = [
        note + ("." if len(on) == len(tables) else f" (table{'s' * (len(on) > 1)} {join_names(on)}).")
        for note, on in tables_of.items()
    ]
    switches = (_switch_note(order, table) for table in tables.values())
    return texts + list(dict.fromkeys(filter(None, switches)))


def _switch_note(order: Order, table: PayTable) -> str:
    """AD.5, AD.12: the clause of a table that forbids what other tables allow."""
    return "" if all(table.switches.values()) else order.book.clause.get(table.clause, "")


def _factor_note(order: Order, wager: str, table: PayTable) -> str:
    """LB.8: the base times the multiplier, in addition to the base or instead of it."""
    times = join_names(f"{factor} with {cards} cards" for cards, factor in table.factors.items())
    is_added = order.table.terms.options.get(f"{wager}.multiplier") == "added"
    return f"A suited dealer's hand pays the base {'and besides it the base ' * is_added}times {times}"
