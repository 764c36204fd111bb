"""What a player types to wager: read into amounts, put on the felt as a whole, taken back step by step."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from feltworks.cli.terminal.amounts import WRITTEN, typed_amount
from feltworks.errors import FeltError, NotNow, SpotRefused, UnknownName, WagerRefused
from feltworks.money import Cents
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.terms import Terms
from feltworks.table.table import Table

_SPOT: Final = re.compile(r"\s*(?:spot\s*)?([0-9]{1,3})\s*:\s*(.+)", re.IGNORECASE)
_ITEM: Final = re.compile(
    rf"\s*(?P<toke>tokes?\s+(?:on\s+)?)?(?:(?P<name>[a-z][a-z' \-]*?)\s*[=:]?\s*)?(?P<amount>{WRITTEN})"
    r"\s*(?:,|;|\+|&|and\b)?\s*",
    re.IGNORECASE,
)


class Put(Struct, frozen=True):
    """One amount for one wager; 0 takes it off again."""

    wager: str
    cents: Cents
    toke: bool = False


class OnSpot(Struct, frozen=True):
    """All opening wagers of one spot."""

    wagers: Mapping[str, Cents]
    tokes: Mapping[str, Cents]


Lying = dict[int, OnSpot]


def main_wager(terms: Terms) -> str:
    """The wager that an amount alone is for."""
    placed = [name for name in terms.rulebook.wager if name in terms.offers]
    main = [name for name in placed if terms.rulebook.wager[name].kind == "main"]
    return (main or placed)[0]


def read_wagers(terms: Terms, text: str) -> list[Put]:
    """Read a line such as "ante 10, tie 5" or "10".

    >>> from feltworks.catalog import game
    >>> [(put.wager, put.cents) for put in read_wagers(game("fu-bacc").terms, "10, lucky monkey $2.50 tie 5")]
    [('ante', 1000), ('lucky-monkey', 250), ('tie', 500)]
    """
    puts: list[Put] = []
    at = 0
    while at < len(text):
        item = _ITEM.match(text, at)
        if item is None:
            raise FeltError(_not_understood(terms, text[at:].strip()))
        name = item["name"]
        wager = main_wager(terms) if name is None else wager_called(terms, name)
        puts.append(Put(wager, typed_amount(item["amount"]) or 0, bool(item["toke"])))
        at = item.end()
    if len({(put.wager, put.toke) for put in puts}) < len(puts):
        raise FeltError("a wager is named twice; name each once, with one amount")
    return puts


def _not_understood(terms: Terms, said: str) -> str:
    main = main_wager(terms)
    beside = [name for name in terms.rulebook.wager if name in terms.offers and name != main]
    example = ", ".join([f"{main} 10", *(f"{name} 5" for name in beside[:1])])
    return f"{said[:40]!r} is not a wager; write {example}, or help"


def wager_called(terms: Terms, said: str) -> str:
    """The wager of that name, title, beginning or initials."""
    book = terms.rulebook
    offered = [name for name in book.wager if name in terms.offers]
    for names in (offered, list(book.wager)):
        found = matching(book, said, names)
        if len(found) == 1:
            return found[0]
        if len(found) > 1:
            raise UnknownName("single wager", said.strip(), found)
    raise UnknownName("wager", said.strip(), offered, of=book.title)


def matching(book: Rulebook, said: str, names: Sequence[str]) -> list[str]:
    """The wagers that a word may mean: by their whole name first, then by its beginning or initials."""
    word = _plain(said)
    calls = {name: {_plain(name), _plain(book.wager[name].title)} for name in names}
    if exact := [name for name in names if word in calls[name]]:
        return exact
    return [
        name
        for name in names
        if any(call.startswith(word) for call in calls[name])
        or word == "".join(part[0] for part in name.split("-"))
    ]


def _plain(said: str) -> str:
    return re.sub(r"[\s\-]+", " ", said.strip().casefold())


class Wagering:
    """A player's wagers between two rounds: nothing is lost when a line is refused."""

    def __init__(self, table: Table, player: str, spots: Sequence[int]) -> None:
        self._table, self._player, self._spots = table, player, tuple(spots)
        self._before: list[Lying] = []  # what lay there before each line that was taken
        self.last: Lying = {}

    @property
    def lying(self) -> Lying:
        """What lies on the player's spots now."""
        down = self._table.seating.down
        return {spot: OnSpot(down[spot].wagers, down[spot].tokes) for spot in self._spots if spot in down}

    def put(self, line: str) -> None:
        """Take a line of wagers, for one spot ("spot 3: tie 5") or for all of the player's."""
        addressed = _SPOT.fullmatch(line)
        spots = (int(addressed[1]),) if addressed else self._spots
        if not set(spots) <= set(self._spots):
            own = " and ".join(map(str, self._spots))
            raise SpotRefused(f"spot {spots[0]} is not yours; you play spot {own}")
        puts = read_wagers(self._table.game.terms, addressed[2] if addressed else line)
        lying = self.lying
        wanted = {spot: _changed(lying.get(spot, OnSpot({}, {})), puts) for spot in spots}
        self._lay({**lying, **wanted})

    def same(self) -> None:
        """Put down what the last round was opened with."""
        if not self.last:
            raise NotNow("there are no wagers to repeat yet; type an amount first")
        self._lay(self.last)

    def undo(self) -> None:
        """Take the last line back."""
        if not self._before:
            raise NotNow("there is nothing to take back; no wager lies on the felt")
        before = self._before.pop()
        self._replace(before)

    def close(self) -> None:
        """The round is dealt: remember what it was opened with."""
        self.last = self.lying
        self._before = []

    def _lay(self, wanted: Lying) -> None:
        before = self.lying
        try:
            self._replace(wanted)
        except FeltError:
            self._replace(before)  # a refusal on one spot leaves the others as they were
            raise
        self._before.append(before)

    def _replace(self, wanted: Lying) -> None:
        for spot in self.lying:
            self._table.withdraw(self._player, spot)
        for spot, on in wanted.items():
            if on.wagers or on.tokes:
                self._table.wager(self._player, spot, on.wagers, on.tokes)


def _changed(on: OnSpot, puts: Sequence[Put]) -> OnSpot:
    wagers, tokes = dict(on.wagers), dict(on.tokes)
    for put in puts:
        amounts = tokes if put.toke else wagers
        if not put.cents and put.wager not in amounts:
            raise WagerRefused(put.wager, 0, "nothing lies there to take off")
        amounts[put.wager] = put.cents
    return OnSpot(
        {name: cents for name, cents in wagers.items() if cents},
        {name: cents for name, cents in tokes.items() if cents},
    )
