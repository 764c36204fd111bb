"""What an outcome pays: odds, a fixed amount from the tray, or a share of a posted meter."""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from feltworks.money import Breakage, Cents, Odds, dollars, parse_dollars

_SHARE = re.compile(r"(\d+)/(\d+) of (\w+)")
_REST = re.compile(r"rest of (\w+)")
_COMMISSION = re.compile(r"(.+) less (\d{1,2}(?:\.\d{1,3})?)%")


class Fixed(Struct, frozen=True):
    """An amount from the tray, whatever was wagered (SP.13)."""

    cents: Cents

    def __str__(self) -> str:
        return dollars(self.cents)


class Share(Struct, frozen=True):
    """A fraction of a meter, rounded down to the cent (SP.14)."""

    part: Fraction
    meter: str

    def __str__(self) -> str:
        return f"{'all' if self.part == 1 else self.part} of the {self.meter}"


class Rest(Struct, frozen=True):
    """What the shares of this round leave on a meter (SP.14)."""

    meter: str

    def __str__(self) -> str:
        return f"the rest of the {self.meter}"


Pay = Odds | Fixed | Share | Rest


@lru_cache(maxsize=1 << 10)
def parse_pay(text: str) -> Pay:
    """Read a pay as rulebooks write it.

    >>> [str(parse_pay(text)) for text in ("3 to 2", "$150", "1/4 of jackpot", "rest of jackpot")]
    ['3 to 2', '$150', '1/4 of the jackpot', 'the rest of the jackpot']
    >>> str(parse_pay("1/1 of jackpot"))
    'all of the jackpot'
    >>> str(parse_pay("1 to 1 less 5%"))  # a commission on what is won
    '19 to 20'
    """
    if text.startswith("$"):
        return Fixed(parse_dollars(text))
    if (share := _SHARE.fullmatch(text)) and int(share[2]):
        return Share(Fraction(int(share[1]), int(share[2])), share[3])
    if rest := _REST.fullmatch(text):
        return Rest(rest[1])
    if commission := _COMMISSION.fullmatch(text):
        return _less_commission(Odds.parse(commission[1]), Fraction(commission[2]) / 100)
    return Odds.parse(text)


def _less_commission(odds: Odds, part: Fraction) -> Odds:
    """Odds less the house's commission; a loss pays none."""
    if odds.win <= 0:
        raise ValueError("a commission is taken from a win; write it like '1 to 1 less 5%'")
    return Odds.of(odds.exact * (1 - part))


class Price(Struct, frozen=True):
    """A pay with its words and, if nothing has to be rounded, its multiple of the wager."""

    pay: Pay
    said: str
    times: int | None


def price(pay: Pay, breakage: Breakage) -> Price:
    """The price of a pay in a house with this breakage.

    >>> price(Odds(3, 2), Breakage()).said, price(Odds(-1, 1), Breakage()).said
    ('pays 3 to 2', 'lose')
    """
    if not isinstance(pay, Odds):
        return Price(pay, f"pays {pay}", None)
    words = str(pay) if pay.win <= 0 else f"pays {pay}"
    return Price(pay, words, pay.times(breakage))


class Award(Struct, frozen=True):
    """A prize that is not odds: its amount, the source of the money, and its share of the meter."""

    cents: Cents
    source: str
    share: Fraction | None = None


def meters_of(pays: Iterable[Pay]) -> frozenset[str]:
    """The meters that these pays come from."""
    return frozenset(pay.meter for pay in pays if isinstance(pay, Share | Rest))
