"""What `felt simulate` can be told, option by option, in the words of its help."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from feltworks.money import Cents

# What is dealt
Game = Annotated[str, Argument(help="The game, as felt games lists it.")]
Wagers = Annotated[
    list[str] | None, Option("--wager", help="A wager of every seat, as tie or tie=500 in cents.")
]
Strategy = Annotated[
    str, Option(help="How it is played: optimal, joint, always-hit, practical-3, ..., or a file.")
]
PayTables = Annotated[list[str] | None, Option("--pay-table", help="A pay table, as 2 or tie=2.")]
Decks = Annotated[int | None, Option(help="How many decks the shoe holds.")]
Chosen = Annotated[list[str] | None, Option("--set", help="An option, as soft17=hit.")]
Seats = Annotated[int | None, Option(help="How many seats play, all alike.")]
Jackpot = Annotated[Cents | None, Option(help="The posted jackpot in cents.")]
Penetration = Annotated[int | None, Option(help="Percent of the shoe before its cut card.")]
Fresh = Annotated[bool, Option("--fresh", help="Shuffle the whole shoe for every round.")]

# How much of it, for edges
Rounds = Annotated[int | None, Option(help="How many rounds; ten million unless said.")]
Seed = Annotated[int | None, Option(help="The same seed gives the same result.")]
Until = Annotated[str, Option(help="Stop at this standard error of every edge, as 0.01%.")]
KeptIn = Annotated[Path | None, Option(help="Keep the run in this file as it goes on.")]
Resume = Annotated[Path | None, Option(help="Take up the run kept in this file.")]

# A player's sessions and a house's days
Session = Annotated[int | None, Option(help="Sessions of so many rounds instead of edges.")]
Sessions = Annotated[int | None, Option(help="How many sessions; 10,000 unless said.")]
Days = Annotated[int | None, Option(help="So many of the house's days instead of edges.")]
RoundsPerDay = Annotated[int | None, Option(help="Rounds in a day; 500 unless said.")]
LosesMoreThan = Annotated[Cents | None, Option(help="How often does a day lose more cents?")]
Horizon = Annotated[int | None, Option(help="Days that a house's bankroll has to last.")]
Bankroll = Annotated[Cents | None, Option(help="What a session or a house begins with, cents.")]
Safety = Annotated[str, Option(help="The bankroll for this safety, as 99%.")]

# A jackpot's years
Years = Annotated[int | None, Option(help="So many years of a jackpot instead of edges.")]
SeedMoney = Annotated[Cents | None, Option(help="What the house starts a jackpot with, cents.")]
Recovery = Annotated[str, Option(help="The part of each addition that recovers it, as 1/2.")]
Fee = Annotated[str, Option(help="The part of each addition kept as a fee, as 1/10.")]
Backups = Annotated[int | None, Option(help="How many backup jackpots are kept.")]

# By whom, and where the result goes
Workers = Annotated[int | None, Option(help="How many work at once; one a core.")]
Processes = Annotated[bool, Option("--processes", help="Work in processes, not threads.")]
Cluster = Annotated[str | None, Option(help="Work on the Dask cluster at this address.")]
Plot = Annotated[Path | None, Option(help="Draw the result: a file .svg, or a folder.")]
Output = Annotated[Path | None, Option(help="Write the result to this file too.")]
AsJson = Annotated[bool, Option("--json", help="Print one JSON document.")]
