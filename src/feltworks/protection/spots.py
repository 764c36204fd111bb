"""The worth of known cards at a spot with splits and doubles: the dealer's hole card, the next card of the shoe.

The solver works with a shoe without the known card; the dealer's results are computed with that card in its
place. A hole card is known through the whole round. The next card is known at the first decision: it goes to
the hand that is hit, doubled or split, and to the dealer if the player stands; a pair is then split only
once. Everything else works as in `analysis.solvers.shoe_game.solver`, in floating point.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, product

import numpy as np
from msgspec.structs import replace

from feltworks.analysis.progress import Progress, Track, part_of
from feltworks.analysis.question import Question
from feltworks.analysis.shape import insurance_of, main_wager_of
from feltworks.analysis.solvers.numbers import Array, Ints
from feltworks.analysis.solvers.shoe_game.dealer import Dealing
from feltworks.analysis.solvers.shoe_game.hands import Hands
from feltworks.analysis.solvers.shoe_game.pays import HAND_OVER, NATURAL, OVER
from feltworks.analysis.solvers.shoe_game.rules import UPS, VALUES, TableRules
from feltworks.analysis.solvers.shoe_game.solver import ShoeGame
from feltworks.cards import Card, Shoe
from feltworks.hands.blackjack import points
from feltworks.machine.compiler import Floats, compile_loop
from feltworks.protection.groups import Table, first_choices, group_edge
from feltworks.protection.knowledge import (
    DEALER,
    HIT,
    NEIGHBOURS,
    NEXT,
    Grouping,
    Knowledge,
    Unfit,
    Worth,
    best_subsets,
    subsets,
    worth_beside_neighbours,
)

_SAMPLES = 60  # draws of neighbours' cards
_ASKABLE = "what can be known: hole, next, both of them, group:RANKS@hole, neighbours:N, burn"


class ScriptDealing(Dealing, frozen=True):
    """The shoe and the dealer when the hole card, or the dealer's first drawn card, is known and out of the shoe."""

    hole: int | None = None
    draw: int | None = None

    def results(self, taken: Ints, up: int) -> Array:
        """The dealer's law for each row of cards taken, with the known cards in their places."""
        law = np.zeros((len(taken), self.pays.width))
        left, after = self.counts - taken, np.array(self.rules.after)
        left[:, up] -= 1
        script = np.array([-1 if card is None else card for card in (self.hole, self.draw)])
        possible = (left >= 0).all(axis=1)
        some = law[possible]
        script_law(left[possible], self.rules.after[0][up], script, after, self._columns, some)
        law[possible] = some
        return law

    @property
    def _columns(self) -> Ints:
        """By state of the dealer's hand: the column of its result, or -1 while the dealer draws."""
        places = [
            -1 if end is None else NATURAL if end.is_natural else self.pays.columns.get(end.total, OVER)
            for end in self.rules.ends
        ]
        return np.array(places)


class ScriptGame(ShoeGame):
    """A table with a known hole card, dealt from the shoe without it."""

    def __init__(self, question: Question, shoe: Shoe, hole: int | None = None, hands: Hands | None = None) -> None:
        """Pass the `hands` of a larger shoe so that several tables list the same hands."""
        super().__init__(question.game, shoe)
        self.hole, self._hands = hole, hands

    @cached_property
    def hands(self) -> Hands:
        return super().hands if self._hands is None else self._hands

    @cached_property
    def dealing(self) -> Dealing:
        if self.hole is None:
            return super().dealing
        return ScriptDealing(self.counts, self.rules.dealer, self.pays, self.numbers, self.hole)


