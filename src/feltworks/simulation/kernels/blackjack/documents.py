"""A strategy file's chart as the compiled rounds take it; `felt analyze` reads the same file."""

from collections.abc import Mapping
from typing import Any

import msgspec

from feltworks.analysis.shoe_game.chart import Codes, codes_of
from feltworks.analysis.strategy.chart_file import UP_CARDS, chart_in, choice_code, hand_named, up_value
from feltworks.errors import BadOption

__all__ = ["UP_CARDS", "chart_codes", "choice_code", "hand_named", "up_value"]


def chart_codes(name: str, document: Any) -> Codes:
    """The chart of a file; one that misses a situation is refused."""
    chart = document.get("chart") if isinstance(document, Mapping) else None
    try:
        lines = msgspec.convert(chart, dict[str, list[str]])
    except msgspec.ValidationError as trouble:
        wanted = f'a file with a "chart" of lines like "hard 16" with ten choices ({trouble})'
        raise BadOption("--strategy", name, wanted) from None
    return codes_of(chart_in(name, lines))
