"""`felt simulate`: rounds dealt at random, for edges, a player's sessions, a house's days or a jackpot."""

import click

from feltworks.cli.simulate.options import SimulateOptions, simulate_options


@click.command()
@simulate_options
def simulate(**values: object) -> None:
    """Deal many rounds; show each edge beside the exact one."""
    from feltworks.cli.simulate.run import run

    run(SimulateOptions(**values))  # type: ignore[arg-type]  # Click has converted each to its type
