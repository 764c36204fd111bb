"""The wagers of a table: the sign with limits and pays, and the wagers that a player types."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.columns import Columns
from rich.table import Table as Grid

from feltworks.cli.options import DOLLARS, parse_amount
from feltworks.cli.play import felt
from feltworks.cli.play.screen import Screen
from feltworks.errors import FeltError, NotNow, SpotRefused, UnknownName, WagerRefused
from feltworks.money import Cents, Odds, dollars
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Pay
from feltworks.rules.round import Seat
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.terms import Terms
from feltworks.table.limits import Range
from feltworks.table.table import Table
from feltworks.table.wording import measure, title

_SPOT: Final = re.compile(r"\s*(?:spot\s*)?([0-9]{1,3})\s*:\s*(.+)", re.IGNORECASE)
_ITEM: Final = re.compile(
    rf"\s*(?P<toke>tokes?\s+(?:on\s+)?)?(?:(?P<name>[a-z][a-z' \-]*?)\s*[=:]?\s*)?(?P<amount>{DOLLARS})"
    r"\s*(?:,|;|\+|&|and\b)?\s*",
    re.IGNORECASE,
)


class Stake(Struct, frozen=True):
    """An amount for a wager; 0 removes the wager."""

    wager: str
    cents: Cents
    toke: bool = False


Spots = dict[int, Seat]  # the opening wagers of each spot


def main_wager(terms: Terms) -> str:
    """The wager for an amount without a name."""
    placed = [name for name in terms.rulebook.wager if name in terms.offers]
    main = [name for name in placed if terms.rulebook.wager[name].kind == "main"]
    return (main or placed)[0]


def read_wagers(terms: Terms, text: str) -> list[Stake]:
    """Read a line such as "ante 10, tie 5" or "10".

    >>> from feltworks.catalog import game
    >>> stakes = read_wagers(game("fu-bacc").terms, "10, lucky monkey $2.50 tie 5")
    >>> [(stake.wager, stake.cents) for stake in stakes]
    [('ante', 1000), ('lucky-monkey', 250), ('tie', 500)]
    """
    stakes: list[Stake] = []
    at = 0
    while at < len(text):
        item = _ITEM.match(text, at)
        if item is None:
            raise FeltError(_not_a_wager(terms, text[at:].strip()))
        name = item["name"]
        wager = main_wager(terms) if name is None else find_wager(terms, name)
        stakes.append(Stake(wager, parse_amount(item["amount"]) or 0, bool(item["toke"])))
        at = item.end()
    if len({(stake.wager, stake.toke) for stake in stakes}) < len(stakes):
        raise FeltError("a wager is named twice; name each once, with one amount")
    return stakes


def _not_a_wager(terms: Terms, text: str) -> str:
    return f"{text[:40]!r} is not a wager; write {example_line(terms)}, or help"


def example_line(terms: Terms) -> str:
    """A line with the main wager and one beside it that has an amount of its own."""
    main = main_wager(terms)
    bound = {main, *terms.openings[main].together}
    beside = [name for name in terms.rulebook.wager if name in terms.offers and name not in bound]
    return ", ".join([f"{main} 10", *(f"{name} 5" for name in beside[:1])])


def find_wager(terms: Terms, text: str) -> str:
    """The wager with this name, title, beginning or initials."""
    book = terms.rulebook
    offered = [name for name in book.wager if name in terms.offers]
    for names in (offered, list(book.wager)):
        matches = match_wagers(book, text, names)
        if len(matches) == 1:
            return matches[0]
        if len(matches) > 1:
            raise UnknownName("single wager", text.strip(), matches)
    raise UnknownName("wager", text.strip(), offered, of=book.title)


def match_wagers(book: Rulebook, text: str, names: Sequence[str]) -> list[str]:
    """The wagers that a word can mean: by its whole name or title, else by its beginning or initials."""
    word = _plain(text)
    names_of = {name: {_plain(name), _plain(book.wager[name].title)} for name in names}
    if exact := [name for name in names if word in names_of[name]]:
        return exact
    return [
        name
        for name in names
        if any(known.startswith(word) for known in names_of[name])
        or word == "".join(part[0] for part in name.split("-"))
    ]


def _plain(text: str) -> str:
    return re.sub(r"[\s\-]+", " ", text.strip().casefold())


class SpotWagers:
    """A player's wagers between two rounds; a refused line changes nothing."""

    def __init__(self, table: Table, player: str, spots: Sequence[int]) -> None:
        self._table, self._player, self._spots = table, player, tuple(spots)
        self._before: list[Spots] = []  # the wagers before each accepted line
        self.last: Spots = {}

    @property
    def on_felt(self) -> Spots:
        """The wagers on the player's spots now."""
        down = self._table.seating.down
        return {spot: down[spot] for spot in self._spots if spot in down}

    def place(self, line: str) -> None:
        """Place a line of wagers on one spot ("spot 3: tie 5") or on all of the player's."""
        addressed = _SPOT.fullmatch(line)
        spots = (int(addressed[1]),) if addressed else self._spots
        if not set(spots) <= set(self._spots):
            own = " and ".join(map(str, self._spots))
            raise SpotRefused(f"spot {spots[0]} is not yours; you play spot {own}")
        stakes = read_wagers(self._table.game.terms, addressed[2] if addressed else line)
        before = self.on_felt
        wanted = {spot: self._change(before.get(spot, Seat({})), stakes) for spot in spots}
        self._lay({**before, **wanted})

    def same(self) -> None:
        """Place the wagers of the last round again."""
        if not self.last:
            raise NotNow("there are no wagers to repeat yet; type an amount first")
        self._lay(self.last)

    def undo(self) -> None:
        """Undo the last line."""
        if not self._before:
            raise NotNow("there is nothing to undo; no wager is on the felt")
        before = self._before.pop()
        self._replace(before)

    def close(self) -> None:
        """Remember the wagers when the round is dealt."""
        self.last = self.on_felt
        self._before = []

    def _lay(self, wanted: Spots) -> None:
        before = self.on_felt
        try:
            self._replace(wanted)
        except FeltError:
            self._replace(before)  # if one spot refuses, all spots are restored
            raise
        self._before.append(before)

    def _replace(self, wanted: Spots) -> None:
        for spot in self.on_felt:
            self._table.withdraw(self._player, spot)
        for spot, on in wanted.items():
            if on.wagers or on.tokes:
                self._table.wager(self._player, spot, on.wagers, on.tokes)

    def _change(self, on: Seat, stakes: Sequence[Stake]) -> Seat:
        """The spot with these amounts; a wager placed together with a named one gets the same amount."""
        wagers, tokes = dict(on.wagers), dict(on.tokes)
        for stake in stakes:
            amounts = tokes if stake.toke else wagers
            if not stake.cents and stake.wager not in amounts:
                raise WagerRefused(stake.wager, 0, "no such wager is on the spot")
            opening = self._table.game.terms.openings.get(stake.wager)
            together = opening.together if opening and not stake.toke else ()
            named = {each.wager for each in stakes if not each.toke}
            amounts |= {name: stake.cents for name in (stake.wager, *together) if name not in named - {stake.wager}}
        return Seat(
            {name: cents for name, cents in wagers.items() if cents},
            tokes={name: cents for name, cents in tokes.items() if cents},
        )


