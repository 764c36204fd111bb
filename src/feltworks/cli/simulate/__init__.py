"""`felt simulate`: rounds dealt at random, for edges, a player's sessions, a house's days or a jackpot."""

from pathlib import Path
from typing import Final, Literal

import click
from msgspec import Struct

from feltworks.cli.options import (
    Decorator,
    decks_option,
    json_option,
    option_group,
    set_option,
    words_option,
    workers_option,
)
from feltworks.errors import BadOption
from feltworks.money import Cents

Kind = Literal["edges", "session", "days", "years"]
_FILE: Final = click.Path(path_type=Path)
_MOST_WORKERS: Final = 1024


class CrewOptions(Struct, frozen=True):
    """Who does the work: threads, processes or a cluster."""

    workers: int | None = None
    processes: bool = False
    cluster: str | None = None

    def check(self) -> None:
        """Refuse impossible options before anything is started."""
        if self.workers is not None and not 1 <= self.workers <= _MOST_WORKERS:
            raise BadOption("--workers", self.workers, f"a whole number from 1 to {_MOST_WORKERS}")
        if self.cluster is not None and (self.workers is not None or self.processes):
            raise BadOption("--cluster", self.cluster, "neither --workers nor --processes: it has its own")


class SimulateOptions(Struct, frozen=True):
    """What was given on the command line."""

    game: str
    wagers: tuple[str, ...]
    strategy: str
    pay_tables: tuple[str, ...]
    decks: int | None
    chosen: tuple[str, ...]
    seats: int | None
    jackpot: Cents | None
    penetration: int | None
    fresh: bool
    rounds: int | None
    seed: int | None
    until: str
    checkpoint: Path | None
    resume: Path | None
    session: int | None
    sessions: int | None
    days: int | None
    rounds_per_day: int | None
    loses_more_than: Cents | None
    horizon: int | None
    bankroll: Cents | None
    safety: str
    years: int | None
    seed_money: Cents | None
    recovery: str
    fee: str
    backups: int | None
    workers: int | None
    processes: bool
    cluster: str | None
    plot: Path | None
    output: Path | None
    as_json: bool

    @property
    def crew(self) -> CrewOptions:
        return CrewOptions(self.workers, self.processes, self.cluster)

    @property
    def kind(self) -> Kind:
        """What is to be simulated; refuses options that belong to something else."""
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


_OPTIONS: Final[list[Decorator]] = [
    # What is dealt
    click.argument("game", default="", help="The game, as felt games lists it."),
    click.option("--wager", "wagers", multiple=True, help="A wager of every seat: tie, or tie=500 in cents."),
    words_option(
        "--strategy",
        metavar="NAME|FILE",
        help="How it is played: optimal, joint, always-hit, practical-3, ..., or a file.",
    ),
    click.option("--pay-table", "pay_tables", multiple=True, help="A pay table: 2, or tie=2."),
    decks_option,
    set_option,
    click.option("--seats", type=int, help="How many seats play, all alike."),
    click.option("--jackpot", type=int, metavar="CENTS", help="The posted jackpot in cents."),
    click.option("--penetration", type=int, help="Percent of the shoe dealt before the cut card."),
    click.option("--fresh", is_flag=True, help="Shuffle the whole shoe for every round."),
    # How long, for edges
    click.option("--rounds", type=int, help="How many rounds; ten million unless given."),
    click.option("--seed", type=int, help="The same seed gives the same result."),
    words_option("--until", metavar="TEXT", help="Stop at this standard error of every edge, as 0.01%."),
    click.option("--checkpoint", type=_FILE, metavar="FILE", help="Save the run to this file as it goes on."),
    click.option("--resume", type=_FILE, metavar="FILE", help="Continue the run saved in this file."),
    # A player's sessions and a house's days
    click.option("--session", type=int, metavar="ROUNDS", help="Sessions of so many rounds, not edges."),
    click.option("--sessions", type=int, help="How many sessions; 10,000 unless given."),
    click.option("--days", type=int, help="So many days of the house, not edges."),
    click.option("--rounds-per-day", type=int, help="Rounds in a day; 500 unless given."),
    click.option("--loses-more-than", type=int, metavar="CENTS", help="How often a day loses more than this."),
    click.option("--horizon", type=int, metavar="DAYS", help="Days that a house's bankroll has to last."),
    click.option("--bankroll", type=int, metavar="CENTS", help="What a session or the house begins with."),
    words_option("--safety", metavar="TEXT", help="The bankroll that lasts with this probability, as 99%."),
    # A jackpot's years
    click.option("--years", type=int, help="So many years of a jackpot, not edges."),
    click.option("--seed-money", type=int, metavar="CENTS", help="What the house starts a jackpot with."),
    words_option("--recovery", metavar="TEXT", help="The part of each addition that recovers the seed, as 1/2."),
    words_option("--fee", metavar="TEXT", help="The part of each addition taken as a fee, as 1/10."),
    click.option("--backups", type=int, help="How many backup jackpots there are."),
    # By whom, and where the result goes
    workers_option,
    click.option("--processes", is_flag=True, help="Work in processes, not threads."),
    click.option("--cluster", metavar="ADDRESS", help="Work on the Dask cluster at this address."),
    click.option("--plot", type=_FILE, help="Draw the result: a file .svg, or a folder."),
    click.option("--output", type=_FILE, metavar="FILE", help="Write the JSON document to this file too."),
    json_option,
]
simulate_options = option_group("options", SimulateOptions, _OPTIONS)


@click.command()
@simulate_options
def simulate(options: SimulateOptions) -> None:
    """Deal many rounds; show each edge beside the exact one.

    --session, --days and --years simulate a player's sessions, the house's days or a jackpot instead.
    """
    from feltworks.cli.simulate.run import run

    run(options)
