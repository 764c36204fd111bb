"""What the wagers of an open table cost: worked out once for all tables alike, by a process of its own.

In a thread the sums would keep the tables waiting: whoever counts in Python lets nobody else go on meanwhile.
"""

import asyncio
import datetime
import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from queue import SimpleQueue
from typing import BinaryIO

import msgspec

from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import Question
from feltworks.errors import FeltError
from feltworks.web.order import NewTable, checked, game_of
from feltworks.web.room import Edges, Room

LEAST_URGENT = 19
MOST_KNOWN = 128  # kinds of table whose figures are remembered
_encode = msgspec.json.Encoder().encode


class Edging:
    """Finds the edges of rooms one after the other, away from the tables."""

    def __init__(self) -> None:
        self._known: dict[bytes, Edges] = {}
        self._waiting = asyncio.Lock()  # a thousand who wait for the same answer take one thread
        self._turn = threading.Lock()
        self._clerk: subprocess.Popen[bytes] | None = None

    async def find(self, room: Room) -> None:
        """House edge and deviation of every wager the room offers, each alone and best played."""
        terms = room.game.terms
        key = _encode([terms.rulebook.name, terms.options, terms.pay_tables, sorted(terms.offers)])
        async with self._waiting:
            if key not in self._known:
                await asyncio.to_thread(self._learn, key, room.new)
        room.price(self._known[key])

    def close(self) -> None:
        """Nobody asks any more."""
        if self._clerk:
            self._clerk.kill()
            with self._turn, suppress(OSError):
                self._clerk.communicate()

    def _learn(self, key: bytes, new: NewTable) -> None:
        with self._turn:
            if key not in self._known:
                self._known[key] = self._asked(new)
                if len(self._known) > MOST_KNOWN:
                    del self._known[next(iter(self._known))]  # the oldest

    def _asked(self, new: NewTable) -> Edges:
        """What the clerk says; nothing where the clerk has been sent home."""
        if self._clerk is None:
            command = [sys.executable, "-m", __name__]
            self._clerk = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        asking, telling = self._clerk.stdin, self._clerk.stdout
        assert asking is not None
        assert telling is not None
        with suppress(OSError, msgspec.DecodeError):
            asking.write(_encode(new) + b"\n")
            asking.flush()
            return msgspec.json.decode(telling.readline(), type=Edges)
        return {}


def clerk(asked: Iterable[bytes], told: BinaryIO) -> None:
    """Answer one order after the other, until nobody is there to ask any more."""
    orders: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(asked, orders), daemon=True).start()
    while True:
        new = msgspec.json.decode(orders.get(), type=NewTable)
        told.write(_encode(edges(new)) + b"\n")
        told.flush()


def _listen(asked: Iterable[bytes], orders: "SimpleQueue[bytes]") -> None:
    for line in asked:
        orders.put(line)
    os._exit(0)  # the house has closed or was killed: what is under way is for nobody


def edges(new: NewTable) -> Edges:
    """The edges of a table as it was ordered."""
    game = game_of(checked(new, datetime.date.today()))
    found: Edges = {}
    for wager in game.terms.offers:
        with suppress(FeltError):  # what has no exact figure has no line either
            figures = analyze(Question(game, wager)).figures
            found[wager] = (float(figures.house_edge), figures.standard_deviation)
    return found


if __name__ == "__main__":
    os.nice(LEAST_URGENT)
    with suppress(KeyboardInterrupt, BrokenPipeError):
        clerk(sys.stdin.buffer, sys.stdout.buffer)
