"""`felt strategy`: best play as charts and short lists of rules with their cost, printed or as SVG."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict

from feltworks.cli.options import FILE, QuestionOptions, game_argument, json_option, option_group
from feltworks.cli.output import PLAY_MONEY, Cell, Page, Table
from feltworks.errors import BadOption
from feltworks.money import dollars
from feltworks.reports.text import ink_and_paper, letter, meaning, star

if TYPE_CHECKING:
    from feltworks.analysis.joint import TurningPoint
    from feltworks.analysis.strategy.charts import Cell as ChartCell
    from feltworks.analysis.strategy.charts import Grid
    from feltworks.analysis.strategy.practical import Ladder
    from feltworks.analysis.strategy.report import StrategyReport
    from feltworks.cards import Card

_MOST_RULES = 60


@click.command()
@game_argument
@option_group("terms", QuestionOptions)
@click.option("--rules", default=8, help="The largest number of rules in a list.")
@click.option("--values", is_flag=True, help="Add the value of every choice in every situation.")
@click.option("--svg", type=FILE, help="Draw the charts and the rules into this file.")
@json_option
def strategy(game: str, terms: QuestionOptions, rules: int, values: bool, svg: Path | None, as_json: bool) -> None:
    """Show best play as charts and as short lists of rules."""
    from feltworks.analysis.question import parse_question
    from feltworks.analysis.strategy.report import strategy_report
    from feltworks.cli.progress import progress_bar

    if not 1 <= rules <= _MOST_RULES:
        raise BadOption("--rules", rules, f"a number from 1 to {_MOST_RULES}")
    question = parse_question(game, **asdict(terms))
    with progress_bar("Searching for rules") as progress:
        report = strategy_report(question, rules, progress)
    if svg is not None:
        svg.write_text(draw(report), encoding="utf-8")
    if as_json:
        from feltworks.analysis.documents import strategy_document
        from feltworks.cli.output import print_json

        print_json(strategy_document(game, report, values=values))
    else:
        show(report, values=values)


def show(report: "StrategyReport", *, values: bool) -> None:
    """Print the report; `values` adds the value of every choice and every turning ratio."""
    page, terms = Page(), report.question.game.terms
    title = f"{terms.rulebook.title}: {terms.rulebook.wager[report.question.wager].title}"
    page.print(f"{title}, house edge {percentage(report.house_edge)} under best play", style="bold")
    if report.chart_edge is not None:
        cost = percentage(report.chart_edge - report.house_edge, 5)
        page.print(f"Best play goes by exact cards; the charts cost {cost} more.")
    for grid in report.grids:
        _show_grid(page, grid, values=values)
    if any("$" in name for grid in report.grids for name in grid.choices):
        page.print(f"  amounts are those for a wager of {dollars(report.question.unit)}", style="dim")
    if report.left_out:
        page.print(report.left_out)
    letters = [f"{name} {words}" for name, (_, words) in legend(list(report.grids)).items() if words]
    if letters:
        page.print(f"  {'; '.join(letters)}", style="dim")
    for about, ladder in report.streets:
        page.print(_rules(ladder, f"{about}: rules to remember, and what they cost where all else is played best"))
        page.print(ladder.remark)
    if report.ladder.strategies:
        page.print(_rules(report.ladder, "Rules to remember, and what they cost over best play"))
    if not report.streets:
        page.print(report.ladder.remark)
    _show_turns(page, report, values=values)
    page.close()


def label(cell: "ChartCell") -> str:
    """The text of a chart's cell: a letter in blackjack, else the choice; a star marks a mixed cell."""
    return letter(cell) if cell.otherwise else cell.choice + star(cell)


def legend(grids: "list[Grid]") -> dict[str, tuple[str, str]]:
    """The choice and the meaning of each label in these charts; the meaning is empty unless it is a letter."""
    cells = [cell for grid in grids for cell in grid.cells.values()]
    labels = {label(cell).rstrip("*"): (cell.choice, meaning(cell) if cell.otherwise else "") for cell in cells}
    return {name: labels[name] for name in sorted(labels, key=lambda name: (labels[name][0], name))}


def percentage(value: object, places: int = 4) -> str:
    """A number as a percentage."""
    from feltworks.analysis.figures import percent

    assert isinstance(value, Fraction | float)
    return percent(Fraction(value), places)


def _show_grid(page: Page, grid: "Grid", *, values: bool) -> None:
    page.print(_chart(grid))
    if any(cell.is_mixed for cell in grid.cells.values()):
        page.print("  * for most hands in the cell; other cards decide as well", style="dim")
    for note in filter(None, (grid.meaning, *grid.notes)):
        page.print(f"  {note}", style="dim")
    if values:
        page.print(_values(grid))


