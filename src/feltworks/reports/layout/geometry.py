"""The shapes of a layout: the table, its seats and the spots printed on it."""

from itertools import accumulate, pairwise
from math import atan2, cos, degrees, dist, radians, sin, sqrt
from typing import Final, Literal

from msgspec import Struct

WIDTH, HEIGHT, CENTRE = 1080.0, 736.0, 540.0
RAIL: Final = 34.0
_BEND, _SHOULDER, _DAMP, _SAMPLES = 0.6, 150.0, 0.56, 400
_INWARD: Final = 14.0  # distance of a seat from the rail
Point = tuple[float, float]
Role = Literal["ring", "fill", "accent", "sensor"]
_REACH: Final = {"shield": 1.2, "diamond": 1.22, "sensor": 1.26, "clover": 1.26}
_CORNER: Final = 4.0  # of a diamond


class Frame(Struct, frozen=True):
    """A seat's own frame: its place, its rotation and its scale.

    `rail_x` and `rail_y` are its place on the rail itself, where the browser draws the player's own seat;
    `along_x` and `along_y` are the direction of the rail there.
    """

    seat: int
    x: float
    y: float
    rail_x: float
    rail_y: float
    along_x: float
    along_y: float
    turn: float
    scale: float


def coordinate(value: float) -> str:
    """A coordinate as written in a drawing."""
    return f"{round(value, 1):g}"


def outline(inset: float, top: float | None = None) -> str:
    """The table's edge at this distance inside the rail's outer edge."""
    left, right, low = 16 + inset, WIDTH - 16 - inset, HEIGHT - 14 - inset
    high, corner = 20 + (inset if top is None else top), max(8.0, 34 - inset)
    deep, wide = _BEND * (low - _SHOULDER), _BEND * (right - CENTRE)
    numbers = {
        "l": left, "r": right, "t": high, "b": low, "c": CENTRE, "s": _SHOULDER, "lq": left + corner,
        "rq": right - corner, "tq": high + corner, "sk": _SHOULDER + deep,
        "cr": CENTRE + wide, "cl": CENTRE - wide,
    }  # fmt: skip
    path = (
        "M{lq} {t} H{rq} Q{r} {t} {r} {tq} V{s} C{r} {sk} {cr} {b} {c} {b}"
        " C{cl} {b} {l} {sk} {l} {s} V{tq} Q{l} {t} {lq} {t} Z"
    )
    return path.format(**{key: coordinate(value) for key, value in numbers.items()})


def _rim(inset: float) -> list[Point]:
    """Points along the arc from the right shoulder to the left one."""
    left, right, low = 16 + inset, WIDTH - 16 - inset, HEIGHT - 14 - inset
    deep, wide = _BEND * (low - _SHOULDER), _BEND * (right - CENTRE)
    first = ((right, _SHOULDER), (right, _SHOULDER + deep), (CENTRE + wide, low), (CENTRE, low))
    second = ((CENTRE, low), (CENTRE - wide, low), (left, _SHOULDER + deep), (left, _SHOULDER))
    steps = range(_SAMPLES + 1)
    return [_bezier(first, n / _SAMPLES) for n in steps] + [_bezier(second, n / _SAMPLES) for n in steps[1:]]


def _bezier(ends: tuple[Point, ...], t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3)
    x, y = (sum(w * p[axis] for w, p in zip(weights, ends, strict=True)) for axis in (0, 1))
    return x, y


def frames(count: int) -> list[Frame]:
    """Seats from the dealer's left, which is the right of the drawing; turned less at the ends, to be legible."""
    line = _rim(RAIL)
    lengths = list(accumulate((dist(a, b) for a, b in pairwise(line)), initial=0.0))
    ends = 0.115 if count > 6 else 0.135 if count > 5 else 0.15
    return [_frame(line, lengths, number, count, ends) for number in range(count)]


def _frame(line: list[Point], lengths: list[float], number: int, count: int, ends: float) -> Frame:
    part = ends + number * (1 - 2 * ends) / (count - 1) if count > 1 else 0.5
    at = next(n for n, length in enumerate(lengths) if length >= part * lengths[-1] - 0.01)
    before, after = line[max(0, at - 3)], line[min(len(line) - 1, at + 3)]
    run = dist(before, after)
    along_x, along_y = (after[0] - before[0]) / run, (after[1] - before[1]) / run
    lean = degrees(atan2(along_y, along_x)) - 180
    lean += 360 if lean < -180 else 0
    x, y = line[at]
    return Frame(
        seat=number + 1,
        x=x + _INWARD * sin(radians(lean)),
        y=y - _INWARD * cos(radians(lean)),
        rail_x=x,
        rail_y=y,
        along_x=along_x,
        along_y=along_y,
        turn=lean * _DAMP,
        scale=0.72 if count > 7 else 0.86 if count > 6 else 1.0,
    )


def arc(y: float, half: float, sag: float) -> str:
    """An arc for print, this wide to either side, whose lowest point is at y."""
    radius, high = coordinate((half * half + sag * sag) / (2 * sag)), coordinate(y - sag)
    return f"M{coordinate(CENTRE - half)} {high} A{radius} {radius} 0 0 0 {coordinate(CENTRE + half)} {high}"


def bow(inset: float) -> str:
    """The players' side of the edge."""
    left, right, low = 16 + inset, WIDTH - 16 - inset, HEIGHT - 14 - inset
    deep, wide = _BEND * (low - _SHOULDER), _BEND * (right - CENTRE)
    numbers = {
        "l": left, "r": right, "b": low, "c": CENTRE, "s": _SHOULDER, "e": _SHOULDER - 70,
        "sk": _SHOULDER + deep, "cr": CENTRE + wide, "cl": CENTRE - wide,
    }  # fmt: skip
    path = "M{r} {e} V{s} C{r} {sk} {cr} {b} {c} {b} C{cl} {b} {l} {sk} {l} {s} V{e}"
    return path.format(**{key: coordinate(value) for key, value in numbers.items()})


def stage() -> dict[str, str | float]:
    """The table's shape for the browser: its size, and the paths of rail and felt."""
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "centre": CENTRE,
        "edge": outline(0, 0),
        "edgeLight": outline(0.8, 0.8),
        "railLight": outline(14, 6),
        "railShadow": outline(RAIL + 4, 14),
        "stitches": bow(26),
        "felt": outline(RAIL, 12),
        "feltShadow": outline(RAIL - 2, 10),
        "feltLine": outline(RAIL + 15, 25),
    }


class Stroke(Struct, frozen=True):
    """One path of a shape: a ring, a filling without a line, a line without a filling, or a lamp."""

    role: Role
    path: str


def reach(shape: str, r: float) -> float:
    """The extent of a shape below its centre."""
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
