"""The law that applies to a house on a given day; each value states its source and how sure we are of it."""

import datetime
from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Final, Literal

from msgspec import Struct

from feltworks import catalog
from feltworks.errors import BadDay
from feltworks.money import Cents
from feltworks.rules.rulebook.model import LawEntry

HouseKind = Literal["card room", "tribal operation"]
SURE = ("read in the rule", "read in the rule notice")  # any other source is shown as unverified
# The rulebook with the law of each kind of house, and its regulator
_LAW: Final[Mapping[HouseKind, str]] = {"card room": "washington", "tribal operation": "tribal-operation"}
_REGULATORS: Final[Mapping[HouseKind, str]] = {
    "card room": "the commission",
    "tribal operation": "the Tribal gaming agency",
}


class Profile(Struct, frozen=True, dict=True):
    """The law of one day. A table opens only on a day whose law is known.

    >>> profile_on(datetime.date(2024, 1, 31)).wager_limit
    40000
    """

    day: datetime.date
    values: Mapping[str, LawEntry]
    house: HouseKind = "card room"
    jurisdiction: str = ""  # the book of the law, if not the one of the house's kind

    def __getitem__(self, subject: str) -> LawEntry:
        if subject not in self.values:
            known = _law(self.house, self.jurisdiction).get(subject)
            since = f"before {known[0].from_}" if known else f"of a {self.house}"
            raise BadDay(self.day.isoformat(), f"the {subject} {since} is not known (WA.1)")
        return self.values[subject]

    def __contains__(self, subject: str) -> bool:
        return subject in self.values

    def number(self, subject: str) -> int:
        """The number of a value that is one."""
        return int(self[subject].value)

    def cites(self, rule: str) -> str:
        """How this house cites a rule of the card rooms: in a tribal operation it is a setting, not law.

        >>> profile_on(datetime.date(2024, 1, 31), "tribal operation").cites("WAC 230-15-140")
        "the operation's setting, unverified as law"
        """
        if self.jurisdiction:
            return f"{catalog.rulebook(self.jurisdiction).title}, a setting of the house"
        return rule if self.house == "card room" else "the operation's setting, unverified as law"

    @property
    def regulator(self) -> str:
        """The regulator that a house of this kind notifies."""
        return _REGULATORS[self.house]

    @cached_property
    def wager_limit(self) -> Cents:
        """WA.1: the most on one wager."""
        return self["wager-limit"].cents

    @cached_property
    def allows_manual_progressive(self) -> bool:
        """SP.16: whether a jackpot may be run by hand and posted the next day."""
        return "manual" in str(self["progressive-mode"].value)

    @property
    def unverified(self) -> dict[str, LawEntry]:
        """Values not read in the rule itself; they are shown as settings, not as law."""
        return {subject: dated for subject, dated in self.values.items() if dated.sure not in SURE}


def profile_on(day: datetime.date, house: HouseKind = "card room", jurisdiction: str = "") -> Profile:
    """The law in force on a day for a house of this kind, or of the jurisdiction that a game names."""
    if not isinstance(day, datetime.date):
        raise BadDay(day, "a day is written like 2024-01-31")
    jurisdiction = "" if jurisdiction in _LAW.values() else jurisdiction
    in_force: dict[str, LawEntry] = {}
    for subject, dated in _law(house, jurisdiction).items():
        for entry in dated:  # in the order of their days: the last one that applies is in force
            if entry.from_ <= day:
                in_force[subject] = entry
    if "wager-limit" not in in_force:
        first = _law(house, jurisdiction)["wager-limit"][0].from_
        raise BadDay(day.isoformat(), f"the law is known from {first} on (WA.1)")
    return Profile(day, in_force, house, jurisdiction)


def parse_day(text: str) -> datetime.date:
    """Read a day from the command line.

    >>> parse_day("2024-01-31")
    datetime.date(2024, 1, 31)
    """
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise BadDay(text, "a day is written like 2024-01-31") from None


def _law(house: HouseKind, jurisdiction: str = "") -> Mapping[str, list[LawEntry]]:
    return catalog.rulebook(jurisdiction or _LAW[house]).law


def check_not_future(day: date) -> None:
    """Refuse a future day: books only move forward, so a mistyped day would block all days before it."""
    if day > (today := date.today()):
        raise BadDay(day, f"it has not come yet; today is {today} (house rule: the books move forward)")
