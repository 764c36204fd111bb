"""Which cards decide a wager, for its outcomes to be counted in equally likely ways."""

from math import comb

from msgspec import Struct


class Deal(Struct, frozen=True):
    """So many cards after so many, without order within a group.

    >>> Deal((2, 1), "two cards, without order, and a third").ways(52)
    66300
    """

    groups: tuple[int, ...]
    words: str  # what one of the ways is

    def ways(self, cards: int) -> int:
        """In how many equally likely ways so many cards give them."""
        total = 1
        for size in self.groups:
            total *= comb(cards, size)
            cards -= size
        return total
