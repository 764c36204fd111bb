"""The JSON document of a simulation: measured figures, exact figures to compare, and provenance."""

import time
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from feltworks import __version__
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.cache import cache_key, load_or_compute
from feltworks.analysis.figures import Figures
from feltworks.analysis.joint import law_figures
from feltworks.analysis.shape import (
    is_duel,
    is_played_by_hand,
    main_wager_of,
    ranking_of,
    shoe_game_of,
    waits_for_dealer,
)
from feltworks.analysis.solvers.counts import depends_on_choices
from feltworks.analysis.solvers.setting import sets_hands
from feltworks.analysis.solvers.shoe_game.bonus import bonus_figures
from feltworks.analysis.strategy.decisions import open_decisions
from feltworks.errors import FeltError
from feltworks.machine.felt import CardsRead
from feltworks.machine.node import TooManyStates
from feltworks.machine.walk import Walk, WalkTooLong
from feltworks.money import Cents, Odds
from feltworks.rules.pay_table import meters_of
from feltworks.simulation.plan import Plan, Strategy, plan_fingerprint
from feltworks.simulation.rounds.decisions import play_of
from feltworks.simulation.rounds.strategies import ALWAYS, question_of, strategy_file
from feltworks.simulation.run import Run, RunResult
from feltworks.simulation.tally import SampledFigures, Tally, sampled_figures

if TYPE_CHECKING:
    from feltworks.analysis.solvers.shoe_game.rounds import RoundFigures


def exact_edge(plan: Plan, wager: str) -> Fraction | float | None:
    """The exact house edge of a wager as the plan plays it; None if no analysis covers that."""
    figures = exact_figures(plan, wager)
    return None if figures is None else figures.house_edge


def why_no_figures(plan: Plan, wager: str) -> str | None:
    """Why a wager has no exact figures, as the end of a sentence; None if it has them."""
    why: str | None = _edges(plan.to_json())[wager]["why"]
    return why


def exact_figures(plan: Plan, wager: str) -> "Figures | RoundFigures | None":
    """All exact figures of the wager as the plan plays it; None if no analysis covers that."""
    figures = _figures_or_reason(plan.to_json(), wager)
    return None if isinstance(figures, str) else figures


@lru_cache(maxsize=256)
def _edges(plan_json: bytes) -> dict[str, dict[str, Any]]:
    """By wager: its exact edge, or the reason why there is none; read from the cache if it is there."""
    plan = Plan.from_json(plan_json)

    def document(wager: str) -> dict[str, Any]:
        figures = _figures_or_reason(plan_json, wager)
        if isinstance(figures, str):
            return {"edge": None, "why": figures}
        return {"edge": figures.house_edge, "why": None}

    edges: dict[str, dict[str, Any]] = load_or_compute(
        lambda: cache_key("exact edges", plan.table, plan), lambda: {name: document(name) for name in plan.wagers}
    )
    return edges


@lru_cache(maxsize=64)
def _figures_or_reason(plan_json: bytes, wager: str) -> "Figures | RoundFigures | str":
    try:
        return _figures(Plan.from_json(plan_json), wager)
    except FeltError as refusal:
        return str(refusal)


def _figures(plan: Plan, wager: str) -> "Figures | RoundFigures":
    seats = [seat for seat in plan.seats if wager in seat]
    if any(seat != seats[0] for seat in seats):
        raise FeltError(f"the seats with {wager} have other wagers beside it, and an edge each")
    if not pays_in_full(plan, seats[0]):
        raise FeltError("payments on so small a wager are rounded, and the exact edge leaves rounding out")
    if plan.table.has_spots or ranking_of(plan.table) or is_duel(plan.table):
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
    """The figures from the exact law of the choices that the seat makes on its compiled tables."""
    play = play_of(plan, seat)
    walk = Walk(play.tables, choose=play.choice)
    walk.check_length()
    entries = plan.table.terms.rulebook.wager.items()
    derived = [name for name, entry in entries if entry.of == wager]
    return law_figures(walk.law(), [wager, *derived], seat[wager])


def _analysis_figures(plan: Plan, seat: dict[str, Cents], wager: str) -> "Figures | RoundFigures":
    """The figures of the wager alone, or with its seat's other wagers if play for these affects it."""
    if plan.table.terms.rulebook.placed_with(wager):
        return _companion_figures(plan, wager)
    known = shoe_game_of(plan.table)
    if known and waits_for_dealer(known, wager) and main_wager_of(known) not in seat:
        return bonus_figures(known)  # no hand is in play that could surrender or bust
    meters = meters_of(plan.table.pays[wager].values())
    with_seats = sum(wager in opened for opened in plan.seats) if meters else 1
    question = question_of(plan.table, seat, _strategy_for(plan, wager), wager)
    if not _is_led(plan, seat, wager):
        question = replace(question, beside={}, jackpot=plan.jackpot if meters else None, seats=with_seats)
    return analyze(question).figures


def _is_led(plan: Plan, seat: dict[str, Cents], wager: str) -> bool:
    """Whether a wager without derived wagers depends on how the hand is played."""
    game = plan.table
    if game.has_spots or any(entry.of == wager for entry in game.terms.rulebook.wager.values()):
        return False
    return depends_on_choices(game, wager, seat, plan.meters)


