"""The worth of known cards in rounds that the machine walks card by card: exact, or sampled if that takes long.

If the round has a decision, the player knows the card when he decides. If it has none, he knows it before
the wager and chooses whether to wager, and on what.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from math import prod
from operator import add
from random import Random

import numpy as np

from feltworks.analysis.progress import Progress, Track
from feltworks.analysis.question import Question
from feltworks.analysis.shape import main_wager_of
from feltworks.analysis.solvers.counts import tables_of
from feltworks.cards import Card, Shoe
from feltworks.machine.peek import Glimpse, PeekWalk
from feltworks.machine.tables import State, Tables
from feltworks.machine.walk import Chooser, Walk, WalkTooLong
from feltworks.protection.knowledge import (
    BOARD,
    BURN,
    DEALER,
    HIT,
    LAST,
    NEIGHBOURS,
    NEXT,
    Grouping,
    Knowledge,
    Unfit,
    Worth,
    best_subsets,
    layers,
    part_neighbours,
    sampled_worth,
    subsets,
    worth_beside_neighbours,
)
from feltworks.rules.advance import advance
from feltworks.rules.round import BOARD as BOARD_PLACE
from feltworks.rules.round import DEALER as DEALER_PLACE
from feltworks.rules.round import FACE_DOWN, SEAT, Back, Round, Seat
from feltworks.rules.steps import Decide, Draw

_MOST_KINDS = 14  # of cards, to try all ways of sorting them
_DEALS = 100  # attempts to find a deal in which the seat decides
_MOST_VALUES = 1_000_000  # computed for an exact figure: about ten seconds
_FAR_TOO_MANY = 100  # times as many are refused if they cannot be sampled
_MOST_GROUPS = 10_000  # of known cards that are compared for equivalence
_LEAST_LOTS, _MOST_LOTS = 20, 1_000  # of known cards in a sample
_SAMPLES = 150  # draws of neighbours' hands, each with a walk through every round


class WalkWorth:
    """The worth of known cards to the player of one wager."""

    def __init__(self, question: Question, progress: Progress | None = None) -> None:
        self._question, self._unit, self._tell = question, question.unit, progress
        stakes, meters = tuple(question.stakes.items()), tuple(question.posted.items())
        self.tables: Tables = tables_of(question.game, stakes, meters)
        # The player optimizes the wager in question with all that follows from it
        self._serving = frozenset(question.group)

    @property
    def has_decision(self) -> bool:
        """Whether the player has a choice after the wager."""
        return any(state.choices for state in self.tables.states)

    @property
    def is_short(self) -> bool:
        """Whether there is one decision, and few enough kinds of cards to try all ways of sorting them."""
        return self.tables.has_one_decision and max(self.tables.kinds) < _MOST_KINDS

    def baseline(self) -> Fraction:
        """The edge of best play without any knowledge."""
        return _mean(Walk(self.tables, self._question.shoe, serving=self._serving), self._serving) / self._unit

    def worth(self, known: Sequence[Knowledge], samples: int | None = None, seed: int = 1) -> Worth:
        """The edge when cards, their groups or the hands of neighbours are known."""
        neighbours, cards = part_neighbours(known)
        if not self.has_decision:
            return self._before_wager(known, samples, seed)
        glimpses = self._glimpses(self._without_idle(cards))
        if neighbours:
            return self._beside_neighbours(neighbours, glimpses, samples or _SAMPLES, seed)
        return self._follow_cards(glimpses, samples, seed)

    def _peek(self, shoe: Shoe, glimpses: Mapping[Glimpse, Knowledge], choose: Chooser | None = None) -> PeekWalk:
        groups = [one.split(self.tables.faces) for one in glimpses.values()]
        return PeekWalk(
            self.tables, shoe, list(glimpses), groups, serving=self._serving, lying=self._lying, choose=choose
        )

    def _follow_cards(self, glimpses: Mapping[Glimpse, Knowledge], samples: int | None, seed: int) -> Worth:
        """The edge over all known cards; if there are too many, the mean gain over a sample."""
        seeing = self._peek(self._question.shoe, glimpses)
        plain = Walk(self.tables, self._question.shoe, serving=self._serving, kinds=seeing.kinds)
        base = _mean(plain, self._serving) / self._unit
        number = _samples_for(seeing, samples)
        if not number:
            return Worth(base, sum(self._totals([seeing], max), Fraction(0)) / self._unit)

        def choose(state: int, counts: tuple[int, ...]) -> int:
            return plain.best[(state, *counts)]

        blind = self._peek(self._question.shoe, glimpses, choose)
        return self._draw_lots([seeing, blind], lambda totals: totals[0] - totals[1], base, number, seed)

    def _totals(self, walks: Sequence[PeekWalk], worth: Callable[[Sequence[Fraction]], Fraction]) -> Iterator[Fraction]:
        """For each combination of groups of the known cards: `worth` of the walks' totals there."""
        weighed = [(prod(map(len, groups)), groups) for groups in product(*walks[0].groups)]
        for _, groups in Track(self._tell).branches(weighed):
            yield worth([walk.total(groups) for walk in walks])

    def _draw_lots(
        self,
        walks: Sequence[PeekWalk],
        gain: Callable[[Sequence[Fraction]], Fraction],
        base: Fraction,
        samples: int,
        seed: int,
        note: str = "",
    ) -> Worth:
        """Sample known cards, the first from equal layers of the shoe, and average the gain."""
        generator, deck, gains = np.random.default_rng(seed), self._question.shoe.all_cards(), list[float]()
        for _, layer in Track(self._tell).branches([(1, layer) for layer in layers(generator, samples).tolist()]):
            first, others = int(layer * len(deck)), len(walks[0].groups) - 1
            rest = generator.choice(np.delete(np.arange(len(deck)), first), others, replace=False)
            groups = walks[0].groups_of([deck[place] for place in (first, *rest.tolist())])
            cents = gain([walk.total(groups) for walk in walks]) * walks[0].orders / walks[0].ways(groups)
            gains.append(float(cents / self._unit))
        return sampled_worth(base, np.array(gains), note=note)

    def _without_idle(self, known: Sequence[Knowledge]) -> list[Knowledge]:
        """Leave out cards that lie deeper than the round draws: beside all that it draws they tell nothing more."""
        draws = self._draws_after_decision()
        drawn = range(1, len(draws) + 1)
        # Only where every card to come is one of the next, and all of these are known
        are_next = bool(draws) and not self._lying and not any(state.unseen[0] for state in self.tables.states)
        numbers = {one.number for one in known if one.place == NEXT and not one.groups}
        if not are_next or not numbers.issuperset(drawn):
            return list(known)
        return [one for one in known if one.place != NEXT or one.number in drawn]

    def _glimpses(self, known: Sequence[Knowledge]) -> dict[Glimpse, Knowledge]:
        """Find which cards after the decision are known; naming a card twice counts once."""
        glimpses: dict[Glimpse, Knowledge] = {}
        for one in known:
            for glimpse in self._glimpses_of(one):
                before = glimpses.setdefault(glimpse, one)
                if before.groups != one.groups:
                    raise Unfit(f"{before.text} and {one.text} are the same card here; name one of them")
        return glimpses

    def _glimpses_of(self, knowledge: Knowledge) -> list[Glimpse]:
        draws = self._draws_after_decision()
        # If all cards of the house are on the board, these count as the dealer's
        dealers = DEALER_PLACE if any(state.place == DEALER_PLACE for state in draws) else BOARD_PLACE
        cards = {place: sum(state.place == place for state in draws) for place in (dealers, BOARD_PLACE)}
        if knowledge.place == DEALER and knowledge.number <= cards[dealers]:
            return [Glimpse(number + 1, dealers) for number in range(knowledge.number)]
        if knowledge.place == HIT and cards[dealers] > 1:
            return [Glimpse(2, dealers)]
        if knowledge.place == NEXT:
            # If a seat always gets its card, turned or not, the next card is the seat's
            keeps_card = any(state.unseen[0] for state in self.tables.states)
            return [Glimpse(knowledge.number, SEAT if keeps_card else None)]
        if knowledge.place == BOARD and cards[BOARD_PLACE]:
            return [Glimpse(cards[BOARD_PLACE] if knowledge.number == LAST else 1, BOARD_PLACE)]
        title = self._question.game.terms.rulebook.title
        hidden = ["hole", HIT][: cards[dealers]] + [f"dealer:{number}" for number in range(2, cards[dealers] + 1)]
        hidden += ["board:first"] if cards[BOARD_PLACE] else []
        names = ", ".join([*hidden, NEXT, "order:N", f"{NEIGHBOURS}:N", BURN])
        raise Unfit(
            f"{title}: no such card as {knowledge.text} comes after a decision; "
            f"what can be known: {names}, or the group of one card"
        )

    @cached_property
    def _lying(self) -> frozenset[int]:
        """The states whose card already lies face down when the seat decides, if the seat can still draw.

        Such a card does not come from the shoe any more.
        """
        states, after = self.tables.states, self._after_decision()
        if not any(states[number].on_seat for number in after):
            return frozenset()
        backs, lying, seen = self._backs_at_decision(), set[int](), set[tuple[int, int]]()
        waiting = [(child, 0) for n, state in enumerate(states) if n not in after for _, child in state.choices]
        while waiting:
            number, came = waiting.pop()
            if came == backs or (number, came) in seen:
                continue
            seen.add((number, came))
            state = states[number]
            is_house = bool(state.after) and not state.on_seat
            lying |= {number} if is_house else set()
            waiting += [(child, came + is_house) for child in {*state.after, *(child for _, child in state.choices)}]
        return frozenset(lying)

    def _backs_at_decision(self) -> int:
        """How many cards lie face down when the seat decides; deals rounds until one reaches a decision."""
        game, deck = self._question.game, list(self._question.shoe.all_cards())
        for seed in range(_DEALS):
            r, cards = Round((Seat(dict(self._question.stakes)),), meters=self._question.posted), iter(deck)
            Random(seed).shuffle(deck)
            while isinstance(step := game.awaits(r), Draw):
                faces = [FACE_DOWN if step.down else next(cards) for _ in range(step.count)]
                r = advance(r, step, tuple(faces))
            if isinstance(step, Decide):
                return sum(isinstance(face, Back) for face in (*r.dealer, *r.board))
        return 0

    def _draws_after_decision(self) -> list[State]:
        """The states in which a card comes, on the longest path from a first decision."""
        states, best = self.tables.states, dict[int, list[State]]()
        for number, state in enumerate(states):  # a state's successors come before it in the list
            following = state.after or [child for _, child in state.choices]
            longest = max((best[child] for child in following), key=len, default=[])
            best[number] = [state, *longest] if state.after else longest
        return max((best[number] for number, state in enumerate(states) if state.choices), key=len, default=[])

    def _after_decision(self) -> set[int]:
        """The states that can come after a decision."""
        states, later = self.tables.states, set[int]()
        for number in range(len(states) - 1, -1, -1):
            state = states[number]
            if number in later or state.choices:
                later |= {*state.after, *(child for _, child in state.choices)}
        return later

    def _before_wager(self, known: Sequence[Knowledge], samples: int | None, seed: int) -> Worth:
        """The worth of cards known before the wager: in every group, the best main wager or none."""
        names = self._rivals()
        stakes = dict.fromkeys(names, self._unit)
        tables = tables_of(self._question.game, tuple(stakes.items()), tuple(self._question.posted.items()))
        cards = {glimpse: one for one in known for glimpse in self._early_glimpses(one, tables)}
        groups, base = [one.split(tables.faces) for one in cards.values()], self.baseline()
        if all(some is not None and len(some) == 1 for some in groups):
            return Worth(base, base, note="every card is in the group, so nothing is known")
        shoe, own = self._question.shoe, names.index(self._question.wager)
        try:
            walks = [PeekWalk(tables, shoe, list(cards), groups, serving=frozenset([name])) for name in names]
        except WalkTooLong as error:
            raise Unfit(f"{error}; --exposed CARDS and --sees burn tell what cards that are gone are worth") from None
        titles = [self._question.game.terms.rulebook.wager[name].title for name in names]
        note = f"known before the wager, which is then made on the best of {', '.join(titles)}, or not at all"
        best = partial(max, Fraction(0))
        if number := _samples_for(walks[0], samples):
            return self._draw_lots(walks, lambda totals: best(*totals) - totals[own], base, number, seed, note)
        edge = sum(self._totals(walks, lambda totals: best(*totals)), Fraction(0))
        return Worth(base, edge / self._unit, note=note)

    def _early_glimpses(self, knowledge: Knowledge, tables: Tables) -> list[Glimpse]:
        """Find which cards of the round are known, counted from its first card."""
        places = {state.place for state in tables.states if state.after}
        dealers = DEALER_PLACE if DEALER_PLACE in places else BOARD_PLACE
        number = knowledge.number
        if knowledge.place == NEXT:
            return [Glimpse(number, None, is_early=True)]
        if knowledge.place == DEALER and dealers in places:
            first = 2 if knowledge.is_hole else 1  # the first card is dealt face up
            return [Glimpse(first + at, dealers, is_early=True) for at in range(number)]
        if knowledge.place == BOARD and BOARD_PLACE in places and number != LAST:
            return [Glimpse(number, BOARD_PLACE, is_early=True)]
        words = "what can be known before it: next, order:N, burn, or the group of a card"
        words += ", dealer, hole" if dealers in places else ""
        words += ", board:first" if BOARD_PLACE in places else ""
        raise Unfit(
            f"nothing is decided after the {self._question.wager} wager, so {knowledge.text} is of no use; {words}"
        )

    def _rivals(self) -> list[str]:
        """The wagers that a player may choose among with the knowledge: all main ones, or only the bonus."""
        book, wager = self._question.game.terms.rulebook.wager, self._question.wager
        if book[wager].kind != book[main_wager_of(self._question.game)].kind:
            return [wager]
        return [name for name, entry in book.items() if entry.kind == book[wager].kind]

    def _beside_neighbours(
        self, neighbours: int, glimpses: Mapping[Glimpse, Knowledge], samples: int, seed: int
    ) -> Worth:
        """Sample neighbours' hands; compare best play that knows them with best play that does not.

        Without the knowledge the edge equals that of a full shoe, so only the difference is sampled.
        """
        shoe = self._question.shoe
        taken = neighbours * self._own_cards
        if shoe.total - taken < self._question.game.least_cards:
            raise Unfit(f"{neighbours} neighbours leave too few cards for a round")
        plain = Walk(self.tables, shoe, serving=self._serving)
        base = _mean(plain, self._serving) / self._unit

        def gain(gone: Sequence[Card]) -> float:
            left, out = shoe.without(gone), [0] * len(plain.counts)
            for card in gone:
                out[plain.kinds[self.tables.faces.index(card)]] += 1

            def choose(state: int, counts: tuple[int, ...]) -> int:
                return plain.best[(state, *map(add, counts, out))]

            walk = self._peek(left, glimpses) if glimpses else Walk(self.tables, left, serving=self._serving)
            best = walk.expectation() if isinstance(walk, PeekWalk) else _mean(walk, self._serving)
            same = _mean(Walk(self.tables, left, serving=self._serving, choose=choose), self._serving)
            return float((best - same) / self._unit)

        return worth_beside_neighbours(base, gain, shoe, taken, samples, seed, self._tell)

    @property
    def _own_cards(self) -> int:
        """How many cards a seat holds when it decides."""
        number, held = self.tables.start, 0
        while self.tables.states[number].after:
            held += self.tables.states[number].on_seat
            number = self.tables.states[number].after[0]
        return held

    def worst_groupings(self, knowledge: Knowledge, most: int = 5) -> list[Grouping]:
        """The ways to sort cards into two groups that gain the player most, one for each number of ranks."""
        (glimpse,) = self._glimpses([knowledge])
        walk = self._peek(self._question.shoe, {glimpse: knowledge})
        ways = subsets(len(walk.members))
        inside = np.zeros((len(walk.members), len(ways)))
        for place, chosen in enumerate(ways):
            inside[list(chosen), place] = 1
        edges = np.zeros(len(ways))
        for sight in walk.sights():
            worth = np.array(sight.worth, dtype=np.float64)
            edges += (worth @ inside).max(axis=0) + (worth @ (1 - inside)).max(axis=0)
        base, worths = float(self.baseline()), dict(zip(ways, (edges / self._unit).tolist(), strict=True))
        groupings = list[Grouping]()
        for chosen in best_subsets(ways, worths.values(), most):
            ranks = frozenset(face.rank for place in chosen for face in walk.members[place])
            groupings.append(Grouping(ranks, worths[chosen], worths[chosen] - base))
        return groupings


def _samples_for(walk: PeekWalk, wanted: int | None) -> int:
    """How many lots of known cards to sample; 0 if computing all of them is about as fast."""
    unlike, values = walk.work(_MOST_GROUPS)
    if values <= _MOST_VALUES:
        return 0
    number = wanted or max(_LEAST_LOTS, min(_MOST_LOTS, _MOST_VALUES * unlike // (2 * values)))
    if 2 * number < unlike:
        return number
    if values > _FAR_TOO_MANY * _MOST_VALUES:
        raise Unfit(f"these groups would take about {values:,} values to follow; ask about fewer cards, or one group")
    return 0


def _mean(walk: Walk, served: frozenset[str]) -> Fraction:
    """The mean net of the served wagers, in cents."""
    return sum(
        (
            chance * sum((line[2] for line in lines if line[0] in served), Fraction(0))
            for lines, chance in walk.law().items()
        ),
        Fraction(0),
    )
