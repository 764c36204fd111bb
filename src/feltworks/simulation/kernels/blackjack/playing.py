"""How hands are played, as a machine of states: what is chosen in each, and which follows with which card.

A chart needs few states: a total, hard or soft, of two cards or more, of a split hand or not. Best play
by exact cards has a state for every hand. Both honour what the table allows (BJ.1, BJ.4).
"""

from itertools import product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.analysis.shoe_game.analysis import TableAnalysis
from feltworks.analysis.shoe_game.chart import Codes
from feltworks.analysis.shoe_game.hands import Hands
from feltworks.analysis.shoe_game.rules import table_rules
from feltworks.cards import Card, card
from feltworks.games.blackjack import Blackjack
from feltworks.hands.spot import SpotHand, SpotRules
from feltworks.simulation.kernels.blackjack import places as p

_VALUES = range(1, 11)
_KEYS = 64  # a low total, and 32 more where an ace is there
_FIRST, _SPLIT, _SPLIT_ACES, _LATER = (_KEYS * phase for phase in range(4))
_PAIRS = 4 * _KEYS
_STATES = _PAIRS + p.ROW


class Playing(Struct, frozen=True):
    """The machine: arrays by state; `chosen` and `splits` last by up card, the ace being 1."""

    codes: NDArray[np.uint8]  # what the hand is when it is left in this state
    follows: NDArray[np.uint16]  # by value of the card
    opened: NDArray[np.uint16]  # by the values of the first two cards
    resumed: NDArray[np.uint16]  # by the value of the split card and of the next
    chosen: NDArray[np.uint8]
    splits: NDArray[np.uint8]  # by the value of a pair: into how many hands at most


def face(value: int, suit: str = "h") -> Card:
    """A card that stands for all of its value."""
    return card(f"{'A23456789T'[value - 1]}{suit}")


def chart_playing(game: Blackjack, codes: Codes) -> Playing:
    """The machine of a chart."""
    chosen = np.full((_STATES, p.ROW), p.FINISHED, np.uint8)
    for first, second in product(_VALUES, _VALUES):
        key, pair = _key(first, second), (face(first), face(second, "d"))
        unsplit = game.spot_rules.hand(pair)
        chosen[_FIRST + key, 1:11] = _lines(game, unsplit, codes)
        split = game.spot_rules.hand(pair, is_split=True)
        chosen[(_SPLIT_ACES if first == 1 else _SPLIT) + key, 1:11] = _lines(game, split, codes)
        if first == second:
            chosen[_PAIRS + first, 1:11] = _lines(game, unsplit, codes, pair=first)
    for key in range(_KEYS):
        held, soft = _points(key), int(_is_soft(key))
        if held < 21 or (held == 21 and not game.spot_rules.stands_on_21):
            chosen[_LATER + key, 1:11] = codes.later[soft, held]
    splits = np.zeros((11, p.ROW), np.uint8)
    for value in _VALUES:
        wanted = codes.pair[value - 1] == p.SPLIT
        splits[value, 1:11] = np.where(wanted, table_rules(game).most_hands[value - 1], 0)
    return Playing(_chart_codes(), _chart_follows(), _chart_opened(), _chart_resumed(), chosen, splits)


def _lines(game: Blackjack, hand: SpotHand, codes: Codes, pair: int = 0) -> list[int]:
    """What a chart does with two cards against every up card; a choice that is not open gives way."""
    said, later = codes.first[int(hand.soft), hand.points], codes.later[int(hand.soft), hand.points]
    # Where only equal ranks are pairs, ten-value cards that are not split are played as 20.
    if pair and (pair < 10 or game.spot_rules.splits_on_value):
        of_pair = codes.pair[pair - 1]
        said = np.where((of_pair < 0) | (of_pair == p.SPLIT), said, of_pair)
    return [_open(game, hand, int(one), int(other)) for one, other in zip(said, later, strict=True)]


def _open(game: Blackjack, hand: SpotHand, said: int, later: int) -> int:
    rules = game.spot_rules
    if rules.is_finished(hand, rules.max_hands):
        return p.FINISHED
    if said == p.DOUBLE and rules.may_double(hand):
        return said
    if said == p.SURRENDER and game.surrenders and not hand.is_split:
        return said
    act = later if said > p.HIT else said
    return p.STAND if act == p.HIT and not rules.may_hit(hand) else act


def _key(*values: int) -> int:
    return sum(values) + (p.ACE if 1 in values else 0)


def _is_soft(key: int) -> bool:
    return key >= p.ACE and key % p.ACE <= 11


def _points(key: int) -> int:
    return key % p.ACE + 10 * _is_soft(key)


