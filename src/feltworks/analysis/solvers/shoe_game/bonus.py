"""The figures of a bonus wager on the dealer's completed hand, computed from the dealer's exact law.

The dealer's hand does not depend on how the player draws. The player's hand matters only if the wager depends
on it, by a limit on its total or by surrender; only then is a strategy needed.

Together with wagers that the up card decides, the dealer's law is computed for every combination of the values
of the player's two cards and the up card; for one-suited hands also by which of the player's cards have the up
card's suit. The player is then assumed to stay within the wager's limit. Together with the main wager, `columns`
of the dealer's hands distinguish the results of both: given the values of all cards every assignment of suits is
equally likely, so the numbers of cards left, of a suit and in all, tell how probable one suit is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from math import perm
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.figures import Figures, Outcome
from feltworks.analysis.progress import Progress, Track
from feltworks.analysis.referee import Law
from feltworks.analysis.shape import waits_for_dealer
from feltworks.analysis.solvers.fixed import FirstDeal, Outcomes
from feltworks.analysis.solvers.numbers import Array, Ints, Numbers
from feltworks.analysis.solvers.shoe_game.dealer import (
    MOST_CARDS,
    Counts,
    HandGrowth,
    by_value,
    dealers_law,
    growths,
    weigh,
    without,
)
from feltworks.analysis.solvers.shoe_game.pays import NATURAL, OVER
from feltworks.analysis.solvers.shoe_game.rules import (
    FACES,
    HIGHEST,
    SURRENDER,
    UNIT,
    DealerRules,
    End,
    Felts,
    Pay,
    spot_of,
    table_rules,
)
from feltworks.analysis.solvers.shoe_game.solver import ShoeGame
from feltworks.cards import DECK, Card, Shoe, Suit
from feltworks.errors import FeltError, ImpossibleRound, one_of
from feltworks.hands.blackjack import points
from feltworks.machine.felt import HouseState, Readings, SeatState
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Seat

if TYPE_CHECKING:
    from feltworks.analysis.solvers.shoe_game.chart import Chart
    from feltworks.analysis.solvers.shoe_game.solver import Conduct

Made = tuple[int, int]  # a dealer's total, 0 for a natural; and the number of cards if all are of one suit, else 0
NATURAL_MADE: Made = (0, 0)
LONGEST = 26  # the longest one-suited hand that is judged
_TRIED = 3  # up to so many cards every suit is tried
_BY_SUIT = {suit: [face for face in DECK if face.suit is suit] for suit in Suit}


class Limit(Struct, frozen=True):
    """The lowest total that loses the wager, and whether one such hand of a split is enough to lose it."""

    total: int
    one_is_enough: bool


class BonusRules:
    """The wager's outcomes by the dealer's hand, with the player's hand within its limit or beyond."""

    def __init__(self, game: Game, wager: str) -> None:
        self.game, self.wager = game, wager
        self.rules = table_rules(game)
        made, known = game.wagers[wager].hand, self.rules.felts.readings
        readings = Readings({wager: made} if made else {}, FACES)
        readings.hands, readings.counted = known.hands, known.counted
        self.felts = Felts(game, wager, readings, is_known=True)
        self._judged: dict[tuple[object, Made], Pay] = {}
        self._runs = self._suit_runs()

    def _suit_runs(self) -> list[list[tuple[Any, ...]]]:
        """The wager's own hands of so many cards: of mixed suits, then of each suit.

        Refuses a wager whose hand depends on anything else of its cards.
        """
        hand_of = self.game.wagers[self.wager].hand
        if hand_of is None:
            return [[()]] * (LONGEST + 1)
        if hand_of.cards != ((DEALER, None),):
            raise self.felts.refuse(f"{self.wager} is judged by other cards than the dealer's")
        runs = [[hand_of.empty for _ in Suit]]
        mixed: set[Any] = set()
        for _ in range(LONGEST):
            runs.append([self._same(runs[-1][suit], _BY_SUIT[suit]) for suit in Suit])
            mixed |= {runs[-1][suit].add(_BY_SUIT[other][0]) for suit in Suit for other in Suit if other != suit}
        if len(mixed) != 1:
            raise self.felts.refuse(f"{self.wager} tells more of the dealer's cards than one suit")
        runs[0] = [self._same(mixed.pop(), list(DECK))]
        return [[(hand,) for hand in hands] for hands in runs]

    def _same(self, hand: Any, faces: list[Any]) -> Any:
        hands = {hand.add(face) for face in faces}
        if len(hands) > 1:
            raise self.felts.refuse(f"{self.wager} tells cards of one suit apart")
        return hands.pop()

    def judge(self, seat: SeatState, made: Made) -> Pay:
        """The result of the wager against this hand of the dealer's."""
        key = seat.lying, made
        if key not in self._judged:
            self._judged[key] = self._judge(seat, made)
        return self._judged[key]

    def _judge(self, seat: SeatState, made: Made) -> Pay:
        total, size = made
        end = End(total, False) if total else next(end for end in self.rules.houses if end.is_natural)
        house, pays = self.rules.houses[end][0], set[Pay]()
        on = replace(seat, wagers=(*seat.wagers, (self.wager, UNIT)))
        for own in self._runs[size] if size == _TRIED else self._runs[size][:1]:
            dealer, board = replace(house.dealer, own=own), replace(house.board, own=(None,) * len(own))
            pays |= set(self.felts.pays(on, HouseState(dealer, board), self.wager))
        if len(pays) > 1:
            raise self.felts.refuse(f"{self.wager} pays suits apart")
        return pays.pop()

    @property
    def totals_over_21(self) -> list[int]:
        """The dealer's totals over 21."""
        return sorted(end.total for end in self.rules.houses if end.total > 21)

    @property
    def standing_seat(self) -> SeatState:
        """The state of a seat that stands."""
        return self.rules.standing

    @cached_property
    def surrendered_seat(self) -> SeatState | None:
        """The state of a seat that surrendered, if that changes the wager's result."""
        seats = self.rules.seats
        every = seats.reachable(self.rules.empty)
        able = next((state for state in every if seats.may(state, SURRENDER)), None)
        seat = None if able is None else self.rules.felts.seats[seats.choose(able, SURRENDER)]
        return seat if seat and self.differs(seat) else None

    @cached_property
    def seat_beyond(self) -> SeatState | None:
        """The state of a seat beyond the wager's limit, if it has one."""
        seats = self.rules.seats
        for total in range(22, HIGHEST + 1):
            state = seats.bust_with(self.rules.empty, total)
            if state is not None and self.differs(seats.lying(state)):
                return seats.lying(state)
        return None

    @cached_property
    def limit(self) -> Limit | None:
        """The limit on the player's total, if there is one."""
        if self.seat_beyond is None:
            return None
        total, seats = spot_of(self.seat_beyond).hands[0].points, self.rules.seats
        every = (seats.bust_with(root, total) for root in self.rules.split_roots.values())
        split = next((seats.states[state][0] for state in every if state is not None), None)
        return Limit(total, split is not None and self.differs(self.rules.felts.seats[seats.stand(split, 1)]))

    def differs(self, seat: SeatState) -> bool:
        """Whether the player's hand changes the result against the dealer's lowest hand over 21."""
        lowest = self.totals_over_21[0], 0
        return self.judge(seat, lowest) != self.judge(self.standing_seat, lowest)


