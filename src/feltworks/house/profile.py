"""What the law asks of a house on a given day, each value with its source and how sure we are of it."""

import datetime
from collections.abc import Mapping
from functools import cached_property
from typing import Final, Literal

from msgspec import Struct

from feltworks import catalog
from feltworks.errors import BadDay
from feltworks.money import Cents
from feltworks.rules.rulebook.model import LawEntry

HouseKind = Literal["card room", "tribal operation"]
SURE = ("read in the rule", "read in the rule notice")  # anything else is shown as unverified
# Where the law of each kind of house is written, and who watches over it
_LAW: Final[Mapping[HouseKind, str]] = {"card room": "washington", "tribal operation": "tribal-operation"}
_WATCHED_BY: Final[Mapping[HouseKind, str]] = {
    "card room": "the commission",
    "tribal operation": "the Tribal gaming agency",
}


class Profile(Struct, frozen=True, dict=True):
    """The law of one day. A table without a profile for its day is not opened.

    >>> profile_on(datetime.date(2024, 1, 31)).wager_limit
    40000
    """

    day: datetime.date
    values: Mapping[str, LawEntry]
    house: HouseKind = "card room"

    def __getitem__(self, subject: str) -> LawEntry:
        if subject not in self.values:
            known = _law(self.house).get(subject)
            since = f"before {known[0].from_}" if known else f"of a {self.house}"
            raise BadDay(self.day.isoformat(), f"nothing is known of the {subject} {since}")
        return self.values[subject]

    def __contains__(self, subject: str) -> bool:
        return subject in self.values

    def number(self, subject: str) -> int:
        """A value that is a plain number."""
        return int(self[subject].value)

    def cites(self, rule: str) -> str:
        """A rule of the card rooms as this house may call upon it: elsewhere it is a setting, not law.

        >>> profile_on(datetime.date(2024, 1, 31), "tribal operation").cites("WAC 230-15-140")
        "the operation's setting, unverified as law"
        """
        return rule if self.house == "card room" else "the operation's setting, unverified as law"

    @property
    def watched_by(self) -> str:
        """Whom a house of this kind has to notify."""
        return _WATCHED_BY[self.house]

    @cached_property
    def wager_limit(self) -> Cents:
        """WA.1: the most on one wager."""
        return self["wager-limit"].cents

    @cached_property
    def allows_manual_progressive(self) -> bool:
        """SP.16: whether a jackpot may be posted by hand the next day."""
        return "manual" in str(self["progressive-mode"].value)

    @property
    def unverified(self) -> dict[str, LawEntry]:
        """What is not read in the rule itself: shown as a setting, never as law."""
        return {subject: dated for subject, dated in self.values.items() if dated.sure not in SURE}


def profile_on(day: datetime.date, house: HouseKind = "card room") -> Profile:
    """What holds on a day for a house of this kind, as far as it is known."""
    if not isinstance(day, datetime.date):
        raise BadDay(day, "a day is written like 2024-01-31")
    in_force: dict[str, LawEntry] = {}
    for subject, dated in _law(house).items():
        for entry in dated:  # in the order of their days, so the last one that fits holds
            if entry.from_ <= day:
                in_force[subject] = entry
    if "wager-limit" not in in_force:
        first = _law(house)["wager-limit"][0].from_
        raise BadDay(day.isoformat(), f"the law is known from {first} on")
    return Profile(day, in_force, house)


def parse_day(text: str) -> datetime.date:
    """Read a day as people write it to a command.

    >>> parse_day("2024-01-31")
    datetime.date(2024, 1, 31)
    """
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise BadDay(text, "a day is written like 2024-01-31") from None


def _law(house: HouseKind) -> Mapping[str, list[LawEntry]]:
    return catalog.rulebook(_LAW[house]).law
