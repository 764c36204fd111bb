"""Compiled tables on disk, so that a game is compiled once: under the fingerprint of all that made them."""

import io
import pickle
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from feltworks.analysis.cache import Store, answers_folder, cache_key
from feltworks.rules.game import Game
from feltworks.simulation.plan import Plan

MOST_BYTES: Final = 256_000_000  # of all tables together
WORTH_KEEPING_SECONDS: Final = 0.3
_GAME: Final = "the game"  # stands for it: a game is loaded, never read from a file
T = TypeVar("T")


def load_or_make(plan: Plan, make: Callable[[], T], kind: str = "machine") -> T:
    """The tables stored for this plan, or those that `make` makes, which are stored if that took long."""
    answers, game = answers_folder(), plan.table
    key = cache_key("tables", game, kind, plan.seats, plan.strategy, plan.meters) if answers else None
    if answers is None or key is None:
        return make()
    store = Store(answers.with_name("tables"), "tables", MOST_BYTES, MOST_BYTES // 4)
    if (known := store.load(key)) is not None:
        return _Reader(known, game).load()  # type: ignore[no-any-return]  # only what `make` made is there
    began = time.perf_counter()
    tables = make()
    if time.perf_counter() - began >= WORTH_KEEPING_SECONDS:
        content = io.BytesIO()
        _Writer(content, pickle.HIGHEST_PROTOCOL).dump(tables)
        store.save(key, content.getvalue())
    return tables


class _Writer(pickle.Pickler):
    def persistent_id(self, value: Any) -> str | None:
        return _GAME if isinstance(value, Game) else None


class _Reader(pickle.Unpickler):
    def __init__(self, tables: bytes, game: Game) -> None:
        super().__init__(io.BytesIO(tables))
        self._game = game

    def persistent_load(self, _name: Any) -> Game:
        return self._game
