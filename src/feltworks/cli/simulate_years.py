"""Years of a progressive jackpot: asked for, played, told and drawn."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from feltworks import catalog
from feltworks.cli.output import PLAY_MONEY
from feltworks.cli.simulate_bar import pieces_bar
from feltworks.cli.simulate_plan import a_seed, planned
from feltworks.errors import BadOption
from feltworks.simulation.jackpot.fund import SEED_BY_HALVES, SEED_FIRST, JackpotPolicy
from feltworks.simulation.jackpot.play import check_years
from feltworks.simulation.plan import check_seed
from feltworks.simulation.result import provenance, table_document

if TYPE_CHECKING:
    from feltworks.simulation.jackpot.history import JackpotHistory
    from feltworks.simulation.workers import WorkerPool

_ROUNDS_PER_DAY = 500


class YearsAsked:
    """`--years N` with what belongs to it."""

    def __init__(self, game: str, seed: int | None, table: dict[str, Any], said: dict[str, Any]) -> None:
        catalog.check_game(game)
        progressives = catalog.rulebook(game).progressives
        if progressives and not table["wagers"]:
            table = {**table, "wagers": progressives[:1]}
        self.years, self.seed = said["years"], a_seed(seed)
        self.rounds_per_day = _ROUNDS_PER_DAY if said["rounds_per_day"] is None else said["rounds_per_day"]
        self.plan = planned(game, **table)
        self.policies = _policies(said)
        for policy, wager in product(self.policies.values(), progressives):
            policy.check(self.plan.table.terms.rulebook.meter_of(wager))
        check_years(self.plan, self.years, self.rounds_per_day)
        check_seed(self.seed)

    def simulated(self, crew: "WorkerPool", command: str) -> tuple[dict[str, Any], Callable[[], str]]:
        """Play them, watched by whoever is there."""
        from feltworks.simulation.jackpot.history import jackpot_policies, summary

        with pieces_bar("Playing years") as told:
            histories = jackpot_policies(
                self.plan,
                self.policies,
                years=self.years,
                rounds_per_day=self.rounds_per_day,
                seed=self.seed,
                executor=crew.executor,
                progress=told,
            )
        document = {
            "game": self.plan.game,
            "seed": self.seed,
            "years": self.years,
            "rounds_per_day": self.rounds_per_day,
            "policies": {name: summary(history) for name, history in histories.items()},
            **table_document(self.plan),
            "workers": crew.size,
            "interrupted": False,
            "made": provenance(self.plan, command),
            "notice": PLAY_MONEY,
        }
        return document, lambda: _drawn(histories)


def _drawn(histories: "dict[str, JackpotHistory]") -> str:
    from feltworks.simulation.jackpot.plot import jackpot_svg

    return jackpot_svg(histories)


def _policies(said: dict[str, Any]) -> dict[str, JackpotPolicy]:
    """The house's own way to recover its seed, or both that SP.17 names."""
    chosen: dict[str, Any] = {}
    for option, field in (("seed_money", "seed"), ("backups", "backups")):
        if said[option] is not None:
            chosen[field] = said[option]
    if said["fee"]:
        chosen["fee"] = _fraction("--fee", said["fee"])
    if said["recovery"]:
        recovery = _fraction("--recovery", said["recovery"])
        policies = {f"{recovery} of each addition": JackpotPolicy(recovery=recovery)}
    else:
        policies = {"seed first": SEED_FIRST, "seed by halves": SEED_BY_HALVES}
    return {name: replace(policy, **chosen) for name, policy in policies.items()}


def _fraction(option: str, said: str) -> Fraction:
    try:
        return Fraction(said.rstrip("% ")) / (100 if said.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise BadOption(option, said, "a part such as 1/2, 0.5 or 50%") from None
