"""Which tables a game can be dealt at: its defaults, every option value and pay table, and some mixtures."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from feltworks import catalog
from feltworks.errors import BadOption
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.rulebook.model import Option, OptionValue, Rulebook
from feltworks.rules.terms import Terms

MIXTURES = 24
_NARROW = 16  # a range up to this wide is tried value by value, a wider one at its ends and in the middle
_LIMIT = 30_000


class Variant(NamedTuple):
    """A game under the options, pay tables and legal limit that differ from its defaults."""

    game: str
    options: tuple[tuple[str, OptionValue], ...] = ()
    pay_tables: tuple[tuple[str, str], ...] = ()
    limit: Cents | None = None

    def __str__(self) -> str:
        settings = [f"{name}={_shown(value)}" for name, value in self.options]
        settings += [f"{wager}:{table}" for wager, table in self.pay_tables]
        settings += [f"limit={self.limit}"] if self.limit else []
        return " ".join([self.game, *settings])


def _shown(value: OptionValue) -> str:
    return "+".join(value) if isinstance(value, tuple) else str(value)


@cache
def game_of(variant: Variant) -> Game[Any]:
    """The game dealt at that table."""
    return fresh_game_of(variant)


def fresh_game_of(variant: Variant) -> Game[Any]:
    """The same game made anew: it can remember nothing."""
    pay_tables = dict(variant.pay_tables)
    return catalog.game(variant.game, options=dict(variant.options), pay_tables=pay_tables, limit=variant.limit)


def variants(name: str) -> list[Variant]:
    """Every table the conformance suite deals this game at."""
    book = catalog.rulebook(name)
    return [Variant(name), Variant(name, limit=_LIMIT), *_one_at_a_time(name, book), *_mixtures(name, book)]


def _one_at_a_time(name: str, book: Rulebook) -> Iterator[Variant]:
    for option_name, option in book.option.items():
        for value in _values(option):
            if value != option.preset and _is_possible(book, {option_name: value}):
                yield Variant(name, ((option_name, value),))
    for wager, tables in book.pay_table.items():
        for table in list(tables)[1:]:
            yield Variant(name, pay_tables=((wager, table),))


def _mixtures(name: str, book: Rulebook) -> Iterator[Variant]:
    rng = random.Random(f"mixtures of {name}")
    for _ in range(MIXTURES if book.option else 0):
        options = {option: rng.choice(_values(entry)) for option, entry in book.option.items()}
        while not _is_possible(book, options):
            options = {option: rng.choice(_values(entry)) for option, entry in book.option.items()}
        tables = tuple((wager, rng.choice(list(tables))) for wager, tables in book.pay_table.items())
        changed = tuple((o, value) for o, value in options.items() if value != book.option[o].preset)
        yield Variant(name, changed, tuple(pair for pair in tables if len(book.pay_table[pair[0]]) > 1))


def _values(option: Option) -> list[OptionValue]:
    if option.members is not None:
        sizes = range(len(option.members) + 1)
        return [chosen for size in sizes for chosen in combinations(option.members, size)]
    if option.range:
        low, high = option.range
        return list(range(low, high + 1)) if high - low <= _NARROW else [low, (low + high) // 2, high]
    return list(option.values or ())


def _is_possible(book: Rulebook, options: dict[str, OptionValue]) -> bool:
    try:
        Terms(book, options=options)
    except BadOption:
        return False
    return True


every_game = pytest.mark.parametrize("name", catalog.games())


def at_every_table(check: Callable[[Variant], None]) -> Callable[[str], None]:
    """Make the check of one table a test of every game, at all the tables it can be dealt at."""

    def test(name: str) -> None:
        for variant in variants(name):
            try:
                check(variant)
            except Exception as failure:
                failure.add_note(f"at the table: {variant}")
                raise

    test.__name__, test.__qualname__, test.__module__ = check.__name__, check.__qualname__, check.__module__
    test.__doc__ = check.__doc__
    marked: Callable[[str], None] = every_game(test)
    return marked
