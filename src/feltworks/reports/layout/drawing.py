"""The printed layout as one SVG: cloth, arcs of words, and the spots of every seat."""

from collections.abc import Sequence
from html import escape
from itertools import combinations
from math import asin, degrees, sqrt
from typing import Final

from feltworks.reports.layout.design import Colours, Layout, Spot, layout_of
from feltworks.reports.layout.geometry import CENTRE, HEIGHT, RAIL, WIDTH, Frame, coordinate, outline
from feltworks.reports.order import Order

_LETTERS: Final = {"title": (29.0, 0.26), "band": (11.5, 0.17), "rule": (11.5, 0.17)}  # size and spacing
_LABEL: Final = 10.2
_MARGIN, _TOP, _LEAST = 46.0, -164.0, 106.0  # for one seat alone: beside and before it, and half its width
_RAILED, _MAPPED = (38.0, 12.0), (29.0, 30.0)  # of a seat's number: distance outwards, size
_HALF, _SAG, _ROOM = 330.0, 76.0, 270.0  # of the arc for words
_WIDTHS: Final = {  # in thousandths of the size, for Liberation Sans
    letter: width
    for width, letters in {
        191: "'", 278: " ,.:;I", 333: "·-", 500: "J", 584: "×", 611: "FTZ", 667: "ABEKPSVXY",
        722: "CDHNRU", 778: "GOQ", 833: "M", 944: "W",
    }.items()
    for letter in letters
}  # fmt: skip
_USUAL: Final = 556
_FONT: Final = "Liberation Sans, Arial, Helvetica, sans-serif"


def layout_svg(order: Order, *, in_full: bool = True) -> str:
    """The empty table as it is filed, every word from rulebook and options; otherwise a map of its seats."""
    seats = order.spots
    layout = layout_of(order.table, seats)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" width="100%"',
            f' role="img" aria-label="{escape(order.book.title)}: layout with {seats} spots"',
            f' font-family="{_FONT}">',
            _style(layout.colours),
            f'<path d="{outline(0)}" fill="#2b2320"/>',
            f'<path d="{outline(RAIL, 12)}" fill="{layout.colours.felt}"/>',
            f'<path class="line" d="{outline(RAIL, 12)}"/><path class="hair" d="{outline(RAIL + 15, 25)}"/>',
            '<rect x="380" y="42" width="320" height="46" rx="8" fill="none" class="hair"/>',
            *_words(layout, in_full=in_full),
            *(_seat(frame, layout.spots, in_full=in_full) for frame in layout.seats),
            "</svg>",
        ]
    )


def seat_svg(order: Order) -> str:
    """One seat of the layout, large enough to read."""
    layout = layout_of(order.table, 1)
    spots = [spot for spot in layout.spots if not spot.is_bare]
    half = max(_LEAST, *(abs(spot.x) + _MARGIN for spot in spots))
    box = f"{-half:g} {_TOP:g} {2 * half:g} {-_TOP:g}"
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="100%" role="img"',
            f' aria-label="{escape(order.book.title)}: one seat" font-family="{_FONT}">',
            _style(layout.colours),
            f'<rect x="{-half:g}" y="{_TOP:g}" width="{2 * half:g}" height="{-_TOP:g}" rx="6"',
            f' fill="{layout.colours.felt}"/>',
            f'<g class="print">{"".join(_spot(spot, _label_size(spots)) for spot in spots)}</g></svg>',
        ]
    )


def _style(colours: Colours) -> str:
    mark = colours.mark
    return (
        f"<style>.ring{{fill:#000;fill-opacity:.14;stroke:{mark};stroke-width:1.7}}"
        f".fill{{fill:#000;fill-opacity:.14}}.accent{{fill:none;stroke:{mark};stroke-width:1.7}}"
        f".line{{fill:none;stroke:{mark};stroke-width:1.6}}.hair{{fill:none;stroke:{mark};stroke-opacity:.5}}"
        f".sensor{{fill:{mark};fill-opacity:.5}}"
        f".print text{{fill:{colours.print}}}.mark text{{fill:{mark}}}</style>"
    )


