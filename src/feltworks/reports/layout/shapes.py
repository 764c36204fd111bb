"""The printed shapes of betting spots, as paths about the spot's centre."""

from math import cos, radians, sin, sqrt
from typing import Final, Literal

from msgspec import Struct

from feltworks.reports.layout.geometry import coordinate

Role = Literal["ring", "fill", "accent", "sensor"]
_REACH: Final = {"shield": 1.2, "diamond": 1.22, "sensor": 1.26, "clover": 1.16}
_CORNER: Final = 4.0  # of a diamond


class Stroke(Struct, frozen=True):
    """One path of a shape: a ring, a filling without a line, a line without a filling, or a lamp."""

    role: Role
    path: str


def reach(shape: str, r: float) -> float:
    """How far a shape comes down from its centre."""
    return r * _REACH.get(shape, 1.04)


def strokes(shape: str, r: float) -> tuple[Stroke, ...]:
    """The paths of a shape; an unknown one is a circle, `bare` has none."""
    match shape:
        case "bare":
            return ()
        case "hexagon":
            return (Stroke("ring", f"M{' L'.join(_polar(r * 1.06, turn) for turn in range(0, 360, 60))} Z"),)
        case "diamond":
            return (Stroke("ring", _diamond(r)),)
        case "clover":
            return (Stroke("ring", _clover(r)),)
        case "shield":
            return (Stroke("ring", _shield(r)),)
        case "broken":
            return _broken(r)
        case "spread":
            bars = _path("M{} {} V{} M{} {} V{}", r, -1.28, -0.55, 0.55, 1.28, -0.55, 0.55)
            return (Stroke("ring", _circle(r)), Stroke("accent", bars))
        case "sensor":
            return (Stroke("ring", _circle(r + 4)), Stroke("sensor", _circle(r - 2)))
    return (Stroke("ring", _circle(r)),)


def _circle(r: float) -> str:
    size = coordinate(r)
    return f"M{size} 0 A{size} {size} 0 1 1 -{size} 0 A{size} {size} 0 1 1 {size} 0 Z"


def _diamond(r: float) -> str:
    """A square on its corner, with the corners rounded."""
    tip = coordinate(r * 0.86 * sqrt(2))
    far, near = coordinate(r * 0.86 * sqrt(2) - _CORNER / sqrt(2)), coordinate(_CORNER / sqrt(2))
    return (
        f"M{near} -{far} L{far} -{near} Q{tip} 0 {far} {near} L{near} {far} Q0 {tip} -{near} {far}"
        f" L-{far} {near} Q-{tip} 0 -{far} -{near} L-{near} -{far} Q0 -{tip} {near} -{far} Z"
    )


def _clover(r: float) -> str:
    q, k = coordinate(r * 0.62), coordinate(r * 0.42)
    arcs = f"A{q} {q} 0 1 1 {k} 0 A{q} {q} 0 1 1 0 {k} A{q} {q} 0 1 1 -{k} 0 A{q} {q} 0 1 1 0 -{k}"
    return f"M0 -{k} {arcs} Z"


def _shield(r: float) -> str:
    top = _path("M{} {} Q0 {} {} {} V{}", r, -1, -0.9, -1.25, 1, -0.9, 0.1)
    right = _path("C{} {} {} {} 0 {}", r, 1, 0.7, 0.4, 1.05, 1.2)
    left = _path("C{} {} {} {} {} {}", r, -0.4, 1.05, -1, 0.7, -1, 0.1)
    return f"{top} {right} {left} Z"


def _broken(r: float) -> tuple[Stroke, ...]:
    size = coordinate(r)
    ring = f"M{_polar(r, -26)} A{size} {size} 0 1 1 {_polar(r, -72)}"
    crack = _path("M{} {} L{} {} L{} {} L{} {}", r, 0.84, -1.02, 0.54, -0.86, 0.76, -0.64, 0.46, -0.44)
    return (Stroke("fill", _circle(r)), Stroke("accent", ring), Stroke("accent", crack))


def _path(template: str, r: float, *shares: float) -> str:
    """A path whose numbers are shares of the radius."""
    return template.format(*(coordinate(share * r) for share in shares))


def _polar(r: float, turn: float) -> str:
    return f"{coordinate(r * cos(radians(turn)))} {coordinate(r * sin(radians(turn)))}"
