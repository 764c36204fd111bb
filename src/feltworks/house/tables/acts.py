"""The acts that a table's books record, and the checks of their amounts, names and counts."""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from feltworks.errors import BadAmount, BadOption, PostingRefused
from feltworks.house.duties import Signature
from feltworks.money import MOST_CENTS, Cents, dollars

SlipKind = Literal["opener", "closer", "fill", "credit", "drop", "count", "error"]
Denominations = Mapping[Cents, int]  # how many pieces of each


class _Act(Struct, frozen=True, tag_field="act"):
    """The facts of a posting, without who, when and why."""

    table: str
    period: int


class Opener(_Act, frozen=True, tag="opener"):
    """WAC 230-15-495: the tray is counted against the closer it was locked with; None on the first day."""

    counted: Cents
    expected: Cents | None
    closer: int | None


class Closer(_Act, frozen=True, tag="closer"):
    """WAC 230-15-535: the tray is counted and locked; its slip is the next opener as well."""

    counted: Cents


class Fill(_Act, frozen=True, tag="fill"):
    """WAC 230-15-525: chips from the cage to the table."""

    cents: Cents


class Credit(_Act, frozen=True, tag="credit"):
    """WAC 230-15-530: chips from the table to the cage."""

    cents: Cents


class Drop(_Act, frozen=True, tag="drop"):
    """WAC 230-15-590: the box is pulled and carried to the count room; what is in it nobody knows yet."""

    box: str


class Count(_Act, frozen=True, tag="count"):
    """WAC 230-15-615: the box's contents, counted twice; the box is never combined with another."""

    first: Denominations
    second: Denominations
    team_approval: str = ""  # WAC 230-15-610: what allows a team of two


class Void(_Act, frozen=True, tag="void"):
    """A slip with an error in it: all its copies are void, and its number stays."""

    kind: SlipKind
    serial: int


class Stakes(Struct, frozen=True):
    """Wagers of one size: how many were made."""

    wager: str
    cents: Cents
    count: int


class Wagers(_Act, frozen=True, tag="wagers"):
    """The wagers made in a period, as a meter or a survey of the table has them."""

    stakes: tuple[Stakes, ...]


class Payout(_Act, frozen=True, tag="payout"):
    """A winning wager, jackpot or bonus."""

    wager: str
    wagered: Cents
    cents: Cents
    player: str
    hand: str


class TaskDone(_Act, frozen=True, tag="done"):
    """A task is done, and where that is written."""

    task: int
    reference: str


Act = Opener | Closer | Fill | Credit | Drop | Count | Void | Wagers | Payout | TaskDone
decode_act = msgspec.json.Decoder(Act).decode


class _Signed(Struct, frozen=True):
    """The signatures among the facts of a posting."""

    signed: tuple[Signature, ...] = ()


decode_signatures = msgspec.json.Decoder(_Signed).decode


def encode_act(act: Struct, signers: Iterable[Signature]) -> str:
    """An act as the journal keeps and seals it, with everybody who signed it."""
    return msgspec.json.encode({**msgspec.to_builtins(act), "signed": tuple(signers)}).decode()


def kind_of(act: Act) -> str:
    """The word for an act."""
    return str(type(act).__struct_config__.tag)


def check_cents(what: str, cents: object, least: Cents) -> None:
    """Refuse what is no whole number of cents, or too few."""
    if type(cents) is not int or not least <= cents <= MOST_CENTS:
        raise BadAmount(what, cents, f"a whole number of cents, {least} or more")


def check_table_name(table: str) -> None:
    """A table's number is permanent and stands on its box."""
    if not table.strip() or table != table.strip() or len(table) > 40 or not table.isprintable():
        raise BadOption("table", table, "a table's number or name, up to 40 printable characters")


_MOST_PIECES = 10_000_000


def total(count: Denominations) -> Cents:
    """What a count comes to.

    >>> total({10_000: 12, 2_000: 5})
    130000
    """
    return sum(cents * pieces for cents, pieces in count.items())


def check_count(act: Count) -> Cents:
    """WAC 230-15-615: two independent counts; returns what both come to."""
    for count in (act.first, act.second):
        for cents, pieces in count.items():
            _check_pieces(cents, pieces)
    if differs := _differing(act.first, act.second):
        said = " and ".join(
            f"{act.first.get(cents, 0)} and {act.second.get(cents, 0)} pieces of {dollars(cents)}"
            for cents in differs
        )
        raise PostingRefused(f"the two counts differ ({said}); count the box again")
    return total(act.first)


def _check_pieces(cents: object, pieces: object) -> None:
    if type(cents) is not int or not 0 < cents <= MOST_CENTS:
        raise BadAmount("denomination", cents, "a positive whole number of cents")
    if type(pieces) is not int or not 0 <= pieces <= _MOST_PIECES:
        raise BadAmount(f"number of {dollars(cents)} pieces", str(pieces), f"0 to {_MOST_PIECES:,}")


def _differing(first: Denominations, second: Denominations) -> list[Cents]:
    both = first.keys() | second.keys()
    return sorted((cents for cents in both if first.get(cents, 0) != second.get(cents, 0)), reverse=True)