@lru_cache(maxsize=64)
def bonus_rules(game: Game, wager: str) -> BonusRules:
    """The rules of a wager on the dealer's hand, cached."""
    return BonusRules(game, wager)


def bonus_of(game: Game) -> BonusRules:
    """The wager of a game that waits for the dealer's whole hand."""
    for name in game.wagers:
        if waits_for_dealer(game, name):
            return bonus_rules(game, name)
    raise FeltError(f"{game.terms.rulebook.title} has no wager on the dealer's hand")


def bonus_figures(
    game: Game,
    *,
    shoe: Shoe | None = None,
    strategy: "Chart | Conduct | None" = None,
    progress: Progress | None = None,
) -> Figures:
    """The figures of the wager alone; without a strategy the player stays within its limit.

    >>> from feltworks import catalog
    >>> round(float(bonus_figures(catalog.game("lucky-break")).house_edge), 6)
    0.061631
    """
    bonus, shoe = bonus_of(game), game.terms.shoe if shoe is None else shoe
    law = dict(_dealer(bonus, shoe))
    every: list[tuple[SeatState, Mapping[Made, Fraction]]] = [(bonus.standing_seat, law)]
    if strategy is not None:
        from feltworks.analysis.solvers.shoe_game.by_play import law_by_play

        other = law_by_play(game, shoe, strategy, progress)
        apart = (bonus.surrendered_seat, other.surrendered), (bonus.seat_beyond, other.beyond)
        every = [(seat, parts) for seat, parts in apart if seat] + every
    for made, likely in (part for _, parts in every[:-1] for part in parts.items()):
        law[made] -= likely
    return Figures.of(list(_rows(bonus, every)))


