"""Takes a question about knowledge to the method of the game's shape."""

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction

from msgspec.structs import replace

from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import Question
from feltworks.analysis.shape import is_played_by_hand, ranking_of
from feltworks.analysis.solvers.showdown.spot import NoShowdown
from feltworks.analysis.solvers.streets.tree import NoStreets
from feltworks.machine.felt import CardsRead
from feltworks.machine.sides import TooManyStates
from feltworks.machine.walk import WalkTooLong
from feltworks.protection.duels import Duels
from feltworks.protection.knowledge import Knowledge, parse_knowledge
from feltworks.protection.streets import StreetWorth
from feltworks.protection.walks import WalkWorth
from feltworks.protection.worth import Unfit, Worth

Method = WalkWorth | Duels | StreetWorth


def method_for(question: Question) -> Method:
    """The method that follows the knowledge of cards in this game."""
    question.check()
    game, title = question.game, question.game.terms.rulebook.title
    if ranking_of(game):
        with suppress(NoShowdown):
            return Duels(question)
        with suppress(NoStreets):
            return StreetWorth(question)
        raise Unfit(f"{title} has a board beside the dealer's hand; no method follows a known card there yet")
    if is_played_by_hand(game, question.wager):
        raise Unfit(f"{title}: hands that are split and doubled are not followed with a known card yet")
    try:
        return WalkWorth(question)
    except (CardsRead, TooManyStates, WalkTooLong) as error:
        raise Unfit(f"{title} cannot be followed card by card: {error}") from None


def worth_of(question: Question, sees: Sequence[str], samples: int | None = None, seed: int = 1) -> Worth:
    """The worth of what is known; one thing at a time."""
    known = [parse_knowledge(text) for text in sees]
    if len(known) != 1:
        raise Unfit(f"one thing is known at a time; {', '.join(sees)} are {len(known)}")
    return method_for(question).worth(known[0], samples, seed)


def exposed_worth(question: Question) -> Worth:
    """The edge when the cards of the question are known to be out, against that of a whole shoe."""
    whole = replace(question, exposed=())
    edges = [-Fraction(analyze(one).figures.house_edge) for one in (whole, question)]
    return Worth(edges[0], edges[1])


__all__ = ["Knowledge", "exposed_worth", "method_for", "worth_of"]
