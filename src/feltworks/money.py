"""Money: whole cents, odds as exact ratios, and the only rounding in the system (M.1)."""

import re
from fractions import Fraction
from typing import Final

from msgspec import Struct

Cents = int
MOST_CENTS: Final = 10**13  # a hundred billion dollars; sums of such amounts stay printable

_DOLLARS = re.compile(r"\$(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d\d))?")
_ODDS = re.compile(r"(\d+)\s*(?:to|:)\s*(\d+)")
_WORDS = {"push": (0, 1), "lose": (-1, 1), "lose half": (-1, 2)}
_WORD_OF = {odds: word for word, odds in _WORDS.items()}


def dollars(cents: Cents, *, signed: bool = False) -> str:
    """Format cents for people.

    >>> dollars(750), dollars(-50000), dollars(15000000), dollars(500, signed=True)
    ('$7.50', '−$500', '$150,000', '+$5')
    """
    whole, rest = divmod(abs(cents), 100)
    sign = "−" if cents < 0 else "+" if signed and cents else ""
    return f"{sign}${whole:,}" + (f".{rest:02d}" if rest else "")


def signed_dollars(cents: Cents) -> str:
    """Money won or lost, with its sign and cents.

    >>> signed_dollars(1000), signed_dollars(-550), signed_dollars(0)
    ('+$10.00', '−$5.50', '$0.00')
    """
    sign = "−" if cents < 0 else "+" if cents else ""
    return f"{sign}{full_dollars(abs(cents))}"


def full_dollars(cents: Cents) -> str:
    """An amount with its cents.

    >>> full_dollars(123450)
    '$1,234.50'
    """
    return f"${cents // 100:,}.{cents % 100:02d}"


def parse_dollars(text: str) -> Cents:
    """Read an amount such as "$150" or "$7.50".

    >>> parse_dollars("$1,500"), parse_dollars("$7.50")
    (150000, 750)
    """
    match = _DOLLARS.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is not an amount; write it like $150 or $7.50")
    return int(match[1].replace(",", "")) * 100 + int(match[2] or 0)


class Breakage(Struct, frozen=True):
    """The rounding of payments that do not come out even (M.1).

    A house that pays in whole chips sets `chip` to its smallest one; `favours_player` sets the direction.
    """

    chip: Cents = 1
    favours_player: bool = False

    def round(self, numerator: int, denominator: int) -> Cents:
        """Round the player's amount, numerator/denominator cents, to whole chips.

        >>> Breakage(chip=100).round(1500, 2), Breakage(chip=100, favours_player=True).round(1500, 2)
        (700, 800)
        """
        chips, left_over = divmod(numerator, denominator * self.chip)
        if left_over and self.favours_player:
            chips += 1
        return chips * self.chip


EXACT_CENTS = Breakage()


class Odds(Struct, frozen=True):
    """The win of a wager per unit: `Odds(3, 2)` is "3 to 2", `Odds(-1, 2)` loses half."""

    win: int
    per: int = 1

    @classmethod
    def parse(cls, text: str) -> "Odds":
        """Read odds as written in rulebooks.

        >>> Odds.parse("3 to 2"), Odds.parse("6:5"), Odds.parse("lose half")
        (Odds(win=3, per=2), Odds(win=6, per=5), Odds(win=-1, per=2))
        """
        if text in _WORDS:
            return cls(*_WORDS[text])
        match = _ODDS.fullmatch(text)
        if not match or not int(match[2]):
            raise ValueError(f"{text!r} are no odds; write '3 to 2', '1 to 1 less 5%', 'push', 'lose' or 'lose half'")
        return cls(int(match[1]), int(match[2]))

    def on(self, wager: Cents, breakage: Breakage = EXACT_CENTS) -> Cents:
        """The player's net on this wager: the win, or the loss as a negative amount.

        >>> Odds(3, 2).on(500), Odds(-1, 2).on(5), Odds(-1, 1).on(500)
        (750, -3, -500)
        """
        if (times := self.times(breakage)) is not None:
            return wager * times
        if self.win >= 0:
            return breakage.round(wager * self.win, self.per)
        return breakage.round(wager * (self.per + self.win), self.per) - wager

    def times(self, breakage: Breakage) -> int | None:
        """The multiple of the wager if no wager needs rounding, otherwise None.

        >>> Odds(3, 1).times(EXACT_CENTS), Odds(3, 2).times(EXACT_CENTS), Odds(3, 1).times(Breakage(chip=500))
        (3, None, None)
        """
        return self.win if self.per == 1 and (breakage.chip == 1 or self.win <= 0) else None

    def __add__(self, other: "Odds") -> "Odds":
        """The sum of two odds on one wager.

        >>> str(Odds(-1) + Odds(1)), str(Odds(1) + Odds(3, 2))
        ('push', '5 to 2')
        """
        return Odds.of(self.exact + other.exact)

    @classmethod
    def of(cls, exact: Fraction) -> "Odds":
        """The odds with this win per unit."""
        return cls(exact.numerator, exact.denominator)

    @property
    def exact(self) -> Fraction:
        """The win per unit as an exact fraction."""
        return Fraction(self.win, self.per)

    def __str__(self) -> str:
        return _WORD_OF.get((self.win, self.per)) or f"{self.win} to {self.per}"
