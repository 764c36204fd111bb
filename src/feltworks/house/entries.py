"""The entries of the house's register: the facts of each kind, and the totals and checks made from them.

People, keys, boxes, equipment, chips, cards, requests, the cage, transactions and ratings are entries of one
shape; `KINDS` says which facts each kind takes.
"""

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from feltworks.errors import BadAmount, BadDay, BadOption, NotNow, PostingRefused, UnknownName
from feltworks.house.duties import known_name, plain_letters
from feltworks.house.journal.posting import Entry
from feltworks.house.tables.acts import Denominations, check_cents, check_pieces, check_plausible, total
from feltworks.money import Cents, dollars

EntryKind = Literal[
    "licence",
    "shift",
    "excluded person",
    "rating",
    "transaction",
    "incident",
    "equipment",
    "cards",
    "chips",
    "key",
    "box",
    "drop schedule",
    "cash reporting",
    "request",
    "imprest",
    "transfer",
    "cage count",
]
FieldName = Literal["until", "table", "cents", "pieces", "count"]
STRIKE: Final = "strike"
PLACES: Final = ("vault", "cage", "bank")
MOVES: Final = ("received", "issued", "returned", "destroyed", "checked")
# Our reading of the federal rules on cash, whose text is not among our sources: a card club with more gross revenue in
# a year than the first amount reports within 15 days if one person's cash on a gaming day is above the second.
CASH_RULE: Final = "house rule after the federal rules on cash, unverified"
REPORTS_FROM: Final[Cents] = 1_000_000_00
REPORTED_ABOVE: Final[Cents] = 10_000_00
REPORT_WITHIN: Final = datetime.timedelta(days=15)
HOURS: Final = re.compile(r"(([01]\d|2[0-3]):[0-5]\d)-(([01]\d|2[0-3]):[0-5]\d)")
LOCKS: Final = (plain_letters("contents"), plain_letters("table lock"))  # how the names of a box's two keys begin
TABLES, OVER = "tables", "over and short"
ACCOUNTS: Final = {"vault": "asset", "cage": "asset", "bank": "house", TABLES: "house", OVER: "house"}


class Kind(Struct, frozen=True):
    """A kind of entry: what its name and words mean, and which other facts it takes."""

    name: str
    says: str
    needs: tuple[FieldName, ...] = ()
    may: tuple[FieldName, ...] = ()
    names: tuple[str, ...] = ()  # the allowed names
    choices: tuple[str, ...] = ()  # the allowed words
    action: str = "register"  # decides who signs
    ends: str = "struck"  # what happened when it is struck


KINDS: Final[Mapping[EntryKind, Kind]] = {
    "licence": Kind("whose licence", "its number", may=("until",), ends="given back"),
    "shift": Kind("who", "doing what", may=("table",), ends="off shift"),
    "excluded person": Kind("who", "why", may=("until",), ends="no longer excluded"),
    "rating": Kind("which player", "which wager", needs=("table", "cents", "count")),
    "transaction": Kind("which player", "what", needs=("cents",), may=("table",), choices=("cash in", "cash out")),
    "incident": Kind("who or what", "what happened", may=("table",), ends="settled"),
    "equipment": Kind("what", "model and approval", may=("table", "until"), ends="taken away"),
    "cards": Kind("which set", "what was done", needs=("count",), may=("table",), choices=MOVES),
    "chips": Kind("which chips", "what was done", needs=("pieces",), may=("table",), choices=MOVES),
    "key": Kind("which key", "who has it", ends="brought back"),
    "box": Kind("which box", "where it is", may=("table",), choices=("on the table", "emergency", "on its way")),
    "drop schedule": Kind("which drop", "when", may=("table", "until")),
    "cash reporting": Kind("whether", "why", may=("until",), names=("applies", "does not apply")),
    "request": Kind("for what", "why", needs=("table", "pieces"), names=("fill", "credit"), action="request"),
    "imprest": Kind("of which place", "under which approval", needs=("cents",), names=PLACES[:2], action="cage"),
    "transfer": Kind("to which place", "from which place", ("pieces",), (), PLACES, PLACES, action="cage"),
    "cage count": Kind("which place", "by whose order", ("pieces",), (), PLACES[:2], action="cage"),
}  # fmt: skip
assert set(KINDS) == set(get_args(EntryKind))
OUT_ONCE: Final = ("key", "box", "shift", "imprest")  # only one entry of each name is valid at a time
FORWARD: Final = ("transfer", "cage count", "cards", "chips")  # each is checked against earlier ones


