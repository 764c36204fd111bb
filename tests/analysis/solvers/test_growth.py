"""What a progressive returns by its jackpot, how rarely it hits, and how it grows."""

from fractions import Fraction
from math import comb

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.solvers.progressive import JACKPOTS, POLICIES, ROUNDS, Outlook, Progressive, outlook
from feltworks.cards import cards
from feltworks.errors import BadOption, ImpossibleRound

HANDS = comb(41, 5)


def gran() -> Progressive:
    return Progressive(catalog.game("spanish-poker"))


@pytest.fixture(scope="module")
def alone() -> Outlook:
    return outlook(gran())


@pytest.mark.clause("SP.13", "SP.14")
@pytest.mark.parametrize("seats", [1, 2, 6])
def test_the_return_is_a_constant_and_so_much_for_every_cent(seats: int) -> None:
    progressive = gran()
    seen = outlook(progressive, seats)
    for cents in JACKPOTS:
        assert seen.expected_return(cents) == progressive.expected_return(cents, seats)


@pytest.mark.clause("SP.14")
def test_more_seats_share_and_never_return_more() -> None:
    shares = [outlook(gran(), seats).per_cent for seats in (1, 2, 3)]
    assert shares[0] > shares[1] > shares[2]


@pytest.mark.clause("SP.13")
def test_every_award_comes_as_rarely_as_its_hands(alone: Outlook) -> None:
    hands = {"cincos": 10, "royal flush": 24, "straight flush": 100, "four of a kind": 1800, "flush": 1724}
    assert alone.rounds_between == {award: Fraction(HANDS, count) for award, count in hands.items()}
    assert alone.rounds_at_table == {award: alone.rounds_between[award] for award in ("royal flush", "cincos")}


@pytest.mark.clause("SP.16", "SP.17")
def test_both_ways_of_recovering_the_seed_end_alike(alone: Outlook) -> None:
    first, shared = (dict(alone.funds(part)) for part in POLICIES.values())
    assert first[500].recovered > shared[500].recovered
    assert first[500].primary < shared[500].primary
    assert first[ROUNDS[-1]] == shared[ROUNDS[-1]]
    for rounds, fund in first.items():
        lying = fund.primary + fund.backup + fund.second_backup + fund.recovered
        assert lying == 50_000 + alone.grows.addition * rounds


def test_seats_belong_to_a_jackpot_and_to_the_table() -> None:
    table = catalog.game("spanish-poker", options={"offers": ["ante", "gran-progressive"]})
    for wager, seats, words in (("ante", 2, "wins from a jackpot"), ("gran-progressive", 7, "1 to 6")):
        with pytest.raises(BadOption, match=words):
            analyze(Question(table, wager, seats=seats))
    with pytest.raises(ImpossibleRound, match="takes 35 cards"):
        analyze(Question(table, "gran-progressive", seats=6, exposed=cards("2c 2d 2h 2s 3c 3d 3h")))