class SpotWorth:
    """The worth of known cards in a game with splits and doubles."""

    has_decision = True

    def __init__(self, question: Question, progress: Progress | None = None) -> None:
        self._tell = progress
        self._question, self._title = question, question.game.terms.rulebook.title
        if question.wager != main_wager_of(question.game):
            raise Unfit(f"{self._title}: nothing is decided after the {question.wager} wager; {_BONUS_WORDS}")

    @cached_property
    def _base(self) -> float:
        return _best(self._question, self._question.shoe)

    def worth(self, known: Sequence[Knowledge], samples: int | None = None, seed: int = 1) -> Worth:
        """The edge when the hole card, the next card or both are known; or the hands of neighbours."""
        for one in known:
            if one.place not in (DEALER, NEXT, HIT, NEIGHBOURS):
                raise Unfit(f"{self._title} has no such card as {one.text}; {_ASKABLE}")
            if one.place == DEALER and one.number > 1:
                raise Unfit(f"{self._title}: the dealer has one hidden card, not {one.number}; {_ASKABLE}")
            if (one.groups and one.place != DEALER) or (one.number > 1 and one.place != NEIGHBOURS):
                raise Unfit(f"{self._title}: {one.text} cannot be followed where hands are split; {_ASKABLE}")
        places = {one.place for one in known}
        if len(known) > 1 and (NEIGHBOURS in places or any(one.groups for one in known)):
            raise Unfit(f"{self._title}: neighbours and groups are followed by themselves; {_ASKABLE}")
        if NEIGHBOURS in places:
            return self._beside_neighbours(known[0].number, samples or _SAMPLES, seed)
        note = "in floating point"
        if places == {DEALER}:
            groups = known[0].split(self._question.shoe)
            lots = self._by_hole.values() if groups is None else map(self._tables, groups)
            edge = sum(map(group_edge, lots))
        elif DEALER in places:
            edge, holes = 0.0, self._lots(self._question.shoe, self._question.shoe)
            for place, (hole, shoe, likely) in enumerate(holes):
                game = ScriptGame(self._question, shoe, hole)
                insured = float(self._insurance(game, hole).clip(min=0).sum())
                edge += likely * (self._next_edge(game, part_of(self._tell, place, len(holes))) + insured)
        else:
            edge = self._next_edge(ScriptGame(self._question, self._question.shoe), self._tell)
        note += "; a pair is split once" if places != {DEALER} else ""
        note += "; the hit card is the next card of the shoe" if HIT in places else ""
        return Worth(Fraction(self._base), Fraction(edge), note=note, has_fraction=False)

    def _lots(self, shoe: Shoe, among: Iterable[Card]) -> list[tuple[int, Shoe, float]]:
        """Every value that a known card among these may have, the shoe without it, and its probability.

        Faces of one value are separate entries only if the rules on pairs distinguish them.
        """
        faces: dict[object, list[Card]] = {}
        told_apart = not self._splits_by_value
        for face in sorted(among):
            faces.setdefault((points(face), face.rank if told_apart else None), []).append(face)
        return [
            (points(some[0]) - 1, shoe.without(some[:1]), sum(shoe[face] for face in some) / shoe.total)
            for some in faces.values()
        ]

    @cached_property
    def _splits_by_value(self) -> bool:
        rules = ShoeGame(self._question.game, self._question.shoe).rules
        return not any(rules.is_told_apart(value) for value in VALUES)

    def _insurance(self, game: ScriptGame, hole: int) -> Array:
        """By first hand and up card: the value of the insurance wager with this hole card."""
        nets = insurance_nets(game.rules)
        brought: Array = game.deals * np.array([nets.get((up, hole), 0.0) for up in VALUES])
        return brought

    def _tables(self, among: Iterable[Card]) -> list[Table]:
        """A table for every value that the hole card may have, if it is among these."""
        lots = self._lots(self._question.shoe, among)
        games = [(ScriptGame(self._question, shoe, hole, self._hands), hole, likely) for hole, shoe, likely in lots]
        return [Table(game, likely, self._insurance(game, hole), hole) for game, hole, likely in games]

    @cached_property
    def _hands(self) -> Hands:
        return ShoeGame(self._question.game, self._question.shoe).hands

    @cached_property
    def _by_hole(self) -> dict[int, list[Table]]:
        """The tables by value of the hole card."""
        tables: dict[int, list[Table]] = {}
        for table in self._tables(self._question.shoe):
            tables.setdefault(table.hole, []).append(table)
        return tables

    def worst_groupings(self, most: int = 1) -> list[Grouping]:
        """The ways to sort hole cards into two groups that gain the player most, one for each number of values.

        All ways are ranked by insurance and the first choice only, with later choices made without the knowledge;
        the best of these are then evaluated in full.
        """
        values, lots = list(self._by_hole), list(self._by_hole.values())
        brought = first_choices(lots)
        insured = np.array([sum(table.likely * table.insurance for table in lot) for lot in lots])
        worths, ways, found = list[float](), subsets(len(values)), list[Grouping]()
        for chosen in ways:
            both = [list(chosen), [place for place in range(len(values)) if place not in chosen]]
            worth = sum(float(brought[some].sum(axis=0).max(axis=0).sum()) for some in both)
            worths.append(worth + sum(float(insured[some].sum(axis=0).clip(min=0).sum()) for some in both))
        for chosen in best_subsets(ways, worths, most):
            others = [place for place in range(len(lots)) if place not in chosen]
            sides = [list(chain.from_iterable(lots[place] for place in some)) for some in (chosen, others)]
            edge, inside = sum(map(group_edge, sides)), {values[place] for place in chosen}
            ranks = frozenset(face.rank for face in self._question.shoe if points(face) - 1 in inside)
            found.append(Grouping(ranks, edge, edge - self._base))
        return sorted(found, key=lambda one: -one.edge)

    def _next_edge(self, game: ScriptGame, progress: Progress | None) -> float:
        """The edge when the next card is known at the first decision."""
        brought = _Brought(game)
        lots = Track(progress).branches([(1, lot) for lot in self._lots(game.shoe, game.shoe)])
        return sum(
            likely * brought.edge(ScriptGame(self._question, shoe, game.hole), value)
            for _, (value, shoe, likely) in lots
        )

    def _beside_neighbours(self, neighbours: int, samples: int, seed: int) -> Worth:
        """Sample neighbours' cards; the first-order effect of their removal has mean zero, so it is subtracted."""
        shoe, deck = self._question.shoe, self._question.shoe.all_cards()
        alone = {points(face): face for face in deck}
        shifts = {value: _best(self._question, shoe.without([face])) - self._base for value, face in alone.items()}
        mean = sum(shifts[points(face)] for face in deck) / len(deck)

        def gain(gone: Sequence[Card]) -> float:
            linear = sum(shifts[points(face)] - mean for face in gone)
            return _best(self._question, shoe.without(gone)) - self._base - linear

        base = Fraction(self._base)
        worth = worth_beside_neighbours(base, gain, shoe, 2 * neighbours, samples, seed, self._tell)
        return replace(worth, has_fraction=False)


