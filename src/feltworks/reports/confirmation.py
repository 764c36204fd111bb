"""The simulation that confirms a PAR sheet, with its seed and the command that repeats it."""

import shlex
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from feltworks.errors import UnknownName
from feltworks.money import Cents
from feltworks.reports.order import Order
from feltworks.simulation.exact import exact_edge
from feltworks.simulation.plan import Plan
from feltworks.simulation.run import Run
from feltworks.simulation.tally import sampled_figures
from feltworks.simulation.workers import Threads, machine_workers

ROUNDS: Final = 2_000_000
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
    def agrees(self) -> bool | None:
        return None if self.z is None else abs(self.z) <= WITHIN


class Confirmation(Struct, frozen=True):
    """One run: the command that repeats it, and its results."""

    command: str
    rounds: int
    seed: int
    wagers: tuple[SampledWager, ...]


def seed_of(order: Order) -> int:
    """The day of the approval, so that the seed was not chosen by its result."""
    approval = order.book.approval
    return int(f"{approval.date:%Y%m%d}") if approval else 1


def confirmations(order: Order, rounds: int = ROUNDS, seed: int | None = None) -> list[Confirmation]:
    """As many runs as it takes to have every wager on a table once."""
    chosen = seed_of(order) if seed is None else seed
    try:
        return [_run(order, wagers, rounds, chosen) for wagers in _tables(order)] if rounds else []
    except UnknownName:  # no simulation of this game exists
        return []


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


def _run(order: Order, wagers: list[str], rounds: int, seed: int) -> Confirmation:
    plan = _plan(order, wagers)
    run = Run(plan, seed, rounds=rounds)
    with Threads(machine_workers()) as crew:
        tally = run.simulate(crew).tally
    figures = sampled_figures(run.kernel.layout, tally)
    sampled = []
    for name in wagers:
        exact = exact_edge(plan, name)
        title = order.book.wager[name].title
        edge, error = figures[name].house_edge, figures[name].standard_error
        sampled.append(SampledWager(title, edge, error, None if exact is None else float(exact)))
    return Confirmation(_command(order, plan, rounds, seed), rounds, seed, tuple(sampled))


def _plan(order: Order, wagers: list[str]) -> Plan:
    entries = order.book.wager
    seat = {name: entries[name].least if entries[name].fixed else UNIT for name in entries if name in wagers}
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
    words = ["felt", "simulate", order.game, "--rounds", str(rounds), "--seed", str(seed), "--fresh"]
    for name in plan.wagers:
        words += ["--wager", name]
    for name, table in order.pay_tables.items():
        words += ["--pay-table", f"{name}={table}"]
    for name, value in order.options.items():
        words += ["--set", f"{name}={_option_text(value)}"]
    if plan.jackpot is not None and order.jackpot:
        words += ["--jackpot", str(plan.jackpot)]
    return shlex.join(words)


def _option_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
