"""The PAR sheet: all computed figures of a game at an ordered table, with plots by matplotlib.

The same numbers give the same bytes of a plot.
"""

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from io import StringIO
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import Struct

from feltworks.analysis.audit.audit import AuditedFigure, audit_figures
from feltworks.analysis.measures import SHARES, Volatility, widths
from feltworks.analysis.progress import Progress, part_of
from feltworks.extras import require
from feltworks.house.configuration import TableCheck, check_table
from feltworks.machine.walk import WalkTooLong
from feltworks.money import dollars
from feltworks.protection.counting import Immune
from feltworks.protection.knowledge import Terms, words_of
from feltworks.protection.report import Report, Rung, pace_words, protection_report, wager_limits
from feltworks.reports.confirmation import Confirmation, TableSpread, confirmations, table_spread
from feltworks.reports.order import Identity, Order, identity
from feltworks.reports.reachable import Reachable, reachable
from feltworks.reports.strategy_card import PlaySheet, play_sheet
from feltworks.reports.table_sheet import PACE, TableSheet, table_sheet
from feltworks.reports.text import join_names, option_words, percent
from feltworks.reports.wager_sheet import ProgressiveSheet, WagerSheet, progressive_sheet, wager_sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BRASS, _GREY, _RULE = "#745410", "#62645e", "#e3dfd3"
_STYLE: Final[Any] = {
    "font.size": 7.4,
    "font.family": ["Liberation Sans", "Arial", "Helvetica", "DejaVu Sans"],
    "axes.edgecolor": "#b9b5a8",
    "axes.linewidth": 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelcolor": _GREY,
    "xtick.color": _GREY,
    "ytick.color": _GREY,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "text.color": _GREY,
    "svg.fonttype": "none",
    "svg.hashsalt": "feltworks",
}
_MILLIMETRES: Final = 25.4


def band_plot(volatility: Volatility) -> str:
    """The house's result per wager over rounds, as bands around the edge."""

    def draw(axes: "Axes") -> None:
        rounds = [10 ** (3 + step / 20) for step in range(61)]
        spread = [widths(volatility.deviation, round(number)) for number in rounds]
        for place, shade in ((SHARES.index(0.99), 0.14), (SHARES.index(0.90), 0.2)):
            low = [100 * (volatility.edge - width[place]) for width in spread]
            high = [100 * (volatility.edge + width[place]) for width in spread]
            axes.fill_between(rounds, low, high, color=_BRASS, alpha=shade, linewidth=0)
        axes.axhline(0, color=_GREY, linewidth=0.5)
        axes.axhline(100 * volatility.edge, color=_BRASS, linewidth=1)
        axes.set_xscale("log")
        axes.set_xlim(1e3, 1e6)
        axes.set_xticks([1e3, 1e4, 1e5, 1e6], ["1,000", "10,000", "100,000", "1,000,000"])
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(_percent)
        axes.grid(axis="y", color=_RULE, linewidth=0.5)

    return _data_url(draw, 84, 33)


def meter_plot(sheet: ProgressiveSheet) -> str:
    """The return of a progressive by its posted amount, with one seat in action."""

    def draw(axes: "Axes") -> None:
        most = max(cents for cents, _, _ in sheet.meters)
        ends = [float(100 * sheet.alone.expected_return(cents)) for cents in (0, most)]
        axes.plot([0, most / 100], ends, color=_BRASS, linewidth=1.2)
        axes.axhline(100, color=_GREY, linewidth=0.5)
        _mark(axes, sheet.break_even)
        axes.set_xlim(0, most / 100)
        axes.locator_params(axis="x", nbins=4)
        axes.xaxis.set_major_formatter(lambda value, _: f"${value:,.0f}")
        axes.yaxis.set_major_formatter(_percent)
        axes.grid(axis="y", color=_RULE, linewidth=0.5)

    return _data_url(draw, 84, 46)


