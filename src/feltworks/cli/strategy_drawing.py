"""A strategy as one SVG page: charts in the house's colours, and below them the rules to remember."""

from collections.abc import Iterator
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from feltworks.cli.output import PLAY_MONEY
from feltworks.cli.strategy_tables import label, legend, percentage
from feltworks.reports.choices import ink_and_paper

if TYPE_CHECKING:
    from feltworks.analysis.strategy.charts import Cell, Grid
    from feltworks.analysis.strategy.report import StrategyReport

_MARGIN, _LINE, _HEIGHT = 40, 20, 30
_CHARACTER = 7.4  # an upper estimate of a character's width at 13 px
_FONT = "Inter, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_MIDDLE = ' text-anchor="middle"'
_TEXT, _QUIET, _RULE, _PAPER = "#1a1c1e", "#62645e", "#dcd8cc", "#fffdf8"


class _Page:
    """Shapes drawn from the top down; `y` is where the next one begins."""

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
    """The whole page as one SVG document."""
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


def _draw_cell(page: _Page, cell: "Cell", x: float, top: float, wide: float) -> None:
    """A tinted box with its choice; a corner in another colour where some hands choose otherwise."""
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
    notes = [note for grid in grids for note in grid.notes]
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
    for number, lines, cost in _rules(page, report):
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


def _rules(page: _Page, report: "StrategyReport") -> Iterator[tuple[str, list[str], str]]:
    room = int((page.width - 2 * _MARGIN - 34 - 110) / 6.9)
    for strategy in report.ladder.strategies:
        cost = "none" if strategy.cost == 0 else percentage(strategy.cost, 4)
        yield str(len(strategy.rules)), wrap(strategy.words, room), cost
