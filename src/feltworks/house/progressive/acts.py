"""The acts on a progressive, as the journal stores them, who may post them, and which mode the law allows (SP.16)."""

from collections.abc import Mapping
from datetime import date
from typing import Final, Literal, get_args
from uuid import uuid4

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from feltworks import catalog
from feltworks.errors import BadDay, UnknownName
from feltworks.house.duties import (
    ACCOUNTING,
    CAGE,
    COUNTERS,
    DEALER,
    FLOOR,
    SECURITY,
    SURVEILLANCE,
    Action,
    Duty,
    Role,
    Signature,
    check_signatures,
    plain_letters,
)
from feltworks.house.journal.posting import Voucher
from feltworks.house.law import profile_on
from feltworks.house.progressive.terms import ProgressiveTerms, decode_fraction, settings_of_edition_1
from feltworks.house.tables.acts import Denominations
from feltworks.money import Cents

Reason = Literal["malfunction", "above maximum", "gross receipts", "seed recovery"]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)


class _Act(Struct, frozen=True, tag_field="act", forbid_unknown_fields=True):
    """The facts of a posting; its voucher says who posts it, when and why."""


class Opening(_Act, frozen=True, tag="open"):
    """SP.15: a progressive starts from its seed."""

    terms: ProgressiveTerms


class Seeding(_Act, frozen=True, tag="seed"):
    """More seed from the house, or overflow (prize money not displayed) moved into the jackpot."""

    cents: Cents = 0
    from_overflow: Cents = 0


class Contribution(_Act, frozen=True, tag="contribute"):
    """SP.15: the losing wagers of one round go into the second drop box."""

    table: str
    round: str
    wagers: int


class ProgressiveRound(_Act, frozen=True, tag="round"):
    """A round with winners: every hand that has the wager, settled by the rules of the game."""

    table: str
    round: str
    hands: tuple[str, ...]
    posted: Cents | None = None  # SP.13: the jackpot posted when the round began; None: the current one
    paid_from: Literal["house", "bank"] = "house"


class BoxTally(_Act, frozen=True, tag="tally"):
    """WAC 230-15-615: the first person's own count of the box, as a digest that the second person cannot read."""

    digest: str


class DayEnd(_Act, frozen=True, tag="day end"):
    """SP.16: the box is counted; `counted` is None if it holds the sum of the wagers.

    Like any other box it is counted twice, piece by piece. The poster's own count arrives as `first`; it is stored
    as `second` as well if it equals the tally. `third` is who entered the tally, unless that was the witness.
    """

    counted: Cents | None = None
    first: Denominations = {}
    second: Denominations = {}
    third: str = ""

    @property
    def is_counted_twice(self) -> bool:
        return bool(self.first or self.second)


class Deposit(_Act, frozen=True, tag="deposit"):
    """The house pays into the progressive's bank account."""

    cents: Cents


class Withdrawal(_Act, frozen=True, tag="withdraw"):
    """The house takes back money that the bank account holds in excess of the prizes."""

    cents: Cents


class DepositTest(_Act, frozen=True, tag="deposit test"):
    """WAC 230-15-455: does the bank account hold all prizes? If not, the game stops."""


class Seizure(_Act, frozen=True, tag="seizure"):
    """WAC 230-15-715: money of the bank account is seized for tax; the game stops until it is replaced."""

    cents: Cents


class Maximum(_Act, frozen=True, tag="maximum"):
    """WAC 230-15-685: the highest amount that the jackpot displays; None lifts it."""

    cents: Cents | None


class Adjustment(_Act, frozen=True, tag="adjust"):
    """WAC 230-15-695: a prize is changed by this amount; a negative amount lowers it."""

    account: str
    cents: Cents
    reason: Reason


class Share(Struct, frozen=True, forbid_unknown_fields=True):
    """Part of a removal: money of a prize account goes to players or receipts, or pays back the seed."""

    account: str
    cents: Cents
    to: str
    payee: str = ""  # who is paid, if it goes to players


class RemovalNotice(_Act, frozen=True, tag="notice"):
    """SP.19: the notice to players that the progressive will be taken out of play; dated by its posting."""

    authority: str


class Removal(_Act, frozen=True, tag="remove"):
    """SP.19: the progressive is taken out of play; the plan distributes every cent."""

    noticed: date
    authority: str
    plan: tuple[Share, ...]


class Receipt(_Act, frozen=True, tag="receive"):
    """Prize money received from a progressive that was taken out of play."""

    cents: Cents
    source: str


_OfficeAct = Opening | Seeding | Receipt | Deposit | Withdrawal | DepositTest | Seizure | Maximum | Adjustment
Act = _OfficeAct | RemovalNotice | Contribution | ProgressiveRound | BoxTally | DayEnd | Removal
_decoder = msgspec.json.Decoder(Act, dec_hook=decode_fraction)


def kind_of(act: Act) -> str:
    """The name of an act: its tag in the journal."""
    return str(type(act).__struct_config__.tag)


def table_of(act: object) -> str:
    """The table at which a round was played; empty for other acts."""
    return act.table if isinstance(act, Contribution | ProgressiveRound) else ""


