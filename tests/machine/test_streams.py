"""Random streams: the same wherever they are drawn, and through the kernels' own dealing as chance deals."""

from itertools import islice, permutations
from math import perm
from typing import Any

import numpy as np
import pytest
import scipy  # its parts are loaded when they are asked for, not by every process that collects
from numpy.random import SFC64, SeedSequence
from numpy.typing import NDArray

from feltworks.cards import DECK
from feltworks.dealing.statistics import DealtRound, check_deal
from feltworks.machine.compiler import compile_loop, deal, surplus, word
from feltworks.machine.streams import BATCH, Handle, Stream
from feltworks.simulation.plan import Plan
from feltworks.simulation.raw_deal import raw_bits
from feltworks.simulation.rounds.kernel import kernel_for
from tests.simulation.rounds import deal_rounds

LEVEL = 1e-4  # seeds are fixed: a test that passes once passes always


@compile_loop
def _deal(stream: Handle, cards: Any, count: int, dealt: Any) -> None:
    for number in range(len(dealt)):
        deal(stream, cards, 0, count)
        dealt[number] = cards[:count]


@compile_loop
def _deal_batches(stream: Handle, cards: Any, begin: int, dealt: Any) -> None:
    batch = dealt.shape[1]
    for number in range(len(dealt)):
        deal(stream, cards, begin, batch)
        dealt[number] = cards[begin : begin + batch]


@compile_loop
def _fill(stream: Handle, words: Any) -> None:
    for number in range(len(words)):
        words[number] = word(stream)


def test_a_kernel_draws_the_words_of_numpys_generator() -> None:
    numpys, words = SFC64(SeedSequence(5, spawn_key=(3,))), np.zeros(50, np.uint64)
    _fill(Stream(5, 3).handle, words)
    assert words.tolist() == numpys.random_raw(50).tolist()


def test_blocks_and_seeds_have_streams_of_their_own() -> None:
    firsts = {Stream(seed, block).word() for seed in range(40) for block in range(40)}
    assert len(firsts) == 1600


def test_cards_dealt_by_one_word_are_the_digits_of_one_number() -> None:
    cards, dealt = np.arange(52, dtype=np.uint8), np.zeros((1, 6), np.uint8)
    stream, twin = Stream(4, 4), Stream(4, 4)
    _deal(stream.handle, cards, 6, dealt)
    value, deck = 0, list(range(52))
    for place, card in enumerate(dealt[0].tolist()):
        there = deck.index(card, place)
        value = value * (52 - place) + there - place
        deck[place], deck[there] = deck[there], deck[place]
    assert value == twin.word() * perm(52, 6) >> 64
    assert int(surplus(np.uint64(perm(52, 6)))) == 2**64 % perm(52, 6)


@pytest.mark.parametrize("size", [4, 5])
def test_every_order_of_a_small_deck_is_equally_likely(size: int) -> None:
    cards, dealt = np.arange(size, dtype=np.uint8), np.zeros((120_000, size), np.uint8)
    stream = Stream(2, size)
    _deal(stream.handle, cards, size, dealt)
    orders = {order: place for place, order in enumerate(permutations(range(size)))}
    counted = np.bincount([orders[tuple(row)] for row in dealt.tolist()], minlength=len(orders))
    assert scipy.stats.chisquare(counted).pvalue > LEVEL


@pytest.mark.parametrize("batch", [3, 5, BATCH])
def test_a_batch_is_dealt_from_all_that_lie_behind(batch: int) -> None:
    cards, dealt = np.arange(10, dtype=np.uint8), np.zeros((150_000, batch), np.uint8)
    stream = Stream(3, 1)
    _deal_batches(stream.handle, cards, 2, dealt)
    assert set(np.unique(dealt)) == set(range(2, 10))
    assert cards[:2].tolist() == [0, 1]
    assert cards[2 : 2 + batch].tolist() == dealt[-1].tolist()
    for place in range(batch):
        assert _even(dealt[:, place] - 2, 8) > LEVEL
    firsts = dealt[:, 0].astype(int) * 10 + dealt[:, -1]
    assert scipy.stats.chisquare(np.unique(firsts, return_counts=True)[1]).pvalue > LEVEL


def _even(values: NDArray[Any], kinds: int) -> float:
    return float(scipy.stats.chisquare(np.bincount(values, minlength=kinds)).pvalue)


@pytest.mark.parametrize("seats", [1, 3])
def test_cards_of_simulated_rounds_pass_the_tests_of_a_live_deal(seats: int) -> None:
    plan = Plan("fu-bacc", ({"ante": 100},) * seats)  # all six cards of a round come from one word
    dealt = deal_rounds(kernel_for(plan), Stream(2026, 0), 14_000)
    numbered = ((number, each.cards) for number, each in enumerate(dealt))
    found = check_deal(lambda: _next(numbered), plan.table.terms.shoe, rounds=14_000)
    assert found.passed, str(found)


def _next(numbered: Any) -> DealtRound:
    number, cards = next(numbered)
    return DealtRound(number, True, cards)


def test_each_position_of_a_large_sample_holds_every_card_equally_often() -> None:
    cards, dealt = np.arange(len(DECK), dtype=np.uint8), np.zeros((1_000_000, 6), np.uint8)
    stream = Stream(8, 8)
    _deal_batches(stream.handle, cards, 0, dealt)
    for place in range(6):
        assert _even(dealt[:, place], len(DECK)) > LEVEL


def test_bits_of_the_deal_are_bits_of_chance() -> None:
    some = np.frombuffer(b"".join(islice(raw_bits(4), 8)), np.uint8)
    assert _even(some, 256) > LEVEL
    ones = int(np.unpackbits(some).sum())
    assert scipy.stats.binomtest(ones, 8 * len(some)).pvalue > LEVEL
    pairs = some[:-1].astype(np.int64) * 256 + some[1:]
    assert _even(pairs, 65_536) > LEVEL
