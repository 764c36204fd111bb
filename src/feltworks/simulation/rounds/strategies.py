"""How a seat decides: as the analysis would, by one choice always, by a file, or by rules one can remember.

Names and files mean the same as to `felt analyze`, so that its exact figures can be compared.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from feltworks.analysis.question import Question
from feltworks.analysis.situations import Situation
from feltworks.analysis.strategy.decisions import chooser
from feltworks.analysis.strategy.file import Chooser, StrategyFile
from feltworks.errors import BadOption
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import face_up
from feltworks.simulation.plan import OPTIMAL, Strategy

JOINT = "joint"  # best for all wagers of the spot together, not for the main wager alone
ALWAYS = "always-"
PRACTICAL = "practical-"  # and the number of rules to remember
_MOST_RULES = 60  # as many as `felt strategy` searches for


def question_of(game: Game[Any], seat: Mapping[str, Cents], strategy: Strategy, wager: str) -> Question:
    """The question to the analysis about a wager of a seat with this strategy.

    The other wagers stand beside it, and the hand is played for the one that another follows from.
    """
    ratios = {name: Fraction(cents, seat[wager]) for name, cents in seat.items() if name != wager}
    joint = strategy.name == JOINT
    return Question(
        game,
        wager,
        ratios if joint else dict.fromkeys(ratios),
        strategy=OPTIMAL if joint else strategy.name,
        plays=strategy_file(strategy),
    )


def strategy_file(strategy: Strategy) -> StrategyFile | None:
    """The strategy's file; None where it is a name alone."""
    if strategy.document is None:
        return None
    try:
        return msgspec.convert(strategy.document, StrategyFile)
    except msgspec.ValidationError as trouble:
        raise BadOption("--strategy", strategy.name, f"a strategy file ({trouble})") from None


def chooser_of(game: Game[Any], seat: Mapping[str, Cents], strategy: Strategy) -> Chooser | None:
    """What answers the seat's decisions, None for best play; refuses a strategy that leaves some open."""
    decided = _wager_to_decide(game, seat)
    if decided is None:
        return None
    _check_name(strategy)
    question = question_of(game, seat, strategy, decided)
    if strategy.document is None and strategy.name.startswith(PRACTICAL):
        return _practical(question, strategy.name)
    return chooser(question)


def serving_of(game: Game[Any], seat: Mapping[str, Cents], strategy: Strategy) -> frozenset[str]:
    """The wagers that the seat's decisions are made for."""
    decided = _wager_to_decide(game, seat) or next(iter(seat))
    return frozenset(question_of(game, seat, strategy, decided).serving)


def _check_name(strategy: Strategy) -> None:
    named = strategy.name in (OPTIMAL, JOINT) or strategy.name.startswith((ALWAYS, PRACTICAL))
    if strategy.document is None and not named:
        known = f"{OPTIMAL}, {JOINT}, {ALWAYS} and a choice, {PRACTICAL} and a number of rules, or a file"
        raise BadOption("--strategy", strategy.name, known)


def _wager_to_decide(game: Game[Any], seat: Mapping[str, Cents]) -> str | None:
    """The wager of the seat that another may follow; None where there is nothing to decide."""
    followed = [entry.of for entry in game.terms.rulebook.wager.values() if entry.of in seat]
    return next(iter(followed), None)


def _practical(question: Question, name: str) -> Chooser:
    """The cheapest list of so many rules to remember."""
    from feltworks.analysis.strategy.practical import practical_strategies

    best = msgspec.structs.replace(question, strategy=OPTIMAL)
    return practical_strategies(best, rules_in(name))[-1]


def rules_in(name: str) -> int:
    """How many rules a practical strategy of this name may have."""
    most = name.removeprefix(PRACTICAL)
    if not most.isdecimal() or not 1 <= int(most) <= _MOST_RULES:
        wanted = f"a number of rules from 1 to {_MOST_RULES}, such as {PRACTICAL}3"
        raise BadOption("--strategy", name, wanted)
    return int(most)


def choices_at(
    game: Game[Any], seat: Mapping[str, Cents], strategy: Strategy, situations: Sequence[Situation]
) -> list[str]:
    """What the strategy chooses in every situation of this seat; "" where there is nothing to decide."""
    follow = chooser_of(game, seat, strategy)
    if follow is None:
        return list(_best(game, seat, strategy, situations))
    chosen = []
    for situation in situations:
        mine, dealer = face_up(situation.shown.seats[0].cards), face_up(situation.shown.dealer)
        chosen.append(follow(mine, dealer, list(situation.laws)))
    return chosen


def _best(
    game: Game[Any], seat: Mapping[str, Cents], strategy: Strategy, situations: Sequence[Situation]
) -> Iterator[str]:
    decided = _wager_to_decide(game, seat)
    for situation in situations:
        if decided is None:
            yield next(iter(situation.laws))
        else:
            yield situation.best(question_of(game, seat, strategy, decided).serving)
