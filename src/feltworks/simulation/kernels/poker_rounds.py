"""The rounds of a showdown with a joker, compiled: deal, value, decide, compare, count."""

from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.machine.compiled import compiled, inlined, picked, surplus, word
from feltworks.machine.streams import Handle
from feltworks.simulation.kernels.poker_hands import (
    BY_CARDS,
    EVERY_SUIT,
    JOKER_BIT,
    SPAN,
    VALUE_BITS,
    HandTables,
)
from feltworks.simulation.kernels.poker_settling import (
    BESIDE_ROYALS,
    CINCOS,
    DEALER_BETTER,
    DEALER_WORSE,
    EQUAL,
    NO_RAISE,
    NOT_QUALIFIED,
    RELATIONS,
    ROYAL,
    SHARED,
    Standings,
)

_HAND: Final = 5
_STEP: Final = len(RELATIONS)
_VALUE: Final = (1 << VALUE_BITS) - 1
_CHOOSE: Final = np.array([[comb(n, k) for k in range(_HAND + 1)] for n in range(64)], np.int64)
_1, _2, _3, _4 = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


class Tables(NamedTuple):
    """What a round looks up. (Compiled functions take named tuples and no other records.)"""

    weights: NDArray[np.uint32]  # by card
    suits: NDArray[np.uint32]  # by card
    played: NDArray[np.uint16]  # by a hand's sum: value, play, joker
    by_cards: NDArray[np.uint8]  # by a hand's number: whether it raises
    kinds: NDArray[np.int64]  # by value
    qualifier: int  # the least value the house plays with
    antes: NDArray[np.bool_]  # by seat
    rides: NDArray[np.bool_]  # by seat: whether the progressive wager is made


def value_tables(hands: HandTables, standings: Standings) -> Tables:
    """Tables for hands that only have to be valued."""
    nobody, folds = np.zeros(0, np.bool_), np.zeros(len(hands.classes), np.bool_)
    return Tables(
        hands.weights,
        hands.suits,
        hands.played(folds),
        np.zeros(0, np.uint8),
        standings.kind_of_value,
        standings.qualifier,
        nobody,
        nobody,
    )


@inlined
def _hand(stream: Handle, deck: Any, begin: int, tables: Tables) -> Any:
    """Deal five cards to deck[begin:] from one random word and look up what they are worth."""
    at = np.uint64(begin)
    left: Any = np.uint64(len(deck)) - at
    product = left * (left - _1) * (left - _2) * (left - _3) * (left - _4)
    total, suits = np.uint32(0), np.uint32(EVERY_SUIT)
    while True:
        rest, total, suits = word(stream), np.uint32(0), np.uint32(EVERY_SUIT)
        for place in range(np.uint64(_HAND)):
            number, rest = picked(rest, left - place)
            drawn, here = at + place + np.uint64(number), at + place
            card = deck[drawn]
            deck[drawn] = deck[here]
            deck[here] = card
            total += tables.weights[card]
            suits &= tables.suits[card]
        if rest >= product or rest >= surplus(product):  # a word thrown away leaves the deck as well mixed
            break
    return tables.played[total + np.uint32(SPAN) if suits else total]


@compiled
def _raises(entry: Any, deck: Any, begin: int, tables: Tables) -> Any:
    play = (entry >> VALUE_BITS) & 3
    if play != BY_CARDS:
        return play
    number = 0
    for one in range(begin, begin + _HAND):
        place = 1
        for other in range(begin, begin + _HAND):
            place += deck[other] < deck[one]
        number += _CHOOSE[deck[one], place]
    return tables.by_cards[number]


@inlined
def _relation(mine: int, house: int, qualifier: int) -> Any:
    """SP.8, SP.9: how a raised hand stands against the house's."""
    if house < qualifier:
        return NOT_QUALIFIED
    if house < mine:
        return DEALER_WORSE
    return EQUAL if house == mine else DEALER_BETTER