def _dealer(bonus: BonusRules, shoe: Shoe) -> Iterator[tuple[Made, Fraction]]:
    """The probabilities of the dealer's hands by total, and by number of cards if of one suit."""
    law = dealers_law(shoe, bonus.rules.dealer)
    yield NATURAL_MADE, law.natural
    for total, likely in law.totals.items():
        suited = {(t, size): p for (t, size), p in law.suited.items() if t == total}
        yield from suited.items()
        yield (total, 0), likely - sum(suited.values())


def _rows(bonus: BonusRules, every: Sequence[tuple[SeatState, Mapping[Made, Fraction]]]) -> Iterator[Outcome]:
    for seat, parts in every:
        for made, likely in parts.items():
            pay = bonus.judge(seat, made)
            yield Outcome(pay.outcome, likely, pay.net)


CardValues = tuple[int, ...]
# By results of the others and the player's two values; then by the up card's suit and the player's values in it
Deals = tuple[Counter[tuple[Outcomes, CardValues]], Counter[tuple[Outcomes, Counts, CardValues]]]
_MOST_DRAWN = 25  # cards a dealer can draw to the up card


def dealer_law(game: Any, stakes: Mapping[str, Cents], later: str, shoe: Shoe, progress: Progress | None = None) -> Law:
    """The joint law of a spot in which one wager is decided by the dealer's completed hand."""
    spot = FirstDeal(game, {name: cents for name, cents in stakes.items() if name != later}, shoe)
    if asking := [name for name in spot.judges if name not in stakes]:
        raise FeltError(f"{later} is not analysed beside a wager that {one_of(asking)} follows from")
    bonus, ways = bonus_rules(game, later), _DealerWays(bonus_rules(game, later).rules.dealer, shoe)
    weights: Counter[tuple[Outcomes, Made]] = Counter()
    for _, (up, (every, one_suited)) in Track(progress).branches([(1, deals) for deals in _deals(spot)]):
        for (outcomes, gone), number in every.items():
            for made, likely in ways.totals(gone, up).items():
                weights[outcomes, made] += number * likely
        for (outcomes, suit, gone), number in one_suited.items():
            for made, likely in ways.suited(suit, gone, up).items():
                weights[outcomes, made] += number * likely
                weights[outcomes, (made[0], 0)] -= number * likely
    law, whole = Law(), perm(shoe.total, 3) * ways.orders
    for (outcomes, made), weight in weights.items():
        named = dict([*outcomes, (later, bonus.judge(bonus.standing_seat, made).outcome)])
        settled = spot.settlement(Seat(stakes), named)
        law[settled] = law.get(settled, Fraction(0)) + Fraction(weight, whole)
    return {settled: chance for settled, chance in law.items() if chance}


def _deals(spot: FirstDeal) -> list[tuple[int, Deals]]:
    """By up card: the number of deals, by everything that the dealer's law depends on."""
    by_up_card: list[tuple[int, Deals]] = [(up, (Counter(), Counter())) for up in range(10)]
    by_suit: dict[Suit | None, Counts] = {suit: by_value(spot.shoe, suit) for suit in Suit}
    for both, pairs in spot.pairs().items():
        for up, ups in spot.drawable(both):
            outcomes, number = spot.outcomes(both, up), pairs * ups
            _, (every, one_suited) = by_up_card[points(up) - 1]
            every[outcomes, _values(both)] += number
            mine = [face for face in both if face.suit is up.suit]
            one_suited[outcomes, by_suit[up.suit], _values(mine)] += number
    return by_up_card