class _Brought:
    """The value of a hand that takes the known next card; later choices are those of the solver."""

    def __init__(self, game: ScriptGame) -> None:
        self._game, self._hit = game, game.values().best
        paid = game.nets[0][1][game.pays.class_of(game.hands.total)]
        self._doubled = (game.law * paid[:, None, :]).sum(axis=-1)
        self._split = game.split_values().best if len(game.pairs.value) else np.zeros((0, UPS))

    def edge(self, after: ScriptGame, value: int) -> float:
        """The edge when the next card has this value; `after` is the table without that card."""
        rows = np.flatnonzero(after.hands.size == 2)
        law, numbers = self._law(after, after.hands.held[rows], value), after.numbers
        nets, naturals = after.nets[0], law[..., NATURAL]
        stand = (law * nets[0][after.pays.class_of(after.hands.total[rows])][:, None, :]).sum(axis=-1)
        lost = [naturals * row[NATURAL] + (1 - naturals) * row[OVER] for row in nets[:, HAND_OVER]]
        grown = [self._row(held, value) for held in after.hands.held[rows]]
        over = np.array([row < 0 for row in grown])[:, None]
        hit, double = (np.where(over, lost[n], worth[grown]) for n, worth in enumerate((self._hit, self._doubled)))
        given_up, natural = (
            (law * numbers.of([pay.net for pay in pays])).sum(axis=-1)
            for pays in (after.pays.surrendered, after.pays.natural)
        )
        choices = ((after.open.hit, hit), (after.open.double, double), (after.open.surrender, given_up))
        best = np.max([stand, *(np.where(may[rows], worth, -np.inf) for may, worth in choices)], axis=0)
        best = np.where(after.is_natural[rows][:, None], natural, best)
        unsplit = np.zeros(after.deals.shape)
        unsplit[rows] = best
        return float((after.deals * unsplit).sum()) + self._split_gain(after, unsplit, value)

    def _law(self, after: ScriptGame, held: Ints, value: int) -> Array:
        script = ScriptDealing(after.counts, after.rules.dealer, after.pays, after.numbers, after.hole, value)
        return np.stack([script.results(held, up) for up in VALUES], axis=1)

    def _row(self, held: Ints, value: int) -> int:
        """The hand with the next card; -1 if it is over 21."""
        values = [each for each, count in enumerate(held.tolist()) for _ in range(count)]
        hands = self._game.hands
        return int(hands.after[hands.row(*values), value])

    def _split_gain(self, after: ScriptGame, unsplit: Array, value: int) -> float:
        """The gain from splitting pairs once: the first hand takes the known card, the other one any."""
        if not len(after.pairs.value):
            return 0.0
        pairs, other = after.pairs, after.split_once(after.split_values()) / 2
        first = [self._game.split_hands.row(pair, value, origin=pair) for pair in pairs.value.tolist()]
        worth = self._split[first, pairs.up] + other
        gain = np.maximum(worth - unsplit[after.pair_rows(), pairs.up], 0)
        return float((pairs.likely * gain).sum())


