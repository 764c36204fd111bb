"""Rounds dealt until there are enough: each wager's edge with its standard error, beside the exact one."""

from pathlib import Path

from feltworks.cli.output import PLAY_MONEY
from feltworks.cli.progress import counting_is_over, rounds_bar
from feltworks.cli.simulate.options import SimulateOptions
from feltworks.cli.simulate.run import Document, Draw, make_plan, read_share, seed_or_new
from feltworks.errors import BadOption
from feltworks.simulation.checkpoint import load_checkpoint
from feltworks.simulation.result import result_document
from feltworks.simulation.run import Run
from feltworks.simulation.workers import WorkerPool

_ROUNDS = 10_000_000
_IN_THE_CHECKPOINT = (
    "seed",
    "wagers",
    "strategy",
    "pay_tables",
    "decks",
    "chosen",
    "seats",
    "jackpot",
    "penetration",
    "fresh",
)


class EdgesJob:
    """A run of so many rounds, or until its standard errors are small enough; or one that is resumed."""

    def __init__(self, options: SimulateOptions) -> None:
        until = read_share("--until", options.until, "0.01%")
        if options.resume is not None:
            self.run = _resume(options.resume, until, options)
            return
        rounds = _ROUNDS if options.rounds is None and until is None else options.rounds
        plan, seed = make_plan(options, alone=True), seed_or_new(options.seed)
        self.run = Run(plan, seed, rounds=rounds, until=until, checkpoint=options.checkpoint)

    def simulate(self, crew: WorkerPool, command: str) -> tuple[Document, Draw]:
        """Deal the rounds with a bar at a terminal."""
        self.run.save()  # fails before any work where the checkpoint cannot be written
        with rounds_bar() as update:
            simulated = self.run.simulate(crew, update)
            if not simulated.tally.rounds:
                raise KeyboardInterrupt  # interrupted before the first result
            counting_is_over()
        document = result_document(self.run, simulated, workers=crew.size, command=command)
        checkpoint = None if self.run.checkpoint is None else str(self.run.checkpoint)
        document = {**document, "checkpoint": checkpoint, "notice": PLAY_MONEY}
        return document, lambda: self._draw(document)

    def _draw(self, document: Document) -> str:
        from feltworks.simulation.plots import convergence_svg
        from feltworks.simulation.run import snapshots

        exact = {name: figures["exact"] for name, figures in document["wagers"].items()}
        title = f"{self.run.plan.game}: {self.run.tally.rounds:,} rounds, seed {self.run.seed}"
        return convergence_svg(title, snapshots(self.run), exact)


def _resume(path: Path, until: float | None, options: SimulateOptions) -> Run:
    """The run of a checkpoint: its table is in the file, how long it goes on may be given anew."""
    begun = load_checkpoint(path)
    if options.game not in ("", begun.plan.game):
        raise BadOption("--resume", str(path), f"a run of that game; this one is of {begun.plan.game}")
    if extra := [name for name in _IN_THE_CHECKPOINT if getattr(options, name) not in (None, "", False, ())]:
        wanted = f"no other {extra[0].replace('_', ' ')}: the run in the file has its own"
        raise BadOption("--resume", str(path), wanted)
    rounds = options.rounds
    if rounds is None and until is None:
        rounds, until = begun.rounds, begun.until
    if rounds is not None and rounds < begun.tally.rounds:
        raise BadOption("--rounds", rounds, f"at least the {begun.tally.rounds:,} that {path} has counted")
    checkpoint = options.checkpoint or path
    return Run(begun.plan, begun.seed, rounds=rounds, until=until, checkpoint=checkpoint, begun=begun)
