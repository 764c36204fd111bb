"""The acts on a progressive: one record for each kind of posting, stored in the journal as its facts."""

from datetime import date
from typing import Literal

import msgspec
from msgspec import Struct

from feltworks.house.progressive.terms import ProgressiveTerms, decode_fraction, settings_of_edition_1
from feltworks.house.tables.acts import Denominations
from feltworks.money import Cents

Reason = Literal["malfunction", "above maximum", "gross receipts", "seed recovery"]


class _Act(Struct, frozen=True, tag_field="act", forbid_unknown_fields=True):
    """The facts of a posting, without who, when and why."""


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
    posted: Cents | None = None  # SP.13: the jackpot posted when the round began; None: as posted now
    paid_from: Literal["house", "bank"] = "house"


class BoxTally(_Act, frozen=True, tag="tally"):
    """WAC 230-15-615: the first person's own count of the box, as a digest that the second person cannot read."""

    digest: str


class DayEnd(_Act, frozen=True, tag="day end"):
    """SP.16: the box is counted; None where it holds the sum of the wagers.

    Like any other box it is counted twice, piece by piece: `first` by whoever entered the tally, who is the
    `third` person where nobody else of the team was, and `second` by the person who posts this.
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
    """The house takes back what the bank account holds beyond the prizes."""

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
    payee: str = ""  # who is paid, where it goes to players


class RemovalNotice(_Act, frozen=True, tag="notice"):
    """SP.19: players are told that the progressive will be taken out of play; its day is the posting's."""

    authority: str


class Removal(_Act, frozen=True, tag="remove"):
    """SP.19: the progressive is taken out of play, and its plan accounts for every cent."""

    noticed: date
    authority: str
    plan: tuple[Share, ...]


class Receipt(_Act, frozen=True, tag="receive"):
    """Prize money received from a progressive that was taken out of play."""

    cents: Cents
    source: str


OfficeAct = Opening | Seeding | Receipt | Deposit | Withdrawal | DepositTest | Seizure | Maximum | Adjustment
Act = OfficeAct | RemovalNotice | Contribution | ProgressiveRound | BoxTally | DayEnd | Removal
_decoder = msgspec.json.Decoder(Act, dec_hook=decode_fraction)


def kind_of(act: Act) -> str:
    """The name of an act: its tag in the journal."""
    return str(type(act).__struct_config__.tag)


def decode_act(facts: str) -> Act:
    """Read an act from the facts of a posting."""
    act: Act = _decoder.decode(facts)
    if isinstance(act, Opening) and '"edition"' not in facts:
        return Opening(settings_of_edition_1(act.terms))
    return act
