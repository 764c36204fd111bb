"""The acts that a table's books record, and the checks of their amounts, names and counts."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct

from feltworks.errors import BadAmount, BadOption, PostingRefused
from feltworks.house.configuration import TableOrder
from feltworks.house.duties import Signature
from feltworks.money import MOST_CENTS, Cents, dollars

SlipKind = Literal["opener", "closer", "fill", "credit", "drop", "count", "error"]
TaskKind = Literal["notice", "verification", "deck check", "revision"]
Denominations = Mapping[Cents, int]  # how many pieces of each


class _Act(Struct, frozen=True, tag_field="act"):
    """The facts of a posting; who made it, when and why is stored beside them."""

    table: str
    period: int


class Opener(_Act, frozen=True, tag="opener"):
    """WAC 230-15-495: the tray is counted and compared with its last closer, which is None on the first day."""

    counted: Cents
    expected: Cents | None
    closer: int | None
    shift: str = ""
    order: TableOrder | None = None  # None in postings made before orders were sealed
    deviations: tuple[str, ...] = ()
    pieces: Denominations = {}  # of the tray, if it was counted piece by piece


class Closer(_Act, frozen=True, tag="closer"):
    """WAC 230-15-535: the tray is counted and locked; its slip is also the next opener."""

    counted: Cents
    pieces: Denominations = {}


class Fill(_Act, frozen=True, tag="fill"):
    """WAC 230-15-525: chips from the cage to the table."""

    cents: Cents
    pieces: Denominations = {}
    request: int = 0  # the number of the request in the register that it answers


class Credit(_Act, frozen=True, tag="credit"):
    """WAC 230-15-530: chips from the table to the cage."""

    cents: Cents
    pieces: Denominations = {}
    request: int = 0


class Drop(_Act, frozen=True, tag="drop"):
    """WAC 230-15-590: the box is pulled and carried to the count room, still uncounted."""

    box: str


class Count(_Act, frozen=True, tag="count"):
    """WAC 230-15-615: the content of one box, counted twice; boxes are never combined."""

    first: Denominations
    second: Denominations
    team_approval: str = ""  # WAC 230-15-610: the approval of a team of two


class Tally(_Act, frozen=True, tag="tally"):
    """WAC 230-15-615: one person's own count, stored as a digest so that the second person counts blind."""

    digest: str


class Void(_Act, frozen=True, tag="void"):
    """A slip with an error is voided: all copies are void, and its number is not used again."""

    kind: SlipKind
    serial: int


class Stakes(Struct, frozen=True):
    """The number of wagers of one size."""

    wager: str
    cents: Cents
    count: int


class Wagers(_Act, frozen=True, tag="wagers"):
    """The wagers made in a period, from a meter, a log or a survey of the table."""

    stakes: tuple[Stakes, ...]


class Payout(_Act, frozen=True, tag="payout"):
    """A winning wager, jackpot or bonus."""

    wager: str
    wagered: Cents
    cents: Cents
    player: str
    hand: str
    round: str = ""  # to tell apart equal wins of a player with the same hand


class TaskDone(_Act, frozen=True, tag="done"):
    """A task is done; names the reference of its record."""

    task: int
    reference: str


Act = Opener | Closer | Fill | Credit | Drop | Count | Tally | Void | Wagers | Payout | TaskDone
decode_act = msgspec.json.Decoder(Act).decode


class RaisedTask(Struct, frozen=True):
    """A task raised by an act, as sealed with the act."""

    id: int
    kind: TaskKind
    says: str
    due_at: str | None


class SealedFacts(Struct, frozen=True):
    """The signatures and tasks sealed beside an act; tasks are None from before they were sealed."""

    signed: tuple[Signature, ...] = ()
    tasks: tuple[RaisedTask, ...] | None = None


decode_sealed = msgspec.json.Decoder(SealedFacts).decode


def sealed_facts(act: Struct, signers: Iterable[Signature], tasks: Iterable[RaisedTask] = ()) -> dict[str, object]:
    """An act with its signatures and tasks, in the form that the journal seals."""
    return {**msgspec.to_builtins(act), "signed": tuple(signers), "tasks": tuple(tasks)}


def kind_of(act: Act) -> str:
    """The name of an act: its tag in the journal."""
    return str(type(act).__struct_config__.tag)


ROUNDS_A_DAY: Final = 24 * 60  # our reading: a full table deals at most one round a minute
MOST_AT_ONCE: Final[Cents] = 10_000_000_00  # our setting: no tray, box or cage of a card room holds more


def check_plausible(what: str, cents: Cents) -> None:
    """Refuse an amount that no tray, box or cage can hold: it must be a typing error."""
    if cents > MOST_AT_ONCE:
        raise BadAmount(what, cents, f"{dollars(MOST_AT_ONCE)} or less (house rule: nobody moves more at once)")


def check_cents(what: str, cents: object, least: Cents) -> None:
    """Refuse an amount that is not a whole number of cents, at least `least`."""
    if type(cents) is not int or not least <= cents <= MOST_CENTS:
        raise BadAmount(what, cents, f"a whole number of cents, {least} or more")


Chips = Cents | Denominations  # an amount, or how many pieces of each


def read_chips(what: str, chips: Chips, least: Cents) -> tuple[Cents, Denominations]:
    """The amount and the pieces of some chips.

    >>> read_chips("fill", {25_00: 4, 5_00: 0}, 1)
    (10000, {2500: 4})
    """
    pieces = {cents: number for cents, number in chips.items() if number} if isinstance(chips, Mapping) else {}
    check_pieces(pieces)
    cents = total(pieces) if isinstance(chips, Mapping) else chips
    check_cents(what, cents, least)
    check_plausible(what, cents)
    return cents, pieces


def check_table_name(name: str, what: str = "table") -> None:
    """Refuse a name that cannot be written on a box, since a table's number is permanent."""
    if not name.strip() or name != name.strip() or len(name) > 40 or not name.isprintable():
        raise BadOption(what, name, f"a {what}'s number or name, up to 40 printable characters")


_MOST_PIECES = 10_000_000


def total(count: Denominations) -> Cents:
    """The total of a count.

    >>> total({10_000: 12, 2_000: 5})
    130000
    """
    return sum(cents * pieces for cents, pieces in count.items())


def check_equal_counts(first: Denominations, second: Denominations) -> Cents:
    """The total of two counts that agree piece by piece."""
    for count in (first, second):
        check_pieces(count)
    if any(first.get(cents, 0) != second.get(cents, 0) for cents in first.keys() | second.keys()):
        raise PostingRefused("the two counts differ; count the box again (WAC 230-15-615)")
    return total(first)


def check_pieces(count: Denominations) -> None:
    """Refuse a count with impossible denominations or numbers of pieces."""
    for cents, pieces in count.items():
        if type(cents) is not int or not 0 < cents <= MOST_CENTS:
            raise BadAmount("denomination", cents, "a positive whole number of cents")
        if type(pieces) is not int or not 0 <= pieces <= _MOST_PIECES:
            raise BadAmount(f"number of {dollars(cents)} pieces", str(pieces), f"0 to {_MOST_PIECES:,}")