def _chart_codes() -> NDArray[np.uint8]:
    codes = np.array([_points(state % _KEYS) for state in range(_STATES)], np.uint8)
    codes[_FIRST + _key(1, 10)] = p.NATURAL
    codes[_PAIRS + 1 : _PAIRS + 11] = [_points(_key(value, value)) for value in _VALUES]
    return codes


def _chart_follows() -> NDArray[np.uint16]:
    follows = np.zeros((_STATES, p.ROW), np.uint16)
    for state, value in product(range(_STATES), _VALUES):
        pair = state - _PAIRS
        key = state % _KEYS if pair < 0 else _key(pair, pair)
        low = min(key % p.ACE + value, p.ACE - 1)
        follows[state, value] = _LATER + low + (p.ACE if value == 1 or key >= p.ACE else 0)
    return follows


def _chart_opened() -> NDArray[np.uint16]:
    opened = np.zeros((11, p.ROW), np.uint16)
    for first, second in product(_VALUES, _VALUES):
        opened[first, second] = _PAIRS + first if first == second else _FIRST + _key(first, second)
    return opened


def _chart_resumed() -> NDArray[np.uint16]:
    resumed = np.zeros((11, p.ROW), np.uint16)
    for first, second in product(_VALUES, _VALUES):
        resumed[first, second] = (_SPLIT_ACES if first == 1 else _SPLIT) + _key(first, second)
    return resumed


def best_playing(analysis: TableAnalysis) -> Playing:
    """The machine of the best play by exact cards: a state for every hand, one for every total over 21."""
    table, plan = analysis.table, analysis.plan
    unsplit, split = table.hands, table.split_hands
    begins, over = len(unsplit.low), len(unsplit.low) + len(split.low)
    acts = np.where(plan.surrenders, p.SURRENDER, plan.acts)
    chosen = np.full((over + 10, p.ROW), p.FINISHED, np.uint8)
    for hands, done, begin in ((unsplit, acts, 0), (split, plan.split_acts, begins)):
        asked = _asked(table.game.spot_rules, hands)
        chosen[begin : begin + len(asked), 1:11] = np.where(asked[:, None], done, p.FINISHED)
    codes = np.concatenate([unsplit.total, split.total, np.arange(22, 32)]).astype(np.uint8)
    codes[: len(table.is_natural)][table.is_natural] = p.NATURAL
    follows = np.concatenate(
        [_follows(unsplit, 0, over), _follows(split, begins, over), np.zeros((10, p.ROW))]
    )
    return Playing(
        codes, follows.astype(np.uint16), _rows(unsplit, 0), _rows(split, begins), chosen, _splits(analysis)
    )


def _asked(rules: SpotRules, hands: Hands) -> NDArray[np.bool_]:
    """Which hands are asked at all."""
    asked: NDArray[np.bool_] = hands.total < (21 if rules.stands_on_21 else 22)
    for row in np.flatnonzero(hands.size == 2):
        values = np.repeat(np.arange(1, 11), hands.held[row]).tolist()
        origin = int(hands.origin[row]) + 1
        if origin:
            values.remove(origin)
            values.insert(0, origin)
        hand = rules.hand((face(values[0]), face(values[1], "d")), is_split=origin > 0)
        asked[row] = not rules.is_finished(hand, rules.max_hands)
    return asked


def _follows(hands: Hands, begin: int, over: int) -> NDArray[np.int64]:
    """The state that each card leads to: another hand, or a total over 21."""
    follows = np.zeros((len(hands.low), p.ROW), np.int64)
    beyond = over + np.maximum(hands.low[:, None] + np.arange(1, 11) - 22, 0)
    follows[:, 1:11] = np.where(hands.after >= 0, hands.after + begin, beyond)
    return follows


def _rows(hands: Hands, begin: int) -> NDArray[np.uint16]:
    """The states of hands of two cards: for split hands the card of the pair comes first."""
    rows = np.zeros((11, p.ROW), np.uint16)
    for row in np.flatnonzero(hands.size == 2):
        held = np.repeat(np.arange(1, 11), hands.held[row]).tolist()
        origin = int(hands.origin[row]) + 1
        for first, second in (held, held[::-1]):
            if origin in (0, first):
                rows[first, second] = begin + row
    return rows


def _splits(analysis: TableAnalysis) -> NDArray[np.uint8]:
    """Into how many hands pairs are split; the likeliest kind of a pair speaks for its value."""
    splits, plan, pairs = np.zeros((11, p.ROW), np.uint8), analysis.plan, analysis.table.pairs
    for row in np.argsort(pairs.likely) if len(plan.hands) else ():
        splits[pairs.value[row] + 1, pairs.up[row] + 1] = plan.hands[row]
    return splits
