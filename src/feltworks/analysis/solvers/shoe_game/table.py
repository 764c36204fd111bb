"""The figures of a table for any rules and shoe, and the answers to questions about its wagers.

`solver`, `rounds` and `chart` document what is optimised and what is fixed.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from feltworks.analysis.figures import Figures, Number, Outcome
from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.question import OPTIMAL, PRACTICAL, Answer, Question, is_practical, rules_in
from feltworks.analysis.referee import Law
from feltworks.analysis.shape import insurance_of, main_wager_of, waits_for_dealer
from feltworks.analysis.solvers.counts import mix_choices
from feltworks.analysis.solvers.fixed import FirstDeal
from feltworks.analysis.solvers.numbers import plain
from feltworks.analysis.solvers.shoe_game.bonus import bonus_figures, bonus_rules, dealer_law
from feltworks.analysis.solvers.shoe_game.chart import (
    Advice,
    Chart,
    basic_chart,
    codes_of,
    mimic_the_dealer,
    never_bust,
    plan_of,
)
from feltworks.analysis.solvers.shoe_game.dealer import by_value
from feltworks.analysis.solvers.shoe_game.hands import Values
from feltworks.analysis.solvers.shoe_game.pays import OVER
from feltworks.analysis.solvers.shoe_game.rounds import RoundFigures, figures
from feltworks.analysis.solvers.shoe_game.rules import DOUBLE, FACES, HIT, SPLIT, STAND, SURRENDER, VALUES, table_rules
from feltworks.analysis.solvers.shoe_game.solver import Plan, ShoeGame
from feltworks.analysis.strategy.lines import chart_in
from feltworks.cards import Card, Shoe
from feltworks.errors import BadOption, ImpossibleRound, UnknownName, one_of
from feltworks.hands.blackjack import points, total
from feltworks.hands.spot import CHOICES
from feltworks.rules.game import Game

STRATEGIES = ("basic", "mimic-the-dealer", "never-bust")


class TableAnalysis:
    """BJ.3: the main wager at one table with one shoe; results are cached.

    >>> from feltworks import catalog
    >>> from feltworks.cards import card, cards
    >>> six_decks = TableAnalysis(catalog.game("lucky-break"))
    >>> f"{six_decks.best.house_edge:.4%}", six_decks.advice(cards("8h 8d"), card("Tc")).choice
    ('0.4029%', 'split')
    """

    def __init__(self, game: Game, shoe: Shoe | None = None, *, exact: bool = False) -> None:
        """`exact` computes in fractions: for small shoes, since a full one takes minutes."""
        self.table = ShoeGame(game, shoe, exact=exact)

    @cached_property
    def plan(self) -> Plan:
        """The best play by exact cards."""
        return self.table.best_plan()

    @cached_property
    def best(self) -> RoundFigures:
        """The figures of the best play by exact cards."""
        return figures(self.table, self.plan)

    @cached_property
    def basic_strategy(self) -> Chart:
        """The best chart by totals and pairs."""
        return basic_chart(self.table)

    def strategy(self, name: str) -> Chart:
        """The chart of a named strategy; rules to remember are applied to basic strategy."""
        if is_practical(name):
            from feltworks.analysis.strategy.ladders import chart_ladder, chart_of_rules

            return chart_of_rules(chart_ladder(self, rules_in(name)).strategies[-1], self.basic_strategy)
        if name not in STRATEGIES:
            raise UnknownName("strategy", name, STRATEGIES)
        if name == "basic":
            return self.basic_strategy
        return never_bust() if name == "never-bust" else mimic_the_dealer(self.table.rules.dealer)

    def figures_under(self, chart: Chart) -> RoundFigures:
        """The figures of a player who follows a chart."""
        return figures(self.table, plan_of(self.table, codes_of(chart)))

    def advice(self, hand: Sequence[Card], up_card: Card) -> Advice:
        """The best choice for exactly these cards, unsplit, and the worth of every open choice.

        If the dealer peeks, the worth is conditional on no dealer's blackjack.
        """
        self.table.shoe.check_holds([*hand, up_card])
        if len(hand) < 2 or total(tuple(hand)).points > 21:
            raise ImpossibleRound("advice is for a hand of two cards or more and not over 21")
        table, up = self.table, points(up_card) - 1
        row = table.hands.row(*(points(face) - 1 for face in hand))
        if table.is_natural[row]:
            paid = table.pays.natural[OVER].net if table.rules.peeks else table.natural[row, up]
            return Advice(CHOICES[STAND], CHOICES[STAND], {CHOICES[STAND]: plain(paid)})
        values, may = self._values, table.open
        worths = {CHOICES[STAND]: values.stand[row, up]}
        choices = (HIT, values.hit, may.hit), (DOUBLE, values.double, may.double)
        for choice, worth, able in (*choices, (SURRENDER, table.surrender, may.surrender)):
            if able[row, up]:
                worths[CHOICES[choice]] = worth[row, up]
        if len(hand) == 2 and table.rules.may_split(*hand) and table.most_hands[points(hand[0]) - 1] > 1:
            worths[CHOICES[SPLIT]] = self._split(row, up)
        known = slice(row, row + 1)
        stand = values.stand[known]
        net, left = table.without_blackjack(stand, known)
        lost = (stand - net)[0, up]  # to a blackjack that ends the round before any choice
        given = {choice: plain((each - lost) / left[0, up]) for choice, each in worths.items()}
        chosen = max(given, key=lambda choice: (given[choice], -CHOICES.index(choice)))
        later = [choice for choice in CHOICES[: HIT + 1] if choice in given]
        return Advice(chosen, max(later, key=lambda choice: given[choice]), given)

    @cached_property
    def _values(self) -> Values:
        return self.table.values(self.plan.acts)

    def _split(self, row: int, up: int) -> Number:
        """The worth of splitting a pair, averaged over its kinds and the up cards of the value."""
        pairs = self.table.pairs
        mine = (self.table.pair_rows() == row) & (pairs.up == up)
        likely, worth = pairs.likely[mine], self.plan.split_values[mine]
        return plain((likely * worth).sum() / likely.sum())


def insurance(game: Game, *, shoe: Shoe | None = None, holding: Sequence[Card] = ()) -> Figures:
    """The figures of the wager on the dealer's first two cards that follows the main one, under its up cards.

    Before the player's cards are known, or given those in hand.

    >>> from feltworks import catalog
    >>> insurance(catalog.game("lucky-break")).house_edge
    Fraction(23, 311)
    """
    rules, wager = table_rules(game), insurance_of(game)
    left = by_value((game.terms.shoe if shoe is None else shoe).without(holding))
    ups = [up for up in VALUES if wager in rules.dealt[up].offered]
    if wager is None or not ups:
        raise ImpossibleRound(f"{game.terms.rulebook.title}: this table offers no {wager}")
    weighed = sum(left[up] for up in ups) * (sum(left) - 1)
    if not weighed:
        words = [FACES[up].rank.word for up in ups]
        against = one_of([f"{'an' if word[0] in 'ae' else 'a'} {word}" for word in words])
        raise ImpossibleRound(f"{wager} is offered against {against}, and the shoe holds none")
    ways_of: dict[tuple[str, Fraction], int] = {}
    for up in ups:
        for value in VALUES:
            pay = rules.dealer_pay(wager, up, value)
            ways = left[up] * (left[value] - (up == value))
            ways_of[pay.outcome, pay.net] = ways_of.get((pay.outcome, pay.net), 0) + ways
    return Figures.of([Outcome(name, Fraction(ways, weighed), net) for (name, net), ways in ways_of.items() if ways])


def hand_answer(question: Question, game: Game, progress: Progress | None = None) -> Answer:
    """Answers for the main wager, what follows it, or a wager on the dealer's hand under a strategy."""
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
    """The conduct of the hand beside such a wager; None if it only has to stay within the limit."""
    has_hand = main_wager_of(question.game) in question.stakes
    if not has_hand and question.beside:
        return None
    if chart is None and (has_hand or is_given_up(question)):
        return table.plan
    return chart


