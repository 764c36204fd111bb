"""The simulation that confirms a PAR sheet, with its seed and the command that repeats it."""

import shlex
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.errors import UnknownName
from feltworks.money import Cents
from feltworks.reports.order import Order
from feltworks.reports.rounds import with_companions
from feltworks.reports.text import option_words
from feltworks.simulation.exact import exact_edge
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.kernel import kernel_for
from feltworks.simulation.rounds.plain import PlainKernel
from feltworks.simulation.run import Run
from feltworks.simulation.tally import sampled_figures
from feltworks.simulation.workers import Threads, machine_workers

ROUNDS: Final = 100_000_000  # compiled rules deal them in seconds
PLAIN_ROUNDS: Final = 2_000_000  # where the rules deal round by round
UNIT: Final[Cents] = 100_00
WITHIN: Final = 3.0  # standard errors


class SampledWager(Struct, frozen=True):
    """A wager's simulated edge and its exact edge under the same play."""

    title: str
    house_edge: float
    standard_error: float
    exact: float | None

    @property
    def z(self) -> float | None:
        """The distance from the exact edge in standard errors."""
        return None if self.exact is None else (self.house_edge - self.exact) / self.standard_error

    @property
    def detects(self) -> float:
        """The smallest error of the exact edge that this run would have shown."""
        return WITHIN * self.standard_error

    @property
    def agrees(self) -> bool | None:
        return None if self.z is None else abs(self.z) <= WITHIN


class Confirmation(Struct, frozen=True):
    """One run: the command that repeats it, and its results."""

    command: str
    rounds: int
    seed: int
    wagers: tuple[SampledWager, ...]
    dealt: str  # how the shoe was used


def seed_of(order: Order) -> int:
    """The day of the approval, so that the seed was not chosen by its result."""
    approval = order.book.approval
    return int(f"{approval.date:%Y%m%d}") if approval else 1


def confirmations(order: Order, rounds: int | None = None, seed: int | None = None) -> list[Confirmation]:
    """As many runs as it takes to have every wager on a table once; a shoe is also dealt to its cut card."""
    chosen = seed_of(order) if seed is None else seed
    if rounds == 0:
        return []
    try:
        plans = [_plan(order, wagers) for wagers in _tables(order)]
        if _has_cut_card(order):
            plans += [replace(plan, shuffle_every_round=False) for plan in plans]
        return [_run(order, plan, rounds, chosen) for plan in plans]
    except UnknownName:  # no simulation of this game exists
        return []


def _has_cut_card(order: Order) -> bool:
    return order.book.cards.shuffle == "shoe" and order.table.terms.options.get("shoe") != "continuous"


def _tables(order: Order) -> Iterator[list[str]]:
    """SP.20: a table has so many wagers at once; each comes with the main wager."""
    main = [name for name in order.wagers if order.book.wager[name].kind == "main"]
    others = [name for name in order.wagers if name not in main]
    most = (order.book.most_wagers or len(order.wagers)) - len(main)
    if not others:
        yield main
        return
    for first in range(0, len(others), most):
        yield [*main, *others[first : first + most]]


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
    for name in plan.wagers:
        words += ["--wager", name]
    for name, table in order.pay_tables.items():
        words += ["--pay-table", f"{name}={table}"]
    for name, value in order.options.items():
        words += ["--set", f"{name}={option_words(value)}"]
    if plan.jackpot is not None and order.jackpot:
        words += ["--jackpot", str(plan.jackpot)]
    return shlex.join(words)