def _chart(grid: "Grid") -> Table:
    title = f"{grid.title}: {grid.down} by {grid.across}"
    table = Table(grid.down, *grid.columns, title=title, gap=2)  # fits ten columns of words in 80 characters
    for row in grid.rows:
        cells = [grid.cells.get((row, column)) for column in grid.columns]
        table.add_row(row, *(_colour(cell) if cell else "" for cell in cells))
    return table


def _colour(cell: "ChartCell") -> Cell:
    return Cell(label(cell), " on ".join(ink_and_paper(cell.choice)))


def _values(grid: "Grid") -> Table:
    choices = list(dict.fromkeys(name for cell in grid.cells.values() for name in cell.values))
    table = Table(grid.down, grid.across, *choices, title="Value of each choice, per unit wagered")
    for row in grid.rows:
        for column in grid.columns:
            if cell := grid.cells.get((row, column)):
                amounts = [f"{float(cell.values[name]):+.5f}" if name in cell.values else "" for name in choices]
                table.add_row(row, column, *amounts)
    return table


def _rules(ladder: "Ladder", title: str) -> Table:
    table = Table("rules", "cost", "house edge", "in words", title=title)
    for strategy in ladder.strategies:
        cost = "none" if strategy.cost == 0 else percentage(strategy.cost, 5)
        table.add_row(str(len(strategy.rules)), cost, percentage(strategy.house_edge), strategy.words)
    return table


def _show_turns(page: Page, report: "StrategyReport", *, values: bool) -> None:
    for wager in dict.fromkeys(name for name, _ in report.turns):
        turns = [turn for name, turn in report.turns if name == wager]
        first, last = turns[0].ratio, turns[-1].ratio
        page.print(
            f"Best play changes at {len(turns)} ratios of the {wager} to the main wager,"
            f" from {first} ({float(first):.4f}) to {last} ({float(last):.4f})"
            f"{'' if values else '; --values and --json list them'}."
        )
        if values:
            page.print(_turns(turns))


def _turns(turns: "Sequence[TurningPoint]") -> Table:
    table = Table("ratio", "exact", "what changes", title="Ratios at which best play changes")
    for turn in turns:
        changes = [
            f"{_cards(change.view.cards)} against {_cards(change.view.dealer)}: {change.before} → {change.after}"
            for change in turn.changes
        ]
        table.add_row(f"{float(turn.ratio):.4f}", str(turn.ratio), "; ".join(changes))
    return table


def _cards(faces: "Sequence[Card]") -> str:
    return " ".join(face.code for face in faces)


_MARGIN, _LINE, _HEIGHT = 40, 20, 30
_CHARACTER = 7.4  # an upper estimate of a character's width at 13 px
_FONT = "Inter, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_MIDDLE = ' text-anchor="middle"'
_TEXT, _QUIET, _RULE, _PAPER = "#1a1c1e", "#62645e", "#dcd8cc", "#fffdf8"


class _Page:
    """SVG shapes drawn from the top down; the next one begins at `y`."""

    def __init__(self, width: float) -> None:
        self.width, self.y = width, float(_MARGIN)
        self.shapes: list[str] = []

    def text(self, x: float, words: str, *, size: int = 13, fill: str = _TEXT, extra: str = "") -> None:
        self.shapes.append(
            f'<text x="{x:g}" y="{self.y:g}" font-size="{size}" fill="{fill}"{extra}>{escape(words)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        self.shapes.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="{fill}"/>')

    def line(self) -> None:
        self.shapes.append(f'<path d="M{_MARGIN} {self.y:g}H{self.width - _MARGIN:g}" stroke="{_RULE}" fill="none"/>')


def draw(report: "StrategyReport") -> str:
    """Draw the report as one SVG document."""
    terms = report.question.game.terms
    title = f"{terms.rulebook.title}: {terms.rulebook.wager[report.question.wager].title}"
    page = _Page(max([760.0, *(_grid_width(grid) + 2 * _MARGIN for grid in report.grids)]))
    page.y += 14
    page.text(_MARGIN, title, size=26, extra=' font-weight="660"')
    page.y += 26
    page.text(_MARGIN, f"House edge {percentage(report.house_edge)} under best play", fill=_QUIET, size=14)
    if report.chart_edge is not None:
        page.y += 20
        cost = percentage(report.chart_edge - report.house_edge, 5)
        page.text(_MARGIN, f"By exact cards; these charts cost {cost} more", fill=_QUIET, size=14)
    for grid in report.grids:
        _draw_grid(page, grid)
    _draw_legend(page, list(report.grids))
    _draw_notes(page, list(report.grids))
    _draw_rules(page, report)
    page.y += 34
    page.text(_MARGIN, PLAY_MONEY, size=12, fill=_QUIET)
    return _document(page, title)


def _document(page: _Page, title: str) -> str:
    width, height = round(page.width), round(page.y + _MARGIN)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="{_FONT}" role="img">'
    )
    ground = f'<rect width="{width}" height="{height}" fill="{_PAPER}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", ground, *page.shapes, "</svg>\n"])


