"""The layout of a table as data: words, colours, spots and seats, for papers and browser."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from feltworks.reports.layout.geometry import Frame, Stroke, arc, frames, reach, strokes
from feltworks.rules.game import Game

_BAND_Y: Final = -268.0  # the place of wagers on the band
_LONGEST_LINE: Final = 8  # letters in one line of a label
_ROWS: Final = {"main": (-58.0, 62.0, 24.0), "derived": (-128.0, 50.0, 21.0)}  # y, distance, radius
_BONUS_RADIUS: Final = 20.0
_BONUS_ROW: Final = (-124.0, 88.0)  # y and distance, if the main wager has no other wager before it
_MOST_IN_ROW: Final = 3
_DIRECTIONS: Final = ((1.0, 0.0), (0.6, -0.8), (0.0, -1.0), (-0.6, -0.8), (-1.0, 0.0), (0.8, 0.6), (-0.8, 0.6))
_CHIP, _AMOUNT = 17.0, 41.0  # radius of a stack that was won, and the distance of its amount
_LETTER_WIDTH, _LETTER_HEIGHT = 8.4, 11.0
_ROW_WIDTH: Final = 106.0  # between the first and the last spot of a row; more would reach the next seat's spots
_LABEL_LINES: Final = 2  # the most that fit between two rows
_LINE_HEIGHT: Final = 10.0
_TITLE_LETTERS: Final = 22  # the most that an arc takes at full size


class Point(Struct, frozen=True):
    """A place or a direction."""

    x: float
    y: float


class Colours(Struct, frozen=True):
    """The colours of a cloth: felt in the middle, lit and in the dark, letters, and lines."""

    felt: str
    glow: str
    deep: str
    print: str
    mark: str


class Aside(Struct, frozen=True):
    """A card beside the others until it is used."""

    index: int
    label: str


class SpotPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """The place of a wager's spot on the cloth."""

    radius: float
    x: float = 0.0
    y: float = 0.0
    label: tuple[str, ...] = ()
    shape: str = ""
    main: bool = False
    pays: Point | None = None


class SpotRow(Struct, frozen=True, forbid_unknown_fields=True):
    """Wagers in a row that closes up if a table omits some: x by the number of spots."""

    wagers: tuple[str, ...]
    y: float
    x: tuple[tuple[float, ...], ...]