class RegisterEntry(Struct, frozen=True, tag_field="act", tag="entry"):
    """An entry in the register: its name, its words, a reference, and the facts that its kind takes."""

    kind: EntryKind
    name: str
    says: str
    reference: str = ""
    until: datetime.date | None = None
    table: str = ""
    cents: Cents = 0
    pieces: Denominations = {}
    count: int = 0
    moved: Cents = 0  # filled in by the books: what the tables brought to the cage since its last count


class Strike(Struct, frozen=True, tag_field="act", tag=STRIKE):
    """An entry no longer holds: a licence given back, a key returned, an incident settled."""

    entry: int
    why: str


class RegisterLine(Struct, frozen=True):
    """An entry with its number, its day, who signed it, and why it was struck."""

    number: int
    day: datetime.date
    entry: RegisterEntry
    signed: tuple[str, ...]
    struck: str = ""
    made_at: str = ""

    @property
    def made_on(self) -> datetime.date:
        """The day on which it was entered, by the house's clock."""
        return datetime.datetime.fromisoformat(self.made_at).astimezone().date() if self.made_at else self.day

    def holds_on(self, day: datetime.date) -> bool:
        return not self.struck and (self.entry.until is None or day <= self.entry.until)


decode_register = msgspec.json.Decoder(RegisterEntry | Strike).decode


def known_kind(text: str) -> EntryKind:
    """A kind of entry by its name; hyphens count as blanks.

    >>> known_kind("excluded-person")
    'excluded person'
    """
    return known_name("kind of entry", text, KINDS)


def check_entry(entry: RegisterEntry, day: datetime.date) -> RegisterEntry:
    """Refuse an entry that lacks facts of its kind or has others; amounts are computed from pieces."""
    kind = KINDS[entry.kind]
    if not entry.name.strip() or not entry.says.strip():
        raise PostingRefused("an entry of the register names somebody or something, and says what of it (house rule)")
    for what, word, allowed in ((kind.name, entry.name, kind.names), (kind.says, entry.says, kind.choices)):
        if allowed and word not in allowed:
            raise BadOption(f"{entry.kind}, {what}", word, f"one of {', '.join(allowed)}")
    if entry.until is not None and entry.until < day:
        raise BadDay(
            entry.until,
            f"what is entered on {day} holds until that day or later (house rule: an entry holds on its own day)",
        )
    if entry.kind == "incident" and not entry.reference.strip():
        raise PostingRefused("an incident says under which reference it is written (house rule)")
    check_pieces(entry.pieces)
    if entry.pieces and entry.cents not in (0, total(entry.pieces)):
        raise BadAmount(entry.kind, entry.cents, f"the pieces make {dollars(total(entry.pieces))} (house rule)")
    _check_fields(entry, kind)
    return replace(entry, name=entry.name.strip(), says=entry.says.strip(), cents=entry.cents or total(entry.pieces))


def _check_fields(entry: RegisterEntry, kind: Kind) -> None:
    for field in get_args(FieldName):
        has = bool(getattr(entry, field))
        if field in kind.needs and not has:
            raise BadOption(f"{field} of {entry.kind}", "nothing", f"an entry of {entry.kind} says its {field}")
        if has and field not in (*kind.needs, *kind.may) and not (field == "cents" and entry.pieces):
            raise BadOption(f"{field} of {entry.kind}", str(getattr(entry, field)), "nothing of that kind")
    check_cents(entry.kind, entry.cents, 0)
    check_plausible(entry.kind, entry.cents or total(entry.pieces))
    if type(entry.count) is not int or not 0 <= entry.count <= 10**9:
        raise BadAmount(f"number of {entry.kind}", str(entry.count), "1 to 1,000,000,000")


def register_lines(act: RegisterEntry | Strike, balances: Mapping[str, Cents]) -> tuple[Entry, ...]:
    """The lines of an entry in double entry: transfers, and the over or short of a count."""
    if isinstance(act, Strike) or act.kind not in ("transfer", "cage count"):
        return ()
    if act.kind == "transfer":
        return (Entry(act.name, act.says, act.cents),)
    held = balances.get(act.name, 0)
    moved, over = _moves(act.name, TABLES, act.moved), _moves(act.name, OVER, act.cents - held - act.moved)
    # no balance falls below zero: chips found over are booked before the fills that used them
    return (*over, *moved) if held + act.moved < 0 else (*moved, *over)


def _moves(place: str, other: str, cents: Cents) -> Iterator[Entry]:
    if cents:
        yield Entry(place, other, cents) if cents > 0 else Entry(other, place, -cents)


