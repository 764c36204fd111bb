"""Showdowns of any hands: the seat's and the dealer's may differ in size and have any order that the rules define.

One call of the rules serves all dealer's hands that are equal to them (`spot`). The frequency of each follows from
`subsets`.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.cells import ChoiceResults
from feltworks.analysis.solvers.showdown.counts import UpCard
from feltworks.analysis.solvers.showdown.hands import DealtHands
from feltworks.analysis.solvers.showdown.spot import HandRules, Key, choice_labels, read_path
from feltworks.analysis.strategy.file import Cards
from feltworks.cards import Rank, Shoe
from feltworks.errors import FeltError
from feltworks.hands.poker import BestHand, Ranking
from feltworks.machine.facts import Columns, Facts, alike
from feltworks.machine.walk import Settled
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, SEAT, Choice
from feltworks.rules.wager import Line

if TYPE_CHECKING:
    from feltworks.analysis.solvers.showdown.subsets import Subsets

_MOST_PLACES = 2**15 - 1


class HeldHands(DealtHands):
    """The classes of a seat's hands; values are the rules' hand objects, weakest first if they can be compared."""

    values: tuple[Any, ...]
    value: Ints
    examples: tuple[Cards, ...]


class Duel(HandRules):
    """The results of a seat's hands against the dealer's, and the frequency of each."""

    def __init__(self, game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents], shoe: Shoe) -> None:
        super().__init__(game, wagers, meters, shoe)
        self._lay_out(shoe)
        self._meet_all()

    # Hands and their keys

    def _lay_out(self, shoe: Shoe) -> None:
        """Order the deck by suits, and list the classes of the seat's hands and the keys of both sides."""
        from feltworks.analysis.solvers.showdown.subsets import Subsets  # compiled code, so imported only when needed

        own, dealer = self.course.own, self.course.dealer
        jokers = frozenset([Rank.JOKER]) & {face.rank for face in shoe}
        self.classes = HeldHands(shoe, own, jokers)
        by_suit = [[face for face in self.deck if face.suit is suit] for suit in (*self.classes.suits, None)]
        self.deck = tuple(face for faces in by_suit for face in sorted(faces))
        self._sets = Subsets([len(f) for f in by_suit], [*self.classes.groups, 1], max(own + 1, dealer))
        self._first = {face: self.deck.index(face) for face in shoe}
        keys, raw = self._keys_of(SEAT, own)
        shared = self._empties(SEAT) == self._empties(DEALER) and own == dealer
        self.dealers, self.dealer_place = (keys, raw) if shared else self._keys_of(DEALER, dealer)
        hands = [sorted(self._physical(self.classes.cards(row))) for row in range(len(self.classes))]
        self._hands = np.array(hands, np.int64)
        self._order_values(keys, raw[self._sets.numbers(self._hands)])

    def _physical(self, held: Cards) -> Iterator[int]:
        """The places of cards in the deck; equal faces take the first places."""
        for place, face in enumerate(held):
            yield self._first[face] + held[:place].count(face)

    def _order_values(self, keys: list[Key], key_of: NDArray[np.int16]) -> None:
        """Number the seat's keys by their values, weakest first."""
        keys_in_use = np.unique(key_of)
        worths = [_worth(keys[key]) for key in keys_in_use.tolist()]
        order = _sort_places(worths)
        place = np.zeros(len(keys), np.int64)
        place[keys_in_use[order]] = np.arange(len(order))
        self.classes.value = place[key_of]
        self.classes.values = tuple(worths[number] for number in order)
        self._keys = [keys[int(keys_in_use[number])] for number in order]
        _, firsts = np.unique(self.classes.value, return_index=True)
        self.classes.examples = tuple(self.classes.cards(row) for row in firsts.tolist())

    def _keys_of(self, place: int, held: int) -> tuple[list[Key], NDArray[np.int16]]:
        """The distinct keys that the rules make of hands of so many cards, and the key of every hand."""
        empties = self._empties(place)
        rows, members = self._sets.classes(held)
        if all(isinstance(empty, BestHand) and empty.of == held for empty in empties):
            raw = self._best_keys(empties, held)
            numbers, firsts = np.unique(raw, return_index=True)
            hands = np.array([members[rows[number]] for number in firsts.tolist()])
            keys = [self._key(place, [self.deck[card] for card in hand]) for hand in hands.tolist()]
            return keys, np.searchsorted(numbers, raw).astype(np.int16)
        known: dict[Key, int] = {}
        fold = _Fold(empties, self.deck)
        of_class = [known.setdefault(fold.key(tuple(hand)), len(known)) for hand in members.tolist()]
        self._check_places(len(known))
        return list(known), np.array(of_class, np.int16)[rows]

    def _best_keys(self, empties: Key, held: int) -> Ints:
        """The key of each hand, by the best values among its cards."""
        code = np.zeros(comb(len(self.deck), held), np.int64)
        for empty in empties:
            assert isinstance(empty, BestHand)
            places, values = best_places(self._sets, self.deck, empty.ranking, held)
            self._check_places(values)
            code = code * values + places
        return code

    def _check_places(self, places: int) -> None:
        if places > _MOST_PLACES:
            raise FeltError(
                f"{self._game.terms.rulebook.title}: its hands have {places} values, and at most {_MOST_PLACES} are"
                " compared; a hand that keeps fewer facts helps"
            )

    # Meetings

    def _meet_all(self) -> None:
        """Settle every pair of hands with distinct keys; hands with equal patterns of results form a run."""
        self._results: dict[Settled, int] = {}
        self._sort_dealers()
        patterns: dict[Hashable, int] = {}
        runs, bounds = list[int](), list[list[int]]()
        self.runs: list[tuple[ChoiceResults, ...]] = []
        self.run_choices: list[tuple[Choice, ...]] = []
        for key in self._keys:
            choices = self._decide(key)
            rows = np.stack([self._meet(key, choice) for choice in choices])
            edges = [0, *(np.flatnonzero((rows[:, 1:] != rows[:, :-1]).any(axis=0)) + 1).tolist()]
            cells = tuple(map(tuple, rows[:, edges].tolist()))
            pattern = choices, cells
            if pattern not in patterns:
                patterns[pattern] = len(patterns)
                self.runs.append(self._choice_results(choice_labels(choices), cells))
                self.run_choices.append(choices)
            runs.append(patterns[pattern])
            bounds.append(edges[1:])
        width, last = max(map(len, bounds)), len(self.dealers)
        self.bounds = np.array([[*edges, *[last] * (width - len(edges))] for edges in bounds], np.int64)
        self.run_of_value: Ints = np.array(runs, np.int64)
        self.run_of: Ints = self.run_of_value[self.classes.value]
        from feltworks.analysis.solvers.showdown.subsets import AvoidingCounts

        most = self.course.own + self.course.open
        self._counts = AvoidingCounts(self._sets, self.dealer_place, self.course.dealer, most)

    def _sort_dealers(self) -> None:
        """Sort the dealer's keys in the order in which the rules compare them."""
        self._columns = Columns(lambda place, path: read_path(self.dealers[place], path), len(self.dealers))
        for key in self._keys[:: max(1, len(self._keys) // 8)]:
            for choice in self._decide(key):
                self._meet(key, choice)
        order = self._columns.order
        self.dealers = [self.dealers[place] for place in order.tolist()]
        self.dealer_place = np.argsort(order).astype(np.int16)[self.dealer_place]
        self._columns = Columns(lambda place, path: read_path(self.dealers[place], path), len(self.dealers))

    def _meet(self, mine: Key, choice: Choice) -> NDArray[np.int32]:
        """The number of the result by dealer's hand."""
        numbers = np.full(len(self.dealers), -1, np.int32)
        result = self._result(mine, choice, None, Facts())
        if result is not None:
            numbers[:] = self._results.setdefault(result, len(self._results))
            return numbers
        left = numbers < 0
        while left.any():
            first, facts = int(left.argmax()), Facts()
            result = self._result(mine, choice, self.dealers[first], facts)
            assert result is not None
            same = alike(self._columns, facts.noted) & left if not facts.is_whole else np.zeros_like(left)
            same[first] = True
            numbers[same] = self._results.setdefault(result, len(self._results))
            left &= ~same
        return numbers

    def _choice_results(self, labels: Sequence[str], cells: Sequence[Sequence[int]]) -> tuple[ChoiceResults, ...]:
        results, choices = list(self._results), []
        for label, row in zip(labels, cells, strict=True):
            places: dict[int, list[int]] = {}
            for cell, number in enumerate(row):
                places.setdefault(number, []).append(cell)
            settlements = tuple(results[number] for number in places)
            choices.append(ChoiceResults(label, settlements, tuple(map(tuple, places.values()))))
        return tuple(choices)

    def dealer_places(self, hands: Sequence[Cards]) -> Ints:
        """The places of dealer's hands in the order of all of them."""
        numbers = self._sets.numbers(np.array([sorted(self._physical(hand)) for hand in hands], np.int64))
        return self.dealer_place[numbers].astype(np.int64)

    def lines(self, value: int, choice: Choice, place: int) -> tuple[Line, ...]:
        """The settled lines of a hand of this value against the dealer's hand at this place."""
        felt = self._finish(self._keys[value], choice, self.dealers[place], Facts())
        assert felt is not None
        return self._game.settle(felt)

    # Frequencies

    @property
    def has_up_card(self) -> bool:
        """Whether one of the dealer's cards is open before the choice."""
        return bool(self.course.open)

    @property
    def house(self) -> int:
        """The number of the dealer's cards."""
        return self.course.dealer

    @property
    def total(self) -> int:
        """The number of dealer's hands against any hand, given the up card if there is one."""
        rest = len(self.deck) - self.course.own - self.course.open
        return comb(rest, self.course.dealer - self.course.open)

    @property
    def up_cards(self) -> list[UpCard | None]:
        """The cards that the dealer may show."""
        return [UpCard(face, 0, None) for face in self._first] if self.course.open else [None]

    def copies(self, up: UpCard) -> Ints:
        """The number of such cards that each class of the seat's hands leaves."""
        first, count = self._first[up.face], self.deck.count(up.face)
        held: Ints = ((self._hands >= first) & (self._hands < first + count)).sum(axis=1)
        return count - held

    def cells_met(self, rows: Ints, up: UpCard | None) -> Ints:
        """Counts of dealer's hands: a row for each cell in the order of these hands, a column for each seat's hand."""
        ups = np.full(len(rows), -1, np.int64)
        if up is not None:
            left = self.copies(up)[rows]
            ups = self._first[up.face] + np.maximum(self.deck.count(up.face) - left, 0)
            ups[left <= 0] = -1  # these hands hold all such cards, and their weight is 0
        below = self._counts.below(self._hands[rows], ups, self.bounds[self.classes.value[rows]])
        edges = np.column_stack([np.zeros(len(rows), np.int64), below, np.full(len(rows), self.total)])
        return np.diff(edges, axis=1).T


def best_places(sets: "Subsets", deck: Cards, ranking: Ranking, held: int) -> tuple[NDArray[np.int16], int]:
    """By set of so many cards, the place of its best hand among all values; and the number of values."""
    rows, members = sets.classes(ranking.size)
    values = [ranking.value([deck[card] for card in hand]).strength for hand in members.tolist()]
    places = {strength: place for place, strength in enumerate(sorted(set(values)))}
    base = np.array([places[value] for value in values], np.int16)[rows]
    return sets.best(base, ranking.size, held), len(places)


class _Fold:
    """Builds hands card by card with a cache of shared prefixes."""

    def __init__(self, empties: Key, deck: Cards) -> None:
        self.deck = deck
        self._known: dict[tuple[int, ...], Key] = {(): empties}

    def key(self, cards: tuple[int, ...]) -> Key:
        """The key of these cards: the hands that they make."""
        before = self._known.get(cards[:-1])
        if before is None:
            before = self._known[cards[:-1]] = self.key(cards[:-1])
        card = self.deck[cards[-1]]
        return tuple([hand.add(card) for hand in before])


def _worth(key: Key) -> Any:
    """The name and sort key of a hand: its value, or itself."""
    first = next(iter(key), None)
    return getattr(first, "value", None) or first


def _sort_places(worths: Sequence[Any]) -> list[int]:
    """The order of hands, weakest first; unchanged if they cannot be compared."""
    try:
        return sorted(range(len(worths)), key=lambda place: worths[place])
    except TypeError:
        return list(range(len(worths)))
