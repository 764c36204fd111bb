"""Answers questions about wagers that wait for how hands are played, or for the dealer's hand.

A spot can have wagers that the up card decides beside one that waits for the dealer's whole hand. The
dealer's law is then wanted once for each value of the player's two cards and the up card, and for
one-suited hands once for those of the player's cards that are of the up card's suit. The player is taken to
keep within the limit of that wager.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import perm
from typing import Any

from feltworks.analysis.progress import Progress, Track, part_of
from feltworks.analysis.question import OPTIMAL, Answer, Question
from feltworks.analysis.referee import Law
from feltworks.analysis.shape import insurance_of, main_wager_of, waits_for_dealer
from feltworks.analysis.situations import mix_choices
from feltworks.analysis.solvers.first_deal import FirstDeal, Outcomes
from feltworks.analysis.solvers.shoe_game.chart import Chart
from feltworks.analysis.solvers.shoe_game.dealer import Counts, by_value, growths, weigh, without
from feltworks.analysis.solvers.shoe_game.dealer_bonus import Made, bonus_figures, bonus_rules
from feltworks.analysis.solvers.shoe_game.rules import DealerRules
from feltworks.analysis.solvers.shoe_game.solver import Plan
from feltworks.analysis.solvers.shoe_game.table import STRATEGIES, TableAnalysis, insurance
from feltworks.analysis.strategy.chart_file import chart_in
from feltworks.cards import Card, Shoe, Suit
from feltworks.errors import BadOption, FeltError, ImpossibleRound, one_of
from feltworks.hands.blackjack import points
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Seat

CardValues = tuple[int, ...]
# By how the others came out and the player's two values; and by the up card's suit, the player's values in it
Deals = tuple[Counter[tuple[Outcomes, CardValues]], Counter[tuple[Outcomes, Counts, CardValues]]]
_MOST_DRAWN = 25  # cards a dealer can draw to the up card


def dealer_law(game: Any, stakes: Mapping[str, Cents], later: str, shoe: Shoe, progress: Progress | None = None) -> Law:
    """The joint law of a spot of which one wager is decided by the dealer's completed hand."""
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
    """By up card: in how many ways the deals come about, by all that the dealer's law depends on."""
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
    """In how many orders of further cards the dealer completes each hand, the first three being out."""

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


def hand_answer(question: Question, game: Game[Any], progress: Progress | None = None) -> Answer:
    """The main wager, what follows it, or one on the dealer's hand, which a strategy touches by its limit."""
    if question.wager == insurance_of(game):
        return Answer(insurance(game, shoe=question.shoe))
    table = TableAnalysis(game, question.shoe)
    chart = _chart(question, table)
    law = law_beside(question, game, part_of(progress, 0, 2)) if question.beside else None
    notes = {"table": table, "chart": chart}
    if waits_for_dealer(game, question.wager):
        conduct = _conduct(question, table, chart)
        last = part_of(progress, 1, 2) if question.beside else progress
        figures = bonus_figures(game, shoe=question.shoe, strategy=conduct, progress=last)
        return Answer(figures, law=law, notes=notes if main_wager_of(game) in question.stakes else {})
    return Answer(table.best if chart is None else table.figures_under(chart), law=law, notes=notes)


def _conduct(question: Question, table: TableAnalysis, chart: Chart | None) -> Chart | Plan | None:
    """How the hand beside such a wager is played; None where all that counts is that it keeps its limit."""
    has_hand = main_wager_of(question.game) in question.stakes
    if not has_hand and question.beside:
        return None
    if chart is None and (has_hand or is_given_up(question)):
        return table.plan
    return chart


def is_given_up(question: Question) -> bool:
    """Whether a wager on the dealer's hand, alone under best play, depends on which hands are surrendered."""
    alone = not question.beside and question.strategy == OPTIMAL
    return alone and bonus_rules(question.game, question.wager).surrendered_seat is not None


def _chart(question: Question, table: TableAnalysis) -> Chart | None:
    """How the strategy plays; None for best play."""
    if question.plays is not None:
        return chart_in(question.strategy, question.plays.chart)
    if question.strategy == OPTIMAL:
        return None
    if question.strategy not in STRATEGIES:
        known = one_of((OPTIMAL, *STRATEGIES, "the name of a .json file with a chart"))
        raise BadOption("--strategy", question.strategy, known)
    return table.strategy(question.strategy)


def law_beside(question: Question, game: Any, progress: Progress | None = None) -> Law | None:
    """The wagers of a spot together, all but the main one; None where that is alone."""
    stakes = {name: cents for name, cents in question.stakes.items() if name != main_wager_of(game)}
    if later := [name for name in stakes if waits_for_dealer(game, name)]:
        return dealer_law(game, stakes, later[0], question.shoe, progress)
    if not stakes:
        return None
    situations = list(FirstDeal(game, stakes, question.shoe).situations())
    return mix_choices(situations, [situation.best(question.serving) for situation in situations])
