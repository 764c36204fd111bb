"""A simulation's result: one document that says how it was made, and tables for people."""

import shlex
from typing import Any

from feltworks.cli.output import PLAY_MONEY, console, new_table
from feltworks.cli.simulate_screen import close, counted, stopped
from feltworks.simulation.result import result_document
from feltworks.simulation.run import Run, RunResult

_ALONE = "Measured alone (at a table a main wager lies beside it)"


def described(run: Run, simulated: RunResult, *, workers: int, command: str) -> dict[str, Any]:
    """The result as others rely on it."""
    document = result_document(run, simulated, workers=workers, command=command)
    return {**document, "checkpoint": run.checkpoint and str(run.checkpoint), "notice": PLAY_MONEY}


def show(told: dict[str, Any]) -> None:
    """Print the result for people."""
    screen = console()
    dealt = f"{counted(told['rounds'], 'round')}, {counted(told['seats'], 'seat')}, seed {told['seed']}"
    screen.print(f"{told['game']}: {dealt}{stopped(told)}", style="bold")
    table = new_table("wager", "house edge", "standard error", "exact", "z", "hits")
    for name, each in told["wagers"].items():
        table.add_row(name, *_row(each))
    screen.print(table)
    for name, each in told["wagers"].items():
        if each["why"]:
            screen.print(f"No exact edge for {name}: {each['why']}.")
    if told["interrupted"] and told["checkpoint"]:
        screen.print(f"Take it up again: felt simulate --resume {shlex.quote(told['checkpoint'])}")
    close(screen, told, _ALONE if told["alone"] else "")


def _row(each: dict[str, Any]) -> list[str]:
    shown = [f"{each['house_edge']:.4%}", _percent(each["standard_error"]), _percent(each["exact"])]
    z = "" if each["z"] is None else f"{each['z']:+.2f}"
    return [*shown, z, f"{each['hit_frequency']:.4%}"]


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.4%}"
