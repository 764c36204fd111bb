"""Ways to play that a person can say in one sentence, with their exact figures."""

from collections.abc import Iterator
from typing import Any

from feltworks.analysis.analyze import Question, figures_of
from feltworks.analysis.analyze import _situations as situations_of
from feltworks.analysis.figures import Figures
from feltworks.analysis.showdown import showdown
from feltworks.analysis.situations import mixed
from feltworks.games.spanish_poker import SpanishPoker
from feltworks.rules.game import Game


def simple_strategies(game: Game[Any], wager: str) -> Iterator[tuple[str, Figures]]:
    """One-sentence strategies for a wager with a decision."""
    if isinstance(game, SpanishPoker):
        if wager == "ante":
            yield from _thresholds(game)
        return
    question = Question(game, wager)
    found = situations_of(question)
    for name in dict.fromkeys(name for situation in found for name in situation.laws if name):
        choices = [
            name if name in situation.laws else situation.best(question.serving) for situation in found
        ]
        yield f"always {name}", figures_of(mixed(found, choices), question.group, question.unit)


def _thresholds(game: SpanishPoker) -> Iterator[tuple[str, Figures]]:
    """Raise with at least so strong a hand: every step from anything to three of a kind."""
    optimal = showdown(game)
    words: dict[str, int] = {}
    for decision in optimal.decisions():
        value = decision.sight.value
        words[value.words] = min(words.get(value.words, value.strength), value.strength)
    for name, least in sorted(words.items(), key=lambda item: item[1]):
        if "high" in name or name.startswith(("pair", "two")):
            solved = showdown(
                game, strategy=lambda sight, least=least: "raise" if sight.value.strength >= least else "fold"
            )
            yield f"raise with {name} or better", solved.figures_of("ante")
