"""Ways to play that a person can say in one sentence, with their exact figures."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Any

from msgspec import Struct

from feltworks.analysis.analyze import Question, figures_of, situations_of
from feltworks.analysis.showdown import Showdown, Sight, showdown
from feltworks.analysis.situations import mixed
from feltworks.cards import Rank
from feltworks.games.spanish_poker import SpanishPoker
from feltworks.rules.game import Game


class SimplePlay(Struct, frozen=True):
    """A rule in words, and what it costs exactly."""

    words: str
    house_edge: Fraction
    element_of_risk: Fraction


def simple_plays(game: Game[Any], wager: str) -> Iterator[SimplePlay]:
    """One-sentence strategies for a wager with a decision; none where there is nothing to decide."""
    if isinstance(game, SpanishPoker):
        if wager == "ante":
            yield from _poker_plays(showdown(game))
        return
    question = Question(game, wager)
    found = situations_of(question)
    for name in dict.fromkeys(name for situation in found for name in situation.laws if name):
        choices = [name if name in each.laws else each.best(question.serving) for each in found]
        figures = figures_of(mixed(found, choices), question.group, question.unit)
        yield SimplePlay(f"always {name}", figures.house_edge, figures.element_of_risk)


Rule = tuple[str, Callable[[Sight], bool]]


def _poker_plays(solved: Showdown) -> Iterator[SimplePlay]:
    decisions = list(solved.decisions())
    hands = sum(each.hands for each in decisions)
    whole = lcm(*{worth.denominator for each in decisions for worth in each.worth.values()})
    folding = sum(each.hands * int(each.worth["fold"] * whole) for each in decisions)
    raising = [each.hands * int((each.worth["raise"] - each.worth["fold"]) * whole) for each in decisions]
    for words, raises in _rules([each.sight for each in decisions]):
        played = [place for place, each in enumerate(decisions) if raises(each.sight)]
        edge = -Fraction(folding + sum(raising[place] for place in played), whole * hands)
        wagered = 1 + 2 * Fraction(sum(decisions[place].hands for place in played), hands)
        yield SimplePlay(f"raise with {words}", edge, edge / wagered)


def _rules(sights: list[Sight]) -> Iterator[Rule]:
    """Hands from so good on; and with no pair, so many cards that the house would qualify with."""
    weakest: dict[str, int] = {}
    for sight in sights:
        value = sight.value
        weakest[value.words] = min(weakest.get(value.words, value.strength), value.strength)
    for words, least in sorted(weakest.items(), key=lambda item: item[1]):
        yield _or_better(words, least)
    ranks = sorted({face.rank for sight in sights for face in sight.cards if face.rank}, reverse=True)
    for high, next_high in combinations(ranks, 2):
        yield _or_high(weakest["pair of sixes"], high, next_high)


def _or_better(words: str, least: int) -> Rule:
    return f"{words} or better", lambda sight: sight.value.strength >= least


def _or_high(sixes: int, high: Rank, next_high: Rank) -> Rule:
    """SP.8: cards of six or higher keep the house from qualifying."""
    words = f"a pair of sixes or better, or no pair, {high.word}-{next_high.word} high or better"

    def raises(sight: Sight) -> bool:
        if sight.value.strength >= sixes:
            return True
        is_high = sight.value.category == "high card" and sight.value.ranks[:2] >= (high, next_high)
        return is_high and sum(face.rank >= Rank.SIX for face in sight.cards) >= 3

    return f"{words} and three cards six or higher", raises