def _words(layout: Layout, *, in_full: bool) -> list[str]:
    parts = [f'<path class="line" d="{edge}"/>' for edge in layout.band_edges if in_full]
    for line in layout.lines:
        if not in_full and line.style != "title":
            continue
        size, spacing = _LETTERS[line.style]
        letters = "".join(along_arc(line.text, line.y, size * line.scale, spacing))
        weight = ' font-weight="700"' if line.style == "title" else ""
        parts.append(f'<g class="{"print" if line.style == "rule" else "mark"}"{weight}>{letters}</g>')
    return parts


def _seat(frame: Frame, spots: tuple[Spot, ...], *, in_full: bool) -> str:
    turned = f"rotate({coordinate(frame.turn)}) scale({frame.scale:g})"
    place = f"translate({coordinate(frame.x)} {coordinate(frame.y)}) {turned}"
    out, size = _RAILED if in_full else _MAPPED
    number = f'<text y="{out:g}" font-size="{size:g}" text-anchor="middle">{frame.seat}</text>'
    drawn = [spot for spot in spots if not spot.is_bare]
    shown = "".join(_spot(spot, _label_size(drawn) if in_full else 0.0) for spot in drawn)
    return f'<g class="print" transform="{place}">{shown}{number}</g>'


def _label_size(spots: Sequence[Spot]) -> float:
    """The size at which the labels of a row do not overlap."""
    widths = {spot: max((_width(line) for line in spot.label), default=0) * _LABEL for spot in spots}
    rows = ((one, other) for one, other in combinations(spots, 2) if one.y == other.y)
    shares = (abs(one.x - other.x) / ((widths[one] + widths[other]) / 2 + _LABEL * 0.4) for one, other in rows)
    return _LABEL * min(1.0, min(shares, default=1.0))


def _width(line: str) -> float:
    """The width of a line, in units of its size."""
    return sum(_WIDTHS.get(letter, _USUAL) for letter in line) / 1000


def _spot(spot: Spot, size: float) -> str:
    """The spot's shape, and its label in this size; no label at 0."""
    shape = "".join(f'<path class="{stroke.role}" d="{stroke.path}"/>' for stroke in spot.strokes)
    text = "".join(
        f'<text y="{coordinate(spot.reach + size * (1.05 + n))}" font-size="{size:.4g}"'
        f' text-anchor="middle">{escape(line)}</text>'
        for n, line in enumerate(spot.label if size else ())
    )
    return f'<g transform="translate({coordinate(spot.x)} {coordinate(spot.y)})">{shape}{text}</g>'


def along_arc(text: str, y: float, size: float, spacing: float) -> list[str]:
    """Every letter of a line that sags to `y` in the middle, upright on the arc; smaller if it has to fit.

    Letters are set one by one, as printing programs do not follow a path.
    """
    widths = [(_width(letter) + spacing) * size for letter in text]
    shrink = min(1.0, 2 * _ROOM / sum(widths))
    radius, at = _radius(), -sum(widths) * shrink / 2
    letters = []
    for letter, width in zip(text, widths, strict=True):
        middle = at + width * shrink / 2
        at += width * shrink
        turn = asin(max(-1.0, min(1.0, middle / radius)))
        if letter != " ":
            letters.append(_letter(letter, middle, y - radius + sqrt(radius**2 - middle**2), turn, size * shrink))
    return letters


def _letter(letter: str, x: float, y: float, turn: float, size: float) -> str:
    place = f"translate({coordinate(CENTRE + x)} {coordinate(y)}) rotate({coordinate(-degrees(turn))})"
    return f'<text transform="{place}" font-size="{size:.2f}" text-anchor="middle">{escape(letter)}</text>'


def _radius() -> float:
    return (_HALF**2 + _SAG**2) / (2 * _SAG)
