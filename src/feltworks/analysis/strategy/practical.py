"""Practical strategies: the shortest lists of rules a person can remember, each with its exact cost.

`search` runs over a vocabulary three times: with phrases that have one thing to remember, with up to two, and
with all. A list is reported only if it costs less than every list with fewer rules or less to remember.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from math import gcd, lcm

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.figures import Figures, Number
from feltworks.analysis.joint import law_figures
from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.counts import mix_choices
from feltworks.analysis.solvers.numbers import Bools
from feltworks.analysis.solvers.showdown.solver import Showdown
from feltworks.analysis.strategy.optimal import SolvedSight, Strategy, optimal_strategy
from feltworks.analysis.strategy.phrases import Vocabulary, fits_all
from feltworks.analysis.strategy.search import RuleSearch
from feltworks.rules.sights import Phrase, PlayerView, player_view

MOST_RULES = 8
_BURDENS = (1, 2, 9)  # the most things to remember in one phrase, for each search


class PracticalRule(Struct, frozen=True):
    """A phrase and its choice; where the choice is not open, the next rule applies."""

    phrase: Phrase
    choice: str


class PracticalStrategy(Struct, frozen=True):
    """A list of rules, of which the first that fits decides, and its cost compared with best play.

    `cost` and `house_edge` are per unit of the wager in question; the cost covers all wagers that decisions
    are made for, the edge only the wager itself.
    """

    rules: tuple[PracticalRule, ...]
    otherwise: str
    cost: Number
    house_edge: Number
    vocabulary: Vocabulary

    @property
    def burden(self) -> int:
        """The number of things to remember."""
        return sum(rule.phrase.burden for rule in self.rules)

    @property
    def words(self) -> str:
        """The whole list as one sentence."""
        return sentence(self.rules, self.otherwise, self.vocabulary)

    def __call__(self, view: PlayerView) -> str:
        """Returns the list's choice for a hand; if its last choice is not open, the one that wagers least."""
        features = self.vocabulary.of(view)
        for rule in self.rules:
            if rule.choice in view.offers and rule.phrase.fits(features):
                return rule.choice
        return self.otherwise if self.otherwise in view.offers else view.offers[0]


def sentence(rules: Sequence[PracticalRule], otherwise: str, words: Vocabulary) -> str:
    """Writes rules as a sentence: raise with a pair of sixes or better, or with …; otherwise fold."""
    if not rules:
        return f"always {words.verb(otherwise)}"
    parts = [
        f"{words.verb(choice)} {', or '.join(rule.phrase.words for rule in run)}"
        for choice, run in groupby(rules, key=lambda rule: rule.choice)
    ]
    return "; ".join([*parts, f"otherwise {words.verb(otherwise)}"])


class Ladder(Struct, frozen=True):
    """Practical strategies from the shortest on, and a lower bound of their cost in this vocabulary."""

    strategies: tuple[PracticalStrategy, ...]
    least_cost: Number
    most_rules: int

    @property
    def remark(self) -> str:
        """Explains why no longer list follows."""
        if not self.strategies:
            return "Rules in few words are sought where one decision goes by the hand alone."
        last = self.strategies[-1].cost
        if last == 0:
            return "The last list plays as well as can be played."
        if last == self.least_cost:
            return "The rest of the cost lies in hands that these words do not tell apart."
        if len(self.strategies[-1].rules) < self.most_rules:
            return "No further rule in these words saves anything that the search has found."
        return f"The search stops at {self.most_rules} rules; more would save more."


NO_RULES = Ladder((), Fraction(0), 0)


def practical_strategies(question: Question, most_rules: int = MOST_RULES) -> list[PracticalStrategy]:
    """Finds lists of rules for a wager, each cheaper than the one before.

    >>> from feltworks import catalog
    >>> table = catalog.game("acey-deucey-21", pay_tables={"acey-deucey": "1B"})
    >>> practical_strategies(Question(table, "acey-deucey"))[0].words
    'check with a spread of 5 or less; otherwise raise'
    """
    return list(ladder(optimal_strategy(question), most_rules).strategies)


def ladder(strategy: Strategy, most_rules: int = MOST_RULES, progress: Progress | None = None) -> Ladder:
    """Finds the practical strategies of a wager from its best strategy."""
    lists, least_cost = rule_lists(strategy.decided, strategy.vocabulary, most_rules, progress)
    practical = [_practical(strategy, *one) for one in lists]
    return Ladder(efficient_lists(practical), least_cost, most_rules)


def rule_lists(
    decided: Sequence[SolvedSight], words: Vocabulary, most_rules: int, progress: Progress | None = None
) -> tuple[list[tuple[tuple[PracticalRule, ...], str, Fraction]], Fraction]:
    """Returns the rules, last choice and cost of each list, and the least cost that this vocabulary allows."""
    table = _Regrets(decided, words)
    lists = [
        one
        for number, burden in enumerate(_BURDENS)
        for one in table.lists(burden, most_rules, part_of(progress, number, len(_BURDENS)))
    ]
    return lists, table.least_cost


def efficient_lists(strategies: Sequence[PracticalStrategy]) -> tuple[PracticalStrategy, ...]:
    """Returns the lists that cost less than every list with less to remember."""
    efficient: list[PracticalStrategy] = []
    for one in sorted(strategies, key=lambda one: (len(one.rules), one.burden, one.cost)):
        if not efficient or one.cost < efficient[-1].cost:
            efficient.append(one)
    return tuple([one for one in efficient if one.rules] or efficient)


