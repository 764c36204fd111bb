"""A rulebook: the facts of one approved game as data, loaded from TOML and checked down to the key."""

import datetime
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from feltworks.errors import BadOption, one_of
from feltworks.money import Cents, Odds, parse_dollars
from feltworks.rules.pay_table import Pay, meters_of, parse_pay
from feltworks.rules.rulebook.sentences import Sentence
from feltworks.rules.rulebook.toml import Count, Number, Text

OptionValue = bool | int | str | tuple[str, ...]
Decks = Annotated[int, Meta(ge=1, le=8)]
_WRITTEN_NUMBER = re.compile(r"-?[0-9]{1,10}")


class Bond(Struct, forbid_unknown_fields=True):
    """A requirement of another wager on the spot; an option may lift it."""

    wager: str
    unless: str = ""


class WagerEntry(Struct, forbid_unknown_fields=True):
    """The rules of a wager apart from its pays."""

    title: Text
    kind: Literal["main", "bonus", "derived"]
    clause: str
    needs: Bond | None = None
    not_above: Bond | None = None
    equals: str = ""  # the wager it is placed together with, for the same amount
    leave_out: Literal["allowed", "deviates", "never"] = "never"  # may a table omit it?
    tokes: bool = False
    minimum: str = ""
    fixed: str = ""
    of: str = ""  # derived: the wager that sets its size
    times: str | list[str] = ""  # derived: a fixed multiple of that wager, or the multiples allowed
    up_to: str = ""  # derived: the largest multiple of that wager
    at_least: str = ""  # derived with `up_to`: the smallest multiple
    offered_by: str = ""  # derived: the option that offers it, if a house may omit it

    @property
    def least(self) -> Cents:
        """The smallest amount that the rules allow."""
        return parse_dollars(self.fixed or self.minimum) if self.fixed or self.minimum else 1

    @property
    def factor(self) -> Fraction:
        """A derived wager's multiple of the wager that sets its size."""
        return max(self.sizes, default=Fraction(self.up_to or 0))

    @property
    def sizes(self) -> tuple[Fraction, ...]:
        """The multiples of a derived wager, if only some are allowed."""
        listed = [self.times] if isinstance(self.times, str) else self.times
        return tuple(sorted(Fraction(text) for text in listed if text))

    @property
    def multiples(self) -> str:
        """The multiples of a derived wager as words: "2", "1, 2 or 3"."""
        *others, last = [str(size) for size in self.sizes] or [self.up_to]
        return f"{', '.join(others)} or {last}" if others else last


class OptionPay(Struct, forbid_unknown_fields=True):
    """A pay that a house option sets."""

    option: str


class PayTable(Struct, forbid_unknown_fields=True):
    """One pay table of a wager: a row for each outcome, and its switches."""

    clause: str
    pays: dict[Text, str | OptionPay]
    bonus: dict[Text, str] = {}  # paid in addition, at odds on the same wager, whatever its outcome
    factors: dict[Text, Count] = {}  # multiplies rows (LB.7)
    factors_clause: str = ""  # the clause that gives the factors
    switches: dict[Text, bool] = {}  # other rules of this table (AD.12)
    needs_decks: dict[str, Decks] = {}  # rows that fewer decks cannot make (LL.4)
    words: dict[str, Text] = {}  # words for rows on papers, if the name does not say when the row holds (SP.14)

    def price(self, options: Mapping[str, OptionValue]) -> dict[str, Pay]:
        """The pay of every row under these options, and of every row with each bonus added."""
        pays = {
            row: parse_pay(str(options[pay.option]) if isinstance(pay, OptionPay) else pay)
            for row, pay in self.pays.items()
        }
        return pays | {
            with_bonus(row, extra): pay + Odds.parse(text)
            for row, pay in pays.items()
            for extra, text in self.bonus.items()
            if isinstance(pay, Odds)
        }


def with_bonus(outcome: str, bonus: str | None) -> str:
    """The name of an outcome with its bonus; the outcome alone if there is none."""
    return f"{outcome} + {bonus}" if bonus else outcome