def cash_on(lines: Iterable[RegisterLine], day: datetime.date) -> Counter[tuple[str, str]]:
    """The cash of every person on a day, in and out apart. A late entry also counts for the day it was made,
    so that nobody stays below the limit by dating an entry back or by striking it.
    """
    sums: Counter[tuple[str, str]] = Counter()
    for line in lines:
        if line.entry.kind == "transaction" and day in (line.day, line.made_on):
            sums[plain_letters(line.entry.name), line.entry.says] += line.entry.cents
    return sums


class Stock(Struct, frozen=True):
    """Cards or chips of one kind: how many are in the store, and how many on the floor."""

    name: str
    store: int = 0
    out: int = 0

    def after(self, move: str, number: int) -> "Stock":
        store = {"received": number, "returned": number, "issued": -number, "destroyed": -number}.get(move, 0)
        out = {"issued": number, "returned": -number}.get(move, 0)
        return Stock(self.name, self.store + store, self.out + out)


def stock(lines: Iterable[RegisterLine]) -> dict[str, Stock]:
    """The stock of every set of cards and every denomination of chips."""
    held: dict[str, Stock] = {}
    for line in lines:
        if line.entry.kind in ("cards", "chips") and not line.struck:
            for name, number in _numbers(line.entry).items():
                held[name] = held.get(name, Stock(name)).after(line.entry.says, number)
    return held


def count_chips(lines: Iterable[RegisterLine]) -> Counter[Cents]:
    """How many chips of each denomination the house has, in the store and out, of whichever set."""
    held: Counter[Cents] = Counter()
    for line in lines:
        if not line.struck and line.entry.says in (signs := {"received": 1, "destroyed": -1}):
            held.update({cents: signs[line.entry.says] * number for cents, number in line.entry.pieces.items()})
    return held


def _numbers(entry: RegisterEntry) -> dict[str, int]:
    if entry.kind == "cards":
        return {entry.name: entry.count}
    return {f"{entry.name} {dollars(cents)}": number for cents, number in entry.pieces.items() if number}


def check_unstruck(lines: Mapping[int, RegisterLine], number: int) -> None:
    """Refuse to strike a destruction, or an entry that later moves depend on."""
    entry = lines[number].entry
    if entry.kind not in ("cards", "chips"):
        return
    if entry.says == "destroyed":
        raise NotNow(f"entry {number} says that {entry.name} was destroyed, which is final (house rule)")
    held = stock(line for line in lines.values() if line.number != number)
    for name in _numbers(entry):
        if (left := held.get(name, Stock(name))).store < 0 or left.out < 0:
            raise NotNow(f"later entries rest on entry {number}; strike those first (house rule, for WAC 230-15-730)")


def check_hours(entry: RegisterEntry) -> None:
    """WAC 230-15-590: a drop schedule states the hours in which boxes are pulled."""
    if not HOURS.fullmatch(entry.says):
        raise BadOption("drop schedule, when", entry.says, "hours such as 02:00-03:30 (WAC 230-15-590)")


def check_key(
    entry: RegisterEntry, keys: Iterable[RegisterLine], people: Mapping[str, str], day: datetime.date
) -> None:
    """WAC 230-15-090: contents and table lock have separate keys; our reading: nobody holds both."""
    if entry.says not in people:
        raise UnknownName("user who has the key", entry.says, sorted(people))
    keys = tuple(keys)
    for own, other in (LOCKS, LOCKS[::-1]):
        held = [line for line in keys if plain_letters(line.entry.name).startswith(other) and line.holds_on(day)]
        if plain_letters(entry.name).startswith(own) and entry.says in {line.entry.says for line in held}:
            raise PostingRefused(
                f"{entry.says} holds a key of the {other} and cannot have one of the {own}: nobody opens a box "
                "alone (house rule; WAC 230-15-090 asks for separate keys)"
            )


def check_stock(entry: RegisterEntry, held: Mapping[str, Stock]) -> None:
    """Refuse to issue or destroy more than was received: the records of WAC 230-15-730 have to add up."""
    if entry.says == "checked" and not entry.reference.strip():
        raise PostingRefused("a check says under which reference its result is written (house rule)")
    for name, number in _numbers(entry).items():
        before = held.get(name, Stock(name))
        after = before.after(entry.says, number)
        if after.store < 0 or after.out < 0:
            raise NotNow(
                f"{number} of {name} cannot be {entry.says}: {before.store} are in the store and "
                f"{before.out} are out (house rule: the records that WAC 230-15-730 asks for add up)"
            )