def _practical(
    strategy: Strategy, rules: tuple[PracticalRule, ...], otherwise: str, cost: Fraction
) -> PracticalStrategy:
    """Adds the cost to the best edge if no other wager shares the decisions; else computes the wager's edge."""
    edge = strategy.answer.figures.house_edge + cost
    practical = PracticalStrategy(rules, otherwise, cost, edge, strategy.vocabulary)
    if not strategy.question.beside:
        return practical
    return replace(practical, house_edge=figures_under(strategy, practical).house_edge)


def figures_under(strategy: Strategy, practical: PracticalStrategy) -> Figures:
    """Computes the exact figures of the wager in question when the list decides every situation."""
    question = strategy.question
    solved = strategy.answer.notes.get("showdown")
    if isinstance(solved, Showdown):
        return solved.play_by(practical).figures_of(question.wager)
    situations = strategy.answer.situations
    choices = [practical(player_view(each.shown, list(each.laws))) for each in situations]
    return law_figures(mix_choices(situations, choices), question.group, question.unit)


class _Regrets:
    """The input of the search: the loss of each choice in each situation, in whole numbers.

    Equivalent phrases are listed once, and situations that no phrase distinguishes are merged.
    """

    def __init__(self, decided: Sequence[SolvedSight], words: Vocabulary) -> None:
        cases = [sight for sight in decided if len(sight.values) > 1]
        self.choices = list(dict.fromkeys(name for sight in cases for name in sight.view.offers))
        columns = words.columns([sight.view for sight in cases])
        fits = np.array([fits_all(phrase, columns) for phrase in words.phrases])
        speaks = np.array([[words.says(phrase, name) for name in self.choices] for phrase in words.phrases])
        places = _distinct_phrases(fits, speaks)
        self.phrases, self.speaks = [words.phrases[place] for place in places], speaks[places]
        offered = np.array([[name in each.values for each in cases] for name in self.choices])
        self.fits, self.regrets = _merge_situations(fits[places], offered, self._whole(cases))

    def _whole(self, cases: Sequence[SolvedSight]) -> list[list[int]]:
        regrets = [
            [
                sight.probability * (sight.optimum - sight.values[name]) if name in sight.values else Fraction(0)
                for sight in cases
            ]
            for name in self.choices
        ]
        self.divisor = lcm(*(regret.denominator for row in regrets for regret in row))
        whole = [[int(regret * self.divisor) for regret in row] for row in regrets]
        self.unit = gcd(*(regret for row in whole for regret in row)) or 1
        return [[regret // self.unit for regret in row] for row in whole]

    def lists(
        self, burden: int, most_rules: int, progress: Progress | None = None
    ) -> Iterator[tuple[tuple[PracticalRule, ...], str, Fraction]]:
        """Yields the best lists found with phrases of at most this burden."""
        allowed = [place for place, phrase in enumerate(self.phrases) if phrase.burden <= burden]
        phrases = [self.phrases[place] for place in allowed]
        burdens = [phrase.burden for phrase in phrases]
        search = RuleSearch(self.fits[allowed], self.regrets, burdens, ~self.speaks[allowed])
        self.least_cost = self._cost(search.least_cost)
        for one in search.lists(most_rules):
            rules = [PracticalRule(phrases[phrase], self.choices[choice]) for phrase, choice in one.rules]
            yield _order_rules(rules), self.choices[one.otherwise], self._cost(one.cost)
            if progress:  # a list twice as long takes four times as long
                progress((len(rules) + 1) ** 2, (most_rules + 1) ** 2)

    def _cost(self, whole: int) -> Fraction:
        return Fraction(whole * self.unit, self.divisor)


def _order_rules(rules: Sequence[PracticalRule]) -> tuple[PracticalRule, ...]:
    """Sorts neighbouring rules of one choice by their burden, which changes no decision."""
    runs = groupby(rules, key=lambda rule: rule.choice)
    return tuple(rule for _, run in runs for rule in sorted(run, key=lambda rule: rule.phrase.burden))


def _distinct_phrases(rows: Bools, speaks: Bools) -> list[int]:
    """Returns the first of each set of equivalent phrases, leaving out those that fit all or none."""
    _, first = np.unique(np.packbits(np.hstack([rows, speaks]), axis=1), axis=0, return_index=True)
    says: Bools = np.any(rows, axis=1) & ~np.all(rows, axis=1)
    return sorted(int(place) for place in first if says[place])


def _merge_situations(fits: Bools, offered: Bools, regrets: list[list[int]]) -> tuple[Bools, list[list[int | None]]]:
    """Merges situations that agree in every phrase and every offer, adding up their regrets."""
    alike = np.packbits(np.vstack([fits, offered]), axis=0)
    _, first, group = np.unique(alike, axis=1, return_index=True, return_inverse=True)
    sums: list[list[int | None]] = []
    for row, open_ in zip(regrets, offered, strict=True):
        summed = np.zeros(len(first), dtype=object)
        np.add.at(summed, group, np.array(row, dtype=object))
        sums.append([int(each) if open_[at] else None for each, at in zip(summed, first, strict=True)])
    return fits[:, first], sums