class Option(Struct, forbid_unknown_fields=True):
    """A reading or a house choice: the allowed values, the default, and the reason."""

    clause: str
    text: Text
    values: list[bool | Number | str] | None = None  # the first is the default
    range: tuple[Number, Number] | None = None
    members: list[str] | None = None  # if given, the value is a list of these
    default: bool | Number | str | list[str] | None = None
    approved: list[bool | Number | str] | None = None  # absent: every value is on the approved sheet

    @property
    def preset(self) -> OptionValue:
        """The default value."""
        if isinstance(self.default, list):
            return tuple(self.default)
        if self.default is not None:
            return self.default
        if self.members is not None:
            return tuple(self.members)
        return self.values[0] if self.values else self.range[0] if self.range else False

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        if self.members is not None:
            return f"a list of {', '.join(self.members)}"
        if self.range:
            return f"a whole number from {self.range[0]} to {self.range[1]}"
        return one_of(value_text(value) for value in self.values or ())

    def read(self, name: str, value: object) -> OptionValue:
        """Read a value from a command line or a JSON document."""
        if self.members is not None:
            return self._read_list(name, value)
        if self.range:
            written = isinstance(value, str) and _WRITTEN_NUMBER.fullmatch(value)
            number = int(written[0]) if written else value
            if type(number) is int and self.range[0] <= number <= self.range[1]:
                return number
        for known in self.values or ():
            if (type(known) is type(value) and known == value) or value == value_text(known):
                return known
        raise BadOption(name, value, self.allowed)

    def _read_list(self, name: str, value: object) -> tuple[str, ...]:
        listed = [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value
        known = self.members or []
        if isinstance(listed, list | tuple) and all(part in known for part in listed):
            return tuple(part for part in known if part in listed)
        raise BadOption(name, value, self.allowed)


def value_text(value: object) -> str:
    """A value as rulebooks and command lines write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Override(Struct, forbid_unknown_fields=True):
    """A change by an including rulebook to an option of the included one."""

    default: bool | Number | str | list[str] | None = None
    approved: list[bool | Number | str] | None = None
    clause: str | None = None
    text: Text | None = None
    members: list[str] | None = None
    range: tuple[Number, Number] | None = None
    values: list[bool | Number | str] | None = None


class BackupsEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """The backup jackpots behind a posted one (SP.18)."""

    clause: str
    from_: str = msgspec.field(name="from")  # the amount at which one may start, and its cap
    uncapped_from: str  # the amount of the posted jackpot that lifts this cap

    @property
    def level(self) -> Cents:
        return parse_dollars(self.from_)

    @property
    def uncapped_level(self) -> Cents:
        return parse_dollars(self.uncapped_from)


class MeterEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """The rules of a jackpot whose amount is posted (SP.15)."""

    clause: str
    smallest_seed: str
    backups: BackupsEntry | None = None

    @property
    def seed(self) -> Cents:
        """The smallest starting amount."""
        return parse_dollars(self.smallest_seed)


UNRULED: Final = MeterEntry("", "$0")  # a meter without an entry in the rulebook


class OtherPays(Struct, forbid_unknown_fields=True):
    """Another reading of a clause that no option of the game has, and that changes only pays of a wager."""

    words: Text
    wager: str
    pay_table: str = "1"  # the pay table that the reading is about
    judged_as: str = "1"  # the pay table whose outcomes it pays
    for_one: bool = False  # "30 for 1": the stake is not returned with the win
    within: bool = False  # cards of one suit count in a longer hand of the dealer's too
    pays: dict[str, str] = {}  # the outcomes with other pays

    def pay(self, outcome: str, pay: Pay) -> Pay:
        """The pay of an outcome under this reading."""
        if outcome in self.pays:
            return parse_pay(self.pays[outcome])
        if self.for_one and isinstance(pay, Odds) and pay.win > 0:
            return Odds(pay.win - pay.per, pay.per)
        return pay


class Reading(Struct, forbid_unknown_fields=True):
    """A clause that the document leaves open: our reading, the reason, and the other readings."""

    clause: str
    settles: Text
    because: Text
    alternatives: list[str] = []
    option: str = ""
    other_pays: OtherPays | None = None


class Published(Struct, forbid_unknown_fields=True):
    """A figure printed in the approved document."""

    clause: str
    wager: str
    quantity: Literal["house_edge", "element_of_risk", "fixed_return"]
    figure: str
    pay_table: str = "1"
    decks: Decks | None = None
    source: str = ""  # where it is printed, if not in the document of the clause


class Evidence(Struct, forbid_unknown_fields=True):
    """The document's own reasons for a figure of a wager, in our words."""

    clause: str
    wager: str
    text: Text
    pay_tables: list[str] = []  # the pay tables it covers; empty: all


class DocumentExample(Struct, forbid_unknown_fields=True):
    """A worked example of the approved document: a finished round, and the document's result."""

    clause: str
    text: Text
    round: dict[str, Any]  # as `felt settle` reads it, for this game
    nets: dict[str, int]  # in cents, by wager


class Condition(Struct, forbid_unknown_fields=True):
    """A condition that the approval sets for somebody before the game may run."""

    of: Literal["operator", "maker", "tribal operation", "tribal maker", "owner", "everyone"]
    text: Text
    clause: str = "WA.3"


class Approval(Struct, forbid_unknown_fields=True):
    """The regulator's letter: its date, its number and its conditions."""

    date: datetime.date
    document: Text
    conditions: list[Condition]
    submission: str = ""
    remarks: list[str] = []


class LawEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """One legal provision from a day on, with its source and how certain we are of it."""

    from_: datetime.date = msgspec.field(name="from")
    value: Annotated[int, Meta(ge=0, le=10**9)] | Text  # an amount is written like "$400"
    source: Text
    sure: Text

    @property
    def cents(self) -> Cents:
        """The value of an amount of money."""
        return parse_dollars(str(self.value))


class CardsEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """The cards that the game is dealt from."""

    decks: Decks = 1  # if no option `decks` sets it
    without: list[str] = []
    jokers: Annotated[int, Meta(ge=0, le=8)] = 0
    shuffle: Literal["every round", "shoe"] = "every round"


class PlacesEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """The names of the house's places."""

    dealer: Text = "Dealer"
    board: Text = "Board"


class RulebookText(Struct, forbid_unknown_fields=True):
    """The facts of a document as one file has them."""

    title: Text
    game: str = ""  # the rules file in games/; a book without one is only included by others
    includes: list[str] = []
    bonus: list[str] = []  # rules files in bonus/ with wagers for this game
    cards: CardsEntry = CardsEntry()
    places: PlacesEntry = PlacesEntry()
    jurisdiction: str = "washington"  # the book of the law for its tables; none: a laboratory's
    most_wagers: Count | None = None  # the most wagers that a table may offer (SP.20)
    spots_per_player: Count | str | None = None  # a number, or the option that sets it
    approval: Approval | None = None
    clause: dict[str, Text] = {}
    waiting: dict[str, Text] = {}  # clauses without code yet, and the reason
    wager: dict[Text, WagerEntry] = {}
    pay_table: dict[Text, dict[Text, PayTable]] = {}
    meter: dict[Text, MeterEntry] = {}
    option: dict[Text, Option] = {}
    override: dict[str, Override] = {}
    reading: list[Reading] = []
    published: list[Published] = []
    evidence: list[Evidence] = []
    example: list[DocumentExample] = []
    guide: list[Sentence] = []  # how to play, for players
    procedure: list[Sentence] = []  # how to deal, for dealers
    irregularity: list[Sentence] = []  # what to do when something goes wrong
    law: dict[Text, list[LawEntry]] = {}


class Rulebook(RulebookText):
    """The facts of a file and of all files it includes, under the name of the file."""

    name: str = ""
    file: str = ""
    departures: tuple[str, ...] = ()  # WA.3: its differences from the approved book that it replaces

    @property
    def placed(self) -> list[str]:
        """The wagers placed before the deal."""
        return [name for name, entry in self.wager.items() if entry.kind != "derived"]

    def option_name(self, text: str) -> str | None:
        """The full name of an option; its last part is enough if no other option has the same."""
        if text in self.option:
            return text
        matching = [name for name in self.option if name.rpartition(".")[2] == text]
        return matching[0] if len(matching) == 1 else None

    def placed_with(self, wager: str) -> list[str]:
        """The wagers placed together with this one, each for the same amount."""
        leader = self.wager[wager].equals or wager
        return [name for name, e in self.wager.items() if name != wager and leader in (name, e.equals)]

    def meter_of(self, wager: str) -> MeterEntry:
        """The rules of the meter that a wager wins from."""
        names = self._meters(wager)
        return self.meter.get(names[0], UNRULED) if names else UNRULED

    @property
    def progressives(self) -> list[str]:
        """The wagers that win from a meter."""
        return [name for name in self.wager if self._meters(name)]

    def _meters(self, wager: str) -> list[str]:
        pays = [pay for table in self.pay_table.get(wager, {}).values() for pay in table.pays.values()]
        return sorted(meters_of(parse_pay(pay) for pay in pays if isinstance(pay, str)))

    def offers_for(self, wagers: Iterable[str]) -> dict[str, object]:
        """SP.20: the option `offers` of a table with its main wager and these wagers, and no others.

        Empty if a table may offer everything.
        """
        if not self.most_wagers:
            return {}
        named, members = frozenset(wagers), self.option["offers"].members or []
        return {"offers": [w for w in members if w in named or self.wager[w].leave_out == "never"]}

    def offers_with(self, wagers: Iterable[str]) -> dict[str, object]:
        """The option of a table that offers these wagers in addition to its defaults."""
        option, named = self.option.get("offers"), frozenset(wagers)
        if self.most_wagers or option is None or not isinstance(option.preset, tuple):
            return self.offers_for(named)
        offered = [name for name in option.members or () if name in named or name in option.preset]
        return {"offers": offered} if named.difference(option.preset) else {}
