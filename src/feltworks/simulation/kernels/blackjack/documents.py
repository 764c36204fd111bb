"""Strategy files for blackjack: a chart of what to do with every hand against every up card.

A line names a hand ("hard 16", "soft 18", "pair 8", the ace being A and tens T) and lists ten choices, for
the up cards from 2 to 9, T and A. A choice such as "double/stand" says after the stroke what to do where
the first is not open; without it that is to hit, or to stand on soft 19, hard 17 or more.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from feltworks.analysis.shoe_game.chart import CHOICES, KINDS, Codes, no_codes
from feltworks.errors import BadOption, one_of

UP_CARDS = "23456789TA"
_TOTALS = {"hard": range(4, 21), "soft": range(12, 21)}
_STANDS = {"hard": 17, "soft": 19}


def chart_codes(name: str, document: Any) -> Codes:
    """The chart of a file; one that misses a situation is refused."""
    chart = document.get("chart") if isinstance(document, Mapping) else None
    try:
        lines = msgspec.convert(chart, dict[str, list[str]])
    except msgspec.ValidationError as trouble:
        wanted = f'a file with a "chart" of lines like "hard 16" with ten choices ({trouble})'
        raise BadOption("--strategy", name, wanted) from None
    codes = no_codes()
    for hand, choices in lines.items():
        _write(name, codes, hand, choices)
    for kind, totals in _TOTALS.items():
        for total in totals:
            if f"{kind} {total}" not in lines:
                raise BadOption("--strategy", name, f"a chart that says what to do with {kind} {total}")
    return codes


def hand_named(name: str, hand: object) -> tuple[str, int]:
    """A line's kind and total; of a pair the value of one card.

    >>> hand_named("a file", "soft 18"), hand_named("a file", "pair A")
    (('soft', 18), ('pair', 1))
    """
    kind, _, rest = str(hand).partition(" ")
    if kind == "pair" and rest in tuple(UP_CARDS):
        return kind, up_value(rest)
    if kind in _TOTALS and rest.isdecimal() and int(rest) in (*_TOTALS[kind], 21):
        return kind, int(rest)
    raise BadOption("--strategy", name, f"hands like hard 16, soft 18 or pair 8, not {hand!r}")


def up_value(letter: str) -> int:
    """An up card's value, the ace being 1.

    >>> up_value("A"), up_value("2"), up_value("T")
    (1, 2, 10)
    """
    return UP_CARDS.index(letter) + 2 if letter != "A" else 1


def choice_code(name: str, hand: str, said: str) -> int:
    """The number of a choice that a file names for a hand."""
    known = CHOICES if hand.startswith("pair") else CHOICES[:-1]
    if said not in known:
        raise BadOption("--strategy", name, f"{one_of(known)} for {hand}, where it says {said!r}")
    return CHOICES.index(said)


def _write(name: str, codes: Codes, hand: str, choices: Sequence[str]) -> None:
    kind, total = hand_named(name, hand)
    if len(choices) != len(UP_CARDS):
        raise BadOption("--strategy", name, f"ten choices for {hand}, for the up cards {' '.join(UP_CARDS)}")
    for letter, said in zip(UP_CARDS, choices, strict=True):
        first, _, other = said.partition("/")
        up = up_value(letter) - 1
        if kind == "pair":
            codes.pair[total - 1, up] = choice_code(name, hand, first)
            continue
        place = KINDS.index(kind), total, up
        codes.first[place] = choice_code(name, hand, first)
        codes.later[place] = choice_code(name, hand, other or _otherwise(kind, total, first))
        if codes.later[place] > 1:
            raise BadOption("--strategy", name, f"stand or hit after the stroke for {hand}, not {said!r}")


def _otherwise(kind: str, total: int, first: str) -> str:
    if first in ("stand", "hit"):
        return first
    return "stand" if total >= _STANDS[kind] else "hit"
