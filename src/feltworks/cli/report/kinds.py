"""Papers to file, to post and to carry: what the commands of each kind ask for, said once."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from feltworks.cli.report.asking import (
    HERE,
    ROUNDS,
    Aggregates,
    AsJson,
    Chosen,
    Day,
    Decks,
    Dispute,
    Employees,
    Game,
    House,
    Jackpot,
    Limits,
    Output,
    PayTables,
    Rounds,
    Seed,
    house_settings,
    ordered,
)
from feltworks.cli.report.printing import printed

if TYPE_CHECKING:
    from feltworks.reports.order import Order
    from feltworks.reports.paper import Paper
    from feltworks.reports.posting import HouseSettings

Command = Callable[..., None]


def filed(make: "Callable[[Order, int, int | None], Paper]") -> Command:
    """A command for a paper with figures, confirmed by a simulation."""

    def command(
        game: Game,
        pay_table: PayTables = None,
        decks: Decks = None,
        chosen: Chosen = None,
        jackpot: Jackpot = None,
        rounds: Rounds = ROUNDS,
        seed: Seed = None,
        day: Day = None,
        output: Output = HERE,
        as_json: AsJson = False,
    ) -> None:
        order = ordered(game, pay_table, decks, chosen, day, jackpot)
        printed(output, lambda: make(order, rounds, seed), as_json=as_json)

    return _described(command, make)


def posted(make: "Callable[[Order, HouseSettings], Paper]") -> Command:
    """A command for a paper in which the house speaks to its players."""

    def command(
        game: Game,
        pay_table: PayTables = None,
        decks: Decks = None,
        chosen: Chosen = None,
        jackpot: Jackpot = None,
        limit: Limits = None,
        aggregate: Aggregates = None,
        house: House = None,
        dispute: Dispute = None,
        employees: Employees = None,
        day: Day = None,
        output: Output = HERE,
        as_json: AsJson = False,
    ) -> None:
        order = ordered(game, pay_table, decks, chosen, day, jackpot)
        settings = house_settings(house, dispute, employees, limit, aggregate)
        printed(output, lambda: make(order, settings), as_json=as_json)

    return _described(command, make)


def carried(make: "Callable[[Order], Paper]") -> Command:
    """A command for a card that goes by the table's rules alone."""

    def command(
        game: Game,
        pay_table: PayTables = None,
        decks: Decks = None,
        chosen: Chosen = None,
        day: Day = None,
        output: Output = HERE,
        as_json: AsJson = False,
    ) -> None:
        order = ordered(game, pay_table, decks, chosen, day)
        printed(output, lambda: make(order), as_json=as_json)

    return _described(command, make)


def _described(command: Command, make: "Callable[..., Paper]") -> Command:
    command.__doc__ = make.__doc__
    return command