def _mark(axes: "Axes", break_even: Fraction) -> None:
    at = float(break_even) / 100
    axes.plot([at], [100], marker="o", markersize=3, color=_BRASS)
    axes.annotate(f"${at:,.0f}", (at, 100), xytext=(3, -8), textcoords="offset points", color=_BRASS)


def _percent(value: float, _: float) -> str:
    sign = "−" if value < 0 else ""
    return f"{sign}{abs(value):,.6g} %"


def _data_url(draw: "Callable[[Axes], None]", width: float, height: float) -> str:
    """The picture as a data URL; width and height in millimetres."""
    require("plots")
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    svg = StringIO()
    with _style():
        figure = Figure(figsize=(width / _MILLIMETRES, height / _MILLIMETRES), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.subplots())
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    return "data:image/svg+xml;base64," + b64encode(svg.getvalue().encode()).decode()


@contextmanager
def _style() -> Iterator[None]:
    import logging

    import matplotlib

    fonts = logging.getLogger("matplotlib.font_manager")  # warns of every missing font
    level = fonts.level
    fonts.setLevel(logging.ERROR)
    try:
        with matplotlib.rc_context(_STYLE):
            yield
    finally:
        fonts.setLevel(level)


P = TypeVar("P")
METHOD: Final = (
    "Probabilities are counted exactly, in whole numbers, over every deal that the rules tell apart; no"
    " figure is rounded before it is printed. Where hands are hit and split, and too many for"
    " that, expected values are computed in double precision over every composition of the shoe.",
    "The rules themselves fill the tables that are counted: the same settlement pays at the live table.",
    "A second, slow method walks the rules round by round and has to give the same fractions on decks that it"
    " can finish.",
    "The simulation draws its cards from numpy's SFC64 generator with the seed printed beside it and settles by the"
    " rules. It confirms the exact figures and is not their source; only the deviation of a full table is sampled.",
)
ASSUMES: Final = (
    "No card of the shoe is known but those the rules show.",
    "Each wager is taken alone on its spot, with no other wager than one it needs; decisions are made for its sake,"
    " and as well as they can be made. Beside other wagers its edge can differ: the simulation states the exact edge"
    " of that play too.",
    "Payments are exact: breakage is left out.",
)


LEAST_ROUNDS: Final = 10_000_000  # with fewer, a paper has no sampled chapter either


class Vulnerability(Struct, frozen=True):
    """The tables of the chapter, as printed words and figures."""

    pace: str
    ladder: list[tuple[str, ...]]  # wager, knowledge, house edge, gain, gain per hour
    counts: list[tuple[str, str]]  # wager, gain of a count
    errors: list[tuple[str, ...]]  # wager, error, amount per hour, remedy
    remedies: list[tuple[str, ...]]  # risk, remedy, what remains per hour
    face_up: str
    refusal: str = ""  # the reason if nothing was computed


class WagerPart(Struct, frozen=True):
    """A wager's part of the paper."""

    sheet: WagerSheet
    band: str  # a picture
    play: PlaySheet | None
    no_play: str  # why a wager with decisions has no printed play
    progressive: ProgressiveSheet | None
    meter: str


class Par(Struct, frozen=True):
    """The whole PAR sheet."""

    order: Order
    identity: Identity
    wagers: tuple[WagerPart, ...]
    table: TableSheet
    reachable: Reachable
    check: TableCheck
    confirmations: tuple[Confirmation, ...]
    spread: TableSpread | None
    figures: tuple[AuditedFigure, ...]
    method: tuple[str, ...]
    assumes: tuple[str, ...]
    together: str  # the wagers that a table may not offer all at once, in words
    titles: Mapping[str, str]
    vulnerability: Vulnerability | None


