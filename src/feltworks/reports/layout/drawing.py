"""The printed layout as one SVG: cloth, arcs of words, and the spots of every seat."""

from html import escape
from typing import Final

from feltworks.reports.layout.geometry import HEIGHT, RAIL, WIDTH, Frame, frames, outline, written
from feltworks.reports.layout.lettering import along_arc, arc_path
from feltworks.reports.layout.spots import Spot, band_wagers, drawn, spots
from feltworks.reports.order import Order

_CLOTHS: Final = {  # felt, print and mark of tokens.css
    "fu-bacc": ("#5b1721", "#f6e2bd", "#e0b568"),
    "acey-deucey-21": ("#153c70", "#e9eff8", "#f0c766"),
    "lucky-break": ("#11543b", "#eff3e2", "#f0cf74"),
    "spanish-poker": ("#482256", "#f6e8d6", "#f2b36b"),
    "lucky-lucky": ("#0e4f5b", "#e6f3f0", "#f2d07a"),
}
_USUAL: Final = ("#11543b", "#eff3e2", "#f0cf74")
_TITLE, _WORDS, _BAND = 29.0, 11.5, 240.0
_MARGIN, _TOP, _LEAST = 46.0, -164.0, 106.0  # of one seat alone: beside and before it, and half its width
_RAILED, _MAPPED = (38.0, 12.0), (29.0, 30.0)  # a seat's number: how far out, how large
_FONT: Final = "Liberation Sans, Arial, Helvetica, sans-serif"


def layout_svg(order: Order, *, in_full: bool = True) -> str:
    """The empty table as it is filed, every word from rulebook and options; else a map of its seats."""
    felt, printed, mark = _CLOTHS.get(order.game, _USUAL)
    seats = _seats(order)
    places = spots(order)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" width="100%"',
            f' role="img" aria-label="{escape(order.book.title)}: layout with {seats} spots"',
            f' font-family="{_FONT}">',
            _style(printed, mark),
            f'<path d="{outline(0)}" fill="#2b2320"/><path d="{outline(RAIL, 12)}" fill="{felt}"/>',
            f'<path class="line" d="{outline(RAIL, 12)}"/><path class="hair" d="{outline(RAIL + 15, 25)}"/>',
            '<rect x="380" y="42" width="320" height="46" rx="8" fill="none" class="hair"/>',
            *_words(order, in_full=in_full),
            *(_seat(frame, places, in_full=in_full) for frame in frames(seats)),
            "</svg>",
        ]
    )


def seat_svg(order: Order) -> str:
    """One seat of the layout, large enough to be read."""
    felt, printed, mark = _CLOTHS.get(order.game, _USUAL)
    places = spots(order)
    half = max(_LEAST, *(abs(spot.x) + _MARGIN for spot in places))
    box = f"{-half:g} {_TOP:g} {2 * half:g} {-_TOP:g}"
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="100%" role="img"',
            f' aria-label="{escape(order.book.title)}: one seat" font-family="{_FONT}">',
            _style(printed, mark),
            f'<rect x="{-half:g}" y="{_TOP:g}" width="{2 * half:g}" height="{-_TOP:g}" rx="6"',
            f' fill="{felt}"/>',
            f'<g class="print">{"".join(map(drawn, places))}</g></svg>',
        ]
    )


def _seats(order: Order) -> int:
    return order.table.terms.spots or order.profile.number("seats")


def _style(printed: str, mark: str) -> str:
    return (
        f"<style>.ring{{fill:#000;fill-opacity:.14;stroke:{mark};stroke-width:1.7}}"
        f".line{{fill:none;stroke:{mark};stroke-width:1.6}}.hair{{fill:none;stroke:{mark};stroke-opacity:.5}}"
        f".sensor{{fill:{mark};fill-opacity:.5}}"
        f".print text{{fill:{printed}}}.mark text{{fill:{mark}}}</style>"
    )


def _words(order: Order, *, in_full: bool) -> list[str]:
    band = band_words(order) if in_full else ""
    y = 306.0 if band else 316.0
    title = along_arc(order.book.title.upper(), y, _TITLE, 0.26)
    parts = [f'<g class="mark" font-weight="700">{"".join(title)}</g>']
    if not in_full:
        return parts
    if band:
        letters = "".join(along_arc(band.upper(), y + 33, _WORDS, 0.17))
        arcs = f"{arc_path(y + 15, _BAND)} {arc_path(y + 42, _BAND)}"
        parts.append(f'<path class="line" d="{arcs}"/><g class="mark">{letters}</g>')
    for number, line in enumerate(filter(None, order.table.cloth_words.upper().split("; "))):
        letters = "".join(along_arc(line, y + (62 if band else 27) + 18 * number, _WORDS, 0.17))
        parts.append(f'<g class="print">{letters}</g>')
    return parts


def band_words(order: Order) -> str:
    """What the band on the cloth says: the wagers that lie on it, and what they pay."""
    found = []
    for name in band_wagers(order):
        wins = [pay for pay in order.table.pays[name].values() if getattr(pay, "win", 0) > 0]
        found.append(f"{order.book.wager[name].title} pays {wins[0]}")
    return " · ".join(found)


def _seat(frame: Frame, places: list[Spot], *, in_full: bool) -> str:
    turned = f"rotate({written(frame.turn)}) scale({frame.scale:g})"
    place = f"translate({written(frame.x)} {written(frame.y)}) {turned}"
    out, size = _RAILED if in_full else _MAPPED
    number = f'<text y="{out:g}" font-size="{size:g}" text-anchor="middle">{frame.seat}</text>'
    shown = "".join(drawn(spot, labelled=in_full) for spot in places)
    return f'<g class="print" transform="{place}">{shown}{number}</g>'
