"""Chooses the method that values known cards in a game, and runs it."""

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from math import sqrt

from msgspec.structs import replace

from feltworks.analysis.analyze import analyze
from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.question import Question
from feltworks.analysis.shape import are_suits_alike, is_played_by_hand, ranking_of
from feltworks.analysis.solvers.board.tree import NoBoard
from feltworks.analysis.solvers.draw import NoDraw
from feltworks.analysis.solvers.setting import sets_hands
from feltworks.analysis.solvers.showdown.spot import NoShowdown
from feltworks.analysis.solvers.streets.tree import NoStreets
from feltworks.cards import Card
from feltworks.errors import BadOption
from feltworks.machine.felt import CardsRead
from feltworks.machine.node import TooManyStates
from feltworks.machine.walk import WalkTooLong
from feltworks.protection.boards import BoardWorth
from feltworks.protection.draws import DrawWorth
from feltworks.protection.duels import Duels
from feltworks.protection.knowledge import BURN, Knowledge, Unfit, Worth, parse_sights
from feltworks.protection.removal import edge_of
from feltworks.protection.spots import SpotWorth
from feltworks.protection.streets import StreetWorth
from feltworks.protection.walks import WalkWorth

Method = WalkWorth | Duels | StreetWorth | DrawWorth | BoardWorth | SpotWorth


def method_for(question: Question, progress: Progress | None = None) -> Method:
    """The method that values known cards in this game; each reports its progress.

    A wager with no later decision is walked in every game, because cards can be known before it is made.
    """
    question.check()
    if not ranking_of(question.game) and not sets_hands(question.game, question.stakes):
        is_by_hand = is_played_by_hand(question.game, question.wager)
        return SpotWorth(question, progress) if is_by_hand else _walk(question, progress)
    method = _between_hands(question, progress)
    return method if method.has_decision else _walk(question, progress)


def _walk(question: Question, progress: Progress | None) -> WalkWorth:
    try:
        return WalkWorth(question, progress)
    except (CardsRead, TooManyStates, WalkTooLong) as error:
        title = question.game.terms.rulebook.title
        raise Unfit(f"{title}: the {question.wager} wager cannot be followed card by card: {error}") from None


def _between_hands(question: Question, progress: Progress | None) -> Duels | StreetWorth | DrawWorth | BoardWorth:
    """The method for hands that are compared, or paid by their rank."""
    with suppress(NoShowdown):
        return Duels(question, progress)
    with suppress(NoStreets):
        return StreetWorth(question, progress)
    with suppress(NoDraw):
        return DrawWorth(question, progress)
    with suppress(NoBoard):
        return BoardWorth(question, progress)
    raise Unfit(
        f"{question.game.terms.rulebook.title}: known cards are followed in one decision against the dealer's hand, in "
        "one hand that grows with a board, and in two hands that share a board of five; this game is none of these; "
        "--exposed CARDS and --sees burn tell what cards that are gone are worth"
    )


def worth_of(
    question: Question,
    sees: Sequence[str],
    samples: int | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> Worth:
    """The worth of everything that is known at once."""
    if not sees:
        raise BadOption("--sees", "", "something that is known, such as dealer or next")
    known = parse_sights(sees)
    cards = [one for one in known if one.place != BURN]
    if len(cards) < len(known):
        return _beside_burn(question, cards, samples, seed, progress)
    return method_for(question, progress).worth(known, samples, seed)


def _beside_burn(
    question: Question, known: Sequence[Knowledge], samples: int | None, seed: int, progress: Progress | None
) -> Worth:
    """The worth with a burnt card known: the mean over its possible faces, each removed from the shoe."""
    shoe, base = question.shoe, edge_of(question)
    suits = not are_suits_alike(question.game, question.stakes)
    faces: dict[object, list[Card]] = {}
    for face in shoe:
        faces.setdefault((face.rank, face.suit if suits else None), []).append(face)
    edge, variance, drawn, is_exact = Fraction(0), 0.0, 0, True
    for place, some in enumerate(faces.values()):
        gone = replace(question, exposed=(*question.exposed, some[0]))
        share = Fraction(sum(shoe[face] for face in some), shoe.total)
        part = part_of(progress, place, len(faces))
        one = method_for(gone, part).worth(known, samples, seed) if known else Worth(base, edge_of(gone))
        edge, drawn, is_exact = edge + share * one.edge, drawn + one.samples, is_exact and one.has_fraction
        variance += (float(share) * one.standard_error) ** 2
    is_exact = is_exact and has_fraction(question)
    return Worth(base, edge, "sampled" if drawn else "exact", sqrt(variance), drawn, has_fraction=is_exact)


def exposed_worth(question: Question) -> Worth:
    """The edge with the question's exposed cards out of the shoe, compared with a full shoe."""
    whole = replace(question, exposed=())
    return Worth(edge_of(whole), edge_of(question), has_fraction=has_fraction(question))


def has_fraction(question: Question) -> bool:
    """Whether the analysis of the wager gives an exact fraction."""
    return isinstance(analyze(question).figures.house_edge, Fraction)
