"""The plan of a simulation: a table with its terms, the wagers of every seat, and the strategy of the seats.

A plan is built from the options of a command or a request, validated, and identified by a fingerprint.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feltworks import __version__, catalog
from feltworks.analysis.question import chosen_options
from feltworks.errors import BadOption, ImpossibleRound, UnknownName
from feltworks.fingerprint import definition_fingerprint
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.terms import Terms

OPTIMAL = "optimal"
UNIT: Cents = 100_00  # the default wager, large enough that every pay is a whole number of cents
# The sources that the cards, choices and pays of a round depend on.
_SOURCES = ("cards.py", "money.py", "hands", "rules", "games", "bonus", "machine", "analysis", "simulation")


class Strategy(Struct, frozen=True, forbid_unknown_fields=True):
    """The strategy of every seat: a name that the game's kernel knows, or a file.

    The content of a file is part of the plan: `document` is its parsed JSON or TOML, `name` its file name.
    """

    name: str = OPTIMAL
    document: Any = None


class Plan(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Everything that a worker needs to know; it is sent as JSON."""

    game: str
    seats: tuple[dict[str, Cents], ...]  # the opening wagers of every seat
    strategy: Strategy = Strategy()
    options: dict[str, Any] = {}
    pay_tables: dict[str, str] = {}
    jackpot: Cents | None = None
    penetration: int = 75  # percent of a shoe before its cut card
    shuffle_every_round: bool = False  # deal every round from a whole shoe, as the analysis assumes
    alone: bool = False  # whether bonus wagers are measured without the wager that they need

    @cached_property
    def table(self) -> Game:
        """The game under the plan's terms."""
        return catalog.shared_game(self.game, options=self.options, pay_tables=self.pay_tables)

    @property
    def meters(self) -> Mapping[str, Cents]:
        return {} if self.jackpot is None else {"jackpot": self.jackpot}

    @property
    def wagers(self) -> tuple[str, ...]:
        """Every opening wager that some seat makes, in the rulebook's order."""
        return tuple(name for name in self.table.terms.rulebook.wager if any(name in seat for seat in self.seats))

    def check(self) -> None:
        """Refuses a table that cannot be dealt."""
        terms = self.table.terms
        spots = terms.spots or len(self.seats)
        if not 1 <= len(self.seats) <= spots:
            raise BadOption("seats", len(self.seats), f"a number from 1 to {spots}, the spots of this table")
        if not 1 <= self.penetration <= 100:
            raise BadOption("penetration", self.penetration, "a whole number of percent from 1 to 100")
        if self.jackpot is not None and self.jackpot < 0:
            raise BadOption("jackpot", self.jackpot, "a whole number of cents")
        if any(meters_of(self.table.pays[name].values()) for name in self.wagers) and not self.meters:
            raise ImpossibleRound("a progressive wager needs the posted jackpot in cents")
        self.table.open_round(self._seats_at_a_table(), self.meters)

    def _seats_at_a_table(self) -> tuple[dict[str, Cents], ...]:
        """Returns the seats with the wagers that their bonus wagers need, which `alone` leaves out."""
        if not self.alone or not all(self.seats):
            return self.seats
        return tuple(
            {**seat, **dict.fromkeys(self.table.terms.needed_wagers(seat) - seat.keys(), max(seat.values()))}
            for seat in self.seats
        )

    def to_json(self) -> bytes:
        """Encodes the plan for workers and files: equal plans give equal bytes."""
        return msgspec.json.encode(self, order="deterministic")

    @staticmethod
    def from_json(written: bytes) -> "Plan":
        """Decodes what `to_json` wrote; equal bytes give the same plan, as solvers are cached by its table."""
        return _read(written)


@lru_cache(maxsize=16)
def _read(written: bytes) -> Plan:
    return msgspec.json.decode(written, type=Plan)


def make_plan(
    name: str,
    *,
    wagers: Sequence[str] | None = None,
    strategy: Strategy | None = None,
    pay_tables: Sequence[str] | None = None,
    decks: int | None = None,
    chosen: Sequence[str] | None = None,
    seats: int | None = None,
    jackpot: Cents | None = None,
    penetration: int | None = None,
    fresh: bool = False,
    alone: bool = False,
) -> Plan:
    """Builds a plan from options and validates it, so that bad options are refused before any work.

    Adds the wagers that bonus wagers need, unless they may be measured `alone`.
    """
    catalog.check_game(name)
    book, amounts = catalog.rulebook(name), _amounts(wagers or ())
    picked = chosen_options(book, chosen or (), decks)
    terms = Terms(book, options={**book.offers_for(amounts), **picked})
    alone = alone and strategy is None and _is_alone(terms, amounts)
    seat = _seat(terms, amounts, alone=alone, offered=_default_offers(terms, is_chosen="offers" in picked))
    options = {**book.offers_for(seat), **picked}
    _check_table(book, seats, penetration)
    plan = Plan(
        name,
        (seat,) * (seats or 1),
        strategy or Strategy(),
        options,
        _pay_tables(book, pay_tables or (), list(amounts)),
        jackpot,
        75 if penetration is None else penetration,
        fresh or (alone and penetration is None),
        alone,
    )
    plan = _with_jackpot(plan)
    plan.check()
    return plan