def _values(held: Iterable[Card]) -> CardValues:
    return tuple(sorted(points(face) - 1 for face in held))


class _DealerWays:
    """The number of card orders that complete each dealer's hand, without the first three cards of the round."""

    def __init__(self, rules: DealerRules, shoe: Shoe) -> None:
        self._rules, self._whole = rules, by_value(shoe)
        self._left, self._drawn = shoe.total - 3, min(shoe.total - 3, _MOST_DRAWN)
        self.orders = perm(self._left, self._drawn)
        self.totals, self.suited = cache(self._totals), cache(self._suited)

    def _totals(self, gone: CardValues, up: int) -> dict[Made, int]:
        totals: Counter[Made] = Counter()
        for (total, _), ways in self._ways(without(self._whole, gone), up):
            totals[total, 0] += ways
        if totals.total() != self.orders:
            raise ImpossibleRound("the shoe can run out before the dealer's hand is complete")
        return totals

    def _suited(self, suit: Counts, gone: CardValues, up: int) -> dict[Made, int]:
        return {made: ways for made, ways in self._ways(without(suit, gone), up) if made[0]}

    def _ways(self, counts: Counts, up: int) -> Iterator[tuple[Made, int]]:
        for (total, size), ways in weigh(growths(up, self._rules), counts).items():
            rest = perm(self._left - size + 1, self._drawn - size + 1)
            yield (total, size), ways // counts[up] * rest  # the up card is any card of its value


class SuitsSeen(Struct, frozen=True):
    """What is known of suits from the first three cards; cards are given by value."""

    values: tuple[int, ...]  # of the player's two cards
    alike: tuple[int, ...]  # of the player's cards of the up card's suit
    suit: Counts  # by value: cards of the up card's suit in the full shoe


class FirstHand(Struct, frozen=True):
    """First two cards and an up card: their probability with each kind, and as a pair that may be split."""

    row: int
    up: int
    seen: SuitsSeen
    hands: Array
    pairs: Array


class Bonus(Struct, frozen=True):
    """The outcomes of the wager, by the player's hand and column: first the results, then kinds of hands over 21.

    `columns`: by total over 21 and number of cards, if of one suit, the column.
    """

    outcomes: tuple[tuple[str, ...], ...]
    columns: Mapping[tuple[int, int], int]
    limit: int | None  # the lowest total beyond it
    one_is_enough: bool  # one split hand beyond the limit, or all of them

    @property
    def width(self) -> int:
        return len(self.outcomes[0])


def bonus_columns(rules: BonusRules, table: ShoeGame) -> Bonus:
    """The columns of the wager by its own verdicts, after those of the dealer's results."""
    pays, standing = table.pays, rules.standing_seat
    totals = {column: total for total, column in pays.columns.items()}
    if any(pays.columns[total] != OVER for total in rules.totals_over_21):
        raise rules.rules.felts.refuse("the main wager tells the dealer's hands over 21 apart")
    made = [(totals.get(column, 0), 0) for column in range(pays.width)]
    made[NATURAL] = NATURAL_MADE
    hands = [(total, size) for total in rules.totals_over_21 for size in (0, *range(3, LONGEST + 1))]
    examples = {rules.judge(standing, hand).outcome: hand for hand in hands}
    names = list(examples)
    columns = {hand: pays.width + names.index(rules.judge(standing, hand).outcome) for hand in hands}
    seats = standing, rules.seat_beyond or standing, rules.surrendered_seat or standing
    outcomes = [[rules.judge(seat, each).outcome for each in (*made, *examples.values())] for seat in seats]
    if table.rules.peeks:  # a blackjack found by the dealer's peek ends the round before anyone can surrender
        outcomes[-1][NATURAL] = outcomes[0][NATURAL]
    limit = rules.limit
    rows = tuple(tuple(row) for row in outcomes)
    return Bonus(rows, columns, limit.total if limit else None, limit is not None and limit.one_is_enough)


