"""A simulation's result: one document that says how it was made, and tables for people."""

from pathlib import Path
from typing import Any

from feltworks.cli.output import PLAY_MONEY, console, new_table
from feltworks.simulation.runner import Run, Simulated
from feltworks.simulation.told import result_document


def described(run: Run, simulated: Simulated, *, workers: int, command: str) -> dict[str, Any]:
    """The result as others rely on it."""
    return {**result_document(run, simulated, workers=workers, command=command), "notice": PLAY_MONEY}


def write(path: Path, told: dict[str, Any]) -> None:
    """The document as a file, whole or not at all."""
    import msgspec

    write_whole(path, msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n")


def write_whole(path: Path, written: bytes) -> None:
    """Write a file so that nobody finds half of it."""
    partial = path.with_name(path.name + ".part")
    partial.write_bytes(written)
    partial.replace(path)


def show(told: dict[str, Any]) -> None:
    """Print the result for people."""
    screen = console()
    stopped = ", stopped early" if told["interrupted"] else ""
    seats = "one seat" if told["seats"] == 1 else f"{told['seats']} seats"
    dealt = f"{told['rounds']:,} rounds, {seats}, seed {told['seed']}{stopped}"
    screen.print(f"{told['game']}: {dealt}", style="bold")
    table = new_table("wager", "house edge", "standard error", "exact", "z", "hits")
    for name, each in told["wagers"].items():
        table.add_row(name, *_row(each))
    screen.print(table)
    pace = f"{told['rounds_per_second']:,} rounds/s on {told['workers']} workers, {told['seconds']:.2f} s"
    compiling = f"{told['compile_seconds']:.2f} s to compile or load the kernel"
    screen.print(f"{_played(told)}; {pace}, and {compiling}.")
    screen.print(PLAY_MONEY, style="dim")


def _played(told: dict[str, Any]) -> str:
    if told["alone"]:
        return "Measured alone (at a table a main wager lies beside it)"
    return f"Played {told['strategy']}"


def _row(each: dict[str, Any]) -> list[str]:
    shown = [f"{each['house_edge']:.4%}", _percent(each["standard_error"]), _percent(each["exact"])]
    z = "" if each["z"] is None else f"{each['z']:+.2f}"
    return [*shown, z, f"{each['hit_frequency']:.4%}"]


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.4%}"
