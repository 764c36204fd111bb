"""The first three cards of a spot: which hand they begin, and how the wagers they decide come out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import perm

import numpy as np
from msgspec import Struct

from feltworks.analysis.first_deal import FirstDeal
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.shoe_game.bonus_rounds import Begun
from feltworks.analysis.shoe_game.dealer_busts import Seen
from feltworks.analysis.shoe_game.dealers_hand import Counts, by_value
from feltworks.analysis.shoe_game.numbers import Array
from feltworks.analysis.shoe_game.rounds import Deals
from feltworks.analysis.shoe_game.solver import ShoeGame
from feltworks.analysis.situations import Situation
from feltworks.cards import Card, Suit
from feltworks.hands.blackjack import points
from feltworks.machine.walk import Settled
from feltworks.rules.round import face_up

Hand = tuple[int, int, Seen | None]  # row, up card, and what the suits say where that is asked


class FirstCards(Struct, frozen=True):
    """In how many ways first two cards, up card and the others' results come: as hands, and pairs of them."""

    hands: Counter[tuple[Hand, Settled]]
    pairs: Counter[tuple[Hand, Settled]]

    @property
    def kinds(self) -> list[Settled]:
        return sorted({kind for _, kind in self.hands})


def first_cards(
    question: Question, answer: Answer, table: ShoeGame, decided: Sequence[str], *, suits: bool
) -> FirstCards:
    """All of them, the wagers that ask before the up card being answered as the answer plays them."""
    found = FirstCards(Counter(), Counter())
    spot = FirstDeal(table.game, {name: question.stakes[name] for name in decided}, table.shoe)
    first_two = perm(spot.shoe.total, 2)
    by_suit: dict[Suit | None, Counts] = {suit: by_value(table.shoe, suit) for suit in Suit}
    for situation, choice in _choices(question, answer, spot):
        seat = spot.played(situation.shown)[choice]
        one, two = face_up(seat.cards)
        values = tuple(sorted((points(one) - 1, points(two) - 1)))
        row, ways = table.hands.row(*values), int(situation.probability * first_two)
        is_pair = _is_pair(table, one, two)
        for up_card, count in spot.drawable((one, two)):
            settled = spot.settled(seat, dict(spot.outcomes((one, two), up_card)))
            alike = tuple(sorted(points(face) - 1 for face in (one, two) if face.suit is up_card.suit))
            seen = Seen(values, alike, by_suit[up_card.suit]) if suits else None
            key = (row, points(up_card) - 1, seen), settled
            found.hands[key] += ways * count
            if is_pair:
                found.pairs[key] += ways * count
    return found


def _choices(question: Question, answer: Answer, spot: FirstDeal) -> Iterator[tuple[Situation, str]]:
    """The first two cards and what is answered to the wagers that ask there, as the answer plays them."""
    if answer.situations and answer.situations[0].shown.seats[0].cards:
        yield from zip(answer.situations, answer.choices, strict=True)
        return
    for situation in spot.situations():
        yield situation, situation.best(question.serving)


def _is_pair(table: ShoeGame, first: Card, second: Card) -> bool:
    """Whether these two make a pair that may be split."""
    return any({first, second} <= kind for kind in table.rules.kinds[points(first) - 1])


def deals_of(first: FirstCards, table: ShoeGame) -> Deals:
    """By hand and pair, for a round to begin with."""
    place = {kind: index for index, kind in enumerate(first.kinds)}
    hands = np.zeros((*table.deals.shape, len(place)), np.int64)
    values = np.zeros_like(hands)
    for ways, counted in ((hands, first.hands), (values, first.pairs)):
        for ((row, up, _), kind), number in counted.items():
            ways[row, up, place[kind]] = number
    pairs, whole = table.pairs, table.numbers.whole
    every = whole(np.full(1, hands.sum()))
    of_value = table.numbers.ratio(whole(values[table.pair_rows(), pairs.up]), every)
    return Deals(table.numbers.ratio(whole(hands), every), of_value * _shares(table)[:, None])


def _shares(table: ShoeGame) -> Array:
    """The part each kind of pair has in the pairs of its value against an up card."""
    pairs = table.pairs
    every = table.numbers.zeros(10, table.deals.shape[1])
    np.add.at(every, (pairs.value, pairs.up), pairs.likely)
    return pairs.likely / every[pairs.value, pairs.up]


def begun_of(first: FirstCards, table: ShoeGame) -> list[Begun]:
    """By hand and what its suits say, for a round with a bonus wager on the dealer's hand to begin with."""
    place = {kind: index for index, kind in enumerate(first.kinds)}
    every, whole = np.full(1, first.hands.total()), table.numbers.whole
    found: dict[Hand, Array] = {}
    for number, counted in enumerate((first.hands, first.pairs)):
        for (hand, kind), ways in counted.items():
            found.setdefault(hand, np.zeros((2, len(place)), np.int64))[number, place[kind]] = ways
    return [Begun(*hand, *table.numbers.ratio(whole(ways), whole(every))) for hand, ways in found.items()]


def all_begun(table: ShoeGame) -> list[Begun]:
    """The same where no other wager is there: every hand and up card, of one kind."""
    pairs = table.numbers.zeros(*table.deals.shape)
    np.add.at(pairs, (table.pair_rows(), table.pairs.up), table.pairs.likely)
    rows, ups = np.nonzero(table.deals)
    return [
        Begun(row, up, None, table.deals[row, up : up + 1], pairs[row, up : up + 1])
        for row, up in zip(rows.tolist(), ups.tolist(), strict=True)
    ]