class UpColumns:
    """The columns of the dealer's hands against one up card; without a bonus wager those of the results.

    If suits depend on the first hand (`is_apart`), every hand over 21 has its own entry, and `gather` sums these
    into columns later.
    """

    def __init__(self, table: ShoeGame, up: int, bonus: Bonus | None, *, is_apart: bool) -> None:
        self.table, self.dealing, self.up = table, table.dealing, up
        self.bonus, self.is_apart, self.known = bonus, is_apart, table.pays.width

    @cached_property
    def _over(self) -> list[HandGrowth]:
        """The dealer's hands over 21, with the hands that lead to them."""
        return [h for h in self.dealing.possible_hands(self.up, HIGHEST) if not 0 < h.total < 22]

    @cached_property
    def _ends(self) -> list[HandGrowth]:
        return [hand for hand in self._over if hand.total]

    def law_of(self, taken: Ints) -> Array:
        """The dealer's law after each of these sets of cards is removed."""
        law = self.table.laws_against(self.up, taken)
        if self.bonus is None:
            return law
        over = self._law_over(taken)
        return np.concatenate([law, over if self.is_apart else over @ self._gathering(None)], axis=1)

    def _law_over(self, taken: Ints) -> Array:
        law, orders = self.dealing.numbers.zeros(len(self._ends), len(taken)), self.dealing.orders(taken)
        for place, (hand, ways) in enumerate(self.dealing.weigh(self._over, taken)):
            law[place] = self.dealing.numbers.ratio(ways, orders[hand.cards - 1])
        return law.T

    def gather(self, law: Array, seen: SuitsSeen) -> Array:
        """Sum the entries of single hands over 21 into columns, weighted by the suits seen."""
        over = law[..., self.known :] @ self._gathering(seen)
        return np.concatenate([law[..., : self.known], over], axis=-1)

    def _gathering(self, seen: SuitsSeen | None) -> Array:
        """The probability that each hand over 21 is in each column: of several suits, or of one."""
        assert self.bonus is not None
        suited, places = self._suited_chance(seen), np.arange(len(self._ends))
        gathering = self.table.numbers.zeros(len(self._ends), self.bonus.width)
        gathering[places, self._columns[0]] += 1 - suited
        gathering[places, self._columns[1]] += suited
        return gathering[:, self.known :]

    @cached_property
    def _columns(self) -> Ints:
        """The column of each hand over 21: of several suits, and of one."""
        assert self.bonus is not None
        columns = self.bonus.columns
        pairs = [(columns[h.total, 0], columns[h.total, h.cards]) for h in self._ends]
        return np.array(pairs, np.int64).reshape(-1, 2).T

    @cached_property
    def _held(self) -> Ints:
        return np.array([hand.counts for hand in self._ends], np.int64).reshape(-1, 10)

    def _suited_chance(self, seen: SuitsSeen | None) -> Array:
        """The probability that each hand over 21 is of one suit, given its values and the suits seen."""
        shoe, numbers = self.table.shoe, self.table.numbers
        if seen is None:
            every = [_part(numbers, by_value(shoe, suit), by_value(shoe), self._held) for suit in Suit]
            return sum(every, numbers.zeros(len(self._held)))
        drawn = self._held.copy()
        drawn[:, self.up] -= 1
        whole = without(by_value(shoe), (*seen.values, self.up))
        return _part(numbers, without(seen.suit, (*seen.alike, self.up)), whole, drawn)


def _part(numbers: Numbers, of: Counts, whole: Counts, drawn: Ints) -> Array:
    """The probability that all cards drawn from the whole are among the given part."""
    part = numbers.whole(np.ones(len(drawn), np.int64))
    for value in range(10):
        part = part * _parts(numbers, of[value], whole[value])[drawn[:, value]]
    return part


@cache
def _parts(numbers: Numbers, of: int, whole: int) -> Array:
    """For 0, 1, 2, … cards drawn of one value: the probability that all are among the given part."""
    return numbers.of([Fraction(perm(of, n), perm(whole, n)) if n <= whole else Fraction(0) for n in range(MOST_CARDS)])
