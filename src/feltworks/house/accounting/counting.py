"""A box counted twice, denomination by denomination: both counts agree, or it is counted again."""

from feltworks.errors import BadAmount, PostingRefused
from feltworks.house.accounting.acts import Count, Denominations
from feltworks.money import MOST_CENTS, Cents, dollars

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