class Cloth(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of cloths.toml."""

    furniture: Literal["shoe", "shuffler"]
    hand: float
    fan: tuple[str, ...]
    colours: Colours
    text: str = ""
    spots: Mapping[str, SpotPlace] = {}
    row: SpotRow | None = None
    dealer_order: tuple[int, ...] = ()
    dealer_labels: tuple[str, ...] = ()
    dealer_apart: int | None = None
    aside: Aside | None = None


class Spot(Struct, frozen=True):
    """A spot in the seat's own frame; a bare one is not printed, as its wager is on the band."""

    wager: str
    label: tuple[str, ...]
    is_bare: bool
    radius: float
    x: float
    y: float
    main: bool
    pays: Point | None
    reach: float  # the extent of the shape below its centre
    strokes: tuple[Stroke, ...]


class PrintLine(Struct, frozen=True):
    """A line of print on an arc; `y` is the lowest point of the arc."""

    style: Literal["title", "band", "rule"]
    text: str
    y: float
    path: str
    scale: float = 1.0  # of the letters; long titles are smaller


class Layout(Struct, frozen=True, kw_only=True):
    """The layout of one table."""

    game: str
    rank: int  # in the list of cloths; games without their own come last
    title: str
    lines: tuple[PrintLine, ...]
    band_edges: tuple[str, ...]
    spots: tuple[Spot, ...]
    seats: tuple[Frame, ...]
    colours: Colours
    furniture: Literal["shoe", "shuffler"]
    hand: float  # distance of the cards from the rail
    fan: tuple[str, ...]
    text: str
    dealer_order: tuple[int, ...]  # from left to right, as indices in the order of the deal
    dealer_labels: tuple[str, ...]  # in the order of the deal
    dealer_apart: int | None
    aside: Aside | None


@cache
def cloths() -> Mapping[str, Cloth]:
    """The designed cloths by game; `usual` is for all others."""
    text = files("feltworks.reports.layout").joinpath("cloths.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=dict[str, Cloth])


def layout_of(game: Game, seats: int) -> Layout:
    """The layout of a table with these terms and this number of seats."""
    book = game.terms.rulebook
    cloth = cloths().get(book.name, cloths()["usual"])
    band = band_words(game)
    names = list(cloths())
    titles = ", ".join(entry.title for entry in book.wager.values())
    return Layout(
        game=book.name,
        rank=names.index(book.name) if book.name in names else len(names),
        title=book.title.upper(),
        lines=tuple(_lines(game, band)),
        band_edges=(arc(321, 318, 74), arc(348, 326, 76)) if band else (),
        spots=tuple(_spots(game, cloth)),
        seats=tuple(frames(seats)),
        colours=cloth.colours,
        furniture=cloth.furniture,
        hand=cloth.hand if book.name in names else cloth.hand - round(_row_lift(game, _derived_wagers(game))),
        fan=cloth.fan,
        text=cloth.text or f"Wagers: {titles}.",
        dealer_order=cloth.dealer_order,
        dealer_labels=cloth.dealer_labels,
        dealer_apart=cloth.dealer_apart,
        aside=cloth.aside,
    )


def band_words(game: Game) -> str:
    """The words on the band: its wagers and their pays."""
    words = []
    for name in _band_wagers(game):
        wins = [pay for pay in game.pays[name].values() if getattr(pay, "win", 0) > 0]
        words.append(f"{game.terms.rulebook.wager[name].title} pays {wins[0]}")
    return " · ".join(words)


def _lines(game: Game, band: str) -> list[PrintLine]:
    y = 306.0 if band else 316.0
    title = game.terms.rulebook.title.upper()
    lines = [PrintLine("title", title, y, arc(y, 330, 76), min(1.0, round(_TITLE_LETTERS / len(title), 3)))]
    if band:
        lines.append(PrintLine("band", band.upper(), y + 33, arc(y + 33, 322, 75)))
    for number, text in enumerate(filter(None, _capitals(game.cloth_words).split("; "))):
        at = y + (62 if band else 27) + 18 * number
        lines.append(PrintLine("rule", text, at, arc(at, 330, 76)))
    return lines


def _capitals(text: str) -> str:
    """Capital letters, except the small s of 17s and 6s."""
    return re.sub(r"(?<=\d)S\b", "s", text.upper())


def _wagers(game: Game) -> list[str]:
    """The wagers with a place on the felt: those offered, and those derived from them."""
    book, offers = game.terms.rulebook.wager, game.terms.offers
    return [name for name, entry in book.items() if name in offers or entry.of in offers]


def _derived_wagers(game: Game) -> list[str]:
    """The wagers of the second row, if the game has no cloth of its own."""
    return [name for name in _wagers(game) if game.terms.rulebook.wager[name].kind == "derived"]


def _band_wagers(game: Game) -> list[str]:
    """Wagers of any size up to a share of the main one: placed on a band, not on a spot."""
    book, options = game.terms.rulebook.wager, game.terms.options
    return [
        name
        for name in _wagers(game)
        if book[name].up_to
        and book[name].of
        and book[book[name].of].kind == "main"
        and options.get(name, True) is not False
    ]


def _spots(game: Game, cloth: Cloth) -> list[Spot]:
    bare = _band_wagers(game)
    names = [name for name in _wagers(game) if game.terms.options.get(name, True) is not False]
    names = [name for name in names if name not in bare]
    places = {**_usual_places(game, names), **_designed_places(cloth, names)}
    spots = [_spot(game, name, places[name]) for name in names]
    if not cloth.spots:
        spots = [replace(spot, pays=_pay_direction(spot, spots)) for spot in spots]
    spots.sort(key=lambda spot: _rank(cloth, spot.wager))
    return spots + [_bare_spot(name) for name in bare]


def _rank(cloth: Cloth, wager: str) -> int:
    designed = list(cloth.spots)
    return designed.index(wager) if wager in designed else len(designed)


def _designed_places(cloth: Cloth, names: list[str]) -> dict[str, SpotPlace]:
    places = {name: place for name, place in cloth.spots.items() if name in names}
    row = [name for name in cloth.row.wagers if name in names] if cloth.row else []
    if cloth.row and 0 < len(row) <= len(cloth.row.x):
        for name, x in zip(row, cloth.row.x[len(row) - 1], strict=True):
            places[name] = replace(places[name], x=x, y=cloth.row.y)
    return places


def _usual_places(game: Game, names: list[str]) -> dict[str, SpotPlace]:
    """Main wagers at the rail, derived ones before it, bonus wagers beside them or in a row with room."""
    book = game.terms.rulebook.wager
    rows = {kind: [name for name in names if book[name].kind == kind] for kind in _ROWS}
    bonus = [name for name in names if book[name].kind == "bonus"]
    if len(rows["main"]) > 1:
        for name in bonus:
            min(rows.values(), key=len).append(name)
        bonus = []
    lift = _row_lift(game, rows["derived"])
    places = {}
    if not rows["derived"]:  # wins of the main wager are paid beside it
        row, bonus = bonus[:_MOST_IN_ROW], bonus[_MOST_IN_ROW:]
        y, apart = _BONUS_ROW[0], min(_BONUS_ROW[1], _ROW_WIDTH / max(1, len(row) - 1))
        for number, name in enumerate(row):
            places[name] = SpotPlace(_BONUS_RADIUS, (number - (len(row) - 1) / 2) * apart, y)
    for kind, row in rows.items():
        for number, name in enumerate(row):
            places[name] = _row_place(kind, number, len(row), lift, is_main=book[name].kind == "main")
    for number, name in enumerate(bonus):
        side, back = 1 if number % 2 == 0 else -1, number // 2
        places[name] = SpotPlace(_BONUS_RADIUS, side * (66.0 + 8 * back), -70.0 - 62 * back)
    return places


def _row_place(kind: str, number: int, count: int, lift: float, *, is_main: bool) -> SpotPlace:
    y, apart, radius = _ROWS[kind]
    apart = min(apart, _ROW_WIDTH / max(1, count - 1))
    x = (number - (count - 1) / 2) * apart
    size = radius if is_main or kind == "derived" else _BONUS_RADIUS
    return SpotPlace(min(size, apart / 2 - 2), x, y - lift if kind == "derived" else y, main=is_main)


def _row_lift(game: Game, row: list[str]) -> float:
    """How much higher the second row is, for labels of several lines below it."""
    lines = max((len(_label(_words(game, name))) for name in row), default=0)
    return _LINE_HEIGHT * max(0, lines - _LABEL_LINES)


def _words(game: Game, name: str) -> str:
    """The words of a spot: the wager, with its multiples if a short label has room."""
    entry = game.terms.rulebook.wager[name]
    title = entry.title.upper()
    full = f"{title} {entry.multiples}×" if entry.times else title
    return full if len(_label(full)) <= _LABEL_LINES else title


def _spot(game: Game, name: str, place: SpotPlace) -> Spot:
    entry = game.terms.rulebook.wager[name]
    wager = game.wagers.get(name)
    shape = place.shape or ("sensor" if entry.fixed else wager.printed_as if wager else "circle")
    return Spot(
        wager=name,
        label=place.label or _label(_words(game, name)),
        is_bare=False,
        radius=place.radius,
        x=place.x,
        y=place.y,
        main=place.main,
        pays=place.pays,
        reach=reach(shape, place.radius),
        strokes=strokes(shape, place.radius),
    )


Box = tuple[float, float, float, float]  # left, top, right, bottom


def _pay_direction(spot: Spot, spots: list[Spot]) -> Point:
    """The direction of a win and its amount that covers the fewest letters: outwards unless another is freer."""
    side = -1 if spot.x < 0 else 1
    return min([Point(side * x, y) for x, y in _DIRECTIONS], key=lambda way: _overlap_of_win(spot, way, spots))


def _overlap_of_win(spot: Spot, way: Point, spots: list[Spot]) -> float:
    """How much of labels and of other spots a win in this direction covers."""
    away = spot.radius + 0.8 * _CHIP
    x, y = spot.x + way.x * away, spot.y + way.y * away
    end = x + _AMOUNT * ((way.x > 0) - (way.x < 0))
    win = (min(x, end) - _CHIP, y - 2 * _CHIP, max(x, end) + _CHIP, y + _CHIP)
    labels = sum(_overlap(win, _label_box(other)) for other in spots)
    rings = ((o.x - o.radius, o.y - o.radius, o.x + o.radius, o.y + o.radius) for o in spots if o is not spot)
    return 4 * labels + sum(_overlap(win, ring) for ring in rings)


def _label_box(spot: Spot) -> Box:
    half = max((len(line) for line in spot.label), default=0) * _LETTER_WIDTH / 2
    top = spot.y + spot.reach
    return spot.x - half, top, spot.x + half, top + _LETTER_HEIGHT * (len(spot.label) + 0.3)


def _overlap(one: Box, other: Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    return max(0.0, across) * max(0.0, min(one[3], other[3]) - max(one[1], other[1]))


def _bare_spot(name: str) -> Spot:
    return Spot(name, (), True, 18.0, 0.0, _BAND_Y, False, None, 0.0, ())


def _label(words: str) -> tuple[str, ...]:
    """A label in lines short enough for its ring."""
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + len(word) > _LONGEST_LINE:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return tuple(lines)
