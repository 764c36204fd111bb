"""The JSON document of a simulation: what was measured, beside the exact edges, and how it was made."""

import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from feltworks import __version__
from feltworks.simulation.exact import exact_edge, why_no_figures
from feltworks.simulation.plan import Plan, plan_fingerprint
from feltworks.simulation.run import Run, RunResult
from feltworks.simulation.tally import SampledFigures, Tally, sampled_figures

Exact = Mapping[str, Fraction | float | None]


def result_document(
    run: Run, simulated: RunResult, *, workers: int, command: str, exact: Exact | None = None
) -> dict[str, Any]:
    """The document of a run; `exact` are the exact edges, where they have been worked out already."""
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
    """The table, the wagers of its seats and how they play."""
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
    """Version, fingerprint, command and time, so that a result can be made again."""
    return {
        "version": __version__,
        "fingerprint": plan_fingerprint(plan),
        "command": command,
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def exact_edges(plan: Plan) -> dict[str, Fraction | float | None]:
    """The exact house edge of every wager, the main one first; None where no analysis answers it."""
    book = plan.table.terms.rulebook.wager
    names = sorted(plan.wagers, key=lambda name: book[name].kind != "main")
    return {name: exact_edge(plan, name) for name in names}


def wager_documents(run: Run, tally: Tally, exact: Exact) -> dict[str, dict[str, Any]]:
    """What a tally says of every wager, in the order of the exact edges."""
    figures = sampled_figures(run.kernel.layout, tally)
    return {
        name: {
            **_wager_document(figures[name], edge),
            "why": why_no_figures(run.plan, name) if edge is None else None,
        }
        for name, edge in exact.items()
    }


def _wager_document(figures: SampledFigures, exact: Fraction | float | None) -> dict[str, Any]:
    """The measured figures, and how far they lie from the exact edge in standard errors."""
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
