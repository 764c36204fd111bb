"""What the law asks of a card room on a given day, each value with its source and how sure we are of it."""

import datetime
from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from feltworks import catalog
from feltworks.errors import BadDay
from feltworks.money import Cents
from feltworks.rules.rulebook import Dated

SURE = ("read in the rule", "read in the rule notice")  # anything else is shown as unverified


class Profile(Struct, frozen=True, dict=True):
    """The law of one day. A table without a profile for its day is not opened.

    >>> profile_on(datetime.date(2024, 1, 31)).wager_limit
    40000
    """

    day: datetime.date
    values: Mapping[str, Dated]

    def __getitem__(self, subject: str) -> Dated:
        if subject not in self.values:
            first = _law()[subject][0].from_
            raise BadDay(self.day.isoformat(), f"nothing is known of the {subject} before {first}")
        return self.values[subject]

    def number(self, subject: str) -> int:
        """A value that is a plain number."""
        return int(self[subject].value)

    @cached_property
    def wager_limit(self) -> Cents:
        """WA.1: the most on one wager."""
        return self["wager-limit"].cents

    @cached_property
    def allows_manual_progressive(self) -> bool:
        """SP.16: whether a jackpot may be posted by hand the next day."""
        return "manual" in str(self["progressive-mode"].value)

    @property
    def unverified(self) -> dict[str, Dated]:
        """What is not read in the rule itself: shown as a setting, never as law."""
        return {subject: dated for subject, dated in self.values.items() if dated.sure not in SURE}


def profile_on(day: datetime.date) -> Profile:
    """What holds on a day, as far as it is known."""
    if not isinstance(day, datetime.date):
        raise BadDay(day, "a day is written like 2024-01-31")
    in_force: dict[str, Dated] = {}
    for subject, dated in _law().items():
        for entry in dated:  # in the order of their days, so the last one that fits holds
            if entry.from_ <= day:
                in_force[subject] = entry
    if "wager-limit" not in in_force:
        first = _law()["wager-limit"][0].from_
        raise BadDay(day.isoformat(), f"the law is known from {first} on")
    return Profile(day, in_force)


def parse_day(text: str) -> datetime.date:
    """Read a day as people write it to a command.

    >>> parse_day("2024-01-31")
    datetime.date(2024, 1, 31)
    """
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise BadDay(text, "a day is written like 2024-01-31") from None


def _law() -> Mapping[str, list[Dated]]:
    return catalog.rulebook("washington").law
