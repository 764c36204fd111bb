"""`felt simulate`: deals random rounds to measure edges, a player's sessions, a house's days or a jackpot."""

from pathlib import Path
from typing import Annotated, Final, Literal

import click
from msgspec import Struct

from feltworks.cli.options import (
    Option,
    decks_option,
    json_option,
    option_group,
    set_option,
    workers_option,
)
from feltworks.errors import BadOption
from feltworks.money import Cents

Kind = Literal["edges", "session", "days", "years"]
_MOST_WORKERS: Final = 1024


class CrewOptions(Struct, frozen=True):
    """The workers: threads, processes or a cluster."""

    workers: int | None = None
    processes: bool = False
    cluster: str | None = None

    def check(self) -> None:
        """Validate the options before anything is started."""
        if self.workers is not None and not 1 <= self.workers <= _MOST_WORKERS:
            raise BadOption("--workers", self.workers, f"a whole number from 1 to {_MOST_WORKERS}")
        if self.cluster is not None and (self.workers is not None or self.processes):
            raise BadOption("--cluster", self.cluster, "neither --workers nor --processes: it has its own")


class SimulateOptions(Struct, frozen=True, kw_only=True):
    """The options of the command line."""

    # The table
    game: Annotated[str, click.argument("game", default="", help="The game, as felt games lists it.")]
    wagers: Annotated[tuple[str, ...], Option("A wager of every seat: tie, or tie=500 in cents.", "--wager")]
    strategy: Annotated[
        str,
        Option("How it is played: optimal, joint, always-hit, practical-3, ..., or a file.", metavar="NAME|FILE"),
    ] = ""
    pay_tables: Annotated[tuple[str, ...], Option("A pay table: 2, or tie=2.", "--pay-table")]
    decks: Annotated[int | None, decks_option]
    chosen: Annotated[tuple[str, ...], set_option]
    seats: Annotated[int | None, Option("How many seats play, all alike.")]
    jackpot: Annotated[Cents | None, Option("The posted jackpot in cents.", metavar="CENTS")]
    penetration: Annotated[int | None, Option("Percent of the shoe dealt before the cut card.")]
    fresh: Annotated[bool, Option("Shuffle the whole shoe for every round.")]
    # The length of a run for edges
    rounds: Annotated[int | None, Option("How many rounds; ten million unless given.")]
    seed: Annotated[int | None, Option("The same seed gives the same result.")]
    until: Annotated[str, Option("Stop at this standard error of every edge, as 0.01%.")] = ""
    checkpoint: Annotated[Path | None, Option("Save the run to this file as it goes on.", metavar="FILE")]
    resume: Annotated[Path | None, Option("Continue the run saved in this file.", metavar="FILE")]
    # A player's sessions and a house's days
    session: Annotated[int | None, Option("Simulate a player's sessions of this many rounds.", metavar="ROUNDS")]
    sessions: Annotated[int | None, Option("How many sessions; 10,000 unless given.")]
    days: Annotated[int | None, Option("Simulate this many days of the house.")]
    rounds_per_day: Annotated[int | None, Option("Rounds in a day; 500 unless given.")]
    loses_more_than: Annotated[Cents | None, Option("Report how often a day loses more than this.", metavar="CENTS")]
    horizon: Annotated[int | None, Option("Days that a house's bankroll has to last.", metavar="DAYS")]
    bankroll: Annotated[Cents | None, Option("What a session or the house begins with.", metavar="CENTS")]
    safety: Annotated[str, Option("The bankroll that lasts with this probability, as 99%.")] = ""
    # A jackpot's years
    years: Annotated[int | None, Option("Simulate this many years of a jackpot.")]
    seed_money: Annotated[Cents | None, Option("What the house starts a jackpot with.", metavar="CENTS")]
    recovery: Annotated[str, Option("The part of each addition that recovers the seed, as 1/2.")] = ""
    fee: Annotated[str, Option("The part of each addition taken as a fee, as 1/10.")] = ""
    backups: Annotated[int | None, Option("How many backup jackpots there are.")]
    # The workers and the result files
    workers: Annotated[int | None, workers_option]
    processes: Annotated[bool, Option("Work in processes, not threads.")]
    cluster: Annotated[str | None, Option("Work on the Dask cluster at this address.", metavar="ADDRESS")]
    plot: Annotated[Path | None, Option("Draw the result: a file .svg, or a folder.")]
    output: Annotated[Path | None, Option("Write the JSON document to this file too.", metavar="FILE")]
    as_json: Annotated[bool, json_option]

    @property
    def crew(self) -> CrewOptions:
        return CrewOptions(self.workers, self.processes, self.cluster)

    @property
    def kind(self) -> Kind:
        """The kind of simulation; options of another kind are refused."""
        kinds: dict[Kind, int | None] = {"session": self.session, "days": self.days, "years": self.years}
        given = [kind for kind, number in kinds.items() if number is not None]
        if len(given) > 1:
            raise BadOption(f"--{given[1]}", kinds[given[1]], f"nothing beside --{given[0]}")
        kind: Kind = given[0] if given else "edges"
        for name, takers in _BELONGS_TO.items():
            value = getattr(self, name)
            if value not in (None, "") and kind not in takers:
                raise BadOption(f"--{name.replace('_', '-')}", str(value), _takers_words(kind, takers))
        return kind


_BELONGS_TO: Final[dict[str, tuple[Kind, ...]]] = {
    "rounds": ("edges",),
    "until": ("edges",),
    "checkpoint": ("edges",),
    "resume": ("edges",),
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


def _takers_words(kind: Kind, takers: tuple[Kind, ...]) -> str:
    if "edges" in takers:
        return f"nothing beside --{kind}"
    return f"nothing without {' or '.join(f'--{taker}' for taker in takers)}"


@click.command()
@option_group("options", SimulateOptions)
def simulate(options: SimulateOptions) -> None:
    """Deal many rounds; show each edge beside the exact one.

    --session, --days and --years simulate a player's sessions, the house's days or a jackpot instead.
    """
    from feltworks.cli.simulate.run import run

    run(options)
