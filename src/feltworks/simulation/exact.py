"""The exact figures of a plan's wagers, for a simulation to be compared with."""

from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.figures import Figures
from feltworks.analysis.joint import law_figures
from feltworks.analysis.shape import (
    is_played_by_hand,
    main_wager_of,
    ranking_of,
    shoe_game_of,
    waits_for_dealer,
)
from feltworks.analysis.solvers.setting import sets_hands
from feltworks.analysis.solvers.shoe_game.dealer_bonus import bonus_figures
from feltworks.analysis.strategy.decisions import open_decisions
from feltworks.errors import FeltError
from feltworks.machine.felt import CardsRead
from feltworks.machine.sides import TooManyStates
from feltworks.machine.walk import Walk, WalkTooLong
from feltworks.money import Cents, Odds
from feltworks.rules.pay_table import meters_of
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.rounds.decisions import play_of
from feltworks.simulation.rounds.strategies import ALWAYS, question_of

if TYPE_CHECKING:
    from feltworks.analysis.solvers.shoe_game.rounds import RoundFigures


def exact_edge(plan: Plan, wager: str) -> Fraction | float | None:
    """The house edge of a wager as the plan plays it; None where no analysis answers just that."""
    figures = exact_figures(plan, wager)
    return None if figures is None else figures.house_edge


def exact_figures(plan: Plan, wager: str) -> "Figures | RoundFigures | None":
    """All figures of the wager, played so; None where no analysis answers just that."""
    with suppress(FeltError):
        return _figures(plan, wager)
    return None


@lru_cache(maxsize=256)
def _reason(plan_json: bytes, wager: str) -> str | None:
    try:
        _figures(Plan.from_json(plan_json), wager)
    except FeltError as refusal:
        return str(refusal)
    return None


def why_no_figures(plan: Plan, wager: str) -> str | None:
    """Why a wager has no exact figures, as the end of a sentence; None where it has them."""
    return _reason(plan.to_json(), wager)


def _figures(plan: Plan, wager: str) -> "Figures | RoundFigures":
    seats = [seat for seat in plan.seats if wager in seat]
    if any(seat != seats[0] for seat in seats):
        raise FeltError(f"the seats with {wager} have other wagers beside it, and an edge each")
    if not pays_in_full(plan, seats[0]):
        raise FeltError("payments on so small a wager are rounded, and the exact edge leaves rounding out")
    if plan.table.has_spots or ranking_of(plan.table):
        return _analysis_figures(plan, seats[0], wager)
    try:
        return _walk_figures(plan, seats[0], wager)
    except (CardsRead, TooManyStates, WalkTooLong):
        if plan.strategy == Strategy() and sets_hands(plan.table, seats[0]):
            return _analysis_figures(plan, seats[0], wager)
        title, command = plan.table.terms.rulebook.title, f"felt analyze {plan.game} --wager {wager}"
        raise FeltError(
            f"{title} is analysed card by card; {command} does that, or says that it takes too long"
        ) from None


def _walk_figures(plan: Plan, seat: dict[str, Cents], wager: str) -> Figures:
    """The exact law of the very choices that the seat makes on its compiled tables."""
    play = play_of(plan, seat)
    walk = Walk(play.tables, choose=play.choice)
    walk.check_length()
    entries = plan.table.terms.rulebook.wager.items()
    derived = [name for name, entry in entries if entry.of == wager]
    return law_figures(walk.law(), [wager, *derived], seat[wager])


def _analysis_figures(plan: Plan, seat: dict[str, Cents], wager: str) -> "Figures | RoundFigures":
    """The wager alone: in the other games none is played otherwise for what stands beside it."""
    if plan.table.terms.rulebook.placed_with(wager):
        return _companion_figures(plan, wager)
    known = shoe_game_of(plan.table)
    if known and waits_for_dealer(known, wager) and main_wager_of(known) not in seat:
        return bonus_figures(known)  # no hand is played that could be surrendered or over the limit
    meters = meters_of(plan.table.pays[wager].values())
    with_seats = sum(wager in opened for opened in plan.seats) if meters else 1
    question = question_of(plan.table, seat, _strategy_for(plan, wager), wager)
    alone = replace(question, beside={}, jackpot=plan.jackpot if meters else None, seats=with_seats)
    return analyze(alone).figures


def _companion_figures(plan: Plan, wager: str) -> Figures:
    """One of several wagers that come together, as it is played for all of them."""
    book = plan.table.terms.rulebook
    question = Question(plan.table, book.wager[wager].equals or wager)
    answer = analyze(question)
    solved: Any = answer.notes.get("streets") or answer.notes.get("board")
    if solved is None or plan.strategy != Strategy():
        raise FeltError(f"{wager} has exact figures under best play only, together with {question.wager}")
    derived = [name for name, entry in book.wager.items() if entry.of == wager]
    figures: Figures = solved.figures_of(frozenset([wager, *derived]), question.unit)
    return figures


def _strategy_for(plan: Plan, wager: str) -> Strategy:
    """A wager that no choice touches is the same under every strategy."""
    book = plan.table.terms.rulebook.wager
    if is_played_by_hand(plan.table, wager):
        return plan.strategy
    if not any(entry.of == wager for entry in book.values()):
        return Strategy()
    # How the hands of a spot are played says nothing of a raise on its first two cards
    of_the_hand = plan.table.has_spots and not _is_answer(plan, wager)
    return Strategy() if of_the_hand else plan.strategy


def _is_answer(plan: Plan, wager: str) -> bool:
    """Whether the strategy always makes a choice that this wager asks for."""
    choice = plan.strategy.name.removeprefix(ALWAYS)
    return any(choice in decision.offers for decision in open_decisions(Question(plan.table, wager)))


def pays_in_full(plan: Plan, seat: dict[str, Cents]) -> bool:
    """M.1: analysis leaves breakage out, so a wager whose payments are rounded is not compared with it."""
    breakage = plan.table.terms.breakage
    pays = [(cents, pay) for name, cents in seat.items() for pay in plan.table.pays[name].values()]
    return all(pay.on(cents, breakage) == pay.exact * cents for cents, pay in pays if isinstance(pay, Odds))
