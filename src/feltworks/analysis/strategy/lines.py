"""Reads and writes blackjack charts in strategy files: a choice for every hand against every up card.

A line names a hand ("hard 16", "soft 18", "pair 8", with A for the ace and T for tens) and lists ten choices,
for the up cards 2 to 9, T and A. In a choice such as "double/stand" the second applies where the first is not
open; without it, the hand stands on soft 19 or more and hard 17 or more, and otherwise hits.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from feltworks.analysis.solvers.shoe_game.chart import Advice, Chart, Codes, Key, codes_of
from feltworks.errors import BadOption, one_of
from feltworks.hands.spot import CHOICES

UP_CARDS = "23456789TA"
Lines = Mapping[str, Sequence[str]]
_TOTALS = {"hard": range(4, 21), "soft": range(12, 21)}
_STANDS = {"hard": 17, "soft": 19}
_STAND, _HIT = CHOICES[:2]


def chart_in(name: str, lines: Lines) -> Chart:
    """Parses the chart of a file; refuses one that lacks a situation."""
    chart = dict(row for hand, choices in lines.items() for row in _rows(name, hand, choices))
    for kind, totals in _TOTALS.items():
        for total in totals:
            if (kind, total, 1) not in chart:
                raise BadOption("--strategy", name, f"a chart that says what to do with {kind} {total}")
    return chart


def chart_codes(name: str, document: Any) -> Codes:
    """Parses the chart in the JSON document of a file into codes."""
    chart = document.get("chart") if isinstance(document, Mapping) else None
    try:
        lines = msgspec.convert(chart, dict[str, list[str]])
    except msgspec.ValidationError as trouble:
        wanted = f'a file with a "chart" of lines like "hard 16" with ten choices ({trouble})'
        raise BadOption("--strategy", name, wanted) from None
    return codes_of(chart_in(name, lines))


def parse_hand(name: str, hand: object) -> tuple[str, int]:
    """Parses the hand of a line into its kind and total, or for a pair the value of one card.

    >>> parse_hand("a file", "soft 18"), parse_hand("a file", "pair A")
    (('soft', 18), ('pair', 1))
    """
    kind, _, rest = str(hand).partition(" ")
    if kind == "pair" and rest in tuple(UP_CARDS):
        return kind, up_value(rest)
    if kind in _TOTALS and rest.isdecimal() and int(rest) in (*_TOTALS[kind], 21):
        return kind, int(rest)
    raise BadOption("--strategy", name, f"hands like hard 16, soft 18 or pair 8, not {hand!r}")


def up_value(letter: str) -> int:
    """Returns the value of an up card, with 1 for the ace.

    >>> up_value("A"), up_value("2"), up_value("T")
    (1, 2, 10)
    """
    return UP_CARDS.index(letter) + 2 if letter != "A" else 1


def choice_code(name: str, hand: str, choice: str) -> int:
    """Returns the index of the choice that a file gives for a hand."""
    known = CHOICES if hand.startswith("pair") else CHOICES[:-1]
    if choice not in known:
        raise BadOption("--strategy", name, f"{one_of(known)} for {hand}, where it says {choice!r}")
    return CHOICES.index(choice)


def _rows(name: str, hand: str, choices: Sequence[str]) -> Iterator[tuple[Key, Advice]]:
    kind, total = parse_hand(name, hand)
    if len(choices) != len(UP_CARDS):
        raise BadOption("--strategy", name, f"ten choices for {hand}, for the up cards {' '.join(UP_CARDS)}")
    for letter, choice in zip(UP_CARDS, choices, strict=True):
        first, _, other = choice.partition("/")
        choice_code(name, hand, first)
        otherwise = _STAND if kind == "pair" else other or _fallback(kind, total, first)
        if otherwise not in CHOICES[:2]:
            raise BadOption("--strategy", name, f"stand or hit after the stroke for {hand}, not {choice!r}")
        yield (kind, total, up_value(letter)), Advice(first, otherwise)


def _fallback(kind: str, total: int, first: str) -> str:
    if first in (_STAND, _HIT):
        return first
    return _STAND if total >= _STANDS[kind] else _HIT


def write_chart(path: Path, game: str, wager: str, chart: Chart) -> None:
    """Writes a chart with one line for each hand."""
    head = msgspec.json.encode({"game": game, "wager": wager})[:-1]
    lines = (msgspec.json.encode(hand) + b":" + msgspec.json.encode(row) for hand, row in _lines(chart))
    path.write_bytes(head + b',"chart":{\n' + b",\n".join(lines) + b"\n}}\n")


def _lines(chart: Chart) -> Iterator[tuple[str, list[str]]]:
    """Yields the lines of a chart; a missing total stands, and a missing pair is played as its total."""
    ups = [up_value(letter) for letter in UP_CARDS]
    for kind, totals in _TOTALS.items():
        for total in totals:
            advices = [chart.get((kind, total, up), Advice(_STAND)) for up in ups]
            yield f"{kind} {total}", [_cell_text(kind, total, advice) for advice in advices]
    for letter in UP_CARDS:
        value = up_value(letter)
        kind, total = ("soft", 12) if letter == "A" else ("hard", 2 * value)
        advices = [chart.get(("pair", value, up)) or chart.get((kind, total, up), Advice(_STAND)) for up in ups]
        yield f"pair {letter}", [advice.choice for advice in advices]


def _cell_text(kind: str, total: int, advice: Advice) -> str:
    usual = _fallback(kind, total, advice.choice) == advice.otherwise
    return advice.choice if usual else f"{advice.choice}/{advice.otherwise}"