def _check_table(book: Rulebook, seats: int | None, penetration: int | None) -> None:
    if book.cards.shuffle == "every round" and penetration is not None:
        raise BadOption("--penetration", penetration, f"nothing: {book.title} is shuffled for every round")
    if seats is not None and seats < 1:
        raise BadOption("--seats", seats, "a whole number from 1 on")


def _with_jackpot(plan: Plan) -> Plan:
    """Adds the jackpot to a plan: by default the smallest that a house may post."""
    least = plan.table.least_posted(plan.wagers)
    if plan.jackpot is None:
        return plan if least is None else msgspec.structs.replace(plan, jackpot=least)
    if least is None:
        raise BadOption("--jackpot", plan.jackpot, "nothing where no wager wins from a jackpot")
    return plan


def _amounts(texts: Sequence[str]) -> dict[str, Cents | None]:
    amounts: dict[str, Cents | None] = {}
    for text in texts:
        name, equals, cents = text.partition("=")
        if equals and not cents.isdecimal():
            raise BadOption("--wager", text, "a wager, or a wager and its cents such as tie=500")
        if name in amounts:
            raise BadOption("--wager", text, f"{name} once, and --seats for more of the same")
        amounts[name] = int(cents) if equals else None
    return amounts


def _is_alone(terms: Terms, wagers: Iterable[str]) -> bool:
    """Whether these wagers need another that is not requested, but have the same results without it.

    True for games with spots, whose cards decide bonus wagers; a Tie depends on the Ante beside it (FB.13).
    """
    return catalog.game_type(terms.rulebook.name).has_spots and bool(terms.needed_wagers(wagers) - set(wagers))


def _default_offers(terms: Terms, *, is_chosen: bool) -> list[str]:
    """Returns the wagers that a table offers by default; SP.20: only the first if there are more than it may have."""
    book = terms.rulebook
    if book.most_wagers and not is_chosen:
        return book.placed[: book.most_wagers]
    return [name for name in book.placed if name in terms.offers]


def _seat(terms: Terms, amounts: dict[str, Cents | None], *, alone: bool, offered: Sequence[str]) -> dict[str, Cents]:
    """Returns the opening wagers of a seat: those requested, with those they need, or all that are offered."""
    book, placed = terms.rulebook, terms.rulebook.placed
    for name in amounts:
        if name not in placed:
            raise UnknownName("wager", name, placed, of=book.title)
    names = set(amounts or offered)
    if not alone:
        names |= terms.needed_wagers(names)
    requested = {name: cents for name, cents in amounts.items() if cents is not None}
    unit = {name: entry.least if entry.fixed else UNIT for name, entry in book.wager.items()}
    return {name: requested.get(name, unit[name]) for name in placed if name in names}


def _pay_tables(book: Rulebook, texts: Sequence[str], wagers: list[str]) -> dict[str, str]:
    tables: dict[str, str] = {}
    for text in texts:
        wager, equals, table = text.partition("=")
        if not equals and len(wagers) != 1:
            wanted = f"a wager and its table, such as {next(iter(book.wager))}=1"
            raise BadOption("--pay-table", text, wanted)
        tables[wager if equals else wagers[0]] = table if equals else text
    return tables


def check_seed(seed: int) -> None:
    """Refuses a negative seed."""
    if seed < 0:
        raise BadOption("--seed", seed, "a whole number from 0 on")


def check_number(option: str, number: int, most: int) -> None:
    """Refuses a number below 1 or above the most that is allowed.

    >>> check_number("--years", 0, 10_000)
    Traceback (most recent call last):
    feltworks.errors.BadOption: option --years cannot be 0; it takes a whole number from 1 to 10,000
    """
    if not 1 <= number <= most:
        raise BadOption(option, number, f"a whole number from 1 to {most:,}")


@cache
def code_fingerprint() -> str:
    """Hashes the version and the sources of everything that a tally depends on, rulebooks included."""
    root = Path(str(files("feltworks")))
    paths = [path for name in _SOURCES for path in _python_files(root / name)]
    digest = sha256(__version__.encode())
    for path in sorted([*paths, *catalog.rulebook_files().values()]):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _python_files(path: Path) -> list[Path]:
    return [path] if path.is_file() else list(path.rglob("*.py"))


def plan_fingerprint(plan: Plan) -> str:
    """Hashes a plan together with the code that runs it and the rules of its game."""
    sources = code_fingerprint() + definition_fingerprint(plan.table)
    return sha256(sources.encode() + plan.to_json()).hexdigest()[:16]
