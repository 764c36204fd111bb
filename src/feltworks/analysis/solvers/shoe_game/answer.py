"""Answers questions about wagers that wait for how hands are played, or for the dealer's hand.

A spot can have wagers that the up card decides beside one that waits for the dealer's whole hand. The
dealer's law is then wanted once for each value of the player's two cards and the up card, and for
one-suited hands once for those of the player's cards that are of the up card's suit. The player is taken to
keep within the limit of that wager.
"""

from collections import Counter
from collections.abc import Mapping
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
from feltworks.analysis.solvers.shoe_game.chart import Chart, FixedPlay, play_of_plan
from feltworks.analysis.solvers.shoe_game.dealer import by_value, growths, weigh
from feltworks.analysis.solvers.shoe_game.dealer_bonus import Made, bonus_figures, bonus_rules
from feltworks.analysis.solvers.shoe_game.table import STRATEGIES, TableAnalysis, insurance
from feltworks.analysis.strategy.chart_file import chart_in
from feltworks.cards import Card, Shoe, Suit
from feltworks.errors import BadOption, FeltError, ImpossibleRound, one_of
from feltworks.hands.blackjack import points
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Seat

CardValues = tuple[int, ...]
Deal = tuple[Outcomes, CardValues]  # the player's two values, then the up card's
# With the suit's counts, the player's values in it and the up card's value
SuitedDeal = tuple[Outcomes, CardValues, CardValues, int]
_MOST_DRAWN = 25  # cards a dealer can draw to the up card


def dealer_law(
    game: Any, stakes: Mapping[str, Cents], later: str, shoe: Shoe, progress: Progress | None = None
) -> Law:
    """The joint law of a spot of which one wager is decided by the dealer's completed hand."""
    return _DealerSpot(game, stakes, later, shoe).joint_law(progress)


class _DealerSpot(FirstDeal):
    def __init__(self, game: Any, stakes: Mapping[str, Cents], later: str, shoe: Shoe) -> None:
        super().__init__(game, {name: cents for name, cents in stakes.items() if name != later}, shoe)
        if asking := [name for name in self.judges if name not in stakes]:
            raise FeltError(f"{later} is not analysed beside a wager that {one_of(asking)} follows from")
        self.later, self.staked, self.bonus = later, stakes, bonus_rules(game, later)
        self.left = shoe.total - 3
        self.draws = perm(self.left, min(self.left, _MOST_DRAWN))
        self.made = cache(self._count_totals)
        self.suited = cache(self._count_suited)

    def joint_law(self, progress: Progress | None = None) -> Law:
        """Every deal's outcomes with every hand the dealer can come to."""
        weights: Counter[tuple[Outcomes, Made]] = Counter()
        for _, (every, one_suited) in Track(progress).branches([(1, deals) for deals in self._deals()]):
            for (outcomes, values), ways in every.items():
                for total, likely in self.made(values).items():
                    weights[outcomes, (total, 0)] += ways * likely
            for (outcomes, held, gone, up), ways in one_suited.items():
                for (total, size), likely in self.suited(held, gone, up).items():
                    weights[outcomes, (total, size)] += ways * likely
                    weights[outcomes, (total, 0)] -= ways * likely
        law, deals = Law(), perm(self.shoe.total, 3) * self.draws
        for (outcomes, made), weight in weights.items():
            named = dict([*outcomes, (self.later, self.bonus.judge(self.bonus.standing_seat, made).outcome)])
            settled = self.settlement(Seat(self.staked), named)
            law[settled] = law.get(settled, Fraction(0)) + Fraction(weight, deals)
        return {settled: chance for settled, chance in law.items() if chance}

    def _deals(self) -> list[tuple[Counter[Deal], Counter[SuitedDeal]]]:
        """By up card: in how many ways the deals come about, by all that the dealer's law depends on."""
        by_up_card = [(Counter[Deal](), Counter[SuitedDeal]()) for _ in range(10)]
        by_suit = {suit: by_value(self.shoe, suit) for suit in Suit}
        for first, firsts in self.drawable(()):
            for second, seconds in self.drawable((first,)):
                for up, ups in self.drawable((first, second)):
                    assert up.suit is not None
                    outcomes, ways = self.outcomes((first, second), up), firsts * seconds * ups
                    mine = [face for face in (first, second) if face.suit is up.suit]
                    value = points(up) - 1
                    every, one_suited = by_up_card[value]
                    every[outcomes, (*_values([first, second]), value)] += ways
                    one_suited[outcomes, by_suit[up.suit], _values(mine), value] += ways
        return by_up_card

    def _count_totals(self, values: CardValues) -> Counter[int]:
        *gone, up = values
        counts = list(by_value(self.shoe))
        for value in gone:
            counts[value] -= 1
        totals: Counter[int] = Counter()
        for (total, _), ways in self._ways(counts, up).items():
            totals[total] += ways
        if totals.total() != self.draws:
            raise ImpossibleRound("the shoe can run out before the dealer's hand is complete")
        return totals

    def _count_suited(self, held: CardValues, gone: CardValues, up: int) -> dict[Made, int]:
        counts = list(held)
        for value in gone:
            counts[value] -= 1
        return {made: ways for made, ways in self._ways(counts, up).items() if made[0]}

    def _ways(self, counts: list[int], up: int) -> dict[Made, int]:
        """How often the dealer completes each total in so many of these cards, of all `draws`."""
        # The up card is any card of its value
        weighed = weigh(growths(up, self.bonus.rules.dealer), tuple(counts))
        return {made: ways // counts[up] * self._rest(made[1] - 1) for made, ways in weighed.items()}

    def _rest(self, drawn: int) -> int:
        """In how many orders the cards behind those drawn can lie, as far as they are counted."""
        return perm(self.left - drawn, min(self.left, _MOST_DRAWN) - drawn)


def _values(held: list[Card]) -> CardValues:
    return tuple(sorted(points(face) - 1 for face in held))


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


def _conduct(question: Question, table: TableAnalysis, chart: Chart | None) -> Chart | FixedPlay | None:
    """How the hand beside such a wager is played; None where all that counts is that it keeps its limit."""
    has_hand = main_wager_of(question.game) in question.stakes
    if not has_hand and question.beside:
        return None
    if chart is None and (has_hand or is_given_up(question)):
        return play_of_plan(table.table, table.plan)
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
