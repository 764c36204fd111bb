"""What is read at a table: the sign and the rack card of the players, and the dealer's procedure.

A filing prints the same pay tables side by side.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks import catalog
from feltworks.errors import FeltError
from feltworks.house.configuration import TableCheck, WagerCheck, check_table
from feltworks.money import Cents, Odds, dollars
from feltworks.reports.order import HouseSettings, Identity, Order, identity
from feltworks.reports.rounds import (
    DealtRound,
    OwnExample,
    Step,
    document_examples,
    narrate,
    opening_wagers,
    table_round,
)
from feltworks.reports.text import capital, join_names
from feltworks.rules.guide import (
    Chapter,
    GuideLine,
    dealing_procedure,
    has_guide,
    house_rules,
    irregularities,
    outcomes_at,
    players_guide,
)
from feltworks.rules.pay_table import Pay, meters_of
from feltworks.rules.rulebook.model import PayTable
from feltworks.rules.rulebook.sentences import HOUSE_PART
from feltworks.rules.steps import Burn, Discard, Say, Tuck
from feltworks.table.events import CardPeeked, CardsTurned, ChoiceMade, LineSettled
from feltworks.table.limits import WagerLimit
from feltworks.table.wording import measure


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
    possible = outcomes_at(order.table, wager) if only_chosen else _possible(order, wager)
    outcomes = list(dict.fromkeys(outcome for pays in priced for outcome in pays if outcome in possible))
    rows = [
        PayRow(
            tables[chosen].words.get(outcome, outcome),
            tuple(str(pays.get(outcome, "")) for pays in priced),
            any(_returns(pays[outcome]) for pays in priced if outcome in pays),
        )
        for outcome in outcomes
    ]
    notes = _notes(order, wager, printed, with_decks=not only_chosen)
    return PaySheet(wager, entry.title, tables[chosen].clause, tuple(printed), chosen, tuple(rows), tuple(notes))


def _possible(order: Order, wager: str) -> set[str]:
    """The outcomes that the options of the table allow under any pay table and number of decks."""
    opening = order.book.wager[wager].of or order.book.wager[wager].equals or wager
    tables = (
        catalog.shared_game(order.game, options=order.options_with(opening), pay_tables={opening: name})
        for name in order.book.pay_table[opening]
    )
    return {outcome for table in tables for outcome in table.wagers[wager].possible}


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


SMALLEST: Final[Cents] = 1_00  # unless the house sets a minimum


class PostedWager(Struct, frozen=True):
    """A wager's line on the sign."""

    title: str
    limits: str
    follows: tuple[str, ...]
    aggregate: str
    clause: str


class Posting(Struct, frozen=True):
    """A sign or a rack card."""

    identity: Identity
    house: HouseSettings
    wagers: tuple[PostedWager, ...]
    pays: tuple[PaySheet, ...]
    guide: tuple[Chapter, ...]  # how to play, on the rack card
    house_rules: tuple[GuideLine, ...]  # the choices of the house, on the sign
    jackpots: tuple[tuple[str, str], ...]
    check: TableCheck
    is_guided: bool  # if false, the rulebook's clauses replace the guide

    @property
    def columns(self) -> tuple[Sequence[PaySheet], Sequence[PaySheet]]:
        """The pay tables in the two columns of a sign."""
        return in_two(self.pays)


def posting(order: Order, house: HouseSettings) -> Posting:
    """WA.4, WAC 230-15-060: the sign of the table; refused if the law of the day forbids its terms."""
    check = _check(order, house)
    by_name = {wager.wager: wager for wager in check.wagers}
    return Posting(
        identity(order),
        house,
        tuple(_wager(order, house, by_name[name]) for name in order.offered),
        tuple(pay_sheets(order, only_chosen=True)),
        _card_chapters(order),
        house_rules(order.table),
        tuple(_jackpots(order)),
        check,
        has_guide(order.table),
    )


def _card_chapters(order: Order) -> tuple[Chapter, ...]:
    """The guide of the table, with the house's choices that the guide does not already state."""
    guide = players_guide(order.table)
    stated = {line.clause for chapter in guide for line in chapter.lines if chapter.part != HOUSE_PART}
    fresh = [line for chapter in guide for line in chapter.lines if line.clause not in stated]
    kept = (replace(each, lines=tuple(fresh)) if each.part == HOUSE_PART else each for each in guide)
    return tuple(chapter for chapter in kept if chapter.lines)