def _companion_figures(plan: Plan, wager: str) -> Figures:
    """The figures of one of several wagers that are placed together, with play for all of them."""
    book = plan.table.terms.rulebook
    leader = book.wager[wager].equals or wager
    derived = [name for name, entry in book.wager.items() if entry.of == wager]
    notes, unit = _solve_together(plan.to_json(), leader)
    if solved := notes.get("streets") or notes.get("board"):
        figures: Figures = solved.figures_of(frozenset([wager, *derived]), unit)
        return figures
    if plan.strategy == Strategy() and (solved := notes.get("showdown")):
        return law_figures(solved.law, [wager, *derived], unit)
    raise FeltError(f"{wager} has exact figures under best play only, together with {leader}")


@lru_cache(maxsize=4)
def _solve_together(plan_json: bytes, leader: str) -> tuple[Mapping[str, Any], Cents]:
    """The solvers of wagers that are placed together, cached for all of them, and their unit."""
    plan = Plan.from_json(plan_json)
    strategy = plan.strategy
    question = Question(plan.table, leader, strategy=strategy.name, plays=strategy_file(strategy))
    return analyze(question).notes, question.unit


def _strategy_for(plan: Plan, wager: str) -> Strategy:
    """The strategy to analyze a wager with; best play if no choice affects it, as all strategies are then equal."""
    book = plan.table.terms.rulebook.wager
    if is_played_by_hand(plan.table, wager):
        return plan.strategy
    if not any(entry.of == wager for entry in book.values()):
        return plan.strategy if any(_is_led(plan, seat, wager) for seat in plan.seats if wager in seat) else Strategy()
    # The strategy for the hands of a spot does not cover a raise on its first two cards
    of_the_hand = plan.table.has_spots and not _is_answer(plan, wager)
    return Strategy() if of_the_hand else plan.strategy


def _is_answer(plan: Plan, wager: str) -> bool:
    """Whether the strategy always makes a choice that this wager asks for."""
    choice = plan.strategy.name.removeprefix(ALWAYS)
    return any(choice in decision.offers for decision in open_decisions(Question(plan.table, wager)))


def pays_in_full(plan: Plan, seat: dict[str, Cents]) -> bool:
    """M.1: analysis ignores breakage, so a wager with rounded payments is not compared with it."""
    breakage = plan.table.terms.breakage
    pays = [(cents, pay) for name, cents in seat.items() for pay in plan.table.pays[name].values()]
    return all(pay.on(cents, breakage) == pay.exact * cents for cents, pay in pays if isinstance(pay, Odds))


Exact = Mapping[str, Fraction | float | None]


def result_document(
    run: Run, simulated: RunResult, *, workers: int, command: str, exact: Exact | None = None
) -> dict[str, Any]:
    """The document of a run; pass the `exact` edges if they are computed already."""
    tally, plan, counted = simulated.tally, run.plan, simulated.tally.rounds - run.rounds_before
    return {
        "game": plan.game,
        "rounds": tally.rounds,
        "seed": run.seed,
        "wagers": wager_documents(run, tally, exact or exact_edges(plan)),
        "rounds_per_second": round(counted / simulated.seconds) if simulated.seconds else 0,
        "seconds": round(simulated.seconds, 3),
        "compile_seconds": round(simulated.compile_seconds, 3),
        "workers": workers,
        "interrupted": simulated.interrupted,
        **table_document(plan),
        "made": provenance(plan, command),
    }


def table_document(plan: Plan) -> dict[str, Any]:
    """The table, the opening wagers of its first seat and the strategy."""
    return {
        "seats": len(plan.seats),
        "opened": plan.seats[0],
        "strategy": plan.strategy.name,
        "options": plan.table.terms.options,
        "pay_tables": plan.table.terms.pay_tables,
        "decks": plan.table.terms.decks,
        "jackpot": plan.jackpot,
        "alone": plan.alone,
    }


def provenance(plan: Plan, command: str) -> dict[str, str]:
    """Version, fingerprint, command and time, so that a result can be reproduced."""
    return {
        "version": __version__,
        "fingerprint": plan_fingerprint(plan),
        "command": command,
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def exact_edges(plan: Plan) -> dict[str, Fraction | float | None]:
    """The exact house edge of every wager, the main one first; None if no analysis covers it."""
    book = plan.table.terms.rulebook.wager
    names = sorted(plan.wagers, key=lambda name: book[name].kind != "main")
    edges = _edges(plan.to_json())
    return {name: edges[name]["edge"] for name in names}


def wager_documents(run: Run, tally: Tally, exact: Exact) -> dict[str, dict[str, Any]]:
    """The measured figures of every wager in a tally, in the order of the exact edges."""
    figures = sampled_figures(run.kernel.layout, tally)
    return {
        name: {
            **_wager_document(figures[name], edge),
            "why": why_no_figures(run.plan, name) if edge is None else None,
        }
        for name, edge in exact.items()
    }


def _wager_document(figures: SampledFigures, exact: Fraction | float | None) -> dict[str, Any]:
    """The measured figures, and their distance from the exact edge in standard errors."""
    error = figures.standard_error
    known = error if 0 < error < float("inf") else None
    z = None if exact is None or known is None else (figures.house_edge - float(exact)) / known
    return {
        "house_edge": figures.house_edge,
        "standard_error": known,
        "exact": None if exact is None else float(exact),
        "z": z,
        "exact_fraction": f"{exact.numerator}/{exact.denominator}" if isinstance(exact, Fraction) else None,
        "element_of_risk": figures.element_of_risk,
        "average_wager": figures.average_wager,
        "hit_frequency": figures.hit_frequency,
        "push_frequency": figures.push_frequency,
        "outcomes": [
            {"outcome": row.outcome, "count": row.count, "frequency": row.frequency, "net": str(row.net)}
            for row in figures.outcomes
        ],
    }