_BONUS_WORDS = "ask with --exposed for cards that are gone before it is made, or with --sees burn"


def _best(question: Question, shoe: Shoe) -> float:
    game = ShoeGame(question.game, shoe)
    return float(game.expectation(game.best_plan()))


def insurance_nets(rules: TableRules) -> dict[tuple[int, int], float]:
    """By up card and hole card: the net of the insurance wager, per unit of the main one."""
    wager, nets = insurance_of(rules.game), dict[tuple[int, int], float]()
    for up, hole in product(VALUES, VALUES):
        if wager is not None and wager in rules.dealt[up].offered:
            pay = rules.dealer_pay(wager, up, hole)
            nets[up, hole] = float(pay.net) * float(rules.game.terms.rulebook.wager[wager].factor)
    return nets


@compile_loop
def script_law(left: Ints, start: int, script: Ints, after: Ints, column: Ints, law: Floats) -> None:
    """Fills `law` with the probability of each result of the dealer, for each row of cards left.

    `script` holds the known cards to come, -1 for an unknown one; they are not among those left. `after` is the
    next state by state and value; `column` by state is its result's index in `law`, -1 while the dealer draws.
    """
    node, place, weight = np.zeros(32, np.int64), np.zeros(32, np.int64), np.zeros(32, np.float64)
    for row in range(len(left)):
        unseen, at, is_back = left[row].sum(), 0, False
        node[0], place[0], weight[0] = start, -1, 1.0
        while at >= 0:
            state, following = node[at], np.int64(-1)
            is_known = at < len(script) and script[at] >= 0
            if is_back and not is_known:
                left[row, place[at]] += 1
                unseen += 1
            if column[state] >= 0:
                law[row, column[state]] += weight[at]
            elif is_known:
                if not is_back:
                    following, weight[at + 1] = after[state, script[at]], weight[at]
            else:
                place[at] += 1
                while place[at] < left.shape[1] and left[row, place[at]] == 0:
                    place[at] += 1
                if place[at] < left.shape[1]:
                    following = after[state, place[at]]
                    weight[at + 1] = weight[at] * left[row, place[at]] / unseen
                    left[row, place[at]] -= 1
                    unseen -= 1
            is_back = bool(following < 0)
            if is_back:
                at -= 1
            else:
                at += 1
                node[at], place[at] = following, -1