def _label_width(grid: "Grid") -> float:
    return 16 + _CHARACTER * max(len(word) for word in (grid.down, *grid.rows))


def _cell_width(grid: "Grid") -> float:
    words = [*grid.columns, *(label(cell) for cell in grid.cells.values())]
    return max(44.0, 18 + _CHARACTER * max(map(len, words)))


def _grid_width(grid: "Grid") -> float:
    return _label_width(grid) + _cell_width(grid) * len(grid.columns)


def _draw_grid(page: _Page, grid: "Grid") -> None:
    left, wide = _MARGIN + _label_width(grid), _cell_width(grid)
    page.y += 44
    page.text(_MARGIN, grid.title, size=16, extra=' font-weight="600"')
    page.y += 24
    page.text(left + wide * len(grid.columns) / 2, grid.across, size=12, fill=_QUIET, extra=_MIDDLE)
    page.y += 20
    page.text(_MARGIN, grid.down, size=12, fill=_QUIET)
    for number, column in enumerate(grid.columns):
        page.text(left + wide * (number + 0.5), column, extra=f'{_MIDDLE} font-weight="600"')
    page.y += 8
    for row in grid.rows:
        top = page.y
        page.y = top + 20
        page.text(_MARGIN, row, extra=' font-weight="540"')
        for number, column in enumerate(grid.columns):
            if cell := grid.cells.get((row, column)):
                _draw_cell(page, cell, left + wide * number, top, wide)
        page.y = top + _HEIGHT


def _draw_cell(page: _Page, cell: "ChartCell", x: float, top: float, wide: float) -> None:
    """Draw a tinted box with the choice; a corner in another colour means that some hands choose otherwise."""
    ink, paper = ink_and_paper(cell.choice)
    page.box(x + 1, top + 1, wide - 2, _HEIGHT - 2, paper)
    if cell.is_mixed:
        other = min(cell.shares, key=lambda name: cell.shares[name])
        right, low, fill = x + wide - 1, top + _HEIGHT - 1, ink_and_paper(other)[0]
        page.shapes.append(f'<path d="M{right:g} {low - 11:g}V{low:g}H{right - 11:g}Z" fill="{fill}"/>')
    page.text(x + wide / 2, label(cell), fill=ink, extra=f'{_MIDDLE} font-weight="540"')


def _draw_legend(page: _Page, grids: "list[Grid]") -> None:
    page.y += 30
    x = float(_MARGIN)
    for name, (choice, words) in legend(grids).items():
        meaning = f"{name} {words}".rstrip()
        width = 18 + _CHARACTER * len(meaning)
        if x + width > page.width - _MARGIN:
            x, page.y = float(_MARGIN), page.y + 26
        ink, paper = ink_and_paper(choice)
        page.box(x, page.y - 15, width, 22, paper)
        page.text(x + 9, meaning, fill=ink, extra=' font-weight="540"')
        x += width + 8


def _draw_notes(page: _Page, grids: "list[Grid]") -> None:
    if any(cell.is_mixed for grid in grids for cell in grid.cells.values()):
        page.y += 28
        page.text(
            _MARGIN,
            "* for most hands in the cell; the corner shows the choice of the others",
            size=12,
            fill=_QUIET,
        )
    notes = [note for grid in grids for note in (grid.meaning, *grid.notes) if note]
    page.y += 8 if notes else 0
    half = page.width / 2
    across = 2 if all(len(note) * 6.6 < half - _MARGIN for note in notes) else 1
    for number, note in enumerate(notes):
        page.y += 18 if number % across == 0 else 0
        page.text(_MARGIN if number % across == 0 else half, note, size=12, fill=_QUIET)


def _draw_rules(page: _Page, report: "StrategyReport") -> None:
    page.y += 46
    page.text(_MARGIN, "Rules to remember", size=16, extra=' font-weight="600"')
    right = page.width - _MARGIN
    page.text(right, "cost over best play", size=12, fill=_QUIET, extra=' text-anchor="end"')
    for number, lines, cost in _rule_lines(page, report):
        page.y += 10
        page.line()
        page.y += _LINE
        page.text(_MARGIN, number, extra=' font-weight="600"')
        page.text(right, cost, extra=' text-anchor="end" style="font-variant-numeric: tabular-nums"')
        for place, line in enumerate(lines):
            page.y += _LINE if place else 0
            page.text(_MARGIN + 34, line)
    page.y += 30
    page.text(_MARGIN, report.ladder.remark, size=12, fill=_QUIET)


def _rule_lines(page: _Page, report: "StrategyReport") -> Iterator[tuple[str, list[str], str]]:
    room = int((page.width - 2 * _MARGIN - 34 - 110) / 6.9)
    for strategy in report.ladder.strategies:
        cost = "none" if strategy.cost == 0 else percentage(strategy.cost, 4)
        yield str(len(strategy.rules)), wrap(strategy.words, room), cost
