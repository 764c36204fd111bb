"""Letters along an arc, each set by itself: printing programs do not follow a path."""

from html import escape
from math import asin, degrees, sqrt
from typing import Final

from feltworks.reports.layout.geometry import CENTRE, coordinate

_HALF, _SAG, _ROOM = 330.0, 76.0, 270.0
_WIDTHS: Final = {  # thousandths of their size, Liberation Sans
    letter: width
    for width, letters in {
        191: "'", 278: " ,.:;I", 333: "·-", 500: "J", 584: "×", 611: "FTZ", 667: "ABEKPSVXY",
        722: "CDHNRU", 778: "GOQ", 833: "M", 944: "W",
    }.items()
    for letter in letters
}  # fmt: skip
_USUAL: Final = 556


def along_arc(text: str, y: float, size: float, spacing: float) -> list[str]:
    """Every letter of a line that sags to `y` in the middle, set upright on the arc; as small as it takes."""
    widths = [(_WIDTHS.get(letter, _USUAL) / 1000 + spacing) * size for letter in text]
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
