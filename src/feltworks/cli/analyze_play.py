"""How a wager is played, briefly and in plain words: a chart for the eye, or hands from the best down."""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from feltworks.cli.output import new_table

if TYPE_CHECKING:
    from rich.table import Table

    from feltworks.analysis.analyze import Question

Rows = list[dict[str, Any]]
_WIDE = 6  # columns beyond which a choice is told by its first letter


def play_tables(question: "Question", rows: Rows) -> "Iterator[Table]":
    """What is chosen how often, and where."""
    yield _how_often(rows)
    if "hand" in rows[0]:
        yield _by_hand(rows)
    elif chart := _chart(question, rows):
        yield chart


def _shares(row: dict[str, Any]) -> dict[str, float]:
    if "choices" not in row:
        return {row["choice"]: row["probability"]["value"]}
    return {name: part["value"] * row["probability"]["value"] for name, part in row["choices"].items()}


def _how_often(rows: Rows) -> "Table":
    shares: dict[str, float] = {}
    for row in rows:
        for name, share in _shares(row).items():
            shares[name] = shares.get(name, 0) + share
    table = new_table("choice", "how often", title="The play (felt strategy says more)")
    for name, share in sorted(shares.items(), key=lambda item: -item[1]):
        table.add_row(name, f"{share:.2%}")
    return table


def _by_hand(rows: Rows) -> "Table":
    """Hands in a row that are played alike are told by the best and the worst of them."""
    table = new_table("hand", "what to do", title="Best hands first")
    for words, run in groupby(rows, key=_hand_words):
        hands = [row["hand"] for row in run]
        names = hands[0] if len(hands) == 1 else f"{hands[0]} down to {hands[-1]}"
        table.add_row(names, words)
    return table


def _hand_words(row: dict[str, Any]) -> str:
    if row["choice"]:
        return str(row["choice"])
    parts = (f"{name} {part['value']:.0%} of them" for name, part in row["choices"].items())
    return f"by the other cards: {', '.join(parts)}"


def _chart(question: "Question", rows: Rows) -> "Table | None":
    """Choices by two facts of the situation: a cell names every choice that comes up in it."""
    from feltworks.cards import cards
    from feltworks.rules.sights.sight import Seen

    if not (sights := question.game.sights):
        return None
    chart = sights.summary or sights.chart
    seen = [Seen(cards(row["cards"]), cards(row["dealer"])) for row in rows]
    places = [(chart.down.label(each), chart.across.label(each)) for each in seen]
    corner = " \\ ".join(filter(None, (chart.down.title, chart.across.title)))
    return _grid(rows, places, corner)


def _grid(rows: Rows, places: list[tuple[str, str]], corner: str) -> "Table":
    cells: dict[tuple[str, str], dict[str, None]] = {}
    for row, place in zip(rows, places, strict=True):
        cells.setdefault(place, {})[row["choice"]] = None
    columns = sorted({column for _, column in cells})
    short = len(columns) > _WIDE
    names = dict.fromkeys(row["choice"] for row in rows)
    words = {name: name[0].upper() if short else name for name in names}
    legend = ": " + ", ".join(f"{words[name]} {name}" for name in sorted(names)) if short else ""
    table = new_table(corner, *columns, title=f"What to do{legend}")
    for name in sorted({line for line, _ in cells}):
        found = [cells.get((name, column), {}) for column in columns]
        table.add_row(
            name, *((("/" if short else " or ").join(words[each] for each in cell)) for cell in found)
        )
    return table
