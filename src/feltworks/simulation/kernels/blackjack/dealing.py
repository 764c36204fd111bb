"""A round as the compiled code has left it, told in the rules' own words."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from feltworks.analysis.shoe_game.chart import CHOICES
from feltworks.cards import Card
from feltworks.hands.blackjack import ACES
from feltworks.rules.round import Choice
from feltworks.simulation.kernel import DealtLine, DealtRound
from feltworks.simulation.kernels.blackjack import places as p
from feltworks.simulation.kernels.blackjack.money import MAIN, Purse
from feltworks.simulation.kernels.blackjack.settling import LUCKY_BREAK
from feltworks.simulation.kernels.blackjack.table import TableArrays

Ints = NDArray[np.int64]


def read_round(
    table: TableArrays, cards: tuple[Card, ...], at: Ints, hands: Ints, log: NDArray[np.uint8]
) -> DealtRound:
    """The round that was dealt last."""
    purses = [table.purses[kind][at[p.ROUND_LEVEL]] for kind in table.kinds]
    spots = hands.reshape(-1, p.SPOT)
    said = [Choice(CHOICES[code]) for code in log[: at[p.LOGGED]]]
    lines = [
        line
        for seat, purse in enumerate(purses)
        for line in _lines(table, seat, purse, cards, at, spots[seat])
    ]
    return DealtRound(
        tuple(purse.opened for purse in purses),
        cards,
        (*_first_choices(table, purses, cards, spots), *said),
        tuple(lines),
        fresh=bool(at[p.START] == 0),
    )


def _first_choices(
    table: TableArrays, purses: Sequence[Purse], cards: Sequence[Card], spots: Ints
) -> Iterator[Choice]:
    """AD.7: raises before the up card; BJ.4: insurance under an ace."""
    for seat, kind in enumerate(table.kinds):
        if kind in table.raising:
            follows, cents = purses[seat].raised[table.raising[kind]]
            yield Choice(follows, cents) if spots[seat, p.RAISED] else Choice("check")
    if cards[2 * len(purses) + 1] in ACES and table.game.terms["insurance"]:
        for seat, purse in enumerate(purses):
            if MAIN in purse.opened:
                insured = spots[seat, p.INSURANCE_CELL]
                yield Choice("insure", purse.insured) if insured else Choice("decline")


def _lines(
    table: TableArrays, seat: int, purse: Purse, cards: Sequence[Card], at: Ints, spot: Ints
) -> Iterator[DealtLine]:
    if MAIN in purse.opened:
        yield from _main_lines(table, seat, purse, at, spot)
    spots = len(table.kinds)
    first, second, up_card = cards[seat], cards[spots + seat], cards[2 * spots + 1]
    outcomes = table.made.ups[table.made.three[(first.index * 52 + second.index) * 52 + up_card.index]]
    for wager, outcome in zip(table.made.up_wagers, outcomes, strict=True):
        if wager in purse.opened:
            yield purse.line(seat, wager, outcome, purse.opened[wager])
            follows, cents = purse.raised[wager]
            if follows and spot[p.RAISED]:
                yield purse.line(seat, follows, outcome, cents)
    if LUCKY_BREAK in purse.opened:
        outcome = table.made.breaks[_broken(table, at, spot)]
        yield purse.line(seat, LUCKY_BREAK, outcome, purse.opened[LUCKY_BREAK])


def _main_lines(table: TableArrays, seat: int, purse: Purse, at: Ints, spot: Ints) -> Iterator[DealtLine]:
    over = 0
    for hand in range(spot[p.DEALT]):
        code = int(spot[p.FIRST + hand])
        late = p.CODES if over < hand else 0
        cell = table.book[p.SETTLED + (late + code) * p.DEALERS + at[p.DEALER]]
        over += code % p.DOUBLED > p.HIGHEST
        outcome, wagered, net = purse.hand(int(cell))
        yield DealtLine(seat, MAIN, outcome, wagered, net)
    if won := int(spot[p.INSURANCE_CELL]):
        yield purse.line(seat, "insurance", purse.insurance_outcome(won), purse.insured)


def _broken(table: TableArrays, at: Ints, spot: Ints) -> int:
    """The place of Lucky Break's outcome, as `settled` finds it."""
    codes = [int(code) % p.DOUBLED for code in spot[p.FIRST : p.FIRST + spot[p.DEALT]]]
    within = [int(table.book[p.WITHIN + code]) for code in codes] or [1]
    standing = any(within) + all(within)
    if codes == [p.SURRENDERED]:
        standing = p.SURRENDERED_SPOT
    return int(table.book[p.BROKEN + (standing * p.DEALERS + at[p.DEALER]) * p.SUITED + at[p.LUCKY]])