@compiled
def count_one(stream: Handle, deck: Any, rounds: int, tables: Tables, numbers: Any) -> None:
    """Count the standings of a single seat."""
    ante = tables.antes[0]
    for _ in range(rounds):
        entry = _hand(stream, deck, 0, tables)
        value, relation = entry & _VALUE, NO_RAISE
        if ante and _raises(entry, deck, 0, tables):
            house = _hand(stream, deck, _HAND, tables) & _VALUE
            relation = _relation(value, house, tables.qualifier)
        numbers[(tables.kinds[value] * 2 + (entry >> JOKER_BIT)) * _STEP + relation] += 1


@inlined
def _play(stream: Handle, deck: Any, tables: Tables, values: Any, ends: Any) -> None:
    """One round of all seats: each seat's standing as a code."""
    raised, best = False, CINCOS + ROYAL + 1
    for seat in range(len(ends)):
        entry = _hand(stream, deck, seat * _HAND, tables)
        value = entry & _VALUE
        kind = tables.kinds[value]
        ends[seat] = kind * 2 + (entry >> JOKER_BIT)
        values[seat] = -1
        if tables.antes[seat] and _raises(entry, deck, seat * _HAND, tables):
            values[seat], raised = value, True
        if tables.rides[seat] and kind < best:
            best = kind
    if best == CINCOS:
        _share(ends, tables.rides)
    house = _hand(stream, deck, len(ends) * _HAND, tables) & _VALUE if raised else 0
    for seat in range(len(ends)):
        relation = NO_RAISE if values[seat] < 0 else _relation(values[seat], house, tables.qualifier)
        ends[seat] = ends[seat] * _STEP + relation


@compiled
def _share(ends: Any, rides: Any) -> None:
    """SP.14: beside Cincos royals share; only spots with the progressive wager count."""
    royals = 0
    for seat in range(len(ends)):
        royals += rides[seat] and ends[seat] // 2 == ROYAL
    if not royals:
        return
    for seat in range(len(ends)):
        kind, joker = ends[seat] // 2, ends[seat] % 2
        if rides[seat] and kind == CINCOS:
            ends[seat] = (BESIDE_ROYALS + royals) * 2 + joker
        elif rides[seat] and kind == ROYAL and royals > 1:
            ends[seat] = (SHARED + royals) * 2 + joker


@compiled
def count_rounds(
    stream: Handle,
    deck: Any,
    rounds: int,
    tables: Tables,
    firsts: Any,
    nets: Any,
    numbers: Any,
    sums: Any,
    products: Any,
) -> None:
    """Count the standings of all seats, and sum up what each wager nets in a round."""
    seats, columns = len(firsts), len(sums)
    values, ends, net = np.zeros(seats, np.int64), np.zeros(seats, np.int64), np.zeros(columns, np.int64)
    for _ in range(rounds):
        _play(stream, deck, tables, values, ends)
        net[:] = 0
        for seat in range(seats):
            number = firsts[seat] + ends[seat]
            numbers[number] += 1
            for column in range(columns):
                net[column] += nets[number, column]
        for one in range(columns):
            sums[one] += net[one]
            for two in range(one, columns):
                products[one, two] += net[one] * net[two]


@compiled
def record_rounds(stream: Handle, deck: Any, tables: Tables, firsts: Any, cards: Any, numbers: Any) -> None:
    """The same rounds with the cards that were dealt and where each seat ended."""
    values = np.zeros(len(firsts), np.int64)
    for place in range(len(cards)):
        _play(stream, deck, tables, values, numbers[place])
        cards[place] = deck[: cards.shape[1]]
        numbers[place] += firsts


@compiled
def count_winners(
    stream: Handle, deck: Any, rounds: int, seats: int, tables: Tables, kinds: Any, hits: Any
) -> Any:
    """Count the kinds of all seats' hands, and list the rounds with winners from the jackpot.

    A row of `hits` is a round, its Cincos and its royals; how many rows were written comes back.
    """
    listed = 0
    for number in range(rounds):
        cincos, royals = 0, 0
        for seat in range(seats):
            kind = tables.kinds[_hand(stream, deck, seat * _HAND, tables) & _VALUE]
            kinds[kind] += 1
            cincos += kind == CINCOS
            royals += kind == ROYAL
        if cincos or royals:
            hits[listed, 0], hits[listed, 1], hits[listed, 2] = number, cincos, royals
            listed += 1
    return listed
