"""Years of a progressive jackpot: simulated, described and drawn."""

from itertools import product
from typing import TYPE_CHECKING

from msgspec.structs import replace

from feltworks import catalog
from feltworks.cli.options import read_part
from feltworks.cli.output import PLAY_MONEY
from feltworks.cli.progress import pieces_bar
from feltworks.cli.simulate.options import SimulateOptions
from feltworks.cli.simulate.run import Document, Draw, make_plan, seed_or_new
from feltworks.simulation.jackpot.fund import SEED_BY_HALVES, SEED_FIRST, JackpotPolicy
from feltworks.simulation.jackpot.play import check_years
from feltworks.simulation.plan import check_seed
from feltworks.simulation.result import provenance, table_document
from feltworks.simulation.workers import WorkerPool

if TYPE_CHECKING:
    from feltworks.simulation.jackpot.history import JackpotHistory

_ROUNDS_PER_DAY = 500


class YearsJob:
    """`--years N` with its options."""

    def __init__(self, options: SimulateOptions) -> None:
        assert options.years is not None
        catalog.check_game(options.game)
        progressives = catalog.rulebook(options.game).progressives
        self.years, self.seed = options.years, seed_or_new(options.seed)
        self.rounds_per_day = _ROUNDS_PER_DAY if options.rounds_per_day is None else options.rounds_per_day
        self.plan = make_plan(options, wagers=options.wagers or tuple(progressives[:1]))
        self.policies = _policies(options)
        for policy, wager in product(self.policies.values(), progressives):
            policy.check(self.plan.table.terms.rulebook.meter_of(wager))
        check_years(self.plan, self.years, self.rounds_per_day)
        check_seed(self.seed)

    def simulate(self, crew: WorkerPool, command: str) -> tuple[Document, Draw]:
        """Play the years with a bar at a terminal."""
        from feltworks.simulation.jackpot.history import jackpot_policies, summary

        with pieces_bar("Playing years") as update:
            histories = jackpot_policies(
                self.plan,
                self.policies,
                years=self.years,
                rounds_per_day=self.rounds_per_day,
                seed=self.seed,
                executor=crew.executor,
                progress=update,
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
        return document, lambda: _draw(histories)


def _draw(histories: "dict[str, JackpotHistory]") -> str:
    from feltworks.simulation.jackpot.plot import jackpot_svg

    return jackpot_svg(histories)


def _policies(options: SimulateOptions) -> dict[str, JackpotPolicy]:
    """The house's own way to recover its seed, or both that SP.17 names."""
    if options.recovery:
        recovery = read_part("--recovery", options.recovery)
        policies = {f"{recovery} of each addition": JackpotPolicy(recovery=recovery)}
    else:
        policies = {"seed first": SEED_FIRST, "seed by halves": SEED_BY_HALVES}
    return {name: _with_options(policy, options) for name, policy in policies.items()}


def _with_options(policy: JackpotPolicy, options: SimulateOptions) -> JackpotPolicy:
    return replace(
        policy,
        seed=policy.seed if options.seed_money is None else options.seed_money,
        backups=policy.backups if options.backups is None else options.backups,
        fee=read_part("--fee", options.fee) if options.fee else policy.fee,
    )
