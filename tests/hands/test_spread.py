"""Spreads between two cards, the ace high."""

from itertools import product

import pytest

from feltworks.cards import RANKS, Rank, card
from feltworks.hands.spread import is_between, spread


def ranked(letter: str) -> Rank:
    return card(letter + "c").rank


@pytest.mark.clause("AD.3", "AD.9", "AD.11")
@pytest.mark.parametrize(
    ("first", "second", "ranks"),
    [
        ("5", "7", 1),
        ("5", "8", 2),
        ("5", "9", 3),
        ("2", "A", 11),
        ("A", "2", 11),
        ("K", "A", 0),
        ("7", "8", 0),
    ],
)
def test_the_ranks_strictly_between(first: str, second: str, ranks: int) -> None:
    assert spread(ranked(first), ranked(second)) == ranks


@pytest.mark.clause("AD.9", "AD.11")
@pytest.mark.parametrize(("first", "second"), list(product(RANKS, RANKS)))
def test_a_spread_is_as_wide_as_the_ranks_that_fall_into_it(first: str, second: str) -> None:
    one, other = ranked(first), ranked(second)
    inside = sum(is_between(ranked(rank), one, other) for rank in RANKS)
    assert inside == (spread(one, other) if first != second else 0)


def test_a_pair_has_no_spread() -> None:
    assert spread(Rank.SEVEN, Rank.SEVEN) == -1