def is_given_up(question: Question) -> bool:
    """Whether a wager on the dealer's hand, alone and under best play, depends on surrendered hands."""
    alone = not question.beside and question.strategy == OPTIMAL
    return alone and bonus_rules(question.game, question.wager).surrendered_seat is not None


def _chart(question: Question, table: TableAnalysis) -> Chart | None:
    """The chart of the strategy; None for best play."""
    if question.plays is not None:
        return chart_in(question.strategy, question.plays.chart)
    if question.strategy == OPTIMAL:
        return None
    if question.strategy not in STRATEGIES and not is_practical(question.strategy):
        known = one_of((OPTIMAL, *STRATEGIES, f"{PRACTICAL}3", "the name of a .json file with a chart"))
        raise BadOption("--strategy", question.strategy, known)
    return table.strategy(question.strategy)


def law_beside(question: Question, game: Any, progress: Progress | None = None) -> Law | None:
    """The joint law of a spot's wagers except the main one; None if there are no others."""
    stakes = {name: cents for name, cents in question.stakes.items() if name != main_wager_of(game)}
    if later := [name for name in stakes if waits_for_dealer(game, name)]:
        return dealer_law(game, stakes, later[0], question.shoe, progress)
    if not stakes:
        return None
    situations = list(FirstDeal(game, stakes, question.shoe).situations())
    return mix_choices(situations, [situation.best(question.serving) for situation in situations])
