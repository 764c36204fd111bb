"""The play of a wager for print (charts, short rules and their cost) and the pocket strategy card of a table."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.figures import Number
from feltworks.analysis.strategy.charts import Cell, Grid
from feltworks.analysis.strategy.report import strategy_report
from feltworks.errors import FeltError
from feltworks.reports.order import Identity, Order, identity
from feltworks.reports.text import capital, letter, meaning, star, tint
from feltworks.rules.guide import GuideLine, house_rules
from feltworks.rules.pay_table import meters_of
from feltworks.table.wording import measure

MOST_RULES: Final = 4  # `felt strategy` shows more
_CARD_RULES: Final = 3
_MOST_NAMED_COLUMNS: Final = 6  # wider charts show choices as letters


class Square(Struct, frozen=True):
    """A cell of a chart: its label and its tint."""

    label: str
    tint: str


class Chart(Struct, frozen=True):
    """A chart with its legend and notes."""

    title: str
    down: str
    across: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Square | None, ...]], ...]
    legend: tuple[tuple[Square, str], ...]
    notes: tuple[str, ...]
    exceptions: tuple[str, ...]  # every hand whose play differs from its starred cell
    has_mixed: bool
    always: str  # the choice of every cell, if all are the same
    meaning: str  # of labels that do not say it themselves


class Rules(Struct, frozen=True):
    """A short list of rules and its cost."""

    number: int
    words: str
    cost: Number
    house_edge: Number
    decision: str = ""  # if a game has several


class PlaySheet(Struct, frozen=True):
    """Best play, and play simple enough to remember."""

    house_edge: Number
    chart_cost: Number | None
    charts: tuple[Chart, ...]
    rules: tuple[Rules, ...]
    remark: str


def play_sheet(question: Question, most_rules: int = MOST_RULES) -> PlaySheet | str:
    """The play of a wager; if there is none to print, a sentence with the reason."""
    try:
        report = strategy_report(question, most_rules)
    except FeltError as refusal:
        return capital(f"{refusal}.")
    lists = [("", list_) for list_ in report.ladder.strategies]
    lists += [(about, ladder.strategies[-1]) for about, ladder in report.streets if ladder.strategies]
    return PlaySheet(
        report.house_edge,
        None if report.chart_edge is None else report.chart_edge - report.house_edge,
        tuple(map(_chart, report.grids)),
        tuple(
            Rules(len(list_.rules), _sentence(about, list_.words), list_.cost, list_.house_edge, about)
            for about, list_ in lists
        ),
        "" if report.streets else report.ladder.remark,
    )


def _sentence(about: str, words: str) -> str:
    return capital(f"{about}: {words}." if about else f"{words}.")


def _chart(grid: Grid) -> Chart:
    by_letter = len(grid.columns) > _MOST_NAMED_COLUMNS
    cells = {place: _square(cell, by_letter=by_letter) for place, cell in grid.cells.items()}
    meanings = {
        cells[place].label.rstrip("*"): (cells[place].tint, meaning(cell)) for place, cell in grid.cells.items()
    }
    legend = [(Square(label, tint), words) for label, (tint, words) in sorted(meanings.items())]
    rows = [(row, tuple(cells.get((row, column)) for column in grid.columns)) for row in grid.rows]
    mixed = any(cell.is_mixed for cell in grid.cells.values())
    choices = {cell.choice for cell in grid.cells.values()}
    return Chart(
        grid.title,
        grid.down,
        grid.across,
        grid.columns,
        tuple(rows),
        tuple(legend) if by_letter else (),
        tuple(note for note in grid.notes if note not in grid.exceptions),
        grid.exceptions,
        mixed,
        choices.pop() if len(choices) == 1 and not mixed else "",
        grid.meaning,
    )


def _square(cell: Cell, *, by_letter: bool) -> Square:
    label = letter(cell) if by_letter else cell.choice
    return Square(label + star(cell), tint(cell.choice))


class Aside(Struct, frozen=True):
    """A wager that a player may decline during the hand, and its average cost."""

    title: str
    house_edge: Number

    @property
    def advice(self) -> str:
        return "decline it" if self.house_edge > 0 else "take it"


class CardSide(Struct, frozen=True):
    """The play of one wager."""

    title: str
    pay_table: str
    play: PlaySheet
    asides: tuple[Aside, ...]
    sizes: tuple[str, ...]  # of later optional wagers, if the player also chooses the amount


class StrategyCard(Struct, frozen=True):
    """A side for every wager with a decision, and the rules of its table."""

    identity: Identity
    rules: tuple[GuideLine, ...]
    sides: tuple[CardSide, ...]


def strategy_card(order: Order) -> StrategyCard:
    """The card of a table; refused if there is no decision."""
    sides, refusals = [], []
    for wager in order.offered:
        game = order.table_with(wager)
        if meters_of(game.pays[wager].values()):
            continue
        play = play_sheet(Question(game, wager), _CARD_RULES)
        if isinstance(play, str):
            refusals.append(play)
        else:
            title, table = order.book.wager[wager].title, game.terms.pay_tables[wager]
            play = replace(play, rules=cheapest(play.rules))
            sides.append(CardSide(title, table, play, tuple(_asides(order, wager)), tuple(_sizes(order, wager))))
    if not sides:
        raise FeltError(f"{order.book.title} has no strategy to print: {refusals[0].removesuffix('.')}")
    return StrategyCard(identity(order), house_rules(order.table), tuple(sides))


def _asides(order: Order, wager: str) -> Iterator[Aside]:
    """The wagers that a house option offers during the round of this wager (BJ.4)."""
    for name in order.group(wager)[1:]:
        entry = order.book.wager[name]
        if entry.offered_by:
            edge = analyze(Question(order.table_with(wager), name)).figures.house_edge
            yield Aside(entry.title, edge)


def _sizes(order: Order, wager: str) -> Iterator[str]:
    """AD.8: the largest raise is worth most, as it is paid in proportion."""
    for name in order.group(wager)[1:]:
        entry = order.book.wager[name]
        if entry.up_to and not entry.offered_by:
            yield f"{entry.title}: if you make it, put down the most you may, {measure(order.table.terms, name)}."


def cheapest(lists: tuple[Rules, ...]) -> tuple[Rules, ...]:
    """The cheapest list of each length; the lists come in order of falling cost."""
    return tuple({(rules.decision, rules.number): rules for rules in lists}.values())