def _check(order: Order, house: HouseSettings) -> TableCheck:
    entries = order.book.wager
    limits = {name: WagerLimit(minimum=SMALLEST) for name in order.offered if not entries[name].fixed}
    table_order = replace(order.table_order(), limits={**limits, **house.limits}, aggregate=house.aggregate)
    check = check_table(table_order)
    if check.refusals:
        first = check.refusals[0]
        raise FeltError(f"this may not be posted: {first.says} ({first.rule})")
    return check


def _wager(order: Order, house: HouseSettings, check: WagerCheck) -> PostedWager:
    is_fixed = bool(order.book.wager[check.wager].fixed)
    limits = dollars(check.least) if is_fixed else f"{dollars(check.least)} to {dollars(check.most)}"
    terms, entries = order.table.terms, order.book.wager
    follows = tuple(
        f"{entries[name].title}: {measure(terms, name)}, up to {dollars(most)}" for name, most in check.follows.items()
    )
    title = entries[check.wager].title
    follows += tuple(f"{e.title}: as much as the {title}" for e in entries.values() if e.equals == check.wager)
    limit = house.aggregate.get(check.wager)
    aggregate = f"{dollars(limit)} a deal, shared by all winners" if limit else "none"
    return PostedWager(check.title, limits, follows, aggregate, entries[check.wager].clause)


def _jackpots(order: Order) -> list[tuple[str, str]]:
    """SP.15: the jackpot is posted conspicuously at the table."""
    jackpots = []
    for name in order.offered:
        if meters_of(order.table.pays[name].values()):
            amount = dollars(order.jackpot) if order.jackpot is not None else "as the meter shows"
            jackpots.append((order.book.wager[name].title, amount))
    return jackpots


SPOTS: Final = 2
_SEEDS: Final = range(1, 25)  # the round of these that shows most is chosen


class Procedure(Struct, frozen=True):
    """The steps and cases of this table, with a round of the engine as an example.

    A rulebook without steps shows its clauses instead.
    """

    identity: Identity
    chapters: tuple[Chapter, ...]
    irregularities: tuple[Chapter, ...]
    examples: tuple[OwnExample, ...]
    seed: int
    steps: tuple[Step, ...]
    clauses: tuple[tuple[str, str], ...]
    wagers: tuple[tuple[str, str, str], ...]  # title, size, clause


def procedure(order: Order) -> Procedure:
    """The dealing procedure of the ordered table."""
    dealt, chapters = richest_round(order), dealing_procedure(order.table)
    return Procedure(
        identity(order),
        chapters,
        irregularities(order.table),
        tuple(document_examples(order)),
        dealt.seed,
        tuple(narrate(order.table.terms, dealt)),
        () if chapters else tuple(order.book.clause.items()),
        tuple(sizes(order)),
    )


def richest_round(order: Order) -> DealtRound:
    """The seeded round with most kinds of events, and of these the shortest."""
    game = order.table
    seats = [opening_wagers(game, order.offered)] * SPOTS
    return max((table_round(game, seats, seed) for seed in _SEEDS), key=_variety)


def _variety(dealt: DealtRound) -> tuple[int, int]:
    kinds: set[object] = set()
    for event in dealt.events:
        if isinstance(event, ChoiceMade):
            kinds.add((event.name, event.about))
        elif isinstance(event, LineSettled):
            kinds.add((event.wager, bool(event.taken), bool(event.paid)))
        elif isinstance(event, Say | Tuck | Burn | Discard | CardsTurned | CardPeeked):
            kinds.add((type(event), getattr(event, "clause", "")))
    return len(kinds), -len(dealt.events)


def sizes(order: Order) -> list[tuple[str, str, str]]:
    """The size of each wager under the rules."""
    rows = []
    for name in (name for wager in order.offered for name in order.group(wager)):
        entry = order.book.wager[name]
        least = f"{entry.minimum} or more" if entry.minimum else "within the posted limits"
        fixed = f"exactly {entry.fixed}" if entry.fixed else least
        words = measure(order.table.terms, name) if entry.of else fixed
        rows.append((entry.title, words, entry.clause))
        together = (order.book.wager[other] for other in order.companions(name))
        rows += [(other.title, f"as much as the {entry.title}", other.clause) for other in together]
    return rows
