"""The simulation that confirms a PAR sheet, with its seed and the command to repeat it."""

import shlex
from math import sqrt
from statistics import mean, stdev
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.errors import FeltError, UnknownName
from feltworks.money import Cents
from feltworks.reports.order import Order
from feltworks.reports.rounds import with_companions
from feltworks.reports.text import option_words
from feltworks.simulation.plan import Plan
from feltworks.simulation.result import exact_edge
from feltworks.simulation.rounds.kernel import kernel_for
from feltworks.simulation.rounds.plain import PlainKernel
from feltworks.simulation.run import Run
from feltworks.simulation.tally import round_variance, sampled_figures
from feltworks.simulation.workers import Threads, machine_workers

ROUNDS: Final = 100_000_000  # compiled rules deal them in seconds
PLAIN_ROUNDS: Final = 2_000_000  # for rules that are dealt round by round
_SPREAD: Final = 8_000_000  # rounds of a full table with compiled rules
_SPREAD_PLAIN: Final = 20_000
_LEAST: Final = 100_000  # fewer say nothing about a deviation
_PARTS: Final = 16  # runs whose variance gives the standard error of their mean
UNIT: Final[Cents] = 100_00
WITHIN: Final = 3.0  # standard errors
CONFIDENCE: Final = 2.3263  # standard errors; higher results have a probability of one in a hundred


class SampledWager(Struct, frozen=True):
    """A wager's simulated edge and its exact edge under the same play."""

    title: str
    house_edge: float
    standard_error: float
    exact: float | None

    @property
    def z(self) -> float | None:
        """The difference from the exact edge in standard errors."""
        return None if self.exact is None else (self.house_edge - self.exact) / self.standard_error

    @property
    def detects(self) -> float:
        """The smallest error of the exact edge that such a run detects 99 times in 100."""
        return (WITHIN + CONFIDENCE) * self.standard_error

    @property
    def agrees(self) -> bool | None:
        return None if self.z is None else abs(self.z) <= WITHIN


class Confirmation(Struct, frozen=True):
    """One run: the command to repeat it, and its results."""

    command: str
    rounds: int
    seed: int
    wagers: tuple[SampledWager, ...]
    dealt: str  # how the shoe was used


class TableSpread(Struct, frozen=True):
    """The variation of a whole table's result: sampled, as its spots share a dealer's hand and a shoe."""

    spots: int
    rounds: int
    deviation: float  # in units of each wager; every spot has one of each
    standard_error: float
    command: str


def seed_of(order: Order) -> int:
    """The day of the approval, so that nobody can choose the seed by its result."""
    approval = order.book.approval
    return int(f"{approval.date:%Y%m%d}") if approval else 1


def confirmations(order: Order, rounds: int | None = None, seed: int | None = None) -> list[Confirmation]:
    """Enough runs to have every wager on a table once; a shoe is also dealt to its cut card."""
    chosen = seed_of(order) if seed is None else seed
    if rounds == 0:
        return []
    try:
        plans = [_plan(order, wagers) for wagers in order.offerings]
        if order.book.cards.shuffle == "shoe" and order.table.terms.options.get("shoe") != "continuous":  # a cut card
            plans += [replace(plan, shuffle_every_round=False) for plan in plans]
        return [_run(order, plan, rounds, chosen) for plan in plans]
    except UnknownName:  # this game has no simulation
        return []


def table_spread(order: Order, rounds: int | None = None, seed: int | None = None) -> TableSpread | None:
    """The deviation of a full table in one round; None if too few rounds are ordered or there is one spot."""
    spots = order.table.terms.spots or 1
    wagers = [name for name in order.offered if not order.book.wager[name].fixed]
    if (rounds is not None and rounds < _LEAST) or spots == 1 or not wagers:
        return None
    try:
        plan = _plan(order, wagers)
        plan = replace(plan, seats=plan.seats * spots)
        most = _SPREAD_PLAIN if isinstance(kernel_for(plan), PlainKernel) else _SPREAD
        each = min(rounds or most, most) // _PARTS
        first = seed_of(order) if seed is None else seed
        runs = [Run(plan, first + part, rounds=each) for part in range(_PARTS)]
        with Threads(machine_workers()) as crew:
            variances = [round_variance(run.kernel.layout, run.simulate(crew).tally) / UNIT**2 for run in runs]
    except FeltError:  # this game has no simulation, or a wager cannot be on every spot
        return None
    deviation = sqrt(mean(variances))
    error = stdev(variances) / sqrt(_PARTS) / (2 * deviation)
    return TableSpread(spots, each * _PARTS, deviation, error, _command(order, plan, each, first))


def _run(order: Order, plan: Plan, ordered: int | None, seed: int) -> Confirmation:
    rounds = ordered or (PLAIN_ROUNDS if isinstance(kernel_for(plan), PlainKernel) else ROUNDS)
    run = Run(plan, seed, rounds=rounds)
    with Threads(machine_workers()) as crew:
        tally = run.simulate(crew).tally
    figures = sampled_figures(run.kernel.layout, tally)
    sampled = []
    for name in (name for name in plan.wagers if name in order.wagers):
        exact = exact_edge(plan, name) if plan.shuffle_every_round else None
        title = order.book.wager[name].title
        edge, error = figures[name].house_edge, figures[name].standard_error
        sampled.append(SampledWager(title, edge, error, None if exact is None else float(exact)))
    cut = f"from a shoe to the cut card at {plan.penetration} %"
    dealt = "from a whole shoe every round" if plan.shuffle_every_round else cut
    return Confirmation(_command(order, plan, rounds, seed), rounds, seed, tuple(sampled), dealt)


def _plan(order: Order, wagers: list[str]) -> Plan:
    entries = order.book.wager
    placed = with_companions(order.table, wagers)
    seat = {name: entries[name].least if entries[name].fixed else UNIT for name in entries if name in placed}
    options = order.options_with(*wagers)
    least = order.table.least_posted(wagers)
    return Plan(
        order.game,
        (seat,),
        options=options,
        pay_tables=dict(order.pay_tables),
        jackpot=None if least is None else order.jackpot or least,
        shuffle_every_round=True,
    )


def _command(order: Order, plan: Plan, rounds: int, seed: int) -> str:
    words = ["felt", "simulate", order.game, "--rounds", str(rounds), "--seed", str(seed)]
    words += ["--fresh"] if plan.shuffle_every_round else []
    words += ["--seats", str(len(plan.seats))] if len(plan.seats) > 1 else []
    for name in plan.wagers:
        words += ["--wager", name]
    for name, table in order.pay_tables.items():
        words += ["--pay-table", f"{name}={table}"]
    for name, value in order.options.items():
        words += ["--set", f"{name}={option_words(value)}"]
    if plan.jackpot is not None and order.jackpot:
        words += ["--jackpot", str(plan.jackpot)]
    return shlex.join(words)
