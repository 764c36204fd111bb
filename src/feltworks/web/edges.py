"""What the wagers of an open table cost: worked out in the background, once for all tables alike."""

import asyncio
from typing import Any

import msgspec

from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import Question
from feltworks.errors import FeltError
from feltworks.rules.game import Game
from feltworks.web.room import Room

Edges = dict[str, tuple[float, float]]


class Edging:
    """Finds the edges of rooms one after the other, away from the tables."""

    def __init__(self) -> None:
        self._known: dict[bytes, Edges] = {}
        self._turn = asyncio.Lock()

    async def find(self, room: Room) -> None:
        """House edge and deviation of every wager the room offers, each alone and best played."""
        terms = room.game.terms
        key = msgspec.json.encode(
            [terms.rulebook.name, terms.options, terms.pay_tables, sorted(terms.offers)]
        )
        async with self._turn:
            if key not in self._known:
                self._known[key] = await asyncio.to_thread(_edges, room.game)
        room.edges = self._known[key]


def _edges(game: Game[Any]) -> Edges:
    found: Edges = {}
    for wager in game.terms.offers:
        try:
            figures = analyze(Question(game, wager)).figures
        except FeltError:
            continue  # what has no exact figure has no line either
        found[wager] = (float(figures.house_edge), figures.standard_deviation)
    return found
