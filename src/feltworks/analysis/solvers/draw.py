"""The draw solver: a seat discards some cards of its hand once, and the final hand is paid.

It serves every game of that shape. For each class of cards (`streets.growth`) it counts once the whole hands of each
result that contain them; inclusion and exclusion then gives those with the cards kept and none of the discards.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb, factorial, gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltworks.analysis.figures import Figures, Outcome, outcome_name
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.referee import Law, net, reprice
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.hands import DealtHands, hand_classes
from feltworks.analysis.solvers.streets.growth import growth
from feltworks.analysis.solvers.streets.tree import SpotRounds, best_play, sample_hands
from feltworks.analysis.strategy.decisions import chooser
from feltworks.analysis.strategy.file import Cards, Chooser
from feltworks.cards import Rank, Shoe
from feltworks.errors import FeltError, ImpossibleRound
from feltworks.hands.poker import PAIR
from feltworks.machine.walk import Settled
from feltworks.money import Cents
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round
from feltworks.rules.sights import PlayerView
from feltworks.rules.steps import Decide, Draw, Offer

_LARGEST = 2**63 - 1


class NoDraw(FeltError):
    """The game or wager has no single exchange of cards, and needs another solver."""


class DrawRounds(SpotRounds):
    """The rounds of one spot with a draw."""

    error, shape = NoDraw, "not a hand with one draw"

    def __init__(self, game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents]) -> None:
        super().__init__(game, wagers, meters)
        self.ranking = self._poker_ranking()
        self.samples = list(sample_hands(game.terms.shoe, self.ranking.size))
        _, step = self._deal(self.samples[0])
        if step is None or not any(offer.cards for offer in step.offers):
            raise self.refusal("no cards are chosen after the deal")
        self.offers: tuple[Offer, ...] = step.offers
        self._step, self.about = step, step.about
        stand = next((offer for offer in self.offers if not offer.cards), None)
        if stand is None:
            raise self.refusal("nobody may keep all cards")
        self.stand = stand
        self._check()

    def finished_round(self, hand: Cards, offer: Offer, drawn: Cards) -> Round:
        """The round of a first hand, a choice and the cards that replace the discards."""
        r, step = self._deal(hand)
        if step != self._step:
            raise self.refusal("what is offered changes with the cards")
        r = advance(r, step, Choice(offer.name, offer.most, step.about))
        if drawn:
            after = self.game.awaits(r)
            if after != Draw(0, len(drawn)):
                raise self.refusal("discards are not replaced one by one")
            r = advance(r, after, drawn)
        if self.game.awaits(r) is not None:
            raise self.refusal("the round goes on after the draw")
        return r

    def result(self, hand: Cards, offer: Offer, drawn: Cards) -> Settled:
        """How every wager is settled in that round."""
        return self.settle(self.finished_round(hand, offer, drawn))

    def _deal(self, hand: Cards) -> tuple[Round, Decide | None]:
        step = self.game.awaits(self._opened)
        if step != Draw(0, len(hand)):
            raise self.refusal("a seat is not dealt one whole hand face up")
        r = advance(self._opened, Draw(0, len(hand)), hand)
        after = self.game.awaits(r)
        return r, after if isinstance(after, Decide) else None

    def _check(self) -> None:
        """Refuse money on the draw, discards limited to some cards, and results that need more than the final hand."""
        if any(offer.wager for offer in self.offers):
            raise self.refusal("a choice puts money down")
        sizes = Counter(len(offer.cards) for offer in self.offers)
        if any(number != comb(self.ranking.size, size) for size, number in sizes.items()):
            raise self.refusal("not every card may be discarded that another may")
        for number, hand in enumerate(self.samples[:-1]):
            offer, others = self.offers[number % len(self.offers)], self.samples[number + 1]
            drawn = others[: len(offer.cards)]
            whole = (*(card for place, card in enumerate(hand) if place not in offer.cards), *drawn)
            if self.result(hand, offer, drawn) != self.result(whole, self.stand, ()):
                raise self.refusal("what is paid goes by more than the hand after the draw")


class DrawSolver:
    """The exact law of a spot under best play, and the value of each choice with any cards."""

    def __init__(
        self,
        game: Game,
        wagers: Mapping[str, Cents],
        shoe: Shoe,
        *,
        meters: Mapping[str, Cents] | None = None,
        serving: frozenset[str] | None = None,
    ) -> None:
        self.rounds = DrawRounds(game, wagers, meters or {})
        ranking = self.rounds.ranking
        self.size, self._serving = ranking.size, serving
        needed = self.size + max(len(offer.cards) for offer in self.rounds.offers)
        if shoe.total < needed:
            title = game.terms.rulebook.title
            raise ImpossibleRound(f"a round of {title} takes {needed} cards or more; the shoe holds {shoe.total}")
        self.classes, self._growth = hand_classes(shoe, ranking), growth(shoe, ranking.size, ranking.wild)
        self._left = shoe.total - self.size
        self._results, self.result_of_value = self._settle_values()
        self.names = [offer.name for offer in self.rounds.offers]
        self._price()
        self.picks = self._pick_best()

    def _price(self) -> None:
        """Compute the total nets by class of cards from the nets of the results."""
        exact = [net(result, self._serving) for result in self._results]
        scale = lcm(*(net.denominator for net in exact))
        self.unit = Fraction(gcd(*(int(net * scale) for net in exact)) or 1, scale)
        self._nets = [int(net / self.unit) for net in exact]
        hands, most = self.classes.hands, max(map(abs, self._nets))
        whole: Any = np.int64 if most * factorial(self.size) * int(hands.sum()) <= _LARGEST else object
        nets: Ints = np.array(self._nets, whole)[self.result_of_value[self.classes.value]]
        self._net_by_size = self._sum_by_size(nets * hands)

    def reprice(self, game: Game) -> "DrawSolver":
        """A solver with the same counts and best play for another pay table that judges hands alike."""
        again = copy(self)
        vars(again).pop("law", None)
        again.rounds = copy(self.rounds)
        again.rounds.game = game
        again._results = [reprice(result, game.pays) for result in self._results]
        again._price()
        again.picks = again._pick_best()
        return again

    def _settle_values(self) -> tuple[list[Settled], Ints]:
        """The distinct results of whole hands, and the index of the result of each value."""
        numbers, result = dict[Settled, int](), self.rounds.result
        hands, stand = self.classes.examples, self.rounds.stand
        of_value = [numbers.setdefault(result(hand, stand, ()), len(numbers)) for hand in hands]
        return list(numbers), np.array(of_value)

    @cached_property
    def _counts(self) -> list[list[Ints]]:
        """By result, number of cards and their class: how many whole hands that contain these cards have it."""
        result, hands = self.result_of_value[self.classes.value], self.classes.hands
        return [self._sum_by_size(np.where(result == place, hands, 0)) for place in range(len(self._results))]

    def _sum_by_size(self, summed: Ints) -> list[Ints]:
        """By number of cards and their class: the sum over the whole hands that contain these cards."""
        by_size = [summed[:, None]]
        for held in range(self.size, 0, -1):
            by_size.append(self._growth.sum_next(by_size[-1], held, held - 1))
        sizes = enumerate(zip(reversed(by_size), self._growth.hands, strict=True))
        return [each[:, 0] // (dealt.hands * factorial(self.size - held)) for held, (each, dealt) in sizes]

    @cached_property
    def _subset_rows(self) -> dict[tuple[int, ...], Ints]:
        """By card positions: for each class of whole hands, the class of the cards at these positions."""
        dealt = self._growth.hands[self.size]
        ranks, columns = len(dealt.ranks), len(dealt.holdings)
        held = [holdings.held[dealt.holding[:, column]] for column, holdings in enumerate(dealt.holdings)]
        counts = np.concatenate([*held, dealt.wild[:, None]], axis=1)
        width = counts.shape[1]
        faces = np.repeat(np.tile(np.arange(width), len(dealt)), counts.ravel()).reshape(len(dealt), self.size)
        rows = {}
        for count in range(self.size + 1):
            for places in combinations(range(self.size), count):
                codes = np.zeros((len(dealt), columns), dtype=np.int64)
                wild = np.zeros(len(dealt), dtype=np.int64)
                for place in places:
                    column, rank = np.divmod(faces[:, place], ranks)
                    is_wild = faces[:, place] == width - 1
                    wild += is_wild
                    natural = np.flatnonzero(~is_wild)
                    codes[natural, column[natural]] += 1 << 4 * rank[natural]
                rows[places] = self._growth.rows_of(codes, wild, count)
        return rows

    def _sum_over(self, by_size: Sequence[Ints], discards: Sequence[int], chosen: Ints | slice) -> Ints:
        """The sum of `by_size` over hands that hold all other cards and no discard."""
        kept = [place for place in range(self.size) if place not in discards]
        total: Any = 0
        for count in range(len(discards) + 1):
            for back in combinations(discards, count):
                rows = self._subset_rows[tuple(sorted((*kept, *back)))][chosen]
                total = total + (-1) ** count * by_size[len(kept) + count][rows]
        summed: Ints = total
        return summed

    def kept_by(self, offer: Offer) -> tuple[int, ...]:
        """The positions of the cards that an offer keeps."""
        return tuple(place for place in range(self.size) if place not in offer.cards)

    def rows_of(self, places: tuple[int, ...]) -> Ints:
        """By class of whole hands: the class of the cards at these positions."""
        return self._subset_rows[places]

    def hands_of(self, held: int) -> DealtHands:
        """The classes of `held` cards."""
        return self._growth.hands[held]

    def high_ranks(self) -> frozenset[Rank]:
        """The ranks whose pair pays more than the lowest pair."""
        pairs = [
            (value.ranks[0], self._nets[self.result_of_value[place]])
            for place, value in enumerate(self.classes.values)
            if value.category == PAIR.name
        ]
        least = min((net for _, net in pairs), default=0)
        return frozenset(rank for rank, net in pairs if net > least)

    def nets_by_value(self) -> Ints:
        """By value of a whole hand: its net, in units."""
        nets: Ints = np.array(self._nets, np.int64)[self.result_of_value]
        return nets

    def best_worth(self) -> NDArray[np.float64]:
        """By class of hands: the mean net of its choice, in cents."""
        worth = np.zeros(len(self.classes))
        for place, offer in enumerate(self.rounds.offers):
            chosen = np.flatnonzero(self.picks == place)
            ways = comb(self._left, len(offer.cards))
            worth[chosen] = self._sum_over(self._net_by_size, offer.cards, chosen) / ways * float(self.unit)
        return worth

    def play_by(self, picks: Ints) -> "DrawSolver":
        """A solver with the same counts that plays each class of hands by these picks."""
        again = copy(self)
        vars(again).pop("law", None)
        again.picks = picks
        return again

    def _pick_best(self) -> Ints:
        """The index of the best choice for each class of hands; on a tie, the one offered first."""
        ways = [comb(self._left, len(offer.cards)) for offer in self.rounds.offers]
        common = lcm(*ways)
        highest = max(common, 2**self.size * int(self.classes.hands.sum()))
        whole: Any = np.int64 if max(map(abs, self._nets)) * highest <= _LARGEST else object
        by_size = [each.astype(whole) for each in self._net_by_size]
        picks, best = np.zeros(len(self.classes), dtype=np.int64), None
        for place, (offer, number) in enumerate(zip(self.rounds.offers, ways, strict=True)):
            worth = self._sum_over(by_size, offer.cards, slice(None)) * (common // number)
            if best is None:
                best = worth
                continue
            better = worth > best
            picks[better], best = place, np.where(better, worth, best)
        return picks

    def picks_of(self, strategy: Chooser) -> Ints:
        """The index of the choice that a strategy makes for each class of hands."""
        names, about = tuple(self.names), self.rounds.about
        chosen = [
            strategy(PlayerView(self.classes.cards(row), (), names, (), about)) for row in range(len(self.classes))
        ]
        if unknown := set(chosen) - set(self.names):
            raise FeltError(f"the strategy says {min(unknown)!r}, which is not offered")
        return np.array([self.names.index(name) for name in chosen])

    @cached_property
    def law(self) -> Law:
        """The probability of each settlement of all wagers."""
        law: Law = {}
        deals = int(self.classes.hands.sum())
        for place, offer in enumerate(self.rounds.offers):
            chosen = np.flatnonzero(self.picks == place)
            if not len(chosen):
                continue
            for result, counts in zip(self._results, self._counts, strict=True):
                drawn = self._sum_over(counts, offer.cards, chosen).astype(object)
                if ways := int(drawn @ self.classes.hands[chosen].astype(object)):
                    whole = deals * comb(self._left, len(offer.cards))
                    law[result] = law.get(result, Fraction(0)) + Fraction(ways, whole)
        return law

    def figures_of(self, group: frozenset[str], unit: Cents) -> Figures:
        """The figures of some of the spot's wagers together, per unit."""
        outcomes = []
        for result, chance in self.law.items():
            lines = [line for line in result if line.wager in group]
            name = outcome_name([(line.wager, line.outcome) for line in lines])
            net = sum((line.net for line in lines), Fraction(0)) / unit
            outcomes.append(Outcome(name, chance, net, Fraction(sum(line.wagered for line in lines), unit)))
        return Figures.of(outcomes)

    def worth(self, hand: Cards) -> dict[str, Fraction]:
        """The value of each choice with these cards, in cents."""
        held = {places: self._growth.row_of([hand[place] for place in places]) for places in _subsets(len(hand))}
        worth = {}
        for offer in self.rounds.offers:
            kept, total = self.kept_by(offer), 0
            for back in _subsets(len(offer.cards)):
                places = tuple(sorted((*kept, *(offer.cards[place] for place in back))))
                total += (-1) ** len(back) * int(self._net_by_size[len(places)][held[places]])
            worth[offer.name] = total * self.unit / comb(self._left, len(offer.cards))
        return worth


def _subsets(size: int) -> Iterator[tuple[int, ...]]:
    for count in range(size + 1):
        yield from combinations(range(size), count)


def draw_solver(
    game: Game,
    wagers: Mapping[str, Cents],
    shoe: Shoe,
    meters: Mapping[str, Cents],
    serving: frozenset[str] | None = None,
    strategy: Chooser | None = None,
) -> DrawSolver:
    """The solver of a spot; cached, so that a simulation, its exact figures and all strategies share the counts."""
    best: DrawSolver = best_play(DrawSolver, game, tuple(wagers.items()), shoe, tuple(meters.items()), serving)
    return best if strategy is None else best.play_by(best.picks_of(strategy))


def draw_answer(question: Question) -> Answer:
    """The figures of a wager that a hand with one draw decides."""
    DrawRounds(question.game, question.stakes, question.posted)  # refuse before any work is done
    follow = chooser(question) if question.plays or question.strategy != "optimal" else None
    served = frozenset(question.serving)
    solved = draw_solver(question.game, question.stakes, question.shoe, question.posted, served, follow)
    law = solved.law if question.beside else None
    return Answer(solved.figures_of(question.group, question.unit), notes={"draw": solved}, law=law)
