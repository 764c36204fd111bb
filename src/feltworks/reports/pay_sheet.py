"""Pay tables ready to print: one wager's tables side by side, or the chosen one with what it wins."""

from msgspec import Struct

from feltworks.money import Odds
from feltworks.reports.order import Order
from feltworks.reports.words import capital, listed
from feltworks.rules.pay_table import Pay
from feltworks.rules.rulebook import PayTable


class PayRow(Struct, frozen=True):
    """An outcome and what each table pays for it."""

    outcome: str
    pays: tuple[str, ...]
    wins: bool  # or is returned, on some table


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
    def winning(self) -> list[PayRow]:
        """What a sign lists: everything else loses."""
        return [row for row in self.rows if row.wins]


def pay_sheets(order: Order, *, only_chosen: bool = False) -> list[PaySheet]:
    """The pay tables of every wager in question, those that follow from others included."""
    wagers = [name for each in (order.offered if only_chosen else order.wagers) for name in order.group(each)]
    return [_sheet(order, name, only_chosen=only_chosen) for name in wagers if name in order.book.pay_table]


def _sheet(order: Order, wager: str, *, only_chosen: bool) -> PaySheet:
    chosen, entry = order.table.terms.pay_tables[wager], order.book.wager[wager]
    tables = order.book.pay_table[wager]
    shown = {name: table for name, table in tables.items() if name == chosen or not only_chosen}
    priced = [table.priced(order.table.terms.options) for table in shown.values()]
    outcomes = list(dict.fromkeys(outcome for pays in priced for outcome in pays))
    rows = [
        PayRow(
            outcome,
            tuple(str(pays.get(outcome, "")) for pays in priced),
            any(map(_wins, _paid(priced, outcome))),
        )
        for outcome in outcomes
        if not (only_chosen and _is_removed(order, tables[chosen], outcome))
    ]
    notes = _notes(shown, with_decks=not only_chosen)
    return PaySheet(
        wager, entry.title, tables[chosen].clause, tuple(shown), chosen, tuple(rows), tuple(notes)
    )


def _paid(priced: list[dict[str, Pay]], outcome: str) -> list[Pay]:
    return [pays[outcome] for pays in priced if outcome in pays]


def _wins(pay: Pay) -> bool:
    return not isinstance(pay, Odds) or pay.win >= 0


def _is_removed(order: Order, table: PayTable, outcome: str) -> bool:
    return table.needs_decks.get(outcome, 1) > order.table.terms.decks


def _notes(tables: dict[str, PayTable], *, with_decks: bool) -> list[str]:
    """What tables rule besides their rows, each thing once with the tables it holds on."""
    found: dict[str, list[str]] = {}
    for name, table in tables.items():
        factors = ", ".join(f"{cards} cards by {factor}" for cards, factor in table.factors.items())
        said = [f"A suited hand multiplies: {factors}"] if factors else []
        said += [f"{capital(_spoken(key))}: no" for key, value in table.switches.items() if not value]
        if with_decks:
            said += [
                f"{capital(row)} takes {decks} decks or more" for row, decks in table.needs_decks.items()
            ]
        for each in said:
            found.setdefault(each, []).append(name)
    return [
        note + ("." if len(on) == len(tables) else f" (table {listed(on)}).") for note, on in found.items()
    ]


def _spoken(key: str) -> str:
    return key.replace("_", " ")