def par(order: Order, *, rounds: int | None = None, seed: int | None = None, progress: Progress | None = None) -> Par:
    """Compute everything for the paper."""
    done, total = count(1), len(order.wagers) + 5

    def finish(part: P) -> P:
        if progress:
            progress(next(done), total)
        return part

    def within(number: int) -> Progress | None:
        return part_of(progress, number, total)

    return Par(
        order,
        identity(order),
        tuple(finish(_part(order, wager, within(number))) for number, wager in enumerate(order.wagers)),
        finish(table_sheet(order, within(len(order.wagers)))),
        finish(reachable(order)),
        check_table(order.table_order()),
        finish(tuple(confirmations(order, rounds, seed))),
        finish(table_spread(order, rounds, seed)),
        printed_figures(order),
        METHOD,
        ASSUMES,
        _offer_limit(order),
        {name: entry.title for name, entry in order.book.wager.items()},
        finish(vulnerability(order, rounds, within(len(order.wagers) + 4))),
    )


def printed_figures(order: Order) -> tuple[AuditedFigure, ...]:
    """The figures that the document prints for the wagers of the paper, with those computed."""
    return tuple(figure for figure in audit_figures(order.game) if figure.wager in order.wagers)


def _part(order: Order, wager: str, progress: Progress | None) -> WagerPart:
    sheet = wager_sheet(order, wager, progress)
    progressive = progressive_sheet(sheet)
    meter = meter_plot(progressive) if progressive else ""
    play = play_sheet(sheet.question)
    refusal = play if isinstance(play, str) and sheet.exposure.follows else ""
    return WagerPart(
        sheet, band_plot(sheet.volatility), None if isinstance(play, str) else play, refusal, progressive, meter
    )


def _offer_limit(order: Order) -> str:
    most, placed = order.book.most_wagers, len(order.wagers)
    if not most or placed <= most:
        return ""
    titles = join_names(order.book.wager[name].title for name in order.wagers)
    return f"A table has at most {most} of {titles}; each is shown as dealt at a table that offers it."


def vulnerability(order: Order, rounds: int | None, progress: Progress | None = None) -> Vulnerability | None:
    """The chapter on vulnerability at the most that each wager takes; None if the paper is ordered with few rounds."""
    if rounds is not None and rounds < LEAST_ROUNDS:
        return None
    chosen = tuple(f"{name}={option_words(value)}" for name, value in order.options.items())
    terms = Terms(
        chosen=chosen,
        limit=order.profile.wager_limit,
        rounds_an_hour=PACE,
        pay_tables=order.pay_tables,
        wagers=tuple(order.wagers),
    )
    pace = pace_words(order.game, wager_limits(order.table, terms.limit, order.wagers), PACE)
    try:
        report = protection_report(order.game, terms, progress, with_removal=False)
    except WalkTooLong as refused:
        return Vulnerability(pace, [], [], [], [], "", str(refused))
    titles = {name: entry.title for name, entry in order.book.wager.items()}
    return Vulnerability(
        pace,
        [_rung(rung, titles[rung.wager]) for rung in report.ladder],
        [(titles[wager], words) for wager, words in _counts(report)],
        [(titles[slip.wager], slip.error, dollars(slip.per_hour), slip.remedy) for slip in report.slips],
        [(one.risk, one.remedy, dollars(one.after)) for one in report.remedies],
        report.face_up,
    )


def _rung(rung: Rung, title: str) -> tuple[str, ...]:
    worth = rung.worth
    error = f" ± {percent(worth.standard_error)}" if worth.standard_error else ""
    edge, gain = percent(-float(worth.edge)) + error, percent(float(worth.gain))
    return title, words_of(rung.sees), edge, gain, dollars(rung.per_hour)


def _counts(report: Report) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for wager, counted in report.counting.items():
        if isinstance(counted, Immune):
            rows.append((wager, f"immune: {counted.reason}"))
            continue
        hour = round(counted.per_100 / 100 * report.limits[wager] * report.terms.rounds_an_hour)
        rows.append(
            (
                wager,
                f"{percent(counted.bets)} of rounds at {percent(counted.edge)}: {counted.per_100:.4f} units per 100"
                f" rounds, standard error {counted.standard_error:.4f}, {dollars(hour)} an hour",
            )
        )
    return rows
