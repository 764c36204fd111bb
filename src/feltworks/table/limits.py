"""The limits posted at a table, within the rules and the law."""

from collections.abc import Mapping

from msgspec import Struct

from feltworks.errors import BadOption, UnknownName, WagerRefused
from feltworks.money import Cents, dollars
from feltworks.rules.terms import Terms, most_allowed


class WagerLimit(Struct, frozen=True):
    """The posted limits of one wager; None leaves a limit to the rules and the law."""

    minimum: Cents | None = None
    maximum: Cents | None = None
    alone: Cents | None = None  # SP.21: the minimum if no main wager lies on the spot
    multiple: Cents | None = None  # None: the table's chip


class Range(Struct, frozen=True):
    """The amounts allowed for a wager under all limits."""

    least: Cents
    most: Cents | None
    alone: Cents
    multiple: Cents

    def words(self, least: Cents) -> str:
        """The range in words."""
        upper = f" to {dollars(self.most)}" if self.most is not None else " upwards"
        return f"{dollars(least)}{upper}, in multiples of {dollars(self.multiple)}"


class PostedLimits:
    """The range of every wager at one table.

    >>> from feltworks.catalog import game
    >>> limits = PostedLimits(game("fu-bacc", limit=50_000).terms, {"ante": WagerLimit(500)}, chip=100)
    >>> limits.ranges["ante"].words(500)
    '$5 to $250, in multiples of $1'
    """

    def __init__(
        self, terms: Terms, posted: Mapping[str, WagerLimit] | None = None, *, chip: Cents | None = None
    ) -> None:
        self._main = frozenset(name for name, entry in terms.rulebook.wager.items() if entry.kind == "main")
        self.chip = terms.breakage.chip if chip is None else chip
        self.posted = dict(posted or {})
        offered = [name for name in terms.rulebook.wager if name in terms.offers]
        for name in self.posted:
            if name not in offered:
                raise UnknownName("wager to post limits for", name, offered, of=terms.rulebook.title)
        self.ranges = {name: _range(terms, name, self.posted.get(name, WagerLimit()), self.chip) for name in offered}

    def check(self, wagers: Mapping[str, Cents], tokes: Mapping[str, Cents]) -> None:
        """Refuse amounts outside the posted limits; assumes that the rules were checked."""
        alone = self._main.isdisjoint(wagers)
        for name, cents in wagers.items():
            span = self.ranges[name]
            least = span.alone if alone else span.least
            if cents < least or _is_outside(span, cents):
                raise WagerRefused(name, cents, f"this table takes {span.words(least)}")
        for name, cents in tokes.items():  # a toke may be smaller than a player's wager, never larger
            if _is_outside(span := self.ranges[name], cents):
                raise WagerRefused(f"{name} toke", cents, f"this table takes {span.words(span.multiple)}")


def _is_outside(span: Range, cents: Cents) -> bool:
    return (span.most is not None and cents > span.most) or cents % span.multiple != 0


def _range(terms: Terms, name: str, posted: WagerLimit, chip: Cents) -> Range:
    """WA.1: a posted maximum never exceeds the legal one of a wager and its derived wagers."""
    entry = terms.rulebook.wager[name]
    multiple = chip if posted.multiple is None else posted.multiple
    for amount in (multiple, posted.minimum, posted.maximum, posted.alone):
        if amount is not None and (type(amount) is not int or amount <= 0):
            raise BadOption(f"posted {name}", amount, "positive whole numbers of cents")
    if entry.fixed:
        return _fixed_range(name, entry.least, posted)
    least = _round_up(max(posted.minimum or 1, entry.least), multiple)
    alone = _round_up(max(posted.alone or 1, least), multiple)
    ceilings = [most for most in (posted.maximum, most_allowed(terms, name)) if most is not None]
    most = min(ceilings) // multiple * multiple if ceilings else None
    if most is not None and most < least:
        raise BadOption(f"posted {name}", dollars(least), f"a minimum up to its maximum of {dollars(most)}")
    return Range(least, most, alone, multiple)


def _fixed_range(name: str, cents: Cents, posted: WagerLimit) -> Range:
    """SP.13, SP.21: a wager of a fixed amount has no other limit."""
    for amount in (posted.minimum, posted.maximum, posted.alone):
        if amount not in (None, cents):
            raise BadOption(f"posted {name}", amount, f"exactly {dollars(cents)}")
    return Range(cents, cents, cents, cents)


def _round_up(cents: Cents, multiple: Cents) -> Cents:
    return -(-cents // multiple) * multiple