_AS_NUMBERS: Final = str.maketrans("lo", "10")  # plain letters write 1 and 0 as these


def key_of(act: object, day: date) -> str:
    """The key of an act posted without one; a round has its own, so that it cannot be posted twice."""
    if isinstance(act, Contribution | ProgressiveRound):
        table, round_ = (plain_letters(name).translate(_AS_NUMBERS) for name in (act.table, act.round))
        round_ = round_.lstrip("0") or "0" if round_.isdecimal() else round_
        return f"{day} table {table} round {round_}"
    return uuid4().hex


def with_own_key(act: Act, voucher: Voucher) -> Voucher:
    """The voucher of an act; a round always has its own key, whatever key came with it, so that it is posted once."""
    if not isinstance(act, Contribution | ProgressiveRound) or voucher.key == (key := key_of(act, voucher.day)):
        return voucher
    return replace(voucher, key=key)


def decode_act(facts: str) -> Act:
    """Read an act from the facts of a posting."""
    act: Act = _decoder.decode(facts)
    if isinstance(act, Opening) and '"edition"' not in facts:
        return Opening(settings_of_edition_1(act.terms))
    return act


BY, SECOND = "the first person", "the second person"
_OFFICE: Final[tuple[Role, ...]] = (ACCOUNTING,)
_OTHERS: Final[tuple[Role, ...]] = (FLOOR, CAGE, SECURITY, ACCOUNTING)


def _action(does: str, roles: tuple[Role, ...], seconds: tuple[Role, ...] = _OTHERS) -> Action:
    return Action(does, (Duty(BY, roles), Duty(SECOND, seconds)))


# Two persons sign any change of a prize other than an addition (house rule)
BY_TWO: Final[Mapping[str, Action]] = {
    "open": _action("open a progressive", _OFFICE),
    # WAC 230-15-320: a large payout is verified by a person who did not pay it
    "round": _action(
        "record a progressive win", (FLOOR, ACCOUNTING), (SECURITY, SURVEILLANCE, CAGE, ACCOUNTING, FLOOR)
    ),
    "day end": _action("count the progressive's box", (ACCOUNTING, CAGE)),
    "withdraw": _action("withdraw from a progressive's bank account", _OFFICE),
    "seizure": _action("post a seizure", _OFFICE),
    "maximum": _action("impose a maximum on a jackpot", _OFFICE),
    "adjust": _action("change a prize", _OFFICE),
    "notice": _action("post the notice of a removal", _OFFICE),
    "remove": _action("take a progressive out of play", _OFFICE),
    "receive": _action("hand on a progressive's prize money", _OFFICE),
}
# A second person may sign these, and must sign if a prize is lowered
BY_ONE: Final[Mapping[str, Action]] = {
    "seed": _action("add seed to a jackpot", _OFFICE),
    "contribute": _action("post losing progressive wagers", (FLOOR, DEALER, ACCOUNTING)),
    "tally": _action("count a progressive's box alone", COUNTERS),
    "deposit": _action("pay into a progressive's bank account", (ACCOUNTING, CAGE)),
    "deposit test": _action("test a progressive's bank account", _OFFICE),
}
DUTIES: Final[Mapping[str, Action]] = {**BY_TWO, **BY_ONE}


def check_duties(act: str, voucher: Voucher, roles: Mapping[str, str]) -> tuple[Signature, ...]:
    """Refuse a posting by a person whose role has no part in it, or without a required second person.

    >>> from datetime import date
    >>> voucher = Voucher(key="k", day=date(2024, 1, 31), by="ann")
    >>> check_duties("contribute", voucher, {"ann": "cage"})
    Traceback (most recent call last):
    feltworks.errors.NotPermitted: ann (cage) may not post losing progressive wagers as the first person...
    """
    if act not in DUTIES:
        raise UnknownName("act", act, DUTIES)
    people = {BY: voucher.by}
    if voucher.witness is not None:
        people[SECOND] = voucher.witness
    return check_signatures(DUTIES[act], people, roles, optional=0 if act in BY_TWO else 1)


def check_mode(terms: ProgressiveTerms, act: Act, day: date) -> None:
    """Refuse to open or play a jackpot by hand once WAC 230-15-671 requires one that grows in real time.

    Its money can still be counted, adjusted and removed. A round with a winner is refused as well, since
    no wager was allowed in it.
    """
    if isinstance(act, Opening):
        _check_approved(terms, day)
    if not terms.by_hand or not isinstance(act, Opening | Contribution | ProgressiveRound):
        return
    profile = profile_on(day, terms.house)
    if not profile.allows_manual_progressive:
        since = profile["progressive-mode"].from_
        raise BadDay(
            day,
            f"from {since} on a jackpot grows with each wager ({profile.cites('WAC 230-15-671')}); "
            "open one with an increment and leave it what this one holds",
        )


def _check_approved(terms: ProgressiveTerms, day: date) -> None:
    """WA.3: no progressive before the letter that approves its game."""
    book = catalog.rulebook(terms.game)
    if book.approval is not None and day < book.approval.date:
        raise BadDay(day, f"the letter that approves {book.title} is of {book.approval.date} (WA.3)")
