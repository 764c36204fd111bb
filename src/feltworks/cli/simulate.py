"""`felt simulate`: sampled rounds of a game, for edges, a player's sessions, a house's days, a jackpot."""

import shlex
import sys
from typing import TYPE_CHECKING, Any

import typer

from feltworks.cli import simulate_options as options
from feltworks.cli.late_interrupts import late_interrupts_forgiven
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.cli.simulate_plan import Asked

INTERRUPTED = 130  # as shells report it
_KINDS = ("session", "days", "years")  # what can be asked for instead of edges
_TABLE = ("wagers", "strategy", "pay_tables", "decks", "chosen", "seats", "jackpot", "penetration", "fresh")
_CREW = ("workers", "processes", "cluster")
_BELONGS = {
    "rounds": (),
    "until": (),
    "checkpoint": (),
    "resume": (),
    "sessions": ("session",),
    "bankroll": ("session", "days"),
    "safety": ("session", "days"),
    "rounds_per_day": ("days", "years"),
    "horizon": ("days",),
    "loses_more_than": ("days",),
    "seed_money": ("years",),
    "recovery": ("years",),
    "fee": ("years",),
    "backups": ("years",),
}


def simulate(
    game: options.Game = "",
    rounds: options.Rounds = None,
    seed: options.Seed = None,
    wagers: options.Wagers = None,
    strategy: options.Strategy = "",
    pay_tables: options.PayTables = None,
    decks: options.Decks = None,
    chosen: options.Chosen = None,
    seats: options.Seats = None,
    jackpot: options.Jackpot = None,
    penetration: options.Penetration = None,
    fresh: options.Fresh = False,
    until: options.Until = "",
    session: options.Session = None,
    sessions: options.Sessions = None,
    days: options.Days = None,
    rounds_per_day: options.RoundsPerDay = None,
    loses_more_than: options.LosesMoreThan = None,
    horizon: options.Horizon = None,
    bankroll: options.Bankroll = None,
    safety: options.Safety = "",
    years: options.Years = None,
    seed_money: options.SeedMoney = None,
    recovery: options.Recovery = "",
    fee: options.Fee = "",
    backups: options.Backups = None,
    workers: options.Workers = None,
    processes: options.Processes = False,
    cluster: options.Cluster = None,
    checkpoint: options.KeptIn = None,
    resume: options.Resume = None,
    plot: options.Plot = None,
    output: options.Output = None,
    as_json: options.AsJson = False,
) -> None:
    """Deal many rounds at machine speed and show each wager's edge beside the exact one."""
    with late_interrupts_forgiven():
        _simulated(dict(locals()))


def _simulated(said: dict[str, Any]) -> None:
    from feltworks.cli.simulate_crew import check_crew, crew_of
    from feltworks.cli.simulate_files import ResultFiles

    kind, table, crew_said = _kind(said), _of(said, _TABLE), _of(said, _CREW)
    check_crew(**crew_said)
    files = ResultFiles(said["output"], said["plot"])
    asked = _asked(kind)(said["game"], said["seed"], table, said)
    with crew_of(**crew_said) as crew:
        told, draw = asked.simulated(crew, shlex.join(["felt", *sys.argv[1:]]))
    try:
        files.keep(told, kind, draw)
    finally:
        _show(told, kind, as_json=said["as_json"])
    if told["interrupted"]:
        raise typer.Exit(INTERRUPTED)


def _of(said: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: said[name] for name in names}


def _kind(said: dict[str, Any]) -> str:
    """What is asked for; refuses options that belong to something else."""
    asked = [kind for kind in _KINDS if said[kind] is not None]
    if len(asked) > 1:
        raise BadOption(f"--{asked[1]}", said[asked[1]], f"nothing beside --{asked[0]}")
    kind = asked[0] if asked else ""
    for option, kinds in _BELONGS.items():
        if said[option] not in (None, "") and kind not in (kinds or ("",)):
            where = f"without {' or '.join(f'--{each}' for each in kinds)}" if kinds else f"beside --{kind}"
            raise BadOption(f"--{option.replace('_', '-')}", str(said[option]), f"nothing {where}")
    return kind


def _asked(kind: str) -> "type[Asked]":
    if kind in ("session", "days"):
        from feltworks.cli import simulate_walks as walks

        return walks.SessionsAsked if kind == "session" else walks.DaysAsked
    if kind == "years":
        from feltworks.cli.simulate_years import YearsAsked

        return YearsAsked
    from feltworks.cli.simulate_edges import EdgesAsked

    return EdgesAsked


def _show(told: dict[str, Any], kind: str, *, as_json: bool) -> None:
    if as_json:
        from feltworks.cli.output import print_json

        print_json(told)
    elif kind:
        from feltworks.cli import simulate_screen

        getattr(simulate_screen, f"show_{kind}")(told)
    else:
        from feltworks.cli.simulate_result import show

        show(told)
