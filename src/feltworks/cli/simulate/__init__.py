"""`felt simulate`: rounds dealt at random, for edges, a player's sessions, a house's days or a jackpot."""

import click

from feltworks.cli.simulate.options import SimulateOptions, simulate_options


@click.command()
@simulate_options
def simulate(options: SimulateOptions) -> None:
    """Deal many rounds; show each edge beside the exact one.

    --session, --days and --years simulate a player's sessions, the house's days or a jackpot instead.
    """
    from feltworks.cli.simulate.run import run

    run(options)