# The sign.


def post(screen: Screen, table: Table) -> None:
    """Print every wager with its limits and pays, followed by the wagers that depend on it."""
    terms = table.game.terms
    book = terms.rulebook.wager
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style=felt.SOFT)
    for heading in ("Wager", "Takes", "Pays", ""):
        grid.add_column(heading, no_wrap=True, style=felt.SOFT if not heading else None)
    for name in in_order(table):
        takes = _takes(table.limits.ranges[name])
        grid.add_row(title(terms, name), takes, _pays_in_short(table.game, name), book[name].clause)
        for other in (other for other, entry in book.items() if entry.of == name):
            pays = _pays_in_short(table.game, other)
            grid.add_row(f"  {title(terms, other)}", measure(terms, other), pays, book[other].clause)
    screen.print(grid)
    for meter, cents in table.house.meters.items():
        screen.print(f"The {meter} stands at {dollars(cents)}.", felt.ACCENT)


def in_order(table: Table) -> list[str]:
    """The wagers placed before the deal, the main wager first."""
    book = table.game.terms.rulebook.wager
    return sorted(table.limits.ranges, key=lambda name: book[name].kind != "main")


def _takes(span: Range) -> str:
    if span.least == span.most:
        return f"exactly {dollars(span.least)}"
    return f"{dollars(span.least)} to {dollars(span.most)}" if span.most else f"{dollars(span.least)} or more"


def _pays_in_short(game: Game, wager: str) -> str:
    """The range of winning odds, and the prize if there is one, as text."""
    wins = list(dict.fromkeys(pay for pay in game.pays[wager].values() if _is_win(pay)))
    odds = sorted((pay for pay in wins if isinstance(pay, Odds)), key=lambda pay: pay.exact)
    prizes = [str(pay) for pay in wins if not isinstance(pay, Odds)]
    words = [str(odds[0])] if odds else []
    if len(odds) > 1:
        words = [f"{odds[0]} up to {odds[-1]}"]
    return " or ".join([*words, *prizes[:1]])


def _is_win(pay: Pay) -> bool:
    return not isinstance(pay, Odds) or pay.win > 0


def show_pays(screen: Screen, game: Game, wagers: list[str]) -> None:
    """Print pay tables row by row, side by side if there is room, with the wagers that depend on these."""
    follow = [name for name, entry in game.terms.rulebook.wager.items() if entry.of in wagers]
    blocks = [_pays(game, name) for name in [*wagers, *follow]]
    screen.print(Columns(blocks, padding=(1, 3)))


def _pays(game: Game, name: str) -> Grid:
    terms = game.terms
    payer = game.wagers[name].paid_by or name
    table = terms.pay_table(payer)
    heading = f"{title(terms, name)}, pay table {terms.pay_tables[payer]} ({table.clause})"
    grid = Grid(title=heading, title_justify="left", title_style=felt.HEADING, box=None, show_header=False)
    if payer != name:
        grid.add_row(f"paid like {title(terms, payer)}")
        return grid
    for row, pay in game.pays[name].items():
        if row in game.wagers[name].possible:
            grid.add_row(row, _pay_words(terms.decks, table.needs_decks.get(row), pay))
    return grid


def _pay_words(decks: int, needed: int | None, pay: Pay) -> str:
    return f"{pay} (not with {decks} decks)" if needed and decks < needed else str(pay)
