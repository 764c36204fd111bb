"""Recomputes every printed figure, checks whether it follows from the rules, and finds what would reproduce it."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import count
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from feltworks import catalog
from feltworks.analysis.audit.costs import Costs
from feltworks.analysis.audit.readings import (
    AuditedReading,
    Case,
    audit_readings,
    audited_wagers,
    cases_beside_main,
    option_text,
    other_readings,
)
from feltworks.analysis.figures import (
    ROUNDS,
    WAGER,
    Match,
    exact_number,
    in_money,
    per_hundred_rounds,
    percent,
    printed_match,
)
from feltworks.analysis.progress import Progress
from feltworks.fingerprint import differing_values, short_value
from feltworks.money import Cents, dollars
from feltworks.rules.rulebook.model import Evidence, Published, Rulebook

MOST = 20  # departures listed for one book; the rest are only counted
_DERIVED = ("name", "file", "departures")


def departures(names: list[str]) -> dict[str, tuple[str, ...]]:
    """Lists departures from the approved books: for the games of these names and for every book of law."""
    if not catalog.own_folders():
        return {}
    others = [name for name in catalog.rulebook_files() if name not in {*names, *catalog.broken_books()}]
    books = [*names, *(name for name in others if catalog.rulebook(name).law)]
    by_book = {name: tuple(_departures(catalog.rulebook(name))) for name in books}
    return {name: sentences for name, sentences in by_book.items() if sentences}


def _departures(book: Rulebook) -> Iterator[str]:
    """Describes every entry that differs: pays, options and clauses, but also readings, figures and the title."""
    shipped = catalog.shipped_rulebook(book.name)
    if shipped is None:
        return
    differences = list(differing_values(_document(shipped), _document(book)))
    for path, approved, own in differences[:MOST]:
        if isinstance(approved, list) and isinstance(own, list):
            yield f"{path} {'; '.join(_entries(approved, own))}"
        else:
            yield f"{path} is {short_value(own)}, in the approved book {short_value(approved)}"
    if len(differences) > MOST:
        yield f"and {len(differences) - MOST} more entries differ"


def _entries(approved: list[object], own: list[object]) -> Iterator[str]:
    """Describes the entries that only one of the two lists has."""
    yield from (f"lacks {short_value(entry)}" for entry in approved if entry not in own)
    yield from (f"adds {short_value(entry)}" for entry in own if entry not in approved)
    if len(approved) != len(own):
        yield f"has {len(own)} entries, the approved book {len(approved)}"


def _document(book: Rulebook) -> dict[str, object]:
    document: dict[str, object] = msgspec.to_builtins(book)
    return {key: value for key, value in document.items() if key not in _DERIVED}


F = TypeVar("F")

DECKS = (1, 2, 4, 6, 8)  # the deck counts for which the documents print figures


class AuditedFigure(Struct, frozen=True):
    """A printed figure with the computed one, their match, and the finding as a sentence."""

    game: str
    wager: str
    pay_table: str
    decks: int
    quantity: str
    published: str
    computed: Fraction
    match: Match
    finding: str
    clause: str

    @property
    def agrees(self) -> bool:
        return self.match != "none"


class ComputedFigure(Struct, frozen=True):
    """A figure that no document prints."""

    game: str
    wager: str
    beside: str  # the wager that the hand is played for, if it is another than this one
    pay_table: str
    decks: int
    quantity: str
    computed: Fraction
    clause: str


class Reproduction(Struct, frozen=True):
    """Something that gives the printed figure, either rounded or cut off."""

    words: str
    value: Fraction
    match: Match
    pay_table: str = ""

    def __str__(self) -> str:
        return f"{self.words} ({percent(self.value, 4)}, {'rounded' if self.match == 'rounded' else 'cut off'})"


class Audit(Struct, frozen=True):
    """The result of an audit: printed figures, unprinted ones and readings, of one game or of all."""

    figures: tuple[AuditedFigure, ...]
    computed: tuple[ComputedFigure, ...]
    readings: tuple[AuditedReading, ...]
    deviations: dict[str, tuple[str, ...]] = {}  # WA.3: by game, rules that are not the approved ones
    departures: dict[str, tuple[str, ...]] = {}  # by book, every entry that differs from the approved book

    @property
    def agrees(self) -> bool:
        """Whether every printed figure follows from its rules and all rules are the approved ones."""
        return all(figure.agrees for figure in self.figures) and not self.deviations and not self.departures


def audit(game: str | None = None, progress: Progress | None = None) -> Audit:
    """Runs the whole audit without any cache."""
    costs = Costs()
    books = [catalog.rulebook(name) for name in ([game] if game else catalog.games())]
    everything = sum(len(book.published) + len(book.reading) + len(list(_unprinted_cases(book))) for book in books)
    done = count(1)

    def collect(results: Iterable[F]) -> tuple[F, ...]:
        """Collects results and reports progress after each."""
        collected = []
        for result in results:
            collected.append(result)
            if progress:
                progress(min(next(done), everything), everything)
        return tuple(collected)

    return Audit(
        collect(audit_figures(game, costs)),
        collect(audit_unprinted(game, costs)),
        collect(audit_readings(game, costs)),
        {book.name: book.departures for book in books if book.departures},
        departures([book.name for book in books]),
    )


def audit_figures(game: str | None = None, costs: Costs | None = None) -> Iterator[AuditedFigure]:
    """Audits every figure printed in the documents of one game or of all."""
    costs = costs or Costs()
    for name in [game] if game else catalog.games():
        book = catalog.rulebook(name)
        for printed in book.published:
            yield _audit_figure(name, book, printed, costs)


def _audit_figure(name: str, book: Rulebook, printed: Published, costs: Costs) -> AuditedFigure:
    case = Case(name, printed.wager, printed.pay_table, printed.decks)
    computed = case.quantity(printed.quantity, costs)
    match = printed_match(printed.figure, computed)
    finding = _agreement(computed, match) if match != "none" else _finding(case, book, printed, computed, costs)
    return AuditedFigure(
        game=name,
        wager=printed.wager,
        pay_table=printed.pay_table,
        decks=printed.decks or case.table(costs).terms.decks,
        quantity=printed.quantity,
        published=printed.figure,
        computed=computed,
        match=match,
        finding=finding,
        clause=printed.clause,
    )


def _agreement(computed: Fraction, match: Match) -> str:
    how = "rounded" if match == "rounded" else "cut off after the printed digits, not rounded"
    return f"Follows from the rules: {percent(computed, 4)}, {how}."


def _finding(case: Case, book: Rulebook, printed: Published, computed: Fraction, costs: Costs) -> str:
    finding = f"The rules as written give {percent(computed, 4)}, not {printed.figure}."
    reproducing = list(_reproducing(case, book, printed, costs))
    if reproducing:
        finding += f" The printed figure is reproduced by {'; and by '.join(str(each) for each in reproducing)}."
    else:
        finding += " No declared reading, other pay table or simple strategy that was tried reproduces it."
    finding += "".join(f" {each.text} ({each.clause})" for each in _evidence(book, printed))
    filed = Fraction(printed.figure.rstrip("%")) / 100
    entry = book.wager[printed.wager]
    money = _money(printed.quantity, computed, filed, entry.least if entry.fixed else WAGER)
    return f"{finding} In money: {money}. {_advice(printed, computed, reproducing)}"


def _money(quantity: str, computed: Fraction, filed: Fraction, wager: Cents) -> str:
    """Compares the computed figure with the printed one in money, naming who receives it."""
    if quantity == "house_edge":
        return in_money(computed, filed, wager)
    gets = {"element_of_risk": "the house keeps", "fixed_return": "the fixed awards return"}[quantity]
    here, there = (dollars(per_hundred_rounds(share, wager)) for share in (computed, filed))
    return f"of {dollars(ROUNDS * wager)} wagered in all {gets} {here} rather than {there}"


def _evidence(book: Rulebook, printed: Published) -> list[Evidence]:
    """Returns what the document itself says about the figures of this wager and pay table."""
    of_wager = [each for each in book.evidence if each.wager == printed.wager]
    return [each for each in of_wager if not each.pay_tables or printed.pay_table in each.pay_tables]


def _advice(printed: Published, computed: Fraction, reproducing: list[Reproduction]) -> str:
    """Recommends what to do about a figure that does not follow from its rules."""
    tables = [each.pay_table for each in reproducing if each.pay_table]
    favours = "As written the players win. " if computed < 0 and printed.quantity != "fixed_return" else ""
    reprint = f"have the figure reprinted as {percent(computed, 2)}"
    if tables:
        return f"{favours}What to do: approve only table {' or '.join(tables)}, or {reprint}."
    if reproducing:
        name_play = "or have the play named that it was computed for; that it was one of these is not shown"
        return f"{favours}What to do: {reprint}, {name_play}."
    return f"{favours}What to do: {reprint}, or ask how it was computed."


def _reproducing(case: Case, book: Rulebook, printed: Published, costs: Costs) -> Iterator[Reproduction]:
    """Yields what gives the printed figure: another pay table, another reading or a simple way to play."""
    cases = [
        (f"pay table {other}", replace(case, pay_table=other))
        for other in book.pay_table[printed.wager]
        if other != printed.pay_table
    ]
    cases += [
        (f"the reading {option}={option_text(value)}", replace(case, option=option, value=value))
        for option, value in other_readings(book)
    ]
    values = [(words, other.quantity(printed.quantity, costs)) for words, other in cases]
    if printed.quantity != "fixed_return":
        plays = costs.plays(case.table(costs), case.wager)
        values += [(f"the play “{play.words}”", getattr(play.cost, printed.quantity)) for play in plays]
    for words, value in values:
        if (match := printed_match(printed.figure, value)) != "none":
            table = words.removeprefix("pay table ") if words.startswith("pay table ") else ""
            yield Reproduction(words, value, match, table)


def audit_unprinted(game: str | None = None, costs: Costs | None = None) -> Iterator[ComputedFigure]:
    """Computes what the documents leave out: every wager and pay table for which they print no figure."""
    costs = costs or Costs()
    for name in [game] if game else catalog.games():
        book = catalog.rulebook(name)
        for case in _unprinted_cases(book):
            yield from _compute_figures(case, book, costs)


def _unprinted_cases(book: Rulebook) -> Iterator[Case]:
    """Yields the cases without a printed figure; if the book prints none at all, for the usual deck counts."""
    printed = {(figure.wager, figure.pay_table) for figure in book.published}
    many = DECKS if "decks" in book.option and not printed else (None,)
    for wager in audited_wagers(book):
        for table in book.pay_table[wager]:
            if (wager, table) not in printed:
                for decks in many:
                    case = Case(book.name, wager, table, decks)
                    yield from (case, *cases_beside_main(case, book))


def _compute_figures(case: Case, book: Rulebook, costs: Costs) -> Iterator[ComputedFigure]:
    raised = any(entry.of == case.wager for entry in book.wager.values())
    for quantity in ["house_edge", "element_of_risk"] if raised else ["house_edge"]:
        yield ComputedFigure(
            game=case.name,
            wager=case.wager,
            beside=case.beside,
            pay_table=case.pay_table,
            decks=case.decks or case.table(costs).terms.decks,
            quantity=quantity,
            computed=case.quantity(quantity, costs),
            clause=book.pay_table[case.wager][case.pay_table].clause,
        )


def audit_document(report: Audit) -> dict[str, object]:
    """Writes the JSON document of the audit; `figures` are exactly the printed ones."""
    return {
        "figures": [_record_document(each, agrees=each.agrees) for each in report.figures],
        "computed": [_record_document(each) for each in report.computed],
        "readings": [_reading_document(each) for each in report.readings],
        "as_approved": not report.deviations,
        "deviations": report.deviations,
        "departures": report.departures,
    }


def _record_document(record: Struct, **more: object) -> dict[str, object]:
    """Writes a record field by field, with fractions both exactly and as decimals."""
    fields = {**asdict(record), **more}
    return {key: exact_number(value) if isinstance(value, Fraction) else value for key, value in fields.items()}


def _reading_document(audited: AuditedReading) -> dict[str, object]:
    effects = [_record_document(effect, cents_per_hundred_rounds=effect.money) for effect in audited.effects]
    return {"game": audited.game, **_record_document(audited.reading), "finding": audited.finding, "effects": effects}
