"""Every wager under every pay table, deck count and option value has a whole outcome table: a sample."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.rules.rulebook.model import Rulebook

SAMPLE = 40
Configuration = tuple[str, str, str, dict[str, Any]]


def configurations() -> Iterator[Configuration]:
    """Game, wager, pay table and options, one option at a time; blackjack itself is proved elsewhere."""
    for name in catalog.games():
        book = catalog.rulebook(name)
        for wager, entry in book.wager.items():
            if entry.kind != "derived" and wager != "blackjack":
                for table in book.pay_table[wager]:
                    for options in option_values(book):
                        yield name, wager, table, {**book.offers_for([wager]), **options}


def option_values(book: Rulebook) -> Iterator[dict[str, Any]]:
    for name, option in book.option.items():
        least, most = option.range or (1, 0)
        for value in option.values or range(least, most + 1)[:8]:
            yield {name: value}


EVERY = list(configurations())


@pytest.mark.parametrize(("name", "wager", "table", "options"), Random(3).sample(EVERY, SAMPLE), ids=str)
def test_an_outcome_table_is_whole_and_gives_the_edge(
    name: str, wager: str, table: str, options: dict[str, Any]
) -> None:
    game = catalog.game(name, options=options, pay_tables={wager: table})
    figures = analyze(Question(game, wager)).figures
    assert sum(row.probability for row in figures.outcomes) == 1
    assert all(row.probability > 0 for row in figures.outcomes)
    assert -sum((row.probability * row.net for row in figures.outcomes), Fraction(0)) == figures.house_edge
    assert isinstance(figures.house_edge, Fraction)
    assert figures.element_of_risk * figures.average_wager == figures.house_edge


def test_the_sample_is_drawn_from_all_five_games() -> None:
    assert {name for name, *_ in EVERY} == set(catalog.games())
