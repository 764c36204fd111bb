"""What is simulated: a table with its terms, the wagers of every seat, and how the seats play.

A plan is made from the options of a command or a request, checked, and named by a fingerprint.
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
from feltworks.analysis.documents.request import chosen_options
from feltworks.errors import BadOption, ImpossibleRound, UnknownName
from feltworks.fingerprint import definition_fingerprint
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.terms import Terms

OPTIMAL = "optimal"
UNIT: Cents = 100_00  # the wager where no amount is given; every pay of it is a whole number of cents
# Everything a round's cards, choices and pays depend on.
_SOURCES = ("cards.py", "money.py", "hands", "rules", "games", "bonus", "machine", "analysis", "simulation")


class Strategy(Struct, frozen=True, forbid_unknown_fields=True):
    """How every seat plays: by a name that the game's kernel knows, or by what a file says.

    A file travels with the plan: `document` is what its JSON or TOML holds, `name` is where it came from.
    """

    name: str = OPTIMAL
    document: Any = None


class Plan(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Everything a worker needs to know; it travels as JSON."""

    game: str
    seats: tuple[dict[str, Cents], ...]  # the opening wagers of every seat
    strategy: Strategy = Strategy()
    options: dict[str, Any] = {}
    pay_tables: dict[str, str] = {}
    jackpot: Cents | None = None
    penetration: int = 75  # percent of a shoe before its cut card
    shuffle_every_round: bool = False  # deal a shoe game as its analysis does, from a whole shoe each round
    alone: bool = False  # bonus wagers without the wager they need, for their own figures

    @cached_property
    def table(self) -> Game:
        """The game under the plan's terms."""
        return catalog.game(self.game, options=self.options, pay_tables=self.pay_tables)

    @property
    def meters(self) -> Mapping[str, Cents]:
        return {} if self.jackpot is None else {"jackpot": self.jackpot}

    @property
    def wagers(self) -> tuple[str, ...]:
        """Every opening wager that some seat makes, in the rulebook's order."""
        return tuple(name for name in self.table.terms.rulebook.wager if any(name in seat for seat in self.seats))

    def check(self) -> None:
        """Refuse a table that cannot be dealt."""
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
        """The seats with what their bonus wagers need, which is left out where those are measured alone."""
        if not self.alone or not all(self.seats):
            return self.seats
        return tuple(
            {**seat, **dict.fromkeys(self.table.terms.needed_wagers(seat) - seat.keys(), max(seat.values()))}
            for seat in self.seats
        )

    def to_json(self) -> bytes:
        """The plan for workers and files: the same bytes for the same plan."""
        return msgspec.json.encode(self, order="deterministic")

    @staticmethod
    def from_json(written: bytes) -> "Plan":
        """Read what `to_json` wrote; the same bytes give the same plan, whose table solvers are cached by."""
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
    """Make a plan from options and check it, so that what makes no sense is refused before any work.

    Bonus wagers get the wager they need beside them, or where they may be measured `alone` nothing.
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
    """The plan with a jackpot: by default the smallest that a house may post."""
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
    """Whether these wagers need one that is not asked for, and come out the same without it.

    Beside spots first cards and the dealer's hand decide them; a Tie is another wager beside an Ante (FB.13).
    """
    return catalog.game_type(terms.rulebook.name).has_spots and bool(terms.needed_wagers(wagers) - set(wagers))


def _default_offers(terms: Terms, *, is_chosen: bool) -> list[str]:
    """What a table offers where nobody asks for a wager; SP.20: of more than it may have, the first."""
    book = terms.rulebook
    if book.most_wagers and not is_chosen:
        return book.placed[: book.most_wagers]
    return [name for name in book.placed if name in terms.offers]


def _seat(terms: Terms, amounts: dict[str, Cents | None], *, alone: bool, offered: Sequence[str]) -> dict[str, Cents]:
    """The opening wagers of a seat: those named, with what they need, or all that a table can offer."""
    book, placed = terms.rulebook, terms.rulebook.placed
    for name in amounts:
        if name not in placed:
            raise UnknownName("wager", name, placed, of=book.title)
    named = set(amounts or offered)
    if not alone:
        named |= terms.needed_wagers(named)
    given = {name: cents for name, cents in amounts.items() if cents is not None}
    unit = {name: entry.least if entry.fixed else UNIT for name, entry in book.wager.items()}
    return {name: given.get(name, unit[name]) for name in placed if name in named}


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
    """Refuse a negative seed."""
    if seed < 0:
        raise BadOption("--seed", seed, "a whole number from 0 on")


def check_number(option: str, number: int, most: int) -> None:
    """Refuse a number below 1 or above the most that is allowed.

    >>> check_number("--years", 0, 10_000)
    Traceback (most recent call last):
    feltworks.errors.BadOption: option --years cannot be 0; it takes a whole number from 1 to 10,000
    """
    if not 1 <= number <= most:
        raise BadOption(option, number, f"a whole number from 1 to {most:,}")


@cache
def code_fingerprint() -> str:
    """Names the version and the sources of everything that a tally depends on, rulebooks included."""
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
    """Names a plan under the code that carries it out, a designer's own rules included."""
    named = code_fingerprint() + definition_fingerprint(plan.table)
    return sha256(named.encode() + plan.to_json()).hexdigest()[:16]
