"""Betting spots of one seat: which wagers have one, where it lies, its shape and its label."""

from html import escape
from math import cos, radians, sin
from typing import Final

from msgspec import Struct

from feltworks.reports.layout.geometry import written
from feltworks.reports.order import Order

_REACH: Final = {"shield": 1.2, "diamond": 1.22, "sensor": 1.26, "clover": 1.16}
_MAIN_RADIUS, _RADIUS = 25.0, 19.0
_LINE = 10.2


class Spot(Struct, frozen=True):
    """A place to wager, in the seat's own frame: x along the rail, minus y towards the dealer."""

    wager: str
    label: tuple[str, ...]
    shape: str
    radius: float
    x: float
    y: float


def spots(order: Order) -> list[Spot]:
    """The main wager at the rail; what follows from it and the bonus wagers in a row before it."""
    book = order.book.wager
    main = [name for name in order.offered if book[name].kind == "main"]
    row: list[str] = []
    for name in order.offered:
        if name not in main:
            row += order.group(name)
    follows = [name for each in main for name in order.group(each)[1:] if book[name].times]
    row[len(row) // 2 : len(row) // 2] = follows  # in the middle, right before its wager
    apart = 60.0 if len(row) < 4 else 48.0
    placed = [
        _spot(order, name, (n - (len(main) - 1) / 2) * 70, -56, _MAIN_RADIUS) for n, name in enumerate(main)
    ]
    return placed + [
        _spot(order, name, (n - (len(row) - 1) / 2) * apart, -130, _RADIUS) for n, name in enumerate(row)
    ]


def band_wagers(order: Order) -> list[str]:
    """Wagers that follow from the main one as far as the player likes: they lie on a band, not on a spot."""
    book = order.book.wager
    main = [name for name in order.offered if book[name].kind == "main"]
    return [
        name for each in main for name in order.group(each)[1:] if book[name].up_to and _is_on(order, name)
    ]


def _is_on(order: Order, wager: str) -> bool:
    return order.table.terms.options.get(wager, True) is not False


def _spot(order: Order, name: str, x: float, y: float, radius: float) -> Spot:
    entry = order.book.wager[name]
    words = entry.title.upper() + (f" {entry.times}×" if entry.times else "")
    shape = "sensor" if entry.fixed else order.table.wagers[name].printed_as
    return Spot(name, _lines(words), shape, radius, x, y)


def _lines(words: str) -> tuple[str, ...]:
    """A label in lines short enough for its ring."""
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + len(word) > 8:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return tuple(lines)


def drawn(spot: Spot, *, labelled: bool = True) -> str:
    """The spot's ring and its label."""
    below = spot.radius * _REACH.get(spot.shape, 1.04)
    text = "".join(
        f'<text y="{written(below + _LINE * (1.05 + n))}" font-size="{_LINE}"'
        f' text-anchor="middle">{escape(line)}</text>'
        for n, line in enumerate(spot.label if labelled else ())
    )
    place = f"translate({written(spot.x)} {written(spot.y)})"
    return f'<g transform="{place}">{_ring(spot.shape, spot.radius)}{text}</g>'


def _ring(shape: str, r: float) -> str:
    if shape == "hexagon":
        return (
            f'<path class="ring" d="M{" L".join(_polar(r * 1.06, turn) for turn in range(0, 360, 60))} Z"/>'
        )
    if shape == "diamond":
        side = r * 0.86
        box = f'x="{-side:g}" y="{-side:g}" width="{2 * side:g}" height="{2 * side:g}" rx="4"'
        return f'<rect class="ring" {box} transform="rotate(45)"/>'
    if shape == "clover":
        q, k = written(r * 0.62), written(r * 0.42)
        arcs = f"A{q} {q} 0 1 1 {k} 0 A{q} {q} 0 1 1 0 {k} A{q} {q} 0 1 1 -{k} 0 A{q} {q} 0 1 1 0 -{k}"
        return f'<path class="ring" d="M0 -{k} {arcs} Z"/>'
    return _round_ring(shape, r)


def _round_ring(shape: str, r: float) -> str:
    circle = f'<circle class="ring" r="{r:g}"/>'
    if shape == "shield":
        return (
            f'<path class="ring" d="M{-r:g} {-r * 0.9:g} Q0 {-r * 1.25:g} {r:g} {-r * 0.9:g} V{r * 0.1:g}'
            f" C{r:g} {r * 0.7:g} {r * 0.4:g} {r * 1.05:g} 0 {r * 1.2:g}"
            f' C{-r * 0.4:g} {r * 1.05:g} {-r:g} {r * 0.7:g} {-r:g} {r * 0.1:g} Z"/>'
        )
    if shape == "spread":
        bars = f"M{-r * 1.28:g} {-r * 0.55:g} V{r * 0.55:g} M{r * 1.28:g} {-r * 0.55:g} V{r * 0.55:g}"
        return f'{circle}<path class="line" d="{bars}"/>'
    if shape == "broken":
        return f'<path class="ring" d="M{_polar(r, -26)} A{r:g} {r:g} 0 1 1 {_polar(r, -72)}"/>'
    return f'{circle}<circle class="sensor" r="{r - 6:g}"/>' if shape == "sensor" else circle


def _polar(r: float, turn: float) -> str:
    return f"{written(r * cos(radians(turn)))} {written(r * sin(radians(turn)))}"
